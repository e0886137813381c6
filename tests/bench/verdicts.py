"""Verdicts on the same mutated 835 and 837 by us and by a peer, against the same guide.

Each file is a sample with one change. A disagreement is printed, and is a miss. What both accept is
converted to X12 anew, value by value; an output that either rejects is a miss, too.
"""

import json
import os
import subprocess
import sys
from collections.abc import Mapping
from pathlib import Path

from longshore.x12.validate.validation import validate
from tests.bench.sets import SAMPLES
from tests.unit.engine.carried_over import carried_over

SECONDS = 120

# By sample: what is changed, the text as it stands and the text instead; each stands there once.
CHANGES: Mapping[str, Mapping[str, tuple[str, str]]] = {
    "835_remittance": {
        "nothing": ("", ""),
        "BPR01 not in the list": ("BPR*I*", "BPR*Q*"),
        "BPR02 no number": ("*216.4*C*", "*21X.4*C*"),
        "BPR03 missing": ("*216.4*C*", "*216.4**"),
        "BPR16 no date": ("20260412~", "20261312~"),
        "TRN missing": ("TRN*1*EFT-0009917*1999999984~", ""),
        "TRN02 missing": ("TRN*1*EFT-0009917*", "TRN*1**"),
        "REF and DTM swapped": (
            "REF*EV*WINTERSCLINIC~DTM*405*20260409~",
            "DTM*405*20260409~REF*EV*WINTERSCLINIC~",
        ),
        "a receiver's number more": ("REF*EV*", "REF*F2*V1~REF*EV*"),
        "REF01 not of the guide": ("REF*EV*", "REF*BM*"),
        "DTM01 not of the guide": ("DTM*405*", "DTM*011*"),
        "no address of the payer": ("N3*900 Plan Plaza~", ""),
        "no city of the payer": ("N4*Port Merrin*ME*04998~", ""),
        "no technical contact of the payer": ("PER*BL*Provider service*TE*2075550177~", ""),
        "no payee": ("N1*PE*Winters Lane Clinic*XX*1234567893~", ""),
        "N102 too long": ("*Larkfield Health Plan~", "*" + "Larkfield " * 7 + "~"),
        "LX01 no number": ("LX*1~", "LX*A~"),
        "LX02 is too many": ("LX*1~", "LX*1*2~"),
        "CLP02 not in the list": ("CLP*WL-30071*1*", "CLP*WL-30071*77*"),
        "CLP06 not in the list": ("*20*12*LK2604090001", "*20*QQ*LK2604090001"),
        "no patient": ("NM1*QC*1*SAMPLE*ROWAN****MI*LK000111222~", ""),
        "SVC01 without a code": ("SVC*HC:G0438*", "SVC*HC*"),
        "SVC01 of an unknown list": ("SVC*HC:G0438*", "SVC*QQ:G0438*"),
        "SVC03 no number": ("*150*121.4*", "*150*1Z1.4*"),
        "CAS01 not in the list": ("CAS*CO*45*8.6~", "CAS*XX*45*8.6~"),
        "CAS02 missing": ("CAS*PR*3*20~", "CAS*PR**20~"),
        "AMT01 not of the guide": ("AMT*B6*", "AMT*QQ*"),
        "LQ01 not in the list": ("LQ*HE*", "LQ*ZZ*"),
        "PLB02 no date": ("*20261231*WO", "*20261331*WO"),
        "a segment nobody knows": ("LX*1~", "ZZZ*1~LX*1~"),
        "a segment of another set": ("LX*1~", "PO1*1~LX*1~"),
        "SE01 wrong": ("SE*31*", "SE*30*"),
    },
    "837p_claim": {
        "nothing": ("", ""),
        "BHT01 not in the list": ("BHT*0019*", "BHT*0099*"),
        "BHT04 no date": ("*20260327*1820*CH~", "*20260230*1820*CH~"),
        "BHT06 missing": ("*20260327*1820*CH~", "*20260327*1820~"),
        "no submitter": ("NM1*41*2*WINTERS LANE CLINIC*****46*WINTERSCLINIC~", ""),
        "no contact of the submitter": ("PER*IC*BILLING DESK*TE*2075550161~", ""),
        "no receiver": ("NM1*40*2*LARKFIELD HEALTH PLAN*****46*LARKFIELDPLAN~", ""),
        "HL03 not of the guide": ("HL*2*1*22*0~", "HL*2*1*99*0~"),
        "PRV01 not in the list": ("PRV*BI*", "PRV*QQ*"),
        "no address of the billing provider": ("N3*12 WINTERS LANE~", ""),
        "no tax number of the billing provider": ("REF*EI*009999999~", ""),
        "a postal code too long": ("*ME*049970001~", "*ME*0499700010000000~"),
        "SBR01 missing": ("HL*2*1*22*0~SBR*P*", "HL*2*1*22*0~SBR**"),
        "DMG02 no date": ("DMG*D8*19710519*F~", "DMG*D8*19711319*F~"),
        "DMG03 not in the list": ("DMG*D8*19710519*F~", "DMG*D8*19710519*Q~"),
        "no subscriber": ("NM1*IL*1*SAMPLE*ROWAN****MI*LK000111222~", ""),
        "no payer": (
            "DMG*D8*19710519*F~NM1*PR*2*LARKFIELD HEALTH PLAN*****PI*LKPLAN1~",
            "DMG*D8*19710519*F~",
        ),
        "CLM01 missing": ("CLM*WL-30071*", "CLM**"),
        "CLM05 without a place": ("*185***11:B:1*", "*185***:B:1*"),
        "CLM06 not in the list": (
            "CLM*WL-30071*185***11:B:1*Y*A*Y*Y~",
            "CLM*WL-30071*185***11:B:1*Q*A*Y*Y~",
        ),
        "no diagnosis": ("HI*ABK:S60011A~", ""),
        "HI01 of an unknown list": ("HI*ABK:S60011A~", "HI*QQQ:S60011A~"),
        "no service line": (
            "LX*1~SV1*HC:G0463*90*UN*1***1~DTP*472*D8*20260326~REF*6R*30084-1~",
            "",
        ),
        "no date of the service": ("DTP*472*D8*20260326~", ""),
        "DTP02 not of the guide": ("DTP*472*D8*20260326~", "DTP*472*QQ*20260326~"),
        "DTP03 no date": ("DTP*472*D8*20260326~", "DTP*472*D8*20260366~"),
        "SV102 no number": ("SV1*HC:G0463*90*", "SV1*HC:G0463*9O*"),
        "SV103 not of the guide": ("SV1*HC:G0463*90*UN*", "SV1*HC:G0463*90*EA*"),
        "SV101 without a code": ("SV1*HC:G0463*", "SV1*HC*"),
        "REF01 not of the guide": ("REF*6R*30084-1~", "REF*BM*30084-1~"),
        "a note on the line": ("REF*6R*30084-1~", "REF*6R*30084-1~NTE*ADD*A NOTE~"),
        "two notes on the claim": ("HI*ABK:S60011A~", "NTE*ADD*A~NTE*ADD*B~HI*ABK:S60011A~"),
        "a segment nobody knows": ("HI*ABK:S60011A~", "ZZZ*1~HI*ABK:S60011A~"),
        "SE02 wrong": ("SE*43*0731~", "SE*43*0732~"),
    },
}


