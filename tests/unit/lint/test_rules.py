"""Each house rule finds what it is for, and lets its neighbour pass."""

from pathlib import Path

import pytest

from tools.lint.runner import RULES, main, violations
from tools.lint.source import Source

DOMAIN = "src/longshore/domain/partners/service.py"
ENGINE = "src/longshore/engine/parse.py"
HTTP = "src/longshore/http/api_v1/parse.py"

BAD = [
    ("banned-words", ENGINE, "def judge_documents() -> None: ...\n"),
    ("banned-words", ENGINE, "usual = 1\n"),
    ("banned-words", DOMAIN, "family = 1\n"),
    ("banned-words", ENGINE, "class TwinFinder: ...\n"),
    ("banned-words", ENGINE, '"""Return what stands\nbeside it."""\n'),
    ("banned-words", ENGINE, "x = 1  # is kept\n# back at one stroke\n"),
    ("banned-words", ENGINE, 'message = f"the segment is owed by {name}"\n'),
    ("private-names", ENGINE, "from longshore.x12.reader import _split\n"),
    ("private-names", ENGINE, "from longshore.x12._reader import split\n"),
    ("private-names", ENGINE, "from longshore.x12 import reader\n\nreader._split()\n"),
    ("loose-dicts", DOMAIN, "def f(body: dict[str, Any]) -> None: ...\n"),
    ("loose-dicts", ENGINE, "rows: list[typing.Mapping[str, typing.Any]] = []\n"),
    ("naive-datetimes", DOMAIN, "due = datetime.combine(day, hour)\n"),
    ("naive-datetimes", DOMAIN, "due = datetime.fromisoformat(text)\n"),
    ("naive-datetimes", DOMAIN, "due = datetime.fromisoformat(text).replace(tzinfo=None)\n"),
    ("broad-excepts", ENGINE, "try:\n    f()\nexcept Exception:\n    g()\n"),
    ("broad-excepts", ENGINE, "try:\n    f()\nexcept (ValueError, BaseException):\n    g()\n"),
    ("broad-excepts", ENGINE, "try:\n    f()\nexcept:\n    g()\n"),
    ("statuses", DOMAIN, "from http import HTTPStatus\n"),
    ("statuses", HTTP, "answer(404, b'')\n"),
    ("statuses", DOMAIN, "class E(LongshoreError):\n    status = 404\n"),
    ("statuses", DOMAIN, "refuse(status_code=409)\n"),
    ("statuses", DOMAIN, "if error.status == 503:\n    wait()\n"),
    ("sql-texts", DOMAIN, 'f("SELECT id FROM partner")\n'),
    ("sql-texts", "src/longshore/storage/sqlite/writer.py", 'f("DELETE FROM partner")\n'),
    ("sql-texts", DOMAIN, 'f("select id, name from partner")\n'),
    ("sql-texts", DOMAIN, 'f("BEGIN IMMEDIATE")\n'),
    ("marked-tasks", ENGINE, "x = 1  # TODO: later\n"),
    ("marked-tasks", ENGINE, "# FIXME(#3): wrong mark\n"),
    ("marked-tasks", "tests/unit/test_x.py", "# XXX\n"),
    ("secret-comparisons", HTTP, "ok = given_token == stored\n"),
    ("secret-comparisons", HTTP, "ok = sha256(text).hexdigest() != row.key_digest\n"),
    ("secret-comparisons", HTTP, "ok = caller.key_text == text\n"),
    ("plain-docstrings", HTTP, 'class A:\n    """A row. ``until``: its end."""\n'),
    (
        "plain-docstrings",
        HTTP,
        'def f():\n    """Do it.\n\n    ``by_name`` of it: too.\n    """\n',
    ),
    ("plain-docstrings", ENGINE, 'class A:\n    """What is known of a row."""\n'),
    ("plain-docstrings", ENGINE, 'class A:\n    a: int\n    """How many rows there are."""\n'),
    ("digits", ENGINE, "ok = text.isdigit()\n"),
    ("digits", ENGINE, 'pattern = r"\\d+"\n'),
    ("digits", ENGINE, 'pattern = "a\\\\d"\n'),
]

