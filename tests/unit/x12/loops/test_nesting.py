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
    assert opened(("HL*1", cursor())) == ["?"]
    assert opened(("HL*1", None), ("REF", None), ("HL*2*1", None), ("HL", None)) == [
        *("?", "?", "?/?", "?"),
    ]


def test_a_parent_that_is_closed_is_none() -> None:
    """Of two open loops with one number the outer is the parent."""
    assert opened(
        ("HL*1**S", cursor(("HL", 1))),
        ("HL*2*1*O", cursor(("HL", 2))),
        ("HL*3*1*O", cursor(("HL", 3))),
        ("HL*4*2*I", cursor(("HL", 4))),
        ("HL*4*4*I", cursor(("HL", 5))),
        ("HL*5*4*P", cursor(("HL", 6))),
    ) == ["HL1", "HL1/HL2", "HL1/HL3", "HL4", "HL4/HL5", "HL4/HL6"]


def test_each_loop_ends_after_those_in_it() -> None:
    steps: list[str] = []
    nesting = LoopNesting(
        lambda step: steps.append(str(step and step.loop_id)), lambda: steps.append("end")
    )
    nesting.enter(["HL", "1"], cursor(("HL", 1)))
    nesting.enter(["N1"], cursor(("HL", 1), ("N1", 1)))
    nesting.enter(["HL", "2"], None)
    assert steps == ["HL", "N1", "end", "end", "None"]
    nesting.enter(["CTT"], cursor())
    assert steps[5:] == ["end"]


def test_loops_that_are_too_deep_are_not_opened() -> None:
    """Nor are those in them: their segments are in the innermost loop that is open."""
    chain = [(f"HL*{at}*{at - 1 or ''}", cursor(("HL", at))) for at in range(1, MAX_LEVELS + 3)]
    deepest = ("N1", cursor(("HL", MAX_LEVELS + 2), ("N1", 1)))
    again = (f"HL*90*{MAX_LEVELS - 1}", cursor(("HL", MAX_LEVELS + 3)))
    depths = [name.count("/") for name in opened(*chain, deepest, again)]
    assert depths == [*range(MAX_LEVELS), *[MAX_LEVELS - 1] * 4]


def test_whether_a_segment_has_a_place_is_answered() -> None:
    nesting = LoopNesting(lambda step: step)
    assert nesting.enter(["REF"], None)
    assert not nesting.enter(["XYZ"], cursor(has_place=False))
    placed = [
        nesting.enter(["HL", str(at), str(at - 1)], cursor(("HL", at)))
        for at in range(1, MAX_LEVELS + 3)
    ]
    assert placed == [*[True] * MAX_LEVELS, False, False]
    assert nesting.enter(["N1"], cursor(("HL", MAX_LEVELS), ("N1", 1)))
