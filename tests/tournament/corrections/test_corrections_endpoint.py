"""`corrections`, their preview and undo: results, byes and entries of complete rounds."""

from csv import DictReader
from io import BytesIO, StringIO
from typing import Any

import pytest
from python_calamine import CalamineWorkbook

from games.models import Game, JournalLine, Report
from games.play.services import adjourn_game, rule_game
from tests.events import Event, make_event, make_players, make_running, settle
from tests.people import Person, make_person, problem_in
from tournament.core.crosstable import load_crosstable
from tournament.corrections.changes import RequestedChange
from tournament.corrections.services import Requested
from tournament.corrections.services import commit as commit_correction
from tournament.corrections.services import preview as preview_correction
from tournament.entries.byes import request_bye
from tournament.events.verification import verify_tournament
from tournament.models import Bye, Correction, Entry, Pairing

pytestmark = pytest.mark.django_db
WHY = "the slip was read wrongly"


@pytest.fixture(scope="module")
def played(rows_of_module: None) -> Event:
    """A running event of nine: two rounds are complete, and the third is published."""
    owner = make_person("Olga")
    prizes = [{"name": "Open", "amounts": [300, 200, 100]}]
    event = make_event(owner, system="dutch", rounds=4, pool="star", prizes=prizes)
    entries = event.enter(*make_players(9))
    event.step("open", "start")
    request_bye(entries[8], 1, Bye.Kind.ZERO, by=owner.account)
    event.play(1)
    event.play(2)
    event.publish(3)
    return event


@pytest.fixture(scope="module")
def small_played(played: Event) -> Event:
    """A running event of four: one round is complete, and the second is published."""
    event = make_running(played.owner, 4, slug="small")
    event.play(1)
    event.publish(2)
    return event


@pytest.fixture
def event(db: None, played: Event) -> Event:
    return played.again()


@pytest.fixture
def small(db: None, small_played: Event) -> Event:
    return small_played.again()


def body_of(*changes: dict[str, Any], scope: str = "standings_pairings") -> dict[str, Any]:
    return {"changes": list(changes), "scope": scope, "reason": WHY}


def wins(game: Game, result: str = "0-1") -> dict[str, Any]:
    return {"game_id": game.pk, "result": result}


def preview(person: Person, event: Event, body: dict[str, Any]) -> dict[str, Any]:
    response = person.post(f"{event.path}/corrections?dry_run=1", body)
    assert response.status_code == 200, response.content
    return response.json()


def commit(person: Person, event: Event, body: dict[str, Any]) -> dict[str, Any]:
    """Preview and commit a correction."""
    digest = preview(person, event, body)["digest"]
    response = person.post(f"{event.path}/corrections", {**body, "digest": digest})
    assert response.status_code in (201, 202), response.content
    return response.json()


def standings(person: Person, event: Event) -> dict[int, tuple[int, dict[str, str]]]:
    rows = person.get(f"{event.path}/standings").json()["rows"]
    return {row["number"]: (row["rank"], row["values"]) for row in rows}


def moved(before: Any, after: Any) -> dict[str, Any]:
    return {"before": before, "after": after}


def numbers_of(entries: list[dict[str, Any]]) -> tuple[int, ...]:
    return tuple(entry["number"] for entry in entries)


def rows_of(event: Event) -> list[Any]:
    """Return the results of the event and what counts for its pairings."""
    games = Game.objects.filter(stream=event.stream).order_by("pk")
    columns = ("pk", "state", "basis", "winner", "draw", "termination", "score_first", "record")
    pairings = Pairing.objects.filter(tournament=event.tournament).order_by("pk")
    return [
        list(games.values_list(*columns)),
        list(pairings.values_list("round__number", "kind", "first", "counted")),
        list(event.tournament.entries.order_by("pk").values_list("pk", "seed_rating", "category")),
    ]


