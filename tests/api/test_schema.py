"""The OpenAPI schema: complete, valid, with stable names."""

import re
from collections import Counter
from collections.abc import Iterator
from difflib import unified_diff
from io import StringIO
from typing import Any, Final

import pytest
from django.apps import apps
from django.conf import settings
from django.core.management import call_command
from django.test import Client

from deploy.views import TASK_KINDS
from games.core.problems import problem_types
from games.models.columns import APPS
from games.rules.game_outcome import RulingTermination
from games.rules.registry import GAMES
from tests.api.operations import operations
from tests.api.role_matrix import LEVEL_OF
from tests.people import PROBLEM_JSON, Person, problem_in
from tests.processes import ROOT
from tournament.pairing.systems import PAIRING_SYSTEMS
from tournament.standings.results import Kind

OPERATIONS = "tests/api/data/operations.txt"
PREFIX = "/api/v1"
METHODS = ("get", "post", "put", "patch", "delete")
OBJECT = {"type": "object", "additionalProperties": {}}
VARYING = ("X-Request-ID", "RateLimit")


def described_operations(schema: dict[str, Any]) -> list[tuple[str, str, dict[str, Any]]]:
    """Return the method, the path and the description of each operation."""
    return [
        (method, path, methods[method])
        for path, methods in schema["paths"].items()
        for method in METHODS
        if method in methods
    ]


@pytest.mark.parametrize("validate", [False, pytest.param(True, marks=pytest.mark.long)])
def test_the_schema_is_valid_without_warnings(validate: bool) -> None:
    """Create it without warnings; in `make test`, the parser of a generator of clients reads it."""
    options = {"format": "openapi-json", "validate": validate, "fail_on_warn": True}
    call_command("spectacular", stdout=StringIO(), **options)


def test_the_schema_has_every_address_once_with_its_suffixes(schema: dict[str, Any]) -> None:
    described = {
        (method.upper(), without_names(address_of(path)), suffix)
        for method, path, operation in described_operations(schema)
        for suffix in ["", *operation.get("x-suffixes", ())]
    }
    existing = {(item.method, without_names(item.base), item.suffix) for item in operations()}
    assert described == {item for item in existing if item[1] != "schema"}


def test_every_format_has_its_media_type(schema: dict[str, Any]) -> None:
    types = {
        f"{item.method} {item.base}": [each.media_type for each in item.view.renderer_classes]
        for item in operations()
        if item.is_read
    }
    for method, path, operation in described_operations(schema):
        if method == "get":
            content = operation["responses"]["200"]["content"]
            found = [name.replace("; charset=utf-8", "") for name in content]
            assert found == list(dict.fromkeys(types[f"GET {address_of(path)}"])), path


def test_the_list_of_operations_is_current(schema: dict[str, Any]) -> None:
    listed = (ROOT / OPERATIONS).read_text().splitlines()
    current = sorted(
        f"{method.upper()} {path} {operation['operationId']}"
        for method, path, operation in described_operations(schema)
    )
    changes = [*unified_diff(listed, current, n=0, lineterm="")][2:]
    assert not changes, (
        f"the API has changed: if that is meant, remove the lines marked - from {OPERATIONS}, "
        "and add those marked + in their order:\n" + "\n".join(changes)
    )


def operations_by_name(schema: dict[str, Any]) -> dict[str, dict[str, Any]]:
    """Return the descriptions of the operations by their names."""
    return {item["operationId"]: item for _, _, item in described_operations(schema)}


def address_of(path: str) -> str:
    """Return a path relative to `/api/v1/`."""
    return path.removeprefix(PREFIX).removeprefix("/")


def without_names(path: str) -> str:
    """Return a path without the names of its parameters."""
    return re.sub(r"\{[^}]*\}", "{}", path)


def test_each_operation_is_described_for_readers(schema: dict[str, Any]) -> None:
    described = [each for each in described_operations(schema) if "." not in each[1]]
    summaries = Counter(operation["summary"] for _, _, operation in described)
    tags = {tag["name"]: tag["description"] for tag in schema["tags"]}

    assert [text for text, times in summaries.items() if times > 1] == []
    assert not any(
        operation.get("description", "").startswith(operation["summary"])
        for _, _, operation in described
    )
    assert all(len(text) <= 100 for text in summaries)
    assert {tag for _, _, operation in described for tag in operation["tags"]} <= {*tags}
    assert all(len(operation["tags"]) == 1 for _, _, operation in described)
    assert len(schema["info"]["description"].split()) <= 800


def test_required_members_are_described(schema: dict[str, Any]) -> None:
    objects = schema["components"]["schemas"]
    lacking = {
        name: {*each.get("required", ())} - each.get("properties", {}).keys()
        for name, each in objects.items()
    }
    assert {name: members for name, members in lacking.items() if members} == {}


