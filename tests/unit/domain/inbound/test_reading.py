"""What is read of received bytes: their interchanges, each by itself."""

import pickle
from dataclasses import replace
from itertools import permutations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from longshore.domain.inbound.map_runs import set_documents
from longshore.domain.inbound.parser import (
    MAX_INTERCHANGES,
    MAX_SETS,
    ParsedInterchange,
    ParserOptions,
    Piece,
    UnreadablePiece,
    read_received,
)
from longshore.domain.partners.setting_kinds import Charset, CodeCheck
from longshore.domain.partners.settings import PartnerSettings
from longshore.engine import parse
from longshore.x12.acks.profile import AckType
from longshore.x12.acks.read import GroupAck, ReceivedTa1
from longshore.x12.dictionary.own_codes import CodeAction, CodeLists, CodeRow
from longshore.x12.findings import Severity
from tests.support.processing import case, case_text
from tests.unit.domain.trading import some_terms
from tests.unit.x12.documents import a_group, a_set, an_850, interchange, isa

TERMS = ParserOptions()
ONE, TWO = an_850("BEG*00*SA*PO-1**20240115"), an_850("BEG*00*SA*PO-2**20240115")


def numbers(pieces: tuple[Piece, ...]) -> list[str]:
    """Return ISA13 of each piece, or why it cannot be read."""
    return [
        each.received.summary.header[13] if isinstance(each, ParsedInterchange) else each.code
        for each in pieces
    ]


def contents(pieces: tuple[Piece, ...]) -> bytes:
    return b"".join(each.content for each in pieces)


def one(content: bytes | str, terms: ParserOptions = TERMS) -> ParsedInterchange:
    data = content.encode() if isinstance(content, str) else content
    (piece,) = read_received(data, terms)
    assert isinstance(piece, ParsedInterchange)
    return piece


@pytest.mark.parametrize("between", ["", "\n\n", "\x1a\r\n", "-- next --\n"])
def test_each_interchange_is_a_piece_and_no_character_is_lost(between: str) -> None:
    content = f"{ONE}{between}{TWO}{between}".encode()
    pieces = read_received(content, TERMS)
    assert (numbers(pieces), contents(pieces)) == (["000000101"] * 2, content)
    keys = [each.references[1][0].value for each in pieces if isinstance(each, ParsedInterchange)]
    assert keys == ["PO-1", "PO-2"]


@pytest.mark.parametrize("charset", ["utf-8-sig", "iso-8859-1", "utf-16"])
def test_a_piece_is_in_the_encoding_that_it_came_in(charset: str) -> None:
    text = ONE.replace("PO-1", "PÖ-1") + TWO
    pieces = read_received(text.encode(charset), TERMS)
    assert numbers(pieces) == ["000000101"] * 2
    assert [parse(each.content).fields["BEG.03"] for each in pieces] == ["PÖ-1", "PO-2"]


def test_utf_16_of_the_other_order_is_read_alike() -> None:
    content = b"\xfe\xff" + (ONE + TWO).encode("utf-16-be")
    pieces = read_received(content, TERMS)
    assert [parse(each.content).fields["BEG.03"] for each in pieces] == ["PO-1", "PO-2"]


def test_of_mixed_encodings_each_interchange_reads_as_it_does_alone() -> None:
    utf_8, latin_1 = (
        each.replace("PO-", "PÖ-").encode(charset)
        for each, charset in ((ONE, "utf-8"), (TWO, "iso-8859-1"))
    )
    pieces = read_received(utf_8 + latin_1, TERMS)
    assert (pieces, contents(pieces)) == ((one(utf_8), one(latin_1)), utf_8 + latin_1)
    assert [each.references[1][0].value for each in map(one, (utf_8, latin_1))] == ["PÖ-1", "PÖ-2"]


SECTION = ONE.replace("000000101", "000000202").replace("*", "§").encode()
PLAIN = ONE.replace("000000101", "000000201").encode()
ACCENT = ONE.replace("000000101", "000000203").replace("PO-1", "Café").encode("iso-8859-1")


