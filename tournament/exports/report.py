"""An event as FIDE's tournament report, TRF16 or TRF26.

Years of birth and sex stand in it for the event's directors alone; for others those columns are
empty.
"""

from dataclasses import replace

from tournament import queries
from tournament.exports.table import Table, compute_table
from tournament.models import Pairing, Tournament
from tournament.pairing import SYSTEMS
from tournament.standings.trf import AnnouncedBye, TrfFile, TrfForm, TrfHeader, write_trf


def trf(tournament: Tournament, *, through: int, form: TrfForm = TrfForm.TRF16) -> str:
    """The report after a round; ranks by the event's own tie-breaks.

    Raises StandingsError for what the columns cannot hold.
    """
    return report_of(compute_table(tournament, through=through), form, with_people=True)


def report_of(table: Table, form: TrfForm = TrfForm.TRF16, *, with_people: bool = False) -> str:
    """The report of a table; byes asked for in rounds to come are announced in it.

    `with_people` says whether years of birth and sex stand in it.
    """
    tournament, crosstable = table.tournament, table.crosstable
    if not with_people:
        players = (replace(one, birth="", sex="") for one in crosstable.players)
        crosstable = replace(crosstable, players=tuple(players))
    dates = [
        found.strftime("%y/%m/%d") if found else ""
        for found in tournament.round_set.filter(number__lte=table.through)
        .order_by("number")
        .values_list("starts_on", flat=True)
    ]
    header = TrfHeader(
        name=tournament.name,
        city=tournament.place,
        federation=tournament.country,
        start=tournament.starts_on.strftime("%Y/%m/%d"),
        end=tournament.ends_on.strftime("%Y/%m/%d"),
        kind=f"Individual: {SYSTEMS[tournament.system].kind}",
        chief_arbiter=tournament.arbiter,
        time_control=tournament.time_control,
        round_dates=tuple(dates) if any(dates) else (),
    )
    document = TrfFile(
        crosstable=crosstable,
        header=header,
        ranks={row.number: row.rank for row in table.rows},
        tiebreaks=tuple(tournament.tiebreaks),
        byes=_announced(table) if table.through == queries.last_complete_round(tournament) else (),
    )
    return write_trf(document, form=form)


def _announced(table: Table) -> tuple[AnnouncedBye, ...]:
    """The byes that were granted for rounds after the last."""
    asked = table.tournament.byes.filter(
        round__gt=table.through, entry__pairing_number__isnull=False
    ).select_related("entry")
    return tuple(
        sorted(
            AnnouncedBye(bye.round, queries.BYES[Pairing.Kind(bye.kind)], bye.entry.pairing_number)
            for bye in asked
            if bye.entry.pairing_number
        )
    )
