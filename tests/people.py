"""Who speaks to the API in tests, and how its refusals are read.

Three people and nobody: the organiser, who owns the event; two players, Ada and Ben, who hold
seats in it; a stranger, who has an account and a token with every scope and no part in anything;
and `anonymous`, who sends no token at all.
"""

import json
from base64 import b64encode
from dataclasses import dataclass, field
from functools import partialmethod
from itertools import chain
from typing import Any
from urllib.parse import quote, urlencode

from allauth.mfa.models import Authenticator
from django.conf import settings
from django.http import HttpResponse, QueryDict
from django.test import Client
from django.test.client import ClientHandler
from django.utils import timezone

from games.core.accounts.services import note_first_staff
from games.core.accounts.tokens import issue_token
from games.core.openapi.components import Extensions, Problem, ProblemError
from games.core.pagination import list_named
from games.core.permissions import SCOPES
from games.core.problems import problem_types
from games.models import Account, Player, Token
from tests.api.operations import name_of

BASE = "/api/v1/"
URL = "http://localhost:8000/api/v1/"
"""What the addresses in answers begin with."""
PROBLEM_JSON = "application/problem+json"
PROBLEM_KEYS = {"type", "title", "status", "detail", "code", "request_id"}


def require_documented(response: HttpResponse) -> None:
    """Fail unless the table of codes has the code of a problem with its status, and its errors.

    The description has all of their members. A code of some operations is that of one of these.
    """
    problem = response.json()
    found = problem_types().get(problem["code"])
    assert found is not None, problem
    assert problem["status"] in found.statuses, problem
    if found.operations:
        name = name_of(response.request["REQUEST_METHOD"], response.resolver_match.route)
        assert name in found.operations, f"{name} does not declare {problem['code']}"
    errors = problem.get("errors", ())
    unknown = [error for error in errors if error["code"] not in problem_types()]
    assert not unknown, unknown
    members = Problem.__annotations__.keys() | Extensions.__annotations__.keys()
    undescribed = {*problem} - members, {*chain(*errors)} - ProblemError.__annotations__.keys()
    assert undescribed == (set(), set()), undescribed


HANDLER = ClientHandler(enforce_csrf_checks=False)
"""That of all clients here: to load the middlewares for each takes longer than a request."""


def new_client() -> Client:
    client = Client()
    client.handler = HANDLER
    return client


@dataclass(slots=True)
class Person:
    """Somebody with a token, or without one; paths are given below `/api/v1/`."""

    name: str
    account: Account | None = None
    token: Token | None = None
    secret: str = ""
    client: Client = field(default_factory=new_client)

    def send(
        self,
        method: str,
        path: str,
        body: Any = None,
        *,
        content_type: str = "application/json",
        **headers: str,
    ) -> HttpResponse:
        """One request; a body of bytes goes out as it is, and so does one that is not JSON."""
        if self.secret:
            headers.setdefault("Authorization", f"Bearer {self.secret}")
        is_json = content_type == "application/json" and not isinstance(body, bytes)
        content = json.dumps(body) if is_json and body is not None else body or b""
        response = self.client.generic(
            method,
            path if path.startswith(("/", "http")) else BASE + path,
            content,
            content_type=content_type,
            headers={name.replace("_", "-"): value for name, value in headers.items()},
        )
        if response.get("Content-Type") == PROBLEM_JSON and method != "HEAD":
            require_documented(response)
        return response

    get = partialmethod(send, "GET")
    post = partialmethod(send, "POST")
    put = partialmethod(send, "PUT")
    patch = partialmethod(send, "PATCH")
    delete = partialmethod(send, "DELETE")

    def with_token(self, *scopes: str, stream: str = "") -> "Person":
        """The same person, with another token that has just these scopes."""
        assert self.account is not None
        token, secret = issue_token(self.account, scopes, stream=stream, preconditions="optional")
        return Person(self.name, self.account, token, secret)


def add_second_factor(account: Account) -> None:
    """An authenticator app, whose codes no test enters."""
    Authenticator.objects.create(user=account, type=Authenticator.Type.TOTP, data={"secret": ""})
    account.__dict__.pop("has_second_factor", None)


def make_person(name: str, **fields: Any) -> Person:
    """A new token of every scope, which has been used: the next use is not stored.

    It is of the account with that name, which is created if there is none.
    """
    values = {"name": name, **fields}
    account, is_new = Account.objects.get_or_create(
        email=f"{name.lower()}@example.org", defaults=values
    )
    if is_new and account.is_staff:
        note_first_staff(account)
        add_second_factor(account)
    token, secret = Token.objects.create(
        account,
        settings.TOKEN_LIFETIME,
        scopes=sorted(SCOPES),
        issued_by=account,
        preconditions="optional",
        last_used_at=timezone.now(),
    )
    return Person(name, account, token, secret)


def make_player(name: str, rating: int | None = None) -> Person:
    """A person who is also a registered player."""
    person = make_person(name)
    values = {"name": name, "country": "POR", "seed_rating": rating}
    Player.objects.get_or_create(account=person.account, defaults=values)
    return person


def player_of(person: Person) -> Player:
    """The registered player that the person is."""
    assert person.account is not None
    return person.account.player


def cursor_of(address: str, edge: list[Any], is_backward: int = 0) -> str:
    """Return the cursor of the page of a list after these columns of a row, or before them."""
    path, _, query = address.partition("?")
    name = list_named(path if path.startswith("/") else BASE + path, QueryDict(query))
    query = urlencode({"r": is_backward, "p": json.dumps([name, *edge])})
    return quote(b64encode(query.encode()).decode())


def problem_in(answer: HttpResponse, status: int, code: str = "") -> dict[str, Any]:
    """The problem that an answer holds, which must be whole; with this status and this code."""
    assert answer.status_code == status, (answer.status_code, answer.content[:400])
    assert answer["Content-Type"] == PROBLEM_JSON
    problem: dict[str, Any] = answer.json()
    assert problem.keys() >= PROBLEM_KEYS
    assert problem["status"] == status
    assert problem["request_id"] == answer["X-Request-ID"]
    if code:
        assert problem["code"] == code, problem
    return problem


def content_of(answer: HttpResponse) -> bytes:
    """The whole content of an answer, which may be written while it is sent."""
    parts: Any = getattr(answer, "streaming_content", None)
    return answer.content if parts is None else b"".join(parts)


def statuses(people: dict[str, Person], method: str, path: str, body: Any = None) -> dict[str, int]:
    """What each of the people is answered to the same request."""
    return {name: person.send(method, path, body).status_code for name, person in people.items()}
