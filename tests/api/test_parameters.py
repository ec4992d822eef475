"""The parameters of every operation: unknown names and wrong values are refused, with the valid."""

from collections.abc import Iterator
from typing import Any

import pytest

from tests.api.one_of_each import Everything, make_everything
from tests.api.stock_words import WORDS
from tests.events import make_published
from tests.people import BASE, Person, problem_in

pytestmark = [pytest.mark.django_db, pytest.mark.any_database]

Operation = tuple[str, str, dict[str, Any]]
"""A method, an address, and the description of an operation."""

FREE = {"options", "columns"}
"""Texts of which any value may be right."""


@pytest.fixture(scope="module")
def described(schema: dict[str, Any]) -> list[Operation]:
    return [
        (method.upper(), path.removeprefix(BASE), operation)
        for path, methods in schema["paths"].items()
        for method, operation in methods.items()
    ]


@pytest.fixture(scope="module")
def everything_of_module(rows_of_module: None) -> Everything:
    return make_everything()


@pytest.fixture
def everything(db: None, everything_of_module: Everything) -> Everything:
    return everything_of_module


def parameters(operation: dict[str, Any]) -> dict[str, dict[str, Any]]:
    """Return the schemas of the parameters of the query by name."""
    found = operation.get("parameters", ())
    return {each["name"]: each for each in found if each["in"] == "query"}


def send(person: Person, method: str, path: str, query: str) -> Any:
    """Send a request without a body, whose parameters are checked before anything else."""
    return person.send(method, f"{path}?{query}")


def wrong_values(name: str, described: dict[str, Any]) -> Iterator[str]:
    """Yield values that a parameter cannot have, by its description."""
    schema = described["schema"]
    kind = schema.get("type")
    yield from ("", "%00", "%ff", "a%C3")
    if "maxLength" in schema:
        yield "a" * (schema["maxLength"] + 1)
    elif "maxItems" in schema:
        yield ",".join("1" * (schema["maxItems"] + 1))
    if kind == "boolean":
        yield from ("maybe", "2")
    elif "enum" in schema or "enum" in schema.get("items", {}):
        yield "nonsense"
    elif kind == "integer":
        yield from ("-1", "x", "1.5", "%2B1", "%201", "01", "1_0", "%EF%BC%91")
        if "maximum" in schema:
            yield str(schema["maximum"] + 1)
        if schema.get("minimum") == 1:
            yield "0"
    elif name == "cursor":
        yield from ("x", "bm9uc2Vuc2U=")
    elif schema.get("format") == "date":
        yield from ("yesterday", "2026-13-01", "2026-1-1", "1/31/2026", "%202026-01-01")


def odd_value(described: dict[str, Any]) -> str:
    """Return a value that looks right: a number beyond those of the database, or a picture."""
    return "9" * 19 if described["schema"].get("type") == "integer" else "%F0%9F%99%82"


def refused(response: Any, name: str) -> dict[str, Any]:
    """Return the error about a parameter in a refusal, {} for another response."""
    if response.status_code != 422:
        return {}
    errors = response.json().get("errors", ())
    return next((error for error in errors if error.get("parameter") == name), {})


def test_an_unknown_parameter_is_refused_with_the_valid_ones(
    described: list[Operation], everything: Everything
) -> None:
    staff = everything.people["staff"]
    wrong = {}
    for method, address, operation in described:
        response = send(staff, method, everything.path(address), "colour=red")
        error = refused(response, "colour")
        if error.get("code") != "unknown_parameter" or {*error.get("valid", ())} != {
            *parameters(operation)
        }:
            wrong[f"{method} {address}"] = response.content[:200]

    assert wrong == {}


def test_a_wrong_value_of_a_parameter_is_refused(
    described: list[Operation], everything: Everything
) -> None:
    """Each value once by the description of a parameter; those known, together at an operation."""
    staff = everything.people["staff"]
    wrong, tried, met = {}, 0, set()
    for method, address, operation in described:
        path, known, queries = everything.path(address), {}, []
        for name, parameter in parameters(operation).items():
            values = list(wrong_values(name, parameter))
            kind = (name, repr(parameter["schema"]))
            if kind in met:
                known[name] = values[(tried + len(known)) % len(values)]
                continue
            met.add(kind)
            queries += [{name: value} for value in values]
            query = f"{name}={odd_value(parameter)}"
            if send(staff, method, path, query).status_code >= 500:
                wrong[f"{method} {address} {query}"] = "500"
        for query in (*queries, known):
            pairs = [f"{name}={value}" for name, value in query.items()]
            response = send(staff, method, path, "&".join(pairs)) if pairs else None
            tried += len(pairs)
            for pair, name in zip(pairs, query, strict=True):
                error = refused(response, name)
                said = error.get("detail", "").rpartition(": ")[2]
                is_bare = query[name] == "-1" and error.get("min") is None
                if error.get("code") != "invalid_parameter" or WORDS.match(said) or is_bare:
                    found = f"{response.status_code} {response.content[:150]!r}"
                    wrong[f"{method} {address} {pair}"] = found

    assert wrong == {}
    assert tried > 400


