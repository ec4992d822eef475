"""The report of a review of results, as JSON: each finding with its games and the arithmetic."""

from collections.abc import Iterator, Mapping, Sequence
from typing import Any, Final

from ratings.systems.elo import MILLI
from ratings.systems.lists import SCORE_TEXTS
from ratings.systems.research.fair_play import MOST_FAIR_PLAY_GAMES, FairPlayFinding, FairPlayReport
from ratings.systems.research.fair_play_streams import PlayedGame
from ratings.systems.research.fair_play_tests import FindingKind, StreamTest

FAIR_PLAY_NOTE: Final = (
    "For rating officers. A finding is improbable for an honest player and proves nothing: a "
    f"player may improve quickly or be ill. The last {MOST_FAIR_PLAY_GAMES} games are tested. `p` "
    "is the exact probability of such results, as the mean over the error of the player's rating, "
    "which is normal with the standard deviation `error`. `adjusted` is the one after Holm's "
    "correction for all tests of its kind, which has a quarter of the level. If all players are "
    "honest, the probability that a report contains any finding is about its level at most."
)

FINDING_COLUMNS: Final = ("finding", "kind", "player", "p", "adjusted", "error")
FAIR_PLAY_GAME_COLUMNS: Final = (
    "game", "batch", "opponent", "rating", "opponent_rating", "opponent_error", "handicap_part",
    "expected", "tested", "result",
)  # fmt: skip


def report_as_json(report: FairPlayReport) -> dict[str, Any]:
    """Return a report as JSON; ratings in points."""
    return {
        "level": report.level,
        "rule": "Holm",
        "tests": report.tests,
        "note": FAIR_PLAY_NOTE,
        "findings": list(map(_finding_as_json, report.findings)),
    }


def report_rows(report: Mapping[str, Any]) -> Iterator[Sequence[object]]:
    """Yield the header, and a row for each game of each finding."""
    yield (*FINDING_COLUMNS, *FAIR_PLAY_GAME_COLUMNS)
    for number, finding in enumerate(report["findings"], 1):
        start = [number, *(finding[name] for name in FINDING_COLUMNS[1:])]
        for game in finding["games"]:
            cells = [*start, *(game[name] for name in FAIR_PLAY_GAME_COLUMNS)]
            yield ["" if cell is None else cell for cell in cells]


def _finding_as_json(finding: FairPlayFinding) -> dict[str, Any]:
    test = finding.test
    return {
        "kind": test.kind.value,
        "player": test.player,
        "opponent": test.opponent,
        "batch": test.event,
        "p": float(f"{test.p:.3g}"),
        "adjusted": float(f"{finding.adjusted:.3g}"),
        "error": round(finding.games[0].error / MILLI, 3),
        "games": [_game_as_json(test, game) for game in finding.games],
    }


def _game_as_json(test: StreamTest, game: PlayedGame) -> dict[str, Any]:
    """Return a game with its expected score by the ratings."""
    is_before = test.kind is FindingKind.SANDBAGGING and game.batch != test.event
    is_below = is_before or test.kind is FindingKind.BELOW
    return {
        "game": game.game,
        "batch": game.batch,
        "opponent": game.opponent,
        "rating": round(game.rating / MILLI, 3),
        "opponent_rating": round(game.opponent_rating / MILLI, 3),
        "opponent_error": round(game.opponent_error / MILLI, 3),
        "handicap_part": game.part / MILLI,
        "expected": round(game.expected, 6),
        "tested": "below" if is_below else "above",
        "result": SCORE_TEXTS[game.score],
    }
