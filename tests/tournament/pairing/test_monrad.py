"""Monrad in small tournaments, compared with an exhaustive search, and with many players."""

from collections.abc import Iterator
from random import Random

import pytest
from hypothesis import given
from hypothesis import strategies as st

from games.rules.seat import Seat
from tests.tournament.pairing.events import SEATS, event
from tournament.pairing.boards import seat_of_higher
from tournament.pairing.by_hand import check_by_hand
from tournament.pairing.bye import bars_pairing_bye
from tournament.pairing.errors import NoLegalPairing, PairingRequestError
from tournament.pairing.findings import FindingCode
from tournament.pairing.request import PairingRequest
from tournament.pairing.systems.monrad import pair_monrad
from tournament.standings.crosstable import Competitor, Crosstable, Kind, PlayerId, RoundResult

F, S = Seat.FIRST, Seat.SECOND


@pytest.mark.parametrize(
    ("picture", "round_number", "pairs", "bye"),
    [
        pytest.param(".\n.\n.\n.", 1, [(1, 2), (4, 3)], None, id="first round: alternating seats"),
        pytest.param(".\n.\n.", 1, [(1, 2)], 3, id="the lowest player has the bye"),
        pytest.param(
            "2f1\n1s0\n4f1\n3s0", 2, [(3, 1), (2, 4)], None, id="winners meet and change seats"
        ),
        pytest.param("2f=\n1s=\n4f=\n3s=", 2, [(3, 1), (2, 4)], None, id="no rematch"),
        pytest.param("3f1\nU\n1s0", 2, [(2, 1)], 3, id="a player who sat first sits second"),
        pytest.param("2f1\n1s0\nU", 2, [(3, 1)], 2, id="a bye is worth a win in the order"),
        pytest.param("2f0\n1s1\nU", 2, [(2, 3)], 1, id="the lowest by points has the bye"),
        pytest.param("2f+\n1s-\n4f1\n3s0", 2, [(1, 3), (4, 2)], None, id="a forfeit gives no seat"),
        pytest.param("2f-\n1s-", 2, [(1, 2)], None, id="a forfeited game may be paired again"),
    ],
)
def test_small_tournaments(
    picture: str, round_number: int, pairs: list[tuple[int, int]], bye: int | None
) -> None:
    pairings = pair_monrad(PairingRequest(crosstable=event(picture), round=round_number))
    assert (list(pairings.pairs), pairings.bye) == (pairs, bye)


@pytest.mark.parametrize(
    ("word", "bars"),
    [("U", True), ("F", True), ("H", False), ("Z", False), ("2f+", True), ("2f-", False)],
)
def test_results_that_bar_the_bye(word: str, bars: bool) -> None:
    answer = {"2f+": "1s-", "2f-": "1s+"}.get(word, "Z")
    table = event(f"{word}\n{answer}")
    assert bars_pairing_bye(table, table.by_number[1].results) is bars


@pytest.mark.parametrize(
    ("higher", "lower", "seat"),
    [
        ("", "", None),
        ("f", "", S),
        ("", "f", F),
        ("fs", "sf", F),
        ("sf", "fs", S),
        ("f", "f", S),
        ("fss", "sfs", F),
        ("ffs", "s", S),
        ("s", "sfs", F),
        ("fs", "", F),
    ],
)
def test_the_seat_of_the_higher_player(higher: str, lower: str, seat: Seat | None) -> None:
    seats = [tuple(SEATS[letter] for letter in letters) for letters in (higher, lower)]
    assert seat_of_higher(*seats) is seat


def test_seats_alternate_by_board_without_seat_balance() -> None:
    table = event("2f1\n1s0\n4f1\n3s0", initial_seat=S)
    request = PairingRequest(crosstable=table, round=2, balance_seats=False)
    assert pair_monrad(request).pairs == ((3, 1), (2, 4))


def test_forbidden_pairs_do_not_meet_and_a_finding_says_so() -> None:
    request = PairingRequest(
        crosstable=event(".\n.\n.\n."), round=1, forbidden=frozenset({(2, 1), (3, 4)})
    )
    pairings = pair_monrad(request)
    assert pairings.pairs == ((1, 3), (4, 2))
    assert [(finding.code, finding.players) for finding in pairings.findings] == [
        (FindingCode.FORBIDDEN, (1, 2))
    ]


def test_virtual_points_count_in_the_order() -> None:
    table = event(".\n.\n.\n.")
    players = tuple(
        Competitor(number=player.number, virtual=(2,) if player.number > 2 else ())
        for player in table.players
    )
    request = PairingRequest(crosstable=Crosstable(players=players, rounds=3), round=1)
    assert pair_monrad(request).pairs == ((3, 4), (2, 1))


