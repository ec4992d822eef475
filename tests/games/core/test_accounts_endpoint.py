"""`/accounts`: sign-up and passwords by email; no answer says whether an account exists."""

from collections.abc import Iterator
from datetime import timedelta
from typing import Any

import pytest
from django.core import mail
from django.utils import timezone

from games import tasks
from games.core.accounts.mail import token_of
from games.core.broker import clear
from games.models import Account, EmailLink, Token
from tests.people import Person, problem_in, statuses

ANNA = {"email": "anna@example.org", "name": "Anna"}
PASSWORD = "correct horse battery"


@pytest.fixture(autouse=True)
def empty_counters() -> Iterator[None]:
    yield
    clear()


def sent_token() -> str:
    """Send what is due, and return the token in the only message."""
    tasks.send_due_links.run()
    (message,) = mail.outbox
    mail.outbox.clear()
    return str(message.body.partition("#")[2].split()[0])


def confirm(person: Person, token: str, *, path: str = "accounts", password: str = PASSWORD) -> int:
    body = {"token": token, "password": password}
    return person.post(f"{path}/confirm", body).status_code


def can_log_in(password: str) -> bool:
    account = Account.objects.get(email__iexact="anna@example.org")
    return account.check_password(password)


def test_everyone_signs_up_and_confirms_by_email(anonymous: Person, db: None) -> None:
    assert anonymous.post("accounts", ANNA).json() == {"email": "anna@example.org"}
    assert not Account.objects.exists()

    created = anonymous.post("accounts/confirm", {"token": sent_token(), "password": PASSWORD})

    account = Account.objects.get()
    assert created.json() == {"account": account.pk} | ANNA
    assert can_log_in(PASSWORD)
    assert not account.is_staff


def test_an_address_with_an_account_gets_the_same_answer(
    anonymous: Person, stranger: Person
) -> None:
    before = anonymous.post("accounts", {"email": "new@example.org", "name": "X"})
    answer = anonymous.post("accounts", {"email": "STIG@example.org", "name": "X"})

    assert (answer.status_code, answer.json()) == (200, {"email": "STIG@example.org"})
    assert before.status_code == 200
    assert list(EmailLink.objects.order_by("pk").values_list("kind", flat=True)) == [
        "sign-up",
        "password",
    ]
    assert Account.objects.count() == 1


def test_a_password_is_set_by_email_and_revokes_the_tokens(anonymous: Person, db: None) -> None:
    anonymous.post("accounts", ANNA)
    confirm(anonymous, sent_token())
    Token.objects.create(Account.objects.get(), issued_by=Account.objects.get())

    anonymous.post("accounts/password", {"email": "anna@example.org"})
    status = confirm(anonymous, sent_token(), path="accounts/password", password="another secret")

    assert status == 200
    assert can_log_in("another secret")
    assert not Token.objects.exists()


def test_no_message_is_sent_to_an_address_without_an_account(anonymous: Person, db: None) -> None:
    answer = anonymous.post("accounts/password", {"email": "nobody@example.org"})

    assert (answer.status_code, answer.json()) == (200, {"email": "nobody@example.org"})
    assert tasks.send_due_links.run() == 1
    assert mail.outbox == []
    assert tasks.send_due_links.run() == 0


def test_a_token_works_once_for_its_purpose_until_it_expires(anonymous: Person, db: None) -> None:
    anonymous.post("accounts", ANNA)
    first = sent_token()
    anonymous.post("accounts", ANNA)
    second = sent_token()

    assert confirm(anonymous, second, path="accounts/password") == 422
    assert confirm(anonymous, first) == 422  # the second message replaces it
    assert confirm(anonymous, second[:-1]) == 422
    assert confirm(anonymous, second) == 201
    problem = anonymous.post("accounts/confirm", {"token": second, "password": PASSWORD})
    assert problem_in(problem, 422, "invalid_link")["errors"][0]["pointer"] == "/token"
    expired = EmailLink.objects.create(
        kind="sign-up", email="b@example.org", expires_at=timezone.now() - timedelta(seconds=1)
    )
    assert confirm(anonymous, token_of(expired)) == 422


