"""Known segments: the number of their elements, and which of them are composite.

Reading needs no more of the standard: an element is split into components unless the table says
that it is simple, so ``MSG.01`` keeps its colons and ``SV1.01`` is split (fields-and-mapping.md
section 2.1 rule 3). The table is the union of releases 004010 and 005010: the larger element count,
and composite if either release has a composite. Positions are 1-based. If an element is doubtful
the count ends before it, because an element wrongly taken as simple hides components, while an
unknown one only gains keys.
"""

from functools import cache
from types import MappingProxyType
from typing import Final, NamedTuple

# One word a segment: id:elements, then :position,position,… for those that are composite.
_DECLARATION: Final = """
ISA:16 IEA:2 ISB:1 ISE:3 ISX:2 TA1:5 GS:8 GE:2 ST:3 SE:2 LS:1 LE:1 BIN:2 BDS:3

AAA:4 ACK:29 ACT:9 ADV:7 ADX:4 AK1:3 AK2:3 AK3:4 AK4:4:1 AK5:6 AK9:9 AMT:3 ASM:4 AT5:3 AT7:7 AT8:7
AT9:3 ATH:5 ATV:8

B1:4 B10:7 B2:12 B2A:2 B3:13 B3A:2 B4:12 B9:6 BAK:10 BAL:3 BCA:13 BCD:15 BCH:13 BCO:11 BCT:11
BEG:12 BFR:13 BGN:9 BHT:6 BIA:6 BIG:10 BLI:20 BMG:3 BNR:6 BPR:21 BPT:10 BQR:10 BQT:10 BRA:7 BSI:9
BSN:7 BSR:11 BSS:11 BTC:10

C2:7 C3:4 C8:4 CAD:9 CAS:19 CD3:14 CDD:14 CID:7 CL1:4 CLD:5 CLM:20:5,11 CLP:14 CN1:6 COB:4 CON:3
CR1:10 CR2:12 CR3:5 CR4:29 CR5:18 CR6:21 CR7:3 CR8:9 CRC:7 CSH:10 CTB:6 CTP:11:5 CTT:7 CTX:6:1,5,6
CUR:21

DED:8 DIS:6 DMG:11:5 DN1:4 DN2:6 DSB:8 DTM:6 DTP:3

EB:14:13,14 EC:7 EFI:16 ENT:9 EQ:5:2,5 ETD:4

F9:8 FA1:3 FA2:2 FGS:3 FOB:9 FRM:5 FST:9

G01:7 G05:6 G07:10 G17:15 G18:6 G19:8 G20:5 G21:10 G22:4 G23:14 G25:5 G26:8 G28:8 G30:6 G31:4 G33:1
G35:3 G36:3 G38:2 G39:25 G50:8 G51:3 G53:1 G54:11 G55:25 G61:5 G62:5 G66:11 G68:14 G69:1 G70:6
G72:11 G73:9 G76:6 GF:6

H1:9 H2:10 H3:5 H6:7 HCP:15 HCR:4 HD:11 HI:12:1,2,3,4,5,6,7,8,9,10,11,12 HL:4 HLH:7 HSD:8

ICM:6 IDC:4 III:9:6 IK3:4 IK4:4:1 IK5:6 INC:5:2 INS:17:6 INV:7 ISS:8 IT1:25 IT3:5 IT8:27 ITA:17
ITD:15

JIT:2

K1:2 K2:2 K3:3:3

L0:15 L1:21 L10:3 L11:5 L12:2 L3:15 L4:7 L5:10 L7:16 L8:12 L9:2 LAD:13 LC:6 LDT:4 LEP:4 LFH:7
LH1:11 LH2:11 LH3:4 LH4:12 LH6:4 LHE:4 LHR:3 LHT:3 LIN:31 LM:2 LQ:2 LUI:5 LX:1

M1:8 M2:4 M3:4 M7:5 M7A:12 MAN:6 MEA:12:4 MIA:24 MIT:4 MOA:9 MPI:7 MS1:8 MS2:4 MS3:5 MSG:3 MTX:6

N1:6 N10:13 N11:3 N2:2 N3:2 N4:7 N5:8 N7:24 N7A:6 N7B:6 N8:7 N9:7:7 NM1:12 NTE:2 NX1:5 NX2:3

OI:6 OID:11 OTI:17

PAL:17 PAM:15:3 PAT:9 PCT:2 PER:9 PID:9 PKG:6 PLA:5 PLB:14:3,5,7,9,11,13 PLD:4 PO1:25 PO3:8 PO4:18
POC:27 PRF:7 PRS:2 PRV:6:5 PS1:3 PSA:10 PTD:6 PWK:9:8

Q2:17 Q7:3 QTY:4:3

R1:8 R2:13 R2A:10 R3:13 R4:8 R9:9 RDM:5:4,5 RED:6 REF:4:4 RMR:8 RMT:8

S5:11 SAC:16 SBR:9 SCH:12 SDP:8 SDQ:23 SG:6 SHP:8 SII:13 SLN:28:5 SN1:8 SPI:12 SPO:8 SSS:9
STC:12:1,10,11 SV1:21:1,7 SV2:10:2 SV3:11:1,4,11 SV4:18:2 SV5:7:1 SVC:7:1,6 SVD:6:3

TAX:13 TC2:2 TD1:10 TD3:10 TD4:5 TD5:15 TDS:4 TED:8:5 TIA:5:1,5 TOO:3:3 TRN:4 TS2:19 TS3:24 TXI:10
TXP:10

UIT:3:1 UM:10:4,5

V1:9 V2:3 V3:4 V4:1 V9:20

W01:22 W03:7 W04:22 W05:8 W06:9 W07:14 W08:13 W09:10 W10:11 W12:22 W13:6 W14:3 W15:4 W17:8 W18:4
W19:17 W20:12 W27:13 W28:4 W66:10 W76:7

XPO:4 XQ:3

YNQ:10:10

ZA:7
"""


class _Shape(NamedTuple):
    element_count: int
    composites: frozenset[int]


def _read(declaration: str) -> dict[str, _Shape]:
    table = {}
    for word in declaration.split():
        segment_id, count, *positions = word.split(":")
        composites = positions[0].split(",") if positions else ()
        table[segment_id] = _Shape(int(count), frozenset(map(int, composites)))
    return table


_SHAPES: Final = MappingProxyType(_read(_DECLARATION))

KNOWN_SEGMENTS: Final = frozenset(_SHAPES)
"""Ids of the segments in the table."""


def element_count(segment_id: str) -> int | None:
    """Return how many elements a segment has at most; None for an unknown segment."""
    shape = _SHAPES.get(segment_id)
    return None if shape is None else shape.element_count


def is_composite(segment_id: str, position: int) -> bool:
    """Return whether an element is split into components.

    ``position`` is the element's, from 1. True also for unknown elements: of an unknown segment, or
    beyond the last one of a known segment.
    """
    return position not in simple_positions(segment_id)


def simple_positions(segment_id: str) -> frozenset[int]:
    """Return the 1-based positions that are never split; empty for an unknown segment.

    Call it once for each segment id and look positions up in the result.
    """
    return _simple_positions(segment_id) if segment_id in _SHAPES else frozenset()


@cache  # holds known ids only, so a document full of invented ids cannot fill it
def _simple_positions(segment_id: str) -> frozenset[int]:
    count, composites = _SHAPES[segment_id]
    return frozenset(range(1, count + 1)) - composites
