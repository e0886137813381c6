"""Parse and validate accept a TA1 behind a functional group with a warning."""

from pathlib import Path

from longshore.engine import parse, validate

SAMPLE = Path(__file__).parents[3] / "samples" / "997_functional_acknowledgment" / "input.edi"
TA1 = "TA1*000000055*240115*0930*A*000~"
MESSAGE = "TA1 stands behind a functional group; its place is before the first one"


def test_the_warning_names_the_place() -> None:
    sound = SAMPLE.read_text(encoding="utf-8")
    text = sound.replace("IEA*", f"{TA1}IEA*")
    validated, parsed = validate(text), parse(text)
    assert validated.is_valid
    assert (parsed.errors, parsed.fields["TA1.01"]) == ((), "000000055")
    for [finding] in (validated.findings, parsed.warnings):
        assert (finding.code, finding.severity, finding.message) == (
            "ta1_after_group",
            "warning",
            MESSAGE,
        )
        assert (finding.segment_id, finding.offset) == ("TA1", text.index("TA1*"))
        assert finding.ack_code is None
    assert validated.ack == validate(sound).ack
