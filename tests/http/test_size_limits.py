"""Each size limit at its value and one above, through the whole application and the real engine.

``TESTED`` says for every row of docs/reference/limits.md where it is tested (S16): headers and
bodies in ``test_server.py``, computing time and memory in the tests of the pool, and so on.
"""

import json
import re
from pathlib import Path
from typing import Any

import pytest

from longshore.compute.documents import parse_result
from longshore.formats.flatmap import (
    MAX_DEPTH,
    MAX_FIELDS,
    MAX_NODES,
    OUTPUT_ALLOWANCE_BYTES,
    OUTPUT_PER_INPUT,
)
from longshore.formats.xmldoc import MAX_NAMESPACE_CHARS
from longshore.http.api_v1.parse import MAX_TEXT_CHARS, PARSE
from longshore.http.app import create_app
from longshore.http.errors import MAX_DETAILS, MAX_ERROR_CHARS, refusal_answer
from longshore.kit.errors import ErrorCode, ErrorDetail, LongshoreError
from longshore.x12.findings import MAX_FINDINGS
from longshore.x12.refusals import MAX_SEGMENT_CHARS
from tests.support.client import calling
from tests.support.http_service import Keys, RecordedEngine, World, bearer
from tools.gen_docs import limits_page

pytestmark = pytest.mark.full("documents at the largest sizes")

ROOT = Path(__file__).parents[2]

BOUNDS = "tests/unit/domain/test_bounds.py::test_a_partner_is_taken_at_its_limits_and_refused_above"
MAP_BOUNDS = "tests/unit/domain/test_bounds.py::test_a_map_is_taken_at_its_limits_and_refused_above"