def test_a_preview_shows_what_the_commit_does(organiser: Person, event: Event) -> None:
    before, rows, lines = standings(organiser, event), rows_of(event), JournalLine.objects.count()
    game = event.games(1)[0]

    shown = preview(organiser, event, body_of(wins(game)))

    assert (rows_of(event), JournalLine.objects.count()) == (rows, lines)
    assert set(shown) == {"dry_run", "digest", "changes", "effect"}  # no number, which may never be
    problem = problem_in(
        organiser.post(f"{event.path}/corrections", body_of(wins(game))), 422, "invalid"
    )
    assert [error["pointer"] for error in problem["errors"]] == ["/digest"]
    (change,) = shown["changes"]
    assert (change["game_id"], change["round"], change["board"]) == (game.pk, 1, 1)
    assert change["before"] == {
        "state": "confirmed", "basis": "ruling", "result": "11-10", "termination": "ruled",
    }  # fmt: skip
    assert change["after"] == {**change["before"], "result": "0-1"}
    done = commit(organiser, event, body_of(wins(game)))
    assert {name: done[name] for name in ("changes", "effect")} == {
        name: shown[name] for name in ("changes", "effect")
    }
    assert organiser.get(f"{event.path}/rounds/3").json()["state"] == "published"
    after = standings(organiser, event)
    assert {
        row["entry"]["number"]: (row["rank"], row["values"]) for row in shown["effect"]["standings"]
    } == {
        number: (
            moved(before[number][0], after[number][0]),
            {
                code: moved(text, after[number][1][code])
                for code, text in before[number][1].items()
                if text != after[number][1][code]
            },
        )
        for number in before
        if before[number] != after[number]
    }
    assert verify_tournament(event.stream) == []


def test_tables_for_programs_name_the_corrections(
    organiser: Person, anonymous: Person, event: Event
) -> None:
    game, other = event.games(1)[0], event.games(2)[1]
    entry = event.tournament.entries.get(pairing_number=9)
    commit(organiser, event, body_of(wins(game)))
    commit(organiser, event, body_of(wins(game, "1-0f"), {"entry_id": entry.pk, "category": "u18"}))
    commit(organiser, event, body_of(wins(other), scope="rating"))
    commit(organiser, event, body_of(wins(event.games(1)[1])))
    organiser.post(f"{event.path}/corrections/4/undo", {"reason": "no"})
    entries = event.tournament.entries.filter(player__in=(game.first, game.second))
    numbers = entries.values_list("pairing_number", flat=True)
    expected = {number: [1, 2] for number in numbers} | {9: [2]}

    def marks(path: str, key: str) -> dict[int, Any]:
        listed = anonymous.get(f"{event.path}/{path}").json()["rows"]
        text = anonymous.get(f"{event.path}/{path}.csv").content.decode()
        cells = {int(row[key]): row["corrections"] for row in DictReader(StringIO(text))}
        for row in listed:
            assert cells[row[key]] == " ".join(map(str, row["corrections"]))
        return {row[key]: row["corrections"] for row in listed if row["corrections"]}

    for table in ("standings", "crosstable"):
        assert marks(table, "number") == expected
    assert marks("rounds/1/results", "board") == {1: [1, 2]}
    assert marks("rounds/2/results", "board") == {2: [3]}
    sheet = anonymous.get(f"{event.path}/standings.xlsx").content
    (row, *_) = CalamineWorkbook.from_filelike(BytesIO(sheet)).get_sheet_by_index(0).to_python()
    assert row[-1] == "corrections"


def test_an_undo_is_previewed_and_undone(organiser: Person, event: Event) -> None:
    game, entry = event.games(1)[0], event.tournament.entries.get(pairing_number=9)
    body = body_of(
        wins(game, "1-0f"),
        wins(event.games(2)[1], "annulled"),
        {"entry_id": entry.pk, "round": 1, "bye": "half_bye"},
        {"entry_id": entry.pk, "category": "seniors", "seed_rating": 1400, "title": "FM"},
    )
    before = rows_of(event), standings(organiser, event)
    commit(organiser, event, body)
    corrected = rows_of(event), standings(organiser, event)
    assert corrected != before

    for number, expected in ((1, before), (2, corrected), (3, before), (4, corrected)):
        path = f"{event.path}/corrections/{number}/undo"
        shown = organiser.post(f"{path}?dry_run=1", {"reason": "no"}).json()
        done = organiser.post(path, {"reason": "no", "digest": shown["digest"]}).json()
        assert {name: done[name] for name in ("undoes", "changes", "effect")} == {
            "undoes": number, "changes": shown["changes"], "effect": shown["effect"],
        }  # fmt: skip
        assert (rows_of(event), standings(organiser, event)) == expected
        assert verify_tournament(event.stream) == []
    problem = problem_in(
        organiser.post(f"{event.path}/corrections/2/undo", {"reason": "no"}), 409, "nothing_to_do"
    )
    assert problem["detail"] == "correction 2 was undone by correction 3"
    assert organiser.get(f"{event.path}/corrections/1").json()["undone_by"] == 2
    kinds = Report.objects.filter(game=game).order_by("version").values_list("kind", flat=True)
    assert list(kinds) == ["ruling", "ruling", *["revocation"] * 4]
    problem_in(organiser.get(f"{event.path}/corrections/9"), 404, "not_found")


