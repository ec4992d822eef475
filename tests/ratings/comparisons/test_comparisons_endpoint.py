"""`/players/{id}/head-to-head/{opponent}` and `/what-if`."""

import pytest

from games.models import Game, Player
from ratings.models import Pool
from ratings.runs.services import advance_pool
from tests.people import problem_in
from tests.ratings.factories import day, file_event, make_game, make_players, ratings_of

pytestmark = pytest.mark.django_db


@pytest.fixture
def start(db):
    """Ann beat Bo, drew with him, and won by forfeit; Cy, rated 1800, has not played."""
    pool = Pool.objects.get(code="star")
    ann, bo = make_players(2)
    cy = Player.objects.create(name="Cy", seed_rating=1800)
    games = [
        make_game(ann, bo),
        make_game(bo, ann, "1/2"),
        make_game(bo, ann, "0-1", termination="forfeit"),
        make_game(ann, cy, ""),
    ]
    file_event(pool, "cup", day(3), games)
    advance_pool(pool.pk)
    return {"pool": pool, "ann": ann, "bo": bo, "cy": cy, "games": games}


def between(one, other):
    return f"players/{one.pk}/head-to-head/{other.pk}"


def what_if(person, player, *results, pool="star"):
    rows = [{"opponent_id": opponent.pk, "score": score} for opponent, score in results]
    return person.post(f"players/{player.pk}/what-if", {"pool": pool, "results": rows})


def test_the_results_of_two_players_without_forfeits(start, anonymous, django_assert_num_queries):
    ann, bo, cy = (start[name] for name in ("ann", "bo", "cy"))
    with django_assert_num_queries(4):
        found = anonymous.get(between(bo, ann)).json()
    assert found == {
        "player": {"id": bo.pk, "name": "Player B", "country": None, "club": None},
        "opponent": {"id": ann.pk, "name": "Player A", "country": None, "club": None},
        "games": 2,
        "wins": 0,
        "draws": 1,
        "losses": 1,
        "pools": [
            {
                "pool": "star",
                "games": 2,
                "score": "0.5",
                "expected": 1.0,
                "change": -50.0,
            }
        ],
    }
    reverse = anonymous.get(between(ann, bo)).json()
    assert (reverse["wins"], reverse["losses"]) == (1, 0)
    unplayed = anonymous.get(between(ann, cy)).json()
    assert (unplayed["games"], unplayed["pools"]) == (0, [])


def test_a_private_game_counts_for_its_players_only(start, anonymous, everyone):
    ann, bo = start["ann"], start["bo"]
    account = everyone["player"].account
    Player.objects.filter(account=account).update(account=None)
    Player.objects.filter(pk=ann.pk).update(account=account)
    Game.objects.filter(pk=start["games"][0].pk).update(public=False)
    found = {name: person.get(between(ann, bo)).json() for name, person in everyone.items()}
    counts = {name: (body["games"], body["pools"][0]["games"]) for name, body in found.items()}
    assert counts == {
        "organiser": (1, 1),
        "player": (2, 2),
        "stranger": (1, 1),
        "anonymous": (1, 1),
    }


def test_the_games_of_a_merged_player_are_those_of_the_player_merged_into(start, anonymous):
    ann, bo = start["ann"], start["bo"]
    target = Player.objects.create(name="Ann Again")
    Player.objects.filter(pk=ann.pk).update(merged_into=target)
    advance_pool(start["pool"].pk)
    merged = anonymous.get(between(ann, bo)).json()
    assert merged == anonymous.get(between(target, bo)).json()
    assert (merged["player"]["name"], merged["wins"], merged["pools"][0]["games"]) == (
        "Ann Again",
        1,
        2,
    )
    problem_in(anonymous.get(between(ann, target)), 422, "same_player")


def test_the_history_lists_the_changes_by_one_opponent(start, anonymous):
    ann, bo, cy = (start[name] for name in ("ann", "bo", "cy"))
    path = f"players/{ann.pk}/rating-history?opponent="
    assert len(anonymous.get(f"{path}{bo.pk}").json()["results"]) == 2
    assert anonymous.get(f"{path}{cy.pk}").json()["results"] == []


