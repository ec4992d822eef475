"""One event or one game is visible to those who find it in the list of what is visible."""

from itertools import product

import pytest

from games.models import Account, Game, Player, Role
from games.queries import visible_games
from games.queries.visible_game import VisibleGameQuery
from tests.events import make_running_with_ada
from tests.people import make_person, player_of
from tournament.models import Tournament
from tournament.queries.events import find_visible_tournament, visible_tournaments

GAME = VisibleGameQuery(lambda games: games.select_related("first"))
COLUMNS: tuple[str, ...] = ("id", "visible_dispute", "first__name")
GAME_ROW = VisibleGameQuery(lambda games: games.values(*COLUMNS))
STREAMS = ("", "tournament/spring", "tournament/autumn")


def make_viewers() -> tuple[Account | None, ...]:
    """Return Ada, who was merged into Cleo, an owner, an officer of the pool, staff and others."""
    people = make_running_with_ada(3, public=False)
    names = ("Cleo", "Otto", "Sue")
    cleo, otto, sue = (make_person(name, is_staff=name == "Sue").account for name in names)
    assert cleo is not None
    assert otto is not None
    player = Player.objects.create(name="Cleo", account=cleo)
    Player.objects.filter(pk=player_of(people["ada"]).pk).update(merged_into=player)
    Role.objects.create(account=otto, stream="pool/star", role=Role.Name.RATING_OFFICER)
    stored = (people[name].account for name in ("organiser", "ada", "stranger"))
    return (*stored, cleo, otto, sue, None)


@pytest.mark.django_db
def test_one_row_is_visible_as_in_the_list() -> None:
    viewers = make_viewers()
    first, second, third, ada = Player.objects.filter(entries__isnull=False).order_by("pk")
    common = {"game": "star-star", "board": "4", "first": first, "second": second}
    in_event, casual = {"stream": "tournament/spring"}, {"pool": "star", "first": third}
    for fields in (
        {**in_event, "dispute": "the clock"},
        {**in_event, "dispute": "the clock", "public": False, "second": ada},
        {**in_event, "public": False, "void": True},
        {"public": False, "stream": "tournament/autumn"},
        {**casual, "public": False},
        {**casual, "dispute": "the clock"},
        {**casual, "dispute": "the clock", "public": False, "second": ada},
    ):
        Game.objects.create(**common | fields)

    found = set()
    for viewer, stream in product(viewers, STREAMS):
        games = visible_games(viewer, stream).select_related("first").order_by("pk")
        expected = {game.pk: vars(game) | {"_state": None} for game in games}
        rows = {row["id"]: row for row in games.values(*COLUMNS)}
        for key in Game.objects.values_list("pk", flat=True):
            game = GAME.first(key, viewer, stream)
            assert (vars(game) | {"_state": None} if game else None) == expected.get(key)
            assert GAME_ROW.first(key, viewer, stream) == rows.get(key)
        found.add(tuple(row["visible_dispute"] for row in rows.values()))
    assert len(found) > 5

    counts = []
    for state, is_public in product(("draft", "running"), (True, False)):
        Tournament.objects.update(state=state, public=is_public)
        for viewer, stream in product(viewers, STREAMS):
            seen = visible_tournaments(viewer, stream).filter(slug="spring").first()
            assert find_visible_tournament("spring", viewer, stream) == seen
            counts.append(seen is not None)
    assert set(counts) == {True, False}
