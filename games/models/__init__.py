"""Who plays, what was reported of a game, what stands, and the journal that tells it all.

`stream` is the text under which an event, a pool or a casual game keeps its journal
(`tournament/spring-open`, `pool/star`, `game/17`); roles are held in a stream. The apps above
write these texts, so that nothing here needs to know them.
"""

from games.models.games import Game, Report
from games.models.journal import JournalHead, JournalLine, JournalPayload
from games.models.people import Account, Accounts, Player, Role, Token
from games.models.uploads import Upload

__all__ = [
    "Account",
    "Accounts",
    "Game",
    "JournalHead",
    "JournalLine",
    "JournalPayload",
    "Player",
    "Report",
    "Role",
    "Token",
    "Upload",
]
