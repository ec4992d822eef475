"""The groups of operations in the OpenAPI description: each is a subject of the product.

The tag of an operation is the folder of its view, so a reader of the documentation and a reader of
the code find the same order.
"""

from typing import Final

TAGS: Final = {
    "accounts": (
        "The account of the caller, its tokens, its roles, and the invitations to its address."
        " Accounts are made and changed on pages, not here."
    ),
    "players": (
        "People who play, with or without an account: registering them, correcting their details,"
        " claiming and merging registrations, importing a list, reporting names. Personal data is"
        " only for the custodians of a registration."
    ),
    "tournaments": (
        "Tournaments from draft to archive: their settings, their states, the people who direct"
        " them, and the ties that the director decides."
    ),
    "entries": (
        "Players in a tournament: entering and applying, accepting, checking in, byes,"
        " availability, withdrawing and returning, and the personal links and tokens with which"
        " players without an account report."
    ),
    "rounds": (
        "Rounds and their pairings: check, pair, publish, complete, and the way back. Pairings have"
        " versions; unpairing removes none. Each paired round has a certificate that recomputes it."
    ),
    "results": (
        "The results of a round by board, as a scorer enters them, and records imported from a"
        " file. Players report their own games (see games)."
    ),
    "games": (
        "Games, of a tournament or casual: proposing one, reporting it by a record or by a claim,"
        " confirming, disputing, and the arbiter's ruling. Records prove results; searching finds"
        " games by their turns."
    ),
    "rules": (
        "The rulesets with their boards and options, the referee, which judges a record and stores"
        " nothing, and the pairing systems."
    ),
    "corrections": (
        "Corrections of complete rounds. A dry run shows every standing, pairing and rating that"
        " changes, with a digest; committing needs that digest, and a correction can be undone."
    ),
    "tables": (
        "What a tournament shows: standings, crosstable, prizes, clubs, performances, calendars."
        " Each exists in several formats."
    ),
    "forecasts": "How a running tournament can end, by simulating the rounds to come.",
    "exchange": (
        "Files that carry a whole tournament or many games: TRF, bundle, records, and the journal"
        " with the heads that prove it."
    ),
    "webhooks": (
        "Following a tournament or a pool: signed webhooks after standardwebhooks.com with their"
        " deliveries, and the stream of events."
    ),
    "pools": "Rating pools: their policies, their officers, and the organisers whom they approved.",
    "batches": "What a pool rates: each final tournament or casual game is filed as a batch.",
    "runs": (
        "The computations of a pool's ratings. A run recomputes all batches that are due; the"
        " current one is what lists show, and each change can be explained."
    ),
    "lists": "The live list of a pool and its published lists, and the ratings of one player.",
    "handicaps": "The recommended handicap of two players, and the tables of its values.",
    "analyses": "Analyses of the games of a pool for its officers, such as calibration.",
    "comparisons": "Two players against each other, and what some results would change.",
    "service": "The index, the tasks of long work, and what each problem code means.",
}
"""What each tag is about, in the order of the documentation."""

TAG_OF: Final = {
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

TAG_OF_ENDS: Final = {
    "games": ("/games", "/games/import", "/games/search"),
    "entries": ("/entries", "/entries/{entry_id}"),
    "tournaments": ("/hide", "/show"),
}
"""The tags of the paths whose views stand with those of another subject."""


def tag_of(module: str, path: str) -> str:
    """Return the tag of an operation, by the module of its view and its path."""
    if path.startswith("/api/v1/rules"):
        return "rules"
    if path == "/api/v1/tokens":
        return "accounts"
    for tag, ends in TAG_OF_ENDS.items():
        if path.endswith(ends):
            return tag
    _app, *folders = module.split(".")
    name = folders[1] if folders[0] == "core" else folders[0]
    return TAG_OF.get(name, name)


def described_tags() -> list[dict[str, str]]:
    """Return the tags as OpenAPI describes them."""
    return [{"name": name, "description": text} for name, text in TAGS.items()]
