"""The application: routes of all operations and pages, behind the front layer."""

from collections.abc import Mapping, Sequence
from itertools import groupby
from pathlib import Path

from starlette.routing import Route, Router
from starlette.types import ASGIApp, Receive, Scope, Send

from longshore.http.documentation import documentation_pages
from longshore.http.endpoint import Endpoint, not_found_app
from longshore.http.front import Front
from longshore.http.operation import AnyOperation
from longshore.http.routes import OPERATIONS
from longshore.http.services import HttpServices as HttpServices  # noqa: PLC0414 - part of this interface
from longshore.http.ui.routes import STATIC_FOLDER, application_routes


def create_app(
    services: HttpServices,
    operations: Sequence[AnyOperation] = OPERATIONS,
    static_folder: Path = STATIC_FOLDER,
) -> Front:
    """Return the ASGI application; the caller keeps ``services`` open while it runs.

    Args:
        services: The services of the handlers.
        operations: What the application serves.
        static_folder: The folder with the built browser application.

    Raises:
        TypeError: An operation lacks its caller, its limit class or its response.
        ValueError: The page of the browser application takes no nonce.
    """
    # One route per path and no methods: the endpoint itself knows them and answers 405.
    endpoints: dict[str, ASGIApp] = {
        path: Endpoint(tuple(group), services)
        for path, group in groupby(operations, key=lambda operation: operation.path)
    }
    endpoints |= {page.path: page for page in documentation_pages(services.base_url)}
    endpoints |= application_routes(services.ids, static_folder)
    # The others are found by their whole path, which takes as long however many files there are.
    routes = [Route(path, endpoint) for path, endpoint in endpoints.items() if "{" in path]
    # redirect_slashes would answer with an address made of the Host header.
    router = Router(routes, redirect_slashes=False, default=not_found_app(services))
    return Front(_by_path(endpoints, router), services)


def _by_path(endpoints: Mapping[str, ASGIApp], otherwise: ASGIApp) -> ASGIApp:
    """Return an application that finds a path without parameters before any pattern is tried."""
    plain = {path: endpoint for path, endpoint in endpoints.items() if "{" not in path}

    async def route(scope: Scope, receive: Receive, send: Send) -> None:
        await plain.get(scope["path"], otherwise)(scope, receive, send)

    return route
