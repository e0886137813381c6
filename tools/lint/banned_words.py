"""Names and prose use the words of EDI and Python, not a dialect of this project.

Danger: a stranger who meets a "letter" that is told to a desk has to learn a private dictionary
before the first bug is found. CONTRIBUTING.md says which words to use.
"""

import io
import re
import tokenize
from collections.abc import Iterator
from types import MappingProxyType

from tools.lint.source import Source, Violation

NAME = "banned-words"

PACKAGES = (
    "src/longshore",
    "tools/lint/runner.py",
)
"""Where the rule holds."""

DATA = ("src/longshore/x12/dictionary/data", "src/longshore/mapping/starters/segment_names.py")
"""Tables of names of the X12 standard, whose words are not ours."""

PAGES = ("*.md", "docs/**/*.md", "changes/*.md", "web/src/**/*.ts", "web/src/**/*.tsx")
"""Texts that are not Python; names of tests and generated types are left out."""

TRUE_USES = MappingProxyType({
    "changes/17.changed.plain-words.md": "judged",
    "docs/howto/write-a-map.md": "desk",
    "docs/reference/starter-map-members.md": "family",
    "docs/reference/starter-maps.md": "desk",
    "src/longshore/demo/orders.py": "desk",
    "src/longshore/http/server.py": "family",
    "src/longshore/telemetry/metrics.py": "family",
    "src/longshore/transport/egress.py": "family",
    "web/src/mapper/TreePanel.tsx": "letter",
})
"""Words that have their usual meaning in a file: goods, address families, a word that was."""

TRUE_TERMS = re.compile(r"font-?family|(?:HTML)?Anchor|QuickStart|threeWay", re.IGNORECASE)
"""Terms of the web and its libraries that contain a banned word."""

BANNED = MappingProxyType({
    "beside": "next to, in addition to, in parallel with",
    "desk": "service, runner",
    "door": "interface, entry point",
    "family": "resend chain, group",
    "judge": "validate, assess, check",
    "mend": "fix, correct",
    "mishap": "failure",
    "owe": "require, pending, outstanding",
    "sister": "sibling",
    "tell apart": "distinguish",
    "told": "reported, given, notified",
    "twin": "counterpart, duplicate, replay",
    "unhurried": "without a time limit",
    "at one stroke": "in one step",
    "careful way": "slow path",
    "fast way": "fast path",
    "keep back": "hold",
    "quick way": "fast path",
    "slow way": "slow path",
})
"""Words and phrases that stand in no name, docstring, comment or text; what to write instead."""

BANNED_NAMES = MappingProxyType({
    "anchor": "ref, position",
    "careful": "slow",
    "course": "spans",
    "here": "current",
    "joint": "separator",
    "letter": "template, message",
    "parcel": "message",
    "quick": "fast",
    "remark": "diagnostic",
    "spot": "ref, position",
    "stand": "location",
    "standing": "state, cursor",
    "stretch": "span",
    "usual": "default, common, fast",
    "way": "path, plan, method",
})
"""Words that stand in no name, though prose may use them; what to write instead."""

_FORMS = MappingProxyType({
    "desks": "desk",
    "doors": "door",
    "families": "family",
    "judged": "judge",
    "judges": "judge",
    "judging": "judge",
    "kept back": "keep back",
    "mended": "mend",
    "mends": "mend",
    "mishaps": "mishap",
    "owed": "owe",
    "owes": "owe",
    "sisters": "sister",
    "tells apart": "tell apart",
    "told apart": "tell apart",
    "twins": "twin",
    "anchors": "anchor",
    "courses": "course",
    "joints": "joint",
    "letters": "letter",
    "parcels": "parcel",
    "remarks": "remark",
    "spots": "spot",
    "standings": "standing",
    "stands": "stand",
    "stretches": "stretch",
    "ways": "way",
})
"""Other forms of banned words, and the form listed above."""

_PART = re.compile(r"[A-Z]+(?![a-z])|[A-Z]?[a-z]+")
_SPACE = re.compile(r"[\s#]+")
_PROSE = (tokenize.STRING, tokenize.COMMENT)
_TEXT_OF_SCRIPT = re.compile(
    r"""'(?:\\.|[^'\\\n])*'|"(?:\\.|[^"\\\n])*"|`(?:\\.|[^`\\])*`|//[^\n]*|/\*.*?\*/""", re.DOTALL
)
_NAME_OF_SCRIPT = re.compile(
    r"""\b(?:const|let|function|type|interface|enum|class)\s+(\w+)  # a declaration
    |(\w+)\??:\s  # a member or parameter
    |\b(\w*[a-z][A-Z]\w*)  # any name that is no plain word
    |(?<=[{,[(])\s*(\w+)\s*(?=[,}\])=])  # one of a list of parameters""",
    re.VERBOSE,
)


def _pattern(*lists: MappingProxyType[str, str]) -> re.Pattern[str]:
    words = {word for banned in lists for word in banned}
    words |= {form for form, word in _FORMS.items() if word in words}
    longest_first = sorted(words, key=len, reverse=True)
    spaced = "|".join(longest_first).replace(" ", _SPACE.pattern)
    return re.compile(rf"(?<![^\W_])(?:{spaced})(?![^\W_])", re.IGNORECASE)


_IN_PROSE = _pattern(BANNED)
_IN_NAMES = _pattern(BANNED, BANNED_NAMES)


def check(source: Source) -> Iterator[Violation]:
    """Find banned words in names, docstrings, comments and texts."""
    if not source.is_under(*PACKAGES) or source.is_under(*DATA):
        return
    for token in tokenize.generate_tokens(io.StringIO(source.text).readline):
        if token.type == tokenize.NAME:
            found = _IN_NAMES.finditer(" ".join(_PART.findall(token.string)))
        elif token.type in _PROSE:
            found = _IN_PROSE.finditer(token.string)
        else:
            continue
        for each in found:
            if TRUE_USES.get(source.path) == each[0].lower():
                continue
            lines = 0 if token.type == tokenize.NAME else token.string.count("\n", 0, each.start())
            yield Violation(
                path=source.path, line=token.start[0] + lines, message=_message(each[0])
            )


def check_page(path: str, text: str) -> Iterator[Violation]:
    """Find banned words in a page of documentation, or in names and texts of the browser pages."""
    if ".test." in path or path.endswith(".d.ts"):
        return
    text = TRUE_TERMS.sub(_blank, text)
    found = [(each.start(), each[0]) for each in _IN_PROSE.finditer(text)]
    if path.startswith("web/"):
        found += _banned_names(_TEXT_OF_SCRIPT.sub(_blank, text))
    for start, word in sorted(set(found)):
        if TRUE_USES.get(path) != word.lower():
            line = text.count("\n", 0, start) + 1
            yield Violation(path=path, line=line, message=_message(word))


def _banned_names(code: str) -> Iterator[tuple[int, str]]:
    for name in _NAME_OF_SCRIPT.finditer(code):
        parts = " ".join(_PART.findall(name[name.lastindex or 0]))
        for each in _IN_NAMES.finditer(parts):
            yield name.start(name.lastindex or 0), each[0]


def _blank(match: re.Match[str]) -> str:
    """Return spaces in place of a match, so that the lines keep their numbers."""
    return re.sub(r"[^\n]", " ", match[0])


def _message(found: str) -> str:
    form = _SPACE.sub(" ", found).lower()
    word = _FORMS.get(form, form)
    return f"{form!r} is no word of ours: {BANNED.get(word) or BANNED_NAMES[word]}"
