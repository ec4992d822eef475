"""The games of pairings."""

from collections.abc import Mapping, Sequence
from datetime import datetime

from django.db.models import Exists, OuterRef, Q

from games.core.journal.rows import Rows, changed_rows
from games.models import Game
from games.play.live import begin_played
from games.rules.records.handicaps import exchange_seats, with_handicap
from games.rules.seat import Seat
from ratings.lists.queries import PublishedRating, load_published_ratings
from tournament.core.queries import FINISHED_ROUND_STATES, event_conditions
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
    handicap = exchange_seats(pairing.handicap) if is_return_game else pairing.handicap
    conditions = with_handicap(event_conditions(tournament), handicap)
    return Game(
        stream=tournament.stream,
        event=tournament.name,
        round=str(this_round.number),
        place=place_of(this_round, pairing, is_return_game=is_return_game),
        game=tournament.game,
        board=tournament.board,
        options=tournament.options,
        swap=conditions.swap,
        main_minutes=tournament.main_minutes,
        increment_seconds=tournament.increment_seconds,
        play=tournament.play,
        days_per_turn=tournament.days_per_turn,
        handicap=conditions.as_json()["handicap"],
        handicap_table=tournament.handicap_table,
        advice=advised_seat(pairing, is_return_game=is_return_game) if tournament.advice else "",
        first_id=first_id,
        second_id=second_id,
        rated=rated,
        consented=None not in (pairing.first.consented_at, pairing.second.consented_at),
        public=tournament.public,
        confirm_hours=tournament.confirm_hours,
        live_delay=tournament.live_delay,
        played_on=this_round.starts_on,
        created_at=at,
    )


def advised_seat(pairing: Pairing, *, is_return_game: bool) -> str:
    """Return the seat of the player with the lower rating, whom the other may advise; else empty.

    The ratings are those of the event; 0 is unrated.
    """
    ratings = [entry.seed_rating for entry in (pairing.first, pairing.second) if entry]
    if ratings[0] == ratings[1]:
        return ""
    is_second = (ratings[0] > ratings[1]) != is_return_game
    return (Seat.SECOND if is_second else Seat.FIRST).value


def place_of(this_round: Round, pairing: Pairing, *, is_return_game: bool) -> str:
    """Return what names the game of a new pairing in the journal: `round/version/board`."""
    place = f"{this_round.number}/{pairing.version}/{pairing.board_number}"
    return f"{place}/2" if is_return_game else place


def create_games(
    tournament: Tournament, this_round: Round, pairings: Sequence[Pairing], *, at: datetime
) -> None:
    """Create the games of the pairings, and the return games if a pairing has two.

    They store the ratings of their players in the pool at this time.
    """
    players = [
        entry.player_id
        for pairing in pairings
        for entry in (pairing.first, pairing.second)
        if entry is not None
    ]
    published = load_published_ratings(tournament.pool, players)
    names = ("game", "return_game")[: tournament.games_per_pairing]
    for name in names:
        games = [
            _with_ratings(
                build_game(
                    tournament,
                    this_round,
                    pairing,
                    rated=tournament.rated,
                    at=at,
                    is_return_game=name == "return_game",
                ),
                published,
            )
            for pairing in pairings
        ]
        Game.objects.bulk_create(games)
        begin_played(games)
        for pairing, game in zip(pairings, games, strict=True):
            setattr(pairing, name, game)
    Pairing.objects.bulk_update(pairings, names)


def _with_ratings(game: Game, published: Mapping[int, PublishedRating]) -> Game:
    """Set the published ratings of both players in a game, which is returned."""
    if first := published.get(game.first_id):
        game.first_rating, game.first_games = first
    if second := published.get(game.second_id):
        game.second_rating, game.second_games = second
    return game


def games_of(pairings: Sequence[Pairing]) -> list[Game]:
    """Return the games of pairings, and their return games."""
    return [
        game
        for pairing in pairings
        for game in (pairing.game, pairing.return_game)
        if game is not None
    ]


def games_of_round(this_round: Round) -> Q:
    """Return the condition for the games of all versions of a round."""
    return Q(pairings__round=this_round) | Q(return_pairings__round=this_round)


def boards_with_turns(this_round: Round) -> list[int]:
    """Return the boards of a round in whose games turns stand that no report has yet."""
    games = Game.objects.filter(games_of_round(this_round), void=False, live__isnull=False)
    places = games.exclude(live__turns=[]).values_list("place", flat=True)
    return sorted({int(place.split("/")[2]) for place in places})


def update_void_games(this_round: Round) -> Rows:
    """Make the games of the round void, except those of its current version.

    Return the changed columns.
    """
    current = Pairing.objects.filter(round=this_round, version=this_round.version)
    numbers = {number for pair in current.values_list("game", "return_game") for number in pair}
    games = Game.objects.filter(games_of_round(this_round)).distinct()
    changed = [game for game in games if game.void != (game.pk not in numbers)]
    for game in changed:
        game.void = not game.void
    Game.objects.bulk_update(changed, ["void"])
    return changed_rows(*changed)


def update_complete_games(tournament: Tournament) -> Rows:
    """Let the games of an event say whether their round is complete; return the changed columns.

    Their rows are locked then: a ruling that is being made comes before, or is refused.
    """
    finished = Pairing.objects.filter(
        Q(game=OuterRef("pk")) | Q(return_game=OuterRef("pk")),
        round__state__in=FINISHED_ROUND_STATES,
    )
    games = Game.objects.filter(stream=tournament.stream).alias(is_finished=Exists(finished))
    changed = [
        *games.filter(is_finished=True, round_complete=False),
        *games.filter(is_finished=False, round_complete=True),
    ]
    for game in changed:
        game.round_complete = not game.round_complete
    Game.objects.bulk_update(changed, ["round_complete"])
    return changed_rows(*changed)
