"""The result of one player in one round, and the results of one player in all rounds.

Import these names from `crosstable.py`, whose tables define the meaning of each kind.

If an event plays two games in each pairing, with exchanged seats, the result of a round is that of
the pairing, by the points of its games: 1, ½, 0, and for a forfeit as for a game. The pairing is
played if one of its games is. Equal points are a draw, or a loss of both players if neither has
any. If both games are forfeits and the points are equal, both players have a forfeit loss.

`check_players` finds results that contradict each other.
"""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from fractions import Fraction

from games.rules.labels import LabelledEnum
from games.rules.messages import gettext_noop
from games.rules.seat import Seat
from games.rules.text import Text
from tournament.standings.errors import CrosstableError

PlayerId = int
"""The pairing number of a player, from 1."""


class Kind(LabelledEnum):
    """The kind of a player's result in a round."""

    WIN = "win", gettext_noop("win")
    DRAW = "draw", gettext_noop("draw")
    LOSS = "loss", gettext_noop("loss")
    FORFEIT_WIN = "forfeit_win", gettext_noop("win by forfeit")
    FORFEIT_LOSS = "forfeit_loss", gettext_noop("loss by forfeit")
    PAIRING_BYE = "pairing_bye", gettext_noop("pairing-allocated bye")
    FULL_BYE = "full_bye", gettext_noop("full-point bye")
    HALF_BYE = "half_bye", gettext_noop("half-point bye")
    ZERO_BYE = "zero_bye", gettext_noop("zero-point bye")


PLAYED = frozenset({Kind.WIN, Kind.DRAW, Kind.LOSS})
FORFEITS = frozenset({Kind.FORFEIT_WIN, Kind.FORFEIT_LOSS})
PAIRED = PLAYED | FORFEITS
BYES = frozenset(Kind) - PAIRED
VOLUNTARY = frozenset({Kind.HALF_BYE, Kind.ZERO_BYE, Kind.FORFEIT_LOSS})

GAME_POINTS: dict[Kind, int | Fraction] = {
    Kind.WIN: 1,
    Kind.DRAW: Fraction(1, 2),
    Kind.LOSS: 0,
    Kind.FORFEIT_WIN: 1,
    Kind.FORFEIT_LOSS: 0,
}
"""The points of a game of a pairing, whatever the points of the event."""

# An arbiter may rule a game lost by both players, or a half point to one and a loss to the other.
OPPOSITES = {
    Kind.WIN: frozenset({Kind.LOSS}),
    Kind.DRAW: frozenset({Kind.DRAW, Kind.LOSS}),
    Kind.LOSS: PLAYED,
    Kind.FORFEIT_WIN: frozenset({Kind.FORFEIT_LOSS}),
    Kind.FORFEIT_LOSS: FORFEITS,
}


@dataclass(frozen=True, slots=True)
class RoundResult:
    """The result of one player in one round.

    `short` marks a game of less than one move (W, D and L in TRF): it counts as played but is not
    rated. `awarded` is the number of units if it differs from that of the kind (TRF26 record 299).
    `score` holds the player's and the opponent's game score, `stars` and `quarks` the player's
    counts; they are set only if a record proves them. With two games in a pairing, `games` has the
    kind of each, `seat` is that of the first game, and `kind` that of `combine_games`. An
    `adjourned` game has no result yet and awards no units; `kind` is then not a result of it.
    """

    kind: Kind
    opponent: PlayerId | None = None
    seat: Seat | None = None
    short: bool = False
    awarded: int | None = None
    score: tuple[int, int] | None = None
    stars: int | None = None
    quarks: int | None = None
    games: tuple[Kind, ...] = ()
    adjourned: bool = False

    def __post_init__(self) -> None:
        if self.kind in PAIRED:
            if self.opponent is None:
                raise CrosstableError(Text("a %(kind)s needs an opponent", kind=self.kind))
            if self.seat is None and self.kind in PLAYED:
                raise CrosstableError(
                    Text("a %(kind)s needs a seat, first or second", kind=self.kind)
                )
        elif self.opponent is not None or self.seat is not None:
            raise CrosstableError(
                Text("a %(kind)s has neither an opponent nor a seat", kind=self.kind)
            )
        if self.short and self.kind not in PLAYED:
            raise CrosstableError(Text("a %(kind)s cannot be a short game", kind=self.kind))
        if self.games and not (self.kind in PAIRED and PAIRED.issuperset(self.games)):
            raise CrosstableError(
                Text("a %(kind)s cannot have games with these results", kind=self.kind)
            )

    @property
    def is_played(self) -> bool:
        """Return True if a game was played: no forfeit and no bye."""
        return self.kind in PLAYED

    @property
    def is_voluntary(self) -> bool:
        """Return True for a voluntary unplayed round, a VUR of C.07 16.1.2."""
        return self.kind in VOLUNTARY

    @property
    def seated_games(self) -> tuple[tuple[Kind, Seat | None], ...]:
        """Return the kind and the seat of each game of the pairing; the bye itself for a bye."""
        if not self.games:
            return ((self.kind, self.seat),)
        seats = self.seat, self.seat and self.seat.other
        return tuple(zip(self.games, seats, strict=True))


