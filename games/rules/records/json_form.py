"""The JSON form of a record, read into the parts that its text would give.

`{"game": "star-star", "board": "10", "options": [], "swap": true, "handicap": {"seat": "second",
"stones": 3}, "advice": null, "setup": null, "moves": ["S60", "swap"], "result": "26-25",
"tags": {"First": "Ada"}, "comments": [{"after": 1, "text": "bold"}]}`: `game` and `board` are
required, null is the same as no key, other keys are rejected. `stones` are a number or a list of
cells.
"""

from __future__ import annotations

import re
from dataclasses import dataclass

from games.rules.errors import BadConditions, Code, UnreadableRecord
from games.rules.records.claims import parse_result
from games.rules.records.notation import (
    LONGEST_RECORD,
    LONGEST_VALUE,
    LONGEST_WORD,
    MOST_TAGS,
    MOST_WORDS,
    UNPRINTABLE,
    Comment,
)
from games.rules.records.tags import MEANINGFUL

_KEYS = (
    "game", "board", "options", "swap", "handicap", "advice", "setup",
    "moves", "result", "tags", "comments",
)  # fmt: skip
_TAG_NAME = re.compile(r"[A-Za-z][A-Za-z0-9_-]{0,59}")
_JSON_WORD = re.compile(r"[A-Za-z0-9*,()>-]{1,200}")


@dataclass(frozen=True, slots=True)
class Parts:
    """The parts of a record: its conditions as tags, other tags, words as written, and the rest."""

    conditions: dict[str, str]
    tags: dict[str, str]
    words: list[str]
    result: str | None
    comments: tuple[Comment, ...]


def read_parts(value: object) -> Parts:
    """Check the structure of decoded JSON and return its parts.

    Raise UnreadableRecord that names the key, or BadConditions for an invalid tag.
    """
    record = _parse_dict(value, "a record")
    for key in record:
        if key not in _KEYS:
            raise UnreadableRecord(f"a record has no key {key!r:.60}; keys: {', '.join(_KEYS)}")
    record = {key: item for key, item in record.items() if item is not None}
    words = [_parse_word(item) for item in _parse_list(record.get("moves", []), "moves")]
    result = record.get("result")
    if result is not None:
        result = parse_result(_parse_text(result, "result", longest=LONGEST_WORD), words)
        if result is None:
            raise UnreadableRecord("result is a token: a score like 26-25, 1-0, 0-1, 1/2 or *")
    return Parts(
        conditions=_parse_conditions(record),
        tags=_parse_tags(record),
        words=words,
        result=result,
        comments=_parse_comments(record, len(words)),
    )


def _parse_conditions(record: dict[str, object]) -> dict[str, str]:
    """Return the tags that are equivalent to the keys of the JSON."""
    tags: dict[str, str] = {}
    for key in ("game", "board"):
        if key in record:
            tags[key.title()] = _parse_text(record[key], key)
    if "options" in record:
        options = [
            _parse_text(item, "options") for item in _parse_list(record["options"], "options")
        ]
        if any(len(option.split()) != 1 for option in options):
            raise BadConditions("an option is one word", Code.BAD_TAG, tag="Options")
        tags["Options"] = " ".join(options)
    if "swap" in record:
        if not isinstance(record["swap"], bool):
            raise BadConditions("swap is true or false", Code.BAD_TAG, tag="Swap")
        tags["Swap"] = "yes" if record["swap"] else "no"
    if "handicap" in record:
        tags["Handicap"] = handicap_text(record["handicap"])
    if "advice" in record:
        tags["Advice"] = _parse_text(record["advice"], "advice")
    if "setup" in record:
        tags["Setup"] = _parse_setup(record["setup"])
    return tags


def handicap_text(value: object) -> str:
    """Return the text of a handicap in JSON; raise BadConditions or UnreadableRecord."""
    handicap = _parse_dict(value, "handicap")
    amounts = [
        _parse_amount(kind, handicap[kind]) for kind in ("stones", "points") if kind in handicap
    ]
    seat = handicap.get("seat")
    if not amounts or set(handicap) - {"seat", "stones", "points"} or not isinstance(seat, str):
        raise _bad_handicap()
    return f"{seat:.60} {', '.join(amounts)}"