def test_the_preview_of_an_undo_that_is_stale(organiser: Person, small: Event) -> None:
    commit(organiser, small, body_of(wins(small.games(1)[0])))
    path = f"{small.path}/corrections/1/undo"
    digest = organiser.post(f"{path}?dry_run=1", {"reason": "no"}).json()["digest"]
    commit(organiser, small, body_of(wins(small.games(1)[1])))

    problem_in(organiser.post(path, {"reason": "no", "digest": digest}), 412, "stale")

    problem_in(organiser.post(path, {"reason": "no", "digest": "x"}), 422, "invalid")
    assert Correction.objects.count() == 2


def test_the_bye_of_a_missed_round(organiser: Person) -> None:
    """The round was paired twice; the bye is one of the version that counts."""
    event = make_event(organiser, slug="late", system="dutch", rounds=3, missed_rounds="half")
    event.enter(*make_players(4))
    event.step("open", "start").draft(1)
    organiser.post(f"{event.path}/rounds/1/unpair", {})
    event.play(1)
    (late,) = event.enter(*make_players(1))
    event.play(2)
    late.refresh_from_db()
    before = standings(organiser, event)[late.pairing_number]

    done = commit(organiser, event, body_of({"entry_id": late.pk, "round": 1, "bye": "zero_bye"}))

    (row,) = [row for row in done["effect"]["standings"] if row["entry"]["id"] == late.pk]
    assert row["values"]["PTS"] == moved("0.5", "0")
    points = (before[1]["PTS"], standings(organiser, event)[late.pairing_number][1]["PTS"])
    assert float(points[0]) - float(points[1]) == 0.5
    assert organiser.post(f"{event.path}/corrections/1/undo", {"reason": "no"}).status_code == 201
    assert standings(organiser, event)[late.pairing_number] == before
    assert verify_tournament(event.stream) == []


def test_a_later_change_is_undone_first(organiser: Person, small: Event) -> None:
    game = small.games(1)[0]
    first = commit(organiser, small, body_of(wins(game)))
    second = commit(organiser, small, body_of(wins(game, "0-0f")))
    paths = [f"{small.path}/corrections/{c['number']}/undo" for c in (first, second)]

    problem_in(organiser.post(paths[0], {"reason": "wrong"}), 409, "changed_since")

    for path in reversed(paths):
        assert organiser.post(path, {"reason": "wrong"}).status_code == 201
    game.refresh_from_db()
    assert (game.winner, game.score_first) == ("first", 11)


@pytest.mark.parametrize(
    ("scope", "counts_in_standings", "counts_in_pairings"),
    [("standings_pairings", True, True), ("standings", True, False), ("rating", False, False)],
)
def test_the_scope_says_what_a_correction_counts_for(
    organiser: Person, event: Event, scope: str, counts_in_standings: bool, counts_in_pairings: bool
) -> None:
    game = event.games(1)[0]
    before = rows_of(event), standings(organiser, event)

    done = commit(organiser, event, body_of(wins(game), scope=scope))

    assert bool(done["effect"]["standings"]) == counts_in_standings
    assert (standings(organiser, event) != before[1]) == counts_in_standings
    assert bool(done["effect"]["rounds"]) == counts_in_pairings
    game.refresh_from_db()
    assert game.winner == "second"
    assert verify_tournament(event.stream) == []
    organiser.post(f"{event.path}/corrections/1/undo", {"reason": "no"})
    assert (rows_of(event), standings(organiser, event)) == before


@pytest.mark.parametrize(("scope", "of_pairings"), [("standings_pairings", 1), ("standings", 2)])
def test_the_scope_of_a_bye_and_of_an_entry(
    organiser: Person, event: Event, scope: str, of_pairings: int
) -> None:
    def counted() -> list[tuple[int, int]]:
        """Return the points and the rating that standings and pairings count."""
        tables = [load_crosstable(event.tournament, for_pairing=paired) for paired in (False, True)]
        return [(table.points_of(9), table.by_number[9].rating) for table in tables]

    absent = event.tournament.entries.get(pairing_number=9)
    before = rows_of(event), standings(organiser, event), counted()
    bye = {"entry_id": absent.pk, "round": 1, "bye": "full_bye"}
    body = body_of(bye, {"entry_id": absent.pk, "seed_rating": 1400}, scope=scope)

    done = commit(organiser, event, body)

    (points, rating), *_ = before[2]
    expected = [(points + 2, 1400), (points, rating)]
    assert counted() == [expected[0], expected[of_pairings - 1]]
    assert done["effect"]["standings"]
    assert bool(done["effect"]["rounds"]) == (of_pairings == 1)
    assert verify_tournament(event.stream) == []
    everywhere = preview(organiser, event, body_of({**bye, "bye": "half_bye"}))
    assert everywhere["changes"][0]["bye"] == moved("full_bye", "half_bye")
    same = organiser.post(f"{event.path}/corrections?dry_run=1", body_of(bye))
    assert same.status_code == (200 if scope == "standings" else 422)
    for number, expected_rows in ((1, before), (2, None), (3, before)):
        organiser.post(f"{event.path}/corrections/{number}/undo", {"reason": "no"})
        if expected_rows is not None:
            assert (rows_of(event), standings(organiser, event), counted()) == expected_rows
        else:
            assert counted() == [expected[0], expected[of_pairings - 1]]


