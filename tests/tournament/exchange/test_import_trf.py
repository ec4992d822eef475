"""`POST /tournaments/import`: results, rejections with their line, standings by gacrux."""

from dataclasses import replace
from pathlib import Path

import pytest

from games.models import Game, JournalLine, Player, Report
from tests.events import settle
from tests.people import Person, problem_in
from tests.tournament.imports import ADA, HEADER, NAMESAKE, TRF_ADDRESS, post_trf, two_players
from tests.tournament.standings.events import swiss
from tournament.core.crosstable import load_crosstable
from tournament.models import Entry, Tournament
from tournament.standings.crosstable import Crosstable
from tournament.trf import TrfFile, read_trf, write_trf

HARBOUR = Path("deploy/samples/harbour-open/harbour-open.trf").read_bytes()


def cells(table: Crosstable) -> list[tuple[object, ...]]:
    """Return the results of every player, without what no import stores."""
    return [
        (
            player.number,
            player.name,
            player.rating,
            [(r.kind, r.opponent, r.seat) for r in player.results],
            table.points_of(player.number),
        )
        for player in table.players
    ]


def test_a_file_becomes_a_tournament(organiser: Person) -> None:
    found = post_trf(organiser, HARBOUR)

    tournament = Tournament.objects.get(slug=found["tournament"]["slug"])
    assert tournament.name == "Harbour Open"
    assert tournament.state == "review"
    assert tournament.slug in {
        role["tournament"]["slug"] for role in organiser.get("me").json()["roles"]
    }
    expected = read_trf(HARBOUR).crosstable
    assert cells(load_crosstable(tournament)) == cells(expected)
    assert [item["agrees"] for item in found["rounds"]] != []
    assert set(Game.objects.values_list("basis", flat=True)) == {"ruling"}
    assert Report.objects.filter(settled_at__isnull=True).count() == 0
    line = JournalLine.objects.filter(kind="tournament.imported").get()
    boards = [board for one in line.payload.body["rounds"] for board in one["boards"]]
    assert {board[4] for board in boards} - {None} == set(Game.objects.values_list("pk", flat=True))


def test_settling_again_changes_no_result(organiser: Person) -> None:
    post_trf(organiser, HARBOUR)
    before = list(Game.objects.order_by("pk").values("state", "winner", "draw", "termination"))
    Report.objects.update(settled_at=None)

    settle()

    after = list(Game.objects.order_by("pk").values("state", "winner", "draw", "termination"))
    assert after == before


def test_players_are_found_by_name_and_country(organiser: Person) -> None:
    first = post_trf(organiser, HARBOUR)
    again = post_trf(organiser, HARBOUR, "&slug=again")

    assert {item["action"] for item in first["players"]} == {"created"}
    assert {item["action"] for item in again["players"]} == {"known"}
    assert [item["player"]["id"] for item in again["players"]] == [
        item["player"]["id"] for item in first["players"]
    ]


def test_the_fide_id_takes_precedence_over_the_name(organiser: Person) -> None:
    known = Player.objects.create(name="Lovelace, Ada", external_ids={"fide": "1234567"})
    namesake = Player.objects.create(name="Ada", country="POR")

    found = post_trf(organiser, write_trf(two_players(ADA, NAMESAKE)))

    assert [item["player"]["id"] for item in found["players"]] == [known.pk, namesake.pk]
    exported = organiser.get(
        f"tournaments/{found['tournament']['slug']}/standings.trf"
    ).content.decode()
    assert "1234567" in exported


def test_all_wrong_ids_and_ratings_are_refused_with_their_cells(organiser: Person) -> None:
    players = replace(ADA, fide_id="x17", rating=2), replace(NAMESAKE, fide_id="?")
    wrong = write_trf(two_players(*players))
    lines = wrong.splitlines()
    first, second = (n for n, line in enumerate(lines, start=1) if line.startswith("001"))

    answer = organiser.post(TRF_ADDRESS, wrong.encode(), content_type="text/plain")

    problem = problem_in(answer, 422, "invalid_trf")
    assert [
        (error["line"], error["column"], error.get("pointer")) for error in problem["errors"]
    ] == [(first, 49, ""), (first, 58, "/players/1"), (second, 58, "/players/2")]
    assert "'x17' is no FIDE id" in problem["errors"][1]["detail"]
    assert problem["detail"].endswith(", and 2 more; nothing was imported")
    assert not Tournament.objects.exists()


