"""What a response has that the OpenAPI schema does not describe."""

import json
from typing import Any
from urllib.parse import quote

from django.conf import settings
from django.http import HttpResponse
from jsonschema_rs import Draft202012, Draft202012Validator, Registry

from games.core.preconditions import TYPES_WITHOUT_ETAG
from games.core.problems import problem_types
from tests.api.decimals import wrong_decimals
from tests.api.empty_texts import empty_texts
from tests.people import PROBLEM_JSON

FIELDS = {*settings.CORS_EXPOSE_HEADERS} - {"Content-Disposition", "X-Request-ID"}
"""The header fields that a script of another origin can read, which are described."""
NDJSON = "application/x-ndjson; charset=utf-8"
JSON_TYPES = ("application/json", PROBLEM_JSON)
ROOT = "urn:openapi"
"""The name of the whole schema, to which the validators refer: to copy it takes milliseconds."""


class Documented:
    """The descriptions of the responses in a schema, compiled once each."""

    def __init__(self, schema: dict[str, Any]) -> None:
        self.components = schema["components"]
        self.registry = Registry([(ROOT, schema)], draft=Draft202012)
        self.addresses = {
            operation["operationId"]: _pointer("paths", path, method)
            for path, methods in schema["paths"].items()
            for method, operation in methods.items()
            if "operationId" in operation
        }
        self.validators: dict[tuple[str, str], Draft202012Validator] = {}

    def differences(self, operation: dict[str, Any], response: HttpResponse) -> list[str]:
        """Return how a response differs from its description: status, tag, media type, body."""
        status = str(response.status_code)
        described = operation["responses"].get(status)
        if described is None:
            return [f"the status {status} is not described: {response.content[:300]!r}"]
        place = self.addresses[operation["operationId"]] + _pointer("responses", status)
        if "$ref" in described:
            response_name = described["$ref"].rpartition("/")[2]
            described = self.components["responses"][response_name]
            place = _pointer("components", "responses", response_name)
        sent = {name for name in response.headers if name in FIELDS}
        if undeclared := sent - described.get("headers", {}).keys():
            return [f"{status} has fields that are not described: {', '.join(undeclared)}"]
        has_address = "Location" in described.get("headers", {})
        if status == "201" and has_address != ("Location" in sent):
            return [f"{status} has an address: {not has_address}; described: {has_address}"]
        has_tag = "ETag" in described.get("headers", {})
        if status == "201" and has_tag != ("ETag" in sent):
            return [f"201 has a tag: {not has_tag}; described: {has_tag}"]
        media_type = response.get("Content-Type", "")
        is_read = status == "200" and response.wsgi_request.method == "GET"
        is_tagged = not (media_type.startswith(TYPES_WITHOUT_ETAG) or response.streaming)
        has_tag = "304" in operation["responses"] and is_tagged
        if is_read and ("ETag" in response) != has_tag:
            return [f"has a tag: {not has_tag}; 304 is described: {has_tag}"]
        content = described.get("content", {})
        body = response.getvalue()
        if not body:
            return [f"{status} has no body"] if "application/json" in content else []
        if media_type not in content:
            return [f"{status} has the type {media_type}, not {', '.join(content)}"]
        if media_type == NDJSON:
            return _unlike_others([json.loads(line) for line in body.splitlines()], status)
        if media_type not in JSON_TYPES:
            return []
        name = ("", status) if media_type == PROBLEM_JSON else (operation["operationId"], status)
        if name not in self.validators:
            address = _pointer("content", media_type, "schema")
            self.validators[name] = Draft202012Validator(
                {"$ref": f"{ROOT}#{place}{address}"}, registry=self.registry
            )
        answer = response.json()
        if unlike := _unlike_others(answer, status):
            return unlike
        if media_type == PROBLEM_JSON and not is_declared(answer["code"], operation):
            return [f"{status}: the operation does not declare {answer['code']}"]
        found = self.validators[name].iter_errors(answer)
        return [f"{status}: {error.instance_path}: {error.message[:300]}" for error in found][:3]


def _unlike_others(answer: Any, status: str) -> list[str]:
    """Return what is not as in all answers: empty texts, and decimals unlike their kinds."""
    if unset := [*empty_texts(answer)]:
        return [f"{status}: what is not set is null: {', '.join(unset[:9])}"]
    if wrong := [*wrong_decimals(answer)]:
        return [f"{status}: decimals are not as their kinds: {', '.join(wrong[:9])}"]
    return []


def is_declared(code: str, operation: dict[str, Any]) -> bool:
    """Return True if the code of a problem is of any operation, or of this one."""
    names = problem_types()[code].operations
    return not names or operation["operationId"] in names


def _pointer(*names: str) -> str:
    """Return the part of a JSON pointer that leads to a member, as a URL has it."""
    return "".join("/" + quote(name.replace("~", "~0").replace("/", "~1")) for name in names)
