"""Reads: rows to values, in a fixed number of queries each."""

from collections import defaultdict
from dataclasses import replace
from fractions import Fraction
from typing import Any

from django.db.models import F, Max, Q, QuerySet

from games.models import Account, Game
from games.queries import plain
from tournament.models import Bye, Entry, Explanation, Pairing, Round, Tournament
from tournament.pairing import SYSTEMS
from tournament.pairing.baku import accelerate, size_of_group_a
from tournament.standings.crosstable import ABSENT, Competitor, Crosstable, Kind, RoundResult, Seat
from tournament.standings.points import PointSystem

DONE = (Round.State.COMPLETE, Round.State.LOCKED)
ROUND_ROBINS = frozenset(code for code, system in SYSTEMS.items() if system.is_round_robin)
BYES = {
    Pairing.Kind.PAIRING_BYE: Kind.PAIRING_BYE,
    Pairing.Kind.HALF_BYE: Kind.HALF_BYE,
    Pairing.Kind.ZERO_BYE: Kind.ZERO_BYE,
    Pairing.Kind.FULL_BYE: Kind.FULL_BYE,
}
COUNTED = frozenset({"STARS", "QUARKS"})
"""The tie-breaks that read what a record's verdict counts on the board."""
MOST_ATTEMPTS = 3
"""After which an explanation is given up."""
UNSETTLED = (Game.State.OPEN, Game.State.WAITING, Game.State.DISPUTED)


def visible_tournaments(account: Account | None, stream: str = "") -> "QuerySet[Tournament]":
    """Public tournaments past their draft, and those in which the account has a part.

    With a `stream` (that of a token good for one event) what is not public is seen there only.
    """
    public = Q(public=True) & ~Q(state=Tournament.State.DRAFT)
    if account is None:
        return Tournament.objects.filter(public)
    if account.is_staff and not stream:
        return Tournament.objects.all()
    names = account.roles.filter(stream__startswith="tournament/").values_list("stream", flat=True)
    slugs = [name.removeprefix("tournament/") for name in names if stream in ("", name)]
    own = Q(slug__in=slugs)
    plays = Q(entries__player__account=account) & ~Q(state=Tournament.State.DRAFT)
    if stream:
        plays &= Q(slug=stream.removeprefix("tournament/"))
    return Tournament.objects.filter(public | own | plays).distinct()


def point_system(tournament: Tournament) -> PointSystem:
    """The event's points as whole units; raises PointSystemError for senseless ones."""
    return PointSystem.of_points(
        **{name: Fraction(str(value)) for name, value in tournament.points.items()}
    )


def last_complete_round(tournament: Tournament) -> int:
    """The number of the last round whose results are all in; 0 before the first."""
    done = tournament.round_set.filter(state__in=DONE).aggregate(last=Max("number"))
    return done["last"] or 0


def _pair_of_results(row: dict[str, Any]) -> tuple[RoundResult, RoundResult]:
    """What a game at a board was for its first and for its second seat."""
    numbers = row["first__pairing_number"], row["second__pairing_number"]
    winner = row["game__winner"]
    forfeit = row["game__termination"] in ("forfeit", "double-forfeit")
    if row["game__state"] != Game.State.CONFIRMED:
        return ABSENT, ABSENT
    if row["game__draw"]:
        kinds = [Kind.DRAW, Kind.DRAW]
    elif forfeit:
        kinds = [Kind.FORFEIT_WIN if winner == seat else Kind.FORFEIT_LOSS for seat in Seat]
    else:
        kinds = [Kind.WIN if winner == seat else Kind.LOSS for seat in Seat]
    scores: tuple[tuple[int, int] | None, ...] = (None, None)
    if row["game__score_first"] is not None and row["game__record_id"]:
        score = row["game__score_first"], row["game__score_second"]
        scores = score, score[::-1]
    counts = row.get("game__record__outcome__detail") or {}
    first, second = (
        RoundResult(
            kind,
            opponent=opponent,
            seat=seat,
            score=score,
            stars=counts.get(seat, {}).get("stars"),
            quarks=counts.get(seat, {}).get("quarks"),
        )
        for kind, opponent, seat, score in zip(kinds, numbers[::-1], Seat, scores, strict=True)
    )
    return first, second


