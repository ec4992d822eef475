"""The JSON form of a crosstable."""

from games.rules.seat import Seat
from tournament.standings.crosstable import Competitor, Crosstable, Kind, RoundResult
from tournament.standings.crosstable_json import crosstable_as_json
from tournament.standings.points import PointSystem

SMALL = Crosstable(
    players=(
        Competitor(
            number=1,
            name='Łukasz, the "elder"',
            rating=2100,
            federation="POL",
            birth="1990",
            virtual=(2, 1),
            results=(
                RoundResult(Kind.WIN, 2, Seat.FIRST, score=(11, 10), stars=3, quarks=0),
                RoundResult(Kind.HALF_BYE),
            ),
        ),
        Competitor(
            number=2,
            name="Ana",
            start=4,
            results=(
                RoundResult(Kind.LOSS, 1, Seat.SECOND, score=(10, 11), stars=2, quarks=5),
                RoundResult(Kind.FORFEIT_LOSS, 3),
            ),
        ),
        Competitor(
            number=3,
            results=(RoundResult(Kind.PAIRING_BYE), RoundResult(Kind.FORFEIT_WIN, 2, awarded=1)),
        ),
    ),
    rounds=4,
    points=PointSystem.from_points(win=3, draw=1),
    initial_seat=Seat.SECOND,
)
SMALL_JSON = {
    "form": 1,
    "rounds": 4,
    "round_robin": False,
    "initial_seat": "second",
    "points": [2, 6, 2, 0, 6, 0, 6, 6, 2, 0],
    "players": [
        [1, "Łukasz, the \"elder\"", 2100, "", "POL", "", "1990", "", "", "", 0, [2, 1],
         "2f1:11:10*3~0 H"],
        [2, "Ana", 0, "", "", "", "", "", "", "", 4, [], "1s0:10:11*2~5 3--"],
        [3, "", 0, "", "", "", "", "", "", "", 0, [], "U 2-+@1"],
    ],
}  # fmt: skip


def test_the_json_form_of_a_crosstable() -> None:
    assert crosstable_as_json(SMALL) == SMALL_JSON
