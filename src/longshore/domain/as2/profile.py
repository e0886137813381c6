"""The text that tells a partner what it needs to trade with one of our AS2 identities."""

from __future__ import annotations

from datetime import datetime, timedelta
from typing import Final

from longshore.as2.certificates import CertificateFacts, read_certificate_facts
from longshore.domain.as2.model import As2Identity
from longshore.kit.environment import Environment

WARNING: Final = timedelta(days=30)
"""A certificate that expires sooner is reported."""
_KINDS: Final = {Environment.SANDBOX: "test documents", Environment.PRODUCTION: "live documents"}


def is_expiring(facts: CertificateFacts, now: datetime) -> bool:
    """Tell whether a certificate expires soon, or has expired."""
    return facts.not_after - now <= WARNING


def profile_text(identity: As2Identity, url: str) -> str:
    """Return what to send to a partner: name, URL, security and certificates."""
    first, *others = map(read_certificate_facts, identity.certificates)
    lines = [
        f"AS2 profile for {_KINDS[identity.environment]}",
        "",
        f"AS2 name:      {identity.name}",
        f"AS2 URL:       {url}",
        "Security:      messages signed and encrypted",
        "Signature:     SHA-256, SHA-384 or SHA-512 with RSA",
        "Encryption:    AES-128, AES-192 or AES-256, CBC or GCM; RSA PKCS #1 v1.5 or OAEP",
        "Receipt (MDN): synchronous or asynchronous, signed; MIC with SHA-256",
        "",
        "Certificate for signature and encryption:",
        *_certificate_lines(identity.certificates[0], first),
    ]
    for pem, facts in zip(identity.certificates[1:], others, strict=True):
        lines += ["", "Second certificate, accept both:", *_certificate_lines(pem, facts)]
    return "\n".join(lines) + "\n"


def _certificate_lines(pem: str, facts: CertificateFacts) -> list[str]:
    return [
        f"  SHA-256 fingerprint: {facts.fingerprint}",
        f"  expires:             {facts.not_after:%Y-%m-%d}",
        *pem.strip().splitlines(),
    ]