@pytest.mark.parametrize(
    ("picture", "round_number", "players", "sentence"),
    [
        ("2f1\n1s0", 2, (1, 2), "players 1, 2 cannot all be paired"),
        ("U U\nU U\nU U", 3, (1, 2, 3), "no player may have the bye"),
        ("2f1 3f1 4f1\n1s0 Z Z\nZ 1s0 Z\nZ Z 1s0", 4, (1,), "cannot all be paired"),
        (
            "Z Z Z\n3f1 4f1 Z\n2s0 Z 4f1\nZ 2s0 3s0",
            4,
            (2, 3, 4),
            "players 2, 3, 4 cannot all be paired with each other and with 1",
        ),
    ],
)
def test_the_error_names_the_players_who_block(
    picture: str, round_number: int, players: tuple[int, ...], sentence: str
) -> None:
    with pytest.raises(NoLegalPairing, match=sentence) as blocked:
        pair_monrad(PairingRequest(crosstable=event(picture), round=round_number))
    assert set(players) <= set(blocked.value.players)


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"round": 10}, "there is no round 10; the tournament has 9 rounds"),
        ({"round": 1, "absent": frozenset({7})}, "players not in the tournament: 7"),
        ({"round": 1, "forbidden": frozenset({(1, 8)})}, "players not in the tournament: 8"),
    ],
)
def test_unknown_rounds_and_players_are_rejected(options: dict[str, object], message: str) -> None:
    with pytest.raises(PairingRequestError, match=message):
        PairingRequest(crosstable=event(".\n."), **options)  # type: ignore[arg-type]


def all_rounds(order: list[PlayerId], legal: set[tuple[int, int]]) -> Iterator[list[int]]:
    """Yield every complete pairing as a flat list, the nearest opponents first."""
    if not order:
        yield []
        return
    higher, rest = order[0], order[1:]
    for lower in rest:
        if (higher, lower) in legal:
            for others in all_rounds([n for n in rest if n != lower], legal):
                yield [higher, lower, *others]


@given(st.integers(2, 9), st.integers(0, 2**32))
def test_every_round_is_the_nearest_legal_pairing(players: int, seed: int) -> None:
    random = Random(seed)
    rows: list[list[RoundResult]] = [[] for _ in range(players)]
    apart = {tuple(random.sample(range(1, players + 1), 2)) for _ in range(random.randint(0, 3))}
    for round_number in range(1, players + 1):
        table = Crosstable(
            players=tuple(
                Competitor(number=number, results=tuple(row))
                for number, row in enumerate(rows, start=1)
            ),
            rounds=players,
        )
        absent = frozenset(n for n in range(1, players + 1) if random.random() < 0.1)
        request = PairingRequest(
            crosstable=table, round=round_number, absent=absent, forbidden=frozenset(apart)
        )
        order = sorted(request.present, key=lambda n: (-table.points_of(n), n))
        met = {
            (player.number, result.opponent)
            for player in table.players
            for result in player.results
            if result.is_played
        }
        barred = met | apart | {pair[::-1] for pair in apart}
        legal = {(a, b) for a in order for b in order if a != b and (a, b) not in barred}
        candidates: list[int | None] = [None]
        if len(order) % 2:
            candidates = [n for n in reversed(order) if not bars_pairing_bye(table, rows[n - 1])]
        best = next(
            (
                (bye, found)
                for bye in candidates
                for found in all_rounds([n for n in order if n != bye], legal)
            ),
            None,
        )
        if best is None:
            with pytest.raises(NoLegalPairing):
                pair_monrad(request)
            return
        pairings = pair_monrad(request)
        bye, flat = best
        assert pairings.bye == bye
        assert {frozenset(pair) for pair in pairings.pairs} == {
            frozenset(flat[i : i + 2]) for i in range(0, len(flat), 2)
        }
        byes = {} if bye is None else {bye: Kind.PAIRING_BYE}
        assert not check_by_hand(
            table, round_number, pairings.pairs, byes, absent=absent, forbidden=apart
        )
        for number in range(1, players + 1):
            rows[number - 1].append(RoundResult(byes.get(number, Kind.ZERO_BYE)))
        for first, second in pairings.pairs:
            kind, answer = random.choice(
                [
                    (Kind.WIN, Kind.LOSS),
                    (Kind.DRAW, Kind.DRAW),
                    (Kind.LOSS, Kind.WIN),
                    (Kind.FORFEIT_LOSS, Kind.FORFEIT_WIN),
                ]
            )
            rows[first - 1][-1] = RoundResult(kind, second, F)
            rows[second - 1][-1] = RoundResult(answer, first, S)
