"""`/merges`: two registrations of one person become one player, and two again."""

import pytest

from games.models import Game, JournalLine, Player
from ratings.models import Pool, Rating
from ratings.runs.services import advance_pool
from ratings.runs.verification import verify_pool
from tests.events import Event, make_event, make_players
from tests.people import Person, player_of, problem_in
from tests.ratings.factories import make_game
from tests.tournament.events.test_verify_state import verify
from tests.tournament.imports import final_event


@pytest.fixture
def event(organiser: Person) -> Event:
    """A final event of six players, rated in the pool `star`."""
    return final_event(organiser)


@pytest.fixture
def other(db: None) -> Player:
    return Player.objects.create(name="Ada Lovelace", external_ids={"fide": "17"})


def merge(staff: Person, keep: Player, merged: Player, query: str = "") -> dict[str, object]:
    response = staff.post(f"merges{query}", {"keep_id": keep.pk, "merge_id": merged.pk})
    assert response.status_code == (200 if query else 201), response.content
    body: dict[str, object] = response.json()
    return body


def rated_players() -> dict[int, int]:
    """Return the ratings of the pool after the next run, by player."""
    pool = Pool.objects.get(code="star")
    advance_pool(pool.pk)
    assert verify_pool(Pool.objects.get(code="star")) == []
    return dict(Rating.objects.values_list("player", "rating"))


def test_games_entries_and_ratings_move_and_return(
    staff: Person, anonymous: Person, event: Event, other: Player
) -> None:
    ada = Player.objects.get(name="Ada")
    before, standings = rated_players(), anonymous.get(f"{event.path}/standings").json()
    games = [game["id"] for game in anonymous.get(f"games?player={ada.pk}").json()["results"]]

    merged = merge(staff, other, ada)

    assert (merged["entries"], merged["games"], merged["pools"]) == (1, len(games), ["star"])
    moved = rated_players()
    assert moved == {other.pk if pk == ada.pk else pk: value for pk, value in before.items()}
    found = anonymous.get(f"games?player={other.pk}").json()["results"]
    assert [game["id"] for game in found] == games
    seats = [{game["first"]["player"]["name"], game["second"]["player"]["name"]} for game in found]
    assert all("Ada Lovelace" in names and "Ada" not in names for names in seats)
    assert anonymous.get(f"players/{ada.pk}").json()["id"] == other.pk
    for table in ("standings", "rounds/1/pairings", "rounds/1/results"):
        (row,) = anonymous.get(f"{event.path}/{table}?player={other.pk}").json()["rows"]
        assert "Ada Lovelace" in str(row), table
    assert "Ada Lovelace" in anonymous.get(f"{event.path}/standings.csv").content.decode()
    assert verify() == []

    undone = staff.post(f"merges/{merged['id']}/undo").json()

    assert undone["undone_at"] is not None
    assert rated_players() == before
    assert anonymous.get(f"{event.path}/standings").json()["rows"] == standings["rows"]
    lines = JournalLine.objects.filter(stream="site").order_by("sequence")
    assert list(lines.values_list("kind", flat=True))[-2:] == ["player.merged", "merge.undone"]
    problem_in(staff.post(f"merges/{merged['id']}/undo"), 409, "nothing_to_do")


def test_an_account_and_external_ids_follow_and_return(
    staff: Person, ada: Person, other: Player
) -> None:
    own = player_of(ada)
    Player.objects.filter(pk=own.pk).update(external_ids={"egf": "9"})

    number = merge(staff, other, own)["id"]
    other.refresh_from_db()
    assert (other.account, other.external_ids) == (ada.account, {"fide": "17", "egf": "9"})
    staff.post(f"merges/{number}/undo")

    other.refresh_from_db()
    assert (other.account, other.external_ids) == (None, {"fide": "17"})
    assert Player.objects.get(pk=own.pk).account == ada.account


def test_the_kept_account_plays_for_the_merged_entry(
    staff: Person, organiser: Person, stranger: Person, ada: Person, ben: Person, other: Player
) -> None:
    event = make_event(organiser, public=False)
    entry, _ = event.enter(other, player_of(ben))
    event.step("open", "start")
    merge(staff, player_of(ada), other)

    (game,) = event.publish()
    claim = {"claim": {"result": "11-10"}}

    assert ada.get(f"{event.path}/entries/{entry.pk}").json()["player"]["name"] == "Ada"
    names = [row["player"]["name"] for row in ada.get(f"{event.path}/entries").json()["results"]]
    assert sorted(names) == ["Ada", "Ben"]
    assert ada.post(f"games/{game.pk}/reports", claim).status_code == 202
    assert ada.post(f"{event.path}/entries/{entry.pk}/consent").status_code == 200
    issued = organiser.post(f"{event.path}/entries/{entry.pk}/token")
    linked = Person("linked", secret=issued.json()["token"])
    assert linked.get(f"{event.path}/entries/{entry.pk}").status_code == 200
    problem_in(stranger.get(f"games/{game.pk}"), 404, "not_found")


def test_a_merge_of_merged_players_is_undone_in_order(staff: Person, db: None) -> None:
    first, second, third = make_players(3)
    inner = merge(staff, second, first)["id"]
    outer = merge(staff, third, second)["id"]

    assert set(third.merged.values_list("pk", flat=True)) == {first.pk, second.pk}
    problem_in(staff.post(f"merges/{inner}/undo"), 409, "merged_since")
    staff.post(f"merges/{outer}/undo")
    assert list(second.merged.values_list("pk", flat=True)) == [first.pk]
    assert staff.post(f"merges/{inner}/undo").status_code == 200
    assert not Player.objects.filter(merged_into__isnull=False).exists()


def test_players_of_one_game_are_two_persons(staff: Person, db: None) -> None:
    """Their games would be excluded in silence, those of a merged player too."""
    ann, bo, cy = make_players(3)
    Player.objects.filter(pk=cy.pk).update(merged_into=bo)
    games = [make_game(ann, bo), make_game(cy, ann, ""), make_game(ann, bo, state="annulled")]
    make_game(bo, ann, "", state="declined")
    for keep, merge in ((ann, bo), (bo, ann)):
        answer = staff.post("merges", {"keep_id": keep.pk, "merge_id": merge.pk})
        problem = problem_in(answer, 409, "played_each_other")
        assert problem["games"] == [game.pk for game in games[:2]]
    for game in games[:2]:
        Game.objects.filter(pk=game.pk).update(state="annulled")
    assert staff.post("merges", {"keep_id": ann.pk, "merge_id": bo.pk}).status_code == 201


def test_what_cannot_be_one_person_is_refused(
    staff: Person, organiser: Person, ada: Person, ben: Person, other: Player
) -> None:
    event = make_event(organiser)
    event.enter(*make_players(2))
    entered = list(event.tournament.entries.values_list("player", flat=True))
    (twin,) = make_players(1)
    Player.objects.filter(pk=twin.pk).update(external_ids={"fide": "18"})
    merged = make_players(1)[0]
    Player.objects.filter(pk=merged.pk).update(merged_into=twin)

    for keep, second, status, code in (
        (*entered, 409, "same_tournament"),
        (player_of(ada).pk, player_of(ben).pk, 409, "both_claimed"),
        (other.pk, twin.pk, 409, "external_ids_differ"),
        (other.pk, merged.pk, 409, "player_merged"),
        (other.pk, other.pk, 422, "same_player"),
        (other.pk, 10**6, 422, "unknown_player"),
    ):
        problem_in(staff.post("merges", {"keep_id": keep, "merge_id": second}), status, code)
