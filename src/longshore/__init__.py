"""Longshore, a self-hosted EDI service and a library for EDI documents.

``import longshore as ls`` has the names of ``longshore.library``. They are loaded when one of them
is first used, so importing the package alone stays cheap.
"""

__version__ = "0.1.0"

TYPE_CHECKING = False  # what type checkers take to be True
if TYPE_CHECKING:
    from longshore.library import *  # noqa: F403 - all of its names
else:

    def __getattr__(name: str) -> object:
        """Return a name of the library, which is loaded with the first of them.

        Raises:
            AttributeError: The library has no such name.
        """
        from importlib import import_module  # noqa: PLC0415 - nothing is loaded with the package
        from importlib.util import find_spec  # noqa: PLC0415 - nothing is loaded with the package

        # ``from longshore import cli`` asks for a name before it imports the package.
        if not name.startswith("_") and find_spec(f"longshore.{name}") is None:
            library = import_module("longshore.library")
            if name in library.__all__:
                return getattr(library, name)
        raise AttributeError(f"module 'longshore' has no attribute {name!r}")

    def __dir__() -> list[str]:
        """Return the names of the library, and those that are loaded."""
        from importlib import import_module  # noqa: PLC0415 - nothing is loaded with the package

        return sorted({*globals(), *import_module("longshore.library").__all__})
