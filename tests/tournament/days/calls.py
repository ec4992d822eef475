"""The request of each action that `allowed_actions` lists, with random content.

`allowed_actions` says whether an action is possible at all. Whether its content is, such as the
round of a bye, only the request decides: a `Call` names the codes of these refusals.
"""

from random import Random
from typing import Any

from tests.events import FIRST_WINS, SECOND_WINS
from tests.tournament.actions import ADDRESSES
from tests.tournament.days.day import WHY, Call, Day
from tournament.rounds.acceptance import PAIRINGS, PRIZES, RANKS

BY_HAND = ("acceptance_needed", "impossible_pairings", "wrong_board")
HANDICAPS = ("no_handicaps", "handicap_fixed", "handicap_needed")
BYES = ("no_such_round", "round_paired", "bye_granted", "too_many_byes", "too_late_for_half_bye")
RESULTS = ("impossible_result",)
KINDS = ("half_bye", "zero_bye", "full_bye")
ENGINE = ("no_legal_pairing", "cannot_pair")
"""Whether there is a legal pairing is known only after a search."""


REFUSALS: dict[str, dict[str, tuple[str, ...]]] = {
    "event": {
        "edit": (
            "set_up_frozen",
            "round_drafted",
            "round_published",
            "rounds_do_not_fit",
            "wrong_state",
            "acceptance_needed",
        ),
        "review": ("acceptance_needed",),
        "correct": (
            "unknown_game",
            "wrong_state",
            "game_open",
            "stale",
            "impossible_result",
            "nothing_to_correct",
            "advance_changes",
        ),
        "enter": ("entered_already",),
        "request_bye": BYES,
    },
    "round": {
        "pair": ENGINE,
        "set_pairings": BY_HAND,
        "change_boards": (*BY_HAND, *HANDICAPS),
        "publish": ("acceptance_needed",),
        "restore": ("no_such_version", "version_current"),
        "enter_results": ("no_such_board", "result_differs", "game_disputed", *RESULTS),
    },
    "entry": {
        "edit": ("round_paired", "no_such_round", "starting_scores_fixed", "no_late_entries"),
        "withdraw": ("no_such_round",),
        "availability": ("full_bye", *BYES),
    },
    "game": {"report": ("conditions_differ", *RESULTS), "rule": RESULTS},
}
"""The codes with which the content of a request can be refused, by object and action."""

CALLS: dict[str, dict[str, Call]] = {
    kind: {
        action: Call(method, suffix, frozenset(REFUSALS[kind].get(action, ())))
        for action, (method, suffix) in addresses.items()
    }
    for kind, addresses in ADDRESSES.items()
}


def random_content(day: Day, kind: str, action: str, path: str, random: Random) -> dict[str, Any]:
    """Return the content of a request about the object at an address."""
    match kind, action:
        case "event", "edit":
            accept = random.choice([[], [PAIRINGS, RANKS, PRIZES]])
            changes = random.choice(
                [
                    {"rounds": random.randint(1, 4)},
                    {"prizes": [{"name": "all", "amounts": [random.randint(1, 3)]}]},
                    {"name": f"Open {random.randint(1, 9)}"},
                    {"tiebreaks": random.choice([["PTS", "SB"], ["PTS", "WIN", "DE"]])},
                    {"half_byes": 2},
                    {"missed_rounds": random.choice(["half", "zero"])},
                ]
            )
            return WHY | {"accept": accept} | changes
        case "event", "correct":
            return correction(day, random)
        case "event", "enter":
            return {"player_id": day.register_player()}
        case "event", "apply":
            return {"name": f"Guest {random.randint(1, 9999)}"}
        case "event", "request_bye":
            entry, number = random.choice(day.entries()), random.randint(1, 3)
            return {"entry_id": entry, "round": number, "kind": random.choice(KINDS)}
        case "round", "edit":
            return {"starts_on": f"2026-05-0{random.randint(1, 3)}"}
        case "round", "set_pairings":
            return WHY | {"pairings": random_boards(day, random)}
        case "round", "change_boards":
            accept = random.choice([[], ["rematch", "second_bye", "game_reported"]])
            return WHY | {"boards": exchanged_boards(day, path, random), "accept": accept}
        case "round", "restore":
            versions = day.ask("GET", f"{path}/versions")["results"]
            return WHY | {"version": random.choice([9, *(row["version"] for row in versions)])}
        case "round", "enter_results":
            board = {"board": random.randint(1, 3), "result": random.choice(["1-0", "0-1f", "1/2"])}
            return {"basis": "slip", "results": [board]}
        case "entry", "edit":
            values = [
                {"birth_year": random.randint(1950, 2010)},
                {"seed_rating": random.randint(1000, 2000)},
                {"first_round": random.randint(1, 3)},
            ]
            return WHY | random.choice(values)
        case "entry", "withdraw":
            return random.choice([{}, WHY, {"from_round": random.randint(1, 4)}])
        case "entry", "availability":
            return {str(random.randint(1, 3)): random.choice(KINDS)}
        case "game", "report":
            claims = [{"claim": {"result": result}} for result in ("11-10", "10-11")]
            records = [{"record": record} for record in (FIRST_WINS, SECOND_WINS)]
            return random.choice([*claims, *records])
        case "game", "rule":
            return WHY | {"result": random.choice(["1-0", "0-1", "1/2", "0-0"])}
        case (
            ("event", "cancel" | "reopen" | "review")
            | ("round", "unpair" | "reopen")
            | ("game", "dispute" | "annul" | "adjourn" | "resume")
        ):
            return WHY
    return {}


def correction(day: Day, random: Random) -> dict[str, Any]:
    """Return the correction of a game with the digest of its preview, if that is possible."""
    result = random.choice(["1-0", "0-1", "0-1f", "annulled"])
    content = WHY | {
        "changes": [{"game_id": random.choice([*day.games(), 1]), "result": result}],
        "scope": random.choice(["standings_pairings", "standings"]),
    }
    response = day.organiser.post(f"{day.path}/corrections?dry_run=1", content)
    return content | {"digest": response.json().get("digest", f"0.{'0' * 64}")}


def random_boards(day: Day, random: Random) -> list[dict[str, Any]]:
    """Return random boards of all accepted entries."""
    entries: list[int | None] = [*day.entries("?state=accepted")]
    random.shuffle(entries)
    if len(entries) % 2:
        entries.append(None)
    return [
        {"first_id": a, "second_id": b} for a, b in zip(entries[::2], entries[1::2], strict=True)
    ]


def exchanged_boards(day: Day, path: str, random: Random) -> list[dict[str, Any]]:
    """Return two boards of the round with exchanged second players, or a board that is wrong."""
    response = day.organiser.get(f"{path}/pairings")
    boards = [row for row in response.json().get("rows", []) if row["second"]]
    if len(boards) < 2:
        first, second = day.entries()[:2]
        return [{"board": 1, "first_id": first, "second_id": second}]
    one, other = random.sample(boards, 2)
    if random.random() < 0.3:
        seats = {seat: one[seat]["id"] for seat in ("first", "second")}
        handicap = random.choice(["none", "second 2 stones"])
        return [{"board": one["board"], **seats, "handicap": handicap}]
    return [
        {"board": a["board"], "first_id": a["first"]["id"], "second_id": b["second"]["id"]}
        for a, b in ((one, other), (other, one))
    ]
