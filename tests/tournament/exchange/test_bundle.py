"""Bundles: export, import into another installation, rejection of changed bundles."""

import io
import json
import re
import zipfile
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from django.conf import settings
from django.core.management import CommandError, call_command
from django.db import transaction
from django.http import HttpResponse

from games.core.journal.chain import digest_of, find_chain_errors
from games.core.journal.lines import find_stored_errors, link_of, load_lines
from games.models import JournalHead, Player
from games.models.columns import later_columns
from games.play.services import rule_game
from ratings.models import Pool, Rating
from ratings.runs.services import advance_pool
from ratings.runs.verification import verify_pool
from tests.events import Event, make_event, make_players, settle
from tests.people import Person, make_person, problem_in
from tests.tournament.events.test_journalled_columns import play_rich_event
from tests.tournament.handicaps import boards, change, conditions, make_handicap_event
from tests.tournament.imports import emptied_models, empty_tables, final_event, without_ids, zip_of
from tournament.events.verification import verify_stream
from tournament.exchange.bundle import import_bundle
from tournament.exchange.bundle_file import MEMBER, columns, write_bundle
from tournament.models import Tournament

VERSION_2 = Path(__file__).parent / "data" / "version-2.zip"
"""An event with two complete rounds, as version 0.2.0 has exported it."""
WORDS = VERSION_2.with_name("version-2-words.zip")
"""One with byes, a round by hand, a double forfeit and a corrected bye, in words with hyphens."""


HYPHENATED = re.compile("-bye|by-hand|double-forfeit|standings[+]pairings")


@pytest.fixture
def staff(db: None) -> Person:
    return make_person("Site", is_staff=True)


@pytest.fixture
def event(organiser: Person) -> Event:
    return final_event(organiser)


def ratings() -> list[tuple[object, ...]]:
    return list(
        Rating.objects.order_by("player__key").values_list("player__key", "rating", "games")
    )


def row_counts() -> dict[str, int]:
    """Count the rows of each table: an empty installation has the line of its staff."""
    return {model.__name__: model._default_manager.count() for model in emptied_models()}


def send(person: Person, content: bytes, query: str = "") -> HttpResponse:
    address = f"tournaments/import/bundle{query}"
    return person.post(address, content, content_type="application/zip")


@pytest.fixture(scope="module")
def exported(django_db_setup: None, django_db_blocker: Any) -> bytes:
    """The bundle of a final event, whose rows are removed again."""
    with django_db_blocker.unblock(), transaction.atomic():
        content = write_bundle(final_event(make_person("Olga")).tournament)
        transaction.set_rollback(True)
    return content


def lines_in(content: bytes) -> list[dict[str, Any]]:
    with zipfile.ZipFile(io.BytesIO(content)) as archive:
        return [json.loads(line) for line in archive.read(MEMBER).splitlines()]


def bundle_of(lines: list[dict[str, Any]]) -> bytes:
    return zip_of("".join(json.dumps(line) + "\n" for line in lines).encode())


def sealed(lines: list[dict[str, Any]]) -> list[dict[str, Any]]:
    """Return the lines with new seals, as far as their text can be encoded."""
    seal = ""
    for line in lines:
        try:
            seal = digest_of([seal, line["kind"], line["row"]])
        except UnicodeEncodeError:
            break
        line["seal"] = seal
    return lines


def test_an_imported_bundle_is_equal_to_the_exported_tournament(
    organiser: Person, staff: Person, event: Event
) -> None:
    out = organiser.get(f"{event.path}/bundle.zip").content
    standings = organiser.get(f"{event.path}/standings?round=1").json()
    certificate = organiser.get(f"{event.path}/rounds/1/certificate").json()
    head = JournalHead.objects.get(stream=event.stream).digest
    before = ratings()
    assert before
    empty_tables()

    answer = send(staff, out)

    assert answer.status_code == 201, answer.content
    assert answer["Location"] == f"{settings.PUBLIC_URL}/api/v1/tournaments/spring"
    assert staff.get(event.path)["ETag"].startswith(answer["ETag"][:-1])
    pool = Pool.objects.get(code="star")
    advance_pool(pool.pk)
    assert ratings() == before
    assert verify_pool(pool) == []
    assert JournalHead.objects.get(stream=event.stream).digest == head
    assert find_stored_errors(event.stream, list(load_lines(event.stream))) == []
    assert staff.get(f"{event.path}/rounds/1/certificate").json() == certificate
    imported = staff.get(f"{event.path}/standings?round=1").json()
    assert without_ids(imported) == without_ids(standings)
    assert write_bundle(Tournament.objects.get()) == out
    assert Player.objects.create(name="New").pk