def test_what_if_is_what_the_next_event_does(start, anonymous):
    ann, bo, cy, pool = (start[name] for name in ("ann", "bo", "cy", "pool"))
    before = ratings_of(pool)["A"]
    expected = what_if(anonymous, ann, (bo, "0"), (cy, "1"), (bo, "0.5")).json()
    assert ratings_of(pool)["A"] == before

    games = [make_game(ann, bo, "0-1"), make_game(cy, ann, "0-1"), make_game(bo, ann, "1/2")]
    file_event(pool, "open", day(4), games)
    advance_pool(pool.pk)
    shown = anonymous.get(f"players/{ann.pk}/rating-history?limit=3").json()["results"]
    same = ("opponent", "score", "opponent_before", "expected", "k", "explanation", "change")
    assert expected["rows"] == [
        {name: change[name] for name in same} | {"exclusion": None, "reason": None}
        for change in reversed(shown)
    ]
    assert (expected["before"], expected["after"]) == (shown[0]["before"], shown[0]["after"])


@pytest.mark.parametrize(("preset", "least"), [("decay", 5), ("fide-2024", 10)])
def test_what_if_leaves_out_a_game_that_the_pool_does_not_rate(start, anonymous, preset, least):
    """A strong player expects 97 % of a weak one, in FIDE's table 92 %."""
    ann, weak, even = make_players(3)
    Pool.objects.filter(code="star").update(preset=preset, least_expected=least)
    for player, seed in ((ann, 2300), (weak, 1700), (even, 2300)):
        Player.objects.filter(pk=player.pk).update(seed_rating=seed, seed_games=40)
    both = what_if(anonymous, ann, (weak, "0"), (even, "1")).json()
    reason = "a player's expected score at pairing was below the limit of the pool"
    row = both["rows"][0]
    assert [row[name] for name in ("change", "k", "exclusion", "reason")] == [
        0.0, 0.0, "expected_out_of_band", reason,
    ]  # fmt: skip
    assert 0.9 < row["expected"] < 1
    alone = what_if(anonymous, ann, (even, "1")).json()
    assert (both["rows"][1], both["after"]) == (alone["rows"][0], alone["after"])

    only = what_if(anonymous, weak, (ann, "1")).json()
    assert (only["before"], only["after"], only["change"]) == (1700.0, 1700.0, 0.0)
    Pool.objects.filter(code="star").update(least_expected=0)
    rated = what_if(anonymous, weak, (ann, "1")).json()
    assert rated["change"] > 0
    assert rated["rows"][0]["exclusion"] is None


def test_the_first_results_of_a_player_who_is_not_rated(start, anonymous):
    body = what_if(anonymous, start["cy"], (start["bo"], "0.5")).json()
    assert (body["before"], body["rows"][0]["k"]) == (1800.0, 100.0)


def test_what_if_in_a_pool_of_fide(start, anonymous):
    ann, bo, cy = (start[name] for name in ("ann", "bo", "cy"))
    fide = Pool.objects.create(code="fide", name="FIDE", preset="fide-2024")
    dan = Player.objects.create(name="Dan", seed_rating=2000)
    games = [make_game(ann, dan), *(make_game(cy, dan) for _ in range(30))]
    file_event(fide, "cup", day(3), games)
    advance_pool(fide.pk)
    rated = what_if(anonymous, cy, (dan, "0"), (bo, "1"), pool="fide").json()
    assert [(row["k"], row["change"] != 0.0) for row in rated["rows"]] == [
        (20.0, True),
        (0.0, False),  # against an unrated opponent
    ]
    unrated = what_if(anonymous, ann, *[(cy, "1")] * 4, pool="fide").json()
    assert (unrated["before"], unrated["change"]) == (None, None)
    assert float(unrated["after"]) > 1800  # this was the fifth game


@pytest.mark.parametrize("preset", ["decay", "fide-2024"])
def test_what_if_takes_a_fixed_number_of_queries(
    start, anonymous, preset, django_assert_num_queries
):
    Pool.objects.filter(code="star").update(preset=preset)
    for opponents in ([start["bo"]], [start["bo"], start["cy"], start["bo"]]):
        results = [(opponent, "1") for opponent in opponents]
        with django_assert_num_queries(4):
            found = what_if(anonymous, start["ann"], *results).json()
        assert len(found["rows"]) == len(opponents)


@pytest.mark.parametrize(
    ("results", "pointers"),
    [
        ([("bo", "2"), ("ann", "1")], {"/results/0/score"}),
        ([("bo", "1")] * 51, {"/results"}),
        ([], {"/results"}),
        (
            [("bo", "1"), (2**62, "1"), ("ann", "0")],
            {"/results/1/opponent_id", "/results/2/opponent_id"},
        ),
    ],
)
def test_invalid_results_are_refused(start, anonymous, results, pointers):
    rows = [
        {"opponent_id": start[who].pk if who in start else who, "score": score}
        for who, score in results
    ]
    path = f"players/{start['ann'].pk}/what-if"
    problem = problem_in(anonymous.post(path, {"pool": "star", "results": rows}), 422)
    assert {error["pointer"] for error in problem["errors"]} == pointers
