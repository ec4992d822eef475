"""Reading the JSON form of a record into the parts that its text would have given.

`{"game": "star-star", "board": "10", "options": [], "swap": true, "handicap": {"seat": "second",
"stones": 3}, "advice": null, "setup": null, "moves": ["S60", "swap"], "result": "26-25",
"tags": {"First": "Ada"}, "comments": [{"after": 1, "text": "bold"}]}`: `game` and `board` are
required, null says the same as leaving a key out, other keys are refused.
"""

from __future__ import annotations

import re
from dataclasses import dataclass

from games.rules.errors import BadConditions, Code, Unreadable
from games.rules.records.notation import (
    LONGEST_RECORD,
    LONGEST_VALUE,
    MOST_TAGS,
    MOST_WORDS,
    RESULT,
    UNPRINTABLE,
    Comment,
    plain_result,
)
from games.rules.records.tags import MEANINGFUL

_KEYS = (
    "game", "board", "options", "swap", "handicap", "advice", "setup",
    "moves", "result", "tags", "comments",
)  # fmt: skip
_TAG_NAME = re.compile(r"[A-Za-z][A-Za-z0-9_-]{0,59}")
_WORD = re.compile(r"[A-Za-z0-9*,()>-]{1,200}")


@dataclass(frozen=True, slots=True)
class Parts:
    """The parts of a record: all tags by name, words as written, result, comments."""

    conditions: dict[str, str]
    tags: dict[str, str]
    words: list[str]
    result: str | None
    comments: tuple[Comment, ...]


def read_parts(value: object) -> Parts:
    """Check the shape of decoded JSON and return its parts.

    Raises Unreadable naming the key, or BadConditions for a tag that cannot be one.
    """
    given = _dict(value, "a record")
    for key in given:
        if key not in _KEYS:
            raise Unreadable(f"a record has no key {key!r:.60}; keys: {', '.join(_KEYS)}")
    given = {key: item for key, item in given.items() if item is not None}
    words = [_word(item) for item in _list(given.get("moves", []), "moves")]
    result = given.get("result")
    if result is not None and RESULT.fullmatch(_text(result, "result")) is None:
        raise Unreadable("result is a token: a score like 26-25, 1-0, 0-1, 1/2 or *")
    return Parts(
        conditions=_conditions(given),
        tags=_tags(given),
        words=words,
        result=None if result is None else plain_result(str(result)),
        comments=_comments(given, len(words)),
    )


def _conditions(given: dict[str, object]) -> dict[str, str]:
    """Return the meaningful tags that say what the JSON says."""
    tags: dict[str, str] = {}
    for key in ("game", "board"):
        if key in given:
            tags[key.title()] = _text(given[key], key)
    if "options" in given:
        options = [_text(item, "options") for item in _list(given["options"], "options")]
        if any(len(option.split()) != 1 for option in options):
            raise BadConditions("an option is one word", Code.BAD_TAG, tag="Options")
        tags["Options"] = " ".join(options)
    if "swap" in given:
        if not isinstance(given["swap"], bool):
            raise BadConditions("swap is true or false", Code.BAD_TAG, tag="Swap")
        tags["Swap"] = "yes" if given["swap"] else "no"
    if "handicap" in given:
        tags["Handicap"] = _handicap(given["handicap"])
    if "advice" in given:
        tags["Advice"] = _text(given["advice"], "advice")
    if "setup" in given:
        tags["Setup"] = _setup(given["setup"])
    return tags


def _handicap(value: object) -> str:
    handicap = _dict(value, "handicap")
    if set(handicap) in ({"seat", "stones"}, {"seat", "points"}):
        kind = next(key for key in handicap if key != "seat")
        seat, number = handicap["seat"], handicap[kind]
        if isinstance(seat, str) and isinstance(number, int) and not isinstance(number, bool):
            return f"{seat:.60} {min(number, 10**9)} {kind}"
    raise BadConditions(
        'a handicap is {"seat": "second", "stones": 3} or {"seat": "first", "points": 2}',
        Code.HANDICAP_CONFLICT,
        tag="Handicap",
    )


def _setup(value: object) -> str:
    setup = _dict(value, "setup")
    if set(setup) != {"first", "second"}:
        raise BadConditions("a set-up has first and second", Code.BAD_TAG, tag="Setup")
    sides = (
        " ".join(_word(cell) for cell in _list(setup[seat], "setup"))
        for seat in ("first", "second")
    )
    return "first: {}; second: {}".format(*sides)


def _tags(given: dict[str, object]) -> dict[str, str]:
    tags = _dict(given.get("tags", {}), "tags")
    if len(tags) > MOST_TAGS:
        raise Unreadable(f"a record has at most {MOST_TAGS} tags")
    for name in tags:
        if not _TAG_NAME.fullmatch(name):
            raise BadConditions(f"{name!r:.60} is no name of a tag", Code.BAD_TAG, tag=name[:60])
        if name in MEANINGFUL:
            raise BadConditions(
                f"{name} is said by the key {name.lower()}, not by a tag", Code.BAD_TAG, tag=name
            )
    read = {name: _text(value, f"the tag {name}") for name, value in tags.items()}
    for name, value in read.items():
        if "\n" in value or "\r" in value:
            raise Unreadable(f"the tag {name} is one line of text")
    return read


def _comments(given: dict[str, object], words: int) -> tuple[Comment, ...]:
    comments = []
    for item in _list(given.get("comments", []), "comments"):
        comment = _dict(item, "a comment")
        after, to_line_end = comment.get("after"), comment.get("to_line_end", False)
        text = _text(comment.get("text"), "a comment's text", longest=LONGEST_RECORD)
        if (
            not isinstance(after, int)
            or not 0 <= after <= words + 1
            or not isinstance(to_line_end, bool)
            or set(comment) - {"after", "text", "to_line_end"}
            or ("\n" if to_line_end else "}") in text
        ):
            raise Unreadable(
                'a comment is {"after": 3, "text": "..."}, after so many words, without }'
            )
        comments.append(Comment(int(after), text, to_line_end))
    return tuple(sorted(comments, key=lambda comment: comment.after))


def _text(value: object, name: str, *, longest: int = LONGEST_VALUE) -> str:
    if not isinstance(value, str) or len(value) > longest or UNPRINTABLE.search(value):
        raise Unreadable(f"{name} is plain text of at most {longest} characters")
    return value


def _word(value: object) -> str:
    if not isinstance(value, str) or not _WORD.fullmatch(value):
        raise Unreadable(f"{value!r:.60} is no word: letters, digits and * , ( ) > - make one")
    return value


def _list(value: object, name: str) -> list[object]:
    if not isinstance(value, list) or len(value) > MOST_WORDS:
        raise Unreadable(f"{name} is a list of at most {MOST_WORDS} items")
    return value


def _dict(value: object, name: str) -> dict[str, object]:
    if not isinstance(value, dict) or not all(isinstance(key, str) for key in value):
        raise Unreadable(f"{name} is a JSON object")
    return value
