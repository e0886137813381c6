"""The floor of the HTTP benchmarks: a bare ASGI echo on uvicorn as Longshore sets it up.

``python -m tests.bench.echo`` prints its port and serves until SIGTERM.
"""

import socket
import sys

import uvicorn
from starlette.types import Receive, Scope, Send

HELLO = b"x" * 128  # for a request without a body; about as long as a ping's answer


async def echo(_scope: Scope, receive: Receive, send: Send) -> None:
    """Answer with the body of the request."""
    body, more = b"", True
    while more:
        message = await receive()
        body += message.get("body", b"")
        more = message.get("more_body", False)
    body = body or HELLO
    headers = [
        (b"content-type", b"application/json"),
        (b"content-length", str(len(body)).encode()),
    ]
    await send({"type": "http.response.start", "status": 200, "headers": headers})
    await send({"type": "http.response.body", "body": body})


def main() -> None:
    """Serve on a free port."""
    config = uvicorn.Config(
        echo,
        loop="uvloop",
        http="httptools",
        ws="none",
        lifespan="off",
        interface="asgi3",
        log_config=None,
        access_log=False,
        proxy_headers=False,
        server_header=False,
        timeout_keep_alive=30,
    )
    with socket.create_server(("127.0.0.1", 0), backlog=2_048) as listener:
        sys.stdout.write(f"{listener.getsockname()[1]}\n")
        sys.stdout.flush()
        uvicorn.Server(config).run(sockets=[listener])


if __name__ == "__main__":
    main()
