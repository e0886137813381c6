"""Find the definition and rules of the sets of a document, once for all equal sets of a group.

Source: contract.md section 3, x12.md section 2.4.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from typing import Final, NamedTuple

from longshore.x12.control import GroupSummary, SegmentSpan, SetSummary, element_at
from longshore.x12.delimiters import Delimiters
from longshore.x12.dictionary.library import Dictionary, Exactness, Resolution, shipped
from longshore.x12.dictionary.model import STANDARD
from longshore.x12.dictionary.open_lists import with_open_lists
from longshore.x12.dictionary.own_codes import CodeLists
from longshore.x12.dictionary.own_lists import with_own_codes
from longshore.x12.dictionary.release import convention_of, is_guide_id, names_guide, release_of
from longshore.x12.elements.faults import Charset, SetContext
from longshore.x12.envelope import Envelope
from longshore.x12.findings import NO_LENIENCY, FindingCode, Severity
from longshore.x12.validate.outcome import ENVELOPE_ONLY, SetCheck
from longshore.x12.validate.rules import SetRules, rules_of

SYNTAX, GUIDE, BALANCING = 1, 2, 3  # SNIP levels
_ST01, _ST03 = "143", "1705"  # element numbers
_REFERENCE_SINCE: Final = "005010"  # ST03
_MAX_NAME: Final = 12  # 005010X222A1
_ACKNOWLEDGEMENTS: Final = "FA"  # GS01
_WITHOUT_REFERENCE: Final = "835"  # its guide alone does not use ST03, and accepts it


@dataclass(frozen=True, slots=True, kw_only=True)
class Options:
    """The options of a validation."""

    release: str = ""
    """Six digits, instead of the document's own."""
    guide: str = ""
    """Instead of that which ST03 or GS08 names."""
    leniency: Mapping[str, Severity] = field(default_factory=lambda: NO_LENIENCY)
    """Other severities, by code of the finding (``read_leniency``)."""
    charset: Charset | None = None
    """The character set in the partner's profile."""
    has_strict_lists: bool = True
    """A code outside a strict list is an error; False accepts it."""
    code_lists: CodeLists | None = None
    """Codes of users, which change the lists."""
    dictionary: Dictionary = field(default_factory=shipped)


class FrameFault(NamedTuple):
    """A fault of an ST, or of its set, in the group around it."""

    code: FindingCode
    message: str
    element: int
    """Its position, from 1."""
    reference: str
    layer: str = STANDARD


class SetNotice(NamedTuple):
    """A finding that is reported once for all sets of a kind."""

    code: FindingCode
    message: str


class SetKind(NamedTuple):
    """The common properties of the sets of a group with the same ST01, ST03 and separators."""

    group: GroupSummary | None
    set_id: str
    reference: str
    delimiters: Delimiters
    check: SetCheck
    rules: SetRules | None
    frame_faults: tuple[FrameFault, ...]
    """The faults of these sets in this group."""
    notice: SetNotice | None
    """The finding about the definition that they are checked against."""
    is_exact: bool
    """They are of the release that they are checked against."""

    def surplus_position(self, span: SegmentSpan) -> int:
        """Return the first position beyond the last one that an ST or SE has; 0 if none is filled.

        It is unknown, and 0, if the definition is of another release.
        """
        if self.rules is None or not self.is_exact:
            return 0
        return self.rules.surplus_position(span.batch.rows[span.first])

    def matches(self, header: list[str], text: str, separator: str) -> bool:
        """Return whether a set matches the pattern for whole sets, without being split.

        A set that does not match may still be valid.

        Args:
            header: The ST of the set.
            text: The text after ST, with a separator before each segment.
            separator: The text between two segments.
        """
        rules = self.rules
        if rules is None or self.frame_faults or rules.surplus_position(header):
            return False
        found = rules.match(text, len(separator), separator)
        return (
            found is not None
            and found.end() == len(text)
            and rules.passes_cross_checks(text, separator)
        )

    def accepts(self, start: SegmentSpan, body: SegmentSpan, end: SegmentSpan) -> bool:
        """Return whether nothing is wrong with a set: ST, what it holds, SE; never wrongly True."""
        if (
            self.rules is None
            or self.frame_faults
            or self.surplus_position(start)
            or self.surplus_position(end)
        ):
            return False
        return self.rules.accepts(body)


