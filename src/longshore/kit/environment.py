"""The two environments a key, a row or a document can belong to."""

from enum import StrEnum, unique


@unique
class Environment(StrEnum):
    """Chosen by the key alone (service.md section 5); never by the document."""

    SANDBOX = "sandbox"
    PRODUCTION = "production"
