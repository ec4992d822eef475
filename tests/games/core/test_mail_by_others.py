"""Messages that one person has sent to another: what they say, how many there are, who refuses."""

import re
from concurrent.futures import ThreadPoolExecutor
from datetime import timedelta
from typing import Any

import pytest
from django.conf import settings as project
from django.core import mail
from django.db import connections
from django.test import Client
from django.utils import timezone

from games import tasks
from games.core.accounts.mail import harmless
from games.core.accounts.refusals import digests_of, has_refused
from games.core.errors import ApiError
from games.core.roles.services import offer_role, resend_invitation
from games.models import Account, EmailLink, MailRefusal
from tests.people import Person, make_person, make_player, player_of
from tests.tournament.conftest import login

pytestmark = pytest.mark.django_db
STREAM = "tournament/spring"


def offer(person: Person, email: str = "nemo@example.org", **fields: Any) -> EmailLink:
    assert person.account is not None
    values = {"role": "scorer", "name": "Spring Open", "stream": STREAM} | fields
    return offer_role(values.pop("stream"), email, **values, by=person.account)


def sent() -> Any:
    """Send what is due; return the only message."""
    tasks.send_due_links.run()
    (message,) = mail.outbox
    mail.outbox.clear()
    return message


def propose(person: Person, opponent: Person) -> int:
    body = {
        "opponent_id": player_of(opponent).pk, "seat": "first", "ruleset": "hex",
        "board_size": "11", "rated": False,
    }  # fmt: skip
    answer = person.post("games", body)
    assert answer.status_code == 201, answer.json()
    return int(answer.json()["id"])


@pytest.mark.parametrize(
    ("name", "shown"),
    [
        ("Spring Open 2026", "Spring Open 2026"),
        ("Coupe d’été, 3.–5. Mai (10:30)", "Coupe d’été, 3.–5. Mai (10:30)"),
        ("https://evil.example/x?a=1", "https: //evil. example/x?a=1"),
        ("mailto:eve@evil.example", "mailto: eve@evil. example"),
        ("evil\uff0eexample evil\u3002example", "evil\uff0e example evil\u3002 example"),
        ("evil.\u200bexample", "evil. example"),
        ("Open\r\n\r\nYou won! Click", "Open You won! Click"),
        ("a\u2028b\u202ec\0d\x1be", "a bcde"),
        ("Cafe\u0301", "Caf\u00e9"),
    ],
)
def test_a_name_in_a_message_is_on_one_line_and_no_link(name: str, shown: str) -> None:
    assert harmless(name) == shown


def test_an_invitation_says_the_event_and_who_sent_it(organiser: Person) -> None:
    Account.objects.update(name="Win at www.evil.example")
    organiser.account.refresh_from_db()
    offer(organiser, name="Free\nmoney at https://evil.example")
    message = sent()

    (first, _, rest) = message.body.partition("\n")
    assert first == (
        "Win at www. evil. example (olga@example.org) offers you a role in the event "
        "Free money at https: //evil. example: scorer."
    )
    links = re.findall(r"\S+://\S+", rest)
    assert [link.startswith(f"{project.PUBLIC_URL}/") for link in links] == [True, True]
    assert "evil" not in rest


def test_a_sender_has_a_quota_of_invitations(organiser: Person, settings: Any) -> None:
    settings.QUOTAS = settings.QUOTAS | {"invitations_by_sender": 3}
    links = [offer(organiser, f"{number}@example.org") for number in range(2)]
    EmailLink.objects.filter(pk=links[1].pk).update(sends=0)  # without a message, it counts too
    resend_invitation(links[0], by=organiser.account)

    for stream in (STREAM, "tournament/autumn"):
        with pytest.raises(ApiError) as refusal:
            offer(organiser, "3@example.org", stream=stream)
        assert refusal.value.extra["quota"] == "invitations_by_sender"
    with pytest.raises(ApiError):
        resend_invitation(links[1], by=organiser.account)
    offer(make_person("Otto"), "3@example.org")
    staff = make_person("Site", is_staff=True)
    for number in range(5):
        offer(staff, f"staff{number}@example.org")


