"""Typical parts of segments, codes and values, all in words of our own.

Companies, people and places are invented. Codes are those that public guides use every day.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final, NamedTuple

TYPICAL_PARTS: Final[Mapping[str, tuple[int, ...]]] = {
    "AMT": (1, 2),
    "B2A": (1,),
    "B4": (),
    "BAK": (1, 2, 3, 4),
    "BCA": (1, 2, 3),
    "BCH": (1, 2, 3, 6),
    "BEG": (1, 2, 3, 5),
    "BGM": (1, 2),
    "BIG": (1, 2, 3, 4),
    "BSN": (1, 2, 3, 4, 5),
    "CTT": (1,),
    "CUR": (1, 2),
    "DTM": (1, 2),
    "DTP": (1, 2, 3),
    "FOB": (1, 2, 3),
    "HL": (1, 2, 3, 4),
    "IT1": (1, 2, 3, 4, 6, 7),
    "ITD": (1, 2, 3, 5, 7),
    "L3": (1, 2, 5),
    "LIN": (1, 2, 3),
    "MAN": (1, 2),
    "MSG": (1,),
    "N1": (1, 2, 3, 4),
    "N2": (1,),
    "N3": (1,),
    "N4": (1, 2, 3, 4),
    "N7": (1, 2, 11),
    "N9": (1, 2),
    "NM1": (1, 2, 3, 4, 8, 9),
    "PER": (1, 2, 3, 4),
    "PID": (1, 5),
    "PO1": (1, 2, 3, 4, 6, 7),
    "PO4": (1, 2, 3),
    "QTY": (1, 2, 3),
    "REF": (1, 2),
    "SAC": (1, 2, 5, 15),
    "SCH": (1, 2, 5, 6),
    "SN1": (1, 2, 3),
    "TD1": (1, 2),
    "TD5": (2, 3, 4, 5),
    "TDS": (1,),
    "TXI": (1, 2),
}
"""The parts that a plain sample of a segment has, if they are not required anyway."""

EXPECTED: Final = frozenset((
    *("CLM", "CLP", "CTT", "HL", "IT1", "LIN", "LX"),
    *("PO1", "SV1", "SV2", "SV3", "SVC", "TDS"),
))
"""Segments that a plain sample has wherever they may be: levels, lines, and what sums them up."""

TYPICAL_CODES: Final[Mapping[str, tuple[str, ...]]] = {
    "2": ("1",),
    "23": ("N", "Z"),
    "26": ("US",),
    "40": ("TL",),
    "66": ("92", "1", "9"),
    "91": ("M", "R", "A"),
    "92": ("SA", "NE"),
    "97": ("1",),
    "98": ("ST", "BT", "BY", "VN", "SF"),
    "100": ("USD",),
    "122": ("FR",),
    "123": ("1",),
    "128": ("DP", "IA", "CO", "PO"),
    "150": ("400",),
    "187": ("G",),
    "188": ("L",),
    "235": ("BP", "VP", "UP", "SK"),
    "309": ("OR", "DE"),
    "349": ("F",),
    "353": ("00",),
    "355": ("EA", "CA"),
    "365": ("TE",),
    "366": ("IC",),
    "374": ("002", "010", "011"),
    "447": ("0100",),
    "478": ("C",),
    "479": ("PO",),
    "591": ("CHK",),
    "623": ("ET", "CT", "PT"),
    "640": ("DI",),
    "678": ("A",),
    "715": ("A",),
    "717": ("A",),
    "1005": ("0001",),
    "1065": ("2",),
    "1068": ("F", "M"),
    "1250": ("D8",),
    "1270": ("BK",),
    "1331": ("11",),
}
"""By element number, the codes that a sample has where several are allowed."""

DATE_FORMATS: Final = ("D8", "D6", "RD8", "DT", "RTS", "RDT", "TM", "CM", "DB")
"""Qualifiers (element 1250) of dates whose form is checked."""

LEVELS: Final[Mapping[str, tuple[str, ...]]] = {
    "270": ("20", "21", "22"),
    "271": ("20", "21", "22"),
    "276": ("20", "21", "19", "22"),
    "277": ("20", "21", "19", "22"),
    "278": ("20", "21", "22"),
    "837": ("20", "22"),
    "856": ("S", "O", "I", "I"),
    "857": ("S", "O", "I", "I"),
}
"""The codes of the levels (HL03) of a plain sample, each below the nearest earlier one."""

COMPANIES: Final = (
    "BRINDLEWOOD SUPPLY",
    "QUILLMARK HOME GOODS",
    "TARRANT VALE TRADING",
    "OAKENFOLD PARTS",
    "HALLOWAY FREIGHT",
    "MERROW AND LARK",
    "SABLEPOINT FOODS",
    "NORTHGALE PAPER",
)
LAST_NAMES: Final = ("ARDENT", "BELLAMY", "CORVIN", "DUNMORE", "ELLERBY", "FENWICKE")
FIRST_NAMES: Final = ("ADA", "BRUNO", "CLARA", "DESMOND", "EDITH", "FELIX")
STREETS: Final = ("FOUNDRY ROW", "CANAL SIDING", "ORCHARD LANE", "HARBOR STREET", "MILL ROAD")
WORDS: Final = ("SAMPLE", "STANDARD", "GENERAL", "REGULAR", "COMMON", "TYPICAL")
GOODS: Final = (
    "TABLE LAMP, BRASS",
    "STONEWARE MUG, BLUE",
    "TEA TOWELS, CASE OF 6",
    "STORAGE BOX, LARGE",
    "NOTEBOOK, RULED",
)
DIAGNOSES: Final = ("J209", "I10", "E119", "M545")


class Place(NamedTuple):
    """A place in a country that does not exist, with codes of the right form."""

    city: str
    state: str
    postal_code: str


PLACES: Final = (
    Place("PORT MERRIN", "ME", "04998"),
    Place("EASTLING", "ME", "04997"),
    Place("GREYBRIDGE", "OH", "43999"),
    Place("SALTMARSH", "TX", "75999"),
    Place("LOWFIELD", "CA", "94999"),
)