TESTED = {
    "entries that a list in the browser counts": (
        "tests/http/test_long_lists.py::test_a_page_counts_no_further_than_10_000",
        "tests/http/test_long_lists.py::test_10_000_are_counted_exactly",
    ),
    "sessions of a user": (
        "tests/contract/test_users.py::test_the_newest_sessions_of_a_user_stay_and_the_oldest_end",
    ),
    "rules of a conversion": (
        "tests/unit/engine/test_convert_hostile.py::test_ten_thousand_rules_are_enough",
    ),
    "output of a conversion": (
        "tests/unit/engine/test_convert_hostile.py::test_an_output_of_64_mib_is_the_longest",
    ),
    "X12 document that is explained": (
        "tests/unit/engine/test_convert_hostile.py::test_a_long_document_is_not_explained",
    ),
    "computing time of a conversion": (
        "tests/unit/engine/test_convert_hostile.py::test_rules_that_compute_for_ever_are_stopped",
    ),
    "the whole content of a saved map": (
        "tests/contract/test_maps.py::test_a_definition_is_no_larger_than_it_may_be",
    ),
    "errors of an acknowledgement that are counted": (
        "tests/unit/domain/acks/test_complaints.py::test_of_one_acknowledgement_the_first_fifty",
    ),
    "days of the figures": (
        "tests/unit/domain/overview/test_periods.py::test_ninety_days_are_a_period_and_one_more",
    ),
    "rows of a list as a file": (
        "tests/http/test_overview.py::test_more_rows_than_a_file_may_hold_are_refused_and_none",
    ),
    "request body": (
        "tests/http/test_server.py::test_a_body_exactly_at_the_limit_is_read",
        "tests/http/test_server.py::test_an_announced_body_over_the_limit_is_refused_before_it",
        "tests/http/test_server.py::test_chunks_over_the_limit_are_refused_while_they_arrive",
    ),
    "request line and headers": (
        "tests/http/test_server.py::test_headers_at_the_limit_are_accepted",
        "tests/http/test_server.py::test_one_byte_over_the_header_limit_is_refused",
    ),
    "request headers": (
        "tests/http/test_server.py::test_headers_at_the_limit_are_accepted",
        "tests/http/test_server.py::test_large_headers_are_refused",
    ),
    "`Content-Encoding`": (
        "tests/http/test_malformed_bodies.py::test_a_compressed_body_is_refused",
    ),
    "text members except `document`": (
        "tests/http/test_size_limits.py::test_a_text_member_at_the_limit_is_taken_and_one_above",
    ),
    "nesting of JSON and XML": (
        "tests/http/test_size_limits.py::test_a_document_at_the_limit_is_read_and_one_above",
    ),
    "fields of JSON, XML and CSV": (
        "tests/http/test_size_limits.py::test_a_document_at_the_limit_is_read_and_one_above",
    ),
    "values of JSON, XML and CSV": (
        "tests/http/test_size_limits.py::test_a_document_at_the_limit_is_read_and_one_above",
    ),
    "characters of an XML namespace": (
        "tests/http/test_size_limits.py::test_a_document_at_the_limit_is_read_and_one_above",
    ),
    "result of JSON, XML and CSV": (
        "tests/http/test_size_limits.py::test_a_result_at_the_limit_is_given_and_one_byte_above",
        "tests/http/test_size_limits.py::test_no_result_is_larger_than_the_largest",
    ),
    "X12 with views": (
        "tests/http/test_size_limits.py::test_views_of_x12_are_given_up_to_their_limit_and_refused",
    ),
    "transaction sets of an X12 document": (
        "tests/unit/formats/test_x12summaries.py::test_a_flood_of_set_headers_is_refused",
    ),
    "X12 segment, except BIN": (
        "tests/http/test_size_limits.py::test_a_document_at_the_limit_is_read_and_one_above",
    ),
    "errors, and other findings, of a document": (
        "tests/http/test_size_limits.py::test_findings_at_the_limit_are_listed_and_one_above",
    ),
    "findings of a validation": (
        "tests/unit/engine/test_validate.py::test_an_answer_has_room_for_its_findings_in",
        "tests/unit/engine/test_validate.py::test_no_answer_grows_beyond_proportion",
    ),
    "errors in acknowledgements of a document": (
        "tests/unit/engine/test_validate.py::test_more_errors_than_a_note_has_room_for_are_reported",
    ),
    "computing time of a document": (
        "tests/unit/compute/test_pool.py::test_work_that_takes_too_long_is_refused_and",
    ),
    "memory of a worker": (
        "tests/unit/compute/test_pool.py::test_work_that_takes_too_much_memory_is_refused",
    ),
    "text of an error": ("tests/http/test_size_limits.py::test_errors_are_cut_to_their_limits",),
    "details of an error": ("tests/http/test_size_limits.py::test_errors_are_cut_to_their_limits",),
    "all members of a body except its document": (
        "tests/http/test_large_bodies.py::test_bytes_beside_the_document_are_bounded",
        "tests/http/test_large_bodies.py::test_values_beside_the_document_are_bounded_and_commas_in_texts_are_none",
    ),
    "faults reported for a body": (
        "tests/http/test_malformed_bodies.py::test_no_more_than_fifty_faults_are_told",
    ),
    "requests of a production key": (
        "tests/http/test_quota.py::test_a_rested_key_has_its_burst_and_no_more",
        "tests/http/test_quota.py::test_ten_minutes_at_ten_times_the_limit_let_in_what_is_promised",
        "tests/http/test_limits.py::test_a_request_over_the_burst_is_refused_before_its_body",
    ),
    "submits of a production key": (
        "tests/http/test_limits.py::test_submits_have_a_bucket_of_their_own",
    ),
    "documents of a production key": (
        "tests/http/test_limits.py::test_one_document_too_many_at_a_time_is_refused_and_others",
    ),
    "documents of the sandbox keys of an account": (
        "tests/http/test_limits.py::test_one_document_too_many_at_a_time_is_refused_and_others",
    ),
    "bodies of an account, or of a client that logs in": (
        "tests/http/test_session_limits.py::test_bodies_that_arrive_are_counted_for_each_account_and_each_client",
    ),
    "connections": (
        "tests/http/test_connections.py::test_at_the_total_limit_the_greediest_client_loses_its_newest_idle",
    ),
    "connections of a client": (
        "tests/http/test_connections.py::test_at_its_limit_a_client_loses_its_newest_idle_connection",
    ),
    "bytes of bodies in flight": (
        "tests/http/test_admission.py::test_one_account_gets_half_of_the_room_and_another_the",
        "tests/http/test_admission.py::test_a_full_queue_refuses_at_once",
        "tests/http/test_admission.py::test_who_waits_too_long_is_refused_and_leaves_no_trace",
    ),
    "body that a partner pushes": (
        "tests/http/test_receive.py::test_25_mib_are_taken_and_one_byte_more_is_refused",
        "tests/http/test_examples_receive.py::test_72_a_body_that_is_too_large_is_refused_and",
    ),
    "expansion of a gzip body": (
        "tests/http/test_receive_bodies.py::test_expansion_is_bounded_in_size_and_ratio",
        "tests/http/test_receive_bodies.py::test_what_is_no_whole_gzip_is_refused",
    ),
    "parts of a form": ("tests/http/test_receive_bodies.py::test_a_malformed_form_is_refused",),
    "fields of a form": (
        "tests/http/test_receive_bodies.py::test_a_form_without_a_document_is_refused",
    ),
    "wrong inbound addresses of a client": (
        "tests/http/test_receive.py::test_after_ten_wrong_tokens_a_minute_come_429s",
    ),
    "wait for the result of a document": (
        "tests/http/test_receive.py::test_who_has_waited_in_vain_gets_the_plain_answer",
    ),
    "interchanges of a received document": (
        "tests/unit/domain/inbound/test_reading.py::test_what_is_no_interchange_says_why",
    ),
    "transaction sets of a received document": (
        "tests/unit/domain/inbound/test_reading.py::test_what_is_no_interchange_says_why",
    ),
    "findings stored of a received interchange": (
        "tests/unit/domain/inbound/test_reading.py::test_of_very_odd_acknowledgements_all_is",
    ),
    "references of a transaction": (
        "tests/unit/domain/transactions/test_references.py::test_there_are_at_most_50",
    ),
    "transaction sets of a submit": (
        "tests/contract/test_submit_refusals.py::test_what_is_refused_leaves_nothing_behind",
    ),
    "findings shown of a submit": (
        "tests/contract/test_submit_outcomes.py::test_of_many_findings_the_first_are_shown_and",
    ),
    **dict.fromkeys(
        ("`Idempotency-Key`", "`business_key`", "`reason`", "`metadata`"),
        (
            "tests/unit/domain/outbound/test_orders.py::test_what_makes_sense_is_let_through",
            "tests/unit/domain/outbound/test_orders.py::test_what_makes_none_is_refused_by_its",
        ),
    ),
    "attempts to deliver": (
        "tests/unit/domain/delivery/test_schedule.py::test_fourteen_attempts_lie_as_far_apart_as",
    ),
    "dead letters of a redrive": (
        "tests/contract/test_transaction_actions.py::test_more_than_a_thousand_at_once_are_refused",
    ),
    "acknowledgements accepted of one group": (
        "tests/contract/test_ack_errors.py::test_of_many_answers_to_one_group_the_first_20_count",
    ),
    "errors stored of received acknowledgements": (
        "tests/unit/domain/acks/test_back_mapping.py::test_at_most_1000_errors_are_kept",
        "tests/contract/test_ack_errors.py::test_of_too_many_errors_those_of_the_first_sets_are",
    ),
    "acknowledged sets that nobody sent": (
        "tests/unit/domain/acks/test_rows.py::test_of_many_sets_that_are_not_ours_the_first_100",
    ),
    "identities of an account": (
        "tests/contract/test_account_identities.py::test_faults_of_identities_are_told_and_nothing",
    ),
    "transaction sets agreed with a partner": (BOUNDS,),
    "routes of a partner": (BOUNDS,),
    "`ack_hours` of a partner": (BOUNDS,),
    "request headers of a connection": (BOUNDS,),
    "overlays of a partner": (BOUNDS,),
    "networks that a partner sends from": (BOUNDS,),
    "missing control numbers shown for a partner": (
        "tests/contract/test_control_numbers.py::test_what_a_partner_passed_over_is_missing_until_it",
    ),
    "name, description and note of a map": (
        "tests/unit/domain/test_bounds.py::test_a_map_is_taken_at_its_limits_and_refused_above",
        "tests/http/test_maps.py::test_a_bad_map_is_refused_with_its_place_and_not_stored",
    ),
    "tests of a map": (MAP_BOUNDS,),
    "lookup tables of a map": (MAP_BOUNDS,),
    "documents that a map is replayed over": (
        "tests/http/test_maps.py::test_a_replay_compares_a_candidate_over_stored_documents",
    ),
    "name of a key": (
        "tests/unit/domain/test_bounds.py::test_a_key_is_issued_at_its_limits_and_refused_above",
    ),
    "life of a key that expires": (
        "tests/unit/domain/test_bounds.py::test_a_key_is_issued_at_its_limits_and_refused_above",
    ),
    "overlap of a rotated key or address": (
        "tests/contract/test_api_keys.py::test_rotation_leaves_the_old_key_a_grace_and_copies_its",
        "tests/contract/test_api_keys.py::test_an_overlap_outside_seven_days_is_refused",
        "tests/contract/test_partner_changes.py::test_an_overlap_has_at_most_a_week",
    ),
    "retention of an account": (
        "tests/http/test_account.py::test_an_owner_sets_and_ends_retention",
        "tests/http/test_account.py::test_what_cannot_be_is_refused_and_changes_nothing",
    ),
    "a filter of transactions": (
        "tests/unit/domain/transactions/test_query.py::test_a_filter_that_means_nothing_is_refused",
    ),
    "lists as files of an account": (
        "tests/http/test_session_limits.py::test_an_account_has_two_files_made_at_a_time_whoever",
    ),
    "entries of the audit log that one call reads": (
        "tests/contract/test_audit_service.py::test_a_rare_entry_is_found_over_several_pages",
    ),
    "sets and reasons that figures name": (
        "tests/unit/domain/overview/test_figures.py::test_the_most_frequent_reasons_are_told",
    ),
    "things that need attention": (
        "tests/unit/domain/overview/test_attention.py::test_of_what_is_too_much_the_newest_is_told",
    ),
    "entries of a page of a list": (
        "tests/http/test_transactions.py::test_a_limit_above_the_largest_counts_as_that_and_is",
    ),
    "body of a login": ("tests/http/test_login.py::test_a_stranger_cannot_send_a_large_body",),
    "a password": (
        "tests/unit/domain/test_user_rules.py::test_a_password_too_short_or_too_long_is_told_which",
        "tests/unit/domain/test_user_rules.py::test_a_password_of_any_characters_is_taken",
    ),
    "failed logins of a user and client": (
        "tests/unit/domain/test_login_throttle.py::test_five_failures_of_a_pair_are_taken_and_a",
        "tests/http/test_login.py::test_the_sixth_failure_from_one_address_has_to_wait_and_is_over",
    ),
    "failed logins of a client": (
        "tests/unit/domain/test_login_throttle.py::test_a_client_may_fail_twenty_times_whoever",
    ),
    "passwords checked": (
        "tests/http/test_login_costs.py::test_two_hashes_run_twenty_wait_and_the_next_is_sent_away",
    ),
    "time until a submitted or received document is stored": (
        (
            "tests/http/test_submit.py::"
            "test_a_submit_that_would_wait_too_long_is_refused_before_anything_is_read"
        ),
    ),
    "requests of a session": (
        (
            "tests/http/test_session_limits.py::"
            "test_a_session_and_an_inbound_address_ask_so_often_and_no_more_each_for_itself"
        ),
    ),
    "requests to an inbound address that exists": (
        "tests/http/test_receive.py::test_an_address_that_exists_is_asked_so_often_and_no_more",
    ),
    "users of an account": ("tests/contract/test_users.py::test_an_account_is_full_at_its_limit",),
    "time for headers": ("tests/http/test_deadlines.py::test_headers_that_trickle_time_out",),
    "time for a body": (
        "tests/http/test_deadlines.py::test_a_body_that_stops_arriving_times_out",
        "tests/http/test_deadlines.py::test_the_time_a_body_earns_is_bounded",
    ),
    "time without a request": (
        "tests/http/test_deadlines.py::test_an_idle_connection_is_closed_without_a_word",
    ),
    "time without taking any of an answer": (
        "tests/http/test_deadlines.py::test_a_client_that_takes_nothing_of_its_answer_is_cut_off",
    ),
}


