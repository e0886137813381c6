"""Pages of the documentation, cut into the blocks that are executed."""

import re
from dataclasses import dataclass
from pathlib import Path

ROOT = Path(__file__).parents[2]
FENCE = re.compile(r"^```(\w*)\n(.*?)^```$", re.MULTILINE | re.DOTALL)
ANY_TEXT = "…"


@dataclass(frozen=True, slots=True, kw_only=True)
class Block:
    """A fenced block. ``line`` is that of its fence, from 1."""

    language: str
    text: str
    line: int


@dataclass(frozen=True, slots=True, kw_only=True)
class Command:
    """A command of a console block, and what the page says it prints."""

    text: str
    output: str

    def prints(self, actual: str) -> bool:
        """Return whether ``actual`` is what the page shows; … stands for any text or lines."""
        lines = self.output.splitlines()
        pattern = "".join(
            "(?:.*\n)*" if line == ANY_TEXT else _pattern_of(line) + "\n" for line in lines
        )
        ended = actual if actual.endswith("\n") or not actual else f"{actual}\n"
        return re.fullmatch(pattern, ended) is not None


def _pattern_of(line: str) -> str:
    return ".*".join(map(re.escape, line.split(ANY_TEXT)))


def blocks(page: str) -> list[Block]:
    """Return the fenced blocks of a page in order."""
    return [
        Block(language=found[1], text=found[2], line=page.count("\n", 0, found.start()) + 1)
        for found in FENCE.finditer(page)
    ]


def commands(block: str) -> list[Command]:
    """Cut a console block at its ``$``: a command goes on while the shell would ask for more."""
    found: list[Command] = []
    for part in re.split(r"^\$ ", block, flags=re.MULTILINE)[1:]:
        lines = part.splitlines(keepends=True)
        length = 1
        while length < len(lines) and _is_unfinished("".join(lines[:length])):
            length += 1
        found.append(Command(text="".join(lines[:length]), output="".join(lines[length:])))
    return found


def _is_unfinished(text: str) -> bool:
    return text.endswith("\\\n") or text.count("'") % 2 == 1
