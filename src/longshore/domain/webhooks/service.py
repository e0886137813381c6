"""The webhook endpoints of an account: made, changed, disabled, and given other secrets."""

from __future__ import annotations

import re
from collections.abc import Callable, Coroutine
from datetime import datetime, timedelta
from typing import Final, NamedTuple

from longshore.domain.audit.writer import AuditWriter, entry_of
from longshore.domain.encryption import key_for_row
from longshore.domain.partners.targets import AddressRefusedError, DestinationRules, read_target
from longshore.domain.ports import RequestContext, Sealer
from longshore.domain.units import ReadUnit, Units, WriteUnit
from longshore.domain.webhooks.encryption import open_secrets, secrets_text, with_secrets
from longshore.domain.webhooks.errors import (
    InvalidWebhookError,
    WebhookNotFoundError,
    WebhookStateError,
)
from longshore.domain.webhooks.model import (
    MAX_DESCRIPTION_CHARS,
    MAX_ENDPOINTS,
    MAX_OVERLAP_HOURS,
    MAX_PARTNERS,
    DisabledReason,
    WebhookEndpoint,
    WebhookId,
    WebhookSecret,
    WebhookStatus,
    WebhookTerms,
)
from longshore.domain.webhooks.signature import SECRET_BYTES, secret_text
from longshore.domain.webhooks.store import SECRETS_ROW_KIND, NewWebhook, StoredWebhook
from longshore.kit.clock import Clock
from longshore.kit.environment import Environment
from longshore.kit.ids import IdSource

# A fragment would not be sent.
_URL: Final = re.compile(r"(?=.{1,2000}\Z)https?://[!-\"$-~]+")
_CONTROLS: Final = re.compile(r"[\x00-\x1f\x7f]")


class IssuedSecret(NamedTuple):
    """A secret, at the only time it is shown."""

    endpoint: WebhookEndpoint
    secret: str = ""
    old_expires_at: datetime | None = None
    """When the secret before it signs no more; None if there is none."""


