"""The results of a round by board, the disputed games, and records that several games have."""

from collections import defaultdict
from collections.abc import Iterable
from dataclasses import dataclass
from typing import Any

from django.db.models import Count, F

from games.models import Game, Report
from games.play.queries import dispute_in_words, game_page, place_as_json, records_beside
from games.rules.records.claims import example_results
from games.rules.records.handicaps import exchange_seats
from games.rules.registry import find_game
from tournament.core.queries import current_pairings, event_conditions
from tournament.entries.queries import namesakes_in
from tournament.models import Round, Tournament
from tournament.rounds.cautions import find_unproven_boards
from tournament.rounds.queries import RoundPairing, load_pairings

GAME_MEMBERS = ("game", "state", "basis", "result", "termination", "adjourned")
RECORD_COLUMNS = (
    "digest", "game_id", "game__event", "game__stream", "game__round", "game__place",
    "game__first_id", "game__first__name", "game__second_id", "game__second__name",
)  # fmt: skip


def results_as_json(this_round: Round, *, only_missing: bool = False) -> dict[str, Any]:
    """Return the games of a round with their results: by board, a return game after the first."""
    corrected = this_round.tournament.corrections.by_game()
    games = [
        game | {"corrections": [row.number for row in corrected.get(game["game"], ())]}
        for pairing in load_pairings(this_round)
        if pairing.second is not None and pairing.game is not None
        for game in _games_of(pairing)
    ]
    missing = [
        game for game in games if game["state"] not in (Game.State.CONFIRMED, Game.State.ANNULLED)
    ]
    return {
        "round": this_round.number,
        "state": this_round.state,
        "missing": len(missing),
        "warnings": find_unproven_boards(
            this_round.tournament, this_round.number, first=this_round.number
        ),
        "rows": missing if only_missing else games,
    }


def _games_of(pairing: RoundPairing) -> list[dict[str, Any]]:
    values = {name: getattr(pairing, name) for name in GAME_MEMBERS}
    handicap = (pairing.applied and pairing.applied["handicap"]) or ""
    players = {"first": pairing.first, "second": pairing.second}
    games = [{"board": pairing.board, "return_game": False, **players, **values}]
    games[0]["handicap"] = handicap or None
    if pairing.return_game is not None:
        exchanged = {"first": pairing.second, "second": pairing.first}
        values = dict(pairing.return_game)
        games.append({"board": pairing.board, "return_game": True, **exchanged, **values})
        games[1]["handicap"] = exchange_seats(handicap) or None
    return games


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
                "id": row["game_id"],
                "url": game_page(row["game_id"]),
                **place_as_json(row, "game__"),
                "first": {"id": row["game__first_id"], "name": row["game__first__name"]},
                "second": {"id": row["game__second_id"], "name": row["game__second__name"]},
            }
        )
    return [{"digest": digest, "games": found} for digest, found in games.items()]


def examples_of_results(tournament: Tournament) -> dict[str, Any]:
    """Return what the hints beside a field for results need: a score of the game, and draws."""
    score, has_draws = example_results(find_game(tournament.game), event_conditions(tournament))
    return {"example": score or "1", "has_scores": bool(score), "has_draws": has_draws}
