"""Remove from web/package-lock.json where to give money, which npm writes beside versions.

Danger: those are addresses, and a lock of ours names none (``docs/decisions/0003``). npm installs
the same without them.
"""

import json
from pathlib import Path
from typing import Final

LOCK: Final = Path(__file__).parents[1] / "web/package-lock.json"


def stripped(lock: str) -> str:
    """Return the text of a lock without the ``funding`` of its packages.

    Raises:
        ValueError: An address is left, which nobody expected there.
    """
    content = json.loads(lock)
    for package in content["packages"].values():
        package.pop("funding", None)
    text = json.dumps(content, indent=2, ensure_ascii=False) + "\n"
    for line in text.splitlines():
        if "://" in line:
            raise ValueError(f"{LOCK.name} names an address: {line.strip()}")
    return text


if __name__ == "__main__":
    LOCK.write_text(stripped(LOCK.read_text(encoding="utf-8")), encoding="utf-8")
