"""Load rows as values or JSON, each function in a fixed number of queries."""

from games.queries.games import (
    GAME_FIELDS,
    answer_deadline,
    due_games,
    expired_proposals,
    game_as_json,
    games_with_record,
    given_up_games,
    own_game_rows,
    public_game_rows,
    public_games,
    record_limits_as_json,
    records_beside,
    rows_as_dicts,
    visible_game_rows,
    visible_games,
)
from games.queries.players import players_by_name, players_with_external_id, unmerged_players
from games.queries.tasks import (
    due_uploads,
    import_progress,
    import_task,
    old_uploads,
    report_progress,
)

__all__ = [
    "GAME_FIELDS",
    "answer_deadline",
    "due_games",
    "due_uploads",
    "expired_proposals",
    "game_as_json",
    "games_with_record",
    "given_up_games",
    "import_progress",
    "import_task",
    "old_uploads",
    "own_game_rows",
    "players_by_name",
    "players_with_external_id",
    "public_game_rows",
    "public_games",
    "record_limits_as_json",
    "records_beside",
    "report_progress",
    "rows_as_dicts",
    "unmerged_players",
    "visible_game_rows",
    "visible_games",
]