def test_a_bundle_has_the_handicaps_with_their_cells(organiser: Person, staff: Person) -> None:
    event = make_handicap_event(organiser, rounds=1)
    event.draft(1)
    given = "second S60 A60 T60, 2 points"
    assert change(organiser, event, (2, "C", "D", given)).status_code == 200
    assert organiser.post(f"{event.path}/rounds/1/publish", {}).status_code == 200
    event.finish(1, "1-0")
    event.step("review", "finalise")
    out = organiser.get(f"{event.path}/bundle.zip").content
    empty_tables()

    assert send(staff, out).status_code == 201

    assert boards(staff, event)[1] == ("C", "D", given)
    json = {"seat": "second", "stones": ["S60", "A60", "T60"], "points": 2}
    assert [found for *_, found, _ in conditions(event)] == [None, json]
    assert write_bundle(Tournament.objects.get()) == out


def test_ratings_are_the_same_without_an_earlier_tournament(
    organiser: Person, staff: Person
) -> None:
    players = make_players(6)
    for slug, day, entered in (("spring", 1, players[:4]), ("summer", 9, players[2:])):
        event = make_event(
            organiser, slug=slug, pool="star", rounds=1, starts_on=f"2026-05-0{day}",
            ends_on=f"2026-05-0{day}",
        )  # fmt: skip
        event.enter(*entered)
        event.step("open", "start").play(1)
        event.step("review", "finalise")
    pool = Pool.objects.get(code="star")
    advance_pool(pool.pk)
    played_last = {player.key for player in players[2:]}
    expected = [row for row in ratings() if row[0] in played_last]
    assert {games for _, _, games in expected} == {1, 2}
    out = write_bundle(event.tournament)
    empty_tables()

    assert send(staff, out).status_code == 201
    call_command("verify_ratings")  # no run exists yet
    advance_pool(pool.pk)

    assert ratings() == expected
    pool.refresh_from_db()
    assert verify_pool(pool) == []
    assert write_bundle(Tournament.objects.get()) == out


def test_a_round_in_play_continues_after_the_import(organiser: Person) -> None:
    event = make_event(organiser)
    event.enter(*make_players(4))
    event.step("open", "start").publish(1)
    out = write_bundle(event.tournament)
    empty_tables()

    event.tournament = import_bundle(out, by=organiser.account)
    for game in event.games(1):
        rule_game(game, by=organiser.account, reason="seen", result="11-10")
    settle()

    assert organiser.post(f"{event.path}/rounds/1/complete").status_code == 200
    assert list(find_chain_errors(map(link_of, load_lines(event.stream)))) == []


def test_no_login_is_exported(organiser: Person, event: Event) -> None:
    out = write_bundle(event.tournament)
    with zipfile.ZipFile(io.BytesIO(out)) as archive:
        text = archive.read(MEMBER).decode()

    for word in ("@example.org", "account_id", "by_id", "password", organiser.secret):
        assert word not in text


Edit = Callable[[list[dict[str, Any]]], None]


def change_last(kind: str, /, **changes: Any) -> Edit:
    def change(lines: list[dict[str, Any]]) -> None:
        line = [line for line in lines if line["kind"] == kind][-1]
        line["row"].update(changes)

    return change


def drop(kind: str) -> Edit:
    def change(lines: list[dict[str, Any]]) -> None:
        lines.remove(next(line for line in lines if line["kind"] == kind))
        lines[-1]["row"]["lines"] -= 1

    return change


def swap_winner(lines: list[dict[str, Any]]) -> None:
    row = next(line for line in lines if line["kind"] == "game")["row"]
    row["winner"] = "second" if row["winner"] == "first" else "first"


def change_payload(lines: list[dict[str, Any]]) -> None:
    next(line for line in lines if line["kind"] == "journal")["row"]["payload"]["name"] = "Autumn"


def change_record(lines: list[dict[str, Any]]) -> None:
    row = next(line for line in lines if line["kind"] == "report")["row"]
    row["record"] = row["record"].replace("T10", "T20")


