"""What was read from the wall when a round was completed, kept for the record."""

from tournament import queries
from tournament.exports.crosstable import crosstable_digest
from tournament.exports.standings import shown_rows
from tournament.exports.table import compute_table
from tournament.models import Round, Snapshot, Tournament
from tournament.standings.errors import TiebreakError
from tournament.standings.table import label_columns
from tournament.standings.tiebreaks import parse_codes


def take_snapshot(tournament: Tournament, this_round: Round) -> Snapshot:
    """Keep the standings after a round that is complete now; an older one is replaced.

    Where a code asks for a proof that a game lacks, the codes that do not are kept.
    """
    try:
        table = compute_table(tournament, through=this_round.number)
    except TiebreakError:
        robin = queries.is_round_robin(tournament)
        columns = label_columns(parse_codes(tournament.tiebreaks, round_robin=robin))
        proven = {"MARGIN", *queries.COUNTED}
        codes = [str(code) for code in columns.values() if code.name not in proven]
        table = compute_table(tournament, codes or ["PTS"], through=this_round.number)
    rows = shown_rows(table)
    for row in rows:
        row["entry"] = table.entries[row["number"]]
    snapshot, _ = Snapshot.objects.update_or_create(
        round=this_round,
        defaults={
            "digest": crosstable_digest(table.crosstable),
            "body": {"tiebreaks": list(table.labels), "rows": rows},
        },
    )
    return snapshot
