"""One entry for the directors: correct it, set its byes, change its state."""

from collections.abc import Mapping
from typing import Any

from django.utils.translation import gettext_noop
from rest_framework.request import Request

from games.core.forms import form_fields
from games.core.page_actions import PageAction
from games.players.serializers import PlayerChangeSerializer
from tournament.core.actions import first_unpaired_round
from tournament.core.locking import entry_target, player_target
from tournament.core.lookup import allowed_entry_actions, entry_of
from tournament.core.pages import (
    RunPage,
    actions_by_name,
    draft_warnings,
    forbidden_to_scorers,
    quoted_tag,
)
from tournament.entries.byes import possible_byes
from tournament.entries.queries import find_outdated_papers
from tournament.entries.serializers import (
    EntryChangeSerializer,
    EntrySerializer,
    WithdrawalSerializer,
)
from tournament.entries.views import EntryView
from tournament.models import Bye, Round, Tournament
from tournament.pages.run.entry_actions import ENTRY_ACTION_LABELS, ENTRY_PAGE_ACTIONS
from tournament.services.entry_actions import ENTRY_ACTIONS
from tournament.views.entry_actions import Availability
from tournament.views.players import PlayerView

ENTRY_FIELDS = (
    "seed_rating",
    "club",
    "birth_year",
    "sex",
    "category",
    "first_round",
    "lot",
    "reason",
)
WITHDRAW = "withdraw"
PERSON = ("name", "country", "club", "birth_year")


def availability_body(content: dict[str, Any], _address: Mapping[str, Any]) -> dict[str, Any]:
    """Return the byes by round, from fields `round.N`."""
    return dict(content.get("round", {}))


class EntryPage(RunPage):
    template = "tournament/run/entry.html"
    section = "entries"
    actions = {
        "edit": PageAction(
            EntryView,
            gettext_noop("The entry is corrected."),
            method="patch",
            serializer=EntryChangeSerializer,
        ),
        "availability": PageAction(
            Availability, gettext_noop("The byes are stored."), method="put", body=availability_body
        ),
        "person": PageAction(
            PlayerView,
            gettext_noop("The player's details are corrected, in all events."),
            method="patch",
            parameters=("player_id",),
            serializer=PlayerChangeSerializer,
        ),
        **ENTRY_PAGE_ACTIONS,
    }

    def details(
        self, request: Request, tournament: Tournament, rounds: list[Round], **address: Any
    ) -> dict[str, Any]:
        """Return the entry, its fields, its byes by round and its actions."""
        entry = entry_of(tournament, address["entry_id"])
        player = entry.player.current
        listed = actions_by_name(allowed_entry_actions(request, tournament, entry))
        allowed = {name: forbidden_to_scorers(name) for name in ENTRY_ACTIONS} | listed
        granted = dict(Bye.objects.filter(entry=entry).values_list("round", "kind"))
        coming = range(first_unpaired_round(tournament), tournament.rounds + 1)
        if self.form.action == "availability":
            granted = {number: self.form.typed.get(f"round.{number}", "") for number in coming}
        byes = {number: granted.get(number, "") for number in coming}
        values = dict(EntrySerializer(entry).data)
        person = {name: getattr(player, name) for name in PERSON}
        fields = form_fields(
            EntryChangeSerializer(), ENTRY_FIELDS, values=values, state=self.form, action="edit"
        )
        return {
            "entry": entry,
            "player": player,
            "allowed": allowed,
            "changes": [
                (name, label, allowed[name])
                for name, label in ENTRY_ACTION_LABELS.items()
                if name != WITHDRAW
            ],
            "withdrawal": form_fields(
                WithdrawalSerializer(), ("from_round", "reason"), state=self.form, action=WITHDRAW
            ),
            "warnings": draft_warnings(tournament, rounds),
            "if_match": quoted_tag(entry_target(tournament, entry)),
            "player_if_match": quoted_tag(player_target(player)),
            "fields": fields,
            "person_fields": form_fields(
                PlayerChangeSerializer(), PERSON, values=person, state=self.form, action="person"
            ),
            "byes": [
                (number, kind, possible_byes(tournament, number, granted=kind))
                for number, kind in byes.items()
            ],
            "outdated": find_outdated_papers(tournament),
        }