def is_round_robin(tournament: Tournament) -> bool:
    """Whether everybody meets everybody, which tie-breaks read otherwise than a Swiss."""
    return tournament.system in ROUND_ROBINS


def load_crosstable(
    tournament: Tournament, *, through: int | None = None, with_counts: bool = False
) -> Crosstable:
    """Everybody's results in the complete rounds, up to round `through`; two or three queries.

    `with_counts` reads the stars and quarks of games whose record proves them as well.
    """
    last = last_complete_round(tournament) if through is None else through
    results: dict[int, dict[int, RoundResult]] = defaultdict(dict)
    rows = plain(
        current_pairings(tournament).filter(round__number__lte=last, round__state__in=DONE),
        "round__number", "kind", "first__pairing_number", "second__pairing_number",
        "game__state", "game__winner", "game__draw", "game__termination",
        "game__score_first", "game__score_second", "game__record_id",
        *(["game__record__outcome__detail"] if with_counts else []),
    )  # fmt: skip
    for row in rows:
        number = row["round__number"]
        if row["kind"] == Pairing.Kind.GAME:
            first, second = _pair_of_results(row)
            results[row["first__pairing_number"]][number] = first
            results[row["second__pairing_number"]][number] = second
        else:
            kind = BYES[Pairing.Kind(row["kind"])]
            results[row["first__pairing_number"]][number] = RoundResult(kind)
    competitors = (
        Competitor(
            number=row["pairing_number"],
            name=row["player__name"],
            rating=row["seed_rating"],
            federation=row["player__country"],
            fide_id=str(row["player__external_ids"].get("fide", "")),
            birth=str(row["born"] or ""),
            sex=row["sex"],
            club=row["player__club"],
            category=row["category"],
            results=tuple(
                results[row["pairing_number"]].get(number, ABSENT) for number in range(1, last + 1)
            ),
        )
        for row in plain(
            numbered_entries(tournament),
            "pairing_number",
            "seed_rating",
            "player__name",
            "player__country",
            "player__club",
            "player__external_ids",
            "born",
            "sex",
            "category",
        )
    )
    table = Crosstable(
        players=tuple(competitors),
        rounds=tournament.rounds,
        points=point_system(tournament),
        round_robin=is_round_robin(tournament),
        initial_seat=Seat(tournament.top_seed_seat),
    )
    system = SYSTEMS[tournament.system]
    if system.accelerated:
        return accelerate(table, boundary=baku_boundary(tournament))
    if system.starting_scores is None:
        return table
    start = system.starting_scores(table, tournament.system_options)
    return replace(
        table, players=tuple(replace(one, start=start[one.number]) for one in table.players)
    )


def baku_boundary(tournament: Tournament) -> int:
    """The pairing number of the last of group A (C.04.7); late entries do not move it.

    The group is counted from those who could be paired in round 1, 0 when there was nobody.
    """
    field = numbered_entries(tournament).filter(first_round=1)
    numbers = [row["pairing_number"] for row in plain(field, "pairing_number")]
    size = size_of_group_a(len(numbers))
    return max(numbers[:size], default=0)


def numbered_entries(tournament: Tournament) -> "QuerySet[Entry]":
    """The entries that have a pairing number, in its order."""
    return tournament.entries.filter(pairing_number__isnull=False).order_by("pairing_number")


def numbers_of_players(tournament: Tournament) -> dict[int, int]:
    """The pairing number of each player by the player's id."""
    rows = plain(numbered_entries(tournament), "player_id", "pairing_number")
    return {row["player_id"]: row["pairing_number"] for row in rows}


def entries_by_number(tournament: Tournament) -> dict[int, int]:
    """The id of each entry by its pairing number."""
    rows = plain(numbered_entries(tournament), "pairing_number", "pk")
    return {row["pairing_number"]: row["pk"] for row in rows}


def current_pairings(tournament: Tournament) -> "QuerySet[Pairing]":
    """The pairings of each round's current version."""
    return Pairing.objects.filter(tournament=tournament, version=F("round__version"))


