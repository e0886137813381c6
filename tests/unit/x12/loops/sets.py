"""Small definitions, and what is said about the order of segments in them."""

from __future__ import annotations

import re

from longshore.x12.delimiters import Delimiters
from longshore.x12.dictionary.library import Dictionary
from longshore.x12.dictionary.model import Definition
from longshore.x12.loops.faults import LoopStep, StructureFault
from longshore.x12.loops.placement import Placement
from longshore.x12.loops.slots import Slot
from longshore.x12.loops.table import table_of

DELIMITERS = Delimiters(element="*", segment="~", component=":", repetition="^")
GUIDE = "005010X900"

ORDER = """
  BEG M1 as header
  CUR O1
  REF O2
  DTM O*
  loop N1 O3 as parties
    N1 M1 as party
    N3 O2
    N4 O1
  loop PO1 M* as lines
    PO1 M1
    PID M1
    CUR O1
    loop SCH O2 as schedules
      SCH M1
      TD5 M1
      QTY O1
    loop LS O1
      LS M1
      loop LDT M*
        LDT M1
      LE M1
  CTT O1
"""
CLAIM = """
  BHT M1
  REF O3
  loop 1000 O10
    NM1 M1
    N3 O2
    PER O2
  loop 2000 M*
    HL M1
    SBR O1
    DTP O5
    loop 2010 O10
      NM1 M1
      N3 O2
      REF O5
    loop 2300 O9
      CLM M1
      DTP O5
      HI O5
      loop 2400 O*
        LX M1
        SV1 O1
  SVD O1
"""
CLAIM_GUIDE = """
  BHT R1
  loop 1000A R1 as submitter when NM1.01=41
    NM1 R1
    PER S2
  loop 1000B R1 as receiver when NM1.01=40
    NM1 R1
  loop 2000A R* as billing when HL.03=20
    HL R1
    loop 2010AA R1 when NM1.01=85
      NM1 R1
      N3 R1
      REF R1 as tax when REF.01=EI
      REF S1 when REF.01=0B
    loop 2000B S* when HL.03=22
      HL R1
      SBR R1
      loop 2300 S2
        CLM R1
        DTP S1 when DTP.01=431
        HI S1 when HI.01.01=BK
        HI S1 when HI.01.01=BP
"""


def dictionary(body: str, guide: str = "", set_id: str = "900") -> Dictionary:
    """Return a dictionary with one set; each segment named has six simple elements."""
    ids = sorted(
        set(re.findall(r"^ +(?:loop \S+ )?([A-Z][A-Z0-9]{1,2}) [MORSN]", body, re.MULTILINE))
    )
    ids = [each for each in ids if not each.isdigit()]
    segments = [f"{each} {'C001' if each == 'HI' else '1'} 1 1 1 1 1" for each in (*ids, "ZZZ")]
    texts = {
        "elements.xd": "1 AN 1/9\n",
        "composites.xd": "C001 1 1 1\n",
        "segments.xd": "\n".join(segments) + "\n",
        f"sets/{set_id}.xd": f'set {set_id} PO 005010 "A set"{body}',
    }
    if guide:
        texts[f"guides/{GUIDE}.xd"] = f'guide {GUIDE} on {set_id}@005010 "A guide"{guide}'
    return Dictionary(texts)


def definition(body: str, guide: str = "") -> Definition:
    """Return the definition of a body, under a guide if one is given."""
    found = dictionary(body, guide).definition("900", "005010", GUIDE if guide else None)
    assert found is not None
    return found


def rows_of(segments: str) -> list[list[str]]:
    """Return the rows of segments such as ``BEG*00 REF*DP``."""
    return [each.split("*") for each in segments.split()]


def placed(of: Definition, segments: str) -> tuple[list[Slot | None], list[StructureFault]]:
    """Place all segments, as fast as may be; return their slots and the faults by position."""
    rows = rows_of(segments)
    placement = Placement(table_of(of), DELIMITERS, {"ZZZ"})
    slots: list[Slot | None] = []
    while len(slots) < len(rows):
        slots += placement.place_all(rows[len(slots) :])
        if len(slots) < len(rows):
            slots.append(placement.place(rows[len(slots)]))
    placement.finish()
    assert placement.position == len(rows) + 2
    return slots, sorted(placement.faults, key=lambda fault: fault.position)


def said(of: Definition, segments: str) -> list[str]:
    """Return the faults in short: ``OUT_OF_ORDER CUR 4 heading``, by position."""
    _, faults = placed(of, segments)
    return [f"{each.kind.name} {each.segment_id} {each.position} {each.loop_id}" for each in faults]


def paths(of: Definition, segments: str) -> list[str]:
    """Return the loops each segment stands in, ``-`` for one without a place."""
    placement = Placement(table_of(of), DELIMITERS, {"ZZZ"})
    cursors = [placement.locate(row) for row in rows_of(segments)]
    return [path_text(each.path) if each.has_place else "-" for each in cursors]


def path_text(path: tuple[LoopStep, ...]) -> str:
    """Return a path as text, such as ``lines[2].schedules[1]``."""
    return ".".join(f"{step.label or step.loop_id}[{step.number}]" for step in path)
