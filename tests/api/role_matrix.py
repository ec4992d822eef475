"""Who may do what: the level of every operation of the API, for the generated tests.

Each operation has one line, without its suffixes. A new one belongs to the first level whose people
are those who may do it; a new level needs a line in `LEVELS`.
"""

from dataclasses import dataclass
from typing import Final

from games.core.accounts.tokens import PERSONAL_SCOPES
from games.core.permissions import MATRIX, SCOPES
from games.models import Token

OTHER_DIRECTOR = "director of another event"
ACCOUNTS = (
    "owner", "director", "scorer", "player", "stranger", OTHER_DIRECTOR, "officer", "staff",
)  # fmt: skip
BOUND, ELSEWHERE, READER = "owner, bound to the event", "owner, bound elsewhere", "owner, to read"
APP = "owner, by an app for the event"
REPORTER = "owner, to report"
LINK, OTHER_LINK = "player, by a link", "another player, by a link"
EXPIRED, ANONYMOUS = "owner, expired", "anonymous"
TOKENS = (BOUND, APP, ELSEWHERE, READER, REPORTER, LINK, OTHER_LINK)
MAIN_PEOPLE = (*ACCOUNTS[:6], APP, ELSEWHERE, OTHER_LINK, EXPIRED, ANONYMOUS)
PEOPLE = (*ACCOUNTS, *TOKENS, EXPIRED, ANONYMOUS)
OFFICIALS = ("owner", "director", "scorer", "staff", BOUND, APP)
DIRECTORS = ("owner", "director", "staff", BOUND, APP)
OWNERS = ("owner", "staff", BOUND, APP)


@dataclass(frozen=True, slots=True)
class Level:
    """The people who may do an operation; others do not learn of the object if it is hidden.

    Without a login, or with an expired token, the response is 401, otherwise 403.
    """

    allowed: tuple[str, ...]
    is_hidden: bool = False

    def refusals(self, name: str) -> tuple[int, ...]:
        """Return the statuses that a person may get; there are none if they are allowed."""
        if name in self.allowed:
            return ()
        status = 401 if name in (EXPIRED, ANONYMOUS) else 403
        return (status, 404) if self.is_hidden and name != EXPIRED else (status,)


ROLES: Final = {
    "event": {
        "owner": {"owner"},
        "director": {"director"},
        "scorer": {"scorer"},
        "player": {"player"},
        BOUND: {"owner"},
        APP: {"owner"},
        ELSEWHERE: {"owner"},
        READER: {"owner"},
        REPORTER: {"owner"},
        LINK: {"player"},
    },
    "player": {"player": {"player"}, LINK: {"player"}},
    "pool": {"officer": {"rating_officer"}},
    "": {},
}
"""The roles of the people, by what an address is about; each person has an account as well."""


SCOPES_OF: Final = {
    READER: {"tournament:read"},
    REPORTER: {"result:write"},
    LINK: {*PERSONAL_SCOPES},
    OTHER_LINK: {*PERSONAL_SCOPES},
}
"""The scopes of the people whose tokens do not have all."""
OF_THE_EVENT: Final = (BOUND, APP, LINK, OTHER_LINK)
"""Those whose tokens are valid for the event only."""


def allowed_people(permission: str, about: str) -> set[str]:
    """Return who may do what needs a permission, after the matrix of permissions."""
    if not permission:
        return {*PEOPLE} - {EXPIRED}
    rule, found = MATRIX[permission], set()
    for name in (*ACCOUNTS, *TOKENS):
        roles = {"account"} | ROLES[about].get(name, set())
        scopes = SCOPES_OF.get(name, {*SCOPES})
        has_role = not roles.isdisjoint(rule.usable_roles(Token(scopes=[*scopes])))
        is_staff = name == "staff" and rule.roles != ("player",)
        has_scope = not scopes.isdisjoint(rule.all_scopes)
        is_valid_here = name != ELSEWHERE and (name not in OF_THE_EVENT or about == "event")
        if (has_role or is_staff) and has_scope and is_valid_here:
            found.add(name)
    return found


