"""The requests a newcomer sends first, as shell commands that can be pasted.

One parses a whole purchase order, the other makes the first user.

It needs no file and no folder, so it works wherever it is pasted. The order is that of
``samples/850_purchase_order``, which a wheel does not carry; a test compares the two.
"""

import json
import shlex
from typing import Final

_SEGMENTS: Final = (
    (
        "ISA*00*          *00*          *ZZ*QUILLMARK      *ZZ*BRINDLEWOOD    "
        "*260302*0915*U*00401*000000417*0*T*>"
    ),
    "GS*PO*QUILLMARK*BRINDLEWOOD*20260302*0915*417*X*004010",
    "ST*850*0001",
    "BEG*00*SA*PO-20260302-17**20260302",
    "CUR*BY*USD",
    "REF*DP*0420",
    "PER*BD*Purchasing desk*TE*2075550142",
    "FOB*CC*OR*Brindlewood dock",
    "ITD*01*3*2**10**30",
    "DTM*002*20260316",
    "DTM*001*20260330",
    "TD5****M*Ground, call the dock first",
    "N9*L1*DELIVERY",
    "MSG*Deliver Monday to Friday, 07:00 to 15:00",
    "N1*BT*Quillmark Home Goods*92*1000",
    "N3*48 Foundry Row",
    "N4*Port Merrin*ME*04998*US",
    "N1*ST*Quillmark Warehouse 3*92*1003",
    "N3*7 Canal Siding*Dock 4",
    "N4*Eastling*ME*04997*US",
    "N1*VN*Brindlewood Supply*92*B1",
    "PO1*1*48*EA*12.75**BP*QH-2201*VP*BW-LAMP-BRS",
    "PID*F****Desk lamp, brass",
    "PO1*2*120*EA*4.20**BP*QH-3310*VP*BW-MUG-BLU",
    "PID*F****Stoneware mug, blue",
    "PO1*3*10*CA*36**BP*QH-4107*VP*BW-TOWEL-6",
    "PID*F****Tea towels, case of 6",
    "CTT*3*178",
    "AMT*TT*1476",
    "SE*28*0001",
    "GE*1*417",
    "IEA*1*000000417",
)
PURCHASE_ORDER: Final = "".join(f"{segment}~" for segment in _SEGMENTS)


def first_request(address: str, key: str) -> str:
    """Return a curl command that parses the order; to be pasted into any POSIX shell."""
    return _post(
        f"{address}/api/v1/parse",
        {"document": PURCHASE_ORDER},
        f"-H {shlex.quote(f'Authorization: Bearer {key}')}",
    )


def set_up_request(address: str, token: str) -> str:
    """Return a curl command that makes the first user.

    What stands for address and password is refused as it is: nobody gets a known password.
    """
    body = {"token": token, "email": "E-MAIL", "password": "PASSWORD"}
    return _post(f"{address}/api/setup", body)


def _post(url: str, body: dict[str, str], *options: str) -> str:
    return " \\\n  ".join((
        f"curl -sS {shlex.quote(url)}",
        *options,
        "-H 'Content-Type: application/json'",
        f"--data {shlex.quote(json.dumps(body))}",
    ))