def combine_games(own: Sequence[Kind], opponents: Sequence[Kind]) -> Kind:
    """Return a player's result of a pairing from the results of its games."""
    points, others = (sum(map(GAME_POINTS.__getitem__, games)) for games in (own, opponents))
    if PLAYED.isdisjoint(own):
        return Kind.FORFEIT_WIN if points > others else Kind.FORFEIT_LOSS
    if points == others:
        return Kind.DRAW if points else Kind.LOSS
    return Kind.WIN if points > others else Kind.LOSS


ABSENT = RoundResult(Kind.ZERO_BYE)
"""A round without a recorded result: the player was absent, not yet entered, or withdrawn."""


@dataclass(frozen=True, slots=True, order=True)
class DecidedTie:
    """The order of players whom no tie-break separated after a round, as the director decided it.

    It holds as long as exactly these players are tied (C.07 4.2).
    """

    after: int
    players: tuple[PlayerId, ...]


@dataclass(frozen=True, slots=True)
class Progress:
    """How far a player got in a knockout.

    `half_ties` is two for each tie won, byes included, and one for the game for third place;
    `lost_to` is who beat them, except in that game; None if nobody did, and their own number if
    both players of the tie are out. `place` is the best place of those who go out in the same
    stage: 2 in the final, 3 in the semi-finals, then 5; it is 1 for a player who is not out.
    """

    half_ties: int = 0
    lost_to: PlayerId | None = None
    place: int = 1


@dataclass(frozen=True, slots=True, kw_only=True)
class Competitor:
    """A player and their results: `results[r - 1]` is round r, and missing ones are `ABSENT`.

    `rating` is 0 for an unrated player. `virtual` holds the virtual points, in units, of
    accelerated rounds (C.04.7); they count in pairing but never in standings. `start` is the
    McMahon starting score in units; it counts in pairing and in the tie-break MMS only. `progress`
    is that in the bracket, None for players who are not in one.
    """

    number: PlayerId
    name: str = ""
    rating: int = 0
    title: str = ""
    federation: str = ""
    sex: str = ""
    birth: str = ""
    fide_id: str = ""
    club: str = ""
    category: str = ""
    results: tuple[RoundResult, ...] = ()
    virtual: tuple[int, ...] = ()
    start: int = 0
    progress: Progress | None = None

    def result(self, round_number: int) -> RoundResult:
        """Return the result of a round, `ABSENT` if there is none."""
        return self.results[round_number - 1] if round_number <= len(self.results) else ABSENT

    def with_result(self, round_number: int, result: RoundResult) -> "Competitor":
        """Return the player with the result of a round, the last one."""
        missing = round_number - 1 - len(self.results)
        results = self.results[: round_number - 1] + (ABSENT,) * missing
        return replace(self, results=(*results, result))


OTHER_SEAT = {Seat.FIRST: Seat.SECOND, Seat.SECOND: Seat.FIRST, None: None}


def check_players(
    players: tuple[Competitor, ...],
    by_number: Mapping[PlayerId, Competitor],
    rounds: int,
    games_per_pairing: int,
) -> None:
    """Raise CrosstableError with player and round for results that contradict each other."""
    for error in find_contradictions(players, by_number, rounds, games_per_pairing):
        raise error


