"""The games of pairings."""

from datetime import datetime

from django.db.models import Case, Q, Value, When

from games.models import Game
from tournament.models import Pairing, Round, Tournament


def build_game(
    tournament: Tournament,
    this_round: Round,
    pairing: Pairing,
    *,
    rated: bool,
    at: datetime,
    is_return_game: bool = False,
) -> Game:
    """Return an open game for a pairing of two players; it is not saved."""
    assert pairing.second is not None, "a game has two players"
    players = pairing.first.player_id, pairing.second.player_id
    first_id, second_id = players[::-1] if is_return_game else players
    return Game(
        stream=tournament.stream,
        event=tournament.name,
        round=str(this_round.number),
        game=tournament.game,
        board=tournament.board,
        options=tournament.options,
        swap=tournament.swap,
        first_id=first_id,
        second_id=second_id,
        rated=rated,
        consented=None not in (pairing.first.consented_at, pairing.second.consented_at),
        public=tournament.public,
        confirm_hours=tournament.confirm_hours,
        played_on=this_round.starts_on,
        created_at=at,
    )


def games_of_round(this_round: Round) -> Q:
    """Return the condition for the games of all versions of a round."""
    return Q(pairings__round=this_round) | Q(return_pairings__round=this_round)


def update_void_games(this_round: Round) -> None:
    """Make the games of the round void, except those of its current version."""
    current = Pairing.objects.filter(round=this_round, version=this_round.version)
    is_current = Q(pk__in=current.filter(game__isnull=False).values("game")) | Q(
        pk__in=current.filter(return_game__isnull=False).values("return_game")
    )
    games = Game.objects.filter(games_of_round(this_round))
    Game.objects.filter(pk__in=games.values("pk")).update(
        void=Case(When(is_current, then=Value(False)), default=Value(True))
    )
