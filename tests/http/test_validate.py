"""POST /api/v1/validate: what is found, the acknowledgement, and what is refused."""

import json
from collections.abc import Callable, Iterator
from contextlib import closing
from dataclasses import replace
from typing import Any, ParamSpec, TypeVar

import pytest

from longshore.compute.documents import parse_result, validate_result
from longshore.compute.inline import InlineCompute
from longshore.engine import read_code_lists
from longshore.http.api_v1.execution import MAX_INLINE_VALIDATION_CHARS
from longshore.http.app import create_app
from longshore.kit.errors import LongshoreError
from tests.support.client import ApiClient, calling
from tests.support.http_service import Keys, RecordedEngine, World, bearer
from tests.support.users import session_headers
from tests.unit.x12.documents import an_850

P = ParamSpec("P")
T = TypeVar("T")

VALIDATE = "/api/v1/validate"
PARSE = "/api/v1/parse"
BEG = "BEG*00*SA*PO-1**20260115"
VALID = an_850(BEG, "PO1*1*2*EA*3.50")
MEMBERS = [
    "outcome", "valid", "tx_set", "version", "definition", "own_definition", "guide",
    "named_guide", "snip_level", "codes_checked", "codes", "sets", "findings", "set_count",
    "sets_truncated", "finding_count", "truncated", "ack_withheld", "ack_truncated",
    "ack_type", "ack",
]  # fmt: skip


@pytest.fixture
def real(world: World) -> Iterator[ApiClient]:
    services = world.services(RecordedEngine(), parse_result=parse_result)
    with calling(create_app(services)) as client:
        yield client


def answered(client: ApiClient, keys: Keys, **members: object) -> dict[str, Any]:
    response = client.post(VALIDATE, json=members, headers=bearer(keys.sandbox))
    assert response.status_code == 200, response.text
    answer: dict[str, Any] = response.json()
    return answer


def test_an_anonymous_document_is_not_judged(client: ApiClient) -> None:
    response = client.post(VALIDATE, json={"document": VALID})
    assert (response.status_code, response.json()["code"]) == (401, "missing_api_key")


def test_a_neighbour_gets_the_environment_of_its_own_key(client: ApiClient, keys: Keys) -> None:
    answers = [
        client.post(VALIDATE, json={"document": VALID}, headers=bearer(key)).json()["environment"]
        for key in (keys.production, keys.neighbour)
    ]
    assert answers == ["production", "sandbox"]


def test_a_key_without_scope_read_is_refused(client: ApiClient, keys: Keys) -> None:
    response = client.post(VALIDATE, json={"document": VALID}, headers=bearer(keys.submit_only))
    assert (response.status_code, response.json()["code"]) == (403, "insufficient_scope")


def test_the_engines_bytes_stand_in_the_envelope(client: ApiClient, keys: Keys) -> None:
    response = client.post(VALIDATE, json={"document": VALID}, headers=bearer(keys.sandbox))
    assert response.content == (
        b'{"ok":true,' + validate_result(VALID)[1:-1] + b',"environment":"sandbox"}'
    )
    assert list(response.json()) == ["ok", *MEMBERS, "environment"]


def test_a_valid_document_is_valid_and_acknowledged(client: ApiClient, keys: Keys) -> None:
    answer = answered(client, keys, document=VALID)
    assert (answer["valid"], answer["findings"], answer["finding_count"]) == (True, [], 0)
    assert (answer["tx_set"], answer["version"], answer["guide"]) == ("850", "004010", None)
    assert (answer["definition"], answer["snip_level"]) == ("exact", 1)
    assert answer["ack_type"] == "997"
    assert "~AK5*A~AK9*A*1*1*1~" in answer["ack"]


