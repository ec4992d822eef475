"""Files of the TRF tests."""

from pathlib import Path

from tournament.core.rankings import compute_table
from tournament.models import Tournament
from tournament.tables.trf import trf_file
from tournament.trf import TrfEdition, write_trf

DATA = Path(__file__).parent / "data"
SMALL = """\
012 Small
001    1 m IM Łukasz Wierzbicki                 2100 POL     1234567 1990/01/31  1.5    1     2 w 1     3 b =
001    2 w    Ana                               1900 ESP                         1.0    2     1 b 0  0000 - U
001    3                                        1800                             0.5    3  0000 - Z     1 w =
XXR 4
"""  # noqa: E501  (the columns are the subject)


def trf_of(tournament: Tournament, *, through: int, edition: TrfEdition = TrfEdition.TRF16) -> str:
    """Return the TRF file after a round, as the event's directors get it."""
    table = compute_table(tournament, through=through)
    return write_trf(trf_file(table, for_officials=True), edition=edition)
