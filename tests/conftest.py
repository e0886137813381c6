"""What every test shares: the event loop and how hard hypothesis tries."""

import os

import pytest
from hypothesis import HealthCheck, settings

from tests.support.tiers import TierPlugin

# Generated documents are large and the machines of contributors busy: neither says anything
# about the code, so nothing is judged by the time an example takes.
_QUIET = [HealthCheck.too_slow]

settings.register_profile("dev", max_examples=50, deadline=None, suppress_health_check=_QUIET)
# The same examples in every run of a commit, so that a submission fails for what it changed alone;
# new ones are tried by every `make check`, and by the thousand in the nightly profile.
settings.register_profile(
    "ci", max_examples=100, deadline=None, derandomize=True, suppress_health_check=_QUIET
)
settings.register_profile(
    "nightly", max_examples=20_000, deadline=None, suppress_health_check=_QUIET
)
settings.load_profile(
    os.environ.get("HYPOTHESIS_PROFILE") or ("ci" if os.environ.get("CI") else "dev")
)


def pytest_addoption(parser: pytest.Parser) -> None:
    parser.addoption("--write-durations", action="store_true", help="write tests/durations.json")


def pytest_configure(config: pytest.Config) -> None:
    config.pluginmanager.register(TierPlugin(config), "tiers")


@pytest.fixture(scope="session")
def anyio_backend() -> str:
    """Name the one event loop implementation the service runs on."""
    return "asyncio"
