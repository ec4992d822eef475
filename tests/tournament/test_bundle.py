"""An event out of one house and into another: same bytes, same head, same ratings; or refused."""

import io
import json
import zipfile
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from django.core.management import CommandError, call_command
from django.http import HttpResponse

from games.journal.chain import digest_of, find_chain_errors
from games.journal.lines import find_payload_errors, link_of, load_lines
from games.models import (
    Game,
    JournalHead,
    JournalLine,
    JournalPayload,
    Player,
    Report,
)
from games.services.rulings import rule_game
from ratings.models import Batch, BatchGame, Change, Opening, Pool, Rating, Run
from ratings.services.runs import advance_pool
from ratings.services.verification import verify_pool
from tests.events import Event, make_event, make_players, settle
from tests.people import Person, make_person, make_player, player_of, problem_in
from tournament.imports.bundle import import_bundle
from tournament.imports.bundle.writing import ADDED, MEMBER, write_bundle
from tournament.models import Bye, Entry, Pairing, Round, Snapshot, Tournament
from tournament.services.entries import request_bye
from tournament.services.pairings import pair_round, unpair_round

PROVEN = '[Game "star-star"]\n[Board "4"]\n1. S20 T10 2. A10 R10 3. *10 S10 agreed 11-10'
TABLES = (
    Change, Rating, BatchGame, Opening, Batch, Run, Pairing, Bye, Snapshot, Round, Entry,
    Tournament, Report, Game, JournalPayload, JournalLine, JournalHead, Player,
)  # fmt: skip


@pytest.fixture
def staff(db: None) -> Person:
    return make_person("Site", is_staff=True)


def played(organiser: Person) -> Event:
    """A final, rated event: proofs, rulings, a bye asked for, a pairing bye, a superseded draft."""
    event = make_event(organiser, pool="star", rounds=2)
    people = [make_player(name, 1500 + 10 * n) for n, name in enumerate(("Ada", "Ben"))]
    event.enter(*(player_of(one) for one in people), *make_players(4))
    event.step("open", "start")
    entry = event.tournament.entries.order_by("pairing_number").last()
    request_bye(entry, 1, Bye.Kind.HALF, by=organiser.account, reason="a late train")
    pair_round(event.tournament, 1, by=organiser.account)
    unpair_round(event.tournament, 1, reason="try again", by=organiser.account)
    for game in event.publish(1):
        rule_game(game, by=organiser.account, reason="seen", record=PROVEN)
    settle()
    assert organiser.post(f"{event.path}/rounds/1/complete").status_code == 200
    event.play(2)
    event.step("review", "finalise")
    advance_pool(Pool.objects.get(code="star").pk)
    return event


def ratings() -> list[tuple[object, ...]]:
    return list(Rating.objects.order_by("player_id").values_list("player_id", "rating", "games"))


def empty_the_house() -> None:
    """As an installation is before anybody played."""
    Pool.objects.update(current_run=None)
    Run.objects.update(from_batch=None, parent=None)
    Batch.objects.update(run=None)
    Game.objects.update(record=None)
    for model in TABLES:
        model._default_manager.all().delete()


def send(person: Person, content: bytes, query: str = "") -> HttpResponse:
    address = f"tournaments/import/bundle{query}"
    return person.post(address, content, content_type="application/zip")


def lines_in(content: bytes) -> list[dict[str, Any]]:
    with zipfile.ZipFile(io.BytesIO(content)) as archive:
        return [json.loads(line) for line in archive.read(MEMBER).splitlines()]


def packed(lines: list[dict[str, Any]], *, reseal: bool = True) -> bytes:
    """A bundle of these lines, sealed anew as a forger would."""
    seal = ""
    for line in lines:
        if reseal:
            line["seal"] = seal = digest_of([seal, line["kind"], line["row"]])
    text = "".join(json.dumps(line, ensure_ascii=False) + "\n" for line in lines)
    return zipped(text.encode())


def zipped(text: bytes, name: str = MEMBER) -> bytes:
    content = io.BytesIO()
    with zipfile.ZipFile(content, "w", zipfile.ZIP_DEFLATED) as archive:
        archive.writestr(name, text)
    return content.getvalue()