@pytest.mark.parametrize(
    ("written", "stored"), [("0", None), ("00000000", None), ("00296155", "296155")]
)
def test_an_id_of_zeros_is_none_and_leading_zeros_are_left_out(
    organiser: Person, written: str, stored: str | None
) -> None:
    post_trf(organiser, write_trf(two_players(replace(ADA, fide_id=written), NAMESAKE)))
    assert Player.objects.get(seed_rating=1900).external_ids.get("fide") == stored


def test_two_lines_with_the_same_name_are_two_players(organiser: Person) -> None:
    found = post_trf(organiser, write_trf(two_players(replace(ADA, fide_id=""), NAMESAKE)))

    assert len({item["player"]["id"] for item in found["players"]}) == 2


def test_an_ambiguous_player_is_refused_and_named_by_the_caller(organiser: Person) -> None:
    first, second = (Player.objects.create(name="Ben", country="POR", club=c) for c in "AB")
    text = write_trf(two_players(ADA, replace(NAMESAKE, name="Ben")))

    for query in ("", "&dry_run=1"):
        answer = organiser.post(TRF_ADDRESS + query, text.encode(), content_type="text/plain")
        problem = problem_in(answer, 422, "ambiguous_player")
        advice = "; name the player by id (or `new`), as ?players=3:17,4:new; nothing was imported"
        assert problem["detail"].endswith(advice)
        (error,) = problem["errors"]
        assert error["pointer"] == "/players/2"
        assert [row["id"] for row in error["candidates"]] == [first.pk, second.pk]
    assert not Tournament.objects.exists()
    known = post_trf(organiser, text, f"&dry_run=1&players=2:{second.pk}")["players"][1]
    new = post_trf(organiser, text, "&players=2:new")["players"][1]

    assert (known["action"], known["player"]["id"]) == ("known", second.pk)
    assert (new["action"], new["player"]["id"]) == ("created", Player.objects.latest("pk").pk)


def test_a_dry_run_changes_nothing(organiser: Person) -> None:
    found = post_trf(organiser, HARBOUR, "&dry_run=1")

    assert found["dry_run"] is True
    assert {item["player"]["id"] for item in found["players"]} == {None}
    counts = [model.objects.count() for model in (Tournament, Player, Game, JournalLine, Entry)]
    assert counts == [0] * 5


def test_a_round_in_play_is_published(organiser: Person) -> None:
    paired = write_trf(two_players(ADA, replace(NAMESAKE, name="Ben"), rounds=2))
    text = paired.replace(" w 1\n", " w\n").replace(" b 0\n", " b\n").replace("1.0", "0.0")
    found = post_trf(organiser, text)

    assert found["state"] == "running"
    (game,) = Game.objects.all()
    assert (game.state, game.first.name) == ("open", "Ada")
    path = f"tournaments/{found['tournament']['slug']}/rounds/1"
    assert organiser.get(path).json()["state"] == "published"


def altered(old: str, new: str) -> bytes:
    text = HARBOUR.decode()
    assert old in text
    return text.replace(old, new, 1).encode()


