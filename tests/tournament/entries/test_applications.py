"""Applications: by an account or by the link of the event, by the API and on the page."""

import re
from datetime import timedelta
from typing import Any
from zoneinfo import ZoneInfo

import pytest
from django.core import mail
from django.test import Client
from django.utils import timezone
from django.utils.formats import date_format

from games.models import Account, EmailLink, JournalLine, JournalPayload, Player
from games.tasks import send_due_links
from tests.events import Event, make_event, make_players
from tests.people import URL, Person, make_person, player_of, problem_in
from tests.tournament.conftest import login
from tests.tournament.events.test_verify_state import verify
from tournament.entries.applications import find_by_key, waiting_applicants
from tournament.entries.services import enter_waiting
from tournament.models import Entry, Notice, Tournament
from tournament.players.services import erase_player
from tournament.subscriptions.mails import send_due_mails

pytestmark = pytest.mark.django_db
CLEO = {"name": "Cleo", "country": "egy", "birth_year": 1990, "category": "students"}
APPLY = "/e/spring/apply"


@pytest.fixture
def event(organiser: Person, ada: Person) -> Event:
    return make_event(organiser).step("open")


@pytest.fixture
def path(event: Event) -> str:
    return f"{event.path}/entries/apply"


@pytest.fixture
def key(organiser: Person, event: Event) -> str:
    return organiser.post(f"{event.path}/application-link").json()["key"]


def withdraw(browser: Client, entry: int) -> None:
    """Withdraw on the player's own page."""
    tag = browser.get("/e/spring/me").context["tag"]
    form = {"action": "withdraw", "entry_id": str(entry), "if_match": tag}
    assert browser.post("/e/spring/me", form).status_code == 303


def answer(entry: Entry, state: str = "applied") -> dict[str, Any]:
    """Return what an application answers."""
    return {"id": entry.pk, "state": state, "url": f"{URL}tournaments/spring/entries/{entry.pk}"}


def test_an_account_applies_for_its_player(ada: Person, event: Event, path: str) -> None:
    body = ada.post(path).json()

    entry = event.tournament.entries.get()
    assert body == answer(entry)
    assert (entry.player, entry.seed_rating) == (player_of(ada), 2100)
    assert entry.consented_at is not None
    problem = problem_in(ada.post(path), 409, "entered_already")
    allowed = {action["operation"]: action for action in problem["allowed_actions"]}
    assert allowed["apply_to_tournament"]["code"] == "entered_already"
    line = JournalLine.objects.get(kind="entry.applied")
    assert line.actor == f"account/{ada.account.pk}"
    assert verify() == []


def test_an_account_without_a_player_sends_a_name(
    stranger: Person, event: Event, path: str
) -> None:
    problem_in(stranger.post(path), 422, "name_needed")
    problem_in(stranger.post(path, CLEO | {"seed_rating": 4001}), 422)
    assert stranger.post(path, CLEO).status_code == 201
    assert event.tournament.entries.get().consented_at is None


def test_the_page_makes_the_applicant_the_player_of_the_account(
    stranger: Person, event: Event, path: str
) -> None:
    client = login(stranger)
    page = client.get(APPLY).content.decode()
    assert 'name="own" value="true"' in page
    form = {"action": "apply", "name": "Stig", "notes": "I come late.\r\nSorry!", "own": "true"}
    assert client.post(APPLY, form).status_code == 303
    entry = event.tournament.entries.get()
    assert (entry.player.account, entry.agreement) == (stranger.account, "agreed")
    assert entry.notes == "I come late. Sorry!"
    assert "has applied for a place" in mail_to(stranger.account.email)
    assert "applied; the organiser decides" in client.get("/e/spring/me").content.decode()
    problem_in(stranger.post(path, {"name": "Another", "own": True}), 409, "entered_already")
    assert verify() == []


def test_the_page_says_from_which_day_on_players_apply(stranger: Person, event: Event) -> None:
    Tournament.objects.update(registration_from="2040-12-20")
    page = login(stranger).get(f"{APPLY}?", headers={"accept-language": "de"}).content.decode()
    assert "Anmelden kann man sich ab dem 20. Dezember 2040." in page


def test_a_registered_player_is_claimed_by_who_applies_for_itself(
    organiser: Person, stranger: Person, event: Event, path: str
) -> None:
    assert organiser.post("players", {"name": "Cleo", "country": "EGY"}).status_code == 201
    body = {"name": "Cleo", "country": "EGY", "own": True}
    assert stranger.post(path, body).status_code == 201
    claim = stranger.account.claims.get()
    assert (claim.player.name, claim.player.account, claim.state) == ("Cleo", None, "open")


OTHERS: dict[str, tuple[list[str], str, str]] = {
    # what the organiser and the player do with it, the state of the own one and its category
    "not decided": ([], "applied", ""),
    "accepted": (["organiser/approve"], "accepted", "seniors"),
    "on the waiting list": (["organiser/wait"], "waiting", "seniors"),
    "refused": (["organiser/refuse"], "applied", ""),
    "declined": (["ada/decline"], "applied", ""),
}


