"""Analyses of pools, how far their tasks are, and the rated games that they read.

Values of handicaps are estimated from, and improbable results are searched among, the games between
players whose ratings are settled.
"""

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from contextlib import suppress
from datetime import datetime
from itertools import groupby
from operator import itemgetter
from typing import Annotated, Any, Final, TypedDict, cast

from django.db.models import QuerySet, TextChoices
from django.utils.translation import gettext_lazy as _

from games.core.errors import require_found
from games.core.references import (
    PLAYER_COLUMNS,
    AccountReference,
    absolute_url,
    account_reference,
    page_url,
    player_reference,
)
from games.core.turns import read_progress
from games.core.uploads.progress import Progress, no_progress
from games.core.uploads.tasks import Progress as StepsDone
from games.models import Player
from games.rules.registry import FIRST_GAME
from games.rules.text import Text
from ratings.core.conditions import load_table, read_handicap
from ratings.models import IN_CURRENT_RUN, RATED_ORDER, Analysis, Change, Pool
from ratings.systems.handicap import (
    BadHandicap,
    GameTables,
    TableModel,
    amounts_of_conditions,
    values_of,
)
from ratings.systems.intervals import PROVISIONAL_BELOW, deviation_of
from ratings.systems.presets import find_preset
from ratings.systems.research.calibration import CalibrationGame, CalibrationReport, make_report
from ratings.systems.research.fair_play import SETTLED_FROM, FairPlayGame


class AnalysisState(TextChoices):
    """How far the task of an analysis is."""

    WAITING = "waiting", _("waiting")
    RUNNING = "running", _("running")
    DONE = "done", _("done")
    FAILED = "failed", _("failed")


UNFINISHED_STATES = (AnalysisState.WAITING, AnalysisState.RUNNING)


def unfinished_analyses() -> "QuerySet[Analysis]":
    """Return the analyses that have neither a result nor a problem, the oldest first."""
    return Analysis.objects.filter(finished_at=None).order_by("pk")


def pool_analyses(pool: Pool) -> "QuerySet[Analysis]":
    """Return the analyses of a pool, with the officers who requested them."""
    return Analysis.objects.filter(pool=pool).select_related("by")


def find_analysis(pool: Pool, number: int) -> Analysis:
    """Return the analysis of a pool with this number; raises NotFound."""
    missing = Text("there is no analysis %(number)s of %(pool)s", number=number, pool=pool.code)
    return require_found(pool_analyses(pool).filter(pk=number).first(), missing)


def analysis_task(number: int) -> str:
    """Return the id of the task of an analysis."""
    return f"analysis-{number}"


KIND = (
    "`calibration`: the values of handicaps by the games, beside those of the table in force;"
    " `fair_play`: results that are improbable for honest players"
)


class AnalysisProblem(TypedDict):
    """Why an analysis has found nothing."""

    code: Annotated[str, "not_estimable: the games do not determine the values; or given_up"]
    detail: str


class AnalysisContent(TypedDict):
    """What was requested of an analysis, and how far its task is."""

    pool: str
    kind: Annotated[Analysis.Kind, KIND]
    parameters: dict[str, float]
    by: Annotated[AccountReference | None, "who requested it"]
    created_at: datetime
    finished_at: datetime | None
    state: AnalysisState
    progress: Annotated[StepsDone | None, "while its task runs"]


class AnalysisOutcome(TypedDict):
    """What an analysis has found, or why nothing."""

    findings: Annotated[dict[str, Any] | None, "estimates beside the table, or improbable results"]
    problem: Annotated[AnalysisProblem | None, "when failed"]


class AnalysisSummary(AnalysisContent):
    """An analysis in a list, without what it has found."""

    id: int
    url: str
    page_url: str


class PoolAnalysis(AnalysisSummary, AnalysisOutcome):
    """An analysis of the games of a pool."""


def summary_as_json(pool: Pool, analysis: Analysis) -> AnalysisSummary:
    """Return the JSON of an analysis in a list, without its findings."""
    path = f"pools/{pool.code}/analyses/{analysis.pk}"
    progress = None
    if analysis.finished_at:
        state = AnalysisState.FAILED if analysis.problem else AnalysisState.DONE
    else:
        progress = read_progress(analysis_task(analysis.pk))
        state = AnalysisState.WAITING if progress is None else AnalysisState.RUNNING
    return {
        "id": analysis.pk,
        "url": absolute_url(path),
        "page_url": page_url(f"officers/{path}"),
        "pool": pool.code,
        "kind": Analysis.Kind(analysis.kind),
        "parameters": analysis.parameters,
        "by": account_reference(analysis.by) if analysis.by else None,
        "created_at": analysis.created_at,
        "finished_at": analysis.finished_at,
        "state": state,
        "progress": cast("StepsDone | None", progress),
    }


def analysis_as_json(pool: Pool, analysis: Analysis) -> PoolAnalysis:
    """Return the JSON of an analysis, with the players of what it has found."""
    found = analysis.result
    if found and "findings" in found:
        rows = with_players(found["findings"])
        found = {name: value for name, value in found.items() if name != "findings"}
        found["rows"] = rows
    return {**summary_as_json(pool, analysis), "findings": found, "problem": analysis.problem}


