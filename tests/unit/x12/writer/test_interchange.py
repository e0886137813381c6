"""Interchanges as they are written: canonical form, padding, counts, refusals."""

import pytest

from longshore.kit.errors import ErrorDetail, LongshoreError
from longshore.x12.delimiters import Delimiters
from longshore.x12.writer.headers import GroupHeader, InterchangeHeader
from longshore.x12.writer.interchange import InterchangeWriter
from longshore.x12.writer.segments import Segment
from tests.unit.x12.documents import codes

ISA = InterchangeHeader(
    sender=("ZZ", "US"),
    receiver=("14", "THEM"),
    date="260115",
    time="1405",
    version="00501",
    control_number="77",
    usage="P",
)
GS = GroupHeader(
    functional_id="PO",
    sender="US",
    receiver="THEM",
    date="20260115",
    time="1405",
    control_number="7",
    version="005010",
)
ISA_TEXT = (
    "ISA*00*          *00*          *ZZ*US             *14*THEM           "
    "*260115*1405*^*00501*000000077*0*P*:~"
)


def body_of(*segments: Segment, marks: Delimiters | None = None) -> str:
    """Return segments as they are written in a set."""
    writer = InterchangeWriter(marks) if marks else InterchangeWriter()
    for segment in segments:
        writer.add(segment)
    return writer.finish()


def refused(*segments: Segment, marks: Delimiters | None = None) -> tuple[str, ErrorDetail]:
    with pytest.raises(LongshoreError) as caught:
        body_of(*segments, marks=marks)
    (detail,) = caught.value.details
    return caught.value.code, detail


def test_trailers_count_and_repeat_the_numbers() -> None:
    writer = InterchangeWriter()
    writer.open_interchange(ISA)
    writer.open_group(GS)
    writer.open_set("850", "0001")
    writer.add(("BEG", "00", "SA", "PO-1"))
    writer.open_set("850", "0002", "REFERENCE")
    writer.open_group(GS)
    text = writer.finish()
    gs = "GS*PO*US*THEM*20260115*1405*7*X*005010~"
    assert text == (
        f"{ISA_TEXT}{gs}ST*850*0001~BEG*00*SA*PO-1~SE*3*0001~ST*850*0002*REFERENCE~SE*2*0002~"
        f"GE*2*7~{gs}GE*0*7~IEA*2*000000077~"
    )
    assert codes(text) == ["group_control_number_repeated"]


def test_interchanges_follow_each_other_and_their_own_segments_count_nowhere() -> None:
    writer = InterchangeWriter(line_break="\n")
    writer.open_interchange(ISA)
    writer.add(("TA1", "000000001", "260114", "1200", "A", "000"))
    writer.open_interchange(ISA)
    assert writer.finish() == (
        f"{ISA_TEXT}\nTA1*000000001*260114*1200*A*000~\nIEA*0*000000077~\n"
        f"{ISA_TEXT}\nIEA*0*000000077~\n"
    )


def test_nothing_open_is_nothing_written() -> None:
    assert InterchangeWriter().finish() == ""


def test_a_group_or_a_set_can_stand_alone() -> None:
    writer = InterchangeWriter()
    writer.open_set("850", "0001")
    assert writer.finish() == "ST*850*0001~SE*2*0001~"
    writer = InterchangeWriter()
    writer.open_group(GS)
    assert writer.finish().endswith("*005010~GE*0*7~")


@pytest.mark.parametrize(
    ("segment", "text"),
    [
        (("BEG", "00", "SA", "", "", ""), "BEG*00*SA~"),
        (("LE", ""), "LE~"),
        (("LE",), "LE~"),
        (("BEG", "", "SA"), "BEG**SA~"),
        (("SV1", ("HC", "99213", "", "")), "SV1*HC:99213~"),
        (("SV1", ("", "B")), "SV1*:B~"),
        (("SV1", ("", "")), "SV1~"),
        (("HI", [("ABK", "A1"), ("ABF", "B2"), ""]), "HI*ABK:A1^ABF:B2~"),
        (("HI", ["A", "", "C"], "x"), "HI*A^^C*x~"),
        (("HI", []), "HI~"),
        (("PO1", " x ", "é"), "PO1* x *é~"),
    ],
)
def test_a_segment_has_one_form(segment: Segment, text: str) -> None:
    assert body_of(segment) == text


@pytest.mark.parametrize(
    ("segment", "param"),
    [
        (("BEG", "00", "A*B"), "BEG.02"),
        (("BEG", "00", "A~B"), "BEG.02"),
        (("MSG", "10:30"), "MSG.01"),
        (("HI", ["A", "B^C"]), "HI.01"),
        (("SV1", ("HC", "A:B")), "SV1.01"),
        (("BE*", "1"), "segment"),
    ],
)
def test_a_value_that_holds_a_separator_is_refused(segment: Segment, param: str) -> None:
    code, detail = refused(segment)
    assert (code, detail.code, detail.param) == ("delimiter_in_data", "delimiter_in_data", param)
    assert not {"A*B", "A~B", "10:30"} & set(detail.message.split())


