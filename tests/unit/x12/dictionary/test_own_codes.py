"""Codes of users: CSV and back, periods, and the code lists that they change."""

import pickle

import pytest

from longshore.x12.dictionary import own_codes
from longshore.x12.dictionary.library import shipped
from longshore.x12.dictionary.lines import DictionaryError
from longshore.x12.dictionary.model import CompositeType, Definition, ElementType
from longshore.x12.dictionary.own_codes import (
    CodeAction,
    CodeLists,
    CodeRow,
    ElementCodes,
    merged,
    read_code_rows,
    write_code_rows,
)
from longshore.x12.dictionary.own_lists import block_without, with_own_codes

ADD, REMOVE, REPLACE = CodeAction
UNIT, PURPOSE, PACKAGING = "355", "353", "103"
IS_OPEN = "is open: replace it, so that it refuses codes"


def read(text: str, action: CodeAction = ADD) -> tuple[CodeRow, ...]:
    return read_code_rows("codes.csv", text, shipped().vocabulary, action)


def faults(text: str) -> list[str]:
    with pytest.raises(DictionaryError) as refused:
        read(text)
    return [str(each) for each in refused.value.faults]


# ---- text ----------------------------------------------------------------------------------------


def test_without_a_header_columns_have_their_order_and_the_last_may_be_missing() -> None:
    assert read("\ufeff355, Q1 ,quarter\n\n1034,A1,,2026-01-31,20261231,replace\n", REMOVE) == (
        CodeRow("355", "Q1", "quarter", action=REMOVE),
        CodeRow("1034", "A1", "", "20260131", "20261231", REPLACE),
    )


def test_a_header_names_columns_in_any_order() -> None:
    assert read("Code,Element,to\nQ1,355,2026-01-31\n") == (
        CodeRow("355", "Q1", last_day="20260131"),
    )


def test_rows_are_written_as_they_are_read() -> None:
    rows = (
        CodeRow("355", "Q1", 'a "quarter", or so', "20260101", "20260131"),
        CodeRow("353", "00", action=REMOVE),
    )
    text = write_code_rows(rows)
    assert text.splitlines()[0] == "element,code,meaning,from,to,action"
    assert read(text) == rows


def test_each_wrong_line_is_refused_with_its_reason() -> None:
    lines = {
        "355": "there are 1 columns, from 2 to 6 are expected",
        "355,Q1,a,,,add,more": "there are 7 columns, from 2 to 6 are expected",
        "355,Q1,a,,,drop": "the action must be one of: add, remove, replace",
        "x,Q1": "the element is not one of the dictionary, such as 355",
        "99999,Q1": "the element is not one of the dictionary, such as 355",
        "380,Q1": "element 380 is of type R and has no codes",
        "355,LONG": "a code of element 355 has 2 to 2 characters",
        "355,Ä1": "the code has a character outside printable ASCII",
        "103,ABC,,,,remove": f"the list of element 103 {IS_OPEN}",
        "1034,1,,,,remove": f"the list of element 1034 {IS_OPEN}",
        "355,Q1,,2026-02-30": "from is no date such as 2026-01-31",
        "355,Q1,,,soon": "to is no date such as 2026-01-31",
        "355,Q1,,2026-02-01,2026-01-31": "the last day is before the first",
        "355,Q1,a\tb": "the meaning has a character that cannot be printed",
        "355,Q2": "",
        "355,Q2,again": "the same code is in line 15",
    }
    expected = [
        f"codes.csv:{at}: {reason}" for at, reason in enumerate(lines.values(), 1) if reason
    ]
    assert faults("\n".join(lines)) == expected


@pytest.mark.parametrize("header", ["element,kode", "element,meaning", "code,element,code"])
def test_a_header_that_does_not_name_the_columns_is_refused(header: str) -> None:
    reason = "a header names element and code, and may name meaning, from, to, action"
    assert faults(f"{header}\n355,Q1\n") == [f"codes.csv:1: {reason}"]


def test_what_is_no_csv_is_refused() -> None:
    assert faults('355,Q1\n355,"Q2"x\n') == ["codes.csv:2: this is no CSV: ',' expected after '\"'"]


def test_too_many_lines_or_characters_are_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(own_codes, "MAX_ROWS", 2)
    assert faults("355,Q1\n355,Q2\n355,Q3\n") == ["codes.csv:0: more than 2 lines"]
    monkeypatch.setattr(own_codes, "MAX_CHARS", 3)
    assert faults("355,") == ["codes.csv:0: more than 3 characters"]