GOOD = [
    ("banned-words", "tests/unit/engine/test_parse.py", "def judge_documents() -> None: ...\n"),
    ("banned-words", "src/longshore/http/server.py", "family = 1\n"),
    ("banned-words", ENGINE, '"""An unusual letter, by the way; a handbook of course."""\n'),
    ("banned-words", ENGINE, "judgement = f(doorway)\n"),
    (
        "banned-words",
        ENGINE,
        'field = "family"  # house: banned-words - the family name of NM103\n',
    ),
    ("private-names", "src/longshore/x12/envelope.py", "from longshore.x12.reader import _split\n"),
    ("private-names", ENGINE, "from longshore.x12 import reader\n\nreader.__name__\n"),
    ("private-names", "tests/unit/test_x.py", "from longshore.x12.reader import _split\n"),
    ("loose-dicts", HTTP, "def f(body: dict[str, Any]) -> None: ...\n"),
    ("loose-dicts", DOMAIN, "def f(body: dict[str, str]) -> None: ...\n"),
    ("plain-docstrings", HTTP, 'class A:\n    """A row with ``until``, its end."""\n'),
    ("plain-docstrings", ENGINE, 'class A:\n    """The row, and what is known of it."""\n'),
    (
        "plain-docstrings",
        HTTP,
        'def f():\n    """Do it.\n\n    Raises:\n        E: ``code``: why.\n    """\n',
    ),
    ("naive-datetimes", DOMAIN, "due = datetime.fromisoformat(text).replace(tzinfo=UTC)\n"),
    ("naive-datetimes", DOMAIN, "due = datetime.combine(day, hour, tzinfo=UTC)\n"),
    ("naive-datetimes", DOMAIN, "day = date.fromisoformat(text)\n"),
    ("naive-datetimes", DOMAIN, 'text = text.replace("a", "b")\n'),
    ("broad-excepts", ENGINE, "try:\n    f()\nexcept ValueError:\n    g()\n"),
    ("broad-excepts", ENGINE, "try:\n    f()\nexcept BaseException:\n    g()\n    raise\n"),
    ("broad-excepts", "src/longshore/cli/main.py", "try:\n    f()\nexcept Exception:\n    g()\n"),
    ("statuses", "src/longshore/http/errors.py", "NOT_FOUND = 404\n"),
    ("statuses", HTTP, "answer(200, b'')\n"),
    ("statuses", ENGINE, "max_chars = 400\n"),
    ("sql-texts", DOMAIN, '"""SELECT a partner by hand."""\n'),
    ("sql-texts", DOMAIN, 'raise ValueError("select a format from the list")\n'),
    ("sql-texts", "src/longshore/storage/sqlite/writer.py", 'f("BEGIN IMMEDIATE")\n'),
    ("sql-texts", "src/longshore/storage/schema/migrate.py", 'f("UPDATE partner SET a = 1")\n'),
    ("marked-tasks", ENGINE, "x = 1  # TODO(#12): read the release character\n"),
    ("marked-tasks", ENGINE, 'text = "TODO"\n'),
    ("secret-comparisons", HTTP, "ok = hmac.compare_digest(given_token, stored)\n"),
    ("secret-comparisons", HTTP, 'ok = token == "*"\n'),
    ("secret-comparisons", HTTP, "ok = len(token) == count\n"),
    ("digits", ENGINE, 'pattern = r"[0-9]+"\n'),
    ("digits", ENGINE, 'pattern = r"\\\\d"\n'),
    ("digits", "tests/unit/test_x.py", "ok = text.isdigit()\n"),
]


@pytest.mark.parametrize(("rule", "path", "code"), BAD)
def test_the_danger_is_found(rule: str, path: str, code: str) -> None:
    assert {name for name, _ in violations(Source(path, code))} == {rule}


@pytest.mark.parametrize(("rule", "path", "code"), GOOD)
def test_the_neighbour_passes(rule: str, path: str, code: str) -> None:
    assert rule in RULES
    assert list(violations(Source(path, code))) == []


def test_every_rule_has_a_bad_and_a_good_case() -> None:
    assert {rule for rule, _, _ in BAD} == {rule for rule, _, _ in GOOD} == set(RULES)


def test_a_line_is_excused_only_by_naming_the_rule_and_a_reason() -> None:
    code = "ok = text.isdigit()  # house: {}\n"
    found = {
        comment: len(list(violations(Source(ENGINE, code.format(comment)))))
        for comment in ("digits - ASCII by the loop above", "digits", "digits - ", "statuses - no")
    }
    assert found == {
        "digits - ASCII by the loop above": 0,
        "digits": 1,
        "digits - ": 1,
        "statuses - no": 1,
    }


def test_a_violation_names_file_line_and_rule(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    module = tmp_path / DOMAIN
    module.parent.mkdir(parents=True)
    module.write_text('"""Doc."""\n\nok = text.isdigit()\n', encoding="utf-8")
    assert main(tmp_path) == 1
    first = capsys.readouterr().out.splitlines()[0]
    assert first == f"{DOMAIN}:3: digits: isdigit takes other scripts' digits: use [0-9]"


def test_pages_and_scripts_use_the_same_words(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    texts = {
        "docs/howto/a.md": "# A\n\nThe desk is told\napart.\n",
        "docs/howto/write-a-map.md": "Desk lamp\n",
        "web/src/a.ts": "/** The usual way, told. */\nconst isUsual = fontFamily('here');\n",
        "web/src/b.tsx": "const { way } = f; // the way\nreturn <p>Nothing here is owed.</p>;\n",
        "web/src/a.test.ts": "test('twins are told', judge);\n",
    }
    for path, text in texts.items():
        file = tmp_path / path
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_text(text, encoding="utf-8")
    main(tmp_path)
    lines = [line for line in capsys.readouterr().out.splitlines() if "banned-words" in line]
    assert [line.split(" is no word")[0] for line in lines] == [
        "docs/howto/a.md:3: banned-words: 'desk'",
        "docs/howto/a.md:3: banned-words: 'told apart'",
        "web/src/a.ts:1: banned-words: 'told'",
        "web/src/a.ts:2: banned-words: 'usual'",
        "web/src/b.tsx:1: banned-words: 'way'",
        "web/src/b.tsx:2: banned-words: 'owed'",
    ]


def test_an_edge_that_is_gone_is_reported(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(tmp_path) == 1
    assert "src/longshore/cli/main.py: broad-excepts: named as an edge" in capsys.readouterr().out