class SetKinds:
    """The kinds of sets of a document whose envelope is being followed."""

    def __init__(self, envelope: Envelope, options: Options) -> None:
        self._envelope = envelope
        self._options = options
        self.first: SetCheck | None = None
        """The check of the first set."""
        self.level = ENVELOPE_ONLY
        """The lowest SNIP level of any so far."""
        self.has_unchecked = False
        """Some sets are not checked as the document requires."""
        self._groups = 0  # that begin before the set at hand, or with it
        self._last: SetKind | None = None

    def of(self, start: SegmentSpan) -> SetKind:
        """Return the kind of a set; consecutive sets of one kind share it."""
        return self.of_set(self._envelope.sets[start.tx_index - 1], start.batch.delimiters)

    def of_set(self, summary: SetSummary, delimiters: Delimiters) -> SetKind:
        """Return the kind of a set, as ``of``, from its summary."""
        group, kind = self._group_of(summary), self._last
        if (
            kind is None
            or group is None
            or kind.group is not group
            or kind.set_id != summary.set_id
            or kind.reference != element_at(summary.header, 3)
            or kind.delimiters is not delimiters
        ):
            self._last = kind = self._new_kind(summary, group, delimiters)
        return kind

    def next_kind(self, header: list[str], delimiters: Delimiters) -> SetKind | None:
        """Return the kind of the set that begins next, with this ST; None outside groups."""
        group, kind = self._envelope.open_group, self._last
        if group is None:
            return None
        if (
            kind is None
            or kind.group is not group
            or kind.set_id != header[1]
            or kind.reference != element_at(header, 3)
            or kind.delimiters is not delimiters
        ):
            summary = SetSummary(0, header[1], header[2], group.version, header)
            self._last = kind = self._new_kind(summary, group, delimiters)
        return kind

    def _new_kind(
        self, summary: SetSummary, group: GroupSummary | None, delimiters: Delimiters
    ) -> SetKind:
        interchanges = self._envelope.interchanges
        at = -1 if group is None or group.interchange is None else group.interchange
        interchange_version = interchanges[at].header[12] if interchanges else ""
        version = "" if group is None else group.version
        reference = element_at(summary.header, 3)
        found = self._resolve(summary.set_id, version, interchange_version, reference)
        found = self._with_own_codes(found, group)
        rules = self._made(found, delimiters)
        named = self._unknown_guide(summary.set_id, found, version, reference)
        fault = "" if named is None else self._guide_fault(summary.set_id, named)
        check = _check(found, rules, named, fault)
        self._note(check)
        faults = () if group is None else (*self._frame_faults(summary, group),)
        faults += tuple(_reference_faults(summary, version, found))
        convention = convention_of(version or reference)
        asked = self._options.guide or found.release
        notice = _notice(summary.set_id, asked, check, convention)
        is_exact = found.exactness == "exact"
        return SetKind(
            group, summary.set_id, reference, delimiters, check, rules, faults, notice, is_exact
        )

    def _note(self, check: SetCheck) -> None:
        self.level = check.snip_level if self.first is None else min(self.level, check.snip_level)
        self.has_unchecked = self.has_unchecked or not check.is_complete
        self.first = self.first or check

    def _made(self, found: Resolution, delimiters: Delimiters) -> SetRules | None:
        definition = found.definition
        if definition is None:
            return None
        context = SetContext(delimiters, definition.release, self._options.charset)
        vocabulary = self._options.dictionary.vocabulary_of(definition)
        return rules_of(definition, context, vocabulary)

    def _resolve(
        self, set_id: str, version: str, interchange_version: str, reference: str
    ) -> Resolution:
        """Return the definition of a set; its code lists are open if they are not to refuse."""
        found = self._found(set_id, version, interchange_version, reference)
        definition = found.definition
        # A later release may have codes that the lists do not have.
        is_later = definition is not None and found.release > definition.release
        if definition is not None and (is_later or not self._options.has_strict_lists):
            return found._replace(definition=with_open_lists(definition))
        return found

    def _with_own_codes(self, found: Resolution, group: GroupSummary | None) -> Resolution:
        """Return a definition with the users' codes of the day of its group."""
        lists, definition = self._options.code_lists, found.definition
        if lists is None or definition is None:
            return found
        changes = lists.changes_on("" if group is None else element_at(group.header, 4))
        return found._replace(definition=with_own_codes(definition, changes))

    def _found(
        self, set_id: str, version: str, interchange_version: str, reference: str
    ) -> Resolution:
        options, dictionary = self._options, self._options.dictionary
        if options.guide:
            held = dictionary.held_guide(set_id, options.guide)
            release = options.release or dictionary.guide_release(set_id, held)
            found = self._under(set_id, release, options.guide)
            if found is not None:
                return found
            version = options.release or release_of(options.guide, "") or version
            return dictionary.resolve(set_id, release_of(version, interchange_version))
        if options.release:
            for named in filter(names_guide, (reference, version)):
                found = self._under(set_id, options.release, named)
                if found is not None:  # of the requested release
                    return found
            return dictionary.resolve(set_id, options.release)
        return dictionary.resolve(set_id, version or reference, interchange_version, reference)

    def _under(self, set_id: str, release: str, named: str) -> Resolution | None:
        """Return the definition under the guide that is named, or under its nearest edition."""
        dictionary = self._options.dictionary
        guide = dictionary.held_guide(set_id, named)
        found = dictionary.definition(set_id, release, guide) if guide else None
        if found is None:
            return None
        fit: Exactness = "exact" if guide == named else "nearest"
        return Resolution(found, fit, release)

    def _unknown_guide(
        self, set_id: str, found: Resolution, version: str, reference: str
    ) -> str | None:
        """Return the guide that the caller, ST03 or GS08 names, if another one is in force."""
        options, in_force = self._options, None
        if found.definition is not None:
            in_force = found.definition.guide
        if options.guide:
            held = options.dictionary.held_guide(set_id, options.guide)
            return None if in_force and in_force == held else options.guide
        if in_force:
            return None
        has_reference = not found.release or found.release >= _REFERENCE_SINCE
        names = (reference, version) if has_reference else (version,)
        named = next(filter(names_guide, names), None)
        if named and options.release and options.dictionary.held_guide(set_id, named):
            return None  # the caller chose the release instead of this guide
        return named

    def _guide_fault(self, set_id: str, named: str) -> str:
        """Return why a known set is not checked against a guide that is named."""
        dictionary = self._options.dictionary
        guide = f"guide {named}" if quotable(named) else "the guide that is named"
        if dictionary.guide_release(set_id, named):
            return f"{guide} is not of this release"
        known = named in dictionary.guides()
        return f"{guide} does not describe {set_id}" if known else f"{guide} is not known"

    def _group_of(self, summary: SetSummary) -> GroupSummary | None:
        """Return the group of a set. The walk may be ahead, by groups and sets."""
        groups, at = self._envelope.groups, self._groups
        while at < len(groups) and groups[at].first_set <= summary.index:
            at += 1
        self._groups = at
        return groups[at - 1] if at and summary.index in groups[at - 1].sets else None

    def _frame_faults(self, summary: SetSummary, group: GroupSummary) -> Iterator[FrameFault]:
        """Compare the set with the group around it."""
        functional_id = self._options.dictionary.functional_ids.get(summary.set_id)
        if functional_id is not None and element_at(group.header, 1) != functional_id:
            message = f"set {summary.set_id} belongs in a group {functional_id}, not in this one"
            yield FrameFault(FindingCode.SET_NOT_IN_GROUP, message, 1, _ST01)
        elif functional_id is None and element_at(group.header, 1) == _ACKNOWLEDGEMENTS:
            name = quotable(summary.set_id)
            named = f"set {name}" if name else "this set"
            message = f"a group {_ACKNOWLEDGEMENTS} holds acknowledgements, {named} is none"
            yield FrameFault(FindingCode.SET_NOT_IN_GROUP, message, 1, _ST01)