BROKEN = {
    "another format": (b'[Event "Spring"]\n\n1. e4 e5 1-0\n', 422, "invalid_trf"),
    "half a file": (HARBOUR[: len(HARBOUR) // 2], 422, "invalid_trf"),
    "a file of a team event": (HARBOUR + b"352 WBWB\n", 422, "invalid_trf"),
    "points that do not add up": (
        altered("4.0    1", "3.5    1"),
        422,
        "invalid_trf",
    ),
    "no dates": (
        HARBOUR.replace(b"\n042", b"\n043").replace(b"\n052", b"\n053"),
        422,
        "dates_needed",
    ),
}


@pytest.mark.parametrize(
    ("written", "day"),
    [
        ("21.7.2027", "2027-07-21"), ("07-21-2027", "2027-07-21"), ("05/05/2027", "2027-05-05"),
    ],
)  # fmt: skip
def test_dates_that_do_not_start_with_the_year(organiser: Person, written: str, day: str) -> None:
    event = post_trf(organiser, dated(written))["tournament"]["slug"]

    found = Tournament.objects.get(slug=event)
    assert (str(found.starts_on), str(found.ends_on)) == (day, day)


@pytest.mark.parametrize(
    ("first", "last", "days"),
    [
        ("May 29, 2020", "May 30, 2020", ("2020-05-29", "2020-05-30")),
        ("28. 07. 2005", "31. 07. 2005", ("2005-07-28", "2005-07-31")),
        ("04/05/2025", "15/06/2025", ("2025-05-04", "2025-06-15")),
        ("04/13/2025", "05/06/2025", ("2025-04-13", "2025-05-06")),
        ("Fr., 1. Mai 2026", "03.05.2026", ("2026-05-01", "2026-05-03")),
        ("2026/05/01", "03/05/2026", ("2026-05-01", "2026-05-03")),
    ],
)
def test_dates_that_are_clear_together(
    organiser: Person, first: str, last: str, days: tuple[str, str]
) -> None:
    event = post_trf(organiser, dated(first, last))["tournament"]["slug"]

    found = Tournament.objects.get(slug=event)
    assert (str(found.starts_on), str(found.ends_on)) == days


@pytest.mark.parametrize(
    ("first", "last", "details"),
    [
        ("03/04/2027", "03/04/2027", ["03/04/2027 can be two days"] * 2),
        ("2027/13/32", "2027/05/01", ["2027/13/32 is not a day of the calendar"]),
        ("2026/02/28", "31/02/2026", ["31/02/2026 is not a day of the calendar"]),
        ("2027/05/02", "2027/05/01", ["2027/05/01 is before the first day, 2027-05-02"]),
    ],
)
def test_unclear_dates_are_named(
    organiser: Person, first: str, last: str, details: list[str]
) -> None:
    content = dated(first, last)
    answer = organiser.post(TRF_ADDRESS, content, content_type="text/plain")

    problem = problem_in(answer, 422, "dates_needed")
    named = f"the dates of the file are unclear (records 042, 052: {first}, {last})"
    assert named in problem["detail"]
    lines = content.decode().splitlines()
    for error, detail in zip(problem["errors"], details, strict=True):
        assert error["detail"].startswith(detail)
        assert error["detail"].split()[0] in lines[error["line"] - 1]


def test_a_day_of_a_round_that_does_not_exist_is_left_out(organiser: Person) -> None:
    dates = b"132".ljust(91) + b"26/13/45  27/05/02\n"
    left_out = post_trf(organiser, dated("2027/05/01") + b"\n" + dates)["left_out"]
    assert "the day of round 1: 26/13/45" in left_out


def dated(written: str, last: str = "") -> bytes:
    lines = [line for line in HARBOUR.splitlines() if line[:3] not in (b"042", b"052", b"132")]
    first, end = written.encode(), (last or written).encode()
    return b"\n".join([lines[0], b"042 " + first, b"052 " + end, *lines[1:], b""])


def test_a_rating_that_no_player_has_names_its_line(organiser: Person) -> None:
    lines = HARBOUR.splitlines()
    place = next(index for index, line in enumerate(lines) if line.startswith(b"001"))
    lines[place] = lines[place][:48] + b"   2" + lines[place][52:]

    answer = organiser.post(TRF_ADDRESS, b"\n".join(lines), content_type="text/plain")

    (error,) = problem_in(answer, 422, "invalid_trf")["errors"]
    assert (error["line"], error["column"]) == (place + 1, 49)
    assert "the rating 2" in error["detail"]


def test_the_encoding_of_a_file_is_recognised_or_named(organiser: Person) -> None:
    text = HARBOUR.decode().encode("ascii", "replace").decode()
    text = text.replace("Harbour Open", "Müller-Pokal", 1)
    sent = text.encode("mac-roman")
    refused = problem_in(organiser.post(TRF_ADDRESS, sent, content_type="text/plain"), 422)
    assert refused["code"] == "encoding_needed"
    readings = {one["encoding"]: one["names"] for one in refused["readings"]}
    assert readings["mac-roman"] == ["012 Müller-Pokal"]
    named = {"slug": "mac", "name": "Müller-Pokal"}
    assert post_trf(organiser, sent, "&encoding=mac-roman&slug=mac")["tournament"] == named
    found = post_trf(organiser, text.encode("utf-16"), "&slug=utf")
    assert found["tournament"] == named | {"slug": "utf"}
    assert {*Tournament.objects.values_list("name", flat=True)} == {"Müller-Pokal"}


@pytest.mark.parametrize(("content", "status", "code"), BROKEN.values(), ids=BROKEN)
def test_an_invalid_file_is_rejected(
    organiser: Person, content: bytes, status: int, code: str
) -> None:
    answer = organiser.post(TRF_ADDRESS, content, content_type="text/plain")

    problem = problem_in(answer, status, code)
    if code == "invalid_trf":
        assert problem["errors"][0]["line"] >= 1
        assert problem["detail"].startswith("line ")
    assert (Tournament.objects.count(), Player.objects.count()) == (0, 0)


@pytest.mark.parametrize(
    ("query", "code"),
    [
        ("?ruleset=chess&board_size=8", "unknown_ruleset"),
        ("?ruleset=star-star&board_size=10&tiebreaks=PTS,XYZ", "unknown_tiebreak"),
        ("?ruleset=star-star&board_size=10&slug=import", "slug_needed"),
        ("?ruleset=star-star&board_size=10&starts_on=2027-01-01", "senseless_dates"),
    ],
)
def test_invalid_settings_are_rejected(organiser: Person, query: str, code: str) -> None:
    answer = organiser.post(f"tournaments/import{query}", HARBOUR, content_type="text/plain")

    problem_in(answer, 422, code)
    assert Player.objects.count() == 0


def test_a_slug_is_unique(organiser: Person) -> None:
    post_trf(organiser, HARBOUR)
    players = Player.objects.count()

    problem_in(organiser.post(TRF_ADDRESS, HARBOUR, content_type="text/plain"), 409, "slug_taken")

    assert Player.objects.count() == players


@pytest.mark.parametrize(
    ("words", "encoded", "time"),
    [
        ("15 min + 10 s", "", (15, 10)),
        ("15 min", "5400+30", (90, 30)),
        ("15 min", "W300-B240", (None, 0)),
    ],
)
def test_the_time_control_of_a_file(
    organiser: Person, words: str, encoded: str, time: tuple[int | None, int]
) -> None:
    document = two_players(ADA, NAMESAKE)
    header = replace(document.header, time_control=words, encoded_time=encoded)
    written = write_trf(replace(document, header=header))
    found = post_trf(organiser, written, "&slug=timed")

    tournament = Tournament.objects.get()
    assert (tournament.main_minutes, tournament.increment_seconds) == time
    assert {(game.main_minutes, game.increment_seconds) for game in Game.objects.all()} == {time}
    assert tournament.time_control == words
    is_left_out = f"the time control {encoded}" in found["left_out"]
    assert is_left_out == (bool(encoded) and time[0] is None)
    exported = read_trf(organiser.get("tournaments/timed/standings.trf").content).header
    expected = {(15, 10): "900+10", (90, 30): "5400+30"}.get(time, "")
    assert (exported.time_control, exported.encoded_time) == (words, expected)


@pytest.mark.parametrize(
    ("day", "rank", "rules"),
    [
        ("2026-03-01", 1, None),
        ("2026-02-01", 1, "(C.07 as in force from 2026-03-01)"),
        ("2026-01-31", 1, "(C.04 as in force from 2026-02-01, C.07 as in force from 2026-03-01)"),
        ("2026-01-31", 0, "(C.04 as in force from 2026-02-01)"),
    ],
)
def test_an_older_file_may_differ_by_the_edition_of_its_rules(
    organiser: Person, day: str, rank: int, rules: str | None
) -> None:
    """The rounds are random; the players all have rank 1 in the file, or none."""
    table = swiss(1)
    ranks = {player.number: rank for player in table.players if rank}
    text = write_trf(TrfFile(crosstable=table, header=HEADER, ranks=ranks))

    edition = post_trf(organiser, text, f"&starts_on={day}&ends_on=2026-04-01")["edition"]

    assert (edition or "none").count(rules or "none") == 1


def test_ranks_that_need_records_reject_no_file(organiser: Person) -> None:
    text = write_trf(TrfFile(crosstable=swiss(1), header=HEADER, ranks={1: 1, 2: 2}))
    answer = post_trf(organiser, text, "&system=monrad&tiebreaks=PTS,MARGIN")
    assert {compared["why"] for compared in answer["rounds"]} == {None}
