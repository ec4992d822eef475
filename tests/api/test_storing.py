"""What is answered to a session or a token is stored nowhere: no browser, no proxy, no cache."""

from typing import Any

import pytest
from django.core.cache import caches
from django.test import Client

from deploy.middleware import NO_STORE
from deploy.urls import urlpatterns
from tests.api.one_of_each import Everything, make_everything
from tests.api.operations import operations
from tests.api.role_matrix import LEVEL_OF, LEVELS
from tests.deploy.test_english_on_pages import VALUES, routes
from tests.people import Person, content_of

pytestmark = pytest.mark.any_database

NOT_READ = ("schema",)
"""Public pages that depend on nothing and take long."""


@pytest.fixture
def everything(db: None) -> Everything:
    caches["responses"].clear()
    return make_everything()


def logged_in(person: Person) -> Client:
    client = Client()
    assert person.account is not None
    client.force_login(person.account)
    return client


@pytest.mark.long
def test_no_answer_to_a_token_is_stored(everything: Everything) -> None:
    """Let who may do an operation do it, and somebody who may not do another one."""
    for number, operation in enumerate(operations()):
        if operation.base in NOT_READ or operation.is_pdf:
            continue
        level = LEVELS[LEVEL_OF[str(operation).strip()]]
        name = "stranger" if number % 5 == 0 else level.allowed[0]
        path = everything.path(operation.address)
        query = "" if operation.is_read else "?dry_run=1"
        answer = everything.people[name].send(operation.method, path + query, {})
        assert (str(operation), answer["Cache-Control"]) == (str(operation), NO_STORE)


@pytest.mark.parametrize("is_complete", [False, pytest.param(True, marks=pytest.mark.long)])
def test_no_answer_to_a_session_is_stored(everything: Everything, is_complete: bool) -> None:
    """Read each page; in short, where one middleware sets the header, every third."""
    clients = [logged_in(everything.people[name]) for name in ("owner", "staff", "stranger")]
    paths = [route % (VALUES | everything.values) for route in routes(urlpatterns)]
    paths += [
        "/api/v1/me",
        "/api/v1/tournaments",
        f"/api/v1/tournaments/{everything.values['slug']}/standings",
    ]
    step = 1 if is_complete else 3
    paths = [*paths[::step], "/nowhere", "/language/de", "/health/live"]
    for number, path in enumerate(paths):
        answer = clients[number % 3].get(path)
        assert (path, answer["Cache-Control"]) == (path, NO_STORE)


def test_what_begins_a_session_is_not_stored(everything: Everything) -> None:
    owner = everything.people["owner"]
    assert owner.account is not None
    owner.account.set_password("a long password")
    owner.account.save()

    answer = Client().post("/login", {"login": owner.account.email, "password": "a long password"})

    assert (answer.status_code, answer["Cache-Control"]) == (302, NO_STORE)


def test_what_a_link_is_exchanged_for_is_not_stored(everything: Everything) -> None:
    owner, anonymous = everything.people["owner"], everything.people["anonymous"]
    path = f"tournaments/{everything.values['slug']}"
    rows = owner.get(f"{path}/links.csv")
    assert rows["Cache-Control"] == NO_STORE
    link = content_of(rows).decode().split("#")[1].split()[0].split(",")[0].strip('"')

    answer = anonymous.post(f"{path}/links/session", {"link": link})

    assert (answer.status_code, answer["Cache-Control"]) == (201, NO_STORE)
    assert "peri_" in answer.content.decode()


def test_the_service_stores_no_answer_to_a_login_either(
    everything: Everything, settings: Any
) -> None:
    settings.STORED_RESPONSES = 400
    client = logged_in(everything.people["owner"])
    for path in ("me", "tournaments/spring/links.csv", "tournaments/spring/standings"):
        answer = client.get(f"/api/v1/{path}")
        assert (path, answer.status_code, answer["Cache-Control"]) == (path, 200, NO_STORE)

        stranger = Client().get(f"/api/v1/{path}")

        if path.endswith("standings"):
            assert stranger["Cache-Control"] == "public, max-age=0, s-maxage=2"
        else:
            assert (path, stranger.status_code) == (path, 401)
            assert everything.people["owner"].name not in stranger.content.decode()


def test_files_of_the_site_may_be_stored(everything: Everything) -> None:
    client = logged_in(everything.people["owner"])
    answer = client.get("/static/games/site.css")
    assert "no-store" not in answer.get("Cache-Control", "")
