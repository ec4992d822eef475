"""`/players/{id}/erase`: nothing personal is left, and every chain and digest stays valid."""

import json
import re
from io import StringIO
from typing import Any

import pytest
from allauth.mfa.models import Authenticator
from allauth.socialaccount.models import SocialAccount
from allauth.usersessions.models import UserSession
from django.apps import apps
from django.core.management import CommandError, call_command
from django.db.models import Model

from games.models import Account, JournalLine, JournalPayload, Player, Report
from games.play.services import rule_game
from ratings.models import Decision, Pool
from ratings.runs.verification import verify_pool_rows
from tests.events import Event, make_event, make_published, settle
from tests.people import Person, add_second_factor, make_person, player_of, problem_in
from tests.ratings.factories import day, file_event
from tests.tournament.events.test_verify_state import verify
from tests.tournament.imports import empty_tables
from tournament.entries.byes import request_bye
from tournament.entries.services import edit_entry, enter_player
from tournament.exchange.bundle import import_bundle
from tournament.exchange.bundle_file import write_bundle
from tournament.models import Bye, NameReport

SHOWN_CLUB, SLIP = "Zeb's Club", "their handwriting"
NAME, CLUB, YEAR, REASON = "Zebulon Quist", "Quist Club", 1907, "dentist"
RECORD = """[Game "star-star"]
[Board "4"]
[Event "Zebulon Quist Cup"]
[{seat} "Zebulon Quist"]
[{seat}Club "Zeb's Club"]
[{other} "Ben"]

S10 {{here Quist,
Zebulon thought}} T10 agreed 11-10 ;zebulon quist!
"""


@pytest.fixture
def start(organiser: Person, ben: Person) -> dict[str, Any]:
    """An event of two rounds of which one is complete, with a record that names the player."""
    body = {"name": NAME, "club": CLUB, "birth_year": YEAR, "external_ids": {"fide": "98765"}}
    player = Player.objects.get(pk=organiser.post("players", body).json()["id"])
    event = make_event(organiser)
    by = organiser.account
    entry = enter_player(event.tournament, player, by=by, birth_year=YEAR, sex="m", category="V")
    event.enter(player_of(ben))
    edit_entry(entry, {"birth_year": YEAR + 1, "club": SHOWN_CLUB}, by=by, reason=SLIP)
    organiser.patch(f"players/{player.pk}", {"club": f"{CLUB} 2"})
    event.step("open", "start")
    (game,) = event.publish(1)
    seats = ("First", "Second") if game.first_id == player.pk else ("Second", "First")
    record = RECORD.format(seat=seats[0], other=seats[1])
    rule_game(game, by=by, reason=f"seen by {NAME}s friend and {NAME}", record=record)
    settle()
    organiser.post(f"{event.path}/rounds/1/complete")
    request_bye(entry, 2, Bye.Kind.HALF, by=by, reason=REASON)
    return {"player": player, "event": event}


@pytest.fixture
def player(start: dict[str, Any]) -> Player:
    found: Player = start["player"]
    return found


def columns_of(model: type[Model]) -> list[str]:
    """Return the columns of a table that contain no ids."""
    fields = model._meta.concrete_fields
    return [field.attname for field in fields if not (field.primary_key or field.is_relation)]


MODELS = [model for model in apps.get_models() if columns_of(model)]


def is_stored(text: str) -> bool:
    """Return True if any table contains a text, other than in an id, a digest or a time."""
    rows = [list(model._default_manager.values_list(*columns_of(model))) for model in MODELS]
    database = json.dumps(rows, default=str, ensure_ascii=False)
    return re.search(rf"(?<![0-9a-f.:]){re.escape(text)}(?![0-9a-f])", database) is not None


def test_nothing_personal_is_left(
    staff: Person, organiser: Person, anonymous: Person, event: Event, player: Player
) -> None:
    personal = (NAME, "zebulon", CLUB, str(YEAR), str(YEAR + 1), "98765", REASON, SHOWN_CLUB, SLIP)
    assert [is_stored(text) for text in personal] == [True] * len(personal)
    standings = anonymous.get(f"{event.path}/standings.csv?round=1").content.decode()
    assert NAME in standings

    erased = staff.post(f"players/{player.pk}/erase").json()

    name = f"player {player.pk}"
    assert (erased["name"], erased["birth_year"], erased["external_ids"]) == (name, None, {})
    assert [text for text in personal if is_stored(text)] == []
    for path in ("standings.csv?round=1", "standings.csv", "crosstable.csv", "standings.trf"):
        assert name in anonymous.get(f"{event.path}/{path}").content.decode(), path


