"""The loops that are open at each segment, with HL loops nested by HL02."""

from longshore.x12.loops.faults import LoopStep
from longshore.x12.loops.nesting import MAX_LEVELS, LoopNesting
from longshore.x12.loops.placement import SetCursor


def cursor(*steps: tuple[str, int], has_place: bool = True) -> SetCursor:
    path = tuple(
        LoopStep(loop_id, number, "", "HL" if loop_id == "HL" else loop_id)
        for loop_id, number in steps
    )
    return SetCursor("", path, None, has_place=has_place)


def opened(*segments: tuple[str, SetCursor | None]) -> list[str]:
    """Return the loops around each segment, as ``HL/N1``, made in the order they begin in."""
    names: list[str] = []

    def begin(step: LoopStep | None) -> str:
        around = nesting.innermost
        name = "?" if step is None else f"{step.loop_id}{step.number}"
        return name if around is None else f"{around}/{name}"

    nesting = LoopNesting(begin)
    for text, at in segments:
        nesting.enter(text.split("*"), at)
        names.append(nesting.innermost or "")
    nesting.close()
    assert nesting.innermost is None
    return names


def test_loops_open_and_close_as_the_paths_of_segments_say() -> None:
    assert opened(
        ("BEG", cursor()),
        ("N1", cursor(("N1", 1))),
        ("PO1", cursor(("PO1", 1))),
        ("PID", cursor(("PO1", 1), ("PID", 1))),
        ("XYZ", cursor(has_place=False)),
        ("PO1", cursor(("PO1", 2))),
        ("CTT", cursor()),
    ) == ["", "N11", "PO11", "PO11/PID1", "PO11/PID1", "PO12", ""]


def test_hl_loops_nest_by_hl02_and_others_in_the_last_of_them() -> None:
    assert opened(
        ("HL*1**S", cursor(("HL", 1))),
        ("N1", cursor(("HL", 1), ("N1", 1))),
        ("HL*2*1*O", cursor(("HL", 2))),
        ("HL*3*1*O", cursor(("HL", 3))),
        ("HL*9*8*O", cursor(("HL", 4), has_place=False)),
        ("CTT", cursor()),
    ) == ["HL1", "HL1/N11", "HL1/HL2", "HL1/HL3", "HL1/HL3", ""]
    assert opened(("HL*1", None), ("REF", None), ("HL*2*1", None), ("HL", None)) == [
        *("?", "?", "?/?", "?"),
    ]


def test_loops_that_are_too_deep_are_not_nested() -> None:
    chain = [(f"HL*{at}*{at - 1 or ''}", cursor(("HL", at))) for at in range(1, MAX_LEVELS + 3)]
    deepest = ("N1", cursor(("HL", MAX_LEVELS + 2), ("N1", 1)))
    depths = [name.count("/") for name in opened(*chain, deepest)]
    assert depths == [*range(MAX_LEVELS), *[MAX_LEVELS - 1] * 3]