def test_a_parameter_of_other_formats_is_refused(
    described: list[Operation], everything: Everything
) -> None:
    staff = everything.people["staff"]
    wrong, names = {}, set()
    for method, address, operation in described:
        suffixes = operation.get("x-suffixes", ())
        for name, parameter in parameters(operation).items():
            formats = parameter.get("x-formats")
            if not formats or name == "cursor":
                continue
            assert parameter["description"].endswith(f"; only in {', '.join(formats)}")
            for suffix in suffixes:
                path = f"{everything.path(address)}{suffix}"
                value = valid_value(parameter, everything)
                response = send(staff, method, path, f"{name}={value}")
                error = refused(response, name)
                is_for_it = suffix.removeprefix(".") in formats
                if is_for_it == (error.get("code") == "invalid_parameter"):
                    wrong[f"{path} {name}"] = response.content[:200]
                names.add(name)

    assert wrong == {}
    assert names >= {"bom", "paper", "ply", "terms", "explain", "by", "limit", "order"}


def valid_value(parameter: dict[str, Any], everything: Everything) -> str:
    """Return a value that a parameter can have, by its description; a player that there is."""
    if parameter["name"] == "player":
        return str(everything.values["player_id"])
    schema = parameter["schema"]
    return str(schema.get("items", schema).get("enum", ["1"])[0])


def test_all_wrong_parameters_are_named_at_once(everything: Everything) -> None:
    problem = problem_in(
        everything.people["owner"].get("games?rated=maybe&state=lost&limit=0&colour=red&player=x"),
        422,
        "unknown_parameter",
    )

    found = {(error["parameter"], error["code"]) for error in problem["errors"]}
    assert found == {
        ("colour", "unknown_parameter"),
        ("limit", "invalid_parameter"),
        ("player", "invalid_parameter"),
        ("rated", "invalid_parameter"),
        ("state", "invalid_parameter"),
    }
    assert (problem["parameter"], "state" in problem["valid"]) == ("colour", True)


@pytest.mark.parametrize(
    ("method", "address", "name", "values"),
    [
        ("GET", "handicap?first_player_id=1&second_player_id=2&board_size=10", "pool", {"star"}),
        ("GET", "handicap?first_player_id=1&second_player_id=2&pool=star", "board_size", None),
        ("GET", "games/search?board_size=10", "ruleset", {"star-star", "hex"}),
        ("GET", "games/search?ruleset=hex", "board_size", {"11", "13"}),
        ("GET", "rulesets/hex/board.svg", "board_size", {"11", "13"}),
        ("POST", "tournaments/import?board_size=10", "ruleset", {"star-star", "hex"}),
        ("POST", "tournaments/import?ruleset=hex", "board_size", {"11", "13"}),
    ],
)
def test_the_absence_of_a_parameter_lists_its_values(
    everything: Everything, method: str, address: str, name: str, values: set[str] | None
) -> None:
    organiser = everything.people["owner"]
    options = {"content_type": "text/plain"} if method == "POST" else {}
    response = organiser.send(method, address, *([b"012 Cup\n"] if options else []), **options)
    error = refused(response, name)
    assert error["code"] == "invalid_parameter"
    assert ({*error["valid"]} >= values) if values else "valid" not in error


def test_the_words_of_a_parameter_that_is_true_or_false(
    organiser: Person, ada: Person, ben: Person
) -> None:
    event = make_published(organiser, ada, ben, slug="words")
    event.finish(1)
    for count, words in enumerate((("1", "true", "TRUE", "yes"), ("0", "false", "False", "no"))):
        for word in words:
            response = organiser.get(f"{event.path}/rounds/1/results?missing={word}")
            assert len(response.json()["rows"]) == count, word


def test_a_number_in_a_path_has_no_zeros_in_front(
    described: list[Operation], everything: Everything
) -> None:
    staff, wrong, tried = everything.people["staff"], {}, 0
    for method, address, operation in described:
        for parameter in operation.get("parameters", ()):
            if parameter["in"] != "path" or parameter["schema"]["type"] != "integer":
                continue
            tried += 1
            place = f"{{{parameter['name']}}}"
            path = everything.path(address.replace(place, f"0{place}"))
            if (status := staff.send(method, path).status_code) != 404:
                wrong[f"{method} {path}"] = status

    assert wrong == {}
    assert tried > 50
