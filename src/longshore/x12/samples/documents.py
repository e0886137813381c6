"""Make whole sample documents: sets, the fault that is wanted, and the envelope around them."""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import Final

from longshore.kit.errors import ErrorCode, ErrorDetail, LongshoreError
from longshore.x12.dictionary.model import Definition
from longshore.x12.findings import FindingCode
from longshore.x12.samples.envelope_faults import ENVELOPE_FAULTS, break_envelope
from longshore.x12.samples.expected import ExpectedFinding, GeneratedSample
from longshore.x12.samples.faults import FAULTS, broken_rows, faults
from longshore.x12.samples.interchange import RECEIVER, SENDER, SampleAddress, interchange, text_of
from longshore.x12.samples.numbers import SeededNumbers
from longshore.x12.samples.parts import SampleKind
from longshore.x12.samples.sample_set import SampleSet, sample_set

MAX_SETS: Final = 10_000
MAX_SEED: Final = 2**53 - 1  # which every JSON reader holds exactly
ANY_FAULT: Final = "any"
SAMPLE_FAULTS: Final = tuple(map(str, (*FAULTS, *ENVELOPE_FAULTS)))
"""The faults that a sample can have, each named by the finding that it leads to."""
_ADDRESS = re.compile(r"([0-9A-Z]{2}):([0-9A-Z][0-9A-Z .&-]{0,13}[0-9A-Z])")


@dataclass(frozen=True, slots=True, kw_only=True)
class SampleOrder:
    """The wishes for a sample: the arguments of ``longshore.engine.sample``."""

    kind: str
    seed: int
    count: int
    fault: str
    sender: str
    receiver: str

    def check(self) -> None:
        """Refuse what no sample can be.

        Raises:
            LongshoreError: invalid_parameter.
        """
        _check_choice("kind", self.kind, tuple(SampleKind))
        _check_choice("fault", self.fault, ("", ANY_FAULT, *SAMPLE_FAULTS))
        _check_range("seed", self.seed, 0, MAX_SEED)
        _check_range("count", self.count, 1, MAX_SETS)

    def addresses(self) -> tuple[SampleAddress, SampleAddress]:
        """Return the addresses of sender and receiver.

        Raises:
            LongshoreError: invalid_parameter.
        """
        return (
            read_address("sender", self.sender) if self.sender else SENDER,
            read_address("receiver", self.receiver) if self.receiver else RECEIVER,
        )


def make_document(definition: Definition, order: SampleOrder) -> GeneratedSample:
    """Return the document of an order.

    Raises:
        LongshoreError: invalid_parameter: the order is not possible.
    """
    order.check()
    ends, seed, kind = order.addresses(), order.seed, SampleKind(order.kind)
    sets = [sample_set(definition, kind, seed + at) for at in range(order.count)]
    bodies = [each.rows for each in sets]
    code = _code_of(order.fault, sets[0], seed) if order.fault else None
    expected: tuple[ExpectedFinding, ...] = ()
    if code is not None and code in FAULTS:
        content = next(faults(code, sets[0], SeededNumbers(seed)))
        bodies[0], expected = broken_rows(sets[0], content), content.expected
    rows = interchange(sets[0], bodies, seed + 1, *ends)
    if code is not None and code in ENVELOPE_FAULTS:
        expected = (break_envelope(code, rows),)
    return GeneratedSample(
        text=text_of(rows),
        tx_set=definition.tx_set,
        release=definition.release,
        guide=definition.guide,
        kind=kind,
        seed=seed,
        fault=code,
        expected=expected,
    )


def _code_of(fault: str, first: SampleSet, seed: int) -> FindingCode:
    """Return the fault to make: that one, or any that the set has a place for.

    Raises:
        _invalid: A LongshoreError invalid_parameter: the set has no place for it.
    """
    codes = [*FAULTS, *ENVELOPE_FAULTS] if fault == ANY_FAULT else [FindingCode(fault)]
    for code in SeededNumbers(seed).shuffled(codes):
        if code in ENVELOPE_FAULTS or any(faults(code, first, SeededNumbers(seed))):
            return code
    message = f"This document has no place for {fault}; use another kind, seed or set."
    raise _invalid("fault", message)


def _check_choice(name: str, value: str, allowed: tuple[str, ...]) -> None:
    if value not in allowed:
        known = tuple(filter(None, allowed))
        raise _invalid(name, f"{name} must be one of {', '.join(known)}.", known)


def _check_range(name: str, value: int, first: int, last: int) -> None:
    if not first <= value <= last:
        raise _invalid(name, f"{name} must be {first} to {last}.")


def read_address(name: str, text: str) -> SampleAddress:
    """Return the address in a text such as ``ZZ:ACME``, the value of the argument ``name``.

    Raises:
        _invalid: A LongshoreError invalid_parameter.
    """
    found = _ADDRESS.fullmatch(text)
    if found is None:
        message = (
            f"{name} must be a qualifier and an id, such as ZZ:ACME: two, and two to fifteen,"
            " capital letters and digits."
        )
        raise _invalid(name, message)
    return SampleAddress(found[1], found[2])


def _invalid(name: str, message: str, allowed: tuple[str, ...] = ()) -> LongshoreError:
    code = ErrorCode.INVALID_PARAMETER
    detail = ErrorDetail(code=code, message=message, param=name, allowed=allowed)
    return LongshoreError(code, message, details=(detail,))
