"""The flat fields, key by key."""

import pytest

from tests.unit.x12.documents import (
    Said,
    a_group,
    a_set,
    an_850,
    codes,
    fields_of,
    interchange,
    isa,
    said,
)

LATER = isa(e11="^", e12="00501", e16=":")


def body_of(*segments: str, head: str = "") -> dict[str, str]:
    """Return the fields of the segments, without those of the envelope."""
    envelope = ("ISA", "GS", "ST.", "ST[2].", "SE", "GE", "IEA")
    fields = fields_of(an_850(*segments, head=head))
    return {key: value for key, value in fields.items() if not key.startswith(envelope)}


def test_the_first_occurrence_keeps_the_bare_key() -> None:
    assert body_of("PO1*1", "N1*A", "PO1*2", "PO1*3") == {
        "PO1.01": "1", "N1.01": "A", "PO1[2].01": "2", "PO1[3].01": "3",
    }  # fmt: skip


def test_positions_have_two_digits_and_three_from_100_on() -> None:
    fields = body_of("ZZZ" + "*A" * 999)
    assert list(fields)[:1] + list(fields)[8:10] + list(fields)[98:100] == [
        "ZZZ.01", "ZZZ.09", "ZZZ.10", "ZZZ.99", "ZZZ.100",
    ]  # fmt: skip
    assert len(fields) == 999
    assert list(fields)[-1] == "ZZZ.999"


@pytest.mark.parametrize("extra", ["", '"'])
def test_elements_beyond_999_have_no_key_and_a_finding_says_so(extra: str) -> None:
    document = an_850("N1*X", "ZZZ" + "*A" * 1000 + extra)
    at = document.index("ZZZ")
    assert said(document) == [Said("position_out_of_range", 1, "ZZZ", 3, None, "ZZZ", at, 1)]
    assert "ZZZ.1000" not in fields_of(document)
    assert fields_of(document)["ZZZ.999"] == "A"


def test_components_beyond_999_have_no_key_and_a_finding_says_so() -> None:
    document = an_850("ZZZ*" + ">".join(map(str, range(1, 1002))))
    at = document.index("ZZZ")
    assert said(document) == [Said("position_out_of_range", 1, "ZZZ", 2, None, "ZZZ.01", at, 1)]
    assert fields_of(document)["ZZZ.01.999"] == "999"
    assert "ZZZ.01.1000" not in fields_of(document)


@pytest.mark.parametrize(
    ("segment", "fields"),
    [
        ("LE", {}),
        ("LE*", {}),
        ("N1***", {}),
        ("N1**B", {"N1.02": "B"}),
        ("N1*A**C", {"N1.01": "A", "N1.03": "C"}),
        ("N1*A**C**E*", {"N1.01": "A", "N1.03": "C", "N1.05": "E"}),
        ("N1* * A ", {"N1.01": " ", "N1.02": " A "}),
        ("PO1*000123*.5", {"PO1.01": "000123", "PO1.02": ".5"}),
        ("IT1" + "*A" * 14, {f"IT1.{at:02d}": "A" for at in range(1, 15)}),
        ("IT1*A" + "*" * 30 + "B", {"IT1.01": "A", "IT1.31": "B"}),
        ("N1*%s*%", {"N1.01": "%s", "N1.02": "%"}),
        ("N1*%(a)s**{0}", {"N1.01": "%(a)s", "N1.03": "{0}"}),
    ],
)
def test_values_are_verbatim_and_empty_elements_have_no_key(
    segment: str, fields: dict[str, str]
) -> None:
    assert body_of(segment) == fields


@pytest.mark.parametrize(
    "value",
    [
        '"',
        "\\",
        'a"b\\c',
        "\t",
        "\x01",
        "\x1f",
        "\x7f",
        "é",
        "日本語",
        "\U0001f6a2",
        "\u2028",
        "\\u0041",
    ],
    ids=repr,
)
@pytest.mark.parametrize("template", ["N1*{}", "N1**{}*X*", "N1*A*{}", "Ref*{}", "ZZZ*{}>B>{}"])
def test_every_character_survives(value: str, template: str) -> None:
    assert value in body_of(template.format(value, value)).values()


@pytest.mark.parametrize("value", ['"', "\\", "\x1e", "\x01", "é", "%s"])
def test_every_character_of_an_isa_survives(value: str) -> None:
    document = an_850(head=isa(e6=value, e11="^", e12="00501"))
    assert fields_of(document)["ISA.06"] == value
    repetition = an_850(head=isa(e11=value[:1], e12="00501"))
    assert fields_of(repetition)["ISA.11"] == value[:1]
    assert fields_of(an_850(head=isa(e16='"')))["ISA.16"] == '"'
    assert fields_of(an_850(head=isa(e16="\\")))["ISA.16"] == "\\"


def test_a_terminator_may_stand_in_an_isa_as_data() -> None:
    document = an_850(head=isa(e2="a\x1cb"), segment="\x1c")
    assert fields_of(document)["ISA.02"] == "a\x1cb"


