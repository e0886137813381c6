"""Whatever can be read can be acknowledged, and the acknowledgement is faultless itself."""

from hypothesis import assume, example, given
from hypothesis import strategies as st

from longshore.engine import parse
from longshore.kit.errors import LongshoreError
from longshore.x12.acks.build import preview_acks
from longshore.x12.acks.profile import AckProfile, AckType, RejectLevel, Ta1Rule
from longshore.x12.results import SetResult
from longshore.x12.walk import Walk
from tests.unit.x12.acks.acknowledged import a_result, an_error, walked
from tests.unit.x12.documents import a_group, a_set, interchange, isa
from tests.unit.x12.generated import documents

PROFILES = st.builds(
    AckProfile,
    ack_type=st.sampled_from(AckType),
    ta1=st.just(Ta1Rule.ON_ERROR),
    reject_level=st.sampled_from(RejectLevel),
    has_accepted_sets=st.booleans(),
)

# A bad address can only be answered as it is: of the acknowledgement it is the other party's.
ADDRESS_FAULTS = {
    "sender_qualifier_invalid": "007",
    "sender_id_invalid": "008",
    "receiver_qualifier_invalid": "005",
    "receiver_id_invalid": "006",
}


def read(document: str) -> Walk:
    try:
        return walked(document)
    except LongshoreError:
        assume(condition=False)
        raise AssertionError from None


def with_names(number: str, version: str = "004010", set_number: str = "0001") -> str:
    """Return a document with these names in GS and ST."""
    group = a_group(*a_set(number=set_number), number=number)
    return interchange(*group, "IEA*1*000000101", head=isa(e14="1")).replace("004010", version)


@given(documents, PROFILES)
@example(with_names("7\t7"), AckProfile())
@example(with_names(">^:", "005010X222A1"), AckProfile())
@example(with_names("7", set_number="\x1c\x1d\x1e\x1f"), AckProfile())
@example(interchange("GS", "ST", "SE", "GE", "IEA", head=isa(e14="1")), AckProfile())
def test_any_document_has_a_sound_acknowledgement(document: str, profile: AckProfile) -> None:
    envelope = read(document).envelope
    results: dict[int, SetResult] = {
        each.index: a_result(an_error(None, 2, "8", "7", at=1, value=each.control_number))
        for each in envelope.sets[::2]
    }
    for plan, ack in preview_acks(envelope, results, profile):
        parsed = parse(ack.text)
        faults = {ADDRESS_FAULTS[each.code] for each in parsed.errors}
        assert faults <= set(plan.summary.codes)
        assert parsed.document.segment_count == ack.text.count(parsed.document.seg_term)
        kinds = {fields for key, fields in parsed.fields.items() if key.startswith("ST")}
        assert {kind for kind in plan.ack_types if kind != "TA1"} <= kinds
