"""The mails about a casual game, and the lines that say how a game by turns stands.

What is not sent yet is taken back once it is no longer so (`revoke_mails`).
"""

from collections.abc import Iterable, Mapping, Sequence
from datetime import datetime, timedelta
from typing import Any, Final

from django.utils import timezone

from games.core.accounts.mail import Kind, request_message, revoke_messages
from games.core.journal.lines import game_stream
from games.core.text import local_time
from games.models import Account, Game, LiveRecord
from games.play.queries import result_text
from games.rules.game_outcome import GameOutcome
from games.rules.messages import gettext_noop as noop
from games.rules.outcome import Termination
from games.rules.registry import find_game
from games.rules.seat import Seat
from games.rules.text import Moment, Text

LIFETIME: Final = timedelta(days=14)
"""How long it is tried to send a mail about a game without a limit of time."""
LAST_TURN: Final = noop("The last turn is %(number)s. %(turn)s")
ENDINGS: Final[Mapping[str, str]] = {
    Termination.RESIGNED: noop("%(name)s has resigned."),
    Termination.TIME: noop("%(name)s has claimed the win on time."),
    Termination.AGREED: noop("%(name)s agrees on your result."),
}


def send_mail(
    kind: Kind, game: Game, to: Seat, *, until: datetime | None = None, lines: Iterable[Text] = ()
) -> None:
    """Send a mail about a game to the player of a seat; the other has caused it."""
    own, other = game.first.current, game.second.current
    if to is Seat.SECOND:
        own, other = other, own
    if own.account is not None:
        stream, until = game_stream(game), until or timezone.now() + LIFETIME
        values: dict[str, Any] = {"name": other.name, "by": other.account, "lines": lines}
        request_message(kind, stream, own.account, until=until, **values)


def revoke_mails(game: Game) -> None:
    """Do not send what is not sent yet of a casual game; an event also has the mails of others."""
    if not game.stream:
        revoke_messages(game_stream(game))


def about_game(game: Game) -> Text:
    """Return which game it is: of an event, or casual."""
    where = Text("Casual game")
    if game.stream:
        board = game.place.split("/")[2]
        pattern = noop("%(event)s, round %(round)s, board %(board)s")
        where = Text(pattern, event=game.event, round=game.round, board=board)
    name = find_game(game.game).name
    return Text("%(where)s: %(game)s %(size)s", where=where, game=name, size=game.board)


def about_turn(live: LiveRecord, seat: str, until: datetime | None, zone: str = "") -> list[Text]:
    """Return how a game stands for a side that is to move, or to answer."""
    lines, turns = [about_game(live.game)], live.moves
    if turns:
        lines.append(Text(LAST_TURN, number=len(turns), turn=turns[-1]))
    if live.offer.get("seat", seat) != seat:
        lines.append(Text("Your opponent offers the result %(result)s.", **live.offer))
    if until is not None:
        moment = Moment.of(local_time(until, zone))
        lines.append(Text("Time for this turn: until %(until)s", until=moment))
    return lines


def send_end(live: LiveRecord, outcome: GameOutcome, *, by: Account) -> None:
    """Send the end of a casual game to the other side of who has entered it."""
    to = Seat(live.game.seats_of(by)[0]).other
    send_mail(Kind.ENDED, live.game, to, lines=about_end(live.game, outcome, to, live.moves))


def about_end(game: Game, outcome: GameOutcome, to: Seat, turns: Sequence[str]) -> list[Text]:
    """Return how a game by turns has ended, for the side that has not entered the end."""
    other = (game.first if to is Seat.SECOND else game.second).current
    winner, ending = outcome.winner or "", outcome.termination or ""
    won = Text("you win") if winner == to else Text("you lose")
    meaning = Text("a draw") if outcome.draw else won
    score = outcome.score or (None, None)
    result = result_text(Game.State.CONFIRMED, winner, outcome.draw, score, ending)
    how = ENDINGS.get(ending, LAST_TURN)
    return [
        about_game(game),
        Text(how, name=other.name, number=len(turns), turn=turns[-1]),
        Text("Result %(result)s: %(meaning)s", result=result, meaning=meaning),
    ]
