"""The examples in the schema: requests are accepted, responses are what the API returns."""

import json
import re
from collections.abc import Iterator
from typing import Any

import pytest
from jsonschema_rs import Draft202012Validator

from games.core.serializers import validated
from games.models import Player, Role
from tests.api.empty_texts import empty_texts
from tests.api.operations import operations
from tests.deploy.documentation import DOCS
from tests.events import SET_UP
from tests.people import BASE, Person
from tournament.models import Tournament

pytestmark = [pytest.mark.django_db, pytest.mark.any_database]

EVENT = "tournaments/spring-open"
REQUESTS = {
    "import_players": "players/import?dry_run=1",
    "import_entries": "tournaments/list/entries/import?dry_run=1",
    "import_tournament": "tournaments/import?ruleset=star-star&board_size=4&slug=again&dry_run=1",
    "import_games": "games/import?pool=star&dry_run=1",
    "import_records": f"{EVENT}/records/import?dry_run=1",
}
RESPONSES = {name: f"{EVENT}/{name}.csv" for name in ("standings", "crosstable", "prizes", "clubs")}


def examples(schema: dict[str, Any], name: str, *, of_request: bool) -> list[tuple[str, str]]:
    """Return the examples of an operation, each with its media type."""
    operations = (item for path in schema["paths"].values() for item in path.values())
    (operation,) = (item for item in operations if item["operationId"] == name)
    body = operation["requestBody"] if of_request else operation["responses"]["200"]
    return [
        (media_type, example["value"])
        for media_type, content in body["content"].items()
        for example in content.get("examples", {}).values()
    ]


def test_each_body_in_json_has_an_example_that_is_accepted(schema: dict[str, Any]) -> None:
    """Its ids are made up, so that no write could be tried with it: it is read as a write does."""
    schema, without = json.loads(json.dumps(schema, default=str)), []
    for operation in (each for each in operations() if not each.is_read):
        described = schema["paths"][f"{BASE}{operation.base}"][operation.method.lower()]
        content = described.get("requestBody", {}).get("content", {}).get("application/json")
        if content is None:
            continue
        found = [content["example"]] if "example" in content else []
        found += [example["value"] for example in content.get("examples", {}).values()]
        validator = Draft202012Validator(content["schema"] | {"components": schema["components"]})
        for example in found:
            assert [*validator.iter_errors(example)] == [], operation
            if operation.action and operation.action.body:
                validated(operation.action.body, example)
        without += [] if found else [str(operation)]
    assert without == []


def bodies_of_pages() -> Iterator[tuple[str, str, str]]:
    """Yield each body in a sentence of a page, with the method and the address before it."""
    for path in sorted((DOCS / "howto").glob("*.md")):
        operation = None
        for code in re.findall(r"`([^`\n]+)`", path.read_text(encoding="utf-8")):
            if named := re.fullmatch(r"(POST|PUT|PATCH) ([^ ]+)", code):
                operation = named.groups()
            elif operation and re.fullmatch(r'\{"\w+": .*\}', code):
                yield *operation, code


def test_each_body_in_a_page_is_accepted(schema: dict[str, Any]) -> None:
    schema, seen = json.loads(json.dumps(schema, default=str)), 0
    for method, address, text in bodies_of_pages():
        end = re.sub(r"\{\w+\}", "{}", f"/{address}")
        (operation,) = (
            item[method.lower()]
            for path, item in schema["paths"].items()
            if method.lower() in item and re.sub(r"\{\w+\}", "{}", path).endswith(end)
        )
        described = operation["requestBody"]["content"]["application/json"]["schema"]
        validator = Draft202012Validator(described | {"components": schema["components"]})
        assert [*validator.iter_errors(json.loads(text))] == [], (address, text)
        seen += 1
    assert seen >= 6


def closed(described: Any) -> Any:
    """Return a schema whose objects have no other members than it names."""
    if isinstance(described, list):
        return [closed(part) for part in described]
    if not isinstance(described, dict):
        return described
    found = {name: closed(part) for name, part in described.items()}
    return {"additionalProperties": False, **found} if "properties" in found else found


def test_each_success_in_json_has_an_example_that_its_schema_describes(
    schema: dict[str, Any],
) -> None:
    """The examples are in deploy/examples.json: answers of a service, with few rows.

    Where an operation has several successes, as when a task does the work, one has an example.
    """
    schema = closed(json.loads(json.dumps(schema, default=str)))
    without, wrong = [], []
    for path in schema["paths"].values():
        for operation in path.values():
            contents = [
                response["content"]["application/json"]
                for status, response in operation["responses"].items()
                if status in ("200", "201", "202")
                and "application/json" in response.get("content", {})
            ]
            name = operation["operationId"]
            without += (
                [name] if contents and not any("example" in each for each in contents) else []
            )
            for content in contents:
                validator = Draft202012Validator(
                    content["schema"] | {"components": schema["components"]}
                )
                found = validator.iter_errors(content["example"]) if "example" in content else ()
                wrong += [f"{name}: {error.instance_path}: {error.message}" for error in found]
                wrong += [
                    f"{name}: {place} is empty" for place in empty_texts(content.get("example"))
                ]
    assert without == []
    assert wrong == []


@pytest.fixture
def start(schema: dict[str, Any], organiser: Person) -> None:
    """Import the tournament of the TRF example, and create one for entries."""
    ((media_type, trf),) = examples(schema, "import_tournament", of_request=True)
    address = "tournaments/import?ruleset=star-star&board_size=4"
    assert organiser.post(address, trf, content_type=media_type).status_code == 201
    Player.objects.filter(name="Ada").update(club="Rooks")
    Tournament.objects.update(currency="EUR", prizes=[{"name": "first", "amounts": [10000]}])
    organiser.post("tournaments", SET_UP | {"slug": "list"})
    role = Role.Name.RATING_OFFICER
    Role.objects.create(stream="pool/star", account=organiser.account, role=role)


@pytest.mark.parametrize("name", REQUESTS)
def test_the_request_is_accepted(
    schema: dict[str, Any], start: dict[str, Any], organiser: Person, name: str
) -> None:
    for media_type, content in examples(schema, name, of_request=True):
        response = organiser.post(REQUESTS[name], content, content_type=media_type)
        assert response.status_code == 200, response.content


@pytest.mark.parametrize("name", RESPONSES)
def test_the_response_is_returned(
    schema: dict[str, Any], start: dict[str, Any], anonymous: Person, name: str
) -> None:
    assert examples(schema, f"get_{name}", of_request=False) == [
        ("text/csv; charset=utf-8", anonymous.get(RESPONSES[name]).content.decode())
    ]
