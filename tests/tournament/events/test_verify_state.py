"""`verify_state`: each row that was changed behind the journal's back is named."""

import contextlib
from collections.abc import Callable
from io import StringIO
from typing import Any

import pytest
from django.core.management import CommandError, call_command
from django.db import connection, transaction
from django.db.models import F

from games.core.checks import failed_checks
from games.core.journal.chain import digest_of
from games.core.journal.lines import append_line, link_of
from games.core.roles.services import offer_role
from games.models import EmailLink, Game, JournalHead, JournalLine, JournalPayload, Player, Report
from games.models.time_controls import TimeControl
from games.play.proposals import answer_proposal, propose_game
from games.play.services import annul_game, state_claim, submit
from games.rules.records.tags import read_conditions
from games.rules.seat import Seat
from ratings.models import Pool
from tests.events import Event, make_event, make_players, settle
from tests.people import Person, make_person, player_of
from tests.tournament.imports import PROOF, empty_tables, final_event, import_trf
from tournament.entries.byes import cancel_bye, request_bye
from tournament.entries.services import change_entry_state, consent, edit_entry, enter_player
from tournament.events.services import edit_tournament
from tournament.events.verification import find_not_comparable, find_streams, verify_tournament
from tournament.exchange.bundle import import_bundle
from tournament.exchange.bundle_file import write_bundle
from tournament.models import Bye, Entry, Pairing, Round, Tournament
from tournament.rounds.services import schedule_round

pytestmark = pytest.mark.django_db
STREAM = "tournament/spring"


def verify(*streams: str) -> list[str]:
    """Return the differences that the command names, of all events and casual games by default."""
    errors = StringIO()
    streams = streams or tuple(
        stream for stream in find_streams() if stream.startswith(("tournament/", "game/"))
    )
    with contextlib.suppress(CommandError):
        call_command("verify_state", *sorted(streams), stdout=StringIO(), stderr=errors)
    return errors.getvalue().splitlines()


@pytest.fixture(scope="module")
def played(rows_of_module: None) -> Event:
    """A final event with proofs, rulings, a requested bye, a pairing bye and an old draft."""
    return final_event(make_person("Olga"))


@pytest.fixture
def event(db: None, played: Event) -> Event:
    return played.again()


@pytest.fixture
def no_rows(db: None) -> None:
    """Let a test have the only event."""
    empty_tables()


def test_an_event_is_what_its_journal_says(event: Event) -> None:
    assert verify() == []


@pytest.mark.usefixtures("no_rows")
def test_an_event_with_late_changes_is_what_its_journal_says(organiser: Person) -> None:
    event = make_event(organiser, system="dutch", rounds=4)
    entries = event.enter(*make_players(5))
    by = organiser.account
    edit_tournament(event.tournament, {"place": "Porto", "rounds": 3}, by=by)
    edit_entry(entries[0], {"category": "seniors", "birth_year": 1950}, by=by)
    change_entry_state(entries[4], Entry.State.WITHDRAWN, by=by)
    event.step("open", "start")
    schedule_round(event.tournament, 1, event.tournament.starts_on, by=by)
    cancel_bye(request_bye(entries[1], 1, Bye.Kind.ZERO, by=by), by=by)
    consent(entries[1], by=by)
    event.play(1)
    for player in make_players(2, first_rating=1498):
        enter_player(event.tournament, player, by=by)
    change_entry_state(entries[4], Entry.State.ACCEPTED, by=by)
    content = b"name,seed_rating,category\nNew,1499,u18\nNewer,1400,\n"
    organiser.post(f"{event.path}/entries/import", content, content_type="text/csv")
    request_bye(entries[2], 2, Bye.Kind.HALF, by=by, reason="a train")
    event.publish(2)
    change_entry_state(entries[0], Entry.State.WITHDRAWN, by=by)
    annul_game(event.games(2)[0], by=by, reason="played twice")
    settle()

    assert Entry.objects.filter(pairing_number__isnull=False).count() == 9
    assert verify() == []


