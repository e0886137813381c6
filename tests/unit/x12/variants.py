"""The documents in tests/sets: a valid one of each set and release, and broken variants of it."""

import tomllib
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import NamedTuple

from longshore.x12.acks.build import preview_acks
from longshore.x12.acks.contexts import add_contexts
from longshore.x12.findings import Finding
from longshore.x12.validate.validation import Validation, validate
from longshore.x12.walk import Walk

SETS = Path(__file__).resolve().parents[2] / "sets"
NAMES = sorted(path.stem for path in SETS.glob("*.toml"))
FAULTS = ("missing", "maximum", "order", "element", "code")  # and one of note and count
_TRAILER_AT = -3  # SE, GE, IEA


class Said(NamedTuple):
    """What is said about a document: each finding without its words, and the answer to it."""

    findings: list[dict[str, object]]
    answer: str


class Variant(NamedTuple):
    """A broken variant. ``answer``: the acknowledgement from AK2 to AK9."""

    of: str
    fault: str
    name: str
    text: str
    expected: Said


def content_of(name: str) -> dict[str, object]:
    return tomllib.loads((SETS / f"{name}.toml").read_text("utf-8"))


def document_of(name: str) -> tuple[str, str]:
    """Return the valid document and the answer to it."""
    content = content_of(name)
    document, accepted = content["document"], content["accepted"]
    assert isinstance(document, str)
    assert isinstance(accepted, str)
    return document.lstrip("\n"), accepted


def variants() -> Iterator[Variant]:
    for name in NAMES:
        document, _ = document_of(name)
        broken = content_of(name)["broken"]
        assert isinstance(broken, list)
        for each in broken:
            text = edited(document, each["edits"])
            expected = Said(list(map(_full, each["findings"])), each["answer"])
            yield Variant(name, each["fault"], each["name"], text, expected)


def edited(document: str, edits: list[list[int | str]]) -> str:
    """Edit segments by their position in the set, ST = 1; SE01 follows unless it is edited."""
    lines = document.splitlines()
    first = next(at for at, line in enumerate(lines) if line.startswith("ST*")) - 1
    was, trailer = len(lines), lines[_TRAILER_AT]
    for verb, position, *rest in edits:
        at = first + int(position)
        if verb == "insert":
            lines.insert(at, f"{rest[0]}~")
        elif verb == "replace":
            lines[at] = f"{rest[0]}~"
        elif verb == "delete":
            del lines[at]
        else:
            assert verb == "move"
            lines.insert(first + int(rest[0]), lines.pop(at))
    if lines[_TRAILER_AT] == trailer:
        tag, count, number = trailer.split("*")
        lines[_TRAILER_AT] = f"{tag}*{int(count) + len(lines) - was}*{number}"
    return "\n".join(lines) + "\n"


def _full(short: Mapping[str, object]) -> dict[str, object]:
    """Write out what a file leaves to the reader."""
    segment, _, element = str(short.get("ack", "")).partition("/")
    ack_code = {"segment": segment, "element": element, "set": str(short.get("set", ""))}
    return {
        "code": short["code"],
        "severity": short.get("severity", "error"),
        "layer": short.get("layer", "standard"),
        "segment": short["segment"],
        "position": short["position"],
        "loop": short.get("loop"),
        "element": short.get("element"),
        "component": short.get("component"),
        "repeat": short.get("repeat"),
        "ref": short.get("ref"),
        "ack_code": {key: code for key, code in ack_code.items() if code} or None,
    }


def _without_words(finding: Finding) -> dict[str, object]:
    return {
        "code": finding.code,
        "severity": finding.severity,
        "layer": finding.layer,
        "segment": finding.segment_id,
        "position": finding.segment_position,
        "loop": finding.loop_id,
        "element": finding.element_position,
        "component": finding.component_position,
        "repeat": finding.repeat,
        "ref": finding.element_ref,
        "ack_code": dict(finding.ack_code) if finding.ack_code else None,
    }


def validated(text: str) -> Validation:
    return validate(lambda: (text,))


def answer_to(text: str, validation: Validation) -> str:
    """Return what the acknowledgement says from AK2 to AK9; ``""`` if there is none."""
    add_contexts(Walk(lambda: (text,)), validation.results)
    made = [written.text for _, written in preview_acks(validation.envelope, validation.results)]
    if not made:
        return ""
    [answer] = made
    segments = answer.split("~")
    first = next(at for at, each in enumerate(segments) if each.startswith("AK1*")) + 1
    last = next(at for at, each in enumerate(segments) if each.startswith("SE*"))
    assert segments[last].split("*")[1] == str(last - first + 3)
    return "~".join((*segments[first:last], ""))


def said(text: str) -> Said:
    validation = validated(text)
    assert validation.finding_count == len(validation.findings)
    return Said(list(map(_without_words, validation.findings)), answer_to(text, validation))
