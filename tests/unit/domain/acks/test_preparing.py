"""Acknowledgements before they are applied: how many are taken, and their errors in our text."""

from longshore.domain.acks.back_mapping import MAX_ERRORS
from longshore.domain.acks.model import AckForm
from longshore.domain.acks.received import (
    MAX_OF_ONE,
    ReceivedAck,
    ReceivedSetAck,
    bounded,
    errors_in,
    note_count,
)
from longshore.x12.acks.read import SetAck, read_ta1
from tests.unit.domain.acks.sending import FROM_A, a_997, digest_of
from tests.unit.x12.documents import an_850

NOTES = ("AK2*850*0001", "AK3*PO1*3**8", "AK4*7*234*7", "AK5*R*5")


def received(*segments: str) -> ReceivedAck:
    return ReceivedAck(ack=a_997(*segments), origin=FROM_A, digest=digest_of(*segments))


def a_ta1(number: str, time: str = "1405") -> ReceivedAck:
    ta1 = read_ta1(["TA1", number, "260115", time, "A", "000"], 2)
    return ReceivedAck(ack=ta1, origin=FROM_A, digest=b"")


def test_of_one_group_the_first_20_are_taken_whatever_zeros_its_number_has() -> None:
    many = [received(f"AK1*PO*{'0' * (at % 3)}55", "AK9*A*1*1*1") for at in range(30)]
    others = [received("AK1*PO*56"), received("AK1*IN*55")]
    assert [*bounded([*many, *others])] == [*many[:MAX_OF_ONE], *others]


def test_of_one_interchange_the_first_20_ta1s_are_taken() -> None:
    many, other = [a_ta1("000000077")] * 30, a_ta1("77", "1406")
    assert [*bounded([*many, other])] == [*many[:MAX_OF_ONE], other]


def complaint(*notes: str) -> SetAck:
    return a_997("AK1*PO*55", *notes).sets[0]


def test_two_acknowledgements_of_one_set_are_found_in_one_walk() -> None:
    document = an_850("BEG*00*SA*PO-1**20240115", "PO1*1*10*EA*9.25**UP*4711")
    quantity = complaint("AK2*850*0001", "AK3*PO1*3**8", "AK4*2*330*6*10", "AK5*R*5")
    both = [
        ReceivedSetAck(tx_index=1, form=AckForm.F997, ack=each)
        for each in (complaint(*NOTES), quantity)
    ]
    found = errors_in(document.encode(), both, None)
    assert [error.our_path for errors in found for error in errors] == ["PO1.07", "PO1.02"]


def test_a_document_of_one_byte_per_character_is_read_as_such() -> None:
    document = an_850("BEG*00*SA*Bestellung fünf**20240115", "PO1*1*10*EA*9.25**UP*4711")
    one = ReceivedSetAck(tx_index=1, form=AckForm.F997, ack=complaint(*NOTES))
    ((error,),) = errors_in(document.encode("iso-8859-1"), [one], None)
    assert error.our_offset == document.index("4711")


def test_errors_are_counted_as_far_as_they_are_kept() -> None:
    assert note_count(complaint(*NOTES)) == 2
    assert note_count(complaint("AK2*850*0001", *["AK3*PO1*3**5"] * 2_000)) == MAX_ERRORS