def change_certificate(name: str, value: Any) -> Edit:
    """Change a value inside the text of the last certificate; its digests are as they were."""

    def change(lines: list[dict[str, Any]]) -> None:
        row = [line for line in lines if line["kind"] == "certificate"][-1]["row"]
        content = json.loads(row["text"])
        assert content[name] != value
        text = json.dumps(content | {name: value}, ensure_ascii=False, indent=1, sort_keys=True)
        row["text"] = f"{text}\n"

    return change


def add_opening(**changes: Any) -> Edit:
    """Add an opening rating of one of the players."""

    def change(lines: list[dict[str, Any]]) -> None:
        player = next(line["row"]["key"] for line in lines if line["kind"] == "player")
        row = {"player": player, "rating": 1600_000, "games": 3} | changes
        lines.insert(-1, {"kind": "opening", "row": row})
        lines[-1]["row"]["lines"] += 1

    return change


def add_opening_twice(lines: list[dict[str, Any]]) -> None:
    add_opening()(lines)
    add_opening()(lines)


CHANGES: dict[str, Edit] = {
    "a result": swap_winner,
    "an unknown seat": change_last("report", seat="third"),
    "a record": change_record,
    "a payload": change_payload,
    "a certificate": change_last("certificate", text="{}"),
    "a certificate's pairs": change_certificate("output", "1\n1 2\n"),
    "a certificate's seed": change_certificate("seed", 5),
    "a certificate's own digest": change_certificate("input_digest", "sha256:0"),
    "a certificate's digest": change_last("certificate", output_digest="sha256:0"),
    "a journal line": change_last("journal", kind="game.annulled"),
    "a head": change_last("bundle", head="0" * 64),
    "a stream": change_last("bundle", stream="tournament/autumn"),
    "a score filed": change_last("batch_game", score=500, exclusion=""),
    "a seed filed": change_last("batch_game", first_seed=1234000),
    "a junior filed": change_last("batch_game", second_junior=True),
    "the time of a batch": change_last("batch", effective_at="2026-01-01T00:00:00.000000Z"),
    "the state of a batch": change_last("batch", state="withdrawn"),
    "the approval of a batch": change_last("batch", approved=False),
    "a missing game filed": drop("batch_game"),
    "the seed of a player": change_last("player", seed_rating=2345),
    "another's batch": change_last("batch", stream="tournament/autumn"),
    "an opening twice": add_opening_twice,
    "a missing journal line": drop("journal"),
    "a missing tournament": drop("tournament"),
    "a pairing of an unknown entry": change_last("pairing", first="99"),
    "a reference as a number": change_last("pairing", first=1),
    "a reference to nothing": change_last("game", first=None),
    "notes about an unknown entry": change_last(
        "round", notes=[{"code": "x", "entries": ["99"], "values": {}}]
    ),
    "a club that the journal does not have": change_last("entry", club="Chess"),
    "a huge number": change_last("entry", ordinal=10**30),
    "a wrong type": change_last("entry", seed_rating={}),
    "an empty number": change_last("entry", lot=""),
    "an unknown column": change_last("player", colour="red"),
    "a NUL": change_last("player", name="A\0da"),
    "half of a surrogate pair": change_last("player", club="\udfff"),
    "an older version": change_last("bundle", version=1),
    "another format": change_last("bundle", format="zoo"),
    "a wrong end": change_last("end", lines=7),
}


@pytest.mark.parametrize("change", CHANGES.values(), ids=CHANGES)
def test_a_changed_bundle_is_rejected(staff: Person, exported: bytes, change: Edit) -> None:
    lines = lines_in(exported)
    change(lines)
    before = row_counts()

    problem = problem_in(send(staff, bundle_of(sealed(lines))), 422, "invalid_bundle")

    known = ("line ", "a bundle has one", "its rows ")
    assert problem["detail"].startswith(known)
    assert row_counts() == before


def repeat(kind: str, **changes: Any) -> Edit:
    """Add a copy of the last row of a kind."""

    def change(lines: list[dict[str, Any]]) -> None:
        index, line = [item for item in enumerate(lines) if item[1]["kind"] == kind][-1]
        row = line["row"] | changes
        lines.insert(index + 1, {"kind": kind, "row": row})
        lines[-1]["row"]["lines"] += 1

    return change


