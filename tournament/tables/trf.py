"""An event as a TRF file, FIDE's format of tournament reports.

Years of birth and sex are included for the event's directors only; for others those columns are
empty.

Importing the file creates an event that exports the same file, byte for byte. TRF has no place for
options of a system, handicaps and other settings of games, late entries and withdrawals, which are
exported as absences, expulsions, preferences among the separations, and ties that the director
decided: a comment has them, which other programs skip (`tournament/trf/own_record.py`).
Separations are exported as players who may not meet. The file lacks the game and its board,
records, scores and reports; clubs, categories, prizes, entries without a number; the time zone,
board numbers, pairings set by hand; names beyond 33 characters and ratings above 9999.
The pairings of a published round are exported without results. So are adjourned games and open
games of a league, with the points of an unknown result (X of record 162), and their other game if a
pairing has two.
"""

from collections import defaultdict
from collections.abc import Iterator, Mapping
from dataclasses import replace
from typing import ClassVar

from games.core.tables.table import Context, DocumentRenderer
from games.rules.registry import GAMES
from games.rules.seat import Seat
from tournament.core.crosstable import decided_ties, load_crosstable
from tournament.core.crosstable_results import BYE_RESULT_KINDS
from tournament.core.queries import (
    SHOWN_ROUND_STATES,
    counted_states,
    current_pairings,
    is_league,
    load_separations,
    numbered_entries,
)
from tournament.core.rankings import Table, codes_of
from tournament.models import Entry, Pairing, Round, Tournament
from tournament.models.settings import GAME_SETTINGS, TRF_SETTINGS
from tournament.pairing.systems import PAIRING_SYSTEMS
from tournament.pairing.systems.round_robin import CYCLES
from tournament.pairing.trf_types import write_trf_type
from tournament.standings.crosstable import ABSENT, Crosstable, Kind, PlayerId, RoundResult
from tournament.trf import AnnouncedBye, ForbiddenGroup, TrfEdition, TrfFile, TrfHeader, write_trf
from tournament.trf.own_record import OwnPlayer, OwnPreference, OwnRecord, OwnTie
from tournament.trf.time_controls import write_encoded_time


def trf_file(table: Table, *, for_officials: bool = False) -> TrfFile:
    """Return the file of a table; it announces byes of later rounds.

    Struck players, whom the table leaves out, are included, because their games may be rated; a
    comment names them, because TRF cannot say that their results do not count. A file for officials
    includes years of birth and sex and, while the event is running, separations and the requested
    byes of rounds that are not published.
    """
    tournament = table.tournament
    results = table.crosstable
    struck: tuple[PlayerId, ...] = ()
    if len(results.players) < len(table.players):
        results = load_crosstable(tournament, through=table.through)
        struck = tuple(sorted(results.by_number.keys() - table.crosstable.by_number.keys()))
    if is_league(tournament):
        results = _with_open_games(results, tournament)
    players = []
    for player in results.players:
        birth = f"{player.birth}/00/00" if player.birth and for_officials else ""
        sex = player.sex if for_officials else ""
        players.append(replace(player, birth=birth, sex=sex))
    crosstable = replace(results, players=tuple(players))
    is_scheduled = tournament.system == "round-robin"
    cycles = CYCLES.read(tournament.system_options) if is_scheduled else None
    rounds = list(
        tournament.round_set.order_by("number").values_list("number", "starts_on", "state")
    )
    dates = [day.strftime("%y/%m/%d") if day else "" for _, day, _ in rounds]
    counted = counted_states(tournament)
    last = max((number for number, _, state in rounds if state in counted), default=0)
    is_current = table.through == last
    shows_all = for_officials or tournament.state != Tournament.State.RUNNING
    own = _own_players(tournament) if is_current else {}
    header = TrfHeader(
        name=tournament.name,
        city=tournament.place,
        federation=tournament.country,
        start=tournament.starts_on.strftime("%Y/%m/%d"),
        end=tournament.ends_on.strftime("%Y/%m/%d"),
        kind=f"Individual: {PAIRING_SYSTEMS[tournament.system].trf_type}",
        chief_arbiter=tournament.arbiter,
        time_control=tournament.time_control,
        encoded_time=write_encoded_time(tournament.main_minutes, tournament.increment_seconds),
        round_dates=tuple(dates) if any(dates) else (),
    )
    document = TrfFile(
        crosstable=crosstable,
        header=header,
        ranks={row.number: row.rank for row in table.rows},
        tiebreaks=tuple(codes_of(table.labels)),
        system=write_trf_type(tournament.system, crosstable, cycles),
        byes=_announced_byes(table, own, with_requested=shows_all) if is_current else (),
        forbidden=tuple(_forbidden_groups(table)) if shows_all else (),
        struck=struck,
        without_seat=_without_seat(tournament),
        own=_own_record(table, own, through=table.through + is_current, shows_all=shows_all),
    )
    next_round = table.through + 1
    is_published = any(
        (number, state) == (next_round, Round.State.PUBLISHED) for number, _, state in rounds
    )
    if is_current and is_published:
        return _with_published_round(document, tournament, next_round)
    return document