def test_times_have_a_format(schema: dict[str, Any]) -> None:
    """A time of an answer is a datetime, a day a date, and neither is a text."""
    described = {
        (name, member): value.get("format")
        for name, each in schema["components"]["schemas"].items()
        for member, value in each.get("properties", {}).items()
        if member == "at" or member.endswith(("_at", "_on"))
    }
    forms = {place: "date" if place[1].endswith("_on") else "date-time" for place in described}
    assert described == forms


def test_the_index_lists_every_collection(schema: dict[str, Any], anonymous: Person) -> None:
    listed = {str(url).partition(f"{PREFIX}/")[2] for url in anonymous.get("").json().values()}
    reads = [
        path.removeprefix(f"{PREFIX}/") for path, each in schema["paths"].items() if "get" in each
    ]
    assert {path for path in reads if "/" not in path} - {
        PREFIX,
        "recompute_pool",
        "handicap",
    } <= listed


def test_an_operation_says_for_whom_it_is(schema: dict[str, Any]) -> None:
    named = operations_by_name(schema)
    for name, text in {
        "pair_round": "For: owners, directors, site staff. Scope: `tournament:write`.",
        "consent_to_rating": "For: the player. Scope: `entry:write`.",
        "withdraw_entry": "site staff. Scope: `tournament:write`; the player: `entry:write`.",
        "merge_players": "For: site staff. Scope: `tournament:write`.",
    }.items():
        assert text in named[name]["description"]
    assert "For: " not in named["list_rounds"]["description"]
    assert "`result:write`" in named["report_game"]["description"]


def test_an_operation_names_its_scopes_and_the_parts_of_its_path_in_order(
    schema: dict[str, Any],
) -> None:
    scoped = operations_by_name(schema)["pair_round"]
    assert scoped["security"][1:] == [{"oauth2": ["tournament:write"]}]
    ways = [name for way in operations_by_name(schema)["make_token"]["security"] for name in way]
    assert "oauth2" not in ways
    for _, path, operation in described_operations(schema):
        parts = [item["name"] for item in operation.get("parameters", ()) if item["in"] == "path"]
        assert parts == re.findall(r"{(\w+)}", path), path


def test_each_parameter_is_described_and_a_number_is_an_integer(schema: dict[str, Any]) -> None:
    for _, path, operation in described_operations(schema):
        for item in operation.get("parameters", ()):
            assert item["description"], (path, item["name"])
            is_number = item["in"] == "path" and item["name"].endswith(("_id", "number"))
            if is_number and item["name"] not in ("task_id", "token_id"):
                assert item["schema"]["type"] == "integer", (path, item["name"])


def test_what_is_read_at_an_address_of_its_own_names_it(schema: dict[str, Any]) -> None:
    schemas = schema["components"]["schemas"]
    nameless = {
        operation["operationId"]
        for method, path, operation in described_operations(schema)
        if method == "get" and path.endswith("}")
        for content in [operation["responses"]["200"]["content"].get("application/json")]
        if content and "url" not in properties_of(content["schema"], schemas)
    }
    assert nameless == {"get_head_to_head"}  # it is computed, and no object


def test_a_row_that_has_an_address_names_it(schema: dict[str, Any]) -> None:
    schemas, nameless = schema["components"]["schemas"], set()
    for path, methods in schema["paths"].items():
        content = methods.get("get", {}).get("responses", {}).get("200", {}).get("content", {})
        listed = content.get("application/json", {}).get("schema", {}).get("$ref", "")
        rows = schemas.get(listed.rpartition("/")[2], {}).get("properties", {}).get("results")
        is_there = any(re.fullmatch(re.escape(path) + "/{[^/]*}", at) for at in schema["paths"])
        if rows and is_there and "url" not in properties_of(rows["items"], schemas):
            nameless.add(methods["get"]["operationId"])
    assert nameless == {"list_pool_officers"}  # they are accounts


def properties_of(described: dict[str, Any], schemas: dict[str, Any]) -> dict[str, Any]:
    """Return the members of the component that a schema refers to."""
    return schemas[component_of(described)]["properties"]  # type: ignore[no-any-return]


def component_of(described: dict[str, Any]) -> str:
    """Return the name of the component that a schema refers to."""
    return str(described["$ref"]).rpartition("/")[2]


def test_each_response_in_json_names_its_members(schema: dict[str, Any]) -> None:
    for _, path, operation in described_operations(schema):
        for status, response in operation["responses"].items():
            content = response.get("content", {}).get("application/json")
            assert content is None or content["schema"] != OBJECT, (path, status)


def test_the_first_response_of_an_operation_is_a_success(schema: dict[str, Any]) -> None:
    """A client of openapi-generator accepts its type."""
    for _, path, operation in described_operations(schema):
        assert next(iter(operation["responses"])).startswith("2"), path


