"""The answer of validation as JSON, within a limit of bytes.

Source: contract.md section 3.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from functools import lru_cache
from json import JSONEncoder, dumps
from typing import Final

from longshore.formats.document import findings_json
from longshore.x12.findings import Finding
from longshore.x12.validate.outcome import CheckedSet, SetCheck, ValidationOutcome
from longshore.x12.validate.validation import Validation

_MAX_CHECKS: Final = 64  # entries of the cache


def validation_head(validation: Validation) -> bytes:
    """Return the members about the whole document, without the closing brace."""
    first = validation.first
    names = f',"tx_set":{_text(validation.tx_set)},"version":{_text(validation.version)}'
    return b"{%s%s%s" % (
        _OUTCOMES[validation.outcome],
        names.encode(),
        _check_json(first._replace(snip_level=validation.snip_level))[:-1],
    )


def sets_json(sets: Iterable[CheckedSet]) -> Iterator[bytes]:
    """Yield each transaction set as a JSON object."""
    for summary, check, outcome in sets:
        head = (
            f'{{"index":{summary.index},"tx_set":{_text(summary.set_id)},'
            f'"control_number":{_text(summary.control_number)},'
            f'"version":{_text(summary.version)},'
        )
        yield head.encode() + _OUTCOMES[outcome] + _check_json(check)


def each_finding_json(findings: Iterable[Finding]) -> Iterator[bytes]:
    """Yield each finding as a JSON object."""
    for finding in findings:
        yield findings_json((finding,))[1:-1]


def fitting(items: Iterable[bytes], room: int) -> Iterator[bytes]:
    """Yield the first items that fit into ``room`` bytes, a comma behind each counted."""
    for item in items:
        room -= len(item) + 1
        if room < 0:
            return
        yield item


@lru_cache(maxsize=_MAX_CHECKS)
def _check_json(check: SetCheck) -> bytes:
    """Return the members about what a set was checked against, from the comma to the end."""
    members = _json({
        "definition": check.definition,
        "own_definition": check.used is not None and bool(check.used.own),
        "guide": check.guide,
        "named_guide": check.named_guide or None,
        "snip_level": check.snip_level,
        "codes_checked": check.codes._asdict(),
    })
    return b",%s" % members[1:]


def _json(members: dict[str, object]) -> bytes:
    return dumps(members, ensure_ascii=False, separators=(",", ":")).encode()


_text: Final = JSONEncoder(ensure_ascii=False).encode
_OUTCOMES: Final[Mapping[ValidationOutcome, bytes]] = {
    each: _json({"outcome": each, "valid": each.is_valid})[1:-1] for each in ValidationOutcome
}