@pytest.mark.parametrize("by_link", [True, False])
@pytest.mark.parametrize(("steps", "state", "category"), OTHERS.values(), ids=OTHERS)
def test_the_own_application_replaces_one_in_the_name_of_the_player(
    organiser: Person, ada: Person, stranger: Person, anonymous: Person, event: Event, path: str,
    key: str, by_link: bool, steps: list[str], state: str, category: str,
) -> None:  # fmt: skip
    """Somebody else applies with the details of Ada, by an account or by the link."""
    values = {"name": "Ada", "country": "por", "category": "seniors"}
    sender, more = (anonymous, {"key": key}) if by_link else (stranger, {})
    assert sender.post(path, values | more).status_code == 201
    entry = event.tournament.entries.get(player=player_of(ada))
    for step in steps:
        person, _, action = step.partition("/")
        actor = {"organiser": organiser, "ada": ada}[person]
        assert actor.post(f"{event.path}/entries/{entry.pk}/{action}").status_code == 200

    body = ada.post(path, {"birth_year": 1990}).json()

    assert body == answer(entry, state)
    entry.refresh_from_db()
    assert (entry.birth_year, entry.category, entry.agreement) == (1990, category, "agreed")
    assert entry.consented_at is not None
    found = waiting_applicants(event.tournament)
    assert [one.account for one in found] == ([ada.account] if state == "applied" else [])
    problem_in(ada.post(path), 409, "entered_already")
    if state == "applied":
        assert organiser.post(f"{event.path}/entries/{entry.pk}/approve").status_code == 200
    assert verify() == []


def test_who_claims_a_player_applies_whatever_was_refused_before(
    organiser: Person, stranger: Person, ada: Person, event: Event, path: str
) -> None:
    """The stranger has registered Zoe, and so agreed to the application themselves."""
    Player.objects.filter(account=ada.account).update(account=None)
    zoe = Player.objects.get(pk=stranger.post("players", {"name": "Zoe"}).json()["id"])
    assert stranger.post(path, {"name": "Zoe"}).status_code == 201
    entry = event.tournament.entries.get()
    assert (entry.player, entry.agreement) == (zoe, "agreed")
    organiser.post(f"{event.path}/entries/{entry.pk}/refuse")
    Player.objects.filter(pk=zoe.pk).update(account=ada.account)

    assert ada.post(path).json() == answer(entry)
    organiser.post(f"{event.path}/entries/{entry.pk}/refuse")
    problem_in(ada.post(path), 409, "entered_already")


def test_an_application_that_the_organiser_refused_is_not_sent_again(
    organiser: Person, ada: Person, event: Event, path: str
) -> None:
    ada.post(path)
    entry = event.tournament.entries.get()
    assert organiser.post(f"{event.path}/entries/{entry.pk}/refuse").status_code == 200
    problem_in(ada.post(path), 409, "entered_already")
    problem_in(ada.post(f"{event.path}/entries/{entry.pk}/withdraw"), 409, "nothing_to_do")


def test_who_has_declined_is_not_entered_again_after_the_application_ended(
    organiser: Person, ada: Person, stranger: Person, event: Event, path: str
) -> None:
    number = stranger.post(path, {"name": "Ada", "country": "por"}).json()["id"]
    event.enter(*make_players(2))
    event.step("start")
    address = f"{event.path}/entries/{number}"
    assert ada.post(f"{address}/decline").json()["state"] == "applied"
    assert organiser.post(f"{address}/withdraw").json()["state"] == "retracted"
    body = {"player_id": player_of(ada).pk}
    problem_in(organiser.post(f"{event.path}/entries", body), 409, "entered_already")


