"""Documents as tests paste, choose, drop and store them."""

from pathlib import Path
from typing import Any

from playwright.sync_api import Page

from tests.e2e.support.api import Api
from tests.e2e.support.site import Site

SAMPLES = Path(__file__).parents[3] / "samples"

ORDER = (SAMPLES / "850_purchase_order" / "input.edi").read_text()
"""A sound purchase order, a segment a line."""

_DROP = """(field, [name, size, text]) => {
  const content = size > 0 ? new Uint8Array(size).fill(65) : text;
  const carried = new DataTransfer();
  carried.items.add(new File([content], name));
  const options = { dataTransfer: carried, bubbles: true, cancelable: true };
  field.dispatchEvent(new DragEvent('dragover', options));
  field.dispatchEvent(new DragEvent('drop', options));
}"""


def paste(page: Page, text: str) -> None:
    """Put ``text`` on the clipboard and paste it into the field for a document."""
    page.context.grant_permissions(["clipboard-read", "clipboard-write"])
    field = page.get_by_role("textbox", name="Document")
    field.focus()
    page.evaluate("text => navigator.clipboard.writeText(text)", text)
    page.keyboard.press("Control+V")


def copied(page: Page) -> str:
    """Return what is on the clipboard."""
    page.context.grant_permissions(["clipboard-read", "clipboard-write"])
    text: str = page.evaluate("navigator.clipboard.readText()")
    return text


def choose(page: Page, content: bytes, name: str = "order.edi") -> None:
    """Choose a file with this content for the field for a document."""
    file: Any = {"name": name, "mimeType": "application/octet-stream", "buffer": content}
    page.locator("input[type=file]").set_input_files(file)


def drop(page: Page, name: str, text: str = "", size: int = 0) -> None:
    """Drop a file with ``text``, or of ``size`` letters, onto the field for a document."""
    page.get_by_role("textbox", name="Document").evaluate(_DROP, [name, size, text])


def store(
    page: Page, site: Site, document: str, environment: str = "sandbox", **members: object
) -> int:
    """Convert a document by a map of its own and store both; return the id of the output."""
    key = Api(page).post("/api/keys", {"name": "store", "environment": environment})["key"]
    body = {
        "document": document,
        "field_map": [{"src": "BEG.03", "tgt": "order.number"}],
        "save_to_vault": True,
        **members,
    }
    status, answer = site.server.call("POST", "/api/v1/convert", key, body)
    assert status == 200, answer
    stored: int = answer["doc_id"]
    return stored
