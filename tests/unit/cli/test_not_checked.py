"""``longshore validate`` and ``longshore ack`` of what could not be checked."""

from tests.support.unchecked import (
    ORDER,
    a_document,
    an_unknown_set,
    claim_under,
    documents,
    unknown_sets,
)
from tests.unit.cli.conftest import CommandLine

FIRST, SECOND = unknown_sets(2)
MIXED = a_document(
    ORDER, an_unknown_set(FIRST, "0002"), an_unknown_set(SECOND, "0003"), version="004010"
)


def a_file(run: CommandLine, content: str) -> str:
    path = run.folder / "document"
    path.write_text(content, encoding="ascii")
    return str(path)


def test_each_document_that_was_not_checked_exits_with_3(run: CommandLine) -> None:
    for name, document in documents().items():
        file = a_file(run, document)
        ran, ack = run("validate", file, "--json"), run("ack", file)
        assert (name, ran.code, ran.json["valid"]) == (name, 3, None)
        assert (name, ack.code, ack.out) == (name, 3, "")


def test_people_see_that_a_guide_is_not_known(run: CommandLine) -> None:
    ran = run("validate", a_file(run, claim_under("005010X999A9")))
    lines = [line.rstrip() for line in ran.out.splitlines()]
    assert lines[:3] == [
        "set         837 005010X999A9",
        "definition  standard",
        "checked     SNIP level 1",
    ]
    assert lines[4:6] == [
        "outcome     not checked, 1 other finding",
        (
            "answer      none, because not everything was checked; "
            "`longshore ack --accept-unchecked` prints one"
        ),
    ]
    assert "    guide 005010X999A9 is not known; checked against 837 005010 only" in lines
    assert ran.code == 3


def test_people_see_how_many_sets_were_not_checked(run: CommandLine) -> None:
    ran = run("validate", a_file(run, MIXED))
    lines = [line.rstrip() for line in ran.out.splitlines()]
    assert lines[:4] == [
        "850 004010  exact, SNIP level 1, 42 of 105 code lists",
        *(f"{name} 004010  no definition, the envelope only" for name in (FIRST, SECOND)),
        "outcome     not checked, 2 other findings",
    ]
    assert "sets        1 valid, 2 not checked" in lines
    alone = run("validate", a_file(run, a_document(an_unknown_set(FIRST))))
    assert [line.split()[0] for line in alone.out.splitlines()[:5]] == [
        "set", "definition", "checked", "outcome", "answer",
    ]  # fmt: skip


def test_nothing_is_acknowledged_without_the_option(run: CommandLine) -> None:
    file = a_file(run, MIXED)
    ran = run("ack", file)
    assert (ran.code, ran.out) == (3, "")
    assert ran.err == (
        f"not acknowledged because not checked: set 2 ({FIRST} 004010), set 3 ({SECOND} 004010); "
        "--accept-unchecked accepts unchecked sets\n"
    )
    assert run("ack", file, "--json").json == {
        "ack_type": "", "ack": "", "truncated": False, "withheld": [2, 3],
    }  # fmt: skip
    accepted = run("ack", file, "--accept-unchecked")
    assert (accepted.code, accepted.err) == (0, "")
    assert f"~AK2*{FIRST}*0002~AK5*A~" in accepted.out


def test_many_sets_are_counted_and_odd_names_left_out(run: CommandLine) -> None:
    sets = [an_unknown_set(FIRST, f"{number:04d}") for number in range(1, 13)]
    ran = run("ack", a_file(run, a_document(*sets)))
    assert f"set 10 ({FIRST} 004010), 2 more; " in ran.err
    odd = a_document(an_unknown_set(FIRST), version="00-40")
    assert f"because not checked: set 1 ({FIRST}); " in run("ack", a_file(run, odd)).err