def test_who_withdraws_before_a_decision_was_never_public_and_applies_again(
    organiser: Person, ada: Person, anonymous: Person, event: Event, path: str
) -> None:
    number = ada.post(path).json()["id"]
    browser, address = login(ada), f"{event.path}/entries/{number}"
    player = player_of(ada)

    def shown() -> list[bool]:
        """Return whether the page, the calendar and the events of the player show it to all."""
        calendar = anonymous.get(f"players/{player.pk}/calendar.ics").content.decode()
        listed = anonymous.get(f"tournaments?player={player.pk}").json()["results"]
        page = Client().get(f"/players/{player.pk}")
        return [bool(page.context["events"]), "Spring" in calendar, bool(listed)]

    assert shown() == [False] * 3
    ada.post(f"{address}/withdraw", {"reason": "no time"})
    assert shown() == [False] * 3
    assert not browser.get("/my").context["played"]

    problem_in(anonymous.get(address), 404)
    assert anonymous.get(f"{event.path}/entries").json()["results"] == []
    assert "Ada" not in anonymous.get(f"{event.path}/entries.csv").content.decode()
    assert "Ada" not in Client().get("/e/spring/players").content.decode()
    assert "application withdrawn" in browser.get("/e/spring/me").content.decode()
    context = login(organiser).get("/e/spring/run/entries").context
    rows = [(row["entry"].state, row["reason"]) for row in context["ended"]]
    assert rows == [("retracted", "no time")]
    for action in ("approve", "wait", "refuse"):
        problem_in(organiser.post(f"{address}/{action}"), 409, "application_withdrawn")
    assert (context["listed"], context["waiting"]) == ([], [])
    problem_in(ada.post(f"{address}/withdraw"), 409, "nothing_to_do")
    assert JournalLine.objects.filter(kind="entry.retracted").count() == 1

    assert f'href="{APPLY}"' in browser.get("/e/spring/me").content.decode()
    assert browser.post(APPLY, {"action": "apply"}).status_code == 303
    assert (event.tournament.entries.get().pk, event.tournament.entries.get().state) == (
        number, "applied"
    )  # fmt: skip
    assert browser.get("/my").context["played"]
    assert organiser.post(f"{address}/approve").status_code == 200
    assert shown() == [True] * 3
    assert ada.post(f"{address}/withdraw").json()["state"] == "withdrawn"
    assert not browser.get("/my").context["played"]
    assert verify() == []


def test_a_person_without_a_login_uses_the_link(
    anonymous: Person, event: Event, path: str, key: str
) -> None:
    body = anonymous.post(path, {"key": key, **CLEO}).json()

    entry = event.tournament.entries.get()
    assert body == answer(entry)
    assert (entry.player.name, entry.player.country) == ("Cleo", "EGY")
    assert (entry.birth_year, entry.category, entry.agreement) == (1990, "students", "agreed")
    assert JournalLine.objects.order_by("-pk")[0].actor == "system"
    assert verify() == []


def test_details_find_a_registered_player_and_name_nobody_if_there_are_two(
    anonymous: Person, event: Event, path: str, key: str
) -> None:
    cleo = Player.objects.create(name="Cleo", country="EGY", birth_year=1990)
    anonymous.post(path, {"key": key, **CLEO})
    assert event.tournament.entries.get().player == cleo
    Player.objects.bulk_create(Player(name="Dan", birth_year=1990) for _ in range(2))

    answer = anonymous.post(path, {"key": key, **CLEO, "name": "Dan"})
    problem = problem_in(answer, 409, "ambiguous_player")

    assert "candidates" not in str(problem)
    assert event.tournament.entries.count() == 1


def test_the_director_sees_who_may_not_be_the_registered_player(
    organiser: Person, ada: Person, stranger: Person, anonymous: Person, event: Event, path: str,
    key: str,
) -> None:  # fmt: skip
    """Bob was registered elsewhere, Dan here by the organiser; Eve and Fay are new."""
    Player.objects.create(name="Bob")
    here = {"registered_by": organiser.account, "registered_in": event.tournament.stream}
    Player.objects.create(name="Dan", **here)
    ada.post(path)
    for person, name, more in (
        (stranger, "Bob", {}),
        (stranger, "Eve", {}),
        (anonymous, "Dan", {"key": key}),
        (anonymous, "Fay", {"key": key}),
    ):
        assert person.post(path, {"name": name, **more}).status_code == 201
    browser, page = login(organiser), "/e/spring/run/entries"

    def marked() -> list[str]:
        rows = browser.get(page).context["waiting"]
        return sorted(row["player"].name for row in rows if row["is_unconfirmed"])

    assert marked() == ["Bob", "Dan"]
    assert browser.get(page).content.decode().count("may be somebody else") == 2
    bob = event.tournament.entries.get(player__name="Bob")
    assert "may be somebody else" in browser.get(f"{page}/{bob.pk}").content.decode()
    organiser.post(f"{event.path}/entries/{bob.pk}/wait")
    assert marked() == ["Bob", "Dan"]

    other = make_event(organiser, slug="other").tournament
    Entry.objects.filter(pk=bob.pk).update(email="bob@example.org")
    Entry.objects.create(tournament=other, ordinal=1, player=bob.player, email="bob@example.org")
    assert marked() == ["Dan"]


@pytest.mark.parametrize("state", ["draft", "running", "review", "final", "cancelled"])
def test_the_registration_is_open(organiser: Person, event: Event, path: str, state: str) -> None:
    event.tournament.state = state
    event.tournament.save()
    problem = problem_in(organiser.post(path, CLEO), 409, "wrong_state")
    assert "apply_to_tournament" in [row["operation"] for row in problem["allowed_actions"]]


