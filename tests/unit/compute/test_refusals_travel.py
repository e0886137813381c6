"""A refusal made in a worker process is the same refusal in the server."""

import pickle
from importlib import import_module
from pkgutil import walk_packages

import longshore
from longshore.http.quota import RateLimitedError
from longshore.kit.errors import ErrorCode, ErrorDetail, LongshoreError


def all_kinds() -> set[type[LongshoreError]]:
    """Return LongshoreError and everything derived from it, anywhere in the package."""
    for module in walk_packages(longshore.__path__, "longshore."):
        if not module.name.endswith("__main__"):
            import_module(module.name)
    found: set[type[LongshoreError]] = set()
    waiting = [LongshoreError]
    while waiting:
        kind = waiting.pop()
        found.add(kind)
        waiting += kind.__subclasses__()
    return {kind for kind in found if kind.__module__.startswith("longshore.")}


def test_every_kind_of_refusal_survives_pickling() -> None:
    kinds = all_kinds()
    assert len(kinds) > 10
    detail = ErrorDetail(code="x", message="m", param="p", allowed=("a",), limit="l", max=1)
    for kind in kinds:
        sent = kind.__new__(kind, "what is wrong")
        LongshoreError.__init__(
            sent, ErrorCode.NOT_FOUND, "what is wrong", details=(detail,), retry_after_seconds=7
        )
        received = pickle.loads(pickle.dumps(sent))
        assert type(received) is kind
        assert (received.args, str(received)) == (sent.args, "what is wrong")
        assert vars(received) == vars(sent)


def test_a_kind_with_members_of_its_own_keeps_them() -> None:
    sent = RateLimitedError("default", 600, "Too often.", 2)
    received = pickle.loads(pickle.dumps(sent))
    assert vars(received) == vars(sent)
    assert received.details[0].limit == "default"
