"""What the documents of an event begin with: titles, file names, and the head of the JSON."""

from typing import Any

from tournament.models import Round, Tournament
from tournament.queries.standings import Table


def table_title(table: Table) -> str:
    """Return the title of a page, as `Spring Open: after round 2 of 5`."""
    stage = _stage(table) if table.is_provisional else "final standings"
    return f"{table.tournament.name}: {stage}"


def table_subtitle(table: Table, name: str) -> str:
    """Return the title of a sheet, whose head names the event, as `Prizes, after round 2 of 5`."""
    return f"{name}, {_stage(table)}"


def table_file_stem(table: Table, name: str = "") -> str:
    """Return the name of a file without its extension, as `spring-open.r3.prizes`."""
    return f"{table.tournament.slug}.r{table.through}{name and f'.{name}'}"


def head_as_json(table: Table) -> dict[str, Any]:
    """Return the members that the JSON of every table begins with."""
    return {
        "tournament": table.tournament.slug,
        "round": table.through,
        "provisional": table.is_provisional,
        "source": "snapshot" if table.as_of else "current",
        **({"as_of": table.as_of.time} if table.as_of else {}),
    }


def round_title(tournament: Tournament, this_round: Round) -> str:
    """Return the title of a round, as `round 2 of 5, 03 May 2026`."""
    day = f", {this_round.starts_on:%d %B %Y}" if this_round.starts_on else ""
    is_draft = this_round.state in (Round.State.PLANNED, Round.State.DRAFTED)
    draft = " – a draft, not published" if is_draft else ""
    return f"round {this_round.number} of {tournament.rounds}{day}{draft}"


def _stage(table: Table) -> str:
    is_over = not table.is_provisional
    return "final" if is_over else f"after round {table.through} of {table.tournament.rounds}"
