"""Sign-up, login, passwords and addresses on pages, with the messages that they send."""

import re
from base64 import b64encode
from concurrent.futures import ThreadPoolExecutor
from datetime import timedelta
from threading import Barrier
from time import perf_counter
from typing import Any

import pytest
from allauth.account.models import EmailAddress
from allauth.mfa.models import Authenticator
from allauth.socialaccount.models import SocialAccount
from django.conf import settings
from django.core import mail
from django.db import connection
from django.test import Client
from django.utils import timezone

from games import tasks
from games.core.accounts.queries import CONFIRMATION
from games.core.broker import clear
from games.models import Account, Message, Token
from tests.people import Person, problem_in

PASSWORD = "moons of saturn"
FAILED = "authentication_failed"
NORA = {"name": "Nora", "email": "nora@example.org", "password1": PASSWORD}
LOGIN = {"login": "nora@example.org", "password": PASSWORD}

pytestmark = [pytest.mark.django_db, pytest.mark.any_database]


@pytest.fixture(autouse=True)
def no_limits(db: None) -> None:
    clear()


@pytest.fixture
def kim(db: None) -> Account:
    """Whose address has look-alikes."""
    return Account.objects.create_user("kim@bücher.example", PASSWORD, name="Kim")


def text_of(response: Any) -> str:
    return str(response.content.decode())


def sent_links() -> dict[str, str]:
    """Send what is due; return the paths of the links in the messages, by address."""
    tasks.send_due_links.run()
    found = {}
    for message in mail.outbox:
        (link,) = re.findall(rf"^    {re.escape(settings.PUBLIC_URL)}(/\S+)$", message.body, re.M)
        found[message.to[0]] = link
    mail.outbox.clear()
    return found


def sign_up(client: Client, **changes: str) -> str:
    """Sign up as Nora, and return the link of the message."""
    client.post("/sign-up", NORA | changes)
    (link,) = sent_links().values()
    return link


def log_in(client: Client, email: str = "nora@example.org", password: str = PASSWORD) -> bool:
    client.post("/login", {"login": email, "password": password})
    return client.get("/account").status_code == 200


def new_password(client: Client, link: str, password: str) -> Any:
    form = client.get(link)
    fields = {"password1": password, "password2": password}
    return client.post(form["Location"] if form.status_code == 302 else link, fields)


def test_a_person_signs_up_and_is_logged_in_by_the_message(client: Client) -> None:
    sent = client.post("/sign-up", NORA)
    assert (sent.status_code, sent["Location"]) == (302, "/sign-up/sent")
    assert client.get("/account").status_code == 303

    (link,) = sent_links().values()
    assert client.post(link).status_code == 302

    assert client.get("/account").status_code == 200
    account = Account.objects.get()
    assert (account.email, account.name) == ("nora@example.org", "Nora")
    assert account.check_password(PASSWORD)
    assert not account.is_staff
    assert not Message.objects.exists()


def test_nobody_gets_a_token_before_the_address_is_confirmed(client: Client) -> None:
    link = sign_up(client)
    nora, word = Person("Nora"), b64encode(f"{NORA['email']}:{PASSWORD}".encode()).decode()
    offered = {"Authorization": f"Basic {word}"}

    problem_in(nora.post("tokens", {"scopes": ["tournament:write"]}, **offered), 401, FAILED)
    problem_in(nora.get("tokens", **offered), 401, FAILED)
    assert not Token.objects.exists()

    client.post(link)
    assert nora.post("tokens", {"scopes": ["tournament:write"]}, **offered).status_code == 201


def test_who_confirms_in_another_browser_chooses_the_password(client: Client) -> None:
    squatter = Client()
    link = sign_up(squatter, name="Squatter", password1="rings of saturn")
    clear()
    assert sign_up(client)

    form = client.post(link)  # that of the first message stays valid
    assert not log_in(squatter, password="rings of saturn")
    assert not log_in(squatter), "the later sign-up may be another one's too"
    assert squatter.get("/account").status_code == 303

    assert new_password(client, form["Location"], "harbour lights at noon").status_code == 302
    assert log_in(client, password="harbour lights at noon")
    assert not log_in(squatter, password="rings of saturn")


def test_a_message_has_no_word_of_who_has_signed_up_with_the_address(client: Client) -> None:
    client.post("/sign-up", NORA | {"name": "You won! https://evil.example"})
    tasks.send_due_links.run()
    (message,) = mail.outbox
    assert "won" not in message.subject + message.body
    assert set(re.findall(r"\S+://\S+/", message.body)) == {
        f"{settings.PUBLIC_URL}/sign-up/confirm/"
    }