@pytest.mark.usefixtures("no_rows")
def test_absent_players_of_a_schedule(organiser: Person) -> None:
    event = make_event(organiser, system="round-robin", system_options={"numbers": "lot"})
    entries = event.enter(*make_players(4))
    event.step("open", "start")
    change_entry_state(entries[0], Entry.State.WITHDRAWN, by=organiser.account)
    event.publish(1)
    settle()

    assert verify() == []


@pytest.mark.usefixtures("no_rows")
def test_a_round_in_which_nobody_is_paired(organiser: Person) -> None:
    event = make_event(organiser)
    entries = event.enter(*make_players(4))
    event.step("open", "start")
    for entry in entries[:3]:
        request_bye(entry, 1, "zero_bye", by=organiser.account)
    event.play(1)
    assert not Game.objects.exists()
    assert verify() == []

    change = {"entry_id": entries[0].pk, "round": 1, "bye": "half_bye"}
    path, body = f"{event.path}/corrections", {"reason": "late", "changes": [change]}
    digest = organiser.post(f"{path}?dry_run=1", body).json()["digest"]
    response = organiser.post(path, body | {"digest": digest})

    assert response.status_code == 201, response.content
    assert {pairing.kind for pairing in Pairing.objects.all()} == {
        "half_bye",
        "zero_bye",
        "pairing_bye",
    }
    assert verify() == []


def test_a_trf_import_is_what_its_journal_says(organiser: Person, event: Event) -> None:
    trf = organiser.get(f"{event.path}/standings.trf").content
    half = trf.replace(b"XXR 2", b"XXR 3")
    for slug, content in (("again", trf), ("open", half)):
        import_trf(content, by=organiser.account, slug=slug)

    assert verify() == []
    Game.objects.filter(stream="tournament/again").update(basis="proof")
    assert verify("tournament/open") == []
    assert len(verify()) == Game.objects.filter(stream="tournament/again").count()


def test_a_casual_game_is_what_its_journal_says(ada: Person, ben: Person) -> None:
    game = propose_game(
        opponent=player_of(ben).pk,
        seat=Seat.FIRST,
        conditions=read_conditions({"Game": "star-star", "Board": "4"}),
        time_control=TimeControl(),
        rated=False,
        pool="",
        by=ada.account,
    )
    game = answer_proposal(game, "accept", by=ben.account)
    assert verify() == []
    for person in (ada, ben):
        submit(state_claim(game, "11-10", "agreed", by=person.account))
    settle()
    assert verify() == []

    Game.objects.update(winner="second")

    assert verify(f"game/{game.pk}") == [
        f"game/{game.pk}: game: winner is second, the reports give first"
    ]


def change(model: Any, **columns: Any) -> Callable[[], object]:
    """Change columns of the first row."""
    return lambda: model.objects.filter(pk=model.objects.order_by("pk")[0].pk).update(**columns)


def remove_pairing() -> None:
    Pairing.objects.filter(kind=Pairing.Kind.PAIRING_BYE).delete()


def swap_seats() -> None:
    Pairing.objects.filter(kind="game").update(first=F("second"), second=F("first"))


def add_entry() -> None:
    tournament, mallory = Tournament.objects.get(), Player.objects.create(name="Mallory")
    Entry.objects.create(tournament=tournament, ordinal=99, player=mallory)


# Each column by itself: see test_journalled_columns.py.
TAMPERINGS: dict[str, tuple[Callable[[], object], str]] = {
    "the settings": (
        change(Tournament, tiebreaks=["SB"]),
        "tournament spring: tiebreaks is ['SB']",
    ),
    "a new entry": (add_entry, "is not in the journal"),
    "a missing bye": (lambda: Bye.objects.all().delete(), "is missing; the journal has it"),
    "a missing bye of a round": (remove_pairing, "is missing; the journal has it"),
    "seats": (swap_seats, "is not in the journal"),
    "awarded points": (change(Pairing, awarded_for="loss/loss", awarded_first=1), "awarded_first"),
    "a result": (change(Game, winner="second"), "winner is second, the reports give first"),
    "a report's record": (
        change(Report, record=PROOF.replace("T10", "T20")),
        "digest is not that of its record",
    ),
    "a missing report": (
        lambda: (Game.objects.update(record=None), Report.objects.all().delete()),
        "is missing; the journal has it",
    ),
}