@pytest.mark.parametrize("order", [*permutations((SECTION, PLAIN, ACCENT)), (SECTION, ACCENT)])
def test_separators_in_another_encoding_hide_no_interchange(order: tuple[bytes, ...]) -> None:
    pieces = read_received(b"".join(order), TERMS)
    assert pieces == tuple(map(one, order))


@given(
    st.lists(
        st.builds(
            lambda marks, name, charset: (
                ONE.translate(str.maketrans("*>~", marks)).replace("PO-1", name).encode(charset)
            ),
            st.sampled_from(["*>~", "§>~", "*§~", "*>§", "§¶÷", "\xd7§~", "*\xd7§", "*>\x85"]),
            st.sampled_from(["PO-1", "Ö", "Ã\xd7", "é¶"]),
            st.sampled_from(["utf-8", "iso-8859-1"]),
        ),
        min_size=1,
        max_size=4,
    )
)
def test_of_any_mixture_each_interchange_reads_as_it_does_alone(documents: list[bytes]) -> None:
    content = b"".join(documents)
    pieces = read_received(content, TERMS)
    assert (contents(pieces), pieces) == (content, tuple(map(one, documents)))


def test_binary_data_beside_another_encoding_is_no_end_of_an_interchange() -> None:
    binary = ONE.replace("SE*3*", "BIN*9*~ISA\xff§~ \x80~SE*4*").encode("iso-8859-1")
    pieces = read_received(SECTION + binary + PLAIN, TERMS)
    assert [each.content for each in pieces] == [SECTION, binary, PLAIN]


def test_digests_are_of_the_bytes_whatever_they_are_read_as() -> None:
    alone = ONE.replace("PO-1", "PÖ-1").encode()
    among = one(alone + b"\xff")
    assert (one(alone).charset, among.charset) == ("utf-8", "iso-8859-1")
    assert (among.digest, among.set_digests) == (one(alone).digest, one(alone).set_digests)
    assert one(ONE.replace("PO-1", "PÖ-1").encode("latin-1")).digest != among.digest


def test_a_wrapped_document_is_read_without_its_line_breaks() -> None:
    text = ONE + TWO
    lines = [text[at : at + 80] for at in range(0, len(text), 80)]
    pieces = read_received("\r\n".join(lines).encode(), TERMS)
    assert (numbers(pieces), contents(pieces)) == (["000000101"] * 2, text.encode())


def test_what_stands_before_a_wrapped_document_is_kept() -> None:
    text = ONE + TWO
    lines = [text[at : at + 80] for at in range(0, len(text), 80)]
    pieces = read_received(("\n \n" + "\r\n".join(lines)).encode(), TERMS)
    assert contents(pieces) == b"\n \n" + text.encode()


def test_an_interchange_that_cannot_be_read_is_a_piece_beside_the_others() -> None:
    broken = ONE.replace(">~GS", "A~GS", 1)
    content = f"{ONE}{broken}{TWO}".encode()
    pieces = read_received(content, TERMS)
    assert numbers(pieces) == ["000000101", "delimiter_invalid", "000000101"]
    assert contents(pieces) == content


@pytest.mark.parametrize(
    ("content", "code"),
    [
        (b"", "document_empty"),
        (b'{"a": 1}', "document_not_x12"),
        (b"ISAISAISA", "delimiter_invalid"),
        (b"ISA*ISA*ISA", "isa_too_short"),
        (b"ST*850*0001~BEG*00*SA*ISA-ISA~SE*3*0001~", "no_envelope"),
        (isa().encode() + b"~" + b"ISA" * 400_000, "segment_too_long"),
        (ONE.encode() * (MAX_INTERCHANGES + 1), "limit_exceeded"),
        (
            ONE.replace("BEG", "SE*2*0001~ST*850*0002~" * MAX_SETS + "BEG").encode(),
            "limit_exceeded",
        ),
    ],
    ids=[
        *("nothing", "JSON", "three ids", "cut short", "no ISA", "long"),
        *("interchanges", "transaction sets"),
    ],
)
def test_what_is_no_interchange_says_why(content: bytes, code: str) -> None:
    (piece,) = read_received(content, TERMS)
    assert isinstance(piece, UnreadablePiece)
    assert (piece.content, piece.code) == (content, code)


