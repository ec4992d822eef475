"""The ids of rows in JSON columns of events, which the journal and bundles replace by keys.

Each function returns the value of a column with what `new` gives for each id.
"""

from typing import Any

from games.models.columns import NewReference

ENTRY, GAME, PLAYER = "tournament.Entry", "games.Game", "games.Player"


def separations(value: Any, new: NewReference) -> Any:
    """Replace the players of the settings of an event."""
    return [
        {**one, "players": [new(PLAYER, player) for player in one["players"]]}
        if one.get("players")
        else one
        for one in value
    ]


def notes(value: Any, new: NewReference) -> Any:
    """Replace the entries of the findings of a round."""
    return [{**note, "entries": [new(ENTRY, entry) for entry in note["entries"]]} for note in value]


def counted(value: Any, new: NewReference) -> Any:
    """Replace the games whose results count for a pairing; `bye` is the other key."""
    if value is None:
        return None
    return {
        purpose: {
            key if key == "bye" else str(new(GAME, key)): result for key, result in results.items()
        }
        for purpose, results in value.items()
    }


def entries(value: Any, new: NewReference) -> Any:
    """Replace the entries of a certificate."""
    return [new(ENTRY, entry) for entry in value]


def changes(value: Any, new: NewReference) -> Any:
    """Replace the games and entries that a correction has changed."""
    names = {"game": GAME, "first": ENTRY, "second": ENTRY, "entry": ENTRY}
    found = []
    for change in value:
        replaced = {name: new(names[name], change[name]) for name in names if name in change}
        if "counted" in change:
            replaced["counted"] = [counted(one, new) for one in change["counted"]]
        found.append({**change, **replaced})
    return found


def effect(value: Any, new: NewReference) -> Any:
    """Replace the entries of the effect of a correction, without its ratings.

    These are of the pools of one installation, and can name players of other events.
    """

    def place(numbers: Any) -> Any:
        return [None if number is None else new(ENTRY, number) for number in numbers]

    rounds = [
        {
            **this_round,
            "boards": this_round["boards"]
            and [
                {
                    **board,
                    "entries": place(board["entries"]),
                    "engine": [place(one) for one in board["engine"]],
                }
                for board in this_round["boards"]
            ],
            **(
                {
                    "due": [
                        {**board, "entries": place(board["entries"])} for board in this_round["due"]
                    ]
                }
                if "due" in this_round
                else {}
            ),
        }
        for this_round in value["rounds"]
    ]
    named = {
        name: [{**row, "entry": new(ENTRY, row["entry"])} for row in value[name]]
        for name in ("standings", "prizes")
    }
    if "leaders" in value:  # not in effects of 0.2.0
        named["leaders"] = [place(entries) for entries in value["leaders"]]
    return {**value, **named, "rounds": rounds, "ratings": []}
