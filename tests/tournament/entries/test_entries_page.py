"""The directors' pages of entries: the list with its forms, and one entry."""

import re
from typing import Any

import pytest
from django.http import HttpResponse
from django.test import Client

from games.models import Player
from tests.events import Event, make_event, make_players, make_running
from tests.people import Person, player_of
from tests.tournament.conftest import login
from tests.tournament.events.test_verify_state import verify
from tournament.entries.services import change_entry_state, enter_waiting
from tournament.models import Bye, Entry, Tournament

pytestmark = [pytest.mark.django_db, pytest.mark.any_database]
ENTRIES = "/e/spring/run/entries"


@pytest.fixture
def event(organiser: Person) -> Event:
    """Three players in an event with four places."""
    event = make_event(organiser, system="dutch", places=4, half_byes=1)
    event.enter(*make_players(3, by=organiser))
    return event.step("open")


def text_of(response: HttpResponse) -> str:
    return " ".join(re.sub(r"<[^>]*>", " ", response.content.decode()).split())


def shown_after(director: Client, sent: HttpResponse) -> HttpResponse:
    assert sent.status_code == 303, sent.context["form"]
    return director.get(sent["Location"])


class TestList:
    def test_who_is_in_who_waits_and_who_has_applied(
        self, director: Client, organiser: Person, ada: Person, event: Event
    ) -> None:
        for name in ("Zoe", "Ben"):
            player = Player.objects.create(name=name, folded_name=name.lower())
            enter_waiting(event.tournament, player, by=organiser.account)
        Entry.objects.filter(player__name="Ben").update(entered_at="2026-01-01T00:00:00Z")
        ada.post(f"{event.path}/entries/apply")
        gone = event.tournament.entries.get(ordinal=3)
        change_entry_state(gone, Entry.State.WITHDRAWN, by=organiser.account)

        context = director.get(ENTRIES).context

        assert (context["accepted"], context["free"]) == (2, 2)
        names = ["Player 1", "Player 2", "Player 3"]
        assert [row["name"] for row in context["listed"]] == names
        assert [
            (row["name"], row.get("position"), row.get("before")) for row in context["waiting"]
        ] == [("Ada", None, None), ("Ben", 1, ""), ("Zoe", 2, "Ben")]
        Tournament.objects.update(places=1)
        assert director.get(ENTRIES).context["free"] == 0

    def test_a_withdrawal_names_the_player_and_can_be_undone(
        self, director: Client, event: Event
    ) -> None:
        entry = event.tournament.entries.get(ordinal=2)
        for page in (ENTRIES, f"{ENTRIES}/{entry.pk}"):
            form = {"action": "withdraw", "entry_id": entry.pk, "if_match": "*"}
            shown = shown_after(director, director.post(page, form))
            assert "Player 2 is withdrawn." in text_of(shown)
            undo = shown.context["undo"]
            undone = director.post(page, {"action": undo.action, **undo.fields})
            shown = shown_after(director, undone)
            assert "Player 2 is back in the event." in text_of(shown)
            assert shown.context["undo"] is None
            again = director.get(f"{page}?done=withdraw&entry={entry.pk}")
            assert again.context["undo"] is None  # the player is back
        late = form | {"from_round": "3", "reason": "travels"}
        assert director.post(f"{ENTRIES}/{entry.pk}", late).status_code == 303
        entry.refresh_from_db()
        assert entry.last_round == 2
        wrong = director.post(f"{ENTRIES}/{entry.pk}", late | {"from_round": "9"})
        assert wrong.status_code == 422
        assert '<a href="#field-from_round">From round</a>: ' in wrong.content.decode()

    def test_a_player_is_found_or_registered_and_entered_or_waits(
        self, director: Client, event: Event
    ) -> None:
        Player.objects.create(name="Zoë Sun", folded_name="zoe sun")
        found = director.get(f"{ENTRIES}?q=zoe").context["found"]
        assert [(row["player"].name, row["is_entered"]) for row in found] == [("Zoë Sun", False)]
        sent = director.post(ENTRIES, {"action": "register", "name": "Nils", "country": "SWE"})
        found = shown_after(director, sent).context["found"]
        assert [row["player"].name for row in found] == ["Nils"]
        assert not event.tournament.entries.filter(player__name="Nils").exists()
        form = {"action": "register-enter", "name": "Eva", "seed_rating": "1500"}
        sent = director.post(ENTRIES, form)
        assert "The player is registered and entered." in text_of(shown_after(director, sent))
        entry = event.tournament.entries.get(player__name="Eva")
        assert (entry.state, entry.seed_rating, entry.agreement) == ("accepted", 1500, "agreed")

        full = {"name": "Zoe Wait", "seed_rating": "1400"}
        refused = director.post(ENTRIES, {"action": "register-enter", **full})
        assert refused.status_code == 409
        assert 'value="register-wait"' in refused.content.decode()
        assert not Player.objects.filter(name="Zoe Wait").exists()
        sent = director.post(ENTRIES, {"action": "register-wait", **full})
        assert "The player is on the waiting list." in text_of(shown_after(director, sent))
        assert event.tournament.entries.get(player__name="Zoe Wait").state == "waiting"
        assert verify() == []

    def test_a_known_name_is_asked_about_before_it_is_registered_again(
        self, director: Client, ada: Person, event: Event
    ) -> None:
        Tournament.objects.update(places=None)
        known = Player.objects.create(name="Łucja Żak", folded_name="lucja zak", club="Rooks")
        form = {"action": "register-enter", "name": "lucja zak", "country": "POL"}
        asked = director.post(ENTRIES, form)
        assert asked.context["namesakes"] == [{"player": known, "is_entered": False}]
        assert asked.context["fields"]["country"].value == "POL"
        assert login(ada).post(ENTRIES, form).status_code == 403
        sent = director.post(ENTRIES, {"action": "enter", "player_id": str(known.pk)})
        assert sent.status_code == 303
        assert director.post(ENTRIES, form).context["namesakes"][0]["is_entered"]
        assert director.post(f"{ENTRIES}?another=1", form).status_code == 303
        assert Player.objects.filter(name="lucja zak").exists()

    def test_names_that_look_alike_are_named(self, director: Client, event: Event) -> None:
        Tournament.objects.update(places=None)
        names = ("Eva", "Еva", "Zoe", "Zoe")  # the first letter of the second one is Cyrillic
        event.enter(*(Player.objects.create(name=name) for name in names))
        (group,) = director.get(ENTRIES).context["look_alikes"]
        assert {player.name for player in group} == {"Eva", "Еva"}


