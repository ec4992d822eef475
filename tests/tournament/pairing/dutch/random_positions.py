"""Random positions of all kinds: an event before a round. A seed gives one position."""

from collections.abc import Callable
from dataclasses import replace
from fractions import Fraction
from itertools import islice
from random import Random

from tests.tournament.pairing.random_histories import pair_at_random
from tournament.pairing.errors import NoLegalPairing
from tournament.pairing.random_tournament import RandomConditions, random_rounds
from tournament.pairing.request import PairingRequest, Pairings
from tournament.pairing.systems.dutch import pair_dutch
from tournament.standings.crosstable import ABSENT, Kind, PlayerId, RoundResult
from tournament.standings.points import CLASSIC, PointSystem
from tournament.trf import AnnouncedBye, ForbiddenGroup, TrfFile, TrfHeader

HALF, QUARTER = Fraction(1, 2), Fraction(1, 4)
POINTS = {
    "1, a half, 0": CLASSIC,
    "3, 1, 0": PointSystem.from_points(win=3, draw=1),
    "2, 1, 0": PointSystem.from_points(win=2, draw=1),
    "a draw worth nothing": PointSystem.from_points(draw=0),
    "a draw worth a quarter": PointSystem.from_points(draw=QUARTER),
    "a loss worth a point": PointSystem.from_points(
        win=3, draw=2, loss=1, forfeit_loss=0, zero_bye=0
    ),
    "a pairing bye worth a draw": PointSystem.from_points(pairing_bye=HALF),
    "a pairing bye worth a loss": PointSystem.from_points(pairing_bye=0),
    "a pairing bye worth less than a win": PointSystem.from_points(win=3, draw=1, pairing_bye=2),
    "requested byes worth less": PointSystem.from_points(full_bye=HALF, half_bye=QUARTER),
    "a half-point bye worth nothing": PointSystem.from_points(half_bye=0),
    "an absence worth a draw": PointSystem.from_points(win=3, draw=1, zero_bye=1),
    "a forfeit win worth less": PointSystem.from_points(win=3, draw=1, forfeit_win=2),
}
REQUESTED = (Kind.FULL_BYE, Kind.HALF_BYE, Kind.ZERO_BYE)
SIZES = (2, 3, 4, 5, 6, 7, 8, 9, 10, 12, 13, 17, 24, 31, 46)

ResultChange = Callable[[PlayerId, int, RoundResult], RoundResult]


def random_position(seed: int) -> TrfFile:
    """Return an event before one of its rounds, paired at random or by the Dutch system."""
    random = Random(seed)
    players = random.choice(SIZES)
    conditions = RandomConditions(
        players=players,
        rounds=random.randint(3, 9) if players > 7 else random.randint(1, players),
        seed=seed,
        byes=random.choice([0, 0.1, 0.3]),
        withdrawals=random.choice([0, 0, 0.05]),
        late=random.choice([0, 0, 0.3]),
        forfeits=random.choice([0, 0.1, 0.4]),
        draws=random.choice([0, 0.3, 0.6, 1]),
        forbidden=random.choice([0, 0, players // 3]),
        points=list(POINTS.values())[seed % len(POINTS)],
        has_baku=random.random() < 0.3,
    )

    def pair(request: PairingRequest) -> Pairings:
        return pair_at_random(replace(request, seed=seed))

    rounds = random_rounds(conditions, random.choice([pair, pair_dutch]))
    is_last = random.random() < 0.2
    played = conditions.rounds - 1 if is_last else random.randrange(conditions.rounds)
    *_, (trf, _) = islice(rounds, played + 1)
    for change in (_change_byes, _forfeit_rounds, _award_points, _add_later_records):
        trf = change(trf, random)
    return trf


def _change_byes(trf: TrfFile, random: Random) -> TrfFile:
    """Give some absent players another bye than they requested."""

    def change(_number: PlayerId, _round: int, result: RoundResult) -> RoundResult:
        if result.kind in REQUESTED and random.random() < 0.4:
            return RoundResult(random.choice(REQUESTED))
        return result

    byes = (
        replace(bye, kind=random.choice(REQUESTED)) if random.random() < 0.4 else bye
        for bye in trf.byes
    )
    return _change_results(replace(trf, byes=tuple(byes)), change)


def _forfeit_rounds(trf: TrfFile, random: Random) -> TrfFile:
    """Let some players be absent in some rounds, in which no game is played."""
    table = trf.crosstable
    forfeited = {n for n in range(1, table.completed + 1) if random.random() < 0.08}
    absent = {player.number for player in table.players if random.random() < 0.6}

    def change(number: PlayerId, round_number: int, result: RoundResult) -> RoundResult:
        if round_number not in forfeited or result.opponent is None:
            return result
        is_won = number not in absent and (result.opponent in absent or number < result.opponent)
        return replace(result, kind=Kind.FORFEIT_WIN if is_won else Kind.FORFEIT_LOSS)

    return _change_results(trf, change)


def _award_points(trf: TrfFile, random: Random) -> TrfFile:
    """Give some results other points than those of their kind."""
    if random.random() < 0.9:
        return trf
    points = trf.crosstable.points

    def change(_number: PlayerId, _round: int, result: RoundResult) -> RoundResult:
        if result == ABSENT or random.random() < 0.9:
            return result
        return replace(result, awarded=random.randint(0, points.win))

    return _change_results(trf, change)


def _add_later_records(trf: TrfFile, random: Random) -> TrfFile:
    """Announce byes for later rounds, and keep players apart in some rounds only."""
    table = trf.crosstable
    numbers = list(table.by_number)
    rounds = range(1, table.rounds + 1)
    later = rounds[table.completed + 1 :]
    byes = [
        AnnouncedBye(random.choice(later), random.choice(REQUESTED), number)
        for number in numbers
        if later and random.random() < 0.02
    ]
    groups = []
    if random.random() < 0.2:
        first, last = sorted(random.choices(rounds, k=2))
        members = sorted(random.sample(numbers, min(3, len(numbers))))
        groups.append(ForbiddenGroup(tuple(members), first, last))
    return replace(
        trf,
        header=TrfHeader(kind="Individual: Swiss-System"),
        byes=tuple(sorted((*trf.byes, *byes), key=lambda bye: (bye.round, bye.player))),
        forbidden=(*trf.forbidden, *groups),
    )


def _change_results(trf: TrfFile, change: ResultChange) -> TrfFile:
    table = trf.crosstable
    players = tuple(
        replace(
            player,
            results=tuple(
                change(player.number, round_number, result)
                for round_number, result in enumerate(player.results[: table.completed], start=1)
            ),
        )
        for player in table.players
    )
    return replace(trf, crosstable=replace(table, players=players), ranks={})


def pair_or_none(request: PairingRequest) -> Pairings | None:
    """Pair the round; None without a legal pairing."""
    try:
        return pair_dutch(request)
    except NoLegalPairing:
        return None