def test_an_answer_of_the_application_is_made_if_it_is_asked_for(
    client: ApiClient, keys: Keys
) -> None:
    advice = answered(client, keys, document=VALID, ack_type="824")
    assert (advice["ack_type"], "~OTI*TA*TN*PO-1*" in advice["ack"]) == ("824", True)
    claims = answered(client, keys, document=VALID, ack_type="277CA")
    assert (claims["ack_type"], claims["ack"], claims["ack_truncated"]) == ("", "", False)
    refused = client.post(
        VALIDATE, json={"document": VALID, "ack_type": "855"}, headers=bearer(keys.sandbox)
    )
    detail = refused.json()["details"][0]
    assert (refused.status_code, detail["param"]) == (400, "ack_type")
    assert sorted(detail["allowed"]) == ["277CA", "824", "997", "999", "TA1", "auto"]


def test_an_invalid_document_is_an_answer_and_not_an_error(client: ApiClient, keys: Keys) -> None:
    document = an_850(BEG, "PO1*1*2*EA*3.50*XXX")
    answer = answered(client, keys, document=document)
    (finding,) = answer["findings"]
    assert (answer["ok"], answer["valid"], answer["finding_count"]) == (True, False, 1)
    assert (finding["code"], finding["path"]) == ("element_too_long", "PO1.05")
    assert finding["ack_code"] == {"segment": "8", "element": "5"}
    assert finding["offset"] == document.index("XXX")
    assert "AK3*PO1*3**8~AK4*5*639*5*XXX~AK5*R*5~AK9*R*1*1*0~" in answer["ack"]


@pytest.mark.parametrize(
    ("_case", "members", "definition", "codes"),
    [
        ("a release", {"release": "005010"}, "exact", []),
        ("a release between", {"release": "004030"}, "nearest", ["nearest_definition"]),
        ("a guide that is not there", {"guide": "005010X999"}, "standard", ["guide_unknown"]),
        ("nulls", dict.fromkeys(("release", "guide", "include", "csv", "format")), "exact", []),
        ("members of parse", {"include": ["tree"], "csv": {"header": False}}, "exact", []),
        ("empty members", {"elem_sep": "", "seg_term": "", "guide": ""}, "exact", []),
    ],
)
def test_what_was_chosen_reaches_the_engine(
    client: ApiClient,
    keys: Keys,
    _case: str,
    members: dict[str, Any],
    definition: str,
    codes: list[str],
) -> None:
    answer = answered(client, keys, document=VALID, **members)
    is_valid = None if definition == "standard" else True
    assert (answer["valid"], answer["definition"]) == (is_valid, definition)
    assert [each["code"] for each in answer["findings"]] == codes


def test_separators_reach_the_engine(client: ApiClient, keys: Keys) -> None:
    fragment = "ST+850+0001|BEG+00+SA+PO-1++20260115|PO1+1|SE+4+0001|"
    answer = answered(client, keys, document=fragment, elem_sep="+", seg_term="|", release="004010")
    assert (answer["valid"], answer["tx_set"], answer["definition"]) == (True, "850", "exact")
    assert (answer["ack_type"], answer["ack"]) == ("", "")


@pytest.mark.parametrize(
    ("_case", "members", "code", "param"),
    [
        ("another format", {"format": "csv"}, "unsupported_format", "format"),
        ("no format at all", {"format": "edifact"}, "unsupported_format", "format"),
        ("a short release", {"release": "4010"}, "invalid_parameter", "release"),
        ("letters for a release", {"release": "00401x"}, "invalid_parameter", "release"),
        ("a number as guide", {"guide": 5}, "invalid_parameter", "guide"),
        ("an unknown member", {"ack": "997"}, "unknown_parameter", "ack"),
        ("a bad separator", {"elem_sep": "A"}, "invalid_parameter", "elem_sep"),
        ("an unknown view", {"include": ["x"]}, "invalid_parameter", "include[0]"),
        ("a document of blanks", {"document": " "}, "document_empty", "document"),
        ("an empty document", {"document": ""}, "document_empty", "document"),
        ("prose", {"document": "Dear partner"}, "document_unparseable", "document"),
    ],
)
def test_what_cannot_be_judged_is_refused_by_its_parameter(
    client: ApiClient, keys: Keys, _case: str, members: dict[str, Any], code: str, param: str
) -> None:
    body = {"document": VALID, **members}
    response = client.post(VALIDATE, json=body, headers=bearer(keys.sandbox))
    assert (response.status_code, response.json()["code"]) == (400, code)
    assert response.json()["details"][0]["param"] == param


