"""The entries of an event for its directors: the list, one more player, or a file of players."""

from collections.abc import Mapping
from typing import Any

from django.http.response import HttpResponseBase
from django.utils.translation import gettext_noop
from rest_framework.request import Request

from games.core.forms import form_fields
from games.core.page_actions import Form, PageAction, PageRequest
from games.core.uploads.pages import find_stream_task, query_of_form, sent_list
from games.players.serializers import PlayerDetailsSerializer
from games.players.views import PlayerList
from tournament.core.actions import BEFORE_END
from tournament.core.locking import entry_tags
from tournament.core.pages import RunPage, draft_warnings, event_action
from tournament.entries.views import EntryList
from tournament.models import Entry, Round, Tournament
from tournament.pages.player_import import COLUMNS_FIELD, columns_field
from tournament.pages.player_search import find_players
from tournament.pages.run.entry_actions import ENTRY_PAGE_ACTIONS
from tournament.views.import_entries import ImportEntries

NEW_PLAYER = ("name", "country", "club", "birth_year", "seed_rating")


class EntriesPage(RunPage):
    template = "tournament/run/entries.html"
    section = "entries"
    actions = {
        "import": Form(ImportEntries, text="file"),
        "enter": PageAction(EntryList, gettext_noop("The player is entered.")),
        "register": PageAction(
            PlayerList,
            gettext_noop("The player is registered; enter them now."),
            serializer=PlayerDetailsSerializer,
        ),
        **ENTRY_PAGE_ACTIONS,
    }
    sent_text = ""

    def post(self, request: Request, **address: Any) -> HttpResponseBase:
        """Carry out an action; a file gets the players that were chosen for its lines."""
        assert isinstance(request, PageRequest)
        if request._request.POST.get("action") == "import":
            self.sent_text = sent_list(request)
            request.text = self.sent_text.encode()
            request.query = query_of_form(request, (COLUMNS_FIELD,))
        return super().post(request, **address)

    def next_address(self, request: Request, name: str, content: Any, **address: Any) -> str:
        """Return this page; after a registration, with the new player found."""
        path = f"/e/{address['slug']}/run/entries"
        if name == "register":
            return f"{path}?done=register&id={content['id']}"
        if name in ENTRY_PAGE_ACTIONS:
            return f"{path}?done={name}#entry-{content['id']}"
        task = content.get("task") if isinstance(content, Mapping) else None
        return f"{path}?task={task['id']}" if task else f"{path}?done={name}"

    def details(
        self, request: Request, tournament: Tournament, rounds: list[Round], **address: Any
    ) -> dict[str, Any]:
        """Return the entries, the players that a search finds, and the forms."""
        rows = tournament.entries.select_related("player__merged_into")
        entries = list(rows.order_by("pairing_number", "player__name"))
        tags = entry_tags(tournament, entries)
        waiting = (Entry.State.APPLIED, Entry.State.WAITING)
        listed: list[dict[str, Any]] = [
            {"entry": entry, "player": entry.player.current, "tag": tags[entry.pk]}
            for entry in entries
        ]
        entered = {row["player"].pk for row in listed}
        return {
            "listed": [row for row in listed if row["entry"].state not in waiting],
            "waiting": [row for row in listed if row["entry"].state in waiting],
            "found": [
                {"player": player, "is_entered": player.pk in entered}
                for player in find_players(request)
            ],
            "query": request.query_params.get("q", ""),
            "text": self.sent_text,
            "is_over": tournament.state not in BEFORE_END,
            "field": columns_field(self.form),
            "warnings": draft_warnings(tournament, rounds),
            "task": find_stream_task(request, tournament.stream),
            "allowed": event_action(request, tournament, "enter"),
            "fields": form_fields(
                PlayerDetailsSerializer(), NEW_PLAYER, state=self.form, action="register"
            ),
        }
