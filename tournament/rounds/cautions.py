"""What is allowed, and can still go wrong: said at the set-up, before a round, and at a result."""

from collections import defaultdict
from collections.abc import Iterable
from typing import Any, Final, NotRequired, TypedDict

from django.db.models import Q

from games.models import Game, Player
from games.rules.messages import gettext_noop
from games.rules.text import Text
from ratings.core.conditions import find_unrated
from ratings.models import Pool
from tournament.core.crosstable_results import FORFEITED
from tournament.core.queries import ENDED_APPLICATIONS, current_pairings
from tournament.core.references import EntryReference, references_of
from tournament.core.systems import system_of
from tournament.models import Entry, Pairing, Tournament
from tournament.pairing.usual_tiebreaks import ranking_without_points
from tournament.standings.prizes import parse_groups
from tournament.standings.tiebreaks import TIEBREAKS, Tiebreak

MOST_NAMED = 5


class Caution(TypedDict):
    """What is allowed and can still go wrong."""

    code: str
    detail: str
    entries: NotRequired[list[EntryReference]]


NEEDED_FOR_PRIZES: Final = (
    (
        {"age_from", "age_to", "birth_year_from", "birth_year_to"},
        {"birth_year": None},
        gettext_noop(
            "entries without a year of birth (%(count)s): %(names)s; they are in no prize group by"
            " age; state it in the entry, since the registration's own is private and not used"
        ),
    ),
    (
        {"sex"},
        {"sex": ""},
        gettext_noop(
            "entries without a sex (%(count)s): %(names)s; they are in no prize group by sex; state"
            " it in the entry, since the registration's own is private and not used"
        ),
    ),
)
"""The conditions of prize groups, the entries that lack a value for them, and what is said."""


def find_cautions(tournament: Tournament) -> list[Caution]:
    """Return the cautions about the settings and the entries of an event; seven queries at most."""
    return [
        *_about_pool(tournament),
        *_about_ranking(tournament),
        *_about_unrated(tournament),
        *_about_records(tournament),
        *_about_rounds(tournament),
        *_about_places(tournament),
        *about_separations(tournament),
        *_about_prizes(tournament),
    ]


def find_unproven_boards(
    tournament: Tournament, through: int, first: int = 1
) -> list[dict[str, Any]]:
    """Return a caution for each round with results that leave a tie-break empty.

    No query if no tie-break of the event needs records.
    """
    codes = _codes(tournament, (rule for rule in TIEBREAKS.values() if rule.needs_records))
    if not codes:
        return []
    margins = [code for code in codes if not TIEBREAKS[code.partition("/")[0]].needs_counts]
    boards: dict[int, set[int]] = defaultdict(set)
    unproven_codes: dict[int, set[str]] = defaultdict(set)
    for name in ("game", "return_game"):
        unproven = Q(**{f"{name}__record": None}) | Q(**{f"{name}__score_first": None})
        pairings = current_pairings(tournament).filter(
            unproven,
            kind=Pairing.Kind.GAME,
            round__number__range=(first, through),
            **{f"{name}__state": Game.State.CONFIRMED},
        )
        played = pairings.exclude(**{f"{name}__termination__in": FORFEITED})
        for number, board, record in played.values_list(
            "round__number", "board_number", f"{name}__record"
        ):
            # A resigned game has a record, which proves stars and quarks but no score.
            lacking = codes if record is None else margins
            if lacking:
                boards[number].add(board or 0)
                unproven_codes[number].update(lacking)
    return [
        _unproven(number, sorted(boards[number]), [c for c in codes if c in unproven_codes[number]])
        for number in sorted(boards)
    ]


def _unproven(number: int, boards: list[int], codes: list[str]) -> dict[str, Any]:
    detail = Text(
        "no record proves the score of board(s) %(boards)s in round %(number)s, so these "
        "tie-breaks are left empty for all players: %(codes)s",
        boards=boards,
        number=number,
        codes=codes,
    )
    return {"code": "tiebreak_left_empty", "detail": detail, "boards": boards}


def _codes(tournament: Tournament, rules: Iterable[Tiebreak]) -> list[str]:
    names = {rule.code for rule in rules}
    return [code for code in tournament.tiebreaks if code.partition("/")[0] in names]


def _about_pool(tournament: Tournament) -> list[Caution]:
    """Return what is wrong with the pool for the games: it rates every game, or none of these."""
    if not (tournament.rated and tournament.pool):
        return []
    pool = Pool.objects.get(code=tournament.pool)
    if not pool.rated_games:
        detail = Text(
            "the pool %(pool)s names no games and rates all of them on one scale, so a player's"
            " results in one game count as those in another; its officers can name its games",
            pool=pool.name,
        )
        return [{"code": "pool_rates_everything", "detail": detail}]
    conditions = tournament.game, tournament.board, tournament.time_class
    if games := find_unrated(pool, *conditions):
        detail = Text(
            "the pool %(pool)s does not rate %(detail)s any more, so these games will not be rated",
            pool=pool.name,
            detail=games,
        )
        return [{"code": "pool_rates_others", "detail": detail}]
    return []


def _about_ranking(tournament: Tournament) -> list[Caution]:
    detail = ranking_without_points(tournament.tiebreaks)
    return [{"code": "ranking_without_points", "detail": detail}] if detail else []


