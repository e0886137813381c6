"""Files as a way to deliver: what the transports SFTP and FTPS have in common.

Source: transports.md sections 3 and 5.
"""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable
from contextlib import AbstractAsyncContextManager
from typing import Final

from longshore.domain.delivery.outcome import AttemptOutcome, AttemptVerdict, FailureKind
from longshore.domain.delivery.ports import OutboundMessage, Sent, failed
from longshore.domain.partners.connection_check import ConnectionCheck
from longshore.domain.partners.connections import FileServerConnection
from longshore.transport.egress import EgressError
from longshore.transport.remote_files import RemoteFiles, put_file

BYTES_A_SECOND: Final = 262_144
"""A long file has a second more for each of these."""
ALL_IS_THERE: Final = "The login works, and the folders are there."


async def send_file(
    opened: AbstractAsyncContextManager[RemoteFiles],
    folder: str,
    message: OutboundMessage,
    deadline_seconds: float,
) -> Sent:
    """Store a document in a folder of a server, once however often this is repeated."""
    seconds = deadline_seconds + len(message.content) / BYTES_A_SECOND
    try:
        async with asyncio.timeout(seconds), opened as files:
            await put_file(files, folder, message.file_name, message.content)
    except EgressError as error:
        return failed(error.kind, error.message)
    except TimeoutError:
        return failed(FailureKind.TIMED_OUT)
    return Sent(verdict=AttemptVerdict(AttemptOutcome.SUCCEEDED))


async def result_of(check: Awaitable[ConnectionCheck], deadline_seconds: float) -> ConnectionCheck:
    """Return the result of a check, also if it fails or takes too long."""
    try:
        async with asyncio.timeout(deadline_seconds):
            return await check
    except EgressError as error:
        failure = failed(error.kind, error.message)
    except TimeoutError:
        failure = failed(FailureKind.TIMED_OUT)
    return ConnectionCheck(code=str(failure.error_code), message=failure.message)


async def check_folders(files: RemoteFiles, connection: FileServerConnection) -> None:
    """Look whether the folders of a connection are there.

    Raises:
        EgressError: ``folder_not_found``: one is not.
    """
    for folder in (connection.upload_dir or ".", connection.download_dir):
        if folder and not await files.has_folder(folder):
            raise EgressError(FailureKind.FOLDER_NOT_FOUND)
