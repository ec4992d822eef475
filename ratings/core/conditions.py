"""Which games a pool rates by their conditions, and the value of these by its table of handicaps.

The versions of the table are that of the code, and those of the database.
"""

from collections import defaultdict
from collections.abc import Mapping, Sequence
from typing import Annotated, Any, TypeAlias, TypedDict

from django.utils.translation import gettext

from games.core.errors import unknown_key
from games.core.text import labelled
from games.models import Game
from games.models.time_controls import TimeClass
from games.rules.conditions import Handicap
from games.rules.errors import RecordError
from games.rules.messages import gettext_noop
from games.rules.records.json_form import handicap_text
from games.rules.registry import GAMES
from games.rules.text import Text
from ratings.models import Pool, TableRow, TableVersion
from ratings.systems.band import expected_at_pairing, is_out_of_band
from ratings.systems.fide import Fide
from ratings.systems.handicap import (
    CODE_TABLES,
    DEFAULT_VERSION,
    FIRST_VERSION,
    MODELS,
    BadHandicap,
    GameTables,
    HandicapTable,
    TableModel,
    has_table,
    parse_handicap,
    part_of_conditions,
    values_of,
)
from ratings.systems.presets import find_preset

Tables: TypeAlias = Mapping[str, GameTables]
"""The values by version."""
REASONS_OF_CODE = {
    FIRST_VERSION: gettext_noop("the project's priors, not measurements"),
    DEFAULT_VERSION: gettext_noop(
        "the project's priors for first move and stones; points by a model of the margin"
    ),
}
TABLE_VALUES = ("first_move", "first_stone", "further_stone", "point")


def load_versions() -> list[TableVersion]:
    """Return the versions, oldest first; those of the code are not saved: their ids end at 0."""
    return [*_versions_of_code(), *TableVersion.objects.order_by("pk")]


def table_choices() -> dict[str, str]:
    """Return the versions of the table of handicaps, the newest first, to choose from."""
    return {
        found.version: labelled(found.version, gettext(found.reason))
        for found in load_versions()[::-1]
    }


def _versions_of_code() -> list[TableVersion]:
    return [
        TableVersion(
            pk=number - len(CODE_TABLES) + 1,
            version=version,
            model=model_of(CODE_TABLES[version]),
            reason=REASONS_OF_CODE[version],
        )
        for number, version in enumerate(CODE_TABLES)
    ]


def model_of(table: GameTables) -> TableModel:
    """Return the model of a version, the same in all games."""
    return next(iter(table.values())).model


def list_versions() -> list[str]:
    """Return the names of the versions, oldest first."""
    return [*CODE_TABLES, *TableVersion.objects.order_by("pk").values_list("version", flat=True)]


def load_tables(versions: Sequence[str] | None = None) -> Tables:
    """Return the values of every version, or of these, by game and board."""
    found: dict[str, dict[tuple[str, str], HandicapTable]] = defaultdict(dict)
    rows = TableRow.objects.values_list(
        "version__version", "version__model", "game", "board", *TABLE_VALUES
    )
    if versions is not None:
        rows = rows.filter(version__version__in=versions)
    for version, model, game, board, *values in rows:
        found[version][game, board] = MODELS[model](*values)
    return {**CODE_TABLES, **found}


def load_table(version: str) -> GameTables:
    """Return the values of a version by game and board; raises Unprocessable if it is unknown."""
    tables = CODE_TABLES if version in CODE_TABLES else load_tables([version])
    if version not in tables:
        raise unknown_key("handicap_table", version, list_versions())
    return tables[version]


class HandicapValues(TypedDict):
    """The values of handicaps in a game on a board, in rating points on ten rings."""

    ruleset: str
    board_size: str
    first_move: int
    first_stone: int
    further_stone: int
    point: int


class HandicapTableVersion(TypedDict):
    """A version of the values of handicaps."""

    version: str
    model: Annotated[
        TableModel,
        "linear: each point is worth the same; margin: more the harder it is to overcome",
    ]
    reason: str
    rows: list[HandicapValues]


def tables_as_json(versions: Sequence[TableVersion]) -> list[HandicapTableVersion]:
    """Return the JSON of versions; one query reads their values."""
    tables = load_tables([found.version for found in versions])
    return [table_as_json(found, tables[found.version]) for found in versions]


def table_as_json(version: TableVersion, table: GameTables) -> HandicapTableVersion:
    """Return the JSON of a version."""
    return {
        "version": version.version,
        "model": TableModel(version.model),
        "reason": version.reason,
        "rows": [
            {
                "ruleset": game,
                "board_size": board,
                "first_move": values.first_move,
                "first_stone": values.first_stone,
                "further_stone": values.further_stone,
                "point": values.point,
            }
            for (game, board), values in sorted(table.items())
        ],
    }


def is_game_rated(pool: Pool, game: Game) -> bool:
    """Return True if a pool rates games of this kind on this board."""
    return rates_board(pool, game.game, game.board)


def rates_board(pool: Pool, game: str, board: str) -> bool:
    """Return True if a pool rates a game, named by its code, on a board."""
    if not pool.rated_games:
        return True
    boards = pool.rated_games.get(game)
    return boards is not None and (not boards or board in boards)


def rated_casual_games(pool: Pool) -> list[str]:
    """Return the codes of the games that a pool rates outside events."""
    return [code for code in pool.casual_games if not pool.rated_games or code in pool.rated_games]


def find_unrated(pool: Pool, game: str, board: str, time_class: TimeClass | None) -> Text | None:
    """Return in words the games of these conditions if the pool does not rate them, else None."""
    if not rates_board(pool, game, board):
        return Text("%(game)s on board %(board)s", game=GAMES[game].name, board=board)
    if not rates_class(pool, time_class):
        if time_class is None:
            return Text("games without a stated time")
        return Text("%(time_class)s games", time_class=time_class)
    return None


def rates_class(pool: Pool, time_class: TimeClass | None) -> bool:
    """Return True if a pool rates games of a time class; None is that of games without a time."""
    return not pool.time_classes or time_class in pool.time_classes


def handicap_part(tables: Tables, pool: Pool, game: Game) -> int | None:
    """Return the value of a game's conditions to its first seat, in milli; None without a table.

    The table is that of the game's event, or else that of the pool.
    """
    try:
        handicap = read_handicap(game.handicap)
        if not has_table(game.game, game.board, handicap):
            return None
        table = tables[game.handicap_table or pool.handicap_table]
        values = values_of(table, game.game, game.board)
        return part_of_conditions(values, game.game, game.board, handicap, swap=game.swap)
    except BadHandicap:
        return None


def is_game_out_of_band(pool: Pool, first: int, second: int, part: int) -> bool:
    """Return True if the expected score by these ratings, in milli, is outside the band.

    The games of a player who is unrated in FIDE's system are in the band: they have none.
    """
    system = find_preset(pool.preset, pool.parameters)
    if isinstance(system, Fide) and not (first and second):
        return False
    expected = expected_at_pairing(first, second, part, system)
    return is_out_of_band(expected, pool.least_expected)


def read_handicap(conditions: dict[str, Any] | None) -> Handicap | None:
    """Return a game's handicap from its JSON; raises BadHandicap if no record could contain it."""
    if not conditions:
        return None
    try:
        return parse_handicap(handicap_text(conditions))
    except RecordError as error:
        raise BadHandicap(error.detail) from None