def test_a_rating_that_pairings_count_lasts_until_the_entry_is_edited(
    organiser: Person, event: Event
) -> None:
    def of_pairings() -> int:
        entry.refresh_from_db()
        table = load_crosstable(event.tournament, for_pairing=True)
        return table.by_number[entry.pairing_number].rating

    entry = event.tournament.entries.get(pairing_number=9)
    rating = entry.seed_rating
    for scope, corrected, counted in (
        ("standings", 1400, rating),
        ("standings", 1500, rating),
        ("standings_pairings", 1600, 1600),
    ):
        commit(
            organiser, event, body_of({"entry_id": entry.pk, "seed_rating": corrected}, scope=scope)
        )
        assert of_pairings() == counted
    organiser.post(f"{event.path}/corrections/3/undo", {"reason": "no"})
    assert of_pairings() == rating

    organiser.patch(f"{event.path}/entries/{entry.pk}", {"seed_rating": 1550, "reason": "no"})

    assert of_pairings() == 1550


def test_a_later_round_that_would_be_paired_differently(organiser: Person, event: Event) -> None:
    rounds = preview(organiser, event, body_of(wins(event.games(1)[0])))["effect"]["rounds"]

    assert [(row["round"], row["state"]) for row in rounds] == [(2, "complete"), (3, "published")]
    both = body_of(wins(event.games(1)[0]), wins(event.games(2)[0]))
    assert [row["round"] for row in preview(organiser, event, both)["effect"]["rounds"]] == [2, 3]
    second = organiser.get(f"{event.path}/rounds/2/pairings").json()["rows"]
    played = {row["board"]: row["first"]["id"] for row in second if row["board"]}
    board = rounds[0]["boards"][0]
    assert (board["code"], board["board"]) == ("opponents", 1)
    assert board["entries"][0]["id"] == played[1]
    placed = {entry["id"] for place in board["engine"] for entry in place}
    assert placed >= {entry["id"] for entry in board["entries"]}


def test_a_round_is_compared_with_those_who_were_there(organiser: Person) -> None:
    """The player with the bye of a round is one of them; nothing changes where all won alike."""
    event = make_event(organiser, slug="odd", system="dutch", rounds=3)
    event.enter(*make_players(5))
    event.step("open", "start").play(1)
    event.play(2)
    game = event.games(1)[0]

    effect = preview(organiser, event, body_of(wins(game, "1-0")))["effect"]
    assert (effect["standings"], effect["rounds"]) == ([], [])
    won = preview(organiser, event, body_of(wins(event.games(1)[1])))["effect"]["rounds"]
    assert "bye" in {board["code"] for board in won[0]["boards"]}
    byes = [numbers_of(board["entries"]) for board in won[0]["due"] if board["board"] is None]
    assert byes == [(4,)]


def test_a_later_round_is_paired_as_after_the_right_results(organiser: Person) -> None:
    def play(slug: str, *results: str) -> Event:
        event = make_event(organiser, slug=slug, system="dutch", rounds=3)
        event.enter(*make_players(4))
        for game, result in zip(event.step("open", "start").publish(1), results, strict=True):
            rule_game(game, by=organiser.account, reason="seen", result=result)
        settle()
        organiser.post(f"{event.path}/rounds/1/complete")
        event.play(2)
        return event

    wrong, right = play("wrong", "11-10", "11-10"), play("right", "10-11", "11-10")
    pairs = Pairing.objects.filter(tournament=right.tournament, round__number=2)
    columns = ("board_number", "first__pairing_number", "second__pairing_number")

    shown = preview(organiser, wrong, body_of(wins(wrong.games(1)[0], "10-11")))["effect"]

    (changed,) = shown["rounds"]
    due = [(board["board"], *numbers_of(board["entries"])) for board in changed["due"]]
    assert due == list(pairs.order_by("board_number").values_list(*columns))
    placed = [numbers_of(place) for board in changed["boards"] for place in board["engine"]]
    assert set(placed) == {place[1:] for place in due}


