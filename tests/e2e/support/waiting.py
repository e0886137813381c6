"""Waiting for what a page tells only to a script.

One evaluation that waits, not ``Page.wait_for_function``: that polls by ``eval``, which the policy
of our pages forbids from the second look on.
"""

from playwright.sync_api import Page


# object: whatever JSON can carry, as Playwright has it.
def wait_until(page: Page, condition: str, given: object = None) -> None:
    """Wait until ``condition``, a function in JavaScript, is true of ``given``."""
    page.evaluate(
        f"""async given => {{
  const holds = {condition}
  while (!holds(given)) await new Promise(requestAnimationFrame)
}}""",
        given,
    )
