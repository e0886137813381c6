"""A server that does everything wrong, one fault a path: what the harness must notice."""

import asyncio
import json
import sys
from urllib.parse import unquote

GOOD = {"ok": False, "error": "There is nothing here.", "code": "not_found", "request_id": "r-1"}
HEADERS = {
    "content-type": "application/json",
    "x-request-id": "r-1",
    "x-content-type-options": "nosniff",
}
ERRORS = {
    "a traceback": "Traceback (most recent call last)",
    "SQL": "near SELECT id FROM api_keys",
    "a driver": "asyncpg.exceptions.UndefinedTableError",
    "a policy": "new row violates row-level security policy",
    "a key": "svc_test_" + "a" * 36,
    "an error text without end": "a" * 2_001,
    "no error text": "",
}
BODIES = {
    "no JSON": b"Internal Server Error",
    "NaN": b'{"ok":false,"x":NaN,' + json.dumps(GOOD).encode()[1:],
    "a member twice": b'{"ok":false,"x":1,"x":2,' + json.dumps(GOOD).encode()[14:],
    "a lone surrogate": b'{"x":"\\ud800",' + json.dumps(GOOD).encode()[1:],
    "no UTF-8": b'{"x":"\xff",' + json.dumps(GOOD).encode()[1:],
    "no envelope": b'{"detail":"Not Found"}',
    "ok that is no boolean": json.dumps({**GOOD, "ok": 0}).encode(),
    "a long answer": json.dumps({
        **GOOD,
        "details": [{"code": "x", "message": "m" * 500_000}],
    }).encode(),
}


async def answer(  # noqa: C901 - one fault a branch
    path: str, folder: str, canary_port: int
) -> tuple[int, dict[str, str], bytes]:
    """Return status, headers and body of the fault the path names."""
    headers, status, body = dict(HEADERS), 404, json.dumps(GOOD).encode()
    if path in ERRORS:
        body = json.dumps({**GOOD, "error": ERRORS[path]}).encode()
    elif path == "a path":
        body = json.dumps({**GOOD, "error": f"{folder}/data cannot be read"}).encode()
    elif path in BODIES:
        body = BODIES[path]
    elif path == "status 500":
        status = 500
    elif path == "another status":
        status = 400
    elif path == "no request id":
        del headers["x-request-id"]
    elif path == "another content type":
        headers["content-type"] = "text/html"
    elif path == "a call":
        _, writer = await asyncio.open_connection("127.0.0.1", canary_port)
        writer.close()
        await asyncio.sleep(0.1)
    elif path == "effort":
        sum(range(100_000_000))
    elif path == "memory":
        bytearray(450 * 2**20).count(1)
    return status, headers, body


async def serve(folder: str, canary_port: int) -> None:
    async def connected(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        head = await reader.readuntil(b"\r\n\r\n")
        path = unquote(head.split()[1].decode())[1:]
        if path == "silence":
            await asyncio.sleep(60)
        status, headers, body = await answer(path, folder, canary_port)
        if path == "api/v1/ping":
            members = {"ok": True, "message": "pong", "environment": "sandbox", "account": "a"}
            status, body = 200, json.dumps({**members, "account_type": "developer"}).encode()
        headers["content-length"] = str(len(body) + (path == "a cut"))
        lines = "".join(f"{name}: {value}\r\n" for name, value in headers.items())
        if path != "nothing":
            writer.write(f"HTTP/1.1 {status} X\r\n{lines}\r\n".encode() + body)
        await writer.drain()
        writer.close()
        if path == "the end":
            server.close()

    server = await asyncio.start_server(connected, "127.0.0.1", 0)
    print(server.sockets[0].getsockname()[1], flush=True)  # noqa: T201 - how it tells its port
    async with server:
        await server.wait_closed()


if __name__ == "__main__":
    asyncio.run(serve(sys.argv[1], int(sys.argv[2])))
