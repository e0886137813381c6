"""Where document work runs: short work at once, long work beside the event loop."""

from collections.abc import Iterator
from threading import current_thread, main_thread

import pytest

from longshore.compute.inline import INLINE_LIMIT, InlineCompute


@pytest.fixture
def compute() -> Iterator[InlineCompute]:
    compute = InlineCompute()
    yield compute
    compute.close()


def where(document: str | bytes, *, mark: str = "") -> tuple[bool, int, str]:
    return current_thread() is main_thread(), len(document), mark


@pytest.mark.parametrize("letter", ["x", b"x"], ids=["text", "bytes"])
async def test_a_small_document_is_worked_on_at_once(
    compute: InlineCompute, letter: str | bytes
) -> None:
    assert await compute.run(where, letter * INLINE_LIMIT, mark="m") == (True, INLINE_LIMIT, "m")


@pytest.mark.parametrize("letter", ["x", b"x"], ids=["text", "bytes"])
async def test_a_larger_one_leaves_the_event_loop_free(
    compute: InlineCompute, letter: str | bytes
) -> None:
    size = INLINE_LIMIT + 1
    assert await compute.run(where, letter * size, mark="m") == (False, size, "m")


async def test_short_work_that_is_handed_over_leaves_the_event_loop_free(
    compute: InlineCompute,
) -> None:
    assert await compute.submit_to_executor(where, "x", mark="m") == (False, 1, "m")


@pytest.mark.parametrize("size", [1, INLINE_LIMIT + 1])
async def test_what_the_work_raises_reaches_the_caller(compute: InlineCompute, size: int) -> None:
    def refuse(_document: str) -> None:
        raise ValueError("no")

    with pytest.raises(ValueError, match="no"):
        await compute.run(refuse, "x" * size)


async def test_after_close_long_work_is_refused(compute: InlineCompute) -> None:
    compute.close()
    with pytest.raises(RuntimeError, match="after shutdown"):
        await compute.run(where, "x" * (INLINE_LIMIT + 1))
