"""The digest of a game: equal for two reports exactly if they describe the same game.

The canonical form is a JSON object without spaces, with sorted keys, in UTF-8 without unnecessary
escapes; the digest is `sha256:` and the SHA-256 of its bytes in lower-case hexadecimal digits. The
object always has these nine keys:

- `advice`: `"first"`, `"second"` or null;
- `board`: the board's canonical name (`"10"`; Hex `11x11` is `"11"`);
- `ending`: null if the moves alone determine the state; `"resign"`, `"time"`, `"agreed 26-25"`;
  or the bare result token that nothing proves (`"26-25"`, `"1-0"`, `"1/2"`);
- `game`: its code;
- `handicap`: null, `{"points":2,"seat":"first"}` or `{"seat":"second","stones":3}`;
- `moves`: the turns in canonical spelling, including `swap` and `pass`;
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


def digest(conditions: Conditions, turns: Sequence[str], ending: str | None) -> str:
    """Return the digest of a game, `sha256:` and 64 hexadecimal digits."""
    canonical_form = _encode({**conditions.as_json(), "moves": turns, "ending": ending})
    return "sha256:" + sha256(canonical_form.encode()).hexdigest()