class TestLink:
    def test_it_is_replaced_and_revoked(
        self, organiser: Person, anonymous: Person, event: Event, path: str, key: str
    ) -> None:
        link = f"{event.path}/application-link"
        shown = organiser.get(link).json()
        assert (shown["key"], shown["page_url"].endswith(f"/e/spring/apply#{key}")) == (key, True)

        new = organiser.post(link).json()["key"]
        assert shown["url"].endswith(link)
        for wrong, status in ((key, 422), ("", 401), ("x", 422)):
            assert anonymous.post(path, {"key": wrong, **CLEO}).status_code == status
        assert anonymous.post(path, {"key": new, **CLEO}).status_code == 201
        assert organiser.delete(link).status_code == 204
        problem_in(anonymous.post(path, {"key": new, "name": "Dan"}), 422, "invalid_link")
        problem_in(organiser.delete(link), 409, "nothing_to_do")
        shown = organiser.get(link).json()
        assert (shown["key"], shown["page_url"].endswith("/e/spring/apply")) == (None, True)
        assert find_by_key("spring", "") is None
        kinds = JournalLine.objects.filter(kind__startswith="applications.").order_by("sequence")
        assert [line.kind.partition(".")[2] for line in kinds] == ["opened", "opened", "closed"]
        assert verify() == []

    def test_it_opens_a_private_event(
        self, organiser: Person, anonymous: Person, ada: Person, event: Event, path: str, key: str
    ) -> None:
        organiser.patch(event.path, {"public": False})
        other = make_event(organiser, slug="other", public=False).step("open")
        problem_in(anonymous.post(path, {"key": "x", **CLEO}), 404)
        problem_in(anonymous.post(f"{other.path}/entries/apply", {"key": key, **CLEO}), 404)
        assert anonymous.post(path, {"key": key, **CLEO}).status_code == 201
        problem_in(ada.post(path, {"key": "x"}), 404)
        assert ada.post(path, {"key": key}).status_code == 201
        assert event.tournament.entries.last().player == player_of(ada)


class TestPage:
    """A private event, of which the page says nothing before the link is known."""

    @pytest.fixture(autouse=True)
    def private(self, event: Event, key: str) -> None:
        Tournament.objects.update(public=False)

    def test_a_person_applies_and_the_link_serves_another_person_too(
        self, client: Client, organiser: Person, event: Event, key: str
    ) -> None:
        pages = [client.get(path).content.decode() for path in (APPLY, "/e/nowhere/apply")]
        assert "Spring" not in pages[0]
        field = re.search(r'<input[^>]* name="key"[^>]* maxlength="(\d+)"', pages[0])
        assert field is not None
        assert int(field[1]) > 2 * len(f"https://example.org{APPLY}#{key}")
        form = {"action": "apply", "key": f"https://example.org{APPLY}#{key}", **CLEO}

        sent = client.post(APPLY, form)

        assert (sent.status_code, sent["Location"]) == (303, f"{APPLY}?done=apply")
        page = client.get(sent["Location"]).content.decode()
        assert "You have applied" in page
        assert "the link of the organiser: ask there what becomes" in page
        entry = event.tournament.entries.get()
        assert (entry.player.name, entry.birth_year) == ("Cleo", 1990)
        context = client.get(APPLY).context
        names = [field.name for field in context["fields"]]
        assert (context["link_key"], names[0]) == (key, "name")
        assert client.post(APPLY, {"action": "apply", "key": key, "name": "D"}).status_code == 303

        organiser.post(f"{event.path}/application-link")
        context = client.get(APPLY).context
        assert (context["link_key"], next(iter(context["fields"])).name) == ("", "key")

    def test_what_is_wrong_stands_at_its_field_and_the_right_link_is_kept(
        self, client: Client, key: str
    ) -> None:
        form = {"action": "apply", "country": "Egypt", "birth_year": "1700"}
        assert client.post(APPLY, form | {"key": "wrong"}).status_code == 422
        assert client.get(APPLY).context["link_key"] == ""

        rejected = client.post(APPLY, form | {"key": key})

        assert rejected.status_code == 422
        listed = {error["name"] for error in rejected.context["listed_errors"]}
        assert listed >= {"country", "birth_year"}
        assert rejected.context["link_key"] == client.get(APPLY).context["link_key"] == key
        assert not Player.objects.filter(country="EGY").exists()

    @pytest.mark.parametrize("is_public", [True, False])
    def test_an_application_without_link_and_login_loses_nothing(
        self, client: Client, event: Event, is_public: bool
    ) -> None:
        Tournament.objects.update(public=is_public)
        form = {"action": "apply", "key": "", "name": "Cleo", "club": "Rooks"}

        rejected = client.post(APPLY, form)

        assert rejected.status_code == 401
        assert [*rejected.context["form"].errors] == ["key"]
        assert 'value="Cleo"' in rejected.content.decode()
        Tournament.objects.update(public=True)
        client.force_login(event.owner.account)
        restored = [client.get(APPLY).content.decode() for _ in range(2)]
        assert ['value="Rooks"' in page for page in restored] == [True, False]

    def test_an_account_applies_for_its_player_while_there_is_an_event_to_apply_to(
        self, ada: Person, event: Event
    ) -> None:
        browser = login(ada)
        refused = browser.post(APPLY, {"action": "apply"})
        assert refused.status_code == 404
        Tournament.objects.update(public=True, places=1)

        def shown() -> dict[str, Any]:
            context = browser.get(APPLY).context
            return {name: context[name] for name in ("own_player", "is_open", "is_full")}

        own = {"own_player": player_of(ada), "is_open": True}
        assert shown() == own | {"is_full": False}
        names = [field.name for field in browser.get(APPLY).context["fields"]]
        assert names == ["birth_year", "sex", "category", "notes"]
        event.enter(*Player.objects.bulk_create([Player(name="Eva")]))
        assert shown() == own | {"is_full": True}
        assert browser.post(APPLY, {"action": "apply"}).status_code == 303
        assert event.tournament.entries.last().player == player_of(ada)
        assert browser.post(APPLY, {"action": "apply"}).status_code == 409
        event.step("cancel")
        assert shown() == {"own_player": player_of(ada), "is_open": False, "is_full": False}