def test_the_effect_has_all_leaders(organiser: Person) -> None:
    """Also those whose own row does not change; of earlier effects they are not known."""
    event = make_event(organiser, slug="points", tiebreaks=["PTS"])
    event.enter(*make_players(4))
    event.step("open", "start").play(1)
    numbers = {entry.player_id: entry.pairing_number for entry in event.tournament.entries.all()}
    first, second = event.games(1)
    winners = [numbers[game.first_id] for game in (first, second)]
    loser = numbers[second.second_id]

    effect = commit(organiser, event, body_of(wins(second)))["effect"]

    assert [sorted(numbers_of(leaders)) for leaders in effect["leaders"].values()] == [
        sorted(winners), sorted([winners[0], loser]),
    ]  # fmt: skip
    correction = Correction.objects.get()
    del correction.effect["leaders"]
    correction.save()
    assert organiser.get(f"{event.path}/corrections/1").json()["effect"]["leaders"] is None


def test_a_draft_that_would_be_paired_differently_is_withdrawn(
    organiser: Person, event: Event
) -> None:
    event.finish(3)
    event.draft(4)

    done = commit(organiser, event, body_of(wins(event.games(3)[0])))

    assert [(row["round"], row["state"]) for row in done["effect"]["rounds"]] == [(4, "drafted")]
    assert organiser.get(f"{event.path}/rounds/4").json()["state"] == "planned"
    assert verify_tournament(event.stream) == []


def test_prizes_that_change(organiser: Person, event: Event) -> None:
    """Places change with equal coins, too."""
    settings = {"prizes": [{"name": "Open", "amounts": [100, 100, 50]}]}
    why = {"reason": "the sponsor", "accept": ["prizes_change"]}
    assert organiser.patch(event.path, settings | why).status_code == 200

    def awards() -> dict[int, tuple[int, int]]:
        groups = organiser.get(f"{event.path}/prizes").json()["groups"]
        rows = [row for group in groups for row in group["awards"]]
        return {row["number"]: (row["place"], row["coins"]) for row in rows}

    before = awards()
    effect = commit(organiser, event, body_of(wins(event.games(1)[0])))["effect"]
    after = awards()

    changed = {row["entry"]["number"]: (row["place"], row["coins"]) for row in effect["prizes"]}
    nothing = (None, 0)
    assert changed == {
        number: tuple(map(moved, before.get(number, nothing), after.get(number, nothing)))
        for number in before | after
        if before.get(number) != after.get(number)
    }
    assert any(coins["before"] == coins["after"] for _, coins in changed.values())


def test_the_digest_is_of_the_scope_too(organiser: Person, small: Event) -> None:
    """The change of an entry is the same for both scopes, and here its effect as well."""
    entry = small.tournament.entries.get(pairing_number=4)
    body = body_of({"entry_id": entry.pk, "category": "u18"}, scope="standings")
    digest = preview(organiser, small, body)["digest"]
    other = {**body, "scope": "standings_pairings", "digest": digest}

    problem_in(organiser.post(f"{small.path}/corrections", other), 412, "stale")


def test_the_same_result_for_another_scope(organiser: Person, small: Event) -> None:
    """What was corrected for the ratings only counts everywhere afterwards."""
    game = small.games(1)[0]
    before = standings(organiser, small)
    commit(organiser, small, body_of(wins(game), scope="rating"))
    assert standings(organiser, small) == before

    commit(organiser, small, body_of(wins(game)))

    assert standings(organiser, small) != before
    again = organiser.post(f"{small.path}/corrections?dry_run=1", body_of(wins(game)))
    problem_in(again, 422, "nothing_to_correct")
    first = organiser.post(f"{small.path}/corrections/1/undo", {"reason": "no"})
    problem_in(first, 409, "changed_since")
    assert verify_tournament(small.stream) == []


def test_an_annulled_game_is_corrected(organiser: Person, small: Event) -> None:
    game = small.games(1)[0]
    commit(organiser, small, body_of(wins(game, "annulled")))

    done = commit(organiser, small, body_of(wins(game, "1-0")))

    (change,) = done["changes"]
    assert (change["before"]["state"], change["after"]["result"]) == ("annulled", "1-0")


def test_an_adjourned_game_is_not_corrected(organiser: Person, event: Event) -> None:
    game = event.games(3)[0]
    adjourn_game(game, by=organiser.account, reason="night")
    for other in event.games(3)[1:]:
        rule_game(other, by=organiser.account, reason="seen", result="1-0")
    settle()
    assert organiser.post(f"{event.path}/rounds/3/complete").status_code == 200

    problem_in(
        organiser.post(f"{event.path}/corrections?dry_run=1", body_of(wins(game))), 409, "game_open"
    )


