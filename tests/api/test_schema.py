"""The OpenAPI schema: complete, valid, with stable names."""

import re
from collections import Counter
from collections.abc import Iterator
from difflib import unified_diff
from io import StringIO
from typing import Any

import pytest
from django.conf import settings
from django.core.management import call_command
from django.test import Client

from deploy.views import TASK_KINDS
from games.core.openapi.schema import references
from games.core.problems import problem_types
from tests.api.decimals import DIGITS, SETTINGS
from tests.api.operations import operations
from tests.api.role_matrix import LEVEL_OF
from tests.api.test_responses import READ_ONLY_OPERATIONS
from tests.people import PROBLEM_JSON, Person, problem_in
from tests.processes import ROOT

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


def test_every_component_is_used(schema: dict[str, Any]) -> None:
    used = {reference["$ref"] for reference in references(schema)}
    named = {
        f"#/components/{kind}/{name}"
        for kind in ("headers", "responses", "schemas")
        for name in schema["components"][kind]
    }
    assert named - used == set()


def test_a_choice_whose_label_is_its_value_is_not_described_again(schema: dict[str, Any]) -> None:
    """The lines of all currencies in each form of a tournament took 30 KB."""
    schemas = schema["components"]["schemas"]
    currency = schemas["Tournament"]["properties"]["currency"]["description"]

    assert "EUR" in schemas["CurrencyEnum"]["enum"]
    assert "EUR" not in currency + schemas["CurrencyEnum"].get("description", "")
    assert "* `draft` - " in schemas["TournamentState"]["description"]


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
    texts = Counter(operation["description"] for _, _, operation in described)
    tags = {tag["name"]: tag["description"] for tag in schema["tags"]}

    assert [text for text, times in (*summaries.items(), *texts.items()) if times > 1] == []
    assert all(len(text) <= 100 for text in summaries)
    assert {tag for _, _, operation in described for tag in operation["tags"]} <= {*tags}
    assert all(len(operation["tags"]) == 1 for _, _, operation in described)
    assert len(schema["info"]["description"].split()) <= 800


def test_each_operation_says_more_than_its_summary(schema: dict[str, Any]) -> None:
    """What follows from its declaration is not counted: for whom, scopes, formats, codes."""
    derived = re.compile(r"\n\n(?=For: |Formats, |Codes )")
    own = {
        name: (len(item["summary"]), len(derived.split(item["description"])[0]))
        for name, item in operations_by_name(schema).items()
    }
    assert [name for name, (summary, text) in own.items() if text < summary + 40] == []


def test_an_operation_says_for_whom_it_is(schema: dict[str, Any]) -> None:
    named = operations_by_name(schema)
    for name, text in {
        "pair_round": "For: owners, directors, site staff. Scope: `tournament:write`.",
        "consent_to_rating": "For: the player. Scope: `result:write`.",
        "merge_players": "For: site staff. Scope: `tournament:write`.",
    }.items():
        assert text in named[name]["description"]
    assert "For: " not in named["rounds"]["description"]
    assert "`result:write`" in named["report_game"]["description"]


def test_only_what_starts_a_task_is_described_as_accepted(schema: dict[str, Any]) -> None:
    """Of the states of a tournament only the final one has its games rated."""
    named = operations_by_name(schema)
    accepted = {name for name, item in named.items() if "202" in item["responses"]}
    words = ("open", "start", "review", "finalise", "archive", "cancel", "resume", "reopen")
    assert accepted & {f"{word}_tournament" for word in words} == {"finalise_tournament"}


def test_an_operation_names_its_scopes_and_the_parts_of_its_path_in_order(
    schema: dict[str, Any],
) -> None:
    scoped = operations_by_name(schema)["pair_round"]
    assert scoped["security"][1:] == [{"oauth2": ["tournament:write"]}]
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


def test_each_response_in_json_names_its_members(schema: dict[str, Any]) -> None:
    for _, path, operation in described_operations(schema):
        for status, response in operation["responses"].items():
            content = response.get("content", {}).get("application/json")
            assert content is None or content["schema"] != OBJECT, (path, status)


def test_the_first_response_of_an_operation_is_a_success(schema: dict[str, Any]) -> None:
    """A client of openapi-generator accepts its type."""
    for _, path, operation in described_operations(schema):
        assert next(iter(operation["responses"])).startswith("2"), path


