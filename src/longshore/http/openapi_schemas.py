"""JSON Schemas of the wire shapes, written so that client generators read them.

msgspec writes correct schemas that generators stumble over: booleans of one value, arrays without
items, members that default to null. What is changed here is the notation; the same values fit.
"""

from collections.abc import Iterable, Iterator, Mapping
from typing import Any, Final

import msgspec
from msgspec import inspect

# A JSON value: the document is a tree of them, and no narrower type says more.
Json = dict[str, Any]

REFERENCE: Final = "#/components/schemas/{name}"
"""Refers to a schema by its name."""

_ZONE: Final = "UTC, written without a zone."
_TYPE_NAMES: Final = {str: "string", bool: "boolean", int: "integer"}


def component_schemas(
    requests: Iterable[type[msgspec.Struct]],
    answers: Iterable[type[msgspec.Struct]],
    others: Mapping[str, Json],
) -> dict[str, Json]:
    """Return the schema of every shape that requests and answers hold, by name.

    Args:
        requests: The shapes that are sent to the service.
        answers: The shapes that it sends.
        others: Schemas of what is read by other code, such as rules, by name.
    """
    requests, answers = list(requests), list(answers)
    _, components = msgspec.json.schema_components([*requests, *answers], ref_template=REFERENCE)
    sent = _structs(requests)
    for name, struct in _structs(answers).items():
        if name not in sent:
            components[name] = _complete(components[name], struct)
    components |= others
    return {name: readable(components[name]) for name in sorted(components)}


def parameter_schemas(shape: type[msgspec.Struct]) -> dict[str, Json]:
    """Return the schemas of the parameters that ``shape`` declares, by name."""
    properties: dict[str, Json] = msgspec.json.schema(shape)["$defs"][shape.__name__]["properties"]
    return {name: readable(schema) for name, schema in properties.items()}


def readable(schema: Json) -> Json:
    """Return a schema in the notation that generators read; ``schema`` is left as it is."""
    changed = {
        name: _readable_inside(name, value)
        for name, value in schema.items()
        if not (name == "default" and value is None)
    }
    values = changed.get("enum")
    if values in ([True], [False]):
        del changed["enum"]
    if values:
        (kind,) = {_TYPE_NAMES[type(value)] for value in values}
        changed["type"] = kind
    if changed.get("type") == "array":
        changed.setdefault("items", {})
    if changed.get("format") == "date-time" and "UTC" not in changed["description"]:
        changed["description"] += f" {_ZONE}"
    return changed


# Any: what stands under a keyword of JSON Schema.
def _readable_inside(name: str, value: Any) -> Any:  # noqa: ANN401 - see above
    if name in {"properties", "$defs"}:
        return {member: readable(schema) for member, schema in value.items()}
    if name in {"anyOf", "allOf", "oneOf", "prefixItems"}:
        return [readable(schema) for schema in value]
    if name in {"items", "additionalProperties"} and isinstance(value, dict):
        return readable(value)
    return value


def _complete(schema: Json, struct: inspect.StructType) -> Json:
    """Return the schema of an answer: members that are always written are required."""
    always = [field.encode_name for field in struct.fields if _is_always_written(struct, field)]
    properties = {
        name: {key: value for key, value in member.items() if key != "default"}
        for name, member in schema["properties"].items()
    }
    return {**schema, "properties": properties, "required": always}


def _is_always_written(struct: inspect.StructType, field: inspect.Field) -> bool:
    # A member whose default is UNSET has, for inspect, no default; it is absent while unset.
    defaults = {field.default, field.default_factory} - {msgspec.NODEFAULT}
    omits = struct.cls.__struct_config__.omit_defaults
    return field.required or (bool(defaults) and not omits)


def _structs(shapes: Iterable[type[msgspec.Struct]]) -> dict[str, inspect.StructType]:
    """Return the structs that can be reached from ``shapes``, by name."""
    found: dict[str, inspect.StructType] = {}
    waiting: list[inspect.Type] = list(inspect.multi_type_info(list(shapes)))
    while waiting:
        each = waiting.pop()
        if isinstance(each, inspect.StructType):
            if each.cls.__name__ in found:
                continue
            found[each.cls.__name__] = each
        waiting.extend(_parts(each))
    return found


def _parts(each: inspect.Type) -> Iterator[inspect.Type]:
    match each:
        case inspect.StructType(fields=fields):
            yield from (field.type for field in fields)
        case inspect.UnionType(types=types):
            yield from types
        case inspect.Metadata(type=inner):
            yield inner
        case inspect.DictType(key_type=key, value_type=value):
            yield from (key, value)
        case inspect.CollectionType(item_type=item):
            yield item
        case _:
            pass  # a scalar has no parts