def test_both_games_of_a_pairing(organiser: Person) -> None:
    """Each keeps what counts of the other; the seats are those of the game."""
    event = make_event(organiser, slug="double", system="dutch", rounds=2, games_per_pairing=2)
    event.enter(*make_players(4))
    event.step("open", "start").publish(1)
    results = [
        {"board": board, "return_game": again, "result": "1-0"}
        for board in (1, 2)
        for again in (False, True)
    ]
    organiser.post(f"{event.path}/rounds/1/results", {"results": results, "basis": "slip"})
    organiser.post(f"{event.path}/rounds/1/complete")
    pairing = Pairing.objects.get(tournament=event.tournament, board_number=1)
    before = rows_of(event), standings(organiser, event)
    changes = [
        {"game_id": game, "result": "0-1"} for game in (pairing.game_id, pairing.return_game_id)
    ]

    done = commit(organiser, event, body_of(*changes, scope="rating"))

    seats = [(row["first"]["id"], row["second"]["id"]) for row in done["changes"]]
    assert seats == [
        (pairing.first_id, pairing.second_id), (pairing.second_id, pairing.first_id),
    ]  # fmt: skip
    assert standings(organiser, event) == before[1]
    assert verify_tournament(event.stream) == []
    organiser.post(f"{event.path}/corrections/1/undo", {"reason": "no"})
    assert (rows_of(event), standings(organiser, event)) == before


def test_a_value_that_was_edited_since_is_not_undone(organiser: Person, small: Event) -> None:
    entry = small.tournament.entries.get(pairing_number=4)
    values = {"category": "seniors", "seed_rating": 1400}
    commit(organiser, small, body_of({"entry_id": entry.pk, **values}))
    organiser.patch(f"{small.path}/entries/{entry.pk}", {"category": "u18", "reason": "no"})

    undo = organiser.post(f"{small.path}/corrections/1/undo", {"reason": "no"})

    problem_in(undo, 409, "changed_since")


def test_what_changed_between_the_preview_and_the_commit(organiser: Person, small: Event) -> None:
    """The preview is made without a lock, and again under it if anything has happened since."""
    change = RequestedChange(game=small.games(1)[0].pk, result="0-1")
    other = RequestedChange(game=small.games(1)[1].pk, result="0-1")
    first, second = (
        Requested(tournament=small.tournament, by=organiser.account, reason=WHY, changes=[each])
        for each in (change, other)
    )
    previewed, stale = preview_correction(first), preview_correction(second)
    commit_correction(first, previewed)

    correction, _ = commit_correction(second, stale)

    assert correction.number == 2
    assert correction.effect == Correction.objects.get(number=2).effect != stale.effect.as_json()
    assert verify_tournament(small.stream) == []


def test_a_rating_in_a_system_that_pairs_by_ratings(organiser: Person) -> None:
    """For the standings only, it changes no pairing; the preview of an undo knows what it kept."""
    event = make_event(organiser, slug="groups", system="mcmahon", rounds=3)
    event.enter(*make_players(6))
    event.step("open", "start").play(1)
    event.play(2)
    entry = event.tournament.entries.get(pairing_number=1)

    def rounds(path: str, body: dict[str, Any]) -> list[int]:
        effect = organiser.post(f"{event.path}/{path}?dry_run=1", body).json()["effect"]
        return [row["round"] for row in effect["rounds"]]

    lower = body_of({"entry_id": entry.pk, "seed_rating": 1100}, scope="standings")
    assert rounds("corrections", lower) == []
    commit(organiser, event, lower)
    lowest = body_of({"entry_id": entry.pk, "seed_rating": 1000})
    assert rounds("corrections", lowest) == [2]
    commit(organiser, event, lowest)
    assert rounds("corrections/2/undo", {"reason": "no"}) == [2]


@pytest.mark.parametrize("state", ["published", "drafted"])
def test_other_players_of_a_bracket_are_accepted(
    organiser: Person, anonymous: Person, state: str
) -> None:
    """A draft with other players is withdrawn, and strangers do not read whom it had."""
    event = make_event(organiser, slug="cup", system="knockout", rounds=2)
    event.enter(*make_players(4))
    event.step("open", "start").play(1)
    event.draft(2) if state == "drafted" else event.publish(2)
    body = body_of(wins(event.games(1)[0]))
    shown = preview(organiser, event, body)
    assert shown["effect"]["advances"]["round"] == 2

    body["digest"] = shown["digest"]
    if state == "published":
        problem_in(organiser.post(f"{event.path}/corrections", body), 409, "advance_changes")
        body["accept"] = ["advance_changes"]
    done = organiser.post(f"{event.path}/corrections", body).json()

    assert done["effect"]["advances"] == shown["effect"]["advances"]
    now = "planned" if state == "drafted" else state
    assert organiser.get(f"{event.path}/rounds/2").json()["state"] == now
    seen = anonymous.get(f"{event.path}/corrections/1").json()["effect"]["advances"]
    assert seen == (None if state == "drafted" else done["effect"]["advances"])