class TestByMail:
    """An event that takes applications from everybody; Ada has an account, Cleo has none."""

    FORM: dict[str, str] = {
        "action": "apply", "email": "cleo@example.org", "name": "Cleo", "country": "EGY",
        "notes": "I come by train",
    }  # fmt: skip

    @pytest.fixture(autouse=True)
    def for_everybody(self, event: Event) -> None:
        event.owner.patch(event.path, {"applications": "everybody"})

    def confirm_again(self, event: Event) -> Entry:
        """Apply as Cleo once more, and return the entry that waits now."""
        client = Client()
        client.post(APPLY, self.FORM)
        page = link_in(mail_to("cleo@example.org"))
        assert client.post(page, {"action": "confirm"}).status_code == 303
        return event.tournament.entries.get(email=self.FORM["email"], state="applied")

    def confirm(self, client: Client, event: Event) -> Entry:
        """Apply as Cleo, and open the link in the mail."""
        sent = client.post(APPLY, self.FORM)
        assert sent.status_code == 303
        assert "on its way" in client.get(sent["Location"]).content.decode()
        again = client.get(f"{APPLY}?again=1").content.decode()
        assert all(text in again for text in self.FORM.values())
        assert "I come by train" not in client.get(APPLY).content.decode()
        page = link_in(mail_to("cleo@example.org"))
        assert "Cleo applies for a place in Spring Open" in client.get(page).content.decode()
        opened = client.post(page, {"action": "confirm"})
        assert (opened.status_code, opened["Location"]) == (303, "/e/spring/me")
        return event.tournament.entries.get(player__name="Cleo")

    def test_an_application_counts_once_its_address_is_confirmed(
        self, client: Client, event: Event, anonymous: Person, path: str
    ) -> None:
        body = {"email": "cleo@example.org", "name": "Cleo"}
        assert anonymous.post(path, body).json() == {"id": None, "state": None, "url": None}
        assert not event.tournament.entries.exists()
        assert not Player.objects.filter(name="Cleo").exists()

        entry = self.confirm(client, event)

        assert (entry.player.name, entry.state) == ("Cleo", "applied")
        assert (entry.notes, entry.email) == ("I come by train", "cleo@example.org")
        assert entry.agreement == "agreed"
        assert "applied; the organiser decides" in client.get("/e/spring/me").content.decode()
        link = EmailLink.objects.order_by("pk").last()
        assert [link.content["name"], link.used_at] == ["Cleo", None]  # that of the API
        assert verify() == []

    def test_the_applicant_hears_what_becomes_of_it_by_a_mail_that_opens_their_page(
        self, client: Client, organiser: Person, event: Event
    ) -> None:
        facts = {
            "venue": "Chess Club, Rua Augusta 12", "fee": "20", "currency": "EUR",
            "contact": "olga@example.org", "country": "POR",
        }  # fmt: skip
        assert organiser.patch(event.path, facts).status_code == 200
        enter_waiting(event.tournament, *make_players(1), by=organiser.account)
        entry = self.confirm(client, event)
        assert mail_to("cleo@example.org").startswith(
            "Cleo has applied for a place in Spring Open. The organiser decides.\n"
            "Days: 1 May 2026 – 3 May 2026\n"
            "Venue: Chess Club, Rua Augusta 12, Portugal\n"
            "Entry fee: 20 EUR\n"
            "Contact: olga@example.org\n"
            "Your page of the event:\n"
        )
        assert mail.outbox[0].subject == "Spring Open: the application of Cleo has arrived"
        expected = {
            "wait": (
                "Spring Open: Cleo is on the waiting list, place 2",
                "Cleo is on the waiting list of Spring Open, at place 2.",
            ),
            "refuse": (
                "Spring Open: the application of Cleo is refused",
                "The application of Cleo to Spring Open is refused.",
            ),
            "wait approve": (
                "Spring Open: Cleo is accepted", "Cleo is accepted and plays in Spring Open.",
            ),
        }  # fmt: skip
        for words, (subject, sentence) in expected.items():
            for word in words.split():
                path = f"{event.path}/entries/{entry.pk}/{word}"
                count = Notice.objects.count()
                assert organiser.post(f"{path}?dry_run=1").status_code == 200
                assert Notice.objects.count() == count
                organiser.post(path)
            text = mail_to("cleo@example.org")
            assert sentence in text
            # No mail says what is no longer so.
            assert [message.subject for message in mail.outbox] == [subject]
        page, _, secret = link_in(text).partition("#")
        browser = Client()
        opened = browser.post(page, {"action": "open", "link": secret})
        assert opened.status_code == 303
        assert "Cleo" in browser.get("/e/spring/me").content.decode()

    def test_an_account_hears_at_its_own_address(
        self, ada: Person, organiser: Person, event: Event, path: str
    ) -> None:
        number = ada.post(path).json()["id"]
        assert "Ada has applied for a place" in mail_to(ada.account.email)
        organiser.post(f"{event.path}/entries/{number}/refuse")
        text = mail_to(ada.account.email)
        assert "refused" in text
        assert link_in(text) == "/e/spring/me"

    def test_the_link_of_a_mail_ends_with_the_registration_and_there_are_not_many(
        self, event: Event, anonymous: Person, path: str
    ) -> None:
        day = timezone.now().date() + timedelta(days=3)
        tokyo = ZoneInfo("Asia/Tokyo")
        Tournament.objects.update(registration_until=day, time_zone="Asia/Tokyo")
        body = {"email": "cleo@example.org", "name": "Cleo"}
        sent = [anonymous.post(path, body) for _ in range(6)]
        assert [answer.status_code for answer in sent] == [201] * 5 + [409]
        text = mail_to("cleo@example.org")
        assert f"The link works until {date_format(day)}, 23:59 JST." in text
        ends = EmailLink.objects.values_list("expires_at", flat=True)
        assert {f"{at.astimezone(tokyo):%H:%M}" for at in ends} == {"23:59"}
        page = link_in(text)
        for moved, status in ((timezone.now().date() - timedelta(days=2), 404), (day, 200)):
            event.owner.patch(event.path, {"registration_until": moved.isoformat()})
            assert Client().get(page).status_code == status
        detail = problem_in(sent[-1], 409, "quota_reached")["detail"]
        tomorrow = timezone.now().astimezone(tokyo) + timedelta(days=1)
        assert detail.endswith("JST")
        assert detail.startswith(
            f"the limit is 5 messages to one address in 24 hours; wait until {tomorrow:%Y-%m-%d, }"
        )

    def test_who_has_withdrawn_applies_again_and_the_earlier_link_ends(
        self, client: Client, event: Event
    ) -> None:
        entry = self.confirm(client, event)
        first = link_in(mail_to("cleo@example.org"))
        withdraw(client, entry.pk)
        assert client.post(APPLY, {"action": "apply"}).status_code == 303
        assert "Cleo has applied for a place" in mail_to("cleo@example.org")
        withdraw(client, entry.pk)
        again = self.confirm(Client(), event)
        assert (again.pk, again.state, again.email) == (entry.pk, "applied", "cleo@example.org")
        second = link_in(mail_to("cleo@example.org"))
        opened = [
            Client().post("/e/spring/me", {"action": "open", "link": link.partition("#")[2]})
            for link in (first, second)
        ]
        assert [answer.status_code for answer in opened] == [422, 303]
        assert verify() == []

    @pytest.mark.parametrize(
        ("ending", "by_link"), [("withdraw", False), ("refuse", False), ("withdraw", True)]
    )
    def test_a_stranger_of_the_same_name_is_a_new_player_whatever_ended(
        self, client: Client, organiser: Person, anonymous: Person, event: Event, path: str,
        key: str, ending: str, by_link: bool,
    ) -> None:  # fmt: skip
        """The true person keeps the entry, the address, the link and the session."""
        entry = self.confirm(client, event)
        secret = link_in(mail_to("cleo@example.org")).partition("#")[2]
        organiser.post(f"{event.path}/entries/{entry.pk}/{ending}")

        address = "" if by_link else "evil@example.org"
        if by_link:
            body = {"key": key, "name": "Cleo", "country": "EGY"}
            assert anonymous.post(path, body).status_code == 201
        else:
            Client().post(APPLY, self.FORM | {"email": address})
            page = link_in(mail_to(address))
            assert Client().post(page, {"action": "confirm"}).status_code == 303

        other = event.tournament.entries.exclude(pk=entry.pk).get()
        assert (other.player.name, other.email) == ("Cleo", address)
        assert other.player_id != entry.player_id
        assert "Cleo" in client.get("/e/spring/me").content.decode()
        opened = Client().post("/e/spring/me", {"action": "open", "link": secret})
        assert opened.status_code == 303
        (row,) = login(organiser).get("/e/spring/run/entries").context["waiting"]
        assert [found["entry"].pk for found in row["namesakes"]] == [entry.pk]
        entry.refresh_from_db()
        assert (entry.email, entry.state in ("retracted", "refused")) == (self.FORM["email"], True)
        if ending == "withdraw":
            assert self.confirm_again(event).pk == entry.pk
        assert verify() == []

    def test_nobody_gets_the_page_of_a_player_who_has_a_login(
        self, client: Client, organiser: Person, ada: Person, event: Event
    ) -> None:
        """The form says so at once, and if the player has got a login since, the link of it."""
        organiser.patch(event.path, {"contact": "olga@example.org"})
        player = player_of(ada)
        form = {**self.FORM, "name": player.name, "country": player.country}
        refused = client.post(APPLY, form)
        assert refused.status_code == 409
        (text,) = refused.context["form"].errors["name"]
        assert "log in as this player" in text
        assert "olga@example.org" in text
        assert "I come by train" in refused.content.decode()
        assert not EmailLink.objects.exists()

        Player.objects.update(account=None)
        client.post(APPLY, form)
        Player.objects.filter(pk=player.pk).update(account=ada.account)
        page = link_in(mail_to("cleo@example.org"))
        refused = client.post(page, {"action": "confirm"})
        assert refused.status_code == 409
        assert "is registered" in refused.content.decode()
        assert not event.tournament.entries.exists()

    def test_the_link_works_once_and_for_nobody_who_guesses(
        self, client: Client, event: Event
    ) -> None:
        client.post(APPLY, self.FORM)
        page = link_in(mail_to("cleo@example.org"))
        assert client.post(page, {"action": "confirm"}).status_code == 303
        for path in (page, "/applications/guess"):
            assert client.get(path).status_code == 404
            assert client.post(path, {"action": "confirm"}).status_code == 404
        assert event.tournament.entries.count() == 1

    @pytest.mark.parametrize(
        ("again", "changed", "is_ended"),
        [
            ("", {"email": "cleo@example.org"}, True),
            ("?again=1", {"email": "cleo@example.org", "name": "Cléa"}, True),
            ("", {"email": "cleo@example.org", "name": "Dan"}, False),
            ("?again=1", {}, False),
        ],
    )
    def test_the_link_to_a_wrong_address_ends_once_it_is_corrected(
        self, client: Client, again: str, changed: dict[str, str], is_ended: bool
    ) -> None:
        wrong = self.FORM | {"email": "celo@example.org"}
        client.post(APPLY, wrong)
        page = link_in(mail_to("celo@example.org"))
        if again:
            assert f'action="{APPLY}{again}"' in client.get(f"{APPLY}{again}").content.decode()
        assert client.post(f"{APPLY}{again}", wrong | changed).status_code == 303
        answer = client.post(page, {"action": "confirm"})
        assert answer.status_code == (404 if is_ended else 303)
        assert is_ended == ("address of the application was corrected" in answer.content.decode())

    @pytest.mark.parametrize(
        ("changed", "pointers"),
        [
            ({"email": "cleo@example"}, ["email"]),
            ({"email": ""}, ["email"]),
            ({"notes": "x" * 501, "country": "Egypt"}, ["country", "notes"]),
        ],
    )
    def test_what_is_wrong_is_refused_beside_its_field_and_nothing_is_sent(
        self, client: Client, changed: dict[str, str], pointers: list[str]
    ) -> None:
        rejected = client.post(APPLY, self.FORM | changed)
        assert rejected.status_code == 422
        assert sorted(rejected.context["form"].errors) == pointers
        assert 'value="Cleo"' in rejected.content.decode()
        assert not EmailLink.objects.exists()

    def test_notes_and_address_are_for_officials_and_are_erased(
        self, client: Client, organiser: Person, anonymous: Person, event: Event
    ) -> None:
        entry = self.confirm(client, event)
        organiser.post(f"{event.path}/entries/{entry.pk}/approve")
        address = f"{event.path}/entries/{entry.pk}"
        assert organiser.get(address).json()["notes"] == "I come by train"
        for private in ("train", "cleo@example.org"):
            assert private not in anonymous.get(address).content.decode()
            assert private not in anonymous.get(f"{event.path}/journal").content.decode()
        erase_player(entry.player, by=None)
        rest = Entry.objects.values_list("notes", "email").get()
        assert rest == ("", "")
        bodies = str([*JournalPayload.objects.values_list("body", "rows")])
        assert "train" not in bodies
        assert "cleo@" not in bodies
        assert not EmailLink.objects.exists()


