"""Purchase orders of the demo, from which its X12 and JSON documents are made."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import date
from typing import Final

from longshore.demo.random_numbers import RandomNumbers

OUR_NAME: Final = "Tamarack Trading"
"""The name of the account in documents, whatever its name in the database is."""

_MAX_LINES: Final = 4


@dataclass(frozen=True, slots=True, kw_only=True)
class Product:
    """An article."""

    sku: str
    name: str
    unit: str
    price: int
    """The price of one unit, in cents."""


@dataclass(frozen=True, slots=True, kw_only=True)
class OrderLine:
    """One line of an order."""

    product: Product
    quantity: int

    @property
    def amount(self) -> int:
        """The price of the line, in cents."""
        return self.quantity * self.product.price


@dataclass(frozen=True, slots=True, kw_only=True)
class Order:
    """A purchase order."""

    number: str
    day: date
    buyer: str
    """The name of the buyer."""
    seller: str
    """The name of the seller."""
    ship_to: tuple[str, str, str, str, str]
    """A row of ``SHIP_TO``."""
    lines: tuple[OrderLine, ...]

    @property
    def amount(self) -> int:
        """The price of the order, in cents."""
        return sum(line.amount for line in self.lines)


PRODUCTS: Final = tuple(
    Product(sku=sku, name=name, unit=unit, price=price)
    for sku, name, unit, price in (
        ("LMP-BRASS", "Desk lamp, brass", "EA", 1275),
        ("MUG-BLUE", "Stoneware mug, blue", "EA", 420),
        ("TOWEL-6", "Tea towels, case of 6", "CA", 3600),
        ("KETTLE-2L", "Kettle, 2 litres", "EA", 2890),
        ("SHELF-OAK", "Wall shelf, oak", "EA", 4150),
        ("ROPE-30M", "Rope, 30 metres", "EA", 1840),
        ("PAINT-WHT", "Wall paint, white", "CA", 5260),
        ("HINGE-BRS", "Hinge, brass, case of 20", "CA", 2975),
        ("OATS-5KG", "Rolled oats, 5 kg", "CA", 1195),
        ("PLUM-JAM", "Plum jam, case of 12", "CA", 2640),
    )
)
SHIP_TO: Final = (
    ("1001", "Warehouse East", "7 Canal Siding", "Eastling", "04997"),
    ("1002", "Warehouse North", "31 Kiln Lane", "Northfold", "05998"),
    ("1003", "Warehouse Harbour", "2 Tern Quay", "Port Merrin", "04998"),
)
"""Code, name, street, city and postcode of invented warehouses."""


def random_order(
    random: RandomNumbers, number: str, day: date, *, buyer: str, seller: str
) -> Order:
    """Return a random order of a day, with one to four lines."""
    products = random.some_of(PRODUCTS, random.between(1, _MAX_LINES))
    return Order(
        number=number,
        day=day,
        buyer=buyer,
        seller=seller,
        ship_to=random.one_of(SHIP_TO),
        lines=tuple(
            OrderLine(product=each, quantity=6 * random.between(1, 20)) for each in products
        ),
    )