@pytest.mark.parametrize("password", ["short", "password123", "qwertyuiop"])
def test_a_weak_password_is_rejected_and_the_link_stays(
    anonymous: Person, db: None, password: str
) -> None:
    anonymous.post("accounts", ANNA)
    token = sent_token()

    answer = anonymous.post("accounts/confirm", {"token": token, "password": password})

    problem_in(answer, 422, "weak_password")
    assert confirm(anonymous, token) == 201


def test_a_link_is_sent_three_times_at_most(anonymous: Person, db: None) -> None:
    for _ in range(5):
        assert anonymous.post("accounts", ANNA).status_code == 200
        tasks.send_due_links.run()

    assert len(mail.outbox) == 3


def test_a_closed_installation_has_no_sign_up(everyone: dict[str, Person], settings: Any) -> None:
    settings.SIGN_UP = "closed"

    assert set(statuses(everyone, "POST", "accounts", ANNA).values()) == {403}
    assert everyone["anonymous"].post("accounts/password", {"email": "x@y.org"}).status_code == 200


def test_requests_are_limited_as_logins_are(anonymous: Person, db: None, settings: Any) -> None:
    settings.RATE_LIMITS = settings.RATE_LIMITS | {"login": 3}
    answers = [anonymous.post("accounts/password", {"email": "x@y.org"}) for _ in range(4)]

    assert [answer.status_code for answer in answers] == [200, 200, 200, 429]


def test_a_message_that_cannot_be_sent_is_given_up(
    anonymous: Person, db: None, settings: Any
) -> None:
    settings.EMAIL_BACKEND = "django.core.mail.backends.smtp.EmailBackend"
    settings.EMAIL_HOST, settings.EMAIL_PORT = "127.0.0.1", 1
    anonymous.post("accounts", ANNA)

    due = [tasks.send_due_links.run() for _ in range(6)]

    assert due == [1, 1, 1, 1, 1, 0]
    assert EmailLink.objects.get().sent_at is None


def test_old_links_are_deleted_with_their_addresses(db: None) -> None:
    for days in (29, 31):
        expires_at = timezone.now() - timedelta(days=days)
        EmailLink.objects.create(kind="sign-up", email=f"{days}@x.org", expires_at=expires_at)

    tasks.send_due_links.run()

    assert EmailLink.objects.get().email == "29@x.org"


@pytest.mark.parametrize(
    ("body", "pointer"),
    [
        ({"name": "Anna"}, "/email"),
        ({"email": "anna", "name": "Anna"}, "/email"),
        ({"email": "anna@example.org"}, "/name"),
        ({"email": "anna@example.org", "name": "a\nb"}, "/name"),
        ({"email": "anna@example.org\nBcc: x@y.org", "name": "Anna"}, "/email"),
    ],
)
def test_an_invalid_request_is_rejected(
    anonymous: Person, db: None, body: object, pointer: str
) -> None:
    problem = problem_in(anonymous.post("accounts", body), 422, "invalid")

    assert problem["errors"][0]["pointer"] == pointer
    assert not EmailLink.objects.exists()


def test_an_account_is_renamed_but_not_its_player(
    ada: Person, stranger: Person, anonymous: Person
) -> None:
    found = {
        person.name: person.patch("me", {"name": "Countess"}).status_code
        for person in (ada, stranger, stranger.with_token("tournament:read"), anonymous)
    }

    assert found == {"Ada": 200, "Stig": 403, "nobody": 401}
    assert ada.get("me").json()["name"] == "Countess"
    assert ada.get("me").json()["player"]["name"] == "Ada"
    problem_in(ada.patch("me", {"name": ""}), 422)
    problem_in(ada.patch("me", {"email": "b@example.org"}), 422, "unknown_member")