def untested(page: str, tested: dict[str, tuple[str, ...]]) -> list[str]:
    """Name the rows of a page without a test, and what names no row or no test."""
    rows = re.findall(r"^\| (.*?) \|", page, re.MULTILINE)[1:]
    faults = [*(set(rows) - set(tested)), *(set(tested) - set(rows))]
    for named in (name for names in tested.values() for name in names):
        path, _, test = named.partition("::")
        if not re.search(rf"^(?:async )?def {test}\w*\(", (ROOT / path).read_text(), re.MULTILINE):
            faults.append(named)
    return faults


def test_every_limit_of_the_page_is_tested() -> None:
    assert untested(limits_page(), TESTED) == []


def test_a_limit_without_a_test_would_be_noticed() -> None:
    one_more = limits_page() + "| something new | 7 | 400 |\n"
    assert untested(one_more, TESTED) == ["something new"]
    lost = {**TESTED, "request body": ("tests/http/test_server.py::test_that_is_gone",)}
    assert untested(limits_page(), lost) == ["tests/http/test_server.py::test_that_is_gone"]


def a_segment(size: int) -> str:
    return "ST*850*0001~" + "N1*" + "x" * (size - 3) + "~SE*3*0001~"


def json_of_depth(depth: int) -> str:
    return "[" * depth + "1" + "]" * depth


