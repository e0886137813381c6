"""Warn of parts of a source that the rules do not convert: sets, rows of lists, or everything.

A rule with a path to one set or one row leaves out the others. That is no fault of the rule, but
the caller must know which parts of the document are not in the output, and which were missing
before any rule could convert them.

Source: fields-and-mapping.md sections 4 and 7.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from typing import Final

from longshore.kit.errors import ErrorCode, ErrorDetail, LongshoreError
from longshore.mapping.completeness import EnvelopeFault
from longshore.mapping.document_x12 import MAX_PASSED, X12Document
from longshore.mapping.paths_fields import FieldPath
from longshore.mapping.pipeline import Checkpoint
from longshore.mapping.rule import Rule
from longshore.mapping.sources_fields import FieldSource
from longshore.mapping.target_paths import ALL, Index, X12Target
from longshore.mapping.writes import MappingWarning, SetPlace
from longshore.x12.control import SET_ID

SETS_NOT_CONVERTED: Final = "sets_not_converted"
ROWS_NOT_CONVERTED: Final = "rows_not_converted"
NOTHING_CONVERTED: Final = "nothing_converted"
MAP_TX_SET_MISMATCH: Final = "map_tx_set_mismatch"
DOCUMENT_INCOMPLETE: Final = "document_incomplete"
COUNTS_WRONG: Final = "counts_wrong"
INCOMPLETE: Final = frozenset((
    SETS_NOT_CONVERTED,
    ROWS_NOT_CONVERTED,
    NOTHING_CONVERTED,
    DOCUMENT_INCOMPLETE,
))
"""The codes of the warnings that something of the document is not in the output."""

MAX_PLACES: Final = MAX_PASSED
"""Sets that one warning names; its count has them all."""

_FIRST_ELEMENT: Final = 1


def sets_read(references: Iterable[Index | None], set_indexes: Iterable[int]) -> set[int] | None:
    """Return the indexes of the sets that rules read when they are run for each of some sets.

    Args:
        references: As ``RuleList.sets``.
        set_indexes: The indexes of those sets.

    Returns:
        None for all sets there are.
    """
    read: set[int] = set()
    for index in references:
        if index is ALL:
            return None
        read.update(set_indexes if index is None else (index,))
    return read


def about_document(document: X12Document) -> Iterator[MappingWarning]:
    """Yield what the envelope of a document says of its being complete, each kind once."""
    if document.incomplete:
        text = _first_of(document.incomplete)
        message = f"the document is not complete: {text}"
        yield MappingWarning(DOCUMENT_INCOMPLETE, message, count=document.incomplete.total)
    if document.miscounted:
        message = f"the document does not have what it counts: {_first_of(document.miscounted)}"
        yield MappingWarning(COUNTS_WRONG, message, count=document.miscounted.total)


def _first_of(fault: EnvelopeFault) -> str:
    first, others = fault.first, fault.total - 1
    place = f"{first.message} (line {first.line}, character {first.offset})"
    return f"{place}, and {others} more" if others else place


def sets_not_converted(
    document: X12Document, read: set[int] | None, *, is_split: bool
) -> MappingWarning | None:
    """Return the warning that names the sets which no rule reads; None if there are none."""
    if read is None:
        return None
    unread = [index for index in range(1, document.set_count + 1) if index not in read]
    if not unread:
        return None
    total, count = document.set_count, len(unread)
    sets = tuple(map(document.set_place, unread[:MAX_PLACES]))
    message = (
        f"{count} of {total} transaction sets were not converted: the rules read only the others"
    )
    if not is_split:
        message += "; split makes an output of each set"
    return MappingWarning(SETS_NOT_CONVERTED, message, count=count, sets=sets)


def makes_set(rules: Sequence[Rule], tx_set: str) -> bool:
    """Return whether the set of an X12 target is one that rules write, and may be this one."""
    return any(
        rule.values.const in {None, tx_set}
        for rule in rules
        if isinstance(rule.target, X12Target)
        and rule.target.steps[0].segment_id == "ST"
        and rule.target.position == _FIRST_ELEMENT
    )


def mismatched_sets(
    document: X12Document, read: set[int] | None, tx_set: str
) -> Sequence[SetPlace]:
    """Return the sets that are read and whose set id differs from that of the rules.

    Args:
        document: The source document. Segments outside every ST belong to no set.
        read: The indexes of the sets that are read, as ``sets_read`` returns them.
        tx_set: The set id that the rules are for.
    """
    indexes = range(1, document.set_count + 1) if read is None else sorted(read)
    places = (document.set_place(index) for index in indexes if document.header(index, "ST"))
    return [place for place in places if place.tx_set != tx_set]


def set_mismatch_warning(
    sets: Sequence[SetPlace], tx_set: str, *, is_forced: bool
) -> MappingWarning:
    """Return the warning that rules for one set are run on others.

    Raises:
        MapTxSetMismatchError: The caller did not force it.
    """
    if not is_forced:
        raise MapTxSetMismatchError(tx_set, sets[0])
    message = f"{_mismatch_text(tx_set, sets[0])}; it was converted all the same"
    return MappingWarning(
        MAP_TX_SET_MISMATCH, message, count=len(sets), sets=tuple(sets[:MAX_PLACES])
    )


class MapTxSetMismatchError(LongshoreError):
    """The map is for another transaction set than the document has.

    Args:
        tx_set: The set that the map is for.
        found: The first set that is another one.
        next_step: A sentence that says what the caller can do.
    """

    def __init__(
        self,
        tx_set: str,
        found: SetPlace,
        next_step: str = "Use another map, or convert it with force all the same.",
    ) -> None:
        code = ErrorCode.MAP_TX_SET_MISMATCH
        text = _mismatch_text(tx_set, found)
        detail = ErrorDetail(code=code, param="document", message=text, allowed=(tx_set,))
        super().__init__(code, f"T{text[1:]}. {next_step}", details=(detail,))
        self._sets = (tx_set, found)

    def advising(self, next_step: str) -> MapTxSetMismatchError:
        """Return the same refusal for a caller who cannot force the conversion."""
        return MapTxSetMismatchError(*self._sets, next_step)


def _mismatch_text(tx_set: str, found: SetPlace) -> str:
    name = found.tx_set if SET_ID.fullmatch(found.tx_set) else "a set without a valid code"
    place = f"ST[{found.index}] of the document"
    return f"the map is for transaction set {tx_set}, but {place} is {name}"


def rows_not_converted(
    rules: Sequence[Rule], source: FieldSource, checkpoint: Checkpoint
) -> Iterator[MappingWarning]:
    """Yield a warning for each rule with a path into a list that does not name its rows.

    There is none if other rules read all rows of the list, and the rows left out have no other
    value: an order number that is repeated in each row of a CSV file is converted completely.
    """
    lists_read = {each for rule in rules for path in _field_paths(rule) for each in path.lists_read}
    for rule in rules:
        checkpoint(0)
        for path in _field_paths(rule):
            unread = source.unread_rows(path)
            if not unread or (unread.keys() <= lists_read and source.is_uniform(path)):
                continue
            count = sum(unread.values())
            message = (
                f"{count} rows were not converted: {path.text} does not say which rows it means; "
                "[*] stands for all of them, an index for one"
            )
            if count == 1:
                message = message.replace("1 rows were", "1 row was", 1)
            yield MappingWarning(
                ROWS_NOT_CONVERTED, message, rule.param, rule.tgt, path.text, count
            )


def _field_paths(rule: Rule) -> Iterator[FieldPath]:
    return (path for path in rule.sources if isinstance(path, FieldPath))


def nothing_converted(sets: Sequence[SetPlace], count: int, total: int) -> MappingWarning:
    """Return the warning that outputs hold no value of the document.

    Args:
        sets: The sets that these outputs were made of, empty unless the source is X12.
        count: The number of these outputs.
        total: The number of all outputs.
    """
    if total == 1:
        message = "no rule found a value in the document: nothing of it is in the output"
        return MappingWarning(NOTHING_CONVERTED, message, count=1, sets=tuple(sets))
    message = f"no rule found a value in {count} of {total} transaction sets"
    return MappingWarning(NOTHING_CONVERTED, message, count=count, sets=tuple(sets[:MAX_PLACES]))
