"""An event as FIDE's tournament report, TRF16 or TRF26.

Years of birth and sex stand in it for the event's directors alone; for others those columns are
empty.

A report that is imported gives an event whose report is the same again, byte for byte. What no
report can say, and so stays behind: the game, its board and options, records, scores and who
reported what; clubs, categories, prizes, entries without a number; preferences of the separations
(the
rules are told, as players who may not meet); options of a system, so the starting scores of
McMahon; whether somebody was entered late or left, which stands as absence; the time zone, board
numbers, what was paired by hand and why; names beyond 33 characters and ratings above 9999. An
open round's results stay behind too: its boards are told when it is published.
"""

from collections.abc import Iterator
from dataclasses import replace

from tournament import queries
from tournament.models import Entry, Pairing, Round, Tournament
from tournament.pairing.separations import Separation
from tournament.pairing.systems import PAIRING_SYSTEMS
from tournament.pairing.systems.round_robin import CYCLES
from tournament.pairing.trf_system_names import type_code
from tournament.queries.standings import Table, codes_of, compute_table
from tournament.standings.crosstable import Kind
from tournament.trf import AnnouncedBye, ForbiddenGroup, TrfEdition, TrfFile, TrfHeader, write_trf


def trf(tournament: Tournament, *, through: int, form: TrfEdition = TrfEdition.TRF16) -> str:
    """The report after a round; ranks by the event's own tie-breaks.

    Raises StandingsError for what the columns cannot hold.
    """
    return report_of(compute_table(tournament, through=through), form, with_people=True)


def report_of(
    table: Table, form: TrfEdition = TrfEdition.TRF16, *, with_people: bool = False
) -> str:
    """The report of a table; byes asked for in rounds to come are announced in it.

    `with_people` says whether years of birth and sex stand in it.
    """
    tournament, crosstable = table.tournament, table.crosstable
    players = (
        replace(one, birth=f"{one.birth}/00/00" if one.birth else "")
        if with_people
        else replace(one, birth="", sex="")
        for one in crosstable.players
    )
    crosstable = replace(crosstable, players=tuple(players))
    rounds = list(
        tournament.round_set.order_by("number").values_list("number", "starts_on", "state")
    )
    dates = [day.strftime("%y/%m/%d") if day else "" for _, day, _ in rounds]
    done = max((number for number, _, state in rounds if state in queries.DONE), default=0)
    is_now = table.stood is None and table.through == done
    is_open = is_now and (table.through + 1, Round.State.PUBLISHED) in [
        (number, state) for number, _, state in rounds
    ]
    header = TrfHeader(
        name=tournament.name,
        city=tournament.place,
        federation=tournament.country,
        start=tournament.starts_on.strftime("%Y/%m/%d"),
        end=tournament.ends_on.strftime("%Y/%m/%d"),
        kind=f"Individual: {PAIRING_SYSTEMS[tournament.system].trf_type}",
        chief_arbiter=tournament.arbiter,
        time_control=tournament.time_control,
        round_dates=tuple(dates) if any(dates) else (),
    )
    document = TrfFile(
        crosstable=crosstable,
        header=header,
        ranks={row.number: row.rank for row in table.rows},
        tiebreaks=tuple(codes_of(table.labels)),
        system=type_code(tournament.system, crosstable, _cycles(tournament)),
        byes=_announced(table) if is_now else (),
        forbidden=tuple(_kept_apart(table)),
    )
    if is_open:
        document = _with_open_round(document, tournament, table.through + 1)
    return write_trf(document, edition=form)


def _cycles(tournament: Tournament) -> int | None:
    options = tournament.system_options
    return CYCLES.read(options) if tournament.system == "round-robin" else None


def _kept_apart(table: Table) -> Iterator[ForbiddenGroup]:
    """The rules of the event's separations, group by group; preferences are no rules."""
    rounds = table.tournament.rounds
    for separation in _separations(table):
        if not separation.is_preference and separation.first_round <= rounds:
            last = min(separation.last_round or rounds, rounds)
            for group in separation.groups(table.crosstable):
                if len(group) > 1:
                    yield ForbiddenGroup(group, separation.first_round, last)


def _separations(table: Table) -> Iterator[Separation]:
    """The event's separations by the numbers of the table, which are others in an old round."""
    found = queries.load_separations(table.tournament)
    if table.stood is None or not found:
        yield from found
        return
    then = {entry: number for number, entry in table.entries.items()}
    today = queries.entries_by_number(table.tournament)
    for one in found:
        numbers = (then.get(today[number]) for number in one.players)
        yield replace(one, players=frozenset(number for number in numbers if number))


def _with_open_round(document: TrfFile, tournament: Tournament, number: int) -> TrfFile:
    """The report with the boards and byes of a round that is published and not yet played."""
    rows = queries.current_pairings(tournament).filter(round__number=number)
    boards, byes = [], {bye for bye in document.byes if bye.round != number}
    for kind, first, second in rows.values_list(
        "kind", "first__pairing_number", "second__pairing_number"
    ):
        if first and second:
            boards.append((first, second))
        elif first:
            byes.add(AnnouncedBye(number, queries.BYES[Pairing.Kind(kind)], first))
    return replace(document, open_pairings=tuple(sorted(boards)), byes=tuple(sorted(byes)))


def _announced(table: Table) -> tuple[AnnouncedBye, ...]:
    """The byes granted for rounds after the last, and the absence of who left or is yet to come."""
    tournament = table.tournament
    asked = tournament.byes.filter(round__gt=table.through)
    away = {
        (number, player): queries.BYES[Pairing.Kind(kind)]
        for number, player, kind in asked.values_list("round", "entry__pairing_number", "kind")
        if player
    }
    for player, state, first_round in queries.numbered_entries(tournament).values_list(
        "pairing_number", "state", "first_round"
    ):
        left = state != Entry.State.ACCEPTED
        for number in range(table.through + 1, tournament.rounds + 1 if left else first_round):
            if player:
                away[number, player] = Kind.ZERO_BYE
    return tuple(
        sorted(AnnouncedBye(number, kind, player) for (number, player), kind in away.items())
    )