def _with_open_games(table: Crosstable, tournament: Tournament) -> Crosstable:
    """Return the table of a league with its open games, which are written as adjourned ones."""
    results = {player.number: [*player.results] for player in table.players}
    open_games = current_pairings(tournament).filter(round__number__lte=table.completed)
    for number, first, second in open_games.values_list(
        "round__number", "first__pairing_number", "second__pairing_number"
    ):
        if first is None or second is None:
            continue
        pair = {first: (second, Seat.FIRST), second: (first, Seat.SECOND)}
        if all(player in results and results[player][number - 1] is ABSENT for player in pair):
            for player, (opponent, seat) in pair.items():
                results[player][number - 1] = RoundResult(
                    Kind.LOSS,
                    opponent=opponent,
                    seat=seat,
                    awarded=0,
                    adjourned=True,
                    games=(Kind.LOSS,) * (2 if table.games_per_pairing > 1 else 0),
                )
    players = (replace(player, results=tuple(results[player.number])) for player in table.players)
    return replace(table, players=tuple(players))


def _forbidden_groups(table: Table) -> Iterator[ForbiddenGroup]:
    """Yield the groups of the event's separations, except preferences."""
    rounds = table.tournament.rounds
    for separation in load_separations(table.tournament):
        if not separation.is_preference and separation.first_round <= rounds:
            last = min(separation.last_round or rounds, rounds)
            for group in separation.groups(table.crosstable):
                if len(group) > 1:
                    yield ForbiddenGroup(group, separation.first_round, last)


def _with_published_round(document: TrfFile, tournament: Tournament, number: int) -> TrfFile:
    """Add the boards and byes of a round that is published and not yet complete."""
    pairings = current_pairings(tournament).filter(round__number=number)
    boards, byes = [], {bye for bye in document.byes if bye.round != number}
    for kind, first, second in pairings.values_list(
        "kind", "first__pairing_number", "second__pairing_number"
    ):
        if first and second:
            boards.append((first, second))
        elif first:
            byes.add(AnnouncedBye(number, BYE_RESULT_KINDS[Pairing.Kind(kind)], first))
    return replace(document, open_pairings=tuple(sorted(boards)), byes=tuple(sorted(byes)))


def _without_seat(tournament: Tournament) -> frozenset[tuple[int, PlayerId]]:
    """Return the rounds and players of forfeits without a colour whose opponents have one."""
    rows = current_pairings(tournament).filter(without_seat__in=Seat)
    return frozenset(
        (number, {Seat.FIRST: first, Seat.SECOND: second}[Seat(side)] or 0)
        for number, side, first, second in rows.values_list(
            "round__number", "without_seat", "first__pairing_number", "second__pairing_number"
        )
    )


def _own_players(tournament: Tournament) -> dict[PlayerId, OwnPlayer]:
    """Return what the entries say that is not in the columns of the players."""
    rows = numbered_entries(tournament).values_list(
        "pairing_number", "state", "first_round", "last_round", "expelled"
    )
    return {
        number: OwnPlayer(
            withdrawn=state != Entry.State.ACCEPTED,
            first_round=first_round,
            last_round=last_round,
            expelled=expelled,
        )
        for number, state, first_round, last_round, expelled in rows
    }


