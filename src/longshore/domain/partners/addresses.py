"""Who is addressed by an ISA: identities compared, and partners found by them.

Ids compare without padding at their end, leading zeros count. An id that differs in case alone is
found where no other is, with a warning.

Source: x12.md section 4.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import NamedTuple

from longshore.domain.partners.model import Identity


class Address(NamedTuple):
    """Qualifier and id of one side of an ISA, without padding."""

    qualifier: str
    id: str


class Pair(NamedTuple):
    """Who sends to whom."""

    sender: Address
    receiver: Address

    def swapped(self) -> Pair:
        """Return the pair of an answer."""
        return Pair(self.receiver, self.sender)


class AddressMatches(NamedTuple):
    """The addresses of a list that match one address."""

    indexes: tuple[int, ...]
    is_exact: bool
    """False if they are written in another case."""


def pair_of(isa: list[str]) -> Pair:
    """Return who sends to whom by the id and the elements of an ISA."""
    texts = [element.rstrip(" ") for element in isa]
    return Pair(Address(texts[5], texts[6]), Address(texts[7], texts[8]))


def address_of(identity: Identity) -> Address:
    """Return where somebody is addressed."""
    return Address(identity.qualifier, identity.isa_id)


def having(address: Address, all_of: Iterable[Identity]) -> AddressMatches:
    """Return which identities have an address: exactly, else ignoring case.

    An identity without id has none.
    """
    known = [address_of(each) for each in all_of]
    exact = _where(known, lambda each: each == address)
    if exact:
        return AddressMatches(exact, is_exact=True)
    folded = (address.qualifier.casefold(), address.id.casefold())
    found = _where(known, lambda each: (each.qualifier.casefold(), each.id.casefold()) == folded)
    return AddressMatches(found, is_exact=not found)


def known_pair(pair: Pair, one: Identity, other: Identity) -> Pair:
    """Return a pair with the two identities written as in the settings, where it is theirs."""
    return Pair(*(_known(address, (one, other)) for address in pair))


def _known(address: Address, identities: tuple[Identity, ...]) -> Address:
    found = having(address, identities).indexes
    return address_of(identities[found[0]]) if found else address


def _where(known: list[Address], is_meant: Callable[[Address], bool]) -> tuple[int, ...]:
    return tuple(at for at, each in enumerate(known) if each.id and is_meant(each))
