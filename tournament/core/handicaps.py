"""The handicaps that an event recommends, and the table of their values."""

from ratings.core.conditions import list_versions, load_table
from ratings.models import Pool
from ratings.systems.handicap import values_of
from ratings.systems.recommendation import Catalogue, CatalogueKind, rated_kinds
from tournament.models import Tournament

Handicaps = Tournament.Handicaps


def seats_follow_handicaps(tournament: Tournament) -> bool:
    """Return True if recommended handicaps decide who sits first, and preferences do not."""
    kinds = _recommended_kinds(tournament)
    is_applied = tournament.handicaps == Handicaps.RECOMMENDED
    return is_applied and set(kinds) != {CatalogueKind.POINTS}


def load_catalogue(tournament: Tournament) -> Catalogue | None:
    """Return the handicaps that the event recommends; None if it recommends none."""
    kinds = _recommended_kinds(tournament)
    if not kinds:
        return None
    version = table_version(tournament)
    return Catalogue(
        game=tournament.game,
        board=tournament.board,
        swap=tournament.swap,
        kinds=kinds,
        share=tournament.handicap_share,
        cap=tournament.handicap_cap,
        version=version,
        values=values_of(load_table(version), tournament.game, tournament.board),
    )


def _recommended_kinds(tournament: Tournament) -> tuple[CatalogueKind, ...]:
    """Return the kinds that the event recommends; none if it has no handicaps."""
    if tournament.handicaps == Handicaps.NONE:
        return ()
    chosen = tuple(map(CatalogueKind, tournament.handicap_kinds))
    return chosen or kinds_with_value(tournament)


def kinds_with_value(tournament: Tournament) -> tuple[CatalogueKind, ...]:
    """Return the kinds that can be recommended; those that decide the seats not for two games."""
    kinds = rated_kinds(tournament.game, tournament.board, swap=tournament.swap)
    if tournament.games_per_pairing == 2:
        return tuple(kind for kind in kinds if kind is CatalogueKind.POINTS)
    return kinds


def table_version(tournament: Tournament) -> str:
    """Return the version of the handicap table: the event's, that of its pool, or the latest."""
    if tournament.handicap_table:
        return tournament.handicap_table
    pool = Pool.objects.filter(code=tournament.pool).first() if tournament.pool else None
    return pool.handicap_table if pool else list_versions()[-1]
