"""Generated reference pages about X12: finding codes, the sets and the doubts of the dictionary."""

from collections.abc import Iterator
from importlib import resources
from types import MappingProxyType

from longshore.x12.dictionary.library import shipped
from longshore.x12.findings import ACK_CODES, SEVERITIES, FindingCode
from longshore.x12.validate.balance import AMOUNTS
from longshore.x12.validate.line_totals import LINES

_ACK_NAMES = MappingProxyType({
    "interchange": "TA105",
    "group": "AK905",
    "set": "AK502",
    "segment": "AK304",
    "element": "AK403",
})

MEANINGS = MappingProxyType({
    FindingCode.LEADING_GARBAGE: "there is text before the ISA; it is not read",
    FindingCode.ISA_NOT_FIXED_WIDTH: "the padding of the ISA was trimmed",
    FindingCode.SEPARATOR_OVERRIDE_CONFLICT: "the requested separators contradict the ISA",
    FindingCode.NO_ENVELOPE: "there is no ISA; the separators were guessed",
    FindingCode.WRAPPED_LINES: "the document was wrapped at a line length",
    FindingCode.LINE_BREAK_IN_DATA: "a line break in the data is kept",
    FindingCode.EMPTY_SEGMENT: "there is nothing between two terminators",
    FindingCode.LOWERCASE_SEGMENT_ID: "a segment id in lower case",
    FindingCode.BAD_SEGMENT_ID: "a segment begins with something that is no segment id",
    FindingCode.MISSING_FINAL_TERMINATOR: "the last segment has no terminator",
    FindingCode.TRAILING_DATA: "there is text outside every interchange; it is not read",
    FindingCode.TRAILING_SEPARATORS: "a segment ends with empty elements",
    FindingCode.BINARY_LENGTH_MISMATCH: "the length of a binary segment does not lead to its end",
    FindingCode.BINARY_BASE64: "binary data that is no text is given in base64",
    FindingCode.EXTENDED_CHARSET: "a character outside the extended character set",
    FindingCode.RELEASE_CHARACTER_INVALID: "ISX01 cannot be used as a release character",
    FindingCode.POSITION_OUT_OF_RANGE: "positions beyond 999 have no key",
    FindingCode.NO_DEFINITION: "the dictionary does not know this set in this release",
    FindingCode.NEAREST_DEFINITION: "validated by the nearest release",
    FindingCode.GUIDE_UNKNOWN: "the named guide is not known, or is for other "
    "sets; only the standard is checked",
    FindingCode.CONVENTION_NOT_CHECKED: "GS08 names an industry convention, which is not checked",
    FindingCode.FINDINGS_TRUNCATED: "the number of findings that are not listed, by code",
    FindingCode.CONTROL_NUMBER_PADDING: "IEA02 differs from ISA13 only in its padding",
    FindingCode.TA1_ONLY_GROUP_COUNT: "IEA01 counts a TA1 as a group",
    FindingCode.TA1_AFTER_GROUP: "a TA1 follows a functional group",
    FindingCode.COMPONENT_SEPARATOR_MISMATCH: "the data uses another component separator than "
    "ISA16 declares; `folded` findings follow from it",
    FindingCode.REPETITION_SEPARATOR_MISMATCH: "the data uses another repetition separator than "
    "ISA11 declares; `folded` findings follow from it",
    FindingCode.REPETITION_SEPARATOR_IN_DATA: "the repetition separator of ISA11 occurs in "
    "ordinary data; `folded` findings follow from it",
    FindingCode.UNKNOWN_QUALIFIER: "an interchange id qualifier that is not known",
    FindingCode.INTERCHANGE_NUMBER_MISMATCH: "IEA02 differs from ISA13",
    FindingCode.TERMINATOR_INVALID: "the segment terminator cannot be used",
    FindingCode.SENDER_QUALIFIER_INVALID: "ISA05 is not valid",
    FindingCode.SENDER_ID_INVALID: "ISA06 is not valid",
    FindingCode.RECEIVER_QUALIFIER_INVALID: "ISA07 is not valid",
    FindingCode.RECEIVER_ID_INVALID: "ISA08 is not valid",
    FindingCode.AUTHORIZATION_QUALIFIER_INVALID: "ISA01 is not valid",
    FindingCode.SECURITY_QUALIFIER_INVALID: "ISA03 is not valid",
    FindingCode.INTERCHANGE_DATE_INVALID: "ISA09 is not a date",
    FindingCode.INTERCHANGE_TIME_INVALID: "ISA10 is not a time",
    FindingCode.STANDARDS_ID_INVALID: "ISA11 is not valid",
    FindingCode.INTERCHANGE_VERSION_INVALID: "ISA12 is not valid",
    FindingCode.INTERCHANGE_NUMBER_INVALID: "ISA13 is not valid",
    FindingCode.ACK_REQUESTED_INVALID: "ISA14 is not valid",
    FindingCode.USAGE_INDICATOR_INVALID: "ISA15 is not valid",
    FindingCode.GROUP_COUNT_WRONG: "IEA01 is not the number of groups",
    FindingCode.CONTROL_STRUCTURE_INVALID: "a control segment at a place where it is not allowed",
    FindingCode.INTERCHANGE_TRAILER_MISSING: "the IEA is missing",
    FindingCode.INTERCHANGE_CONTENT_INVALID: "segments or sets outside every group, or a bad GS",
    FindingCode.ELEMENT_SEPARATOR_INVALID: "the element separator cannot be used",
    FindingCode.GROUP_DATE_INVALID: "GS04 is not a date",
    FindingCode.GROUP_TIME_INVALID: "GS05 is not a time",
    FindingCode.GROUP_AGENCY_INVALID: "GS07 is not X or T",
    FindingCode.GROUP_ELEMENTS_SURPLUS: "more elements than a GS or GE has",
    FindingCode.INTERCHANGE_ELEMENTS_SURPLUS: "more elements than an IEA has",
    FindingCode.COMPONENT_SEPARATOR_INVALID: "the component separator cannot be used",
    FindingCode.GROUP_TRAILER_MISSING: "the GE is missing",
    FindingCode.GROUP_NUMBER_MISMATCH: "GE02 differs from GS06",
    FindingCode.SET_COUNT_WRONG: "GE01 is not the number of sets",
    FindingCode.GROUP_NUMBER_INVALID: "GS06 is not 1 to 9 digits",
    FindingCode.GROUP_NUMBER_REPEATED: "GS06 occurs twice in the interchange",
    FindingCode.SET_TRAILER_MISSING: "the SE is missing",
    FindingCode.SET_NUMBER_MISMATCH: "SE02 differs from ST02",
    FindingCode.SEGMENT_COUNT_WRONG: "SE01 is not the number of segments",
    FindingCode.SET_ID_INVALID: "ST01 is not 3 characters",
    FindingCode.SET_NUMBER_INVALID: "ST02 is not 4 to 9 characters",
    FindingCode.SET_NUMBER_REPEATED: "ST02 occurs twice in the group",
    FindingCode.SET_NOT_IN_GROUP: "the set does not belong in a group of this GS01",
    FindingCode.SET_REFERENCE_UNEXPECTED: "ST03 is not the guide of GS08 or of the definition",
    FindingCode.SEGMENT_UNKNOWN: "a segment id that no dictionary has",
    FindingCode.SEGMENT_UNEXPECTED: "a segment of another place or loop of this set",
    FindingCode.SEGMENT_MISSING: "a mandatory segment or loop is missing",
    FindingCode.LOOP_OVER_MAXIMUM: "a loop occurs too often",
    FindingCode.SEGMENT_OVER_MAXIMUM: "a segment occurs too often",
    FindingCode.SEGMENT_NOT_IN_SET: "a known segment that this set does not have",
    FindingCode.SEGMENT_OUT_OF_ORDER: "a segment comes after its position in the set",
    FindingCode.SEGMENT_NOT_USED: "a segment that the guide does not use here",
    FindingCode.LOOP_UNDER_MINIMUM: "a loop that only the guide requires is missing",
    FindingCode.SEGMENT_UNDER_MINIMUM: "a segment that only the guide requires is missing",
    FindingCode.ELEMENT_MISSING: "a mandatory element or component is missing",
    FindingCode.ELEMENT_CONDITION_MISSING: "an element that others require is missing",
    FindingCode.TOO_MANY_ELEMENTS: "more elements than the segment has",
    FindingCode.ELEMENT_TOO_SHORT: "a value below its minimum length",
    FindingCode.ELEMENT_TOO_LONG: "a value above its maximum length",
    FindingCode.CHARACTER_INVALID: "a character that the type does not allow",
    FindingCode.CODE_INVALID: "a code outside a strict list",
    FindingCode.DATE_INVALID: "not a date of the calendar",
    FindingCode.TIME_INVALID: "not a time of the day",
    FindingCode.EXCLUSION_VIOLATED: "two elements of which only one may be present",
    FindingCode.TOO_MANY_REPETITIONS: "an element repeats too often",
    FindingCode.TOO_MANY_COMPONENTS: "more components than the composite has",
    FindingCode.CODE_NOT_USED: "a code that the guide or partner does not use here",
    FindingCode.ELEMENT_NOT_USED: "an element that the guide or partner does not use here",
    FindingCode.HIERARCHY_INVALID: "HL02 names no HL that can be the parent of this one",
    FindingCode.NUMBER_FORM: "a number that ends with its decimal point",
    FindingCode.CHECK_DIGIT_WRONG: (
        "the check digit of an identifier, such as an NPI: see [x12](x12.md), section 1.9"
    ),
    FindingCode.PAYMENT_OUT_OF_BALANCE: "835: see [balancing](balancing.md)",
    FindingCode.CLAIM_OUT_OF_BALANCE: "835, 837: see [balancing](balancing.md)",
    FindingCode.SERVICE_OUT_OF_BALANCE: "835, 837: see [balancing](balancing.md)",
    FindingCode.INVOICE_OUT_OF_BALANCE: "810: see [balancing](balancing.md)",
    FindingCode.REMITTANCE_OUT_OF_BALANCE: "820: see [balancing](balancing.md)",
    FindingCode.LINE_COUNT_WRONG: "CTT01 is not the number of lines",
    FindingCode.HASH_TOTAL_WRONG: "CTT02 is not the sum of the quantities",
    FindingCode.ACK_CODE_UNKNOWN: "a received acknowledgement has a code that is not known",
    FindingCode.ACK_COUNTS: "the counts of a received acknowledgement contradict each other",
})