def test_a_task_is_known_by_its_kind(schema: dict[str, Any]) -> None:
    assert {*schema["components"]["schemas"]["TaskKindEnum"]["enum"]} == TASK_KINDS.keys()


def test_no_schema_has_the_name_of_the_parameters_of_an_operation(schema: dict[str, Any]) -> None:
    """The generators of typescript-fetch would declare both under this name."""
    parameters = {
        name.replace("_", " ").title().replace(" ", "") + "Request"
        for name in operations_by_name(schema)
    }
    assert parameters & schema["components"]["schemas"].keys() == set()


def test_a_file_may_be_sent_as_bytes_of_any_type(schema: dict[str, Any]) -> None:
    """openapi-python-client knows no other type of a file; openapi-generator takes the first."""
    for _, path, operation in described_operations(schema):
        types = [*operation.get("requestBody", {}).get("content", {})]
        assert "application/json" not in types[1:], path
        files = [name for name in types if name != "application/json"]
        assert not files or files[0] == "application/octet-stream", path


def test_operations_have_unique_names_and_their_own_problems(schema: dict[str, Any]) -> None:
    described = described_operations(schema)
    names = [operation["operationId"] for _, _, operation in described]

    assert len(names) == len(set(names))
    assert all(name.isidentifier() and "retrieve" not in name for name in names)
    for method, path, operation in described:
        statuses = {int(status) for status in operation["responses"]}
        has_body = "requestBody" in operation
        needs_tag = "If-Match" in {item["name"] for item in operation.get("parameters", ())}
        assert {400, 401, 406, 429, 503, 507} <= statuses, path
        assert ({411, 413, 415} <= statuses) == has_body, path
        assert (403 in statuses) >= ({} not in operation["security"]), path
        assert ({412, 428} <= statuses) == needs_tag, path
        assert 404 in statuses or "{" not in path, path
        assert (304 in statuses) <= (method == "get"), path


def test_responses_with_a_problem_list_their_codes(schema: dict[str, Any]) -> None:
    responses = schema["components"]["responses"]
    assert "`stale`" in responses["Stale"]["description"]
    assert "`unknown_member`" in responses["Refused"]["description"]
    assert "`nothing_to_do`" in responses["Conflict"]["description"]
    assert "`stale`" not in responses["Conflict"]["description"]
    problems = [each for each in responses.values() if PROBLEM_JSON in each.get("content", ())]
    assert all("Codes: `" in each["description"] for each in problems)
    members = schema["components"]["schemas"]["Problem"]["properties"]
    assert {"allowed_actions", "changed", "current", "wanted", "accept"} <= members.keys()


def test_what_anyone_may_do_is_marked_as_public(schema: dict[str, Any]) -> None:
    level_of = {str(item).strip(): LEVEL_OF[str(item).strip()] for item in operations()}
    for method, path, item in described_operations(schema):
        level = level_of[f"{method.upper()} {address_of(path)}".strip()]
        assert ({} in item["security"]) == (level == "anyone"), path


@pytest.mark.django_db
def test_schema_and_docs_are_served() -> None:
    first, again = (Client().get("/api/v1/schema") for _ in range(2))
    assert (first.status_code, first["Content-Disposition"][-6:]) == (200, '.json"')
    assert (again.content, headers_of(again)) == (first.content, headers_of(first))
    assert len(first.content) < 1_000_000
    current = Client().get("/api/v1/schema", headers={"If-None-Match": first["ETag"]})
    assert (current.status_code, current.content) == (304, b"")
    named = "application/vnd.oai.openapi+json"
    other = Client().get("/api/v1/schema", headers={"Accept": named})
    assert (other["Content-Type"], other.content) == (named, first.content)
    page = Client().get("/api/v1/docs")
    assert page.status_code == 200
    assert b"http:" not in page.content.replace(b"http://testserver", b"")
    assert page["Content-Security-Policy"] == settings.CONTENT_SECURITY_POLICY


@pytest.mark.django_db
def test_the_documentation_is_an_address_of_the_api(anonymous: Person) -> None:
    problem_in(anonymous.get("docs?zz=1"), 422, "unknown_parameter")
    refusal = problem_in(anonymous.get("docs", Accept="application/json"), 406, "not_acceptable")
    assert refusal["valid"] == ["text/html"]
    for accept in ("text/html", "*/*", "text/html,application/xhtml+xml,*/*;q=0.8"):
        assert anonymous.get("docs", Accept=accept)["Content-Type"].startswith("text/html")


def headers_of(response: Any) -> dict[str, str]:
    """Return the headers of a response that are the same for each request."""
    return {name: value for name, value in response.items() if not name.startswith(VARYING)}