def _own_record(
    table: Table, players: Mapping[PlayerId, OwnPlayer], *, through: int, shows_all: bool
) -> OwnRecord:
    """Return the settings that differ from the defaults, and what else has no other line.

    `through` is the last round that the file may contain. The options of a system name it, even if
    they are the defaults, so that an import knows that they are; those of a round robin follow from
    its rounds.
    """
    tournament = table.tournament
    usual = Tournament(swap=GAMES[tournament.game].swaps)
    has_handicaps = tournament.handicaps != Tournament.Handicaps.NONE
    settings = {
        name: value
        for name in TRF_SETTINGS
        if (has_handicaps or not name.startswith("handicap"))
        and (value := getattr(tournament, name)) != getattr(usual, name)
    }
    system = PAIRING_SYSTEMS[tournament.system]
    if tournament.system_options or (system.options and not system.is_round_robin):
        settings |= {"system": tournament.system, "system_options": tournament.system_options}
    if settings.keys() & {*GAME_SETTINGS}:
        settings |= {"ruleset": tournament.game, "board_size": tournament.board}
    numbers = {}
    if tournament.decided_ties:
        numbers = dict(numbered_entries(tournament).values_list("ordinal", "pairing_number"))
    ties = [
        OwnTie(decided, tie["by"], tie["reason"])
        for decided, tie in zip(
            decided_ties(tournament, numbers), tournament.decided_ties, strict=True
        )
        if all(decided.players)
    ]
    return OwnRecord(
        settings=settings,
        players=players,
        handicaps=_handicaps(tournament, through) if has_handicaps else {},
        preferences=tuple(_preferences(table)) if shows_all else (),
        ties=tuple(ties),
    )


def _handicaps(tournament: Tournament, through: int) -> dict[int, dict[PlayerId, str]]:
    """Return the handicaps of the pairings by round and first player."""
    rows = current_pairings(tournament).exclude(handicap="")
    rows = rows.filter(round__number__lte=through, round__state__in=SHOWN_ROUND_STATES)
    found: dict[int, dict[PlayerId, str]] = defaultdict(dict)
    for number, player, handicap in rows.order_by(
        "round__number", "first__pairing_number"
    ).values_list("round__number", "first__pairing_number", "handicap"):
        found[number][player or 0] = handicap
    return dict(found)


def _preferences(table: Table) -> Iterator[OwnPreference]:
    """Yield the groups of the preferences among the separations, the most important first."""
    for separation in load_separations(table.tournament):
        if separation.is_preference:
            for group in separation.groups(table.crosstable):
                if len(group) > 1:
                    yield OwnPreference(group, separation.first_round, separation.last_round)


def _announced_byes(
    table: Table, own: Mapping[PlayerId, OwnPlayer], *, with_requested: bool
) -> tuple[AnnouncedBye, ...]:
    """Return the requested byes of later rounds, and the absences of withdrawn and late entries."""
    tournament = table.tournament
    kinds = {}
    if with_requested:
        requested = tournament.byes.filter(round__gt=table.through)
        kinds = {
            (number, player): BYE_RESULT_KINDS[Pairing.Kind(kind)]
            for number, player, kind in requested.values_list(
                "round", "entry__pairing_number", "kind"
            )
            if player
        }
    for player, found in own.items():
        for number in range(table.through + 1, tournament.rounds + 1):
            if found.is_out(number):
                kinds[number, player] = Kind.ZERO_BYE
    return tuple(
        sorted(AnnouncedBye(number, kind, player) for (number, player), kind in kinds.items())
    )


class TrfRenderer(DocumentRenderer):
    """Render a TRF16 file."""

    media_type = "text/plain"
    format = "trf"
    extension = "trf"
    edition: ClassVar[TrfEdition] = TrfEdition.TRF16

    def render(self, data: TrfFile, media_type: str | None = None, context: Context = None) -> str:
        """Return the file; raise StandingsError for values that its columns cannot hold."""
        return write_trf(data, edition=self.edition)


class Trf16Renderer(TrfRenderer):
    """Render a TRF16 file at the suffix that names the edition."""

    format = "trf16"


class Trf26Renderer(TrfRenderer):
    """Render a TRF26 file, whose type has a parameter, so that `text/plain` is TRF16."""

    media_type = "text/plain; version=26"
    format = "trf26"
    edition = TrfEdition.TRF26