def _reference_faults(summary: SetSummary, version: str, found: Resolution) -> Iterator[FrameFault]:
    """Compare ST03 with GS08 ``version`` and with the guide that is in force, which demands it."""
    reference = element_at(summary.header, 3)
    guide = found.definition.guide if found.definition is not None else None
    if guide and found.exactness == "nearest":  # another edition of it, which names itself
        guide = version if names_guide(version) else reference
    demanded = guide if guide and is_guide_id(guide) and guide >= _REFERENCE_SINCE else ""
    is_required = demanded and summary.set_id != _WITHOUT_REFERENCE
    if reference and names_guide(version) and reference != version:
        message = "ST03 differs from the guide that GS08 names"
        yield FrameFault(FindingCode.SET_REFERENCE_UNEXPECTED, message, 3, _ST03)
    elif reference and demanded and reference != demanded:
        message = f"ST03 differs from the guide it is checked against, {demanded}"
        yield FrameFault(FindingCode.SET_REFERENCE_UNEXPECTED, message, 3, _ST03)
    elif is_required and not reference:
        message = f"ST03 is missing, which guide {demanded} requires"
        yield FrameFault(FindingCode.ELEMENT_MISSING, message, 3, _ST03, demanded)


def _check(
    found: Resolution, rules: SetRules | None, named_guide: str | None, guide_fault: str
) -> SetCheck:
    """Return the check of sets of a kind; without the guide that is named, syntax alone."""
    definition = found.definition
    named = None if named_guide is None else quotable(named_guide)
    if definition is None or rules is None:
        return SetCheck("none", None, named, ENVELOPE_ONLY)
    if named is not None:
        return SetCheck("standard", definition, named, SYNTAX, guide_fault)
    level = GUIDE if definition.guide else SYNTAX
    return SetCheck(found.exactness, definition, None, BALANCING if rules.is_balanced else level)