def mail_to(address: str) -> str:
    """Send what is due, and return the text of the last mail to an address."""
    mail.outbox.clear()
    send_due_links.run()
    Notice.objects.update(next_attempt_at=timezone.now())
    send_due_mails()
    found = [message for message in mail.outbox if message.to == [address]]
    return str(found[-1].body)


def link_in(text: str) -> str:
    """Return the path of the first link of a mail to a page."""
    return re.findall(r"http://localhost:8000(/\S+)", text)[0]


@pytest.mark.parametrize(
    ("applications", "reader", "button", "status"),
    [
        ("link", "stranger", False, 409),
        ("link", "nobody", False, 401),
        ("accounts", "stranger", True, 201),
        ("accounts", "nobody", False, 401),
        ("everybody", "stranger", True, 201),
        ("everybody", "nobody", True, 201),
    ],
)
def test_who_may_apply_sees_the_button_and_nobody_else(
    event: Event, path: str, stranger: Person, anonymous: Person, applications: str, reader: str,
    button: bool, status: int,
) -> None:  # fmt: skip
    Tournament.objects.update(applications=applications)
    person = stranger if reader == "stranger" else anonymous
    browser = login(stranger) if reader == "stranger" else Client()
    for page in ("/e/spring", "/e/spring/players", "/"):
        shown = f'href="{APPLY}"' in browser.get(page).content.decode()
        assert shown == button, page
    body = {"name": "Cleo", "email": "cleo@example.org"}
    assert person.post(path, body).status_code == status


