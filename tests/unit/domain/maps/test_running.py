"""The warnings of a conversion as the event of the converted document has them."""

from longshore.domain.maps.running import warnings_text
from longshore.mapping.writes import MappingWarning


def test_a_conversion_without_warnings_has_no_text() -> None:
    assert warnings_text(()) == ""


def test_the_first_warnings_are_written_out_and_the_others_counted() -> None:
    warnings = [
        MappingWarning("date_iso", "left unchanged", f"field_map[{at}]") for at in range(22)
    ]
    text = warnings_text(warnings)
    assert text.startswith(
        "left unchanged (date_iso field_map[0]). left unchanged (date_iso field_map[1]). "
    )
    assert text.endswith("left unchanged (date_iso field_map[19]). 2 more.")
    assert warnings_text(warnings[:20]).endswith("(date_iso field_map[19]).")
