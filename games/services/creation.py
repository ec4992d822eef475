"""Create games: the only place that does."""

from collections.abc import Iterable
from dataclasses import dataclass, field
from datetime import date, datetime

from django.utils import timezone

from games.models import Game


@dataclass(frozen=True, slots=True, kw_only=True)
class EventGames:
    """What all games of an event share."""

    stream: str
    event: str
    game: str
    board: str
    options: list[str]
    swap: bool
    public: bool
    confirm_hours: int


@dataclass(frozen=True, slots=True, kw_only=True)
class NewGame:
    """What differs between the games of an event; `first` and `second` are ids of players."""

    round: str
    first: int
    second: int
    rated: bool
    played_on: date | None = None
    created_at: datetime = field(default_factory=timezone.now)


def build_game(event: EventGames, new: NewGame) -> Game:
    """Return an open game that is not saved."""
    return Game(
        stream=event.stream,
        event=event.event,
        game=event.game,
        board=event.board,
        options=event.options,
        swap=event.swap,
        public=event.public,
        confirm_hours=event.confirm_hours,
        round=new.round,
        first_id=new.first,
        second_id=new.second,
        rated=new.rated,
        played_on=new.played_on,
        created_at=new.created_at,
    )


def create_games(event: EventGames, games: Iterable[NewGame]) -> list[Game]:
    """Save open games and return them."""
    return Game.objects.bulk_create(build_game(event, new) for new in games)