def test_a_value_that_changes_no_rank_is_shown(organiser: Person) -> None:
    event = make_event(organiser, slug="duel", rounds=1, tiebreaks=["PTS", "WON"])
    event.enter(*make_players(2))
    event.step("open", "start").play(1)

    effect = preview(organiser, event, body_of(wins(event.games(1)[0], "1-0f")))["effect"]

    shown = [(row["rank"], row["values"]) for row in effect["standings"]]
    assert shown == [(moved(1, 1), {"WON": moved("1", "0")})]


def test_a_preview_that_is_stale(organiser: Person, event: Event) -> None:
    body = body_of(wins(event.games(1)[0]))
    digest = preview(organiser, event, body)["digest"]
    unrelated = event.games(3)[0]
    organiser.post(f"games/{unrelated.pk}/rule", {"result": "1-0", "reason": "a slip"})
    commit(organiser, event, body_of(wins(event.games(1)[1])))

    problem = problem_in(
        organiser.post(f"{event.path}/corrections", {**body, "digest": digest}), 412, "stale"
    )

    kinds = [line["kind"] for line in problem["changed"]]
    assert kinds[-1] == "correction.committed"
    assert problem["current"].partition(".")[0] > digest.partition(".")[0]
    assert {action["operation"] for action in problem["allowed_actions"]} >= {"commit_correction"}
    assert Correction.objects.count() == 1


def test_a_correction_is_committed_once(organiser: Person, small: Event) -> None:
    body = body_of(wins(small.games(1)[0]))
    digest = preview(organiser, small, body)["digest"]
    commit(organiser, small, body)

    response = organiser.post(f"{small.path}/corrections", {**body, "digest": digest})

    problem = problem_in(response, 412, "stale")
    assert "round 1, board 1: this is the result already" in problem["detail"]
    assert [line["kind"] for line in problem["changed"]][-1] == "correction.committed"
    fresh = f"{problem['changed'][-1]['sequence']}.{'0' * 64}"
    response = organiser.post(f"{small.path}/corrections", {**body, "digest": fresh})
    problem_in(response, 422, "nothing_to_correct")


def test_a_result_of_the_current_round_does_not_make_a_preview_stale(
    organiser: Person, event: Event
) -> None:
    body = body_of(wins(event.games(1)[0]))
    digest = preview(organiser, event, body)["digest"]
    unrelated = event.games(3)[0]
    organiser.post(f"games/{unrelated.pk}/rule", {"result": "1-0", "reason": "a slip"})

    response = organiser.post(f"{event.path}/corrections", {**body, "digest": digest})

    assert response.status_code == 201
    tag = organiser.get(response["Location"])["ETag"]
    assert (response["Location"], response["ETag"]) == (response.json()["url"], tag)


REFUSED: list[tuple[list[dict[str, Any]], int, str | None, str]] = [
    ([{"game_id": 2**40, "result": "1-0"}], 422, "unknown_game", "/changes/0/game_id"),
    ([{"game_id": "first", "result": "1/2"}], 422, "impossible_result", "/changes/0/result"),
    ([{"game_id": "first", "result": "11-10"}], 422, "nothing_to_correct", "/changes/0/result"),
    ([{"game_id": "first", "result": "0-1"}] * 2, 422, "listed_twice", "/changes/1"),
    ([{"game_id": "open", "result": "0-1"}], 409, "wrong_state", "/changes/0/game_id"),
    ([{"entry_id": 2**40, "category": "u8"}], 422, "unknown_entry", "/changes/0/entry_id"),
    ([{"entry_id": "second", "category": ""}], 422, "nothing_to_correct", "/changes/0"),
    ([{"entry_id": "second", "birth_year": 2199}], 422, "wrong_year", "/changes/0/birth_year"),
    ([{"entry_id": "second", "round": 1, "bye": "half_bye"}], 422, "no_bye", "/changes/0/bye"),
    ([{"entry_id": "second", "round": 9, "bye": "half_bye"}], 422, "no_such_round",
     "/changes/0/round"),
    ([{"entry_id": "second", "round": 3, "bye": "half_bye"}], 409, "wrong_state",
     "/changes/0/round"),
    ([{"entry_id": "second", "round": 1, "bye": "half_bye"}] * 2, 422, "listed_twice",
     "/changes/1"),
    ([{"game_id": "first"}], 422, "invalid", "/changes/0"),
    ([{"game_id": "first", "result": "0-1", "category": "u8"}], 422, "invalid", "/changes/0"),
    ([{"game_id": "first", "record": "nonsense"}], 422, None, "/changes/0/record"),
    ([{"entry_id": "waiting", "category": "u8"}], 422, "unknown_entry", "/changes/0/entry_id"),
]  # fmt: skip


