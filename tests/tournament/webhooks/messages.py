"""The messages of webhooks and event streams, compared with the description of the API."""

import json
from functools import cache
from typing import Any

from jsonschema_rs import Draft202012Validator

from deploy.views import describe


@cache
def described() -> dict[str, Any]:
    """Return the description of the API."""
    found: dict[str, Any] = json.loads(describe())
    return found


def callbacks() -> dict[str, Any]:
    """Return the messages of webhooks by their kinds, as the description has them."""
    found: dict[str, Any] = described()["paths"]["/api/v1/webhooks"]["post"]["callbacks"]
    return found


def schema_of(kind: str) -> dict[str, Any]:
    """Return the schema of the messages of a kind."""
    (path,) = callbacks()[kind].values()
    (body,) = path["post"]["requestBody"]["content"].values()
    return {**body["schema"], "components": described()["components"]}


def resolved(schema: dict[str, Any]) -> dict[str, Any]:
    """Return the component that a schema names, which may be null instead."""
    found = next((each for each in schema.get("oneOf", ()) if "$ref" in each), schema)
    name = found.get("$ref", "").rpartition("/")[2]
    component: dict[str, Any] = described()["components"]["schemas"].get(name, found)
    return component


def find_undescribed(schema: dict[str, Any], value: Any, place: str) -> list[str]:
    """Return the members of a message that its schema does not name."""
    if isinstance(value, list):
        items = resolved(schema["items"])
        return [name for item in value for name in find_undescribed(items, item, place)]
    if not isinstance(value, dict):
        return []
    known = schema["properties"]
    return [f"{place}/{name}" for name in value.keys() - known] + [
        name
        for key in value.keys() & known
        for name in find_undescribed(resolved(known[key]), value[key], f"{place}/{key}")
    ]


def check_message(message: dict[str, Any]) -> None:
    """Check that a message is what the description of the API says of its kind, and no more."""
    schema = schema_of(message["type"])
    Draft202012Validator(schema).validate(message)
    assert find_undescribed(resolved(schema), message, "") == []
