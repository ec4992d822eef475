"""Load the crosstable of an event, and the players in it, in two or three queries."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from fractions import Fraction
from functools import cache
from typing import Any

from games.core.journal.chain import digest_of
from games.core.references import PlayerReference
from games.rules.seat import Seat
from tournament.core.corrected_results import (
    NO_CORRECTIONS,
    CorrectedValues,
    Purpose,
    load_kept_ratings,
)
from tournament.core.crosstable_results import load_results
from tournament.core.queries import last_complete_round, numbered_entries
from tournament.core.references import entry_columns, entry_of
from tournament.models import Entry, Tournament
from tournament.pairing.systems import PAIRING_SYSTEMS
from tournament.pairing.systems.baku import accelerate, size_of_group_a
from tournament.pairing.systems.round_robin import WITHDRAWN, strike
from tournament.standings.crosstable import (
    ABSENT,
    Competitor,
    Crosstable,
    DecidedTie,
    Kind,
    PlayerId,
    in_order,
)
from tournament.standings.points import PointSystem

ROUND_ROBINS = frozenset(code for code, system in PAIRING_SYSTEMS.items() if system.is_round_robin)

COMPETITOR_COLUMNS = (
    "ordinal", "seed_rating", "birth_year", "sex", "title", "category", "expelled", "first_round",
    "player__external_ids",
)  # fmt: skip
"""What a competitor has, besides the columns of how answers name an entry."""


@dataclass(frozen=True, slots=True)
class Participants:
    """The players of an event and the ids of their entries, by pairing number.

    `expelled` has the public reason of each player who is not ranked.
    """

    players: Mapping[PlayerId, PlayerReference]
    entries: Mapping[PlayerId, int]
    expelled: Mapping[PlayerId, str]


def point_system(tournament: Tournament) -> PointSystem:
    """Return the event's points in whole units; raise PointSystemError for invalid points."""
    return PointSystem.from_points(
        **{name: Fraction(str(value)) for name, value in tournament.points.items()}
    )


def is_round_robin(tournament: Tournament) -> bool:
    """Return True if tie-breaks follow the rules of a round robin."""
    return tournament.system in ROUND_ROBINS


def without_struck(tournament: Tournament, crosstable: Crosstable) -> Crosstable:
    """Leave out players whose results do not count; no query if the event strikes nobody."""
    if WITHDRAWN not in PAIRING_SYSTEMS[tournament.system].options:
        return crosstable
    if WITHDRAWN.read(tournament.system_options) == "keep":
        return crosstable
    withdrawn = numbered_entries(tournament).filter(state=Entry.State.WITHDRAWN)
    numbers = withdrawn.values_list("pairing_number", flat=True)
    return strike(crosstable, list(numbers), tournament.system_options)


def decided_ties(tournament: Tournament, numbers: Mapping[int, PlayerId]) -> tuple[DecidedTie, ...]:
    """Return the decided ties with pairing numbers; `numbers` are by the ordinal of the entry."""
    return tuple(
        DecidedTie(tie["after"], tuple(numbers.get(ordinal, 0) for ordinal in tie["entries"]))
        for tie in tournament.decided_ties
    )


def crosstable_digest(crosstable: Crosstable) -> str:
    """Return `sha256:` and the SHA-256 of all results, as canonical JSON.

    A row is the pairing number and, for each round, kind, opponent, seat, units awarded and, with
    two games in a pairing, their kinds: hyphenated, as in the digests of earlier journals.
    """
    rows = [
        [
            player.number,
            [
                [
                    _hyphenated(result.kind),
                    result.opponent,
                    result.seat,
                    crosstable.units_of(result),
                    *map(_hyphenated, result.games),
                ]
                for result in player.results
            ],
        ]
        for player in crosstable.players
    ]
    return f"sha256:{digest_of([crosstable.points.unit, rows])}"


@cache
def _hyphenated(kind: Kind) -> str:
    return kind.replace("_", "-")


def standings_digest(tournament: Tournament, through: int) -> str:
    """Return the digest of the results that the standings after a round count."""
    crosstable = load_crosstable(tournament, through=through)
    return crosstable_digest(without_struck(tournament, crosstable))


def load_crosstable(
    tournament: Tournament,
    *,
    through: int | None = None,
    for_pairing: bool = False,
    with_running: bool = False,
    corrected: CorrectedValues = NO_CORRECTIONS,
) -> Crosstable:
    """Load the results of the complete rounds, up to round `through`, in two or three queries.

    `with_running` also loads those of the round that is being played. An adjourned game is a draw
    `for_pairing`, and awards no points otherwise.
    """
    last = last_complete_round(tournament) if through is None else through
    table, _ = load_participants(
        tournament,
        through=last,
        for_pairing=for_pairing,
        with_running=with_running,
        corrected=corrected,
    )
    return table


