"""The group of an operation in the OpenAPI description (`tags` in parts.toml).

It is the folder of its view, so a reader of the documentation and a reader of the code find the
same order.
"""

import re
from typing import Final

TAG_OF_FOLDER: Final = {
    "roles": "accounts",
    "events": "tournaments",
    "play": "games",
    "study": "games",
    "casual": "games",
    "smears": "players",
    "problems": "service",
    "views": "service",
}
"""The tags of the folders and modules that have another name."""
TAG_OF_PATH: Final = {
    "^/api/v1/rule": "rules",
    "^/api/v1/tokens$": "accounts",
    "/games(/import|/search)?$": "games",
    r"/entries(/\{entry_id\})?$": "entries",
    "/(hide|show)$": "tournaments",
}
"""The tags of the paths whose views stand with those of another subject."""


def tag_of(module: str, path: str) -> str:
    """Return the tag of an operation, by the module of its view and its path."""
    for pattern, tag in TAG_OF_PATH.items():
        if re.search(pattern, path):
            return tag
    _app, *folders = module.split(".")
    name = folders[1] if folders[0] == "core" else folders[0]
    return TAG_OF_FOLDER.get(name, name)