def test_a_recipient_has_a_quota_of_invitations(
    organiser: Person, stranger: Person, settings: Any
) -> None:
    settings.QUOTAS = settings.QUOTAS | {"invitations_to_recipient": 2}
    offer(organiser, "Stig@example.org", stream="tournament/1")
    offer(make_person("Otto"), "stig@example.org", stream="tournament/2")

    oda = make_person("Oda")
    link = offer(oda, "STIG@EXAMPLE.ORG", stream="tournament/3")
    tasks.send_due_links.run()
    assert [message.to for message in mail.outbox] == [["stig@example.org"]] * 2
    link.refresh_from_db()
    assert (link.sends, link.sent_at) == (0, None)
    shown = stranger.get("me/invitations").json()["results"]
    assert link.pk in [row["id"] for row in shown]
    with pytest.raises(ApiError) as refusal:
        resend_invitation(link, by=oda.account)
    assert refusal.value.extra["quota"] == "invitations_to_recipient"
    assert stranger.post(f"me/invitations/{link.pk}/accept").status_code == 201
    EmailLink.objects.update(expires_at=timezone.now() + timedelta(days=12, hours=23))
    assert offer(organiser, "stig@example.org", stream="tournament/4").sends == 1


@pytest.mark.django_db(transaction=True)
def test_parallel_invitations_keep_to_the_quota(settings: Any) -> None:
    settings.QUOTAS = settings.QUOTAS | {"invitations_by_sender": 4}
    person = make_person("Olga")

    def try_one(number: int) -> int:
        try:
            offer(person, f"{number}@example.org", stream=f"tournament/{number}")
        except ApiError:
            return 0
        finally:
            connections.close_all()
        return 1

    with ThreadPoolExecutor(8) as pool:
        assert sum(pool.map(try_one, range(16))) == 4


def test_messages_about_games_have_quotas_and_the_game_is_proposed_in_any_case(
    ada: Person, ben: Person, organiser: Person, settings: Any
) -> None:
    settings.QUOTAS = settings.QUOTAS | {"game_mails_to_recipient": 1, "game_mails_by_sender": 2}
    cleo, dan = (make_player(name) for name in ("Cleo", "Dan"))
    propose(ada, ben)
    propose(cleo, ben)
    propose(ada, cleo)
    propose(ada, dan)

    assert [(link.email, link.by) for link in EmailLink.objects.order_by("pk")] == [
        ("ben@example.org", ada.account),
        ("cleo@example.org", ada.account),
    ]


def test_a_recipient_refuses_all_messages_by_others(
    organiser: Person, ada: Person, ben: Person, client: Client
) -> None:
    offer(organiser, "ben@example.org")
    message = sent()
    page = re.findall(rf"{re.escape(project.PUBLIC_URL)}(/mail/\S+)", message.body)[0]
    assert message.extra_headers == {
        "List-Unsubscribe": f"<{project.PUBLIC_URL}{page}>",
        "List-Unsubscribe-Post": "List-Unsubscribe=One-Click",
    }
    assert "ben" not in page

    assert "ben@example.org" not in client.get(page).content.decode()
    client.post(page, {"action": "refuse"})
    propose(ada, ben)
    offer(organiser, "ben@example.org", stream="tournament/autumn")
    tasks.send_due_links.run()
    assert mail.outbox == []
    assert [bool(link.sent_at) for link in EmailLink.objects.all()] == [True] * 3
    assert len(ben.get("me/invitations").json()["results"]) == 2
    assert "ben" not in MailRefusal.objects.get().digest

    client.post(page, {"action": "want"})
    offer(organiser, "ben@example.org", stream="tournament/winter")
    assert sent().to == ["ben@example.org"]


def test_a_mail_program_refuses_with_one_click(organiser: Person) -> None:
    offer(organiser)
    page = sent().extra_headers["List-Unsubscribe"].strip("<>").removeprefix(project.PUBLIC_URL)
    program = Client(enforce_csrf_checks=True)

    answer = program.post(page, {"List-Unsubscribe": "One-Click"})

    assert answer.status_code == 200
    assert has_refused(digests_of("NEMO@example.org"))
    assert program.post(page, {"List-Unsubscribe": "One-Click"}).status_code == 200


def test_an_account_chooses_on_its_own_page(stranger: Person, client: Client) -> None:
    assert client.post("/my/mail", {"action": "refuse"}).status_code == 401
    browser = login(stranger)
    browser.post("/my/mail", {"action": "refuse"})
    assert has_refused(digests_of("stig@example.org"))
    browser.post("/my/mail", {"action": "want"})
    assert not MailRefusal.objects.exists()


def test_a_refusal_outlives_the_key_of_the_service(settings: Any) -> None:
    MailRefusal.objects.create(digest=digests_of("a@example.org")[0])
    settings.SECRET_KEY_FALLBACKS = [settings.SECRET_KEY]
    settings.SECRET_KEY = "another key of the service, long enough for it"

    assert has_refused(digests_of("a@example.org"))


def test_messages_about_an_account_are_sent_in_any_case(stranger: Person) -> None:
    MailRefusal.objects.create(digest=digests_of("stig@example.org")[0])
    Client().post("/password", {"email": "stig@example.org"})

    assert "List-Unsubscribe" not in sent().extra_headers
