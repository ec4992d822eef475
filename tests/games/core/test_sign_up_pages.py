"""The pages with which a person signs up and sets a password, and which their messages link to."""

import re
from typing import Any

import pytest
from django.conf import settings
from django.core import mail
from django.test import Client

from games import tasks
from games.models import Account

PASSWORD = "moons of saturn"
NOBODY = {"name": "Nora", "email": "nora@example.org"}

pytestmark = pytest.mark.django_db


def post(client: Client, path: str, **fields: str) -> Any:
    """Send a form."""
    return client.post(path, fields)


def sent_link() -> tuple[str, str]:
    """Send what is due; return the path and the secret of the link in the only message."""
    tasks.send_due_links.run()
    (message,) = mail.outbox
    mail.outbox.clear()
    (link,) = re.findall(rf"{re.escape(settings.PUBLIC_URL)}(\S+)", str(message.body))
    path, _, secret = link.partition("#")
    return path, secret


def sign_up(client: Client) -> None:
    """Create the account of NOBODY by its two pages."""
    post(client, "/sign-up", action="sign-up", **NOBODY)
    path, secret = sent_link()
    post(client, path, action="sign-up", token=secret, password=PASSWORD)


def text_of(response: Any) -> str:
    return str(response.content.decode())


def test_a_person_signs_up_and_logs_in(client: Client) -> None:
    sent = post(client, "/sign-up", action="sign-up", **NOBODY)
    assert (sent.status_code, sent["Location"]) == (303, "/sign-up?done=sign-up")
    assert "A message with a link is on its way" in text_of(client.get(sent["Location"]))

    path, secret = sent_link()
    assert path == "/sign-up/confirm"
    assert text_of(client.get(path)).count('type="password"') == 1
    link = f"{settings.PUBLIC_URL}{path}#{secret}"
    made = post(client, path, action="sign-up", token=link, password=PASSWORD)

    assert (made.status_code, made["Location"]) == (303, "/login?done=sign-up&next=/my")
    assert "Your account exists now" in text_of(client.get(made["Location"]))
    login = post(client, "/login", email=NOBODY["email"], password=PASSWORD, next="/my")
    assert (login.status_code, login["Location"]) == (303, "/my")


def test_messages_are_in_the_language_of_the_page(client: Client) -> None:
    in_german = Client(headers={"Accept-Language": "de"})
    post(in_german, "/sign-up", action="sign-up", **NOBODY)
    tasks.send_due_links.run()
    (message,) = mail.outbox
    assert message.subject == "Bestätigen Sie Ihr Konto"
    assert "\n\nÖffnen Sie diese Seite, um fortzufahren:\n\n" in message.body
    assert re.search(r"bis \d+\. \w+ \d{4}, \d\d:\d\d UTC\.", str(message.body))
    mail.outbox.clear()

    sign_up(in_german)
    assert Account.objects.get().language == "de"
    for language in ("fr", "en-gb"):
        reader = Client(headers={"Accept-Language": language})
        post(reader, "/login", email=NOBODY["email"], password=PASSWORD)
        assert Account.objects.get().language == language


def test_a_weak_password_is_rejected_next_to_its_field_and_not_repeated(client: Client) -> None:
    post(client, "/sign-up", action="sign-up", **NOBODY)
    path, secret = sent_link()
    rejected = post(client, path, action="sign-up", token=secret, password="12345")

    page = text_of(rejected)
    assert rejected.status_code == 422
    assert 'class="field wrong"' in page
    assert f'value="{secret}"' in page
    assert "12345" not in page
    assert not Account.objects.exists()


def test_a_new_password_logs_other_devices_out(client: Client) -> None:
    sign_up(client)
    other = Client()
    post(other, "/login", email=NOBODY["email"], password=PASSWORD)
    assert "Nora" in text_of(other.get("/"))

    post(client, "/password", action="password", email=NOBODY["email"])
    path, secret = sent_link()
    assert path == "/password/confirm"
    set_ = post(client, path, action="password", token=secret, password="rings of saturn")

    assert set_["Location"] == "/login?done=password&next=/my"
    assert "Nora" not in text_of(other.get("/"))
    assert post(client, "/login", email=NOBODY["email"], password=PASSWORD).status_code == 422


def test_no_page_states_whether_an_address_has_an_account(client: Client) -> None:
    sign_up(client)
    forms = {"/sign-up": {"action": "sign-up", "name": "Nora"}, "/password": {"action": "password"}}
    for path, fields in forms.items():
        answers = []
        for email in (NOBODY["email"], "else@example.org"):
            sent = post(client, path, email=email, **fields)
            answers.append((sent.status_code, sent["Location"]))
        assert len(set(answers)) == 1


@pytest.mark.parametrize(
    ("path", "action"),
    [
        ("/sign-up/confirm", "sign-up"),
        ("/password/confirm", "password"),
    ],
)
@pytest.mark.parametrize("secret", ["", "wrong", "#", "\0", "x" * 500, "ä:ö:ü"])
def test_a_wrong_link_is_rejected(client: Client, path: str, action: str, secret: str) -> None:
    rejected = post(client, path, action=action, token=secret, password=PASSWORD)

    assert rejected.status_code == 422
    assert 'class="rejected"' in text_of(rejected)


@pytest.mark.parametrize("email", ["", "nora", "\0@example.org", "x" * 300 + "@example.org"])
def test_a_wrong_address_stays_in_the_form(client: Client, email: str) -> None:
    rejected = post(client, "/sign-up", action="sign-up", name="Nora", email=email)

    assert rejected.status_code == 422
    assert 'value="Nora"' in text_of(rejected)


def test_a_closed_sign_up_has_no_form(client: Client, settings: Any) -> None:
    settings.SIGN_UP = "closed"

    assert 'action="/sign-up"' not in text_of(client.get("/sign-up"))
    assert post(client, "/sign-up", action="sign-up", **NOBODY).status_code == 403