LEVELS: Final = {
    "anyone": Level(tuple(name for name in PEOPLE if name != EXPIRED)),
    "any token": Level((*ACCOUNTS, *TOKENS)),
    "account": Level((*ACCOUNTS, READER, REPORTER)),
    "account that writes": Level(ACCOUNTS),
    "account that writes or reports": Level((*ACCOUNTS, REPORTER)),
    "account that writes, in its own rows": Level((*ACCOUNTS, BOUND, APP, ELSEWHERE)),
    "people of the game": Level((*OFFICIALS, "player", READER, REPORTER, LINK)),
    "people of the event": Level((*OFFICIALS, "player", READER, REPORTER, LINK, OTHER_LINK)),
    "people of the game who write": Level((*OFFICIALS, "player", REPORTER, LINK)),
    "people of the task": Level((*OFFICIALS, "player", READER, REPORTER, LINK), is_hidden=True),
    "player": Level(("player", LINK)),
    "player with a login": Level(("player",)),
    "player with a login, or staff": Level(("player", "staff")),
    "player or staff": Level(("player", "staff")),
    "officials": Level((*OFFICIALS, READER)),
    "officials who write": Level((*OFFICIALS, REPORTER)),
    "account that writes in the event": Level((*ACCOUNTS, BOUND, APP, LINK, OTHER_LINK)),
    "directors": Level(DIRECTORS),
    "directors, by a token of no event": Level(DIRECTORS[:3]),
    "directors and the player": Level((*DIRECTORS, "player", LINK)),
    "directors of the webhook": Level(DIRECTORS, is_hidden=True),
    "owners": Level((*OWNERS, READER)),
    "owners who write": Level(OWNERS),
    "own token": Level(("owner",), is_hidden=True),
    "own invitation": Level(("player",), is_hidden=True),
    "own role": Level(("scorer",), is_hidden=True),
    "rating officers": Level(("officer", "staff")),
    "staff": Level(("staff",)),
    "who decides the claim": Level(("staff",), is_hidden=True),
    "who made the claim": Level(("stranger",), is_hidden=True),
}

