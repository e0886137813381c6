"""The command line refuses documents of other formats where it expects X12."""

import json
from pathlib import Path

import pytest

from tests.support.other_formats import DOCUMENTS, message, x12_only_message
from tests.unit.cli.conftest import CommandLine
from tests.unit.engine.conversion_examples import rule


@pytest.mark.parametrize("command", ["parse", "segments", "convert", "validate", "ack"])
def test_another_format_is_refused_with_its_name_and_the_option(
    run: CommandLine, command: str
) -> None:
    rules = Path(run.folder, "rules.json")
    rules.write_text(json.dumps([rule("BEG.03", "po")]), encoding="utf-8")
    for found, document in DOCUMENTS.items():
        path = Path(run.folder, found)
        path.write_bytes(document.encode())
        arguments, text = {
            "parse": (["parse"], message(found, "use --format {}")),
            "segments": (["parse", "--view", "segments"], message(found, "use --format {}")),
            "convert": (["convert", "--rules", str(rules)], message(found, "use --from {}")),
            "validate": (["validate"], x12_only_message(found)),
            "ack": (["ack"], x12_only_message(found)),
        }[command]
        ran = run(*arguments, str(path))
        assert (ran.code, ran.out) == (2, "")
        assert ran.err == f"longshore: {text} (document_not_x12)\n"


def test_with_json_the_refusal_names_the_format(run: CommandLine) -> None:
    path = Path(run.folder, "order")
    path.write_bytes(DOCUMENTS["edifact"].encode())
    ran = run("parse", str(path), "--json")
    assert (ran.code, ran.json["code"]) == (2, "document_not_x12")
    assert ran.json["details"][0]["found"] == "edifact"