def with_players(findings: Sequence[Mapping[str, Any]]) -> list[dict[str, Any]]:
    """Return stored findings, and their games, with players for ids."""
    numbers = {row[name] for row in findings for name in ("player", "opponent") if row[name]}
    numbers |= {game["opponent"] for row in findings for game in row["games"]}
    rows = Player.objects.filter(pk__in=numbers).only(*PLAYER_COLUMNS)
    people = {player.pk: player_reference(player) for player in rows}
    return [
        {
            "kind": row["kind"],
            "player": people.get(row["player"]),
            "opponent": people.get(row["opponent"]),
            "batch_id": row["batch"],
            "p": row["p"],
            "adjusted": row["adjusted"],
            "error": row["error"],
            "games": [
                {
                    "game_id": game["game"],
                    "batch_id": game["batch"],
                    "opponent": people.get(game["opponent"]),
                    **{name: game[name] for name in GAME_NUMBERS},
                    "score": game["result"],
                }
                for game in row["games"]
            ],
        }
        for row in findings
    ]


GAME_NUMBERS: Final = (
    "rating", "opponent_rating", "opponent_error", "handicap_part", "expected", "tested",
)  # fmt: skip

Row = tuple[Any, ...]


def load_settled_games(
    pool: Pool, *fields: str, settled_from: int, progress: Progress = no_progress
) -> Iterator[tuple[Row, Row]]:
    """Yield the changes of the first and second seat of each game in order, in two queries.

    A row contains the batch, the player, K, the player's rated games in the pool before the batch,
    then the fields. A game is left out if one of its players was unrated, or had fewer than
    `settled_from` of these games: their rating is still near its start, whatever their strength.
    """
    counts: Counter[int] = Counter()
    current = Change.objects.filter(IN_CURRENT_RUN, pool=pool)
    total, read = current.count(), 0
    changes = (
        current.order_by(*RATED_ORDER)
        .values_list("batch_id", "player_id", "k", *fields)
        .iterator(chunk_size=2000)
    )
    for _batch_id, batch in groupby(changes, key=itemgetter(0)):
        rows = list(batch)
        for first, second in zip(rows[::2], rows[1::2], strict=True):
            # K is zero if one of the players is unrated, in FIDE's system.
            if first[2] > 0 and min(counts[first[1]], counts[second[1]]) >= settled_from:
                yield _with_games(first, counts), _with_games(second, counts)
        counts.update(row[1] for row in rows)
        read += len(rows)
        progress("reading games", read // 2, total // 2)


def _with_games(row: Row, counts: Counter[int]) -> Row:
    return (*row[:3], counts[row[1]], *row[3:])


CALIBRATION_FIELDS = (
    "before", "score", "game__game", "game__board", "game__handicap", "game__swap",
    "game__first_rating", "game__second_rating",
)  # fmt: skip
SHOWN = (FIRST_GAME, "10")
"""The game and board whose values the report states beside the estimates."""


def calibrate_pool(pool: Pool, progress: Progress = no_progress) -> CalibrationReport:
    """Return the values of handicaps by the games of a pool; raises NotEstimable."""
    values = values_of(load_table(pool.handicap_table), *SHOWN)
    return make_report(pool.handicap_table, values, load_calibration_games(pool, progress))


def load_calibration_games(
    pool: Pool, progress: Progress = no_progress
) -> Iterator[CalibrationGame]:
    """Yield the settled games in order.

    The ratings are the published ones by which a handicap was chosen, where the game stores them;
    those before the batch may know results that were not known then. Points count as often as they
    contain the value of a point in the game that the report shows.
    """
    table = load_table(pool.handicap_table)
    games = load_settled_games(
        pool, *CALIBRATION_FIELDS, settled_from=PROVISIONAL_BELOW, progress=progress
    )
    for first, second in games:
        with suppress(BadHandicap):  # of points that nobody can overcome, by another table
            yield _make_game(first, second, table)


def _make_game(first: Row, second: Row, table: GameTables) -> CalibrationGame:
    """Return the game of the changes of its two players; raises BadHandicap."""
    _, player, k, _, before, score, game, board, handicap, swap, *published = first
    _, opponent, opponent_k, _, opponent_before, *_ = second
    rating, other = (before, opponent_before) if None in published else published
    values = values_of(table, game, board)
    amounts = amounts_of_conditions(values, game, board, read_handicap(handicap), swap=swap)
    amounts = (*amounts[:3], amounts[3] * points_scale(table, game, board))
    return CalibrationGame(player, opponent, rating, other, k, opponent_k, amounts, score)


def points_scale(table: GameTables, game: str, board: str) -> float:
    """Return the value of a point in a game in that of the game that the report shows.

    It is 1 in tables whose boards scale the same value.
    """
    values, shown = values_of(table, game, board), values_of(table, *SHOWN)
    if values.model is TableModel.LINEAR or not shown.point:
        return 1
    return values.point / shown.point


FAIR_PLAY_FIELDS = ("before", "score", "handicap_part", "game_id")


def load_fair_play_games(pool: Pool, progress: Progress = no_progress) -> Iterator[FairPlayGame]:
    """Yield the settled games in order."""
    system = find_preset(pool.preset, pool.parameters)
    games = load_settled_games(
        pool, *FAIR_PLAY_FIELDS, settled_from=SETTLED_FROM, progress=progress
    )
    for first, second in games:
        batch, player, _, own_games, rating, score, part, game = first
        _, opponent, _, other_games, opponent_rating, *_ = second
        errors = (
            round(deviation_of(system, rating, own_games, pool.spread)),
            round(deviation_of(system, opponent_rating, other_games, pool.spread)),
        )
        yield FairPlayGame(
            game, batch, player, opponent, rating, opponent_rating, *errors, part, score
        )