WORD = re.compile(r"(?<![a-z])events?(?![a-z])")


def words_of(described: Any) -> Iterator[str]:
    """Yield the values of all enumerations, and the names of all members."""
    if isinstance(described, dict):
        yield from (value for value in described.get("enum", ()) if isinstance(value, str))
        yield from described.get("properties", {})
        for inner in described.values():
            yield from words_of(inner)
    elif isinstance(described, list):
        for inner in described:
            yield from words_of(inner)


def test_the_api_has_one_word_for_a_tournament(schema: dict[str, Any]) -> None:
    words = {*words_of(schema), *problem_types()}

    assert not [word for word in words if WORD.search(word)]
    assert len(words) > 900


def test_each_parameter_and_each_member_has_a_type(schema: dict[str, Any]) -> None:
    typed = {"type", "$ref", "oneOf", "allOf"}
    parameters = [
        (path, item["name"])
        for _, path, operation in described_operations(schema)
        for item in operation.get("parameters", ())
        if not typed & item["schema"].keys()
    ]
    members = [
        (component, name)
        for component, described in schema["components"]["schemas"].items()
        for name, member in described.get("properties", {}).items()
        if not typed & member.keys()
    ]

    assert parameters + members == []


def test_components_have_no_names_of_classes_and_explain_all_choices_or_none(
    schema: dict[str, Any],
) -> None:
    components = schema["components"]["schemas"]
    assert [name for name in components if "Serializer" in name] == []
    choices = {name: each["enum"] for name, each in components.items() if "enum" in each}
    lines = {name: components[name].get("description", "").count("* `") for name in choices}
    assert [name for name, count in lines.items() if count not in (0, len(choices[name]))] == []


def enumerated(described: Any) -> Iterator[str]:
    """Yield each enumerated text of a description."""
    if isinstance(described, dict):
        values = described.get("enum")
        yield from (str(value) for value in (values if isinstance(values, list) else ()) if value)
        for inner in described.values():
            yield from enumerated(inner)
    elif isinstance(described, list):
        for inner in described:
            yield from enumerated(inner)


def test_no_schema_has_a_member_of_its_own_name(schema: dict[str, Any]) -> None:
    """The class that a generator makes of it would hide the type from the member."""
    members = {
        f"{name}.{member}"
        for name, described in schema["components"]["schemas"].items()
        for member in described.get("properties", {})
        if member.replace("_", "") == name.lower()
    }
    assert members == set()


OBJECTS: Final = ("tournament", "player", "handicap", "progress", "first", "second")
TYPES: Final = {
    **{name: {"object"} for name in OBJECTS},
    "rating": {"number"},
    "result": {"string"},
    "pool": {"string"},
    "record": {"string", "object"},  # as it is sent
}


def types_of(described: dict[str, Any], components: dict[str, Any]) -> set[str]:
    """Return the types of a value that is not null."""
    if "$ref" in described:
        return types_of(components[component_of(described)], components)
    if parts := described.get("oneOf", described.get("allOf")):
        return {each for part in parts for each in types_of(part, components)} - {"null"}
    named = described["type"]
    return {*(named if isinstance(named, list) else [named])} - {"null"}


def test_a_name_of_many_members_has_one_type(schema: dict[str, Any]) -> None:
    components = schema["components"]["schemas"]
    wrong = {
        f"{component}.{name}"
        for component, described in components.items()
        for name in described.get("properties", {}).keys() & TYPES.keys()
        if not types_of(described["properties"][name], components) <= TYPES[name]
    }
    assert wrong == set()


KINDS_TOLD: Final = re.compile(r"[a-z_]+\.[a-z_]+")
CODES_OF_OTHERS: Final = re.compile(r"[A-Z]{2,3}|0\.5")
"""Currencies of ISO 4217, titles of FIDE, and the half point of a result."""


def test_enumerated_values_and_codes_are_in_snake_case(schema: dict[str, Any]) -> None:
    """Hyphens have the codes that stand in records, addresses and the standards of encodings."""
    stored = {
        str(value)
        for app in APPS
        for model in apps.get_app_config(app).get_models()
        if not model.__module__.endswith("oauth")  # whose values are those of a standard
        for column in model._meta.concrete_fields
        for value, _ in column.choices or ()
    }
    values = {*enumerated(schema), *problem_types(), *Kind, *RulingTermination, *stored}
    found = {value for value in values if value and not re.fullmatch("[a-z0-9_]+", value)}

    assert len(values) > 500
    assert {value for value in found if not KINDS_TOLD.fullmatch(value)} == {
        *(code for code in (*GAMES, *PAIRING_SYSTEMS) if "-" in code),
        *(value for value in found if CODES_OF_OTHERS.fullmatch(value)),
        "mac-roman",
    }