OPERATIONS: Final = {
    "anyone": """
        GET
        GET games
        GET games/next-moves
        GET games/search
        GET games/{game_id}
        GET games/{game_id}/live
        GET games/{game_id}/stream
        GET games/{game_id}/rating-changes
        GET games/{game_id}/record
        GET handicap
        GET handicap-tables
        GET heads
        POST tournaments/{slug}/links/session
        GET players
        GET players/{player_id}
        GET players/{player_id}/calendar
        GET players/{player_id}/games
        GET players/{player_id}/head-to-head/{opponent_id}
        GET players/{player_id}/rating-history
        GET players/{player_id}/ratings
        POST players/{player_id}/what-if
        GET pools
        GET pools/{code}
        GET pools/{code}/batches
        GET pools/{code}/export
        GET pools/{code}/games
        GET pools/{code}/lists
        GET pools/{code}/lists/{published_on}
        GET pools/{code}/lists/{published_on}/ratings
        GET pools/{code}/lists/{published_on}/ratings/{player_id}
        GET pools/{code}/ratings
        GET pools/{code}/ratings/{player_id}
        GET pools/{code}/runs
        GET pools/{code}/runs/{number}
        GET pools/{code}/runs/{number}/changes
        GET recompute_pool
        GET problems
        GET problems/{code}
        GET rulesets
        GET rulesets/{code}/board
        GET rulesets/{code}/sheet
        POST rules/referee
        GET rules/systems
        GET schema
        GET tournaments
        GET tournaments/{slug}
        GET tournaments/{slug}/byes
        GET tournaments/{slug}/announcements
        GET tournaments/{slug}/ties
        GET tournaments/{slug}/calendar
        GET tournaments/{slug}/cards
        GET tournaments/{slug}/rounds/{number}/certificate
        GET tournaments/{slug}/clubs
        GET tournaments/{slug}/corrections
        GET tournaments/{slug}/corrections/{correction}
        GET tournaments/{slug}/games
        GET tournaments/{slug}/crosstable
        GET tournaments/{slug}/groups
        GET tournaments/{slug}/forecast
        POST tournaments/{slug}/forecast
        GET tournaments/{slug}/entries
        GET tournaments/{slug}/entries/{entry_id}
        GET pools/{code}/stream
        GET stream
        GET tournaments/{slug}/stream
        GET tournaments/{slug}/journal
        GET tournaments/{slug}/prizes
        GET tournaments/{slug}/performances
        GET tournaments/{slug}/rounds
        GET tournaments/{slug}/rounds/{number}
        GET tournaments/{slug}/rounds/{number}/pairings
        GET tournaments/{slug}/rounds/{number}/results
        GET tournaments/{slug}/rounds/{number}/sheets
        GET tournaments/{slug}/rounds/{number}/slips
        GET tournaments/{slug}/standings
        GET tournaments/{slug}/start-list
    """,
    "any token": """
        GET me
        GET me/entries
        GET me/games
        GET me/next
    """,
    "account": """
        GET me/stream
    """,
    "account that writes": """
        GET claims
        POST claims
        GET me/invitations
        POST name-reports
        GET tokens
        POST tokens
        PATCH me
        POST players
        POST players/import
        POST tournaments
        POST tournaments/import
    """,
    "account that writes or reports": """
        POST games
    """,
    "account that writes, in its own rows": """
        GET webhooks
    """,
    "people of the game": """
        GET games/{game_id}/reports
    """,
    "people of the event": """
        POST tournaments/{slug}/rounds/{number}/explain
    """,
    "people of the game who write": """
        DELETE games/{game_id}/live
        POST games/{game_id}/live
        POST games/{game_id}/live/accept
        POST games/{game_id}/live/claim-time
        POST games/{game_id}/live/decline
        POST games/{game_id}/live/offer
        POST games/{game_id}/live/turns
        POST games/{game_id}/live/withdraw
        DELETE games/{game_id}/live/turns/{number}
    """,
    "people of the task": """
        GET tasks/{task_id}
    """,
    "player": """
        POST games/{game_id}/accept
        POST games/{game_id}/cancel
        POST games/{game_id}/confirm
        POST games/{game_id}/decline
        POST games/{game_id}/dispute
        POST games/{game_id}/reports
    """,
    "player with a login": """
        POST tournaments/{slug}/entries/{entry_id}/consent
    """,
    "player with a login, or staff": """
        POST tournaments/{slug}/entries/{entry_id}/accept
        POST tournaments/{slug}/entries/{entry_id}/decline
    """,
    "player or staff": """
        DELETE players/{player_id}
        PATCH players/{player_id}
    """,
    "officials": """
        GET tournaments/{slug}/rounds/{number}/versions
        GET tournaments/{slug}/rounds/{number}/versions/{version}
    """,
    "officials who write": """
        POST games/{game_id}/adjourn
        POST games/{game_id}/annul
        POST games/{game_id}/resume
        POST games/{game_id}/rule
        POST tournaments/{slug}/records/import
        POST tournaments/{slug}/rounds/{number}/results
        POST tournaments/{slug}/rounds/{number}/results/revoke
    """,
    "account that writes in the event": """
        POST tournaments/{slug}/entries/apply
    """,
    "directors and the player": """
        PUT tournaments/{slug}/entries/{entry_id}/availability
        POST tournaments/{slug}/entries/{entry_id}/check-in
        POST tournaments/{slug}/entries/{entry_id}/check-out
        POST tournaments/{slug}/entries/{entry_id}/withdraw
    """,
    "directors, by a token of no event": """
        POST tournaments/{slug}/copy
    """,
    "directors": """
        PATCH tournaments/{slug}
        POST tournaments/{slug}/archive
        GET tournaments/{slug}/bundle
        POST tournaments/{slug}/byes
        POST tournaments/{slug}/announcements
        DELETE tournaments/{slug}/announcements/{number}
        POST tournaments/{slug}/ties
        DELETE tournaments/{slug}/byes/{bye_id}
        POST tournaments/{slug}/corrections
        POST tournaments/{slug}/corrections/{correction}/undo
        POST tournaments/{slug}/entries
        POST tournaments/{slug}/entries/import
        POST tournaments/{slug}/entries/refuse-applications
        PATCH tournaments/{slug}/entries/{entry_id}
        GET tournaments/{slug}/links
        POST tournaments/{slug}/links
        DELETE tournaments/{slug}/links/{entry_id}
        GET tournaments/{slug}/links/cards
        POST tournaments/{slug}/application-link
        GET tournaments/{slug}/application-link
        DELETE tournaments/{slug}/application-link
        POST tournaments/{slug}/entries/{entry_id}/approve
        POST tournaments/{slug}/entries/{entry_id}/refuse
        POST tournaments/{slug}/entries/{entry_id}/return
        POST tournaments/{slug}/entries/{entry_id}/token
        POST tournaments/{slug}/entries/{entry_id}/wait
        POST tournaments/{slug}/open
        POST tournaments/{slug}/review
        PATCH tournaments/{slug}/rounds/{number}
        POST tournaments/{slug}/rounds/{number}/check
        POST tournaments/{slug}/rounds/{number}/complete
        POST tournaments/{slug}/rounds/{number}/pair
        PATCH tournaments/{slug}/rounds/{number}/pairings
        PUT tournaments/{slug}/rounds/{number}/pairings
        POST tournaments/{slug}/rounds/{number}/publish
        POST tournaments/{slug}/rounds/{number}/reopen
        POST tournaments/{slug}/rounds/{number}/restore
        POST tournaments/{slug}/rounds/{number}/unpair
        POST tournaments/{slug}/start
        POST webhooks
    """,
    "directors of the webhook": """
        GET webhooks/{webhook_id}
        PATCH webhooks/{webhook_id}
        DELETE webhooks/{webhook_id}
        GET webhooks/{webhook_id}/deliveries
        POST webhooks/{webhook_id}/deliveries/{delivery_id}/replay
        POST webhooks/{webhook_id}/ping
        POST webhooks/{webhook_id}/rotate-secret
    """,
    "owners": """
        GET tournaments/{slug}/invitations
        GET tournaments/{slug}/roles
        GET tournaments/{slug}/tokens
    """,
    "owners who write": """
        DELETE tournaments/{slug}
        POST tournaments/{slug}/cancel
        POST tournaments/{slug}/finalise
        POST tournaments/{slug}/reopen
        POST tournaments/{slug}/resume
        DELETE tournaments/{slug}/invitations/{invitation_id}
        POST tournaments/{slug}/invitations/{invitation_id}/resend
        POST tournaments/{slug}/roles
        DELETE tournaments/{slug}/roles/{role_id}
        PUT tournaments/{slug}/second-factor
        DELETE tournaments/{slug}/tokens/{token_id}
    """,
    "own token": """
        DELETE tokens/{token_id}
    """,
    "own invitation": """
        POST me/invitations/{invitation_id}/accept
        POST me/invitations/{invitation_id}/decline
    """,
    "own role": """
        DELETE me/roles/{role_id}
    """,
    "rating officers": """
        PATCH pools/{code}
        GET pools/{code}/analyses
        POST pools/{code}/analyses
        GET pools/{code}/analyses/{analysis_id}
        POST pools/{code}/batches/{batch_id}/backdate
        POST pools/{code}/batches/{batch_id}/undo
        POST pools/{code}/batches/{batch_id}/cancel
        GET pools/{code}/tournaments
        POST handicap-tables
        POST pools/{code}/tournaments/{slug}/approve
        POST pools/{code}/tournaments/{slug}/refuse
        POST pools/{code}/lists
        GET pools/{code}/officers
        GET pools/{code}/organisers
        POST pools/{code}/organisers/{account_id}/approve
        POST pools/{code}/organisers/{account_id}/refuse
    """,
    "staff": """
        POST games/import
        GET merges
        POST merges
        POST merges/{merge_id}/undo
        GET name-reports
        POST name-reports/{report_id}/refuse
        POST players/{player_id}/hide-name
        POST tournaments/{slug}/hide
        POST tournaments/{slug}/show
        POST players/{player_id}/erase
        POST pools
        POST pools/{code}/officers
        DELETE pools/{code}/officers/{account_id}
        POST tournaments/import/bundle
    """,
    "who decides the claim": """
        POST claims/{claim_id}/approve
        POST claims/{claim_id}/refuse
    """,
    "who made the claim": """
        POST claims/{claim_id}/withdraw
    """,
}
"""The operations by level."""

LEVEL_OF: Final = {
    " ".join(line.split()): level
    for level, lines in OPERATIONS.items()
    for line in lines.strip().splitlines()
}
"""The level of each operation, by its name; that of the index is only the method."""
