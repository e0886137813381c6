"""The table of settings: each with its default, its reader and its comment."""

from dataclasses import dataclass, field
from pathlib import Path
from typing import Literal

from longshore.settings.values import (
    LogLevel,
    Reader,
    base_url,
    database_url,
    file_path,
    folder_path,
    host,
    log_level,
    networks,
    number_or_auto,
    whole_number,
)


def _about(read: Reader, comment: str) -> dict[str, object]:
    return {"read": read, "comment": comment}


@dataclass(frozen=True, slots=True, kw_only=True)
class Settings:
    """Everything an operator can choose; the comments are those of longshore.example.toml."""

    data_dir: Path = field(
        default=Path("longshore-data"),
        metadata=_about(
            folder_path,
            "Folder of the database and the lock files; created at the first start. Relative to "
            "the working directory. Must not be on a network file system.",
        ),
    )
    database_url: str = field(
        default="",
        repr=False,  # it may hold a password
        metadata=_about(
            database_url,
            "PostgreSQL instead of a file in the data directory, for example "
            "postgresql://longshore@db.example.com/longshore. The login must own the tables and "
            "be allowed to create roles. Set it in the environment if it contains a password.",
        ),
    )
    master_key_file: str = field(
        default="",
        metadata=_about(
            file_path,
            "File with the key that encrypts stored documents and maps: 64 hexadecimal digits. "
            "Created at the first start. Empty: master.key in the data directory. Servers that "
            "share a PostgreSQL database share this file. Backups do not contain it: keep a "
            "copy in a safe place.",
        ),
    )
    audit_heads_file: str = field(
        default="",
        metadata=_about(
            file_path,
            "Output of `longshore audit verify --json` that was kept outside the database. Each "
            "start, `doctor` and `audit verify` compare the audit logs with it and report a log "
            "whose end was lost. Empty: no comparison.",
        ),
    )
    code_lists_file: str = field(
        default="",
        metadata=_about(
            file_path,
            "File of your own codes, which `longshore dictionary import-codes` writes and "
            "validation uses for partners whose setting codes is partner. Empty: code-lists.csv "
            "in the data directory. Servers and workers that share a database share this file.",
        ),
    )
    host: str = field(
        default="127.0.0.1",
        metadata=_about(host, "Address to listen on. 0.0.0.0 is every IPv4 address."),
    )
    port: int = field(
        default=8080,
        metadata=_about(
            whole_number(0, 65_535), "TCP port to listen on. 0 lets the system choose a free one."
        ),
    )
    sftp_port: int = field(
        default=0,
        metadata=_about(
            whole_number(0, 65_535),
            "TCP port of the SFTP server, at which partners log in to their mailboxes; it listens "
            "at the address of host. 0: no SFTP server. Needs the extra sftp.",
        ),
    )
    tls_cert: str = field(
        default="",
        metadata=_about(
            file_path,
            "PEM file of the server's certificate and its chain: the server speaks https, TLS 1.2 "
            "or later. Taken anew within seconds when it changes. Needs tls_key. Empty: http, for "
            "loopback or behind a proxy with TLS.",
        ),
    )
    tls_key: str = field(
        default="",
        metadata=_about(file_path, "PEM file of the unencrypted private key of tls_cert."),
    )
    base_url: str = field(
        default="",
        metadata=_about(
            base_url,
            "Beginning of links and inbound addresses, for example https://edi.example.com. "
            "Only pages from this address may log in and change anything. Empty: the served "
            "address. Never taken from a request.",
        ),
    )
    trusted_proxies: tuple[str, ...] = field(
        default=(),
        metadata=_about(
            networks,
            "Addresses or networks whose X-Forwarded-For header is trusted. Separated by commas "
            "in the environment.",
        ),
    )
    max_body_bytes: int = field(
        default=33_554_432,
        metadata=_about(
            whole_number(1_024, 1_073_741_824),
            "Largest request body. Protects memory: parsing takes a few times the body's size.",
        ),
    )
    requests_per_minute: int = field(
        default=600,
        metadata=_about(
            whole_number(1, 1_000_000),
            "Average number of requests per minute for a production key. Sandbox keys have no "
            "quota. Each server process counts separately.",
        ),
    )
    request_burst: int = field(
        default=60,
        metadata=_about(
            whole_number(1, 1_000_000),
            ("Requests that a production key may make at once after a pause."),
        ),
    )
    submits_per_minute: int = field(
        default=120,
        metadata=_about(
            whole_number(1, 1_000_000),
            "Average number of documents per minute that a production key may submit.",
        ),
    )
    session_requests_per_minute: int = field(
        default=6_000,
        metadata=_about(
            whole_number(1, 1_000_000),
            "Average number of requests per minute of one session of a browser; a sixth of it at "
            "once.",
        ),
    )
    inbound_requests_per_minute: int = field(
        default=6_000,
        metadata=_about(
            whole_number(1, 1_000_000),
            "Average number of requests per minute to one inbound address of a partner; a sixth "
            "of it at once.",
        ),
    )
    concurrent_documents: int = field(
        default=8,
        metadata=_about(
            whole_number(1, 10_000),
            "Documents of one production key that are processed at the same time.",
        ),
    )
    sandbox_concurrent_documents: int = field(
        default=32,
        metadata=_about(
            whole_number(1, 10_000),
            "Documents that the sandbox keys of one account have worked on at the same time.",
        ),
    )
    concurrent_bodies: int = field(
        default=256,
        metadata=_about(
            whole_number(1, 100_000),
            "Request bodies of one account that arrive at the same time, or of one client that "
            "logs in.",
        ),
    )
    bytes_in_flight: int = field(
        default=268_435_456,
        metadata=_about(
            whole_number(1_048_576, 1_099_511_627_776),
            "Bytes of request bodies taken in at the same time, half of them by one account, "
            "counted as they arrive. As many wait, others get 503. The first 64 KB of each body "
            "are counted apart, up to a quarter of this. Protects memory: each takes a few times "
            "its size.",
        ),
    )
    queue_seconds: int = field(
        default=20,
        metadata=_about(
            whole_number(1, 300), "Time a request waits in the queue before it gets 503."
        ),
    )
    document_wait_seconds: int = field(
        default=2,
        metadata=_about(
            whole_number(1, 60),
            "Time in which a submitted or received document should be stored. If more wait than "
            "can be stored in three fifths of it, or one has waited for so long, the answer is "
            "503.",
        ),
    )
    late_delivery_seconds: int = field(
        default=1,
        metadata=_about(
            whole_number(1, 3_600),
            "While a document that is due for delivery or processing has waited longer than this, "
            "submitted and received documents are stored more slowly, so that the worker catches "
            "up.",
        ),
    )
    max_stored_bytes: int = field(
        default=0,
        metadata=_about(
            whole_number(0, 2**60),
            "Bytes of documents that an account may store, unless `longshore accounts set-quota` "
            "gives it a quota of its own. Beyond it submits, receipts, stored conversions and "
            "saved maps get 507. 0: no quota.",
        ),
    )
    max_stored_records: int = field(
        default=0,
        metadata=_about(
            whole_number(0, 2**60),
            "The same for receipts, interchanges, transactions, vault documents and versions of "
            "maps together.",
        ),
    )
    document_workers: int | Literal["auto"] = field(
        default="auto",
        metadata=_about(
            number_or_auto(0, 256),
            "Processes that work on documents above 32 KB. auto: one less than there are cores, "
            "at least one. One more is started for documents up to 128 KB when all are busy. 0: "
            "threads of the server, which then answers others later.",
        ),
    )
    document_cpu_seconds: int = field(
        default=60,
        metadata=_about(
            whole_number(1, 3_600),
            "Computing time such a process may spend on one document.",
        ),
    )
    worker_memory_bytes: int = field(
        default=2_147_483_648,
        metadata=_about(
            whole_number(268_435_456, 1_099_511_627_776),
            "Address space of such a process.",
        ),
    )
    concurrent_jobs: int = field(
        default=8,
        metadata=_about(
            whole_number(1, 256),
            "Documents that one process sends or processes at the same time; at most two are "
            "sent to one partner.",
        ),
    )
    allowed_networks: tuple[str, ...] = field(
        default=(),
        metadata=_about(
            networks,
            "Non-public addresses or networks that documents may be sent to, for example "
            "10.20.0.0/16 for partners in your own network. Live documents may use http there. "
            "Link-local and metadata addresses are always refused. Separated by commas in the "
            "environment.",
        ),
    )
    max_connections: int = field(
        default=4_096,
        metadata=_about(
            whole_number(1, 1_000_000),
            "Open connections, or as many as the system allows files. Beyond it the newest one "
            "that asks nothing is closed, first of the client that has most; if there is none, "
            "the new one gets 503.",
        ),
    )
    connections_per_client: int = field(
        default=1_024,
        metadata=_about(
            whole_number(1, 1_000_000),
            "The same for one address, or one IPv6 network of 64 bits. Trusted proxies are exempt.",
        ),
    )
    header_deadline_seconds: int = field(
        default=15,
        metadata=_about(
            whole_number(1, 300),
            "A connection whose request headers are not complete after this time is closed; a "
            "handshake of TLS is part of the time.",
        ),
    )
    body_deadline_seconds: int = field(
        default=30,
        metadata=_about(
            whole_number(1, 300),
            "Time for a request body, to which each 64 KiB received add one second, up to 300.",
        ),
    )
    write_deadline_seconds: int = field(
        default=30,
        metadata=_about(
            whole_number(1, 300),
            "A connection whose client reads nothing of its response for this time is closed.",
        ),
    )
    idle_deadline_seconds: int = field(
        default=30,
        metadata=_about(
            whole_number(1, 3_600),
            "A connection without a request is closed after this time.",
        ),
    )
    shutdown_deadline_seconds: int = field(
        default=10,
        metadata=_about(
            whole_number(1, 300), "Time for running requests to finish after SIGTERM or Ctrl-C."
        ),
    )
    log_level: LogLevel = field(
        default=LogLevel.INFO,
        metadata=_about(
            log_level,
            f"The lowest level of log lines that are written: {', '.join(LogLevel)}. "
            "No level writes document content or keys.",
        ),
    )