@pytest.mark.parametrize(
    "changes",
    [
        {"email": "nora"},
        {"email": "nora@example.org\nBcc: x@y.org"},
        {"name": "a\nb"},
        {"name": "N" * 121},
        {"password1": "short"},
        {"password1": "password123"},
    ],
)
def test_a_wrong_sign_up_is_rejected(client: Client, changes: dict[str, str]) -> None:
    rejected = client.post("/sign-up", NORA | changes)

    assert rejected.status_code == 200
    assert 'class="field wrong"' in text_of(rejected)
    assert not Account.objects.exists()
    assert not Message.objects.exists()


def test_a_new_password_ends_sessions_and_tokens(client: Client) -> None:
    client.post(sign_up(client))
    account, other = Account.objects.get(), Client()
    assert log_in(other)
    Token.objects.create(account, issued_by=account)

    visitor = Client()
    visitor.post("/password", {"email": "Nora@Example.org"})
    (link,) = sent_links().values()
    assert new_password(visitor, link, "rings of saturn")["Location"] == "/password/changed"

    assert other.get("/account").status_code == 303
    assert not Token.objects.exists()
    assert not log_in(Client())
    assert log_in(Client(), password="rings of saturn")


@pytest.mark.parametrize("has_app", [False, True])
def test_after_a_reset_what_still_logs_in_is_named_and_ended(client: Client, has_app: bool) -> None:
    """But not passkeys that are the only second factor: the mail alone is not enough for that."""
    director = Account.objects.create_user("dina@example.org", PASSWORD)
    client.post(sign_up(client))
    nora = Account.objects.get(email="nora@example.org")
    Token.objects.create(nora, issued_by=nora, name="robot")
    Token.objects.create(nora, issued_by=director, name="link of a director")
    person = {"userinfo": {"name": "N.", "email": "n@club.example"}}
    SocialAccount.objects.create(user=nora, provider="sign-on", uid="17", extra_data=person)
    passkey = {"name": "Blue key"}
    Authenticator.objects.create(user=nora, type=Authenticator.Type.WEBAUTHN, data=passkey)
    if has_app:
        Authenticator.objects.create(user=nora, type=Authenticator.Type.TOTP, data={})
    visitor = Client(headers={"User-Agent": "Lynx"})
    visitor.post("/password", {"email": "nora@example.org"})
    (link,) = sent_links().values()
    assert visitor.post("/password/changed").status_code == 404

    page = text_of(visitor.get(new_password(visitor, link, "rings of saturn")["Location"]))

    ended, left = page.split("What still logs in to your account")
    assert "127.0.0.1" in ended
    assert "robot" in ended
    assert all(name in left for name in ("link of a director", "N., n@club.example", "Blue key"))
    assert visitor.post("/password/changed").status_code == 303
    assert not Token.objects.exists()
    assert not SocialAccount.objects.exists()
    kinds = set(nora.authenticator_set.values_list("type", flat=True))
    assert kinds == {Authenticator.Type.TOTP if has_app else Authenticator.Type.WEBAUTHN}
    assert "link of a director" not in text_of(visitor.get("/password/changed"))
    assert "robot" not in text_of(Client().get("/password/changed"))


def test_an_address_is_changed_by_the_message_to_the_new_one(client: Client) -> None:
    client.post(sign_up(client))
    asked = client.post("/account/email", {"action_add": "1", "email": "N@Example.net"})
    assert asked["Location"].startswith("/account/confirm?next=")
    client.post("/account/confirm", {"password": PASSWORD})
    client.post("/account/email", {"action_add": "1", "email": "N@Example.net"})

    (link,) = sent_links().values()
    assert log_in(Client()), "it is not changed yet"
    client.post(link)

    assert Account.objects.get().email == "n@example.net"
    assert list(EmailAddress.objects.values_list("email", "verified")) == [("n@example.net", True)]
    assert list(sent_links()) == ["nora@example.org"], "the old address gets a message"
    assert not log_in(Client())


def test_a_closed_sign_up_has_no_form(client: Client, settings: Any) -> None:
    settings.SIGN_UP = "closed"

    assert 'action="/sign-up"' not in text_of(client.get("/sign-up"))
    client.post("/sign-up", NORA)
    assert not Account.objects.exists()
    assert client.post("/password", {"email": "x@y.org"}).status_code == 302


