"""The names of the streams: `tournament/spring-open`, `pool/star`, `game/17`, `site`.

A feed of one stream has its name. `account/5` is the feed of what concerns an account, in many
streams, and that of `site` has the public events and rating lists. `live/17` is the live record
of a game.
"""

from typing import Final

TOURNAMENT_STREAM: Final = "tournament/"
"""What the stream of a tournament begins with; its slug follows."""
POOL_STREAM: Final = "pool/"
"""What the stream of a pool begins with; its code follows."""

GAME_STREAM: Final = "game/"
"""What the stream of a casual game begins with; its id follows."""
ACCOUNT_FEED: Final = "account/"
"""What the feed of an account begins with; its id follows."""
SITE_FEED: Final = "site"
LIVE_FEED: Final = "live/"
"""What the feed of a game that is being played begins with; its id follows. It has no journal."""
OWN_LIVE_FEED: Final = "own-live/"
"""The same for its players and the officials, who see all turns at once, and offers."""


def tournament_of(stream: str) -> str | None:
    """Return the slug of the tournament that a stream belongs to, None if it has none."""
    return _name_after(TOURNAMENT_STREAM, stream)


def pool_of(stream: str) -> str | None:
    """Return the code of the pool that a stream belongs to, None if it has none."""
    return _name_after(POOL_STREAM, stream)


def game_of(stream: str) -> int | None:
    """Return the id of the casual game that a stream belongs to, None if it has none."""
    number = _name_after(GAME_STREAM, stream)
    return int(number) if number else None


def live_game_of(feed: str) -> int | None:
    """Return the id of the game whose live record is this feed, None for another feed."""
    number = _name_after(LIVE_FEED, feed)
    return int(number) if number else None


def own_live_game_of(feed: str) -> int | None:
    """Return the id of the game of a feed of its players, None for another feed."""
    number = _name_after(OWN_LIVE_FEED, feed)
    return int(number) if number else None


def _name_after(start: str, stream: str) -> str | None:
    return stream.removeprefix(start) if stream.startswith(start) else None
