"""Merge two registrations of one person, and undo a merge; for the site's staff."""

from typing import Any

from django.utils.translation import gettext_noop
from rest_framework.request import Request

from games.core.forms import form_fields
from games.core.page_actions import PageAction
from games.core.pages import PageView
from games.core.requests import require_account
from games.models import Merge
from tournament.pages.player_search import find_players
from tournament.players.serializers import MergeRequestSerializer
from tournament.queries.merges import merge_as_json
from tournament.views.merges import MergeList, UndoMerge

MOST_MERGES = 30
"""Merges that the page shows, the newest first."""


class MergesPage(PageView):
    """The merges; `?q=` finds the players of a name, two of whom can be selected."""

    template = "tournament/merges.html"
    actions = {
        "merge": PageAction(MergeList, gettext_noop("The two players are one player now.")),
        "undo": PageAction(
            UndoMerge,
            gettext_noop("The merge is undone: they are two players again."),
            parameters=("merge_id",),
        ),
    }

    def context(self, request: Request, **address: Any) -> dict[str, Any]:
        """Return the players that the search finds, the form, and the last merges."""
        require_account(request, "player.administer")
        merges = Merge.objects.select_related("keep", "merged").order_by("-pk")[:MOST_MERGES]
        return {
            "query": request.query_params.get("q", ""),
            "found": find_players(request),
            "fields": form_fields(MergeRequestSerializer(), ("keep", "merge"), state=self.form),
            "merges": [merge_as_json(merge) for merge in merges],
        }
