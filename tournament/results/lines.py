"""Results as a scorer types them: a board and its result in a line, or a result beside its board.

A score is the count of the board: the points of a handicap are counted when it is entered.

3 14-7      the score, or 3 1-0, 3 0-1, 3 1/2
3 1         the first seat wins; 3 0 the second, 3 = is a draw
3 +         the second player did not appear; 3 - the first, 3 -- neither
3 0-0       both lose a played game, by a ruling
3r 7-14     the return game of board 3, whose seats are exchanged
"""

import re
from collections.abc import Mapping, Sequence
from typing import Any, Final

from games.core.errors import Unprocessable
from games.core.tables.text import printable
from games.rules.text import Text

Errors = list[dict[str, Any]]
RESULT_LINE: Final = re.compile(r"(\d{1,5})(r?)[\s;,:.)]+(\S.{0,39})", re.ASCII | re.IGNORECASE)
FIELD: Final = re.compile(r"result\.([0-9]{1,5}r?)", re.ASCII)
"""The name of a field beside a board, or beside its return game."""
RETURN: Final = "r"


def ruling_body(form: dict[str, Any], _address: Mapping[str, Any]) -> dict[str, Any]:
    """Return the body of a ruling, without invisible letters in its result."""
    result = form.get("result")
    return form | {"result": printable(result)} if isinstance(result, str) else form


def read_lines(text: str, *, at: str) -> list[dict[str, Any]]:
    """Return the result of each line; raises Unprocessable with all lines that are none."""
    results: list[dict[str, Any]] = []
    errors: Errors = []
    for number, line in enumerate(text.splitlines(), 1):
        if not line.strip():
            continue
        if found := RESULT_LINE.fullmatch(line.strip()):
            results.append(_result(found[1], bool(found[2]), found[3]))
        else:
            detail = Text("this is not a board and a result, such as 3 1")
            error: dict[str, Any] = {"code": "unreadable", "pointer": at, "detail": detail}
            if at == "/lines":
                error["line"] = number
            errors.append(error)
    if errors:
        raise Unprocessable("unreadable", errors[0]["detail"], errors)
    return results


def _result(board: str, is_return_game: bool, text: str) -> dict[str, Any]:
    result = {"board": int(board), "result": printable(text)}
    return result | {"return_game": True} if is_return_game else result


def line_body(form: dict[str, Any], _address: Mapping[str, Any]) -> dict[str, Any]:
    """Return the body of the field `line`."""
    return _body(form, read_lines(str(form.get("line", "")), at="/line"), at="/line")


def lines_body(form: dict[str, Any], _address: Mapping[str, Any]) -> dict[str, Any]:
    """Return the body of the field `lines`."""
    return _body(form, read_lines(str(form.get("lines", "")), at="/lines"), at="/lines")


def table_body(form: dict[str, Any], _address: Mapping[str, Any]) -> dict[str, Any]:
    """Return the body of the fields beside the boards."""
    fields = form.get("result", {})
    results = [
        _result(name.removesuffix(RETURN), name.endswith(RETURN), text)
        for name, text in (fields.items() if isinstance(fields, dict) else ())
        if FIELD.fullmatch(f"result.{name}") and isinstance(text, str)
    ]
    return _body(form, results)


def _body(
    form: dict[str, Any], results: Sequence[dict[str, Any]], *, at: str = ""
) -> dict[str, Any]:
    if not results:
        detail = Text("type a board and its result, such as 3 1")
        raise Unprocessable(
            "missing", detail, [{"code": "missing", "pointer": at, "detail": detail}]
        )
    sent: dict[str, Any] = {n: form[n] for n in ("basis", "reason", "accept") if n in form}
    return {"results": [result | {"before_handicap": True} for result in results], **sent}
