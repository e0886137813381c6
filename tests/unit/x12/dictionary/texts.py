"""A small dictionary for tests: one purchase order, one claim with a guide, all in few lines."""

from __future__ import annotations

from collections.abc import Mapping

import pytest

from longshore.x12.dictionary.library import Dictionary
from longshore.x12.dictionary.lines import DictionaryError
from longshore.x12.dictionary.model import Definition, Loop, Node, SegmentUse

SOURCES = "# sources: made up"

SEGMENTS = f"""{SOURCES}
BEG 353!:purpose 324!:order_number
CUR 98! 100!
REF 128!:kind 127:value 352 C040 ; R0203
DTM 374! 373
DTM 374! 373 337 @005010..
N1 98!:role 93:name 66 67 ; R0203 P0304
N3 166! 166
PO1 350 330 355:unit ; C0302
PID 349! 750
CTT 354!
BHT 1005! 353!
HL 628! 734 735!
NM1 98! 1065! 1035
CLM 1028! C023
HI C022! C022x3
NTE 363 352 @005010..
"""
COMPOSITES = f"""{SOURCES}
C040 128! 127! 128 127 ; P0304
C022 1270! 1271!
C023 1331! 1332
"""
ELEMENTS = f"""{SOURCES}
66 ID 1/2
67 AN 2/80
93 AN 1/60
98 ID 2/3
100 ID 3/3
127 AN 1/30 @..004010
127 AN 1/50 @005010..
128 ID 2/3
166 AN 1/55
324 AN 1/22
330 R 1/15
337 TM 4/8
349 ID 1/1 codes=pid_kind
350 AN 1/20
352 AN 1/80
353 ID 2/2 codes=purpose
354 N0 1/6
355 ID 2/2
363 ID 3/3
373 DT 8/8
374 ID 3/3
628 AN 1/12
734 AN 1/12
735 ID 1/2
750 ID 2/3
1005 ID 4/4
1028 AN 1/38
1035 AN 1/60
1065 ID 1/1
1270 ID 1/3
1271 AN 1/30
1331 AN 1/3
1332 ID 1/2
"""
CODES = f"""{SOURCES}
list purpose
  00 original
  05 "replace # all" @005010..
list pid_kind strict
  F free form
  S from a list
"""
ORDER = f"""{SOURCES}
set 850 PO 004010..005010 "Purchase order"
  BEG M1 as header
  CUR O1 @..004010
  CUR O2 @005010..
  REF O3 as references #050
  DTM O* as dates
  NTE O1 @005010..
  loop N1 O200 as parties
    N1 M1
    N3 O2
    REF O*
  loop PO1 M100000 as lines
    PO1 M1
    loop PID O1000 as descriptions
      PID M1
      NTE O1 @005010..
    DTM O10
  loop CTT O1
    CTT M1
"""
CLAIM = f"""{SOURCES}
set 837 HC 005010 "Claim"
  BHT M1
  REF O3
  loop 1000 O10
    NM1 M1
    N3 O1
  loop 2000 M*
    HL M1
    loop 2010 O10
      NM1 M1
      N3 O1
    loop 2300 O100
      CLM M1
      HI O25
"""
GUIDE = f"""{SOURCES}
guide 005010X999 on 837@005010 "Claim as we like it"
  BHT R1 : 01R=0019 02R=00|18
  REF S1 as version when REF.01=87 : 01R=87 02R:5/20
  REF N1
  loop 1000A R1 as submitter when NM1.01=41
    NM1 R1 : 01R=41 02R 03S
  loop 1000B R1 as receiver when NM1.01=40
    NM1 R1
  loop 2000A R* as providers when HL.03=20
    HL R1 : 01R 03R=20
    loop 2010AA R1 as provider
      NM1 R1 : 01R=85 02R
    loop 2000B R* as subscribers when HL.03=22
      HL R1 : 01R 02R 03R=22
      loop 2300 S100 as claims
        CLM R1 : 01R 02S(01R=11|"1 2" 02S)
        HI R1 as principal when HI.01.01=ABK : 01R(01R=ABK 02R)
        HI S2 as others when HI.01.01=ABF : 01R(01R=ABF 02R) 02Sx2(01R 02R)
"""
TEXTS = {
    "segments.xd": SEGMENTS,
    "composites.xd": COMPOSITES,
    "elements.xd": ELEMENTS,
    "codes/lists.xd": CODES,
    "sets/850.xd": ORDER,
    "sets/837.xd": CLAIM,
    "guides/005010X999.xd": GUIDE,
}


def small(changes: Mapping[str, str] | None = None) -> Dictionary:
    """Return the small dictionary with some files replaced."""
    return Dictionary(TEXTS | dict(changes or {}))


def order(release: str = "004010") -> Definition:
    """Return the purchase order."""
    return defined("850", release)


def defined(
    tx_set: str, release: str, guide: str | None = None, dictionary: Dictionary | None = None
) -> Definition:
    """Return a definition that exists."""
    found = (dictionary or small()).definition(tx_set, release, guide)
    assert found is not None
    return found


def faults(raised: pytest.ExceptionInfo[DictionaryError]) -> list[tuple[int, str]]:
    """Return lines and reasons of what was raised."""
    return [(fault.line, fault.reason) for fault in raised.value.faults]


def outline(body: tuple[Node, ...]) -> list[object]:
    """Return ``REF O3 as references`` of each position, and a list for the body of each loop."""
    lines: list[object] = []
    for node in body:
        name = f"loop {node.id}" if isinstance(node, Loop) else node.segment.id
        label = f" as {node.label}" if node.label else ""
        lines.append(f"{name} {node.requirement}{node.maximum or '*'}{label}")
        if isinstance(node, Loop):
            lines.append(outline(node.body))
    return lines


def use_at(definition: Definition, *labels: str) -> SegmentUse:
    """Return the position that is reached by labels or segment ids from the outside in."""
    body = definition.body
    for label in labels[:-1]:
        [loop] = [node for node in body if node.label == label]
        assert isinstance(loop, Loop)
        body = loop.body
    named = [
        node
        for node in body
        if isinstance(node, SegmentUse) and labels[-1] in {node.label, node.segment.id}
    ]
    [found] = named
    return found


def loop_at(definition: Definition, *labels: str) -> Loop:
    """Return the loop that is reached by labels from the outside in."""
    body = definition.body
    found: Node | None = None
    for label in labels:
        [found] = [node for node in body if node.label == label]
        assert isinstance(found, Loop)
        body = found.body
    assert isinstance(found, Loop)
    return found
