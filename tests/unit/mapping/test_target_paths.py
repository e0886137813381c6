"""Which target paths parse, what they say, and what the others are reported."""

import pytest

from longshore.mapping.conflicts import wildcard_prefixes
from longshore.mapping.target_paths import (
    ALL,
    TARGET_PATHS,
    CsvTarget,
    JsonTarget,
    TargetPath,
    TargetPathError,
    X12Step,
    X12Target,
    XmlStep,
    XmlTarget,
)


@pytest.mark.parametrize(
    ("target_format", "text", "target", "wildcards"),
    [
        ("json", "a", JsonTarget(("a",)), 0),
        ("json", "a.b.c", JsonTarget(("a", "b", "c")), 0),
        ("json", "lines[*].qty", JsonTarget(("lines", ALL, "qty")), 1),
        ("json", "lines[0].qty", JsonTarget(("lines", 0, "qty")), 0),
        ("json", "m[*][*]", JsonTarget(("m", ALL, ALL)), 2),
        ("json", "[*].a", JsonTarget((ALL, "a")), 1),
        ("json", r"a\.b\[\*\]\\", JsonTarget((r"a.b[*]" + "\\",)), 0),
        ("xml", "Order.@version", XmlTarget((XmlStep("Order"),), "version"), 0),
        (
            "xml",
            "Order.Line[*].Qty[2]",
            XmlTarget((XmlStep("Order"), XmlStep("Line", ALL), XmlStep("Qty", 2))),
            1,
        ),
        ("csv", "qty", CsvTarget("qty"), 0),
        ("csv", "unit price [EUR]", CsvTarget("unit price [EUR]"), 0),
        ("csv", r"a\*\.b", CsvTarget("a*.b"), 0),
        ("x12", "BEG.03", X12Target((X12Step("BEG"),), 3), 0),
        ("x12", "PO1[*]>PID.05", X12Target((X12Step("PO1", ALL), X12Step("PID")), 5), 1),
        ("x12", "N1[2]>N4.01", X12Target((X12Step("N1", 2), X12Step("N4")), 1), 0),
        ("x12", "SV1[*].01.02", X12Target((X12Step("SV1", ALL),), 1, 1, 2), 1),
        ("x12", "HI.01[2].01", X12Target((X12Step("HI"),), 1, 2, 1), 0),
        ("x12", "HI[*].01[*]", X12Target((X12Step("HI", ALL),), 1, ALL), 2),
    ],
)
def test_targets_parse(target_format: str, text: str, target: TargetPath, wildcards: int) -> None:
    found = TARGET_PATHS[target_format](text)
    assert found == target
    assert found.wildcards == wildcards == len(wildcard_prefixes(found))


def fault_of(target_format: str, text: str) -> TargetPathError:
    with pytest.raises(TargetPathError) as caught:
        TARGET_PATHS[target_format](text)
    return caught.value


JSON, XML, X12 = (str(fault_of(each, "")) for each in ("json", "xml", "x12"))
CSV = "a CSV target is the name of a column, without wildcards"
NUMBERED = "elements and components are numbered from 01"


@pytest.mark.parametrize(
    ("target_format", "text", "fault"),
    [
        ("json", ".a", JSON),
        ("json", "a.", JSON),
        ("json", "a..b", JSON),
        ("json", "a[", JSON),
        ("json", "a[x]", JSON),
        ("json", "a[-1]", JSON),
        ("json", "a[0]b", JSON),
        ("json", "a@b", JSON),
        ("json", "a\\b", JSON),
        ("xml", "@a", XML),
        ("xml", "A.@b.C", XML),
        ("xml", "A.@b[1]", XML),
        ("xml", "A[0]", XML),
        ("xml", "A[1][2]", XML),
        ("xml", "A.", XML),
        ("csv", "", CSV),
        ("csv", "row[*]/a", CSV),
        ("x12", "BEG", X12),
        ("x12", "BEG.3", X12),
        ("x12", "beg.03", X12),
        ("x12", "BEG[01=a].03", X12),
        ("x12", "BEG[0].03", X12),
        ("x12", "ST[1]/BEG.03", X12),
        ("x12", "PO1>.01", X12),
        ("x12", "PO1[*]>>PID.05", X12),
        ("x12", "BEG.03 ", X12),
        ("x12", "BEG.00", NUMBERED),
        ("x12", "BEG.03.00", NUMBERED),
    ],
)
def test_targets_that_do_not_parse(target_format: str, text: str, fault: str) -> None:
    assert str(fault_of(target_format, text)) == fault


@pytest.mark.parametrize(
    ("target_format", "text", "limit", "most"),
    [
        ("json", ".".join("a" * 33), "target_depth", 32),
        ("xml", ".".join("a" * 33), "target_depth", 32),
        ("x12", ">".join(["N1"] * 33) + ".01", "target_depth", 32),
        ("json", "a[100001]", "array_index", 100_000),
        ("xml", "a[100001]", "array_index", 100_000),
        ("x12", "N1[100001].01", "array_index", 100_000),
    ],
)
def test_targets_have_limits(target_format: str, text: str, limit: str, most: int) -> None:
    fault = fault_of(target_format, text)
    assert (fault.limit, fault.maximum) == (limit, most)


def test_targets_at_the_limit_parse() -> None:
    assert len(TARGET_PATHS["json"](".".join("a" * 32)).steps) == 32  # type: ignore[union-attr]
    assert TARGET_PATHS["json"]("a[100000]") == JsonTarget(("a", 100_000))
