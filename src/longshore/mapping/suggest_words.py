"""Split names of fields into the concepts they contain: ``shipToZip`` is ship_to, postal.

A name becomes words, and words become concepts by tables of synonyms. The meanings of X12 elements
are plain words that are treated the same; so both sides of a map use ``order``, ``number`` and
``date``. How specific a concept is, is its weight: "number" alone says little, "department" much.

Source: contract.md section 15.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from types import MappingProxyType
from typing import Final

MAX_NAME_CHARS: Final = 60  # of a name; a longer one was not written by a person
_LONGEST_PHRASE: Final = 3
_MANY: Final = 3  # a plural has more letters than this

_BOUNDARY = re.compile(r"(?<=[a-z0-9])(?=[A-Z])|(?<=[A-Z])(?=[A-Z][a-z])|(?<=[A-Za-z])(?=[0-9])")
_WORD = re.compile(r"[^\W_]+")

# Words without meaning, by themselves or as the name of an object around a value.
_EMPTY: Final = frozenset(
    (
        *("a", "an", "and", "any", "as", "by", "for", "from", "in", "is", "of", "on", "or", "s"),
        *("the", "this", "to", "with", "not", "header", "heading", "data", "document", "doc"),
        *("info", "information", "detail", "value", "text", "field", "section", "group", "1", "01"),
        *("our", "your", "my", "edi", "free", "form", "general", "asked"),
    ),
)

_SAME: Final[Mapping[str, str]] = MappingProxyType({
    word: concept
    for concept, words in {
        "order": "po order purchaseorder purchase",
        "number": "no num nbr number nr id identifier identification key",
        "code": "code cd",
        "date": "date dt",
        "time": "time tm",
        "quantity": "qty quantity count pieces units",
        "unit": "uom unit measure um measurement",
        "price": "price cost rate",
        "amount": "amount amt sum",
        "total": "total grand overall",
        "description": "description desc descr title label",
        "name": "name nm",
        "address": "address addr street line_of_address",
        "city": "city town locality",
        "state": "state province region prov",
        "postal": "postal zip postcode zipcode plz",
        "country": "country",
        "phone": "phone telephone tel fone",
        "fax": "fax facsimile telefax",
        "email": "email mail",
        "contact": "contact attn attention",
        "currency": "currency curr ccy",
        "sku": "sku stockkeepingunit",
        "upc": "upc gtin ean barcode",
        "item": "item part product article material catalogue catalog",
        "line": "line position pos",
        "reference": "reference ref",
        "department": "department dept",
        "invoice": "invoice inv bill",
        "ship_to": "shipto deliverto consignee recipient receiver",
        "bill_to": "billto invoiceto",
        "buyer": "buyer customer purchaser client",
        "vendor": "vendor seller supplier merchant",
        "ship_from": "shipfrom shipper",
        "remit_to": "remitto",
        "carrier": "carrier scac haulier",
        "routing": "routing route",
        "weight": "weight wt",
        "note": "note notes comment remark message instruction memo",
        "terms": "terms term",
        "shipment": "shipment consignment load",
        "tracking": "tracking waybill pro",
        "requested": "requested request wanted required needed",
        "cancel": "cancel cancellation expiry expiration",
        "color": "color colour",
        "acknowledgment": "acknowledgment acknowledgement ack confirmation",
        "patient": "patient member",
        "lading": "lading bol",
        "charge": "charge charged billed",
        "paid": "paid payment",
        "pallet": "pallet tare skid",
        "pack": "pack package carton case box",
        "mode": "mode method",
        "kind": "kind type class",
        "2": "2 02 two second",
    }.items()
    for word in words.split()
})

_PHRASES: Final[Mapping[tuple[str, ...], tuple[str, ...]]] = MappingProxyType({
    tuple(phrase.split()): tuple(concepts.split())
    for phrase, concepts in {
        "purchase order": "order",
        "p o": "order",
        "ship to": "ship_to",
        "deliver to": "ship_to",
        "delivery address": "ship_to address",
        "shipping address": "ship_to address",
        "bill to": "bill_to",
        "invoice to": "bill_to",
        "billing address": "bill_to address",
        "sold to": "buyer",
        "ordered by": "buyer",
        "ship from": "ship_from",
        "remit to": "remit_to",
        "unit of measure": "unit",
        "unit price": "price",
        "price per unit": "price",
        "unit cost": "price",
        "post code": "postal",
        "postal code": "postal",
        "zip code": "postal",
        "country code": "country",
        "currency code": "currency",
        "state code": "state",
        "e mail": "email",
        "stock keeping unit": "sku",
        "address line": "address",
        "street address": "address",
        "line item": "line",
        "order line": "line",
        "ship via": "routing",
        "ship date": "shipped date",
        "shipped on": "shipped date",
        "bill of lading": "lading number",
        "due date": "due date",
        "date of": "date",
    }.items()
})

_WEIGHTS: Final[Mapping[str, float]] = MappingProxyType({
    "number": 0.25,
    "code": 0.4,
    "date": 0.6,
    "time": 0.6,
    "name": 0.25,
    "amount": 0.5,
    "kind": 0.5,
    "reference": 0.5,
    "ordered": 0.5,
    "shipped": 0.5,
    "invoiced": 0.5,
    "requested": 0.3,
    "2": 0.4,
})
"""The weight of a concept, if it is not 1."""

PARTIES: Final = frozenset((
    *("ship_to", "bill_to", "buyer", "vendor", "ship_from", "remit_to", "carrier", "payer"),
    *("payee", "patient", "provider", "submitter", "manufacturer", "subscriber"),
))
"""Concepts that name a party: two fields that name different parties never match."""


HEADS: Final[Mapping[str, str]] = MappingProxyType({
    **{
        head: head
        for head in (
            *("number", "name", "date", "time", "address", "city", "state", "postal", "country"),
            *("phone", "fax", "email", "currency", "quantity", "unit", "price", "amount", "weight"),
            *("description", "sku", "upc", "percent", "note"),
        )
    },
    "code": "number",
})
"""Concepts that name a sort of value: two fields that name different sorts never match."""


def is_specific(concept: str) -> bool:
    """Return whether a concept is specific, and not just a sort of value."""
    return concept not in _WEIGHTS


def weight_of(concept: str) -> float:
    """Return how specific a concept is: 1 for one that names a value."""
    return _WEIGHTS.get(concept, 1.0)


def words_of(name: str) -> list[str]:
    """Return the words of a name, in lower case: of ``poNumber``, ``po_number``, ``PO-Number``.

    A name without any boundary is split where two known words meet: ``ponumber``.
    """
    parts = _WORD.findall(_BOUNDARY.sub(" ", name[:MAX_NAME_CHARS]))
    return [word for part in parts for word in _cut(_singular(part.lower()))]


def concepts_of(words: Sequence[str]) -> tuple[str, ...]:
    """Return the concepts of words, each once; words without meaning are left out."""
    return tuple(dict.fromkeys(_concepts(words)))


def meaning_of(text: str) -> tuple[str, ...]:
    """Return the concepts of a name or of a meaning in words."""
    return concepts_of(words_of(text))


def weighted(concepts: Iterable[str], factor: float = 1.0) -> dict[str, float]:
    """Return concepts with their weights times ``factor``."""
    return {concept: weight_of(concept) * factor for concept in concepts}


def _concepts(words: Sequence[str]) -> Iterator[str]:
    at = 0
    while at < len(words):
        for length in range(min(_LONGEST_PHRASE, len(words) - at), 1, -1):
            phrase = _PHRASES.get(tuple(words[at : at + length]))
            if phrase:
                yield from phrase
                at += length
                break
        else:
            if words[at] not in _EMPTY:
                yield _SAME.get(words[at], words[at])
            at += 1


def _singular(word: str) -> str:
    if word in _SAME or len(word) <= _MANY or not word.endswith("s"):
        return word
    if word.endswith("ies"):
        return f"{word[:-3]}y"
    if word.endswith("sses"):
        return word[:-2]
    return word if word.endswith(("ss", "us", "is")) else word[:-1]


def _cut(word: str) -> list[str]:
    """Return one word, or the two known words that it is composed of."""
    if word in _KNOWN:
        return [word]
    for end in range(2, len(word) - 1):
        if word[:end] in _KNOWN and word[end:] in _KNOWN:
            return [word[:end], word[end:]]
    return [word]


_KNOWN: Final = frozenset((*_SAME, *(word for phrase in _PHRASES for word in phrase))) - {"s"}
