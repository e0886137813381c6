"""Documents that name what Longshore does not know: sets, releases, implementation guides."""

from itertools import chain, islice
from pathlib import Path

from longshore.x12.dictionary.library import shipped
from tests.unit.x12.documents import GS, a_set, interchange, isa

_SAMPLES = Path(__file__).parents[2] / "samples"
CLAIM = (_SAMPLES / "837p_claim" / "input.edi").read_text("ascii")
ORDER = a_set("BEG*00*SA*PO-1**20260115", "PO1*1*2*EA*3.50")

# Sets of X12; whether they have a definition is asked of the dictionary.
_SETS = (
    *("104", "110", "116", "126", "127", "212", "215", "216", "217", "275", "300", "301", "309"),
    *("310", "322", "410", "417", "811", "813", "816", "822", "823", "826", "831", "838", "841"),
    *("842", "844", "845", "847", "849", "858", "863", "866", "879", "888", "889", "998"),
)
# Misspelt or invented, so that no later dictionary knows them; and one of another set.
UNKNOWN_GUIDES = (
    *("005010X998A1", "005010X999A9", "005010X22A1", "005010X222B1", "00501X222A1", "005010X222A"),
    *("005010x222a1", "005010X222A9", "005010X221A1", "005010X22201", "X222A1", "5010-222"),
)
UNKNOWN_RELEASES = ("001000", "002000", "002003", "002040", "003999", "006030", "008010")


def unknown_sets(count: int = 40) -> list[str]:
    """Return ids of sets that the dictionary does not define."""
    made = (f"{number:03d}" for number in range(100, 1000))
    ids = dict.fromkeys(chain(_SETS, made))
    return list(islice((each for each in ids if not shipped().releases(each)), count))


def a_document(*sets: tuple[str, ...], version: str = "004010") -> str:
    """Return a document of one group whose envelope is sound."""
    is_new = version >= "005010"
    head = isa(e11="^", e12="00501", e16=":") if is_new else isa()
    segments = [segment for each in sets for segment in each]
    gs = GS.replace("*004010", f"*{version}")
    return interchange(gs, *segments, f"GE*{len(sets)}*7", "IEA*1*000000101", head=head)


def an_unknown_set(set_id: str, number: str = "0001") -> tuple[str, ...]:
    """Return a set of which nothing but ST and SE can be checked."""
    return a_set("N1*ZZ*NOBODY", set_id=set_id, number=number)


def claim_under(guide: str) -> str:
    """Return a sound claim whose GS08 and ST03 name this guide."""
    return CLAIM.replace("005010X222A1", guide)


def documents() -> dict[str, str]:
    """Return one document of each: 40 unknown sets, 12 unknown guides, unknown releases, mixed."""
    sets, mixed = unknown_sets(), unknown_sets()[0]
    return {
        **{each: a_document(an_unknown_set(each), version="005010") for each in sets},
        **{each: claim_under(each) for each in UNKNOWN_GUIDES},
        **{f"850 {each}": a_document(ORDER, version=each) for each in UNKNOWN_RELEASES},
        "mixed": a_document(ORDER, an_unknown_set(mixed, "0002")),
    }