@pytest.mark.parametrize(("tamper", "message"), TAMPERINGS.values(), ids=TAMPERINGS)
def test_a_changed_row_is_named(event: Event, tamper: Callable[[], object], message: str) -> None:
    tamper()

    assert any(line.startswith(f"{STREAM}: ") and message in line for line in verify()), verify()


def test_a_changed_row_of_an_imported_event_is_named(event: Event) -> None:
    content = write_bundle(event.tournament)
    empty_tables()
    import_bundle(content, by=None)
    assert verify() == []

    for name in ("the settings", "a missing bye", "a result"):
        tamper, message = TAMPERINGS[name]
        tamper()
        assert any(message in line for line in verify()), name


def lines() -> Any:
    return JournalLine.objects.filter(stream=STREAM).order_by("-sequence")


def remove_last_lines() -> None:
    """Remove two lines and set the head back, so that the chain is whole."""
    for line in lines()[:2]:
        line.delete()
    JournalHead.objects.filter(stream=STREAM).update(
        sequence=lines()[0].sequence, digest=lines()[0].digest
    )


def swap_lines() -> None:
    second, first = lines()[3:5]
    for line, sequence in ((first, 10**6), (second, first.sequence), (first, second.sequence)):
        JournalLine.objects.filter(pk=line.pk).update(sequence=sequence)


def change_payload() -> None:
    payload = JournalPayload.objects.get(line=lines().filter(kind="bye.granted")[0])
    payload.body["kind"] = "full_bye"
    payload.save()


def change_rows() -> None:
    payload = JournalPayload.objects.get(line=lines().filter(kind="bye.granted")[0])
    ((key, row),) = payload.rows["bye"].items()
    payload.rows["bye"] = {key: row | {"kind": "full_bye"}}
    payload.save()


def forge_chain() -> None:
    """Change the rows of a line and seal the whole chain again."""
    change_rows()
    previous = ""
    for line in lines().order_by("sequence").select_related("payload"):
        line.previous = previous
        line.rows_digest = digest_of(line.payload.rows) if line.payload.rows else ""
        line.digest = previous = link_of(line).expected_digest()
        line.save()
    JournalHead.objects.filter(stream=STREAM).update(digest=previous)


@pytest.mark.parametrize(
    ("tamper", "message"),
    [
        (
            remove_last_lines,
            f"{STREAM}: tournament spring: state is final, the journal has review",
        ),
        (swap_lines, " as the line before, not "),
        (change_payload, ": the payload is not the one that was sealed"),
        (change_rows, ": the rows are not those that were sealed"),
        (forge_chain, ": kind is half_bye, the journal has full_bye"),
        (lambda: JournalPayload.objects.all().delete(), " has no rows to compare with"),
        (
            lambda: Tournament.objects.update(slug="autumn"),
            "tournament/autumn: tournament autumn is not",
        ),
    ],
    ids=[
        "last lines",
        "swapped lines",
        "a payload",
        "rows",
        "a forged chain",
        "no payloads",
        "a name",
    ],
)
def test_a_changed_journal_is_named(
    event: Event, tamper: Callable[[], object], message: str
) -> None:
    tamper()

    assert any(message in line for line in verify()), verify()


