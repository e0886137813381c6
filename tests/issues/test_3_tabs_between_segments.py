"""Issue 3: with tabs between segments, a tab in data stood bare in the answer: no JSON."""

import json

from longshore.engine import parse


def test_a_tab_in_data_is_escaped_where_tabs_stand_between_segments() -> None:
    document = "ST*850*0001~\tMSG*a\tb~\tSE*3*0001~"
    assert json.loads(parse(document).result_json())["fields"]["MSG.01"] == "a\tb"
