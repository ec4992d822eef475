"""The results of a round by board, the disputed games, and records that several games have."""

from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Annotated, Any, TypedDict, cast

from django.db.models import Count, F

from games.core.handicaps import HANDICAP_TEXT, Handicap, handicap_as_json
from games.core.references import player_columns, player_of
from games.models import Game, Report
from games.play.queries import dispute_in_words, game_reference, records_beside
from games.rules.records.claims import example_results
from games.rules.records.handicaps import exchange_seats
from games.rules.registry import find_game
from tournament.core.queries import current_pairings, event_conditions
from tournament.core.references import NumberedEntry
from tournament.entries.queries import namesakes_in
from tournament.models import Correction, Round, Tournament
from tournament.rounds.cautions import find_unproven_boards
from tournament.rounds.queries import RoundPairing, load_pairings

RECORD_COLUMNS = (
    "digest", "game_id", "game__event", "game__stream", "game__round", "game__place",
    *player_columns("game__first"), *player_columns("game__second"),
)  # fmt: skip


class BoardRow(TypedDict):
    """A game of a round with its result."""

    board: int
    return_game: bool
    game_id: int
    first: Annotated[NumberedEntry, "who has the first seat of this game"]
    second: NumberedEntry
    state: Game.State
    basis: Game.Basis | None
    handicap: Handicap | None
    handicap_text: Annotated[str | None, HANDICAP_TEXT]
    result: Annotated[str | None, "with the points of the handicap"]
    termination: str | None
    adjourned: Annotated[bool, "to be continued; without a result so far"]
    corrections: Annotated[list[int], "the numbers of those in force"]


class ResultWarning(TypedDict):
    """Results that leave a tie-break without values."""

    code: str
    detail: str
    boards: list[int]


class RoundResults(TypedDict):
    """The results of a round by board."""

    round: int
    state: Round.State
    missing: Annotated[int, "the number of games without a result"]
    warnings: list[ResultWarning]
    rows: list[BoardRow]


def results_as_json(this_round: Round, *, only_missing: bool = False) -> RoundResults:
    """Return the games of a round with their results: by board, a return game after the first."""
    corrected = this_round.tournament.corrections.by_game()
    games = [row for pairing in load_pairings(this_round) for row in _rows_of(pairing, corrected)]
    missing = [
        row for row in games if row["state"] not in (Game.State.CONFIRMED, Game.State.ANNULLED)
    ]
    warnings = find_unproven_boards(
        this_round.tournament, this_round.number, first=this_round.number
    )
    return {
        "round": this_round.number,
        "state": Round.State(this_round.state),
        "missing": len(missing),
        "warnings": cast("list[ResultWarning]", warnings),
        "rows": missing if only_missing else games,
    }


def _rows_of(
    pairing: RoundPairing, corrected: Mapping[int, Sequence[Correction]]
) -> Iterator[BoardRow]:
    """Yield the games of a pairing; none of a bye."""
    first, second, again = pairing.first, pairing.second, pairing.return_game
    if second is None or pairing.game_id is None or pairing.board is None or not pairing.state:
        return
    handicap = (pairing.applied and pairing.applied["handicap_text"]) or ""
    yield {
        "board": pairing.board,
        "return_game": False,
        "game_id": pairing.game_id,
        "first": first,
        "second": second,
        "state": pairing.state,
        "basis": pairing.basis,
        "handicap": handicap_as_json(handicap),
        "handicap_text": handicap or None,
        "result": pairing.result,
        "termination": pairing.termination,
        "adjourned": pairing.adjourned,
        "corrections": _numbers(corrected, pairing.game_id),
    }
    if again is not None:
        exchanged = exchange_seats(handicap)
        yield {
            "board": pairing.board,
            "return_game": True,
            "game_id": again["id"],
            "first": second,
            "second": first,
            "state": again["state"],
            "basis": again["basis"],
            "handicap": handicap_as_json(exchanged),
            "handicap_text": exchanged or None,
            "result": again["result"],
            "termination": again["termination"],
            "adjourned": again["adjourned"],
            "corrections": _numbers(corrected, again["id"]),
        }


def _numbers(corrected: Mapping[int, Sequence[Correction]], game: int) -> list[int]:
    return [row.number for row in corrected.get(game, ())]


@dataclass(frozen=True, slots=True)
class DisputedGame:
    """A game on which the two sides differ, and its place."""

    round: int
    board: int
    game: int
    first: str
    second: str
    dispute: str


def disputed_games(tournament: Tournament) -> list[DisputedGame]:
    """Return the disputed games by round and board; two queries, three if there are some."""
    pairings = current_pairings(tournament)
    rows: list[tuple[Any, ...]] = []
    for name, first, second in (("game", "first", "second"), ("return_game", "second", "first")):
        rows += pairings.filter(**{f"{name}__state": Game.State.DISPUTED}).values_list(
            "round__number",
            "board_number",
            f"{name}_id",
            F(f"{first}__player_id"),
            F(f"{first}__player__name"),
            F(f"{second}__player_id"),
            F(f"{second}__player__name"),
            f"{name}__dispute",
        )
    namesakes = namesakes_in(tournament) if rows else {}
    found = [
        DisputedGame(
            this_round,
            board,
            game,
            namesakes.get(own, own_name),
            namesakes.get(other, other_name),
            dispute_in_words(dispute),
        )
        for this_round, board, game, own, own_name, other, other_name, dispute in rows
    ]
    return sorted(found, key=lambda game: (game.round, game.board, game.game))


def statements_of(games: Iterable[int]) -> dict[int, dict[str, Report]]:
    """Return what each side of these games has said last, by game and seat; one query, if any."""
    said = [Report.Kind.RECORD, Report.Kind.CLAIM, Report.Kind.DISPUTE]
    found: dict[int, dict[str, Report]] = defaultdict(dict)
    if numbers := list(games):
        reports = Report.objects.filter(game__in=numbers, kind__in=said)
        for report in reports.order_by("version").select_related("game"):
            found[report.game_id][report.seat] = report
    return dict(found)


def find_repeated_records(tournament: Tournament) -> list[dict[str, Any]]:
    """Return each record of the event that several games have, with these games.

    Games of other events are listed if they are public.
    """
    own = Report.objects.filter(game__stream=tournament.stream).exclude(record="")
    reports = records_beside(tournament.stream).filter(digest__in=own.values("digest"))
    repeated = reports.values("digest").annotate(games=Count("game", distinct=True))
    digests = repeated.filter(games__gt=1).values("digest")
    rows = reports.filter(digest__in=digests).values(*RECORD_COLUMNS).distinct()
    games: dict[str, list[dict[str, Any]]] = {}
    for row in rows.order_by("digest", "game_id"):
        games.setdefault(row["digest"], []).append(
            {
                **game_reference(row["game_id"], row, "game__"),
                "first": {"player": player_of(row, "game__first")},
                "second": {"player": player_of(row, "game__second")},
            }
        )
    return [{"digest": digest, "games": found} for digest, found in games.items()]


def examples_of_results(tournament: Tournament) -> dict[str, Any]:
    """Return what the hints beside a field for results need: a score of the game, and draws."""
    score, has_draws = example_results(find_game(tournament.game), event_conditions(tournament))
    return {"example": score or "1", "has_scores": bool(score), "has_draws": has_draws}