def name_of(kind: str, column: str, name: str) -> Edit:
    """Write another name into the first row of a kind."""

    def change(lines: list[dict[str, Any]]) -> None:
        next(line for line in lines if line["kind"] == kind)["row"][column] = name

    return change


CONTRADICTIONS: dict[str, tuple[Edit, str]] = {
    "an invisible letter": (name_of("player", "name", "Ad\u200ba"), "character 3 is U+200B"),
    "a name in another form": (name_of("tournament", "name", "A\u030a"), "Unicode's form NFC"),
    "a player who enters twice": (repeat("entry", ordinal=99), "another entry with its player"),
    "a board twice": (repeat("pairing"), "another pairing with its "),
    "a report twice": (repeat("report"), "another report with its game, version"),
    "a drawn win": (change_last("game", winner="first", draw=True), "contradict each other"),
    "a handicap": (change_last("pairing", handicap="second 3 stones"), "has no handicaps"),
    "a time": (change_last("game", main_minutes=15), "main_minutes must"),
    "a table of handicaps": (change_last("game", handicap_table="v9"), "handicap_table must"),
    "what is recommended": (change_last("pairing", recommended={"entry": 1}), "recommended must"),
    "kinds of handicaps": (change_last("tournament", handicap_kinds=7), "must be a list"),
    "an unknown kind": (
        change_last("tournament", handicaps="by_hand", handicap_kinds=["komi"]),
        "no table",
    ),
}


@pytest.mark.parametrize(("change", "message"), CONTRADICTIONS.values(), ids=CONTRADICTIONS)
def test_a_dry_run_rejects_what_the_database_would(
    staff: Person, exported: bytes, change: Edit, message: str
) -> None:
    lines = lines_in(exported)
    change(lines)

    problem = problem_in(send(staff, bundle_of(sealed(lines)), "?dry_run=1"), 422, "invalid_bundle")

    assert message in problem["detail"]


def test_a_changed_line_is_named(staff: Person, exported: bytes) -> None:
    lines = lines_in(exported)
    lines[5]["row"]["name"] = "Mallory"

    problem = problem_in(send(staff, bundle_of(lines)), 422, "invalid_bundle")

    assert problem["errors"][0]["line"] == 6


def test_an_import_needs_a_free_slug(staff: Person, event: Event) -> None:
    out = write_bundle(event.tournament)

    problem_in(send(staff, out), 409, "slug_taken")
    assert Tournament.objects.count() == 1


def test_an_installation_with_other_events_gets_the_same_heads(
    organiser: Person, staff: Person
) -> None:
    """All that the ids of an event could collide with exists: accounts, players, games, pools."""
    exported = play_rich_event(organiser)
    kept = Player.objects.get(name="Ada")
    out = write_bundle(exported.tournament)
    head = JournalHead.objects.get(stream=exported.stream).digest
    standings = organiser.get(f"{exported.path}/standings.csv?round=1").content
    details = {name: getattr(kept, name) for name in ("key", "name", "country", "club")}
    empty_tables()

    others = make_players(9)
    known = Player.objects.create(**details, birth_year=1980)
    for number in range(3):
        other = make_event(make_person(f"Owner {number}"), slug=f"other-{number}")
        other.enter(*others[number : number + 4])
        other.step("open", "start").play(1)
    answer = send(staff, out)

    assert answer.status_code == 201, answer.content
    imported = Tournament.objects.get(slug="spring")
    assert JournalHead.objects.get(stream=imported.stream).digest == head
    assert verify_stream(imported.stream) == []
    assert verify_stream("tournament/other-1") == []
    assert imported.entries.filter(player=known).count() == 1
    assert staff.get(f"{exported.path}/standings.csv?round=1").content == standings
    assert lines_in(write_bundle(imported))[0] == lines_in(out)[0]
    assert rows_in(write_bundle(imported)) == rows_in(out)


def test_a_bundle_of_version_2_has_the_same_heads_without_its_snapshots(staff: Person) -> None:
    """Its journal states them: the lines stay as they are, and are not compared."""
    content = VERSION_2.read_bytes()
    lines = lines_in(content)
    assert {line["kind"] for line in lines} >= {"snapshot"}

    assert send(staff, content).status_code == 201

    head = JournalHead.objects.get(stream=lines[0]["row"]["stream"])
    assert head.digest == lines[0]["row"]["head"]
    assert verify_stream(head.stream) == []
    again = lines_in(write_bundle(Tournament.objects.get(slug="evening-league")))
    assert again[0]["row"] == lines[0]["row"] | {"version": 3}
    kept = [
        line["row"] | later_columns(line["kind"])
        for line in lines
        if line["kind"] not in ("bundle", "snapshot", "end")
    ]
    assert [line["row"] for line in again[1:-1]] == kept


