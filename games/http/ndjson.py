"""NDJSON: one JSON object on each line."""

import json
from collections.abc import Iterable, Mapping
from typing import Any

from rest_framework.utils.encoders import JSONEncoder


def write_ndjson(rows: Iterable[Mapping[str, Any]]) -> str:
    """Return a line for each row, with values as in the JSON of the API."""
    lines = (json.dumps(row, cls=JSONEncoder, ensure_ascii=False) for row in rows)
    return "".join(f"{line}\n" for line in lines)