def find_contradictions(
    players: tuple[Competitor, ...],
    by_number: Mapping[PlayerId, Competitor],
    rounds: int,
    games_per_pairing: int,
) -> Iterator[CrosstableError]:
    """Yield an error for each result that contradicts another; for the first player of a pair."""
    games = games_per_pairing if games_per_pairing > 1 else 0
    reported = set()
    if len(by_number) != len(players):
        numbers = [player.number for player in players]
        repeated = next(number for number in numbers if numbers.count(number) > 1)
        yield CrosstableError(Text("two players have this number"), repeated)
    if list(by_number) != sorted(by_number):
        yield CrosstableError("the players are not in the order of their numbers")
    for player in players:
        if player.number < 1:
            yield CrosstableError(Text("pairing numbers start at 1"), player.number)
        if len(player.results) > rounds:
            yield CrosstableError(
                Text(
                    "has %(count)s results, the event has %(rounds)s rounds",
                    count=len(player.results),
                    rounds=rounds,
                ),
                player.number,
            )
        number = player.number
        for index, result in enumerate(player.results):
            if result.opponent is None:
                continue
            opponent = by_number.get(result.opponent)
            if opponent is None or opponent is player or index >= len(opponent.results):
                yield _contradiction(player, index, result, by_number, games)
                continue
            opposite = opponent.results[index]
            if (
                opposite.opponent != number
                or opposite.kind not in OPPOSITES[result.kind]
                or opposite.adjourned is not result.adjourned
                or OTHER_SEAT[result.seat] is not opposite.seat
                or len(result.games) != games
                or (games and not _has_these_games(result, opposite))
            ):
                pair = (index, *sorted((number, result.opponent)))
                if pair not in reported or opposite.opponent != number:
                    yield _contradiction(player, index, result, by_number, games)
                reported.add(pair)


def _contradiction(
    player: Competitor,
    index: int,
    result: RoundResult,
    by_number: Mapping[PlayerId, Competitor],
    games: int,
) -> CrosstableError:
    opponent = by_number.get(result.opponent or 0)
    opposite = opponent.result(index + 1) if opponent else ABSENT
    if opponent is None:
        detail = Text("opponent %(number)s is not a player of the event", number=result.opponent)
    elif opponent is player:
        detail = Text("a player cannot be their own opponent")
    elif opposite.opponent != player.number:
        other = (
            Text("no opponent")
            if opposite.opponent is None
            else Text("opponent %(number)s", number=opposite.opponent)
        )
        detail = Text(
            "has opponent %(number)s, who has %(detail)s", number=opponent.number, detail=other
        )
    elif opposite.kind not in OPPOSITES[result.kind]:
        detail = Text(
            "has a %(kind)s against a %(kind2)s of player %(number)s",
            kind=result.kind,
            kind2=opposite.kind,
            number=opponent.number,
        )
    elif opposite.adjourned is not result.adjourned:
        names = [
            Text("no result") if side.adjourned else Text("a %(kind)s", kind=side.kind)
            for side in (result, opposite)
        ]
        detail = Text(
            "has %(kind)s against %(kind2)s of player %(number)s",
            kind=names[0],
            kind2=names[1],
            number=opponent.number,
        )
    elif (result.seat and result.seat.other) != opposite.seat:
        detail = Text(
            "has the seat %(seat)s, player %(number)s has the seat %(seat2)s",
            seat=result.seat,
            number=opponent.number,
            seat2=opposite.seat,
        )
    elif len(result.games) != games:
        detail = Text(
            "has %(count)s games against player %(number)s, not %(games)s",
            count=len(result.games),
            number=opponent.number,
            games=games,
        )
    else:
        detail = Text(
            "the games do not give a %(kind)s against player %(number)s",
            kind=result.kind,
            number=opponent.number,
        )
    return CrosstableError(detail, player.number, index + 1)


def _has_these_games(result: RoundResult, opposite: RoundResult) -> bool:
    """Return True if the games of both sides agree and give the result of the pairing."""
    if len(result.games) != len(opposite.games):
        return False
    expected = combine_games(result.games, opposite.games)
    # An arbiter may award half a point of a pairing that both players lost.
    is_half = (result.kind, expected) == (Kind.DRAW, Kind.LOSS)
    pairs = zip(result.games, opposite.games, strict=True)
    return (result.kind is expected or is_half) and all(b in OPPOSITES[a] for a, b in pairs)