def test_what_cannot_be_corrected(organiser: Person, event: Event) -> None:
    ids = {
        "first": event.games(1)[0].pk,
        "open": event.games(3)[0].pk,
        "second": event.tournament.entries.get(pairing_number=2).pk,
        "waiting": event.enter(*make_players(1))[0].pk,
    }
    Entry.objects.filter(pk=ids["waiting"]).update(state="applied", pairing_number=None)
    for changes, status, code, pointer in REFUSED:
        sent = [{name: ids.get(of, of) for name, of in change.items()} for change in changes]
        response = organiser.post(f"{event.path}/corrections?dry_run=1", body_of(*sent))

        problem = problem_in(response, status, code or "")
        assert problem["errors"][0]["pointer"] == pointer, changes
    for count, code in ((100, "listed_twice"), (101, "invalid")):
        many = body_of(*[wins(event.games(1)[0])] * count)
        problem_in(organiser.post(f"{event.path}/corrections?dry_run=1", many), 422, code)
    of_ratings = body_of({"entry_id": ids["second"], "category": "u8"}, scope="rating")
    problem = problem_in(
        organiser.post(f"{event.path}/corrections?dry_run=1", of_ratings), 422, "wrong_scope"
    )
    assert problem["valid"] == ["standings_pairings", "standings"]
    of_ratings["changes"].append(wins(event.games(1)[0]))
    response = organiser.post(f"{event.path}/corrections?dry_run=1", of_ratings)
    problem_in(response, 422, "wrong_scope")


def test_everybody_sees_what_was_corrected_without_personal_values_and_drafts(
    organiser: Person, event: Event, anonymous: Person
) -> None:
    event.finish(3)
    event.draft(4)
    entry = event.tournament.entries.get(pairing_number=2)
    values = {"category": "seniors", "birth_year": 1950, "seed_rating": 1400}
    done = commit(
        organiser, event, body_of(wins(event.games(3)[0]), {"entry_id": entry.pk, **values})
    )
    # The draft was withdrawn; the stored effect still has it.
    assert [row["round"] for row in done["effect"]["rounds"]] == [4]

    seen = anonymous.get(f"{event.path}/corrections/1").json()

    assert seen["effect"]["rounds"] == []
    assert [change.get("after") for change in seen["changes"]] == [
        done["changes"][0]["after"],
        {"seed_rating": 1400},
    ]
    assert done["changes"][1]["after"] == values
    assert (seen["reason"], seen["actor"]) == (WHY, f"account/{organiser.account.pk}")
    (listed,) = anonymous.get(f"{event.path}/corrections").json()["results"]
    assert listed == {name: seen[name] for name in listed}


def test_unset_values_are_null(organiser: Person, small: Event) -> None:
    entry = small.tournament.entries.get(pairing_number=2)
    rating = entry.seed_rating
    commit(organiser, small, body_of({"entry_id": entry.pk, "seed_rating": None, "title": None}))

    (change,) = organiser.get(f"{small.path}/corrections/1").json()["changes"]
    assert (change["before"], change["after"]) == ({"seed_rating": rating}, {"seed_rating": None})
    body = body_of({"entry_id": entry.pk, "seed_rating": 0})
    problem = problem_in(organiser.post(f"{small.path}/corrections?dry_run=1", body), 422)
    assert [(error["pointer"], error["min"], error["max"]) for error in problem["errors"]] == [
        ("/changes/0/seed_rating", 100, 4000)
    ]


def test_the_values_of_an_erased_person_are_removed(
    organiser: Person, small: Event, staff: Person
) -> None:
    entry = small.tournament.entries.get(pairing_number=2)
    values = {"category": "seniors", "birth_year": 1950, "seed_rating": 1400}
    commit(organiser, small, body_of({"entry_id": entry.pk, **values}))

    assert staff.post(f"players/{entry.player_id}/erase").status_code < 300

    (change,) = organiser.get(f"{small.path}/corrections/1").json()["changes"]
    assert change["after"] == {"seed_rating": 1400}
    assert change["entry"]["player"]["name"] == f"player {entry.player_id}"