@given(st.binary(max_size=400) | st.text(max_size=300).map(lambda text: (ONE + text).encode()))
def test_any_bytes_have_pieces_and_none_is_lost(content: bytes) -> None:
    pieces = read_received(content, TERMS)
    assert pieces
    assert len(pieces) > 1 or pieces[0].content == content
    assert all(read_received(each.content, TERMS) == (each,) for each in pieces)


def test_as_many_interchanges_as_are_taken_are_read() -> None:
    pieces = read_received(ONE.encode() * 100, TERMS)
    assert numbers(pieces) == ["000000101"] * 100


def test_what_is_read_can_be_handed_over() -> None:
    for number in (1, 14, 25, 32, 33, 40):
        pieces = read_received(case(number), TERMS)
        assert pickle.loads(pickle.dumps(pieces)) == pieces


# ---- acknowledgements ----------------------------------------------------------------------------


def test_a_997_is_read_with_the_codes_of_its_group() -> None:
    (said,) = one(case(32)).acks
    assert isinstance(said.ack, GroupAck)
    assert (said.ack.functional_id, said.ack.control_number, said.ack.status) == ("PO", "55", "P")
    assert (said.gs_sender, said.gs_receiver) == ("ACMERETAIL", "0614141SUPPLIER")


def test_copies_of_an_acknowledgement_have_one_digest() -> None:
    (said,) = one(case(32)).acks
    (copy,) = one(case_text(32, ("ST*997*0001", "ST*997*0007"), ("*0001~\nGE", "*0007~\nGE"))).acks
    assert copy.digest == said.digest


def test_a_ta1_is_read_where_it_stands() -> None:
    (said,) = one(case(31)).acks
    assert isinstance(said.ack, ReceivedTa1)
    assert (said.ack.control_number, said.ack.status) == ("000000077", "A")


def test_an_acknowledgement_that_is_cut_short_says_nothing() -> None:
    read = one(case(32).split(b"SE*")[0])
    assert read.acks == ()
    assert "023" in read.received.summary.codes


def test_a_997_outside_its_functional_group_is_none() -> None:
    body = a_set("AK1*PO*1", "AK9*A*1*1*1", set_id="997")
    assert one(interchange(*a_group(*body), "IEA*1*000000101")).acks == ()


def test_41_what_is_odd_about_an_acknowledgement_is_told_of_its_document() -> None:
    read = one(case_text(32, ("AK5*A~", "AK5*Q~"), ("AK9*P*2*2*1", "AK9*P*2*2*3")))
    found = [(each.code, each.tx_index, each.segment_position) for each in read.findings]
    assert found == [("ack_code_unknown", 1, 4), ("ack_counts", 1, 9)]
    assert read.finding_count == 2
    lenient = ParserOptions(leniency={"ack_counts": Severity.ERROR})
    assert [each.severity for each in one(read.content, lenient).findings] == ["warning", "error"]


def test_of_very_odd_acknowledgements_all_is_counted_and_the_first_is_listed() -> None:
    read = one(case_text(32, ("AK2*850*0001~", "AK2*850*0001~" + "AK3*PO1*1**Q~" * 1_001)))
    assert (len(read.findings), read.is_truncated) == (1_000, True)
    assert read.finding_count > 1_001


# ---- terms ---------------------------------------------------------------------------------------


def test_codes_of_a_partner_are_accepted_if_its_settings_say_so() -> None:
    bad = case_text(1, ("BEG*00*SA", "BEG*00*Q1"))
    off = ParserOptions.of(some_terms(settings=PartnerSettings(codes=CodeCheck.OFF)))
    assert [{each.code for each in one(bad, terms).findings} for terms in (TERMS, off)] == [
        {"element_code_invalid"},
        set(),
    ]