@pytest.mark.parametrize("terminator", ["\n", "\r\n"])
@pytest.mark.parametrize("mark", ["\n", "\r"])
def test_where_a_line_ends_a_segment_no_value_has_a_line_break(terminator: str, mark: str) -> None:
    marks = Delimiters("*", terminator, ":", "^")
    assert refused(("MSG", f"a{mark}b"), marks=marks)[0] == "delimiter_in_data"
    assert body_of(("MSG", "a~b"), marks=marks) == f"MSG*a~b{terminator}"
    assert body_of(("MSG", f"a{mark}b")) == f"MSG*a{mark}b~"


def test_what_repeats_is_refused_where_nothing_can() -> None:
    marks = Delimiters("*", "~", ":")
    code, detail = refused(("HI", ["A", "B"]), marks=marks)
    assert (code, detail.param) == ("invalid_parameter", "HI.01")
    assert body_of(("HI", ["A^"]), ("HI", ["A", ""]), marks=marks) == "HI*A^~HI*A~"


def test_repetitions_come_with_the_version() -> None:
    writer = InterchangeWriter()
    header = InterchangeHeader(
        sender=ISA.sender, receiver=ISA.receiver, date=ISA.date, time=ISA.time,
        version="00401", control_number="000000001", usage="T", ack_requested="1",
    )  # fmt: skip
    writer.open_interchange(header)
    writer.add(("MSG", "a^b"))
    with pytest.raises(LongshoreError):
        writer.add(("HI", ["a", "b"]))
    text = writer.finish()
    assert text[82:106] == "U*00401*000000001*1*T*:~"
    assert "MSG*a^b~" in text


def test_an_interchange_after_one_of_an_early_version_has_its_repetitions_again() -> None:
    writer = InterchangeWriter(Delimiters("*", "~", ":", "^"))
    for version in ("00401", "00501"):
        writer.open_interchange(
            InterchangeHeader(
                sender=("ZZ", "ME"),
                receiver=("ZZ", "YOU"),
                date="260301",
                time="1200",
                version=version,
                control_number="1",
                usage="T",
            )
        )
        writer.add(["REF", "A" if version == "00401" else ["A", "B"]])

    first, second = writer.finish().split("IEA*0*000000001~")[:2]

    assert first.endswith("*U*00401*000000001*0*T*:~REF*A~")
    assert second.endswith("*^*00501*000000001*0*T*:~REF*A^B~")


@pytest.mark.parametrize(
    ("sender", "param", "code"),
    [
        (("ZZ", "S" * 16), "ISA.06", "invalid_parameter"),
        (("ZZZ", "S"), "ISA.05", "invalid_parameter"),
        (("ZZ", "A*B"), "ISA.06", "delimiter_in_data"),
    ],
)
def test_an_isa_keeps_its_widths(sender: tuple[str, str], param: str, code: str) -> None:
    header = InterchangeHeader(
        sender=sender, receiver=ISA.receiver, date=ISA.date, time=ISA.time, version="00501",
        control_number="1", usage="T",
    )  # fmt: skip
    with pytest.raises(LongshoreError) as caught:
        InterchangeWriter().open_interchange(header)
    assert (caught.value.code, caught.value.details[0].param) == (code, param)


def test_with_a_release_character_separators_are_data() -> None:
    writer = InterchangeWriter(Delimiters("*", "~", ":", "^", "?"))
    writer.open_interchange(ISA)
    writer.add(("MSG", "a*b?c~d"))
    assert writer.finish() == f"{ISA_TEXT}ISX*?~MSG*a?*b??c?~d~IEA*0*000000077~"


@pytest.mark.parametrize(
    ("segment", "is_single_octet", "text"),
    [
        (("BIN", "99", "A~B*C:\nD~"), False, "BIN*9*A~B*C:\nD~~"),
        (("BIN", "", "é"), False, "BIN*2*é~"),
        (("BIN", "", "é"), True, "BIN*1*é~"),
        (("BDS", "ASC", "", "~"), False, "BDS*ASC*1*~~"),
        (("BIN", "", ""), False, "BIN*0*~"),
        (("BIN", "3"), False, "BIN*3~"),
        (("BDS", "ASC", "3"), False, "BDS*ASC*3~"),
    ],
)
def test_binary_data_is_written_as_it_is_with_its_length(
    *, segment: Segment, is_single_octet: bool, text: str
) -> None:
    writer = InterchangeWriter(is_single_octet=is_single_octet)
    writer.add(segment)
    assert writer.finish() == text