def test_out_in_and_out_again(organiser: Person, staff: Person) -> None:
    event = played(organiser)
    out = organiser.get(f"{event.path}/bundle.zip").content
    standings = organiser.get(f"{event.path}/standings?round=1").json()
    certificate = organiser.get(f"{event.path}/certificates/1").json()
    head = JournalHead.objects.get(stream=event.stream).digest
    before = ratings()
    assert before
    empty_the_house()

    answer = send(staff, out)

    assert answer.status_code == 201, answer.content
    assert answer["Location"] == "/api/v1/tournaments/spring"
    pool = Pool.objects.get(code="star")
    advance_pool(pool.pk)
    assert ratings() == before
    assert verify_pool(pool) == []
    assert JournalHead.objects.get(stream=event.stream).digest == head
    assert list(find_chain_errors(map(link_of, load_lines(event.stream)))) == []
    assert list(find_payload_errors(load_lines(event.stream))) == []
    assert staff.get(f"{event.path}/certificates/1").json() == certificate
    told = staff.get(f"{event.path}/standings?round=1").json()
    assert {**told, "stood_at": ""} == {**standings, "stood_at": ""}
    assert write_bundle(Tournament.objects.get()) == out
    assert Player.objects.create(name="New").pk > max(row[0] for row in before)