def test_responses_name_their_header_fields(schema: dict[str, Any]) -> None:
    named = operations_by_name(schema)
    assert "ETag" in named["tournament"]["responses"]["200"]["headers"]
    for operation in ("tournaments", "journal", "standings"):
        assert "Link" in named[operation]["responses"]["200"]["headers"]
    assert "Location" in named["create_tournament"]["responses"]["201"]["headers"]
    assert {"Location", "Retry-After"} <= named["report_game"]["responses"]["202"]["headers"].keys()


def test_every_write_describes_its_dry_run(schema: dict[str, Any]) -> None:
    described = {
        operation["operationId"]
        for _, _, operation in described_operations(schema)
        if "2XX" in operation["responses"]
    }
    have_dry_run = {
        operation["operationId"]
        for _, _, operation in described_operations(schema)
        if "dry_run" in {item["name"] for item in operation.get("parameters", ())}
    }

    assert described == have_dry_run - READ_ONLY_OPERATIONS


def test_the_lists_of_problems_say_what_they_have(schema: dict[str, Any]) -> None:
    problem = schema["components"]["schemas"]["Problem"]["properties"]
    lists = [found["items"] for found in problem.values() if found.get("type") == "array"]

    assert len(lists) > 5
    assert all({"type", "$ref"} & items.keys() for items in lists)


def test_a_task_is_known_by_its_kind(schema: dict[str, Any]) -> None:
    schemas = schema["components"]["schemas"]
    described = schemas["AnyTask"]["discriminator"]

    assert described["propertyName"] == "kind"
    assert described["mapping"].keys() == TASK_KINDS.keys()
    for name, kind in (("Task", "TaskKind"), ("ImportTask", "ImportTaskKind")):
        mapped = {key for key, found in described["mapping"].items() if found.endswith(f"/{name}")}
        assert (mapped, "kind" in schemas[name]["required"]) == ({*schemas[kind]["enum"]}, True)


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
        statuses = {int(status) for status in operation["responses"] if status != "2XX"}
        has_body = "requestBody" in operation
        needs_tag = "If-Match" in {item["name"] for item in operation.get("parameters", ())}
        assert {400, 401, 406, 429, 503, 507} <= statuses, path
        assert ({411, 413, 415} <= statuses) == has_body, path
        assert (403 in statuses) >= ({} not in operation["security"]), path
        assert ({412, 428} <= statuses) == needs_tag, path
        assert 404 in statuses or "{" not in path, path
        assert (304 in statuses) <= (method == "get"), path


def test_every_response_has_the_fields_of_the_rate_limit(schema: dict[str, Any]) -> None:
    responses = schema["components"]["responses"]
    found = [*responses.values()]
    for _, _, operation in described_operations(schema):
        found += [item for item in operation["responses"].values() if "$ref" not in item]
    assert all({"RateLimit", "RateLimit-Policy"} <= item["headers"].keys() for item in found)
    assert all("Retry-After" in responses[name]["headers"] for name in ("Throttled", "Busy"))


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


@pytest.mark.parametrize("path", ["players/import", "tournaments/{slug}/entries/import"])
def test_a_list_of_players_has_the_types_of_spreadsheets(schema: dict[str, Any], path: str) -> None:
    content = schema["paths"][f"/api/v1/{path}"]["post"]["requestBody"]["content"]
    assert list(content) == [
        "application/octet-stream",
        "text/csv",
        "application/vnd.openxmlformats-officedocument.spreadsheetml.sheet",
        "application/vnd.oasis.opendocument.spreadsheet",
        "application/vnd.ms-excel",
    ]


def plain_members(
    described: dict[str, Any], place: str = "", name: str = ""
) -> Iterator[tuple[str, str, set[str]]]:
    """Yield the place, the name and the types of each member of a description without a `$ref`."""
    if "type" in described and "properties" not in described:
        types = described["type"]
        yield place, name, {types} if isinstance(types, str) else {*types}
    for member, inner in described.get("properties", {}).items():
        yield from plain_members(inner, f"{place}.{member}", member)
    inner = described.get("items") or described.get("additionalProperties")
    if isinstance(inner, dict):
        yield from plain_members(inner, place, name)


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


def test_the_texts_of_operations_have_one_word_for_a_tournament(schema: dict[str, Any]) -> None:
    """An event is one of a stream; only labels and help texts of pages have their word."""
    texts = {
        operation["operationId"]: f"{operation['summary']} {operation['description']}".lower()
        for _, _, operation in described_operations(schema)
    }

    assert {name for name, text in texts.items() if WORD.search(text)} == {"stream"}


def test_each_member_of_a_journal_line_is_described(schema: dict[str, Any]) -> None:
    members = schema["components"]["schemas"]["JournalLine"]["properties"]
    assert [name for name, found in members.items() if not found.get("description")] == []
    assert "reference of the journal" in members["payload"]["description"]