def absent_numbers(tournament: Tournament, round_number: int) -> dict[int, str]:
    """Who is not to be paired in a round, by pairing number, and the kind of bye; two queries.

    Withdrawn entries get no line at all, which every reader of a table takes as a zero-point bye.
    """
    asked = Bye.objects.filter(tournament=tournament, round=round_number)
    away = {
        row["entry__pairing_number"]: row["kind"]
        for row in plain(asked, "entry__pairing_number", "kind")
        if row["entry__pairing_number"]
    }
    gone = numbered_entries(tournament).filter(
        ~Q(state=Entry.State.ACCEPTED) | Q(first_round__gt=round_number)
    )
    return away | dict.fromkeys(
        (row["pairing_number"] for row in plain(gone, "pairing_number")), ""
    )


def unsettled_boards(tournament: Tournament, round_number: int | None = None) -> list[int]:
    """The boards whose results are not in yet, of one round or of all."""
    waiting = current_pairings(tournament).filter(game__state__in=UNSETTLED)
    if round_number is not None:
        waiting = waiting.filter(round__number=round_number)
    ordered = waiting.order_by("round__number", "board_number")
    return [row["board_number"] for row in plain(ordered, "board_number")]


def _paired(row: dict[str, Any], seat: str) -> dict[str, Any] | None:
    if row[f"{seat}_id"] is None:
        return None
    return {
        "entry": row[f"{seat}_id"],
        "pairing_number": row[f"{seat}__pairing_number"],
        "player": row[f"{seat}__player_id"],
        "name": row[f"{seat}__player__name"],
    }


def result_text(winner: str, draw: bool, score: tuple[int, int] | None, state: str) -> str | None:
    """A result as it is written, first seat's first; None while none stands."""
    if state != Game.State.CONFIRMED:
        return None
    if score is not None:
        return f"{score[0]}-{score[1]}"
    if draw:
        return "1/2"
    return {"first": "1-0", "second": "0-1"}.get(winner, "0-0")


def pairings_of(tournament: Tournament, this_round: Round) -> list[dict[str, Any]]:
    """A round's current pairings as the API shows them: by board, then the byes."""
    rows = plain(
        current_pairings(tournament)
        .filter(round=this_round)
        .order_by(F("board_number").asc(nulls_last=True), "first__pairing_number"),
        "board_number", "kind", "by_hand", "first_id", "first__pairing_number", "first__player_id",
        "first__player__name", "second_id", "second__pairing_number", "second__player_id",
        "second__player__name", "game_id", "game__state", "game__basis", "game__winner",
        "game__draw", "game__score_first", "game__score_second", "game__termination",
    )  # fmt: skip
    return [
        {
            "board": row["board_number"],
            "kind": row["kind"],
            "by_hand": row["by_hand"],
            "first": _paired(row, "first"),
            "second": _paired(row, "second"),
            "game": row["game_id"],
            "state": row["game__state"],
            "basis": row["game__basis"] or None,
            "result": result_text(
                row["game__winner"] or "",
                bool(row["game__draw"]),
                None
                if row["game__score_first"] is None
                else (row["game__score_first"], row["game__score_second"]),
                row["game__state"] or "",
            ),
            "termination": row["game__termination"] or None,
        }
        for row in rows
    ]


def explanation_progress(explanation_id: int) -> dict[str, Any] | None:
    """How far an explanation has come; `done` with what it says, None if unknown."""
    found = (
        Explanation.objects.filter(pk=explanation_id)
        .select_related("certificate__round__tournament")
        .first()
    )
    if found is None:
        return None
    certificate, body = found.certificate, found.body
    done = body is not None
    failed = not done and found.attempts >= MOST_ATTEMPTS
    place = {"tournament": certificate.round.tournament.slug, "round": certificate.round.number}
    return {
        "id": f"explanation-{found.pk}",
        "state": "done" if done else "failed" if failed else "waiting",
        "progress": 1 if done else 0,
        "stream": certificate.round.tournament.stream,
        "result": {**place, **body, "numbers": certificate.entries} if body is not None else None,
    }
