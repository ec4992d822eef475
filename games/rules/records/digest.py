"""The digest of a game: equal for two reports exactly when they tell of the same game.

The canonical form is one JSON object, written without spaces, with sorted keys, in UTF-8 with no
character escaped that JSON does not require, and the digest is `sha256:` followed by the SHA-256
of its bytes in lower-case hexadecimal digits. The object has these nine keys, always all:

- `advice`: `"first"`, `"second"` or null;
- `board`: the board's canonical name (`"10"`; Hex `11x11` is `"11"`);
- `ending`: null when the moves alone tell how it stands; `"resign"`, `"time"`, `"agreed 26-25"`;
  or the bare result token that nothing proves (`"26-25"`, `"1-0"`, `"1/2"`);
- `game`: its code;
- `handicap`: null, `{"points":2,"seat":"first"}` or `{"seat":"second","stones":3}`;
- `moves`: the turns in canonical spelling, `swap` and `pass` among them;
- `options`: a list, in the order in which the game names them;
- `setup`: null in games with one start only, else `{"first":[...],"second":[...]}`, sorted;
- `swap`: true or false.

Left out: a result token that the moves already prove (after `resign` or `time` too, and `*` on
an open position), names, all other tags, comments.
"""

from __future__ import annotations

import json
from collections.abc import Sequence
from hashlib import sha256

from games.rules.conditions import Conditions

_encode = json.JSONEncoder(ensure_ascii=False, separators=(",", ":"), sort_keys=True).encode


def canonical_form(conditions: Conditions, turns: Sequence[str], ending: str | None) -> str:
    """Return the canonical form of a game as text."""
    return _encode({**conditions.as_dict(), "moves": turns, "ending": ending})


def digest(conditions: Conditions, turns: Sequence[str], ending: str | None) -> str:
    """Return the digest of a game, `sha256:` and 64 hexadecimal digits."""
    form = canonical_form(conditions, turns, ending)
    return "sha256:" + sha256(form.encode()).hexdigest()
