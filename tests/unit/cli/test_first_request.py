"""The command of the first start: the sample order, safe to paste."""

import json
import shlex
from pathlib import Path

from longshore.cli.first_request import first_request, purchase_order

SAMPLE = Path(__file__).parents[3] / "samples" / "850_purchase_order" / "input.edi"


def test_its_order_is_the_sample_on_one_line() -> None:
    assert SAMPLE.read_text(encoding="utf-8").replace("\n", "") == purchase_order()


def test_a_shell_reads_it_as_one_curl_call_with_a_json_body() -> None:
    command = first_request("http://127.0.0.1:8080", "svc_test_x")
    words = shlex.split(command.replace("\\\n", " "))
    assert words[:-1] == [
        "curl",
        "-sS",
        "http://127.0.0.1:8080/api/v1/parse",
        "-H",
        "Authorization: Bearer svc_test_x",
        "-H",
        "Content-Type: application/json",
        "--data",
    ]
    assert json.loads(words[-1]) == {"document": purchase_order()}