def test_the_name_in_reasons_of_an_event_and_of_casual_games_is_replaced(
    staff: Person, organiser: Person, ada: Person, ben: Person, officer: Person
) -> None:
    """Zoe Abel is Ada's name; Zoe Abelson is somebody else."""
    player = player_of(ada)
    Player.objects.filter(pk=player.pk).update(name="Zoe Abel")
    opponent = {"opponent_id": player_of(ben).pk, "seat": "first", "rated": False}
    proposal = opponent | {"ruleset": "star-star", "board_size": "4"}
    casual = ada.post("games", proposal).json()["id"]
    ben.post(f"games/{casual}/accept")
    event = make_published(organiser, ada, ben, slug="autumn", pool="star")
    (game,) = event.games()
    refused = {"reason": "ABEL, ZOE left Zoe Abels pen to Zoe Abelson"}
    make_event(organiser, slug="other", pool="star").step("open")
    accounts = f"pools/star/organisers/{officer.account.pk}"
    for person, path in (
        (officer, "pools/star/tournaments/other/refuse"),
        (officer, f"{accounts}/refuse"),
        (officer, f"{accounts}/approve"),
        (officer, "pools/star/tournaments/autumn/refuse"),
        (ben, "name-reports"),
        (staff, "tournaments/autumn/hide"),
        (staff, "tournaments/autumn/show"),
    ):
        about = {"tournament_slug": "autumn"} if path == "name-reports" else {}
        assert person.post(path, refused | about).status_code in (200, 201)
    for number in (casual, game.pk):
        ada.post(f"games/{number}/reports", {"claim": {"result": "11-10"}})
        ben.post(f"games/{number}/dispute", refused)
    settle()
    batch = file_event(Pool.objects.get(code="star"), "autumn", day(1), [game])
    for word in ("cancel", "undo"):
        assert officer.post(f"pools/star/batches/{batch.pk}/{word}", refused).status_code == 200
    assert is_stored("ABEL, ZOE")

    assert staff.post(f"players/{player.pk}/erase").status_code == 200

    reasons = {f"player {player.pk} left player {player.pk}s pen to Zoe Abelson"}
    assert set(Report.objects.exclude(reason="").values_list("reason", flat=True)) == reasons
    assert set(Decision.objects.exclude(reason="").values_list("reason", flat=True)) == reasons
    assert set(NameReport.objects.values_list("reason", flat=True)) == reasons
    assert not is_stored("ABEL, ZOE")
    assert verify() == []
    made_by_tests = "is not in the journal"
    found = verify_pool_rows("pool/star")
    assert [each for each in found if made_by_tests not in each] == []
    call_command("verify_journal", stdout=StringIO())


def test_chains_digests_and_rows_stay_valid(staff: Person, event: Event, player: Player) -> None:
    lines = list(JournalLine.objects.filter(stream=event.stream).values_list("digest", flat=True))

    staff.post(f"players/{player.pk}/erase")

    now = JournalLine.objects.filter(stream=event.stream).order_by("sequence")
    assert list(now.values_list("digest", flat=True))[: len(lines)] == lines
    assert now.last().kind == "payload.erased"
    call_command("verify_journal", stdout=StringIO())
    assert verify() == []


def test_a_bundle_of_the_event_can_be_imported(
    staff: Person, organiser: Person, event: Event, player: Player
) -> None:
    staff.post(f"players/{player.pk}/erase")
    content = write_bundle(event.tournament)
    empty_tables()

    import_bundle(content, by=organiser.account)

    call_command("verify_journal", event.stream, stdout=StringIO())
    assert verify(event.stream) == []


def test_another_change_of_an_erased_payload_is_found(
    staff: Person, event: Event, player: Player
) -> None:
    staff.post(f"players/{player.pk}/erase")
    payload = JournalPayload.objects.get(line__stream=event.stream, line__kind="entry.edited")
    JournalPayload.objects.filter(pk=payload.pk).update(body=payload.body | {"category": "U8"})

    with pytest.raises(CommandError, match="not the one that was sealed"):
        call_command("verify_journal", stdout=StringIO())


def test_the_account_is_closed_unless_it_has_roles(staff: Person, ada: Person, ben: Person) -> None:
    make_event(ben)
    stranger = make_person("Cleo")
    stranger.post("claims", {"player_id": player_of(ada).pk})

    for person in (ada, ben):
        staff.post(f"players/{player_of(person).pk}/erase")

    closed, kept = (Account.objects.get(pk=person.account.pk) for person in (ada, ben))
    assert (closed.email, closed.name, closed.is_active) == (None, "", False)
    assert (kept.email, kept.is_active) == ("ben@example.org", True)
    assert not Player.objects.filter(account__isnull=False).exists()
    problem_in(ada.get("me"), 401)


def test_the_logins_of_the_account_are_erased_too(staff: Person, ada: Person, event: Event) -> None:
    account = ada.account
    extra = {"email": "zeb@example.org", "name": NAME}
    SocialAccount.objects.create(user=account, provider="oidc", uid="zeb", extra_data=extra)
    UserSession.objects.create(user=account, ip="192.0.2.1", session_key="s", user_agent="Quist")
    add_second_factor(account)

    assert staff.post(f"players/{player_of(ada).pk}/erase").status_code == 200

    for model in (SocialAccount, UserSession, Authenticator):
        assert not model.objects.filter(user=account).exists()


def test_merged_registrations_are_erased_too(staff: Person, event: Event, player: Player) -> None:
    kept = Player.objects.create(name="Z. Quist")
    staff.post("merges", {"keep_id": kept.pk, "merge_id": player.pk})

    assert staff.post(f"players/{player.pk}/erase").json()["id"] == kept.pk

    assert not is_stored("Quist")
    assert verify() == []


def test_the_command_erases_a_player(event: Event, player: Player) -> None:
    output = StringIO()
    call_command("erase_player", str(player.pk), stdout=output)

    assert output.getvalue() == f"player {player.pk}\n"
    with pytest.raises(CommandError, match="there is no player 999"):
        call_command("erase_player", "999")
