"""What links and suggestions write: the type of the target, in its order, by the qualifier."""

import json

from playwright.sync_api import Page, expect

from tests.e2e.support.documents import ORDER
from tests.e2e.support.mapper import drag, exact_output, new_map, rules_of, save, source, target

EXAMPLE = {
    "po": "4711",
    "lines": [{"vendorPart": "x", "qty": 1, "uom": "EA", "buyerPart": "x"}],
    "isTest": True,
    "purpose": 3,
}
LINE = "PO1*2*120*EA*4.20**BP*QH-3310*VP*BW-MUG-BLU~"


def test_the_output_has_the_types_the_order_and_the_ids_of_the_target(own_page: Page) -> None:
    page = own_page
    assert ORDER.count(LINE) == 1
    turned = ORDER.replace(LINE, "PO1*2*120*EA*4.20**VP*BW-MUG-BLU*BP*QH-3310~")
    page.set_viewport_size({"width": 1440, "height": 3000})  # rows out of sight are not there
    new_map(page, turned, EXAMPLE)
    drag(page, source(page, "BEG.01"), target(page, "purpose"))
    drag(page, source(page, "PO1[*].02"), target(page, "lines[*].qty"))
    page.get_by_role("button", name="Suggest").click()
    page.get_by_role("menuitem", name="Accept all").click()
    drag(page, source(page, "BEG.03"), target(page, "po"))
    made = json.loads(exact_output(page))
    assert list(made) == ["po", "lines", "purpose"]
    assert list(made["lines"][0]) == ["vendorPart", "qty", "uom", "buyerPart"]
    assert made["lines"][1] == {
        "vendorPart": "BW-MUG-BLU",
        "qty": 120,
        "uom": "EA",
        "buyerPart": "QH-3310",
    }
    assert made["purpose"] == 0
    save(page)
    assert [rule for rule in rules_of(page) if rule["tgt"] == "lines[*].vendorPart"] == [
        {"src": "PO1[*].09", "tgt": "lines[*].vendorPart", "when": "PO1[*].08=VP"},
        {"src": "PO1[*].07", "tgt": "lines[*].vendorPart", "when": "PO1[*].06=VP"},
    ]
    expect(target(page, "lines[*].vendorPart")).to_contain_text("PO1.09")
