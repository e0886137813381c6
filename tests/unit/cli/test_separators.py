"""``longshore validate`` shows a wrong separator once, at its place in the ISA."""

from pathlib import Path

from tests.unit.cli.conftest import CommandLine
from tests.unit.x12.validate.test_separators import COMPONENT, MIXED


def test_the_finding_is_shown_with_its_consequences(run: CommandLine) -> None:
    path = Path(run.folder, "remittance.edi")
    path.write_text(MIXED, encoding="utf-8")
    ran = run("validate", str(path))
    lines = [line.strip() for line in ran.out.splitlines()]
    [head] = [line for line in lines if line.startswith("error ")]
    assert head.startswith("error  component_separator_mismatch  ")
    assert lines[lines.index(head) + 1] == (
        f"{COMPONENT}; 11 consequences: element_too_long 4, element_code_not_used 4, "
        "element_missing 3"
    )
    assert (ran.code, ran.err) == (1, "")