def _parse_amount(kind: str, amount: object) -> str:
    """Return the text of a number of stones or points, or of the cells of stones."""
    if kind == "stones" and isinstance(amount, list) and amount:
        return " ".join(_parse_word(cell) for cell in _parse_list(amount, kind))
    if not isinstance(amount, int) or isinstance(amount, bool):
        raise _bad_handicap()
    return f"{min(amount, 10**9)} {kind}"


def _bad_handicap() -> BadConditions:
    return BadConditions(
        'a handicap is {"seat": "second", "stones": 3}, {"seat": "first", "points": 2}, or both '
        'for the second seat; stones can be a list of cells: ["S60", "A60", "T60"]',
        Code.HANDICAP_CONFLICT,
        tag="Handicap",
    )


def _parse_setup(value: object) -> str:
    setup = _parse_dict(value, "setup")
    if set(setup) != {"first", "second"}:
        raise BadConditions("a set-up has first and second", Code.BAD_TAG, tag="Setup")
    sides = (
        " ".join(_parse_word(cell) for cell in _parse_list(setup[seat], "setup"))
        for seat in ("first", "second")
    )
    return "first: {}; second: {}".format(*sides)


def _parse_tags(record: dict[str, object]) -> dict[str, str]:
    tags = _parse_dict(record.get("tags", {}), "tags")
    if len(tags) > MOST_TAGS:
        raise UnreadableRecord(f"a record has at most {MOST_TAGS} tags")
    for name in tags:
        if not _TAG_NAME.fullmatch(name):
            raise BadConditions(f"{name!r:.60} is not a tag name", Code.BAD_TAG, tag=name[:60])
        if name in MEANINGFUL:
            raise BadConditions(
                f"use the key {name.lower()} instead of the tag {name}", Code.BAD_TAG, tag=name
            )
    read = {name: _parse_text(value, f"the tag {name}") for name, value in tags.items()}
    for name, value in read.items():
        if "\n" in value or "\r" in value:
            raise UnreadableRecord(f"the tag {name} is one line of text")
    return read


def _parse_comments(record: dict[str, object], words: int) -> tuple[Comment, ...]:
    comments = []
    for item in _parse_list(record.get("comments", []), "comments"):
        comment = _parse_dict(item, "a comment")
        after, to_line_end = comment.get("after"), comment.get("to_line_end", False)
        text = _parse_text(comment.get("text"), "a comment's text", longest=LONGEST_RECORD)
        if (
            not isinstance(after, int)
            or isinstance(after, bool)
            or not 0 <= after <= words + 1
            or not isinstance(to_line_end, bool)
            or set(comment) - {"after", "text", "to_line_end"}
            or ("\n" if to_line_end else "}") in text
        ):
            raise UnreadableRecord(
                'a comment is {"after": 3, "text": "..."}: a number of words, text without }'
            )
        comments.append(Comment(int(after), text, to_line_end))
    return tuple(sorted(comments, key=lambda comment: comment.after))


def _parse_text(value: object, name: str, *, longest: int = LONGEST_VALUE) -> str:
    if not isinstance(value, str) or len(value) > longest or UNPRINTABLE.search(value):
        raise UnreadableRecord(f"{name} is plain text of at most {longest} characters")
    return value


def _parse_word(value: object) -> str:
    if not isinstance(value, str) or not _JSON_WORD.fullmatch(value):
        raise UnreadableRecord(f"{value!r:.60} is not a word of letters, digits and * , ( ) > -")
    return value


def _parse_list(value: object, name: str) -> list[object]:
    if not isinstance(value, list) or len(value) > MOST_WORDS:
        raise UnreadableRecord(f"{name} is a list of at most {MOST_WORDS} items")
    return value


def _parse_dict(value: object, name: str) -> dict[str, object]:
    if not isinstance(value, dict) or not all(isinstance(key, str) for key in value):
        raise UnreadableRecord(f"{name} is a JSON object")
    return value