class TestMany:
    """Applications in bulk: the bounds, and how a director refuses those of one applicant."""

    @pytest.fixture(autouse=True)
    def bounds(self, settings: Any) -> None:
        settings.QUOTAS = settings.QUOTAS | {
            "applications_by_account": 3, "applications_by_link": 4, "applications_to_event": 6
        }  # fmt: skip

    def send(self, person: Person, path: str, count: int, **more: str) -> list[Any]:
        known = Player.objects.count()
        return [person.post(path, {"name": f"Player {known + n}", **more}) for n in range(count)]

    def test_each_bound_has_a_sentence(
        self, stranger: Person, anonymous: Person, organiser: Person, path: str, key: str
    ) -> None:
        *sent, refused = self.send(stranger, path, 4)
        assert [answer.status_code for answer in sent] == [201] * 3
        problem = problem_in(refused, 409, "quota_reached")
        assert problem["quota"] == "applications_by_account"
        alias = make_person("Alias")
        name, _, host = stranger.account.email.partition("@")
        Account.objects.filter(pk=alias.account.pk).update(email=f"{name}+2@{host}")
        alias.account.refresh_from_db()
        (refused,) = self.send(alias, path, 1)
        assert problem_in(refused, 409, "quota_reached")["quota"] == "applications_by_account"

        JournalLine.objects.filter(kind="entry.applied").update(kind="entry.applied-earlier")
        *sent, refused = self.send(anonymous, path, 5, key=key)
        assert [answer.status_code for answer in sent] == [201] * 4
        assert problem_in(refused, 409, "quota_reached")["quota"] == "applications_by_link"
        new = organiser.post(path.replace("entries/apply", "application-link")).json()["key"]
        *sent, refused = self.send(anonymous, path, 3, key=new)
        assert [answer.status_code for answer in sent] == [201] * 2
        problem = problem_in(refused, 409, "quota_reached")
        assert problem["detail"] == ("the limit is 6 applications to one event in 24 hours; wait")

        day_ago = timezone.now() - timedelta(days=1)
        JournalLine.objects.filter(kind="entry.applied").update(at=day_ago)
        (accepted,) = self.send(anonymous, path, 1, key=new)
        assert accepted.status_code == 201

    def test_a_director_refuses_all_of_one_applicant(
        self, organiser: Person, stranger: Person, ada: Person, anonymous: Person, event: Event,
        path: str, key: str,
    ) -> None:  # fmt: skip
        ada.post(path)
        alias = make_person("Alias")
        name, _, host = stranger.account.email.partition("@")
        Account.objects.filter(pk=alias.account.pk).update(email=f"{name}+2@{host}")
        answers = [*self.send(stranger, path, 1), *self.send(alias, path, 1)]
        by_link = self.send(anonymous, path, 3, key=key)
        # Who has confirmed an address is another applicant.
        confirmed = by_link.pop().json()["id"]
        event.tournament.entries.filter(pk=confirmed).update(email="cleo@example.org")
        director = login(organiser)
        found = director.get("/e/spring/run/entries").context["applicants"]
        assert [(applicant.account, len(applicant.entries)) for applicant in found] == [
            (stranger.account, 2), (None, 2)
        ]  # fmt: skip
        refusal = path.replace("apply", "refuse-applications")
        entries = [answer.json()["id"] for answer in answers]

        problem_in(stranger.post(refusal, {"entry_id": entries[0]}), 403)
        body = organiser.post(refusal, {"entry_id": entries[1]}).json()
        assert [row["id"] for row in body["refused"]] == entries
        problem_in(organiser.post(refusal, {"entry_id": entries[1]}), 422, "unknown_entry")
        form = {"action": "refuse-all", "entry_id": by_link[0].json()["id"]}
        assert director.post("/e/spring/run/entries", form).status_code == 303

        states = dict(event.tournament.entries.values_list("player__name", "state"))
        assert states.pop("Ada") == "applied"
        name = event.tournament.entries.get(pk=confirmed).player.name
        assert states.pop(name) == "applied"
        assert {*states.values()} == {"refused"}
        assert verify() == []