def test_a_message_that_cannot_be_sent_is_tried_for_a_day_and_given_up(
    client: Client, settings: Any
) -> None:
    settings.EMAIL_BACKEND = "django.core.mail.backends.smtp.EmailBackend"
    settings.EMAIL_HOST, settings.EMAIL_PORT = "127.0.0.1", 1
    client.post("/sign-up", NORA)

    attempted = []
    for minutes in (0, 0.5, 2, 3, 6, 30, 30, 90, 200, 500, 1000, 1100):
        Message.objects.update(created_at=timezone.now() - timedelta(minutes=minutes))
        attempted.append(tasks.send_due_links.run())
    assert attempted == [1, 0, 1, 0, 1, 1, 0, 1, 1, 1, 1, 0]

    Message.objects.update(created_at=timezone.now() - CONFIRMATION)
    tasks.send_due_links.run()
    assert not Message.objects.exists()


SAME = ["KIM@BÜCHER.example", "Kim@xn--bcher-kva.example"]
"""Other ways to write the address."""
OTHERS = {
    "dotless i": "kım@bücher.example",
    "invisible": "k\u200bim@bücher.example",
    "line": "kim@bücher.example\nBcc: evil@evil.example",
}
"""What somebody could take, or the database could take, for the address."""


@pytest.mark.parametrize("written", SAME)
def test_an_address_is_the_same_in_every_form(kim: Account, written: str) -> None:
    assert kim.email == "kim@xn--bcher-kva.example"

    Client().post("/password", {"email": written})
    assert list(sent_links()) == [kim.email]
    clear()
    Client().post("/sign-up", NORA | {"email": written})
    assert sent_links() == {kim.email: "/password"}
    assert Account.objects.get() == kim
    assert log_in(Client(), written)


@pytest.mark.parametrize("written", OTHERS.values(), ids=OTHERS)
def test_nobody_takes_an_account_by_a_similar_address(kim: Account, written: str) -> None:
    before = (kim.email, kim.password)

    visitor = Client()
    assert not log_in(visitor, written)
    for path, fields in {"/password": {}, "/sign-up": NORA}.items():
        visitor.post(path, fields | {"email": written})
        for email, link in sent_links().items():
            assert email != kim.email
            assert email.isascii()
            new_password(visitor, link, "rings of saturn")
            visitor.post(link)
    thief = Account.objects.filter(name="Nora").first()
    if thief is None:  # the form has rejected the address
        thief = Account.objects.create_user("thief@evil.example", PASSWORD, name="Nora")
    visitor.force_login(thief)
    visitor.post("/account/email", {"action_add": "1", "email": written})
    visitor.post("/account/confirm", {"password": PASSWORD})
    visitor.post("/account/email", {"action_add": "1", "email": written})
    for email, link in sent_links().items():
        assert email != kim.email
        visitor.post(link)

    kim.refresh_from_db()
    assert (kim.email, kim.password) == before
    assert log_in(Client(), "kim@bücher.example")


def test_nobody_gets_the_address_of_another_account(kim: Account) -> None:
    thief, visitor = Account.objects.create_user("t@evil.example", PASSWORD, name="T"), Client()
    log_in(visitor, "t@evil.example")
    visitor.post("/account/email", {"action_add": "1", "email": kim.email})
    visitor.post("/account/confirm", {"password": PASSWORD})
    visitor.post("/account/email", {"action_add": "1", "email": kim.email})
    (link,) = sent_links().values()

    assert "belongs to another account" in text_of(visitor.get(link))
    visitor.post(link)
    thief.refresh_from_db()
    assert thief.email == "t@evil.example"
    visitor.post("/password", {"email": kim.email})
    assert list(sent_links()) == [kim.email], "an address that is not confirmed is nobody's"
    Client().post("/password", {"email": "t@evil.example"})
    assert list(sent_links()) == ["t@evil.example"]


def test_a_change_of_address_is_stronger_than_a_sign_up_that_is_not_confirmed(
    kim: Account, client: Client
) -> None:
    log_in(client, kim.email or "")
    client.post("/account/email", {"action_add": "1", "email": "nora@example.org"})
    client.post("/account/confirm", {"password": PASSWORD})
    client.post("/account/email", {"action_add": "1", "email": "nora@example.org"})
    (link,) = sent_links().values()
    clear()
    other = sign_up(Client())

    client.post(link)
    Client().post(other)

    assert Account.objects.get().email == "nora@example.org"


