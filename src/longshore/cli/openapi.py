"""``longshore openapi``: the description of the HTTP interface, without a running server."""

import click

from longshore.cli.terminal import write_bytes
from longshore.http.openapi import openapi_json


@click.command()
@click.option(
    "--json", "as_json", is_flag=True, help=("Has no effect: the document is always JSON.")
)
def openapi(*, as_json: bool) -> None:
    """Print the OpenAPI 3.1 document of the HTTP interface."""
    del as_json
    write_bytes(openapi_json())