def test_the_ratings_are_those_of_home_though_an_earlier_event_stays_there(
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
    played_last = {player.pk for player in players[2:]}
    there = [row for row in ratings() if row[0] in played_last]
    assert {games for _, _, games in there} == {1, 2}
    out = write_bundle(event.tournament)
    empty_the_house()

    assert send(staff, out).status_code == 201
    advance_pool(pool.pk)

    assert ratings() == there
    pool.refresh_from_db()
    assert verify_pool(pool) == []
    assert write_bundle(event.tournament) == out


def test_a_bundle_from_before_a_column_was_there_enters_with_its_default(
    organiser: Person, staff: Person
) -> None:
    event = played(organiser)
    out = write_bundle(event.tournament)
    lines = lines_in(out)
    for line in lines:
        for column in ADDED.get(line["kind"], ()):
            del line["row"][column]
    empty_the_house()

    assert send(staff, packed(lines)).status_code == 201
    assert write_bundle(event.tournament) == out


def test_an_event_under_way_goes_on_elsewhere(organiser: Person) -> None:
    event = make_event(organiser)
    event.enter(*make_players(4))
    event.step("open", "start").publish(1)
    out = write_bundle(event.tournament)
    empty_the_house()

    event.tournament = import_bundle(out, by=organiser.account)
    for game in event.games(1):
        rule_game(game, by=organiser.account, reason="seen", result="11-10")
    settle()

    assert organiser.post(f"{event.path}/rounds/1/complete").status_code == 200
    assert list(find_chain_errors(map(link_of, load_lines(event.stream)))) == []


def test_nothing_of_logins_leaves(organiser: Person) -> None:
    out = write_bundle(played(organiser).tournament)
    with zipfile.ZipFile(io.BytesIO(out)) as archive:
        text = archive.read(MEMBER).decode()

    for word in ("@example.org", "account_id", "by_id", "password", organiser.secret):
        assert word not in text


Alteration = Callable[[list[dict[str, Any]]], None]


def of_kind(kind: str, /, **changes: Any) -> Alteration:
    def change(lines: list[dict[str, Any]]) -> None:
        line = [one for one in lines if one["kind"] == kind][-1]
        line["row"].update(changes)

    return change


def drop(kind: str) -> Alteration:
    def change(lines: list[dict[str, Any]]) -> None:
        lines.remove(next(line for line in lines if line["kind"] == kind))
        lines[-1]["row"]["lines"] -= 1

    return change


def result_turned(lines: list[dict[str, Any]]) -> None:
    row = next(line for line in lines if line["kind"] == "game")["row"]
    row["winner"] = "second" if row["winner"] == "first" else "first"


def payload_altered(lines: list[dict[str, Any]]) -> None:
    next(line for line in lines if line["kind"] == "journal")["row"]["payload"]["name"] = "Autumn"


def record_altered(lines: list[dict[str, Any]]) -> None:
    row = next(line for line in lines if line["kind"] == "report")["row"]
    row["record"] = row["record"].replace("T10", "T20")


def opening_of(**changes: Any) -> Alteration:
    """Bring along where one of the players stood before."""

    def change(lines: list[dict[str, Any]]) -> None:
        batch = next(line["row"]["id"] for line in lines if line["kind"] == "batch")
        player = next(line["row"]["id"] for line in lines if line["kind"] == "player")
        row = {"batch_id": batch, "player_id": player, "rating": 1600_000, "games": 3} | changes
        lines.insert(-1, {"kind": "opening", "row": row})
        lines[-1]["row"]["lines"] += 1

    return change


def opening_twice(lines: list[dict[str, Any]]) -> None:
    opening_of()(lines)
    opening_of()(lines)


def snapshot_altered(**changes: Any) -> Alteration:
    """Something else in the body of the last snapshot."""

    def change(lines: list[dict[str, Any]]) -> None:
        row = [one for one in lines if one["kind"] == "snapshot"][-1]["row"]
        row["body"] = {**row["body"], **changes}

    return change


def snapshot_of_old(**changes: Any) -> Alteration:
    """A snapshot of rows alone, as they were kept once, with a row that has something else."""

    def change(lines: list[dict[str, Any]]) -> None:
        row = [one for one in lines if one["kind"] == "snapshot"][-1]["row"]
        player = {"id": 1, "name": "Ada", "country": "POR", "club": ""}
        kept = {"rank": 1, "number": 1, "entry": 1, "seed_rating": 0, "player": player}
        row["body"] = {"tiebreaks": ["PTS"], "rows": [{**kept, "values": {"PTS": "1"}, **changes}]}

    return change


def result_of_then_turned(lines: list[dict[str, Any]]) -> None:
    body = [one for one in lines if one["kind"] == "snapshot"][-1]["row"]["body"]
    for player in body["crosstable"]["players"]:
        player[-1] = player[-1].translate(str.maketrans("01", "10"))


FORGED: dict[str, Alteration] = {
    "a result of then": result_of_then_turned,
    "a snapshot of another": of_kind("snapshot", digest="sha256:0"),
    "a snapshot of nothing": of_kind("snapshot", body=[]),
    "a snapshot without rows": of_kind("snapshot", body={"tiebreaks": ["PTS"]}),
    "a crosstable of nothing": snapshot_altered(crosstable={}),
    "a code of then that is none": snapshot_altered(tiebreaks=["PTS", "XYZ", "DE", "SB"]),
    "codes of then that are text": snapshot_altered(tiebreaks="PTS"),
    "places of nobody": snapshot_altered(places=[[9, 1, ["1"]]]),
    "places that lack": snapshot_altered(places=[]),
    "places that are text": snapshot_altered(places=["1"]),
    "entries of text": snapshot_altered(entries=["1", "2"]),
    "entries that lack": snapshot_altered(entries=[]),
    "an old row of nobody": snapshot_of_old(player={}),
    "an old row of text": snapshot_of_old(rank="1"),
    "an old value of words": snapshot_of_old(values={"PTS": "many"}),
    "an old value of another": snapshot_of_old(values={"BH": "1"}),
    "a result": result_turned,
    "a record": record_altered,
    "a record's digest": of_kind("report", record=PROVEN, digest="sha256:0"),
    "a payload": payload_altered,
    "a certificate": of_kind("certificate", text="{}"),
    "a certificate's digest": of_kind("certificate", output_digest="sha256:0"),
    "a journal line": of_kind("journal", kind="game.annulled"),
    "a head": of_kind("bundle", head="0" * 64),
    "a stream": of_kind("bundle", stream="tournament/autumn"),
    "a score filed": of_kind("batch_game", score=500, exclusion=""),
    "a batch": of_kind("batch", games_digest="0" * 64),
    "an opening twice": opening_twice,
    "an opening of a stranger": opening_of(player_id=10**9),
    "an opening below nothing": opening_of(games=-1),
    "an opening elsewhere": opening_of(batch_id=10**9),
    "a missing journal line": drop("journal"),
    "a missing player": drop("player"),
    "a missing tournament": drop("tournament"),
    "another's game": of_kind("game", stream="tournament/autumn"),
    "a pairing of nobody": of_kind("pairing", first_id=10**9),
    "an id that is none": of_kind("player", id="1"),
    "a huge id": of_kind("player", id=10**30),
    "a wrong type": of_kind("entry", seed_rating={}),
    "a state that is none": of_kind("round", state="eaten"),
    "a column that is none": of_kind("player", colour="red"),
    "an endless name": of_kind("player", name="x" * 5000),
    "a date that is none": of_kind("tournament", starts_on="soon"),
    "a NUL": of_kind("player", name="A\0da"),
    "half of a surrogate pair": of_kind("player", club="\udfff"),
    "another version": of_kind("bundle", version=2),
    "another format": of_kind("bundle", format="zoo"),
    "a wrong end": of_kind("end", lines=7),
}


@pytest.mark.parametrize("change", FORGED.values(), ids=FORGED)
def test_a_forged_bundle_is_refused_whole(organiser: Person, change: Alteration) -> None:
    lines = lines_in(write_bundle(played(organiser).tournament))
    empty_the_house()
    change(lines)
    staff = make_person("Site", is_staff=True)

    text = "".join(json.dumps(line) + "\n" for line in _sealed(lines))
    problem = problem_in(send(staff, zipped(text.encode())), 422, "invalid_bundle")

    known = ("line ", "a bundle has one", "its rows contradict each other")
    assert problem["detail"].startswith(known)
    counts = [model._default_manager.count() for model in TABLES]
    assert counts == [0] * len(TABLES)


def _sealed(lines: list[dict[str, Any]]) -> list[dict[str, Any]]:
    """As a forger would: every seal computed anew, as far as text can be sealed."""
    seal = ""
    for line in lines:
        try:
            seal = digest_of([seal, line["kind"], line["row"]])
        except UnicodeEncodeError:
            break
        line["seal"] = seal
    return lines


def test_an_altered_line_is_named(organiser: Person, staff: Person) -> None:
    lines = lines_in(write_bundle(played(organiser).tournament))
    lines[5]["row"]["name"] = "Mallory"

    problem = problem_in(send(staff, packed(lines, reseal=False)), 422, "invalid_bundle")

    assert problem["errors"][0]["line"] == 6


def bomb() -> bytes:
    return zipped(b"0" * (65 * 1024 * 1024))


def lying_bomb() -> bytes:
    """A bomb whose directory says that it is small."""
    content = bytearray(bomb())
    size = (65 * 1024 * 1024).to_bytes(4, "little")
    return bytes(content.replace(size, (1000).to_bytes(4, "little")))


BROKEN: dict[str, Callable[[], bytes]] = {
    "nothing": lambda: b"",
    "no zip": lambda: b"001    1      Ada",
    "half a zip": lambda: bomb()[:2000],
    "a zip of something else": lambda: zipped(b"{}", "other.json"),
    "an empty member": lambda: zipped(b""),
    "no lines of JSON": lambda: zipped(b"name,country\nAda,POR\n"),
    "half a line": lambda: zipped(b'{"kind": "bundle"'),
    "deep lists": lambda: zipped(b"[" * 100_000 + b"]" * 100_000 + b"\n"),
    "a bomb": bomb,
    "a bomb that lies": lying_bomb,
}


@pytest.mark.parametrize("make", BROKEN.values(), ids=BROKEN)
def test_what_is_no_bundle_is_refused(staff: Person, make: Callable[[], bytes]) -> None:
    problem_in(send(staff, make(), "?dry_run=1"), 422, "invalid_bundle")

    assert Tournament.objects.count() == 0


def test_a_bundle_goes_where_its_ids_are_free(organiser: Person, staff: Person) -> None:
    event = played(organiser)
    out = write_bundle(event.tournament)

    problem_in(send(staff, out), 409, "slug_taken")
    empty_the_house()
    first = min(row["row"]["id"] for row in lines_in(out) if row["kind"] == "player")
    Player.objects.create(pk=first, name="Somebody else")

    problem_in(send(staff, out), 409, "ids_taken")
    assert Tournament.objects.count() == 0


def test_a_dry_run_checks_and_changes_nothing(organiser: Person, staff: Person) -> None:
    out = write_bundle(played(organiser).tournament)
    empty_the_house()

    assert send(staff, out, "?dry_run=1").status_code == 200
    assert (Tournament.objects.count(), JournalLine.objects.count()) == (0, 0)


def test_who_may(everyone: dict[str, Person], organiser: Person, staff: Person) -> None:
    event = make_event(organiser).step("open")
    path = f"{event.path}/bundle.zip"

    assert {name: one.get(path).status_code for name, one in everyone.items()} == {
        "organiser": 200,
        "player": 403,
        "stranger": 403,
        "anonymous": 401,
    }
    assert {name: send(one, b"").status_code for name, one in everyone.items()} == {
        "organiser": 403,
        "player": 403,
        "stranger": 403,
        "anonymous": 401,
    }


def test_by_command(organiser: Person, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    event = played(organiser)
    file = tmp_path / "spring.zip"
    call_command("bundle", "export", "spring", str(file))
    empty_the_house()

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
