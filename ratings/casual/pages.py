"""Import casual games from their records, for officers of a pool and site staff."""

import re
from typing import Any, Final

from django.utils.translation import gettext
from rest_framework.request import Request

from games.core.forms import Form, FormField
from games.core.permissions import current_account, require_account
from games.core.uploads.pages import FileImportPage, chosen_by_place, sent_text
from games.core.uploads.records import add_chosen_seats
from games.models import Account, Role
from ratings.casual.imports import CASUAL_GAMES
from ratings.casual.views import RECORD, ImportGames
from ratings.models import Pool

PLACE: Final = re.compile(r"([0-9]{1,8})\.(First|Second)", re.ASCII)
"""An ambiguous place: the first line of a record, and the tag of the seat."""
CHOSEN: Final = re.compile(r"[0-9]{1,18}|new", re.ASCII)


class GameImportPage(FileImportPage):
    """The games of a file; `?pool=` is the pool that is selected first."""

    template = "ratings/casual/game_import.html"
    actions = {"import": Form(ImportGames, text="file")}
    query_fields = ("pool",)
    rows = "rows"

    def read(self, request: Request) -> str:
        """Return the records, with the players that were chosen for their tags."""
        chosen = {
            (int(found[1]), found[2]): player
            for place, player in chosen_by_place(request.POST).items()
            if (found := PLACE.fullmatch(place)) and CHOSEN.fullmatch(player)
        }
        return add_chosen_seats(sent_text(request), chosen)

    def context(self, request: Request, **address: Any) -> dict[str, Any]:
        """Return the pools of the reader, and the ambiguous places; raises 401 or 403."""
        user, _ = current_account(request)
        pools = load_officer_pools(user) if isinstance(user, Account) else []
        stream = pools[0].stream if pools else ""
        account = require_account(request, CASUAL_GAMES.action, stream=stream)
        codes = [(pool.code, pool.name) for pool in pools]
        typed = self.form.typed
        return {
            "example": RECORD,
            "field": FormField(
                name="pool",
                label=gettext("Pool that rates the games"),
                kind="select",
                required=not account.acts_as_staff,
                value=typed["pool"] if "pool" in typed else request.query_params.get("pool", ""),
                help=gettext("Empty: the games are not rated.") if account.acts_as_staff else "",
                choices=tuple(codes),
                errors=self.form.errors.get("pool", ()),
            ),
            "problems": [
                {**problem, "place": str(problem["pointer"]).strip("/").replace("/", ".")}
                for problem in self.form.problems
                if problem.get("candidates")
            ],
        }


def load_officer_pools(account: Account) -> list[Pool]:
    """Return the pools of which an account is an officer; all of them for site staff."""
    pools = Pool.objects.order_by("name")
    if account.acts_as_staff:
        return list(pools)
    held = account.roles.filter(role=Role.Name.RATING_OFFICER).values_list("stream", flat=True)
    streams = set(held)
    return [pool for pool in pools if pool.stream in streams]
