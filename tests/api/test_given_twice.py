"""What is given twice is refused: which one counts, programs answer differently."""

from typing import Any

import pytest
from django.test import Client

from deploy.urls import urlpatterns
from games.models import Player
from tests.api.one_of_each import Everything, make_everything
from tests.api.operations import operations
from tests.api.role_matrix import LEVEL_OF, LEVELS
from tests.api.test_responses import load_rows
from tests.deploy.test_english_on_pages import VALUES, routes
from tests.people import Person, player_of, problem_in

PARAMETERS = ("dry_run=1&dry_run=0", "dry_run=0&dry_run=1", "limit=1&limit=1", "x&x=")


@pytest.fixture
def everything(db: None) -> Everything:
    return make_everything()


def test_a_parameter_that_is_given_twice_is_refused_everywhere(everything: Everything) -> None:
    before = load_rows()
    for number, operation in enumerate(operations()):
        level = LEVELS[LEVEL_OF[str(operation).strip()]]
        person: Person = everything.people[level.allowed[0]]
        path = everything.path(operation.address)
        query = PARAMETERS[number % len(PARAMETERS)]
        answer = person.send(operation.method, f"{path}?{query}", {})
        problem = problem_in(answer, 422, "given_twice")
        name = query.partition("=")[0].partition("&")[0]
        assert problem["detail"].startswith(f"'{name}' is")
        assert problem["parameter"] == problem["errors"][0]["parameter"] == name

    assert load_rows() == before


def test_a_parameter_of_a_page_that_is_given_twice_is_refused(everything: Everything) -> None:
    client = Client()
    account = everything.people["staff"].account
    assert account is not None
    client.force_login(account)
    values = VALUES | everything.values
    for route in routes(urlpatterns):
        answer = client.get(f"{route % values}?q=a&q=b", headers={"Accept": "text/html"})
        assert (route, answer.status_code) == (route, 422)
        assert "given twice" in answer.content.decode(), route


def test_a_field_of_a_form_that_is_given_twice_is_refused(ada: Person) -> None:
    client = Client()
    assert ada.account is not None
    client.force_login(ada.account)
    names = {"name": ["Ada", "Eve"]}
    before = Player.objects.values_list("name", flat=True)[:]

    answer = client.post("/account", {"action": "edit", **names})

    assert (answer.status_code, "given twice" in answer.content.decode()) == (422, True)
    assert [*Player.objects.values_list("name", flat=True)] == [*before]


def test_a_form_may_have_a_file_once(ada: Person) -> None:
    parts = [
        f'--x\r\nContent-Disposition: form-data; name="file"; filename="{name}.csv"\r\n'
        f"Content-Type: text/csv\r\n\r\nname\r\n{name}\r\n"
        for name in ("Dan", "Eve")
    ]
    body = ("".join(parts) + "--x--\r\n").encode()

    answer = ada.send(
        "POST", "players/import", body, content_type="multipart/form-data; boundary=x"
    )

    problem_in(answer, 422, "given_twice")
    assert not Player.objects.filter(name__in=["Dan", "Eve"]).exists()


def test_a_list_in_an_address_may_have_several_values(ada: Person, ben: Person) -> None:
    query = f"opponent={player_of(ben).pk}&score=1&opponent={player_of(ben).pk}&score=0"

    answer = Client().get(f"/players/{player_of(ada).pk}/what-if?{query}")

    assert answer.status_code == 200


@pytest.mark.parametrize("path", ["/health/live", "/health/ready", "/language/de"])
def test_other_addresses_refuse_it_too(path: str, db: Any) -> None:
    assert Client().get(f"{path}?next=/&next=//other.example").status_code == 422