def _about_unrated(tournament: Tournament) -> list[Caution]:
    """Return what lacks a rating of every player: tie-breaks, and recommended handicaps."""
    codes = _codes(tournament, (rule for rule in TIEBREAKS.values() if rule.needs_ratings))
    lacks_tiebreaks = bool(codes) and not tournament.unrated_rating
    lacks_handicaps = (
        tournament.handicaps == Tournament.Handicaps.RECOMMENDED
        and system_of(tournament).handicap_ratings is None
    )
    rows = _players(tournament, seed_rating=0) if lacks_tiebreaks or lacks_handicaps else []
    if not rows:
        return []
    who = {"count": len(rows), "names": _names(rows)}
    found: list[Caution] = []
    if lacks_tiebreaks:
        left_empty = Text(
            "unrated players (%(count)s): %(names)s; without a rating of every player these "
            "tie-breaks are left empty for all, unless the event states the rating of unrated "
            "players: %(codes)s",
            **who,
            codes=codes,
        )
        found.append({"code": "tiebreak_left_empty", "detail": left_empty})
    if lacks_handicaps:
        takes_given = tournament.seed_source == Tournament.SeedSource.GIVEN
        remedy = (
            Text("enter their ratings, or take the seeds from the pool before the start")
            if tournament.pool and takes_given
            else Text("enter their ratings")
        )
        not_recommended = Text(
            "unrated players (%(count)s): %(names)s; their games have no recommended handicap: "
            "%(remedy)s",
            **who,
            remedy=remedy,
        )
        found.append({"code": "no_recommendation", "detail": not_recommended})
    return [caution | {"entries": rows} for caution in found]


def _players(tournament: Tournament, **values: Any) -> list[EntryReference]:
    """Return the entries of the tables that have these values."""
    entries = tournament.entries.filter(
        Q(state=Entry.State.ACCEPTED) | Q(pairing_number__isnull=False), **values
    )
    return references_of(entries.order_by("ordinal"))


def _names(rows: list[EntryReference]) -> list[str]:
    names = [row["player"]["name"] for row in rows[:MOST_NAMED]]
    return names + ["…"] * (len(rows) > MOST_NAMED)


def _about_records(tournament: Tournament) -> list[Caution]:
    codes = _codes(tournament, (rule for rule in TIEBREAKS.values() if rule.needs_records))
    if not codes:
        return []
    detail = Text(
        "every game needs a record that proves its score; one result from a slip, or one resigned "
        "game, leaves these tie-breaks empty for all players: %(codes)s",
        codes=codes,
    )
    return [{"code": "tiebreak_needs_records", "detail": detail}]


def _about_rounds(tournament: Tournament) -> list[Caution]:
    if system_of(tournament).rounds_needed is not None:
        return []
    players = _accepted(tournament)
    if players < 2 and tournament.places:
        players = tournament.places  # nobody is entered yet
    opponents = players - 1 + players % 2  # with an odd number, each has the bye once
    if players < 2 or tournament.rounds <= opponents:
        return []
    detail = Text(
        "%(rounds)s rounds are more than %(players)s players can play without meeting twice: "
        "%(most)s at most",
        rounds=tournament.rounds,
        players=players,
        most=opponents,
    )
    return [{"code": "too_many_rounds", "detail": detail}]


def _about_places(tournament: Tournament) -> list[Caution]:
    accepted = _accepted(tournament) if tournament.places else 0
    if accepted <= (tournament.places or 0):
        return []
    detail = Text(
        "%(entries)s players are entered for %(places)s places; withdraw some, or raise the number"
        " of places",
        entries=accepted,
        places=tournament.places,
    )
    return [{"code": "too_many_entries", "detail": detail}]


def about_separations(tournament: Tournament) -> list[Caution]:
    """Return the players who are kept apart from others, and are not in the event."""
    named = {number for item in tournament.separations for number in item["players"]}
    if not named:
        return []
    entries = tournament.entries.exclude(state__in=ENDED_APPLICATIONS)
    entered = {*entries.values_list("player_id", "player__merged_into")}
    outside = named.difference(*entered)
    players = Player.objects.filter(pk__in=outside).order_by("pk").values_list("name", "pk")
    names = [f"{name} #{number}" for name, number in players] if outside else []
    if not names:
        return []
    detail = Text(
        "players are kept apart who are not in the event: %(names)s",
        names=names[:MOST_NAMED] + ["…"] * (len(names) > MOST_NAMED),
    )
    return [{"code": "separated_outsiders", "detail": detail}]


def _about_prizes(tournament: Tournament) -> list[Caution]:
    """Return who lacks a value that prize groups need; those of registrations are private."""
    conditions = {key for group in parse_groups(tournament.prizes) for key in group.as_json()}
    found: list[Caution] = []
    for keys, lacks, missing in NEEDED_FOR_PRIZES:
        rows = [] if keys.isdisjoint(conditions) else _players(tournament, **lacks)
        if rows:
            detail = Text(missing, count=len(rows), names=_names(rows))
            found.append({"code": "entry_value_missing", "detail": detail, "entries": rows})
    return found


def _accepted(tournament: Tournament) -> int:
    return tournament.entries.filter(state=Entry.State.ACCEPTED).count()
