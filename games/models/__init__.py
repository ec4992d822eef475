"""Accounts, apps, players, games, reports, uploads, stored responses, the journal and the index.

`stream` names the journal of an event, a pool or a casual game (`tournament/spring-open`,
`pool/star`, `game/17`); a role belongs to a stream. The apps above define these names, so nothing
here depends on them.
"""

from games.models.games import Game, Report
from games.models.journal import JournalHead, JournalLine, JournalPayload
from games.models.links import EmailLink, MailRefusal, Message
from games.models.live import LiveRecord
from games.models.oauth import App
from games.models.openings import IndexedGame, NextMove, OpeningTurn, StoneBitmap
from games.models.people import Account, Accounts, Claim, HiddenName, Merge, Player, Role, Token
from games.models.responses import StoredResponse
from games.models.uploads import Upload

__all__ = [
    "Account",
    "Accounts",
    "App",
    "Claim",
    "EmailLink",
    "Game",
    "HiddenName",
    "IndexedGame",
    "JournalHead",
    "JournalLine",
    "JournalPayload",
    "LiveRecord",
    "MailRefusal",
    "Merge",
    "Message",
    "NextMove",
    "OpeningTurn",
    "Player",
    "Report",
    "Role",
    "StoneBitmap",
    "StoredResponse",
    "Token",
    "Upload",
]