def test_only_the_format_of_records_says_game_and_board(schema: dict[str, Any]) -> None:
    """Elsewhere a code is a `ruleset`, a size a `board_size`; the descriptions say so."""
    schemas = schema["components"]["schemas"]
    members = [each for name, found in schemas.items() for each in plain_members(found, name)]
    tags = {place for place, name, types in members if name in ("game", "board")} - {
        place for place, name, types in members if "integer" in types
    }
    formats = ("GameRecord", "Verdict")

    assert {place.partition(".")[0] for place in tags} == {*formats}
    assert all("`ruleset`" in schemas[name]["description"] for name in formats)
    assert all("`board_size`" in schemas[name]["description"] for name in formats)


LISTS = {
    "corrections",
    *("numbers", "boards"),  # pairing numbers, numbers of boards
    *("rank", "place", "coins"),  # before and after
    *("amounts", "shared_places", "formats", "statuses", "exempt_byes", "games"),
}
COUNTS = {
    "GameRules.players", "ListMessage.data.players", "PublishedList.players",
    "RatedTournament.players", "RunMessage.data.players",
}  # fmt: skip
OF_PROBLEMS = {"Problem.player", "Problem.bye"}
SCORES = {"Score.first", "Score.second"}


def test_bare_pairing_numbers_are_called_numbers(schema: dict[str, Any]) -> None:
    """A list of them has no other name, a single one not the name of who has it."""
    members = [
        each
        for component, described in schema["components"]["schemas"].items()
        if not component.endswith("Input")
        for each in plain_members(described, component)
    ]
    lists = {place: name for place, name, types in members if "array" in types}
    integers = {place: name for place, name, types in members if "integer" in types}
    persons = {"player", "players", "opponent", "first", "second", "bye"}

    bare = {name for place, name in integers.items() if place in lists}
    assert bare - {"players"} <= LISTS
    assert [place for place in lists if place in integers and lists[place] == "players"] == [
        "Separation.players"  # a setting, with the ids that its body has
    ]
    single = {place for place, name in integers.items() if name in persons and place not in lists}
    assert single == COUNTS | OF_PROBLEMS | SCORES


NAMES_OF_OBJECTS = {"account", "batch", "claim", "entry", "game", "role", "run", "webhook"}


def test_a_bare_id_or_number_of_an_object_says_what_it_is(schema: dict[str, Any]) -> None:
    """Where an object is not shown, its member says that it is an id, or a number."""
    found = {
        f"{component}.{name}": member.get("description", "")
        for component, described in schema["components"]["schemas"].items()
        if not component.endswith("Input")
        for name, member in described.get("properties", {}).items()
        if name in NAMES_OF_OBJECTS and "integer" in member.get("type", ())
    }

    assert [place for place, text in found.items() if not re.search("id|number", text)] == []
    assert len(found) > 15


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


def test_components_have_no_names_of_classes(schema: dict[str, Any]) -> None:
    assert [name for name in schema["components"]["schemas"] if "Serializer" in name] == []


OTHER_TEXTS = {
    "PublishedList.ratings",  # an address
    *("Uncertainty.least", "Uncertainty.most"),  # handicaps
    "Term.value",  # points
}


def test_each_kind_of_decimal_has_one_type(schema: dict[str, Any]) -> None:
    """Those of `DIGITS` are numbers, and there is no other number; points are text."""
    members = [
        each
        for component, described in schema["components"]["schemas"].items()
        if not component.endswith("Input")
        for each in plain_members(described, component)
    ]
    numbers = {name for _, name, types in members if "number" in types}
    texts = {place for place, name, types in members if name in DIGITS and "string" in types}
    points = {place for place, name, types in members if name == "points" and "number" in types}

    assert numbers - {"first", "second"} <= DIGITS.keys() | SETTINGS
    assert texts == OTHER_TEXTS
    assert points == set()
    assert len(members) > 1500


REQUIRED = {
    "change_boards": {"boards", "reason"},
    "rename_account": {"name"},
    "edit_tournament": set(),
    "edit_player": set(),
}


def test_a_body_of_a_change_requires_what_the_operation_requires(schema: dict[str, Any]) -> None:
    found = {}
    for _, _, operation in described_operations(schema):
        if operation["operationId"] in REQUIRED:
            body = operation["requestBody"]["content"]["application/json"]["schema"]
            name = body["$ref"].rpartition("/")[2]
            required = schema["components"]["schemas"][name].get("required", ())
            found[operation["operationId"]] = {*required}

    assert found == REQUIRED
