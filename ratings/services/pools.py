"""Making pools."""

from collections.abc import Mapping, Sequence
from typing import Any

from django.db import IntegrityError, transaction

from games.http.errors import Conflict, Unprocessable, unknown_key
from games.journal.chain import write_line
from games.models import Account
from games.rules import GAMES
from ratings.models import Pool
from ratings.systems import PRESETS, find_preset
from ratings.systems.errors import BadParameter


def create_pool(
    *,
    code: str,
    name: str,
    preset: str,
    parameters: Mapping[str, Any],
    casual_games: Sequence[str],
    by: Account,
) -> Pool:
    """A new pool; raises Unprocessable for keys no dict knows, Conflict for a taken code."""
    if preset not in PRESETS:
        raise unknown_key("preset", preset, list(PRESETS))
    for game in casual_games:
        if game not in GAMES:
            raise unknown_key("game", game, list(GAMES))
    try:
        find_preset(preset, parameters)
    except BadParameter as bad:
        error = {"pointer": "/parameters", "code": "bad_parameter", "detail": str(bad)}
        raise Unprocessable("bad_parameter", str(bad), [error]) from None
    try:
        with transaction.atomic():
            pool = Pool.objects.create(
                code=code,
                name=name,
                preset=preset,
                parameters=dict(parameters),
                casual_games=sorted(set(casual_games)),
            )
            payload = {
                "code": code,
                "name": name,
                "preset": preset,
                "parameters": pool.parameters,
                "casual_games": pool.casual_games,
            }
            write_line(pool.stream, "pool.created", payload, by=by)
    except IntegrityError:
        raise Conflict("code_taken", f"there is a pool {code!r} already") from None
    return pool