def test_sign_ups_that_nobody_confirmed_are_deleted(kim: Account, client: Client) -> None:
    sign_up(client)
    tasks.delete_old_sessions.run()
    assert Account.objects.count() == 2

    Account.objects.update(created_at=timezone.now() - CONFIRMATION)
    tasks.delete_old_sessions.run()
    assert Account.objects.get() == kim


@pytest.mark.parametrize("path", ["/sign-up", "/password"])
def test_known_and_unknown_addresses_get_the_same_answer(kim: Account, path: str) -> None:
    fields = NORA if path == "/sign-up" else {}
    shown, stored = [], []
    for email in ("kim@bücher.example", "else@example.org"):
        client = Client()
        sent = client.post(path, fields | {"email": email})
        page = client.get(sent["Location"])
        secret = r'name="csrfmiddlewaretoken" value="\w+"'
        own = ("X-Request-ID", "Expires")
        headers = {name: value for name, value in sent.items() if name not in own}
        cookies = sorted(client.cookies)
        shown.append((sent.status_code, headers, cookies, re.sub(secret, "", text_of(page))))
        stored.append(Message.objects.count())
        assert tasks.send_due_links.run() == 1

    assert shown[0] == shown[1]
    assert stored == [1, 1]
    assert [message.to for message in mail.outbox][:1] == [["kim@xn--bcher-kva.example"]]
    if path == "/password":
        assert len(mail.outbox) == 1, "an unknown address gets no message"


@pytest.mark.parametrize("path", ["/sign-up", "/password"])
def test_what_is_rejected_holds_no_thread(client: Client, path: str, settings: Any) -> None:
    settings.ACCOUNT_RATE_LIMITS = {"signup": "1/m/ip", "reset_password": "1/m/ip"}
    client.post(path, NORA)
    settings.EVEN_TIME = 60
    start = perf_counter()

    assert client.post(path, NORA).status_code == 429
    assert Client().post("/sign-up", NORA | {"name": ""}, REMOTE_ADDR="::2").status_code == 200
    assert perf_counter() - start < settings.EVEN_TIME


NEXT = {
    "/my?x=1": "/my?x=1",
    "https://evil.example/": "/",
    "": "/",
}


@pytest.mark.parametrize("following", NEXT)
def test_next_stays_on_this_site(kim: Account, client: Client, following: str) -> None:
    fields = {"login": kim.email, "password": PASSWORD, "next": following}
    sent = client.post("/login", fields)

    assert (sent.status_code, sent["Location"]) == (302, NEXT[following])
    again = client.get("/login", {"next": following})
    assert (again.status_code, again["Location"]) == (302, NEXT[following])
    assert client.post("/logout", {"next": following})["Location"] == NEXT[following]


@pytest.mark.parametrize("path", ["/sign-up", "/password"])
def test_known_and_unknown_addresses_take_the_same_time(
    kim: Account, path: str, settings: Any
) -> None:
    settings.EVEN_TIME = 0.5  # no work is as long as this
    for email in (kim.email, "else@example.org"):
        start = perf_counter()
        assert Client().post(path, NORA | {"email": email}).status_code == 302
        assert perf_counter() - start >= settings.EVEN_TIME


def test_the_language_of_an_account_is_that_of_its_last_login() -> None:
    for language in ("de", "fr"):
        in_language = Client(headers={"Accept-Language": language})
        in_language.post("/sign-up" if language == "de" else "/login", LOGIN | NORA)
        assert Account.objects.get().language == language
        EmailAddress.objects.update(verified=True)


@pytest.mark.django_db(transaction=True)
def test_three_sign_ups_at_once_make_one_account(settings: Any) -> None:
    settings.ACCOUNT_RATE_LIMITS = False
    written = ["kim@bücher.example", "KIM@BÜCHER.EXAMPLE", "Kim@xn--bcher-kva.example"]
    barrier = Barrier(len(written))

    def sign_up_at_once(email: str) -> int:
        barrier.wait()
        try:
            status: int = Client().post("/sign-up", NORA | {"email": email}).status_code
            return status
        finally:
            connection.close()

    with ThreadPoolExecutor(len(written)) as pool:
        assert list(pool.map(sign_up_at_once, written)) == [302] * 3
    assert Account.objects.get().email == "kim@xn--bcher-kva.example"