class TestOfARunningEvent:
    @pytest.fixture
    def event(self, organiser: Person) -> Event:
        event = make_running(organiser, 4)
        event.play(1)
        return event

    def test_the_number_of_a_late_entry_is_told_before(
        self, director: Client, event: Event
    ) -> None:
        for name, rating in (("Zoe Late", 1900), ("Zoe Weak", None)):
            Player.objects.create(name=name, folded_name=name.lower(), seed_rating=rating)
        found = director.get(f"{ENTRIES}?q=zoe").context["found"]
        assert [(row["late_number"], row["moved"]) for row in found] == [(1, 4), (5, 0)]
        form = {"action": "register-enter", "name": "Zoe New"}
        for rating, number, moved in (("1900", 1, 4), ("", 5, 0)):
            sent = director.post(f"{ENTRIES}?dry_run=1", form | {"seed_rating": rating})
            late = sent.context["late"]
            assert (late["late_number"], late["moved"]) == (number, moved)
        for wrong in ({"name": ""}, {"seed_rating": "x"}, {"birth_year": "3000"}):
            rejected = director.post(f"{ENTRIES}?dry_run=1", form | wrong)
            assert (rejected.status_code, rejected.context["late"]) == (422, None)
        Player.objects.bulk_create(
            Player(name=f"Ann {number}", folded_name=f"ann {number}") for number in range(6)
        )
        found = director.get(f"{ENTRIES}?q=ann").context["found"]
        assert ["late_number" in row for row in found] == [*[True] * 5, False]

    def test_cards_that_are_out_of_date_are_counted(self, director: Client, event: Event) -> None:
        assert director.get(ENTRIES).context["renumbered"] == 0
        director.post(ENTRIES, {"action": "register-enter", "name": "Last", "seed_rating": "100"})
        context = director.get(ENTRIES).context
        assert (context["renumbered"], context["outdated"]["cards"]) == (0, [])
        director.post(ENTRIES, {"action": "register-enter", "name": "Eva", "seed_rating": "2000"})
        context = director.get(ENTRIES).context
        assert (context["renumbered"], len(context["outdated"]["cards"])) == (4, 4)
        shown = director.post(f"{ENTRIES}?dry_run=1", {"action": "import", "file": "name\nZoe\n"})
        assert shown.context["would_renumber"] == 4

    def test_a_draft_that_pairs_who_has_left_is_named(
        self, director: Client, organiser: Person, event: Event
    ) -> None:
        event.draft(2)
        entry = event.tournament.entries.get(pairing_number=2)
        page = f"{ENTRIES}/{entry.pk}"
        assert not director.get(page).context["warnings"]
        change_entry_state(entry, Entry.State.WITHDRAWN, by=organiser.account)
        for path in (ENTRIES, page):
            assert director.get(path).context["warnings"]