def load_participants(
    tournament: Tournament,
    *,
    through: int,
    with_counts: bool = False,
    for_pairing: bool = False,
    with_running: bool = False,
    corrected: CorrectedValues = NO_CORRECTIONS,
) -> tuple[Crosstable, Participants]:
    """Load the crosstable after a round and its players; two queries.

    `with_counts` also reads the stars and quarks of games that have a record. A merged player
    appears as the player they were merged into. `corrected` are values of a correction that is not
    committed. One query more reads the seed ratings that corrections have left `for_pairing`.
    """
    points = point_system(tournament)
    entries = list(numbered_entries(tournament).values(*entry_columns(), *COMPETITOR_COLUMNS))
    numbers = {entry["id"]: entry["pairing_number"] for entry in entries}
    results = load_results(
        tournament,
        through,
        points,
        numbers,
        with_counts=with_counts,
        for_pairing=for_pairing,
        with_running=with_running,
        corrected=corrected,
    )
    kept = load_kept_ratings(tournament) if for_pairing else {}
    purpose = Purpose.PAIRINGS if for_pairing else Purpose.STANDINGS
    corrected_entries = corrected.entries.get(purpose, {})
    competitors, players = [], {}
    no_results = (ABSENT,) * through
    for entry in entries:
        number, rating = entry["pairing_number"], entry["seed_rating"]
        player = entry_of(entry)["player"]
        before, after = kept.get(entry["id"], (rating, rating))
        if rating == after:
            rating = before
        own_results = results.get(number)
        competitor = Competitor(
            number=number,
            name=player["name"],
            rating=rating,
            federation=player["country"] or "",
            fide_id=str(entry["player__external_ids"].get("fide") or ""),
            birth=str(entry["birth_year"] or ""),
            sex=entry["sex"],
            title=entry["title"],
            club=player["club"] or "",
            category=entry["category"],
            results=tuple(own_results) if own_results else no_results,
        )
        players[number] = player
        if values := corrected_entries.get(entry["id"]):
            competitor = replace(competitor, **_competitor_fields(values))
        competitors.append(competitor)
    expelled = {
        entry["pairing_number"]: reason
        for entry in entries
        if (reason := corrected_entries.get(entry["id"], {}).get("expelled", entry["expelled"]))
    }
    crosstable = Crosstable(
        players=in_order(competitors),
        rounds=tournament.rounds,
        points=points,
        round_robin=is_round_robin(tournament),
        initial_seat=Seat(tournament.initial_seat),
        games_per_pairing=tournament.games_per_pairing,
        unrated=tournament.unrated_rating or 0,
        decided=decided_ties(tournament, {e["ordinal"]: e["pairing_number"] for e in entries}),
        unranked=frozenset(expelled),
    )
    crosstable = crosstable.held_until(through)
    first_numbers = [entry["pairing_number"] for entry in entries if entry["first_round"] == 1]
    crosstable = with_starting_points(tournament, crosstable, first_numbers)
    return crosstable, Participants(
        players, {number: pk for pk, number in numbers.items()}, expelled
    )


def _competitor_fields(values: Mapping[str, Any]) -> dict[str, Any]:
    """Return corrected columns of an entry as fields of a competitor."""
    fields = {name: values[name] for name in ("sex", "title", "category") if name in values}
    if "birth_year" in values:
        fields["birth"] = str(values["birth_year"] or "")
    if "seed_rating" in values:
        fields["rating"] = values["seed_rating"]
    return fields


def with_starting_points(
    tournament: Tournament, crosstable: Crosstable, first_numbers: Sequence[PlayerId]
) -> Crosstable:
    """Add what the pairing system awards before round 1: virtual points or starting scores.

    `first_numbers` are the pairing numbers of the entries of round 1. Group A of Baku acceleration
    (C.04.7) is counted from them, so late entries do not move its boundary.
    """
    system = PAIRING_SYSTEMS[tournament.system]
    if system.is_accelerated:
        return accelerate(crosstable, boundary=_baku_boundary(first_numbers))
    if system.starting_scores is None:
        return crosstable
    scores = system.starting_scores(crosstable, tournament.system_options)
    players = (replace(player, start=scores[player.number]) for player in crosstable.players)
    return replace(crosstable, players=tuple(players))


def _baku_boundary(first_numbers: Sequence[PlayerId]) -> int:
    """Return the pairing number of the last player of group A; 0 without players."""
    return max(first_numbers[: size_of_group_a(len(first_numbers))], default=0)