def _notice(set_id: str, asked: str, check: SetCheck, convention: str) -> SetNotice | None:
    """Return the finding about a check; None if it is everything that was requested."""
    used = check.used
    if used is None:
        at = f" at {quotable(asked)}" if quotable(asked) else ""
        message = f"no definition for {quotable(set_id) or 'this set'}{at}: structure not checked"
        return SetNotice(FindingCode.NO_DEFINITION, message)
    if check.guide_fault:
        message = f"{check.guide_fault}; checked against {used.tx_set} {used.release} only"
        return SetNotice(FindingCode.GUIDE_UNKNOWN, message)
    if check.definition == "nearest":
        by = f"guide {used.guide}" if used.guide else f"release {used.release}"
        message = f"checked against {by}, the nearest available"
        if convention and not used.guide:
            message += f"; convention {convention} is not checked"
        return SetNotice(FindingCode.NEAREST_DEFINITION, message)
    if convention and used.guide is None:
        message = f"checked against {set_id} {used.release}; convention {convention} is not checked"
        return SetNotice(FindingCode.CONVENTION_NOT_CHECKED, message)
    return None


def quotable(text: str) -> str:
    """Return a set id, release or guide that is safe to quote; ``""`` for any other text."""
    return text if text.isascii() and text.isalnum() and len(text) <= _MAX_NAME else ""