def test_the_only_format_is_named(client: ApiClient, keys: Keys) -> None:
    body = {"document": "a,b", "format": "csv"}
    response = client.post(VALIDATE, json=body, headers=bearer(keys.sandbox))
    assert response.json()["details"][0]["allowed"] == ["x12"]


class RecordedCompute(InlineCompute):
    """Remembers what was handed over."""

    def __init__(self) -> None:
        super().__init__(thread_count=1)
        self.sizes: list[int] = []

    async def submit_to_executor(
        self, function: Callable[P, T], /, *args: P.args, **kwargs: P.kwargs
    ) -> T:
        self.sizes += [len(each) for each in args if isinstance(each, str)]
        return await super().submit_to_executor(function, *args, **kwargs)


def test_only_a_very_short_document_is_judged_in_the_event_loop(world: World, keys: Keys) -> None:
    short, long = (an_850(BEG, *["N1*ST*X"] * count) for count in (200, 260))
    assert len(short) < MAX_INLINE_VALIDATION_CHARS < len(long)
    compute = RecordedCompute()
    services = world.services(RecordedEngine(), parse_result=parse_result)
    with closing(compute), calling(create_app(replace(services, compute=compute))) as client:
        for path, members in (
            (VALIDATE, {}),
            (PARSE, {"include": ["validation"]}),
            (PARSE, {"include": ["tree"]}),
        ):
            for document in (short, long):
                body = {"document": document, **members}
                client.post(path, json=body, headers=bearer(keys.sandbox))
    assert compute.sizes == [len(long), len(long)]


def test_parse_has_the_same_members_below_validation(real: ApiClient, keys: Keys) -> None:
    document = an_850(BEG, "QQQ*1")
    body = {"document": document, "include": ["validation", "tree"]}
    response = real.post(PARSE, json=body, headers=bearer(keys.sandbox))
    assert response.status_code == 200
    assert response.json()["validation"] == json.loads(validate_result(document))
    assert list(response.json())[-3:] == ["tree", "validation", "environment"]


@pytest.mark.parametrize(
    ("codes", "outcome"), [("standard", "valid"), ("partner", "invalid"), ("off", "valid")]
)
def test_codes_are_those_of_the_standard_of_the_operator_or_any(
    world: World, keys: Keys, codes: str, outcome: str
) -> None:
    own = read_code_lists("element,code,meaning,from,to,action\n355,EA,each,,,remove\n")
    services = world.services(RecordedEngine(), parse_result=parse_result)
    body, query = VALID.encode(), f"include=validation&codes={codes}"
    with calling(create_app(replace(services, code_lists=lambda: own))) as client:
        answer = answered(client, keys, document=VALID, codes=codes)
        headers = bearer(keys.sandbox) | {"Content-Type": "application/edi-x12"}
        raw = client.post(f"{VALIDATE}?codes={codes}", content=body, headers=headers)
        parsed = client.post(f"{PARSE}?{query}", content=body, headers=headers)
        page = session_headers(world.sessions.viewer)
        asked = {"document": VALID, "codes": codes}
        seen = client.post("/api/inspect", json=asked, headers=page).json()
    assert (answer["outcome"], answer["codes"]) == (outcome, codes)
    members = dict(list(answer.items())[1:-1])  # without ok and environment
    assert raw.json() == answer
    assert parsed.json()["validation"] == members
    assert {name: seen[name] for name in members} == members
    checked = answer["sets"][0]["codes_checked"]
    assert ("355" in checked["enforced"]) == (codes != "off")
    assert checked["own_codes"] == (["355"] if codes == "partner" else [])


def test_other_codes_are_refused(real: ApiClient, keys: Keys) -> None:
    response = real.post(
        VALIDATE, json={"document": VALID, "codes": "all"}, headers=bearer(keys.sandbox)
    )
    assert (response.status_code, response.json()["code"]) == (400, "invalid_parameter")
    with pytest.raises(LongshoreError, match=r"codes is one of standard, off\."):
        validate_result(VALID, codes="all")