def test_new_rows_take_the_place_of_those_about_the_same() -> None:
    old = read("355,Q1,old\n355,Q1,later,2026-01-01\n1034,A1\n66,ZZ\n")
    new = read("355,Q1,new\n1034,B1,,,,replace\n")
    assert merged(old, new) == (
        CodeRow("66", "ZZ"),
        CodeRow("355", "Q1", "later", "20260101"),
        CodeRow("355", "Q1", "new"),
        CodeRow("1034", "B1", action=REPLACE),
    )


# ---- periods -------------------------------------------------------------------------------------


def added_on(lists: CodeLists, day: str) -> str:
    changes = lists.changes_on(day).by_element.get(UNIT)
    return "" if changes is None else "".join(sorted(code[1] for code in changes.added))


def test_a_row_holds_from_its_first_day_to_its_last() -> None:
    lists = CodeLists(read("355,Q1\n355,Q2,,2026-03-01\n355,Q3,,,2026-03-31\n355,Q4,,2026-03-31"))
    days = ("20260228", "20260301", "20260331", "20260401", "", "260301")
    assert [added_on(lists, day) for day in days] == ["13", "123", "1234", "124", "1234", "1234"]


def test_days_of_one_period_and_equal_lists_share_their_changes() -> None:
    text = "355,Q1,a meaning,2026-03-01,2026-03-31\n"
    lists, others = CodeLists(read(text)), CodeLists(read(text.replace("a meaning", "")))
    assert (lists == others, hash(lists) == hash(others)) == (True, True)
    assert lists != CodeLists(read("355,Q2")) != "355"
    copied = pickle.loads(pickle.dumps(lists))
    assert copied.changes_on("20260302") is lists.changes_on("20260331")
    assert lists.changes_on("20260401") != lists.changes_on("20260331")


def test_what_replaces_and_what_changes_a_list_are_told_apart() -> None:
    lists = CodeLists(read("355,Q1\n353,00,,,,remove\n1034,A1,,,,replace\n"))
    assert lists.changes_on("").by_element == {
        "355": ElementCodes(frozenset({"Q1"}), frozenset(), None),
        "353": ElementCodes(frozenset(), frozenset({"00"}), None),
        "1034": ElementCodes(frozenset(), frozenset(), frozenset({"A1"})),
    }


# ---- definitions ---------------------------------------------------------------------------------


def element_of(definition: Definition, number: str) -> ElementType:
    for _, use in definition.positions():
        for each in use.segment.uses:
            parts = each.type.uses if isinstance(each.type, CompositeType) else (each,)
            for part in parts:
                if isinstance(part.type, ElementType) and part.type.number == number:
                    return part.type
    raise AssertionError(number)


def changed(text: str, tx_set: str = "850") -> tuple[Definition, Definition]:
    known = shipped().definition(tx_set, "004010")
    assert known is not None
    return known, with_own_codes(known, CodeLists(read(text)).changes_on(""))


def test_codes_are_added_to_and_removed_from_a_strict_list() -> None:
    before, after = changed("353,Q1\n353,00,,,,remove\n")
    old, new = element_of(before, PURPOSE).codes, element_of(after, PURPOSE).codes
    assert old is not None
    assert new is not None
    assert ("00" in old, "Q1" in old, "01" in old) == (True, False, True)
    assert ("00" in new, "Q1" in new, "01" in new) == (False, True, True)
    assert (new.is_strict, new.meanings["01"]) == (True, old.meanings["01"])
    assert before != after


def test_a_list_that_accepts_any_code_is_only_changed_by_replacing_it() -> None:
    before, after = changed("103,ABC\n")
    assert element_of(after, PACKAGING) == element_of(before, PACKAGING)
    _, after = changed("103,ABC,,,,replace\n103,ABD\n")
    new = element_of(after, PACKAGING).codes
    assert new is not None
    assert (new.is_strict, [*new.meanings], new.blocks) == (True, ["ABC", "ABD"], ())


def test_a_code_is_removed_from_a_block_and_from_components() -> None:
    before, after = changed("355,EA,,,,remove\n355,A1,,,,remove\n")
    old, new = element_of(before, UNIT).codes, element_of(after, UNIT).codes
    assert old is not None
    assert new is not None
    assert [code in old for code in ("EA", "A1", "A2", "CA")] == [True, True, True, True]
    assert [code in new for code in ("EA", "A1", "A2", "CA")] == [False, False, True, True]


def test_a_block_without_a_code_has_all_others() -> None:
    block = ("AB", "01")
    left = [*block_without(block, "A1")]
    assert left == [("B", "01"), ("A", "0")]
    assert [*block_without(block, "C1")] == [block]
    assert [*block_without(("A", "1"), "A1")] == []
