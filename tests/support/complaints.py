"""What a partner complains of in tests: a code of PO1.06 that it does not know."""

from longshore.domain.acks.model import AckError, AckErrorLevel

INVALID_CODE = AckError(
    level=AckErrorLevel.ELEMENT,
    segment_id="PO1",
    segment_position=3,
    loop_id="PO1",
    element_position=6,
    code="7",
    code_meaning="Invalid code value",
    bad_value="XX",
    source="AK4",
)
