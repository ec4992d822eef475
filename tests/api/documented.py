"""What a response has that the OpenAPI schema does not describe."""

from typing import Any

from django.http import HttpResponse
from jsonschema import Draft202012Validator

from tests.people import PROBLEM_JSON

JSON_TYPES = ("application/json", PROBLEM_JSON)


class Documented:
    """The descriptions of the responses in a schema, compiled once each."""

    def __init__(self, schema: dict[str, Any]) -> None:
        self.components = schema["components"]
        self.validators: dict[tuple[str, str], Draft202012Validator] = {}

    def differences(self, operation: dict[str, Any], response: HttpResponse) -> list[str]:
        """Return how a response differs from its description: status, tag, media type, body."""
        status = str(response.status_code)
        described = operation["responses"].get(status)
        if described is None:
            return [f"the status {status} is not described: {response.content[:300]!r}"]
        if "$ref" in described:
            described = self.components["responses"][described["$ref"].rpartition("/")[2]]
        media_type = response.get("Content-Type", "")
        if not media_type.startswith("text/"):
            media_type = media_type.partition(";")[0]
        is_read = status == "200" and response.wsgi_request.method == "GET"
        if is_read and ("ETag" in response) != ("304" in operation["responses"]):
            return [f"has a tag: {'ETag' in response}; 304 is described: {'ETag' not in response}"]
        content = described.get("content", {})
        body = response.getvalue()
        if not body:
            return [f"{status} has no body"] if "application/json" in content else []
        if media_type not in content:
            return [f"{status} has the type {media_type}, not {', '.join(content)}"]
        if media_type not in JSON_TYPES:
            return []
        name = ("", status) if media_type == PROBLEM_JSON else (operation["operationId"], status)
        if name not in self.validators:
            schema = {**content[media_type]["schema"], "components": self.components}
            self.validators[name] = Draft202012Validator(schema)
        found = self.validators[name].iter_errors(response.json())
        return [f"{status}: {error.json_path}: {error.message[:300]}" for error in found][:3]
