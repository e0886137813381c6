"""Encrypts and decrypts the secrets of webhook endpoints."""

from __future__ import annotations

import json
from collections.abc import Sequence
from dataclasses import replace
from datetime import UTC, datetime

from longshore.domain.encryption import decrypt_row, encrypt_row, row_associated_data
from longshore.domain.ports import AssociatedData, SealBrokenError, Sealer
from longshore.domain.webhooks.model import WebhookSecret
from longshore.domain.webhooks.store import SECRETS_ROW_KIND, StoredWebhook


def secrets_text(secrets: Sequence[WebhookSecret]) -> bytes:
    """Return secrets as they are encrypted."""
    return json.dumps([
        [each.text, None if each.expires_at is None else each.expires_at.timestamp()]
        for each in secrets
    ]).encode()


def open_secrets(sealer: Sealer, stored: StoredWebhook) -> tuple[WebhookSecret, ...]:
    """Return the secrets of an endpoint, the newest first.

    Raises:
        SealBrokenError: They are not what was stored in this row.
    """
    opened = decrypt_row(sealer, _associated_data(stored), stored.wrapped_key, stored.secrets)
    try:
        return tuple(
            WebhookSecret(
                text=text, expires_at=None if until is None else datetime.fromtimestamp(until, UTC)
            )
            for text, until in json.loads(opened)
        )
    except (ValueError, TypeError) as error:
        raise SealBrokenError("the secrets of a webhook endpoint are none") from error


def with_secrets(
    sealer: Sealer, stored: StoredWebhook, secrets: Sequence[WebhookSecret]
) -> StoredWebhook:
    """Return an endpoint with other secrets, one version after those it has."""
    changed = replace(stored, sealed_version=stored.sealed_version + 1)
    wrapped_key, sealed = encrypt_row(sealer, _associated_data(changed), secrets_text(secrets))
    return replace(changed, wrapped_key=wrapped_key, secrets=sealed)


def _associated_data(stored: StoredWebhook) -> AssociatedData:
    of = stored.endpoint
    return row_associated_data(
        SECRETS_ROW_KIND, of.account_id, of.environment, of.id, stored.sealed_version
    )