def test_a_bundle_of_version_2_is_read_in_the_words_of_today(staff: Person) -> None:
    content = WORDS.read_bytes()
    head = lines_in(content)[0]["row"]

    assert send(staff, content).status_code == 201

    assert JournalHead.objects.get(stream=head["stream"]).digest == head["head"]
    assert verify_stream(head["stream"]) == []
    tournament = Tournament.objects.get(slug="spring")
    kinds = {*tournament.pairings.values_list("kind", flat=True)}
    assert kinds == {"game", "half_bye", "zero_bye", "pairing_bye"}
    assert [change["bye"] for change in tournament.corrections.get(number=2).changes] == [
        ["half_bye", "zero_bye"]
    ]
    again = lines_in(write_bundle(tournament))
    assert again[0]["row"]["head"] == head["head"]
    words = [json.dumps(line["row"]) for line in again if line["kind"] != "journal"]
    assert [word for word in words if HYPHENATED.search(word)] == []


def test_an_event_is_rated_where_others_are_rated_already(organiser: Person, staff: Person) -> None:
    exported = final_event(organiser)
    out = write_bundle(exported.tournament)
    empty_tables()
    pool, owner = Pool.objects.get(code="star"), make_person("Otto")
    other = make_event(owner, slug="other", pool="star", rounds=1)
    other.enter(*make_players(9))
    other.step("open", "start").play(1)
    other.step("review", "finalise")
    advance_pool(pool.pk)
    before = ratings()
    assert before

    assert send(staff, out).status_code == 201
    call_command("verify_ratings")  # the imported games wait for their run
    advance_pool(pool.pk)

    call_command("verify_ratings")
    assert [verify_stream(each.stream) for each in (exported, other)] == [[], []]
    assert len(ratings()) > len(before)


def rows_in(content: bytes) -> list[Any]:
    """Return the rows of a bundle but those of players, who can be in another order."""
    lines = lines_in(content)
    players = [line["row"] for line in lines if line["kind"] == "player"]
    others = [[line["kind"], line["row"]] for line in lines if line["kind"] != "player"]
    return [sorted(row["key"] for row in players), others]


def test_an_import_needs_free_fide_ids(staff: Person, event: Event) -> None:
    Player.objects.filter(name="Ada").update(external_ids={"fide": "17"})
    out = write_bundle(event.tournament)
    empty_tables()
    other = Player.objects.create(pk=10**6, name="Ada", external_ids={"fide": "17"})

    assert problem_in(send(staff, out), 409, "external_id_taken")["player_id"] == other.pk
    assert Tournament.objects.count() == 0


def test_an_import_needs_a_pool_with_the_same_parameters(staff: Person, exported: bytes) -> None:
    Pool.objects.filter(code="star").update(preset="fide-2024")

    problem_in(send(staff, exported), 422, "invalid_bundle")
    assert Tournament.objects.count() == 0


def test_a_dry_run_changes_nothing(staff: Person, exported: bytes) -> None:
    before = row_counts()

    assert send(staff, exported, "?dry_run=1").status_code == 200
    assert row_counts() == before


def test_the_command(
    organiser: Person, event: Event, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    file = tmp_path / "spring.zip"
    call_command("bundle", "export", "spring", str(file))
    empty_tables()

    call_command("bundle", "import", str(file), "--by", "olga@example.org")

    assert organiser.get(f"{event.path}/bundle.zip").content == file.read_bytes()
    for arguments in (
        ["import", str(file)],
        ["import", str(tmp_path / "none.zip")],
        ["import", str(file), "--by", "nobody@example.org"],
        ["export", "autumn", str(file)],
    ):
        with pytest.raises(CommandError):
            call_command("bundle", *arguments)


def test_a_bundle_has_the_parameters_of_its_pool_and_nothing_of_its_officers():
    names = [field.attname for field in columns("pool")]
    assert names == ["code", "name", "preset", "parameters", "casual_games"]