class WebhookService:
    """The webhook endpoints of all accounts, each through the scope of its caller."""

    def __init__(
        self,
        units: Units,
        clock: Clock,
        sealer: Sealer,
        ids: IdSource,
        destinations: DestinationRules,
    ) -> None:
        self._units = units
        self._clock = clock
        self._sealer = sealer
        self._ids = ids
        self._destinations = destinations

    async def list(self, context: RequestContext) -> tuple[WebhookEndpoint, ...]:
        """Return the endpoints in the caller's environment, the oldest first."""

        async def read(unit: ReadUnit) -> tuple[WebhookEndpoint, ...]:
            return tuple(each.endpoint for each in await unit.webhooks.list(context.environment))

        return await self._units.read(context.scope, read)

    async def show(self, context: RequestContext, endpoint_id: WebhookId) -> WebhookEndpoint:
        """Return one endpoint.

        Raises:
            WebhookNotFoundError: There is no such endpoint.
        """

        async def read(unit: ReadUnit) -> WebhookEndpoint:
            return (await find_endpoint(unit, context, endpoint_id)).endpoint

        return await self._units.read(context.scope, read)

    async def create(self, context: RequestContext, terms: WebhookTerms) -> IssuedSecret:
        """Store an endpoint that is called about what happens from now on.

        Raises:
            InvalidWebhookError: A member is not possible.
            WebhookStateError: The account has ``MAX_ENDPOINTS`` already.
        """
        self._check(terms, context.environment)
        sealer, now = self._sealer, self._clock.now()
        secret = secret_text(self._ids.token_bytes(SECRET_BYTES))
        key = sealer.new_key()
        sealed = sealer.seal(key, secrets_text((WebhookSecret(text=secret),)))
        owner = (context.account_id, context.environment)
        key_for = key_for_row(sealer, key, SECRETS_ROW_KIND, owner)

        async def insert(unit: WriteUnit) -> WebhookEndpoint:
            if len(await unit.webhooks.list(context.environment)) >= MAX_ENDPOINTS:
                raise WebhookStateError(
                    f"An account has at most {MAX_ENDPOINTS} webhook endpoints in an environment."
                )
            await _check_partners(unit, terms)
            new = NewWebhook(
                account_id=context.account_id,
                environment=context.environment,
                terms=terms,
                position=await unit.events.last(context.account_id),
                secrets=sealed,
            )
            endpoint_id = await unit.webhooks.insert(new, key_for, now)
            await self._audit(unit, context, "webhook.create", endpoint_id)
            return (await find_endpoint(unit, context, endpoint_id)).endpoint

        return IssuedSecret(await self._units.write(context.scope, insert), secret)

    async def change(
        self, context: RequestContext, endpoint_id: WebhookId, terms: WebhookTerms
    ) -> WebhookEndpoint:
        """Change where and about what an endpoint is called, also for calls that wait.

        Raises:
            WebhookNotFoundError: There is no such endpoint.
            InvalidWebhookError: A member is not possible.
        """
        self._check(terms, context.environment)

        async def change(unit: WriteUnit) -> WebhookEndpoint:
            await find_endpoint(unit, context, endpoint_id)
            await _check_partners(unit, terms)
            await unit.webhooks.change(endpoint_id, terms, self._clock.now())
            await self._audit(unit, context, "webhook.change", endpoint_id)
            return (await find_endpoint(unit, context, endpoint_id)).endpoint

        return await self._units.write(context.scope, change)

    async def rotate(
        self, context: RequestContext, endpoint_id: WebhookId, overlap_hours: int
    ) -> IssuedSecret:
        """Make a new secret; the one before it signs as well for some hours.

        Raises:
            WebhookNotFoundError: There is no such endpoint.
            WebhookStateError: Its secrets were changed meanwhile.
        """
        assert 0 <= overlap_hours <= MAX_OVERLAP_HOURS
        now = self._clock.now()
        old_expires_at = now + timedelta(hours=overlap_hours)
        secret = secret_text(self._ids.token_bytes(SECRET_BYTES))

        async def rotate(unit: WriteUnit) -> WebhookEndpoint:
            stored = await find_endpoint(unit, context, endpoint_id)
            newest = open_secrets(self._sealer, stored)[0]
            secrets = (
                WebhookSecret(text=secret),
                WebhookSecret(text=newest.text, expires_at=old_expires_at),
            )
            changed = with_secrets(self._sealer, stored, secrets)
            if not await unit.webhooks.change_secrets(changed, now):
                raise WebhookStateError(
                    "The secret of the endpoint was changed meanwhile. Try again."
                )
            await self._audit(unit, context, "webhook.rotate", endpoint_id)
            return stored.endpoint

        endpoint = await self._units.write(context.scope, rotate)
        return IssuedSecret(endpoint, secret, old_expires_at)

    async def enable(self, context: RequestContext, endpoint_id: WebhookId) -> WebhookEndpoint:
        """Call a disabled endpoint again, about what happens from now on.

        Raises:
            WebhookNotFoundError: There is no such endpoint.
            WebhookStateError: It is not disabled.
        """

        async def enable(unit: WriteUnit, now: datetime) -> bool:
            position = await unit.events.last(context.account_id)
            return await unit.webhooks.enable(endpoint_id, position, now)

        refusal = "The webhook endpoint is active already."
        return await self._step(context, endpoint_id, ("webhook.enable", refusal), enable)

    async def disable(self, context: RequestContext, endpoint_id: WebhookId) -> WebhookEndpoint:
        """Stop calls of an endpoint; those that wait are cancelled.

        Raises:
            WebhookNotFoundError: There is no such endpoint.
            WebhookStateError: It is disabled already.
        """

        async def disable(unit: WriteUnit, now: datetime) -> bool:
            return await unit.webhooks.disable(endpoint_id, DisabledReason.BY_USER, now)

        refusal = "The webhook endpoint is disabled already."
        return await self._step(context, endpoint_id, ("webhook.disable", refusal), disable)

    async def delete(self, context: RequestContext, endpoint_id: WebhookId) -> None:
        """End an endpoint for good; calls that wait are cancelled.

        Raises:
            WebhookNotFoundError: There is no such endpoint.
        """

        async def delete(unit: WriteUnit) -> None:
            await find_endpoint(unit, context, endpoint_id)
            await unit.webhooks.delete(endpoint_id, self._clock.now())
            await self._audit(unit, context, "webhook.delete", endpoint_id)

        await self._units.write(context.scope, delete)

    async def _step(
        self,
        context: RequestContext,
        endpoint_id: WebhookId,
        texts: tuple[str, str],
        step: Callable[[WriteUnit, datetime], Coroutine[object, object, bool]],
    ) -> WebhookEndpoint:
        action, refusal = texts

        async def change(unit: WriteUnit) -> WebhookEndpoint:
            await find_endpoint(unit, context, endpoint_id)
            if not await step(unit, self._clock.now()):
                raise WebhookStateError(refusal)
            await self._audit(unit, context, action, endpoint_id)
            return (await find_endpoint(unit, context, endpoint_id)).endpoint

        return await self._units.write(context.scope, change)

    def _check(self, terms: WebhookTerms, environment: Environment) -> None:
        """Refuse terms that are not possible, as far as they show by themselves.

        Raises:
            InvalidWebhookError: A member is not possible.
        """
        _check_url(terms.url, self._destinations, environment)
        if len(terms.description) > MAX_DESCRIPTION_CHARS or _CONTROLS.search(terms.description):
            raise InvalidWebhookError(
                "description",
                f'Parameter "description" must be at most {MAX_DESCRIPTION_CHARS} characters '
                "without control characters.",
            )

    async def _audit(
        self, unit: WriteUnit, context: RequestContext, action: str, endpoint_id: WebhookId
    ) -> None:
        entry = entry_of(context, action, f"webhook {endpoint_id}")
        writer = AuditWriter(unit, self._sealer, context.account_id)
        await writer.record((entry,), self._clock.now())