def finding_rows() -> Iterator[str]:
    """Yield the table of finding codes, in the order of the code."""
    yield "| code | severity | acknowledgement code | meaning |"
    yield "|---|---|---|---|"
    for code in FindingCode:
        codes = ACK_CODES.get(code, {}).items()
        answered = ", ".join(f"{_ACK_NAMES[level]} {value}" for level, value in codes)
        yield f"| `{code}` | {SEVERITIES[code]} | {answered} | {MEANINGS[code]} |"


def doubt_rows() -> Iterator[str]:
    """Yield the table of lines in the dictionary that carry a mark of doubt."""
    yield "| file | line | in doubt |"
    yield "|---|---|---|"
    root = resources.files("longshore.x12.dictionary") / "data"
    for folder in ("", "sets", "guides"):
        place = root / folder if folder else root
        for file in sorted(place.iterdir(), key=lambda each: each.name):
            if file.name.endswith(".xd"):
                name = f"{folder}/{file.name}" if folder else file.name
                yield from _doubts(name, file.read_text(encoding="utf-8"))


def _doubts(name: str, text: str) -> Iterator[str]:
    for line in text.splitlines():
        said, mark, doubt = line.partition("# ?")
        if mark:
            shown = " ".join(said.split()).replace("|", "\\|")
            yield f"| {name} | `{shown}` | {doubt.strip().replace('|', chr(92) + '|')} |"


