"""What makes tables faster changes nothing that is seen."""

import gc

import pytest

from longshore.library.documents import read
from longshore.library.segments import parts_of
from longshore.library.table_rows import rows_of_file
from longshore.library.tables import tables

ISA = (
    f"ISA*00*{' ' * 10}*00*{' ' * 10}*ZZ*{'A':15}*ZZ*{'B':15}*260101*1200*^*00501*000000001*0*T*:~"
)
DOCUMENT = (
    f"{ISA}GS*HC*A*B*20260101*1200*1*X*005010X222A1~ST*837*0001*005010X222A1~"
    "CLM*1*10***11:B:1~HI*ABK:A1*BF:B2~DMG*D8*20260101*M**RET:A^RET:B~N3*A:B~REF*G1**X~"
    "SE*7*0001~GE*1*1~IEA*1*000000001~"
)


def test_the_parts_of_a_segment_are_the_repetitions_of_its_elements() -> None:
    found = {each.id: parts_of(each) for each in read(DOCUMENT).segments()}
    assert found["CLM"] == [[["1"]], [["10"]], [[""]], [[""]], [["11", "B", "1"]]]
    assert found["DMG"] == [
        [["D8"]], [["20260101"]], [["M"]], [[""]], [["RET", "A"], ["RET", "B"]]
    ]  # fmt: skip
    assert found["N3"] == [[["A:B"]]]
    assert found["REF"] == [[["G1"]], [[""]], [["X"]]]
    assert found["ISA"][1:6:2] == [[[""]], [[""]], [["A"]]]


@pytest.mark.parametrize("is_collected", [True, False])
def test_garbage_is_collected_afterwards_as_before(*, is_collected: bool) -> None:
    was_collected = gc.isenabled()
    try:
        (gc.enable if is_collected else gc.disable)()
        assert rows_of_file(b"{", "f", ["segments"])["files"][0][7] == "rejected"
        assert len([*tables(DOCUMENT, ["segments"]).rows("segments")]) == 11
        assert gc.isenabled() is is_collected
    finally:
        (gc.enable if was_collected else gc.disable)()
