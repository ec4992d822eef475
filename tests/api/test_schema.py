"""The OpenAPI schema: complete, valid, with stable names."""

import re
from io import StringIO

import pytest
from django.core.management import call_command
from django.test import Client
from django.urls import URLPattern, URLResolver, get_resolver

METHODS = ("get", "post", "put", "patch", "delete")


def addresses(patterns: list[URLPattern | URLResolver], prefix: str = "") -> list[str]:
    """Return every address of the service, with parameters as in OpenAPI."""
    found = []
    for pattern in patterns:
        text = prefix + str(pattern.pattern)
        if isinstance(pattern, URLResolver):
            found += addresses(pattern.url_patterns, text)
        else:
            found.append(text)
    return found


def test_the_schema_is_valid_without_warnings() -> None:
    call_command("spectacular", validate=True, fail_on_warn=True, stdout=StringIO())


def test_the_schema_has_every_address(schema: dict[str, dict[str, dict]]) -> None:
    paths = {
        re.sub(r"\{[^}]*\}", "{}", path).removeprefix("/api/v1").removesuffix("/") or "/"
        for path in schema["paths"]
    }
    for address in addresses(get_resolver().url_patterns):
        if not address.startswith("api/v1/") or address.endswith(("schema", "docs")):
            continue
        path = re.sub(r"<[^>]*>", "{}", address.removeprefix("api/v1"))
        if "^" not in path:  # the schema has one path per suffix
            assert (path.removesuffix("/") or "/") in paths, address


def test_operations_have_unique_names_and_error_responses(
    schema: dict[str, dict[str, dict]],
) -> None:
    operations = [
        path[method] for path in schema["paths"].values() for method in METHODS if method in path
    ]
    names = [operation["operationId"] for operation in operations]

    assert len(names) == len(set(names))
    assert all(name.isidentifier() for name in names)
    assert all({"429", "4XX", "503", "507"} <= op["responses"].keys() for op in operations)
    assert all(
        {"RateLimit", "RateLimit-Policy"} <= response["headers"].keys()
        for operation in operations
        for response in operation["responses"].values()
    )
    assert all("Retry-After" in op["responses"]["429"]["headers"] for op in operations)
    assert all(
        ("413" in operation["responses"]) == ("requestBody" in operation)
        for operation in operations
    )


@pytest.mark.django_db
def test_public_operations_are_marked_as_public(schema: dict[str, dict[str, dict]]) -> None:
    client = Client()
    for path, operations in schema["paths"].items():
        if "get" in operations and "{" not in path:
            is_public = {} in operations["get"]["security"]
            assert is_public == (client.get(path).status_code != 401), path
    posts = {path: item["post"] for path, item in schema["paths"].items() if "post" in item}
    public = [path for path, operation in posts.items() if {} in operation["security"]]
    assert public == ["/api/v1/rules/referee"]


@pytest.mark.django_db
@pytest.mark.further_case
def test_schema_and_docs_are_served() -> None:
    assert Client().get("/api/v1/schema").status_code == 200
    page = Client().get("/api/v1/docs")
    assert page.status_code == 200
    assert b"http:" not in page.content.replace(b"http://testserver", b"")