def code_list_rows() -> Iterator[str]:
    """Yield the table of code lists, by name."""
    words = shipped().vocabulary
    elements: dict[str, dict[str, None]] = {}
    for number, lines in words.elements.items():
        for line in lines:
            elements.setdefault(line.codes, {})[number] = None
    yield "| list | elements | codes with a meaning | other codes |"
    yield "|---|---|--:|---|"
    for name, each in sorted(words.code_lists.items()):
        count = len({code for code, _, _ in each.codes})
        others = "refused, unless in a block" if each.blocks else "refused"
        others = others if each.is_strict else "accepted"
        yield f"| `{name}` | {', '.join(elements[name])} | {count} | {others} |"


def code_lists_summary() -> str:
    """Return what the code lists check, with their number."""
    lists = shipped().vocabulary.code_lists.values()
    return (
        f"Longshore has {len(lists)} code lists, of which {sum(each.is_strict for each in lists)} "
        "are strict: a code outside a strict list is an error with code 7 in AK403 or IK403. "
        "Many lists of the standard are long; then the list has meanings, in our own words, for "
        "the usual codes, and blocks such as `[A-K][0-9]` for all others. The blocks were compared "
        "with public descriptions of the lists and made wider than them: a code that X12 does not "
        "have may be accepted, and one that it has should never be refused. If it is, tell us, "
        "and set `codes` of the [partner](partner-settings.md) to `off`, which accepts any code. "
        "Documents of a later release than that of the lists are never refused for a code. "
        "Lists of other owners (procedure and diagnosis codes, revenue codes, reasons of claim "
        "adjustments, carriers) are not part of Longshore, and their elements accept any code, "
        "until you [import](../howto/use-your-own-codes.md) a list. "
        "[dictionary.md](dictionary.md) describes the files."
    )


def set_rows() -> Iterator[str]:
    """Yield the table of transaction sets that have a definition, and what is compared in each."""
    yield "| set | name | GS01 | releases | guides | positions | added up |"
    yield "|---|---|---|---|---|---|---|"
    for entry in shipped().contents:
        counts = "/".join(
            str(sum(1 for _ in found.positions()))
            for release in entry.releases
            if (found := shipped().definition(entry.tx_set, release)) is not None
        )
        sums = ["amounts"] * (entry.tx_set in AMOUNTS) + ["lines"] * (entry.tx_set in LINES)
        cells = (
            *(entry.tx_set, entry.title, entry.functional_id, ", ".join(entry.releases)),
            *(", ".join(entry.guides), counts, ", ".join(sums)),
        )
        yield f"| {' | '.join(cells)} |"


def sets_summary() -> str:
    """Return how many sets and guides there are."""
    sets = len(shipped().contents)
    return f"{sets} transaction sets and {len(shipped().guides())} implementation guides"