def _check_url(url: str, destinations: DestinationRules, environment: Environment) -> None:
    if _URL.fullmatch(url) is None:
        raise InvalidWebhookError(
            "url", 'Parameter "url" must be an http or https URL of at most 2000 characters.'
        )
    try:
        target = read_target(url)
    except AddressRefusedError as error:
        raise InvalidWebhookError("url", f'Parameter "url" is refused. {error}') from error
    refusal = destinations.refusal(target, may_be_plain=environment is Environment.SANDBOX)
    if refusal:
        raise InvalidWebhookError("url", f'Parameter "url" is refused. {refusal}')


async def _check_partners(unit: ReadUnit, terms: WebhookTerms) -> None:
    if len(terms.partner_ids) > MAX_PARTNERS:
        raise InvalidWebhookError(
            "partner_ids", f'Parameter "partner_ids" must have at most {MAX_PARTNERS} ids.'
        )
    for each in terms.partner_ids:
        if await unit.partners.find(each) is None:
            raise InvalidWebhookError(
                "partner_ids", f'Parameter "partner_ids" names partner {each}, which is unknown.'
            )


async def find_endpoint(
    unit: ReadUnit, context: RequestContext, endpoint_id: WebhookId
) -> StoredWebhook:
    """Return an endpoint of the caller's environment.

    Raises:
        WebhookNotFoundError: There is none with this id.
    """
    stored = await unit.webhooks.find(endpoint_id)
    if (
        stored is None
        or stored.endpoint.environment is not context.environment
        or stored.endpoint.status is WebhookStatus.DELETED
    ):
        raise WebhookNotFoundError
    return stored


def require_active(stored: StoredWebhook) -> WebhookEndpoint:
    """Return an endpoint that is called.

    Raises:
        WebhookStateError: It is disabled.
    """
    if stored.endpoint.status is not WebhookStatus.ACTIVE:
        raise WebhookStateError("The webhook endpoint is disabled. Enable it first.")
    return stored.endpoint