def xml_of_depth(depth: int) -> str:
    return "<a>" * depth + "x" + "</a>" * depth


def json_of_fields(count: int) -> str:
    return "[" + ",".join("1" * count) + "]"


def csv_of_fields(count: int) -> str:
    return "a,b,c,d\n" + "1,2,3,4\n" * (count // 4) + ",".join("1" * (count % 4))


def xml_of_fields(count: int) -> str:
    return f"<o>{'<a>1</a>' * count}</o>"


def json_of_nodes(count: int) -> str:
    """Return an array of chains of arrays, so that few of them are empty and none is too deep."""
    chains, rest = divmod(count - 1, 60)
    lengths = [60] * chains + [rest] * (rest > 0)
    return "[" + ",".join("[" * length + "]" * length for length in lengths) + "]"


def xml_of_nodes(count: int) -> str:
    return f"<a>{'<b/>' * (count - 1)}</a>"


def csv_of_rows(count: int) -> str:
    return ",\n" * (count + 1)  # the first row names the columns


def xml_of_namespace(chars: int) -> str:
    return f'<o xmlns="{"u" * chars}">x</o>'


CASES = [
    ("X12 segment", "x12", a_segment, MAX_SEGMENT_CHARS, "segment_too_long"),
    ("JSON depth", "json", json_of_depth, MAX_DEPTH, "limit_exceeded"),
    ("XML depth", "xml", xml_of_depth, MAX_DEPTH, "limit_exceeded"),
    ("JSON fields", "json", json_of_fields, MAX_FIELDS, "limit_exceeded"),
    ("CSV fields", "csv", csv_of_fields, MAX_FIELDS, "limit_exceeded"),
    ("XML fields", "xml", xml_of_fields, MAX_FIELDS, "limit_exceeded"),
    ("JSON containers", "json", json_of_nodes, MAX_NODES, "limit_exceeded"),
    ("XML elements", "xml", xml_of_nodes, MAX_NODES, "limit_exceeded"),
    ("CSV rows", "csv", csv_of_rows, MAX_NODES, "limit_exceeded"),
    ("XML namespace", "xml", xml_of_namespace, MAX_NAMESPACE_CHARS, "limit_exceeded"),
]


@pytest.mark.parametrize(("_case", "format_", "document", "limit", "code"), CASES)
def test_a_document_at_the_limit_is_read_and_one_above_is_refused(
    world: World, keys: Keys, _case: str, format_: str, document: object, limit: int, code: str
) -> None:
    assert callable(document)
    services = world.services(RecordedEngine(), parse_result=parse_result, max_body_bytes=1 << 25)
    with calling(create_app(services)) as client:
        at, above = (
            client.post(
                PARSE.path,
                headers=bearer(keys.sandbox),
                json={"document": document(size), "format": format_},
            )
            for size in (limit, limit + 1)
        )
    assert at.status_code == 200, at.text[:300]
    assert (above.status_code, above.json()["code"]) == (400, code)


@pytest.mark.parametrize("member", ["elem_sep", "seg_term", "guide"])
def test_a_text_member_at_the_limit_is_taken_and_one_above_is_refused(
    world: World, keys: Keys, engine: RecordedEngine, member: str
) -> None:
    with calling(create_app(world.services(engine))) as client:
        at, above = (
            client.post(
                PARSE.path,
                headers=bearer(keys.sandbox),
                content=json.dumps({"document": "d", member: "x" * size}),
            )
            for size in (MAX_TEXT_CHARS, MAX_TEXT_CHARS + 1)
        )
    assert (at.status_code, above.status_code) == (200, 400)
    assert above.json()["details"][0]["param"] == member
    assert len(engine.calls) == 1


NAME = "n" * 20_000
ROOM = 25_000


def json_of_output(count: int, value_chars: int) -> str:
    """Return a document of a size that does not depend on the length of its second value."""
    ones = ",".join("1" * count)
    blanks = " " * (ROOM - value_chars)
    return f'{{"{NAME}":[{ones}],"v":"{"x" * value_chars}"{blanks}}}'


def budget_of(document: str) -> int:
    return OUTPUT_PER_INPUT * len(document) + OUTPUT_ALLOWANCE_BYTES


def output_of(count: int) -> int:
    """Return what the fields take when the second value is empty, a separator after each."""
    names = (f'"{NAME}[{at}]":"1",' for at in range(count))
    return sum(map(len, names)) + len('"v":"",')


def test_a_result_at_the_limit_is_given_and_one_byte_above_is_refused(
    world: World, keys: Keys
) -> None:
    count = 1
    while budget_of(json_of_output(count, 0)) - output_of(count) > ROOM:
        count += 1
    missing = budget_of(json_of_output(count, 0)) - output_of(count)
    at, above = (
        parsed(world, keys, {"document": json_of_output(count, missing + more), "format": "json"})
        for more in (0, 1)
    )
    assert (at[0], at[1]["field_count"]) == (200, count + 1)
    detail = above[1]["details"][0]
    assert (above[0], detail["limit"]) == (400, "output_bytes")
    assert detail["max"] == budget_of(json_of_output(count, 0))


def test_no_result_is_larger_than_the_largest(world: World, keys: Keys) -> None:
    """Four times the largest document, where 40 times the document would be more."""
    blanks = " " * 4_000_000
    refused = parsed(
        world,
        keys,
        {"document": json.dumps({"n" * 1_000_000: [1] * 140}) + blanks, "format": "json"},
    )
    detail = refused[1]["details"][0]
    assert (refused[0], detail["limit"], detail["max"]) == (400, "output_bytes", 134_217_728)


def parsed(world: World, keys: Keys, body: dict[str, object]) -> tuple[int, dict[str, Any]]:
    services = world.services(RecordedEngine(), parse_result=parse_result, max_body_bytes=1 << 25)
    with calling(create_app(services)) as client:
        answer = client.post(PARSE.path, headers=bearer(keys.sandbox), json=body)
    return answer.status_code, answer.json()


def x12_of_short_segments(count: int) -> str:
    """Return a document whose tree is the longest for its size that we know of."""
    return "ST*850*1~" + "N~" * count


def test_views_of_x12_are_given_up_to_their_limit_and_refused_above(
    world: World, keys: Keys
) -> None:
    """Where it turns depends on what a tree is made of; that it turns once, and there, does not."""

    def is_given(count: int) -> bool:
        try:
            parse_result(x12_of_short_segments(count), include=["segments", "tree"])
        except LongshoreError:
            return False
        return True

    most, too_many = 1, 20_000
    while too_many - most > 1:
        middle = (most + too_many) // 2
        most, too_many = (middle, too_many) if is_given(middle) else (most, middle)
    at, above = (
        parsed(
            world,
            keys,
            {"document": x12_of_short_segments(count), "include": ["segments", "tree"]},
        )
        for count in (most, too_many)
    )
    assert (at[0], at[1]["segment_count"]) == (200, most + 1)
    detail = above[1]["details"][0]
    assert (above[0], above[1]["code"], detail["limit"]) == (400, "limit_exceeded", "output_bytes")
    assert detail["max"] == budget_of(x12_of_short_segments(too_many))


def test_findings_at_the_limit_are_listed_and_one_above_is_counted(
    world: World, keys: Keys
) -> None:
    """The first warning is that there is no envelope; each of the segments gives one more."""
    at, above = (
        parsed(world, keys, {"document": "ST*850*0001~" + "ref*1~" * count})[1]["warnings"]
        for count in (MAX_FINDINGS - 1, MAX_FINDINGS)
    )
    listed = ["no_envelope", *["lowercase_segment_id"] * (MAX_FINDINGS - 1)]
    assert [each["code"] for each in at] == listed
    assert [each["code"] for each in above] == [*listed, "findings_truncated"]


@pytest.mark.parametrize("more", [0, 1])
def test_errors_are_cut_to_their_limits(more: int) -> None:
    detail = ErrorDetail(code="x", message="m" * (MAX_ERROR_CHARS + more))
    refusal = LongshoreError(
        ErrorCode.INVALID_PARAMETER,
        "e" * MAX_ERROR_CHARS + "f" * more,
        details=(detail,) * (MAX_DETAILS + more),
    )
    body = json.loads(refusal_answer(refusal, "req_1").body)
    assert (body["error"], len(body["details"])) == ("e" * MAX_ERROR_CHARS, MAX_DETAILS)
    assert len(body["details"][0]["message"]) == MAX_ERROR_CHARS
