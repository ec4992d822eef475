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
from typing import Any

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

    Raise UnreadableRecord or BadConditions, with the place of the wrong value as `pointer`.
    """
    record = _parse_dict(value, "")
    for key in record:
        if key not in _KEYS:
            detail = f"a record has no key {key!r:.60}; keys: {', '.join(_KEYS)}"
            raise UnreadableRecord(detail, pointer=f"/{_step(key)}")
    record = {key: item for key, item in record.items() if item is not None}
    words = _parse_words(record.get("moves", []), "/moves")
    result = record.get("result")
    if result is not None:
        result = parse_result(_parse_text(result, "/result", longest=LONGEST_WORD), words)
        if result is None:
            detail = "a result is a score such as 26-25, or 1-0, 0-1, 1/2, *"
            raise UnreadableRecord(detail, pointer="/result")
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
            tags[key.title()] = _parse_text(record[key], f"/{key}")
    if "options" in record:
        options = [
            _parse_text(item, f"/options/{index}")
            for index, item in enumerate(_parse_list(record["options"], "/options"))
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
        tags["Advice"] = _parse_text(record["advice"], "/advice")
    if "setup" in record:
        tags["Setup"] = _parse_setup(record["setup"])
    return tags


def handicap_text(value: object) -> str:
    """Return the text of a handicap in JSON; raise BadConditions or UnreadableRecord."""
    handicap = _parse_dict(value, "/handicap")
    amounts = [
        _parse_amount(kind, handicap[kind]) for kind in ("stones", "points") if kind in handicap
    ]
    seat = handicap.get("seat")
    if not isinstance(seat, str):
        raise _bad_handicap("/handicap/seat")
    if not amounts or set(handicap) - {"seat", "stones", "points"}:
        raise _bad_handicap("/handicap")
    return f"{seat:.60} {', '.join(amounts)}"


def _parse_amount(kind: str, amount: object) -> str:
    """Return the text of a number of stones or points, or of the cells of stones."""
    if kind == "stones" and isinstance(amount, list) and amount:
        return " ".join(_parse_words(amount, "/handicap/stones"))
    if not isinstance(amount, int) or isinstance(amount, bool) or amount < 1:
        raise _bad_handicap(f"/handicap/{kind}")
    return f"{min(amount, 10**9)} {kind}"


def _bad_handicap(pointer: str) -> BadConditions:
    return BadConditions(
        'a handicap is {"seat": "second", "stones": 3}, {"seat": "first", "points": 2}, or both '
        'for the second seat; stones can be a list of cells: ["S60", "A60", "T60"]',
        Code.HANDICAP_CONFLICT,
        tag="Handicap",
        pointer=pointer,
    )


def _parse_setup(value: object) -> str:
    setup = _parse_dict(value, "/setup")
    if set(setup) != {"first", "second"}:
        raise BadConditions("a set-up has first and second", Code.BAD_TAG, tag="Setup")
    sides = (" ".join(_parse_words(setup[seat], f"/setup/{seat}")) for seat in ("first", "second"))
    return "first: {}; second: {}".format(*sides)


def _parse_tags(record: dict[str, object]) -> dict[str, str]:
    tags = _parse_dict(record.get("tags", {}), "/tags")
    if len(tags) > MOST_TAGS:
        raise UnreadableRecord(f"a record has at most {MOST_TAGS} tags", pointer="/tags")
    read: dict[str, str] = {}
    for name, value in tags.items():
        pointer = f"/tags/{_step(name)}"
        detail = ""
        if not _TAG_NAME.fullmatch(name):
            detail = f"{name!r:.60} is not a tag name"
        elif name in MEANINGFUL:
            detail = f"use the key {name.lower()} instead of the tag {name}"
        if detail:
            raise BadConditions(detail, Code.BAD_TAG, tag=name[:60], pointer=pointer)
        read[name] = _parse_text(value, pointer)
        if "\n" in read[name] or "\r" in read[name]:
            raise UnreadableRecord(f"the tag {name} is one line of text", pointer=pointer)
    return read


def _parse_comments(record: dict[str, object], words: int) -> tuple[Comment, ...]:
    comments = []
    for index, item in enumerate(_parse_list(record.get("comments", []), "/comments")):
        pointer = f"/comments/{index}"
        comment = _parse_dict(item, pointer)
        after: Any = comment.get("after")
        to_line_end: Any = comment.get("to_line_end", False)
        text = _parse_text(comment.get("text"), f"{pointer}/text", longest=LONGEST_RECORD)
        wrong = {
            "after": not isinstance(after, int)
            or isinstance(after, bool)
            or not 0 <= after <= words + 1,
            "to_line_end": not isinstance(to_line_end, bool),
            "text": ("\n" if to_line_end else "}") in text,
            **dict.fromkeys(set(comment) - {"after", "text", "to_line_end"}, True),
        }
        for name in (name for name, is_wrong in wrong.items() if is_wrong):
            raise UnreadableRecord(
                'a comment is {"after": 3, "text": "..."}: a number of words, text without }',
                pointer=f"{pointer}/{_step(name)}",
            )
        comments.append(Comment(int(after), text, to_line_end))
    return tuple(sorted(comments, key=lambda comment: comment.after))


def _parse_text(value: object, pointer: str, *, longest: int = LONGEST_VALUE) -> str:
    if not isinstance(value, str) or len(value) > longest or UNPRINTABLE.search(value):
        detail = f"{_name(pointer)} is plain text of at most {longest} characters"
        raise UnreadableRecord(detail, pointer=pointer)
    return value


def _parse_words(value: object, pointer: str) -> list[str]:
    words = []
    for index, word in enumerate(_parse_list(value, pointer)):
        if not isinstance(word, str) or not _JSON_WORD.fullmatch(word):
            detail = f"{_name(pointer)} has words of letters, digits and * , ( ) > -"
            raise UnreadableRecord(detail, pointer=f"{pointer}/{index}")
        words.append(word)
    return words


def _parse_list(value: object, pointer: str) -> list[object]:
    if not isinstance(value, list) or len(value) > MOST_WORDS:
        detail = f"{_name(pointer)} is a list of at most {MOST_WORDS} items"
        raise UnreadableRecord(detail, pointer=pointer)
    return value


def _parse_dict(value: object, pointer: str) -> dict[str, object]:
    if not isinstance(value, dict) or not all(isinstance(key, str) for key in value):
        raise UnreadableRecord(f"{_name(pointer)} is a JSON object", pointer=pointer)
    return value


def _step(key: str) -> str:
    """Return a key as a step of a JSON pointer."""
    return key[:60].replace("~", "~0").replace("/", "~1")


def _name(pointer: str) -> str:
    """Return the name of a member in a sentence, as `tags/First`."""
    return pointer.removeprefix("/") or "a record"
