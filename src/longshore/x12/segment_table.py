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

AAA:4 ACK:29 ACT:9 AD1:5 ADV:7 ADX:4 AIN:12 AK1:3 AK2:3 AK3:4 AK4:4:1 AK5:6 AK9:9 AMT:3 ASM:3 AT1:1
AT2:10 AT3:7 AT4:1 AT5:3 AT7:7 AT8:7 AT9:3 ATH:5 ATN:6 ATV:8

B1:4 B10:7 B2:12 B2A:2 B3:14 B3A:2 B4:13 B9:6 BAK:10 BAL:3 BCA:15 BCD:15 BCH:16 BCO:11 BCT:10 BEG:12
BEN:6 BFR:13 BGN:9 BHT:6 BIA:6 BIG:10 BLI:20 BMG:3 BNR:6 BNX:4 BOL:11 BPR:21 BPT:10 BQR:8 BQT:11
BRA:7 BSI:9 BSN:7 BSR:12 BSS:11 BTC:10 BX:14

C2:7 C3:4 C8:4 CAD:9 CAS:19 CB1:2 CD3:14 CDD:13 CID:7 CL1:4 CLD:5 CLM:20:5,11 CLP:14 CM:17 CN1:6
COB:4 CON:3 CPR:5 CR1:10 CR2:12 CR3:5 CR4:29 CR5:18 CR6:21 CR7:3 CR8:9 CRC:7 CRD:4 CS:18 CSH:10
CST:4:3 CTB:6 CTP:11:5 CTT:7 CTX:6:1,5,6 CUR:21

D9:12 DD:10 DED:9 DIS:6 DMG:11:5 DN1:4 DN2:6 DSB:8 DTM:6 DTP:3

E1:3 E4:4 E5:4 EB:14:13,14 EC:6 EFI:16 EM:7 EMS:7 ENT:9 EQ:5:2,5 ETD:5

F9:12 FA1:3 FA2:2 FC:5 FGS:3 FOB:9 FRM:5 FSA:9 FST:10

G01:8 G05:8 G07:10 G08:4 G17:14 G18:6 G19:9 G20:9 G21:10 G22:4 G23:16 G25:3 G26:6 G27:6 G28:8 G30:6
G31:11 G33:1 G35:3 G36:4 G38:2 G39:28 G40:9 G43:4 G50:7 G51:3 G53:1 G54:6 G55:33 G61:5 G62:5 G66:7
G68:15 G69:1 G70:10 G72:11 G73:1 G76:10 G93:8 G95:7 GA:17 GF:9

H1:9 H2:2 H3:5 H6:7 HCP:15 HCR:4 HD:11 HI:12:1,2,3,4,5,6,7,8,9,10,11,12 HL:4 HLH:7 HSD:8

IC:8 ICM:6 IDC:4 III:9:6 IK3:4 IK4:4:1 IK5:6 IM:3 IMM:5 IN2:2 INC:5:2 INS:17:6 INV:7 ISR:3 ISS:8
IT1:25 IT3:5 IT8:27 ITA:17 ITD:15

JIT:2

K1:2 K2:2 K3:3:3

L0:15 L1:21 L10:3 L11:5 L12:2 L3:15 L4:6 L5:10 L7:16 L8:12 L9:2 LAD:13 LC:7 LDT:4 LEP:4 LFG:6 LFH:7
LH1:11 LH2:11 LH3:4 LH4:12 LH6:4 LHE:5 LHR:3 LHT:3 LIN:31 LM:2 LOC:24:11,13,15,17,19,21 LQ:2 LUI:5
LX:1

M1:12 M12:11 M2:4 M3:4 M7:5 M7A:12 MAN:6 MEA:12:4 MIA:24 MIT:4 MOA:9 MPI:7 MS1:8 MS2:4 MS3:5 MSG:3
MTX:6

N1:6 N10:13 N11:3 N2:2 N3:2 N4:7 N5:9 N7:24 N7A:9 N7B:6 N8:7 N9:7:7 NA:11 NM1:12 NTE:2 NX1:5 NX2:3

OI:6 OID:11 OTI:17

PAL:16 PAM:15:3 PAT:9 PCT:2 PD:10:3 PDD:5 PDP:3 PDR:4 PEN:9 PER:9 PI:15 PID:9 PKD:5 PKG:6 PKL:13
PLA:5 PLB:14:3,5,7,9,11,13 PLD:4 PM:6 PO1:25 PO3:8 PO4:18 POC:27:5 POD:3 PRF:7 PRS:2 PRV:6:5 PS:14
PS1:3 PSA:5 PTD:6 PWK:9:8 PYD:5

Q2:16 Q7:3 QTY:4:3

R1:8 R2:13 R2A:10 R3:12 R4:8 R9:8 RCD:21:3,5,7,10,13,16,19 RDM:5:4,5 RED:6 REF:4:4 REL:2 RMR:8 RMT:8
RP:9 RPA:5:4 RRA:2 RYL:4

S1:6 S2:3 S5:11 S9:8 SAC:16 SBR:9 SCH:12 SD1:8 SDP:8 SDQ:23 SG:6 SHD:14 SHP:7 SI:21 SII:7:4 SLN:28:5
SN1:8 SPI:15 SPO:8 SR:11 SSS:9 STC:12:1,10,11 SV1:21:1,7 SV2:10:2 SV3:11:1,4,11 SV4:18:2 SV5:7:1
SV6:7:1,5 SV7:6 SVC:7:1,6 SVD:6:3

T1:9 T2:12 T3:7 T6:7 T8:2 TAX:13 TC2:2 TD1:10 TD3:10 TD4:5 TD5:15 TDS:4 TED:8 TIA:5:1,5 TOO:3:3
TRN:4 TS2:19 TS3:24 TSD:2 TXI:10 TXP:10

UIT:3:1 UM:10:4,5 UR:2

V1:9 V2:3 V3:4 V4:1 V9:20 VC:11 VEH:16

W01:16 W03:7 W04:15 W05:7 W06:12 W07:11 W08:9 W09:9 W10:9 W12:22 W13:5 W14:5 W15:6 W17:9 W18:3
W19:18 W20:10 W27:10 W28:8 W6:4 W66:10 W76:6

X1:16 X7:2 XH:7 XPO:4 XQ:3

YNQ:10

ZA:8 ZC1:8
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