@pytest.mark.parametrize(
    ("segment", "fields"),
    [
        ("SV1*HC:99213:25*1", {"SV1.01": "HC:99213:25", "SV1.01.01": "HC", "SV1.01.02": "99213",
                               "SV1.01.03": "25", "SV1.02": "1"}),
        ("SV1*HC", {"SV1.01": "HC"}),
        ("SV1*:99213:", {"SV1.01": ":99213:", "SV1.01.02": "99213"}),
        ("SV1*::", {"SV1.01": "::"}),
        ("SV1*1*2:3", {"SV1.01": "1", "SV1.02": "2:3"}),
        ("MSG*10:30", {"MSG.01": "10:30"}),
        ("N1*A:B", {"N1.01": "A:B"}),
        ("N1*1*2*3*4*5*6*A:B", {**{f"N1.{at:02d}": str(at) for at in range(1, 7)},
                                "N1.07": "A:B", "N1.07.01": "A", "N1.07.02": "B"}),
        ("ZZZ*A:B", {"ZZZ.01": "A:B", "ZZZ.01.01": "A", "ZZZ.01.02": "B"}),
        ("HI*ABK:A1^ABF:B2", {"HI.01": "ABK:A1", "HI.01.01": "ABK", "HI.01.02": "A1",
                              "HI.01[2]": "ABF:B2", "HI.01[2].01": "ABF", "HI.01[2].02": "B2"}),
        ("N1*A^B^^C", {"N1.01": "A", "N1.01[2]": "B", "N1.01[4]": "C"}),
        ("N1*^B", {"N1.01[2]": "B"}),
        ("N1*^^", {}),
        ("EB*1*^:", {"EB.01": "1", "EB.02[2]": ":"}),
        ("sv1*A:B", {"sv1.01": "A:B", "sv1.01.01": "A", "sv1.01.02": "B"}),
    ],
)  # fmt: skip
def test_repetitions_and_components_have_keys_of_their_own(
    segment: str, fields: dict[str, str]
) -> None:
    assert body_of(segment, head=LATER) == fields


def test_without_a_repetition_separator_nothing_repeats() -> None:
    assert body_of("N1*A^B", head=isa(e11="^")) == {"N1.01": "A^B"}
    assert body_of("N1*AUB", head=isa(e11="U", e12="00501")) == {"N1.01": "AUB"}


@pytest.mark.parametrize("head", [isa(), LATER])
def test_elements_of_the_isa_are_right_trimmed_and_never_split(head: str) -> None:
    fields = fields_of(an_850(head=head))
    assert [key for key in fields if key.startswith("ISA")] == [
        f"ISA.{at:02d}" for at in range(1, 17) if at not in {2, 4}
    ]
    assert (fields["ISA.06"], fields["ISA.16"]) == ("SENDER", head[104])
    assert fields_of(an_850(head=isa(e6=" A B")))["ISA.06"] == " A B"
    assert "ISA.04.01" not in fields_of(an_850(head=isa(e4="A>B")))


def test_sets_are_numbered_over_the_document_and_segments_within_them() -> None:
    first = interchange(*a_group(*a_set("N1*A", "N1*B")), "IEA*1*000000101")
    fields = fields_of(first + interchange(*a_group(*a_set("N1*C", "N1*D")), "IEA*1*000000101"))
    names = ("N1", "N1[2]", "ST[2]/N1", "ST[2]/N1[2]")
    assert [fields[f"{name}.01"] for name in names] == ["A", "B", "C", "D"]
    assert (fields["ISA[2].06"], fields["GS[2].06"], fields["ST[2].02"], fields["SE[2].01"]) == (
        "SENDER", "7", "0001", "4",
    )  # fmt: skip


def test_fields_stand_in_document_order_the_raw_text_before_its_parts() -> None:
    keys = list(body_of("SV1*A:B*C", "HI*A:B^C:D", "SV1*E", head=LATER))
    assert keys == [
        "SV1.01", "SV1.01.01", "SV1.01.02", "SV1.02", "HI.01", "HI.01.01", "HI.01.02",
        "HI.01[2]", "HI.01[2].01", "HI.01[2].02", "SV1[2].01",
    ]  # fmt: skip


def test_a_document_without_st_is_set_one() -> None:
    assert fields_of("N1*A~N1*B~") == {"N1.01": "A", "N1[2].01": "B"}
    assert fields_of("N1*A~ST*850*0001~N1*B~")["ST[0]/N1.01"] == "A"


def test_ids_that_cannot_have_keys_are_still_counted_apart() -> None:
    document = an_850("N1*A", "N.1*B", "N1*C")
    assert body_of("N1*A", "N.1*B", "N1*C") == {"N1.01": "A", "N1[2].01": "C"}
    assert codes(document) == ["bad_segment_id"]


def test_many_shapes_of_empty_elements_are_all_right() -> None:
    rows = [
        [f"{at}" if at & 1 << bit else "" for bit in range(13)] + ["Z"] for at in range(1, 5000)
    ]
    fields = body_of(*("ZZZ*" + "*".join(row) for row in rows))
    expected = {
        ("ZZZ" if number == 1 else f"ZZZ[{number}]") + f".{position:02d}": value
        for number, row in enumerate(rows, 1)
        for position, value in enumerate(row, 1)
        if value
    }
    assert list(fields.items()) == list(expected.items())