def changed(folder: str, old: str, new: str) -> str:
    """Return a sample with one change; SE01 counts what is there."""
    text = (SAMPLES / folder / "input.edi").read_text("ascii").replace("\n", "")
    if old and text.count(old) != 1:
        raise ValueError(f"{folder}: {old!r} stands there {text.count(old)} times")
    change = new.count("~") - old.count("~")
    text = text.replace(old, new) if old else text
    start = text.index("~SE*") + len("~SE*")
    count, rest = text[start:].split("*", 1)
    return f"{text[:start]}{int(count) + change}*{rest}"


def is_accepted(text: str) -> bool:
    """Tell whether we find no error in a document."""
    return validate(lambda: (text,)).is_valid


def verdicts_of_peer(python: Path, texts: list[str]) -> list[bool]:
    """Return whether the peer accepts each document."""
    answer = subprocess.run(
        [str(python), "-m", "tests.bench.peers.verdicts"],
        input=json.dumps(texts),
        capture_output=True,
        text=True,
        env=os.environ | {"PYTHONPATH": "src"},
        timeout=SECONDS,
        check=True,
    )
    verdicts: list[bool] = json.loads(answer.stdout)
    return verdicts


def main(python: Path) -> list[str]:
    """Print on how many files both agree, and the others; return what is missed."""
    names, texts = [], []
    for folder, changes in CHANGES.items():
        for name, (old, new) in changes.items():
            names.append(f"{folder}: {name}")
            texts.append(changed(folder, old, new))
    theirs = verdicts_of_peer(python, texts)
    ours = [is_accepted(text) for text in texts]
    words = {True: "accepted", False: "rejected"}
    differences = [
        f"{name}: {words[our]} by us, {words[their]} by the peer"
        for name, our, their in zip(names, ours, theirs, strict=True)
        if our != their
    ]
    agreed = len(names) - len(differences)
    sys.stdout.write(f"verdicts: {agreed} of {len(names)} files alike, {sum(ours)} accepted\n")
    for line in differences:
        sys.stdout.write(f"verdicts differ: {line}\n")
    sound = {
        name: text
        for name, text, our, their in zip(names, texts, ours, theirs, strict=True)
        if our and their
    }
    return differences + refused_outputs(python, sound)


def refused_outputs(python: Path, sound: Mapping[str, str]) -> list[str]:
    """Print how many documents, converted from X12 to X12, both accept; return the others."""
    outputs = [carried_over(text).output for text in sound.values()]
    theirs = verdicts_of_peer(python, outputs)
    refused = [
        f"{name}: its X12 output is rejected"
        for name, output, their in zip(sound, outputs, theirs, strict=True)
        if not (their and is_accepted(output))
    ]
    sys.stdout.write(f"X12 outputs: {len(outputs) - len(refused)} of {len(outputs)} accepted\n")
    for line in refused:
        sys.stdout.write(f"{line}\n")
    return refused