def test_imported_codes_are_used_for_partners_whose_settings_say_so() -> None:
    lists = CodeLists([CodeRow("353", "00", action=CodeAction.REMOVE)])
    found = []
    for codes in CodeCheck:
        terms = ParserOptions.of(some_terms(settings=PartnerSettings(codes=codes)), lambda: lists)
        found.append([each.path for each in one(case_text(1), terms).findings])
    assert found == [[], ["BEG.01"], []]


def test_the_settings_of_a_partner_judge() -> None:
    basic = ParserOptions.of(some_terms(settings=PartnerSettings(charset=Charset.BASIC)))
    codes = [{each.code for each in one(case(35), terms).findings} for terms in (TERMS, basic)]
    assert codes[1] - codes[0] == {"element_character_invalid"}
    bad = case_text(1, ("DTM*002*20240201", "DTM*002*20240230"))
    lenient = PartnerSettings(leniency={"element_date_invalid": Severity.WARNING})
    assert one(bad, ParserOptions.of(some_terms(settings=lenient))).received.results[1].faults == {}


def test_what_surrounds_an_error_is_read_where_an_answer_names_it() -> None:
    bad = case(21).replace(b"~\nSE*", b"~\nCLM*A9**~\nSE*")
    assert one(bad).received.results[1].units
    silent = ParserOptions(has_contexts=False)
    assert not one(bad, silent).received.results[1].units
    agreed = replace(some_terms(), ack_type=AckType.NONE)
    assert [ParserOptions.of(each).has_contexts for each in (some_terms(), agreed)] == [True, False]


# ---- excerpts ------------------------------------------------------------------------------------


def test_a_set_is_an_interchange_of_its_own() -> None:
    documents = set_documents(case(14), frozenset({2}))
    assert [*documents] == [2]
    fields = parse(documents[2]).fields
    assert (fields["ISA.13"], fields["GS.06"], fields["ST.02"]) == ("000000101", "101", "0002")
    assert (fields["BEG.03"], fields["GE.01"], fields["IEA.01"]) == ("PO-4712", "1", "1")
    assert parse(documents[2]).errors == ()


def test_each_keeps_the_release_character_and_its_group() -> None:
    (document,) = set_documents(case(38), frozenset({1})).values()
    assert parse(document).fields["BEG.03"] == "PO*1"


def test_sets_of_several_groups_keep_theirs() -> None:
    body = ("BEG*00*SA*PO-1**20240115",)
    text = interchange(
        *a_group(*a_set(*body)), *a_group(*a_set(*body), number="8"), "IEA*2*000000101"
    )
    documents = set_documents(text.encode(), frozenset({1, 2}))
    assert [parse(each).fields["GS.06"] for each in documents.values()] == ["7", "8"]


DAMAGED = ONE.replace("ISA*", "ISB*", 1)
EDIFACT = "UNB+UNOC:3+1+2+260302:0915+77'UNZ+1+77'"


@pytest.mark.parametrize(
    ("content", "expected"),
    [
        (f"{ONE}{EDIFACT}", ["000000101", "document_not_x12"]),
        (f"{ONE}\n{DAMAGED}", ["000000101", "no_envelope"]),
        (f"\n{DAMAGED}{ONE}", ["no_envelope", "000000101"]),
        (f"{ONE}{ONE[ONE.index('GS*') :]}", ["000000101", "no_envelope"]),
        (
            f"{ONE}{DAMAGED}{TWO}{EDIFACT}\x1a",
            ["000000101", "no_envelope", "000000101", "document_not_x12"],
        ),
        (f"##HDR\n{ONE}##TRL\n", ["000000101"]),
    ],
)
def test_text_around_an_interchange_that_may_be_a_document_is_a_piece(
    content: str, expected: list[str]
) -> None:
    pieces = read_received(content.encode(), TERMS)
    assert (numbers(pieces), contents(pieces)) == (expected, content.encode())


def test_such_a_piece_keeps_the_octets_of_its_encoding() -> None:
    for content in (ONE.encode() + b"UNB+\xe9'", b"\xef\xbb\xbf" + f"UNB+é'{ONE}".encode()):
        pieces = read_received(content, TERMS)
        assert (len(pieces), contents(pieces)) == (2, content)