def test_the_role_of_an_open_invitation_is_compared(event: Event) -> None:
    by = event.owner.account
    link = offer_role(event.stream, "stig@example.org", "scorer", name="Spring Open", by=by)
    assert verify_tournament(event.stream) == []
    EmailLink.objects.update(role="owner")
    name = f"invitation {link.pk}"
    assert verify_tournament(event.stream) == [f"{name}: role is owner, the journal has scorer"]
    EmailLink.objects.update(id=link.pk + 1)
    assert verify_tournament(event.stream) == [f"invitation {link.pk + 1} is not in the journal"]


def test_a_difference_gives_the_exit_status(event: Event) -> None:
    out = StringIO()
    call_command("verify_state", STREAM, stdout=out)
    assert out.getvalue() == f"{STREAM}: verified\n"
    Round.objects.filter(number=1).update(reason="a forged reason")

    with pytest.raises(CommandError, match="1 differences from the journal") as caught:
        call_command("verify_state", STREAM, stderr=StringIO())

    assert caught.value.returncode == 1


@pytest.mark.skipif(connection.vendor != "sqlite", reason="PostgreSQL has no such rows")
@pytest.mark.parametrize("command", ["verify_state", "verify_ratings"])
def test_a_row_that_names_a_missing_one_is_named(event: Event, command: str) -> None:
    Pool.objects.update(current_run=999)

    with pytest.raises(CommandError, match=r"ratings_pool.current_run_id contains a value '?999"):
        call_command(command, stdout=StringIO())
    assert failed_checks()[command.removeprefix("verify_")] == 1
    Pool.objects.update(current_run=None)


@pytest.mark.usefixtures("no_rows")
def test_another_table_than_that_of_the_completed_round_is_named(organiser: Person) -> None:
    event = make_event(organiser, rounds=3)
    event.enter(*make_players(4))
    event.step("open", "start").play(1)
    event.play(2)
    body = JournalPayload.objects.get(line__kind="round.complete", body__round=1)
    body.body["standings"] = "sha256:0"
    body.save()
    line = body.line.sequence

    assert verify_tournament(STREAM) == [
        f"the table after round 1 has not the digest of line {line}"
    ]
    assert list(find_not_comparable(STREAM)) == []


@pytest.mark.usefixtures("no_rows")
@pytest.mark.parametrize("kind", ["report.ruling", "entry.accepted"])
def test_a_table_that_was_changed_since_is_named_as_not_comparable(
    organiser: Person, kind: str
) -> None:
    event = make_event(organiser, rounds=3)
    event.enter(*make_players(4))
    event.step("open", "start").play(1)
    completed = JournalLine.objects.get(kind="round.complete")
    if kind == "report.ruling":
        event.correct(event.games(1)[0], "10-11")
    else:
        event.enter(*make_players(1, first_rating=4000))
    later = JournalLine.objects.filter(kind=kind, sequence__gt=completed.sequence)
    line = later.order_by("sequence")[0].sequence
    event.play(2)

    out = StringIO()
    call_command("verify_state", STREAM, stdout=out)

    assert out.getvalue() == (
        f"{STREAM}: verified\n{STREAM}: the table after round 1 cannot be compared with its digest:"
        f" line {line} ({kind}) has changed what it counts\n"
    )


def test_rows_of_a_retired_kind_are_chained_and_not_compared(event: Event) -> None:
    rows = {"snapshot": {"1/1": {"digest": "sha256:0"}}}
    with transaction.atomic():
        append_line(STREAM, "round.complete", {"round": 99}, by=None, rows=rows)

    assert verify() == []
    JournalPayload.objects.filter(body__round=99).update(rows={"snapshot": {}})
    assert [line.partition("line ")[2].partition(" ")[2] for line in verify()] == [
        "the rows are not those that were sealed"
    ]


def test_an_unknown_stream_is_rejected(event: Event) -> None:
    append_line("site", "player.registered", {}, by=None)
    for stream in ("tournament/autumn", "game/1", "pool/moon"):
        with pytest.raises(CommandError) as caught:
            call_command("verify_state", stream)
        assert caught.value.returncode == 2
