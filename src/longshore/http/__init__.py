"""The HTTP adapter: Starlette routing, msgspec Structs on the wire."""
