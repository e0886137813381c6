"""The list of costly tests names tests that exist."""

from tests.support.tiers import TESTS, costly_tests


def test_every_costly_test_exists() -> None:
    functions = {name.partition("::")[::2] for name in costly_tests()}
    texts = {file: (TESTS / file).read_text("utf-8") for file, _ in functions}
    missing = [
        (file, name) for file, name in functions if f"def {name or 'test_'}" not in texts[file]
    ]
    assert missing == []