@pytest.mark.parametrize(
    ("lines", "words"),
    [
        ("Ann\n", "1 player is entered."),
        ("Ann\nBen\nCem\n", "1 player is entered, 2 players are on the waiting list."),
        ("Player 1\n", "0 players are entered."),
    ],
)
def test_a_list_says_how_many_are_entered_and_wait(
    director: Client, event: Event, lines: str, words: str
) -> None:
    Player.objects.update(country="")
    form = {"action": "import", "file": f"Name\n{lines}"}
    if "Cem" in lines:
        refused = director.post(f"{ENTRIES}?dry_run=1", form)
        assert refused.status_code == 409
        preview = director.post(f"{ENTRIES}?dry_run=1", {**form, "waiting": "1"})
        assert '<input type="hidden" name="waiting" value="1">' in preview.content.decode()
        form["waiting"] = "1"
    shown = shown_after(director, director.post(ENTRIES, form))
    assert words in text_of(shown)
    assert shown.context["task"] is None
    odd = "?done=import&entered=x&waiting=1"
    assert "are on the waiting list" not in text_of(director.get(f"{ENTRIES}{odd}"))


class TestEntry:
    def store(self, director: Client, entry: Entry, **values: str) -> Any:
        """Send the form of the values as it is shown, with some of them changed."""
        page = f"{ENTRIES}/{entry.pk}"
        context = director.get(page).context
        form = {name: field.value or "" for name, field in context["fields"].items()}
        tag = {"action": "edit", "if_match": context["if_match"]}
        return director.post(page, form | tag | values)

    @pytest.fixture
    def entry(self, event: Event) -> Entry:
        return event.tournament.entries.get(ordinal=1)

    def test_values_change_freely_before_the_start_and_are_emptied(
        self, director: Client, entry: Entry
    ) -> None:
        values = {"seed_rating": "1710", "lot": "3", "birth_year": "1990", "sex": "w"}
        assert self.store(director, entry, **values).status_code == 303
        entry.refresh_from_db()
        assert (entry.seed_rating, entry.lot, entry.birth_year, entry.sex) == (1710, 3, 1990, "w")
        assert self.store(director, entry, **dict.fromkeys(values, "")).status_code == 303
        entry.refresh_from_db()
        assert (entry.seed_rating, entry.lot, entry.birth_year, entry.sex) == (0, None, None, "")
        wrong = self.store(director, entry, birth_year="2300")
        assert [*wrong.context["form"].errors] == ["birth_year"]

    def test_what_can_change_later_needs_a_reason(
        self, director: Client, event: Event, entry: Entry
    ) -> None:
        page = f"{ENTRIES}/{entry.pk}"

        def fields() -> set[str]:
            return {"lot", "first_round", "reason"} & set(director.get(page).context["fields"])

        assert fields() == {"lot", "first_round"}
        event.step("start")
        assert fields() == {"first_round", "reason"}
        event.draft(1)
        assert fields() == {"reason"}
        rejected = self.store(director, entry, seed_rating="1710", club="Rooks")
        assert [*rejected.context["form"].errors] == ["reason"]
        assert 'value="Rooks"' in rejected.content.decode()
        assert self.store(director, entry, club="Rooks", reason="a slip").status_code == 303

    def test_the_person_is_corrected_by_who_keeps_the_registration(
        self, director: Client, ada: Person, event: Event, entry: Entry
    ) -> None:
        (own,) = event.enter(player_of(ada))
        form = {"action": "person", "name": "Moon", "club": ""}
        for found, status in ((entry, 303), (own, 403)):
            page = f"{ENTRIES}/{found.pk}"
            context = director.get(page).context
            assert context["is_kept"] is (status == 303)
            tag = {"if_match": context["player_if_match"], "player_id": found.player_id}
            assert director.post(page, form | tag).status_code == status
        names = event.tournament.entries.order_by("ordinal").values_list("player__name", flat=True)
        assert (names[0], names[3]) == ("Moon", "Ada")

    def test_byes_are_chosen_for_the_rounds_to_come_and_taken_back(
        self, director: Client, organiser: Person, event: Event, entry: Entry
    ) -> None:
        page = f"{ENTRIES}/{entry.pk}"
        chosen = {"1": "zero_bye", "2": "half_bye"}
        organiser.put(f"{event.path}/entries/{entry.pk}/availability", chosen)
        event.step("start").draft(1)  # the bye of the paired round stays, though no form shows it
        byes = Bye.objects.filter(entry=entry, round__gt=1).order_by("round")
        shown = director.get(page).context["byes"]
        assert [(number, kind) for number, kind, _ in shown] == [(2, "half_bye"), (3, "")]

        form = {"action": "availability", "round.2": "", "round.3": "zero_bye"}
        done = shown_after(director, director.post(page, form))
        assert list(byes.values_list("round", "kind")) == [(3, "zero_bye")]
        undo = done.context["undo"]
        assert director.post(page, {"action": undo.action, **undo.fields}).status_code == 303
        assert list(byes.values_list("round", "kind")) == [(2, "half_bye")]
        wrong = director.post(page, form | {"round.2": "half_bye", "round.3": "half_bye"})
        assert wrong.status_code == 409
        kinds = [kind for _, kind, _ in wrong.context["byes"]]
        assert kinds == ["half_bye", "half_bye"]
        forged = director.get(f"{page}?done=availability&before=round.2=never%26round.9=x")
        assert "round.9" not in forged.context["undo"].fields

    def test_a_final_event_leads_to_the_corrections_with_the_entry(
        self, director: Client, event: Event, entry: Entry
    ) -> None:
        Tournament.objects.update(state="final")
        Entry.objects.filter(pk=entry.pk).update(pairing_number=2)
        page = director.get(f"{ENTRIES}/{entry.pk}").content.decode()
        assert 'href="/e/spring/run/corrections?entry=2"' in page


def test_papers_are_out_of_date_until_the_next_publication(organiser: Person) -> None:
    event = make_running(organiser, 4, rounds=4)
    director = login(organiser)
    event.publish(1)
    event.enter(*make_players(1, 3000))

    def shown() -> tuple[int, list[str]]:
        context = director.get("/e/spring/run/print").context
        return len(context["outdated"]["cards"]), context["outdated"]["sheets"]

    assert shown() == (5, ["rounds/1/pairings.pdf", "rounds/1/slips.pdf"])
    event.finish(1)
    assert shown() == (5, ["rounds/1/pairings.pdf"])
    event.draft(2)
    assert shown()[0] == 5
    event.publish(2)
    assert shown() == (0, [])
    Tournament.objects.update(state="review")
    Entry.objects.update(printed_number=9)
    assert shown() == (0, [])
