"""Personal links of the players, with cards to print, and the link for applications."""

from typing import Any

from django.utils.translation import gettext_noop
from rest_framework.request import Request

from games.core.page_actions import PageAction
from tournament.core.lookup import require_tournament
from tournament.core.pages import RunPage
from tournament.entries.applications import ApplicationLink, link_as_json
from tournament.entries.links import LinkList, LinkView
from tournament.models import Entry, Round, Tournament
from tournament.queries.links import page_address, working_links
from tournament.services.links import token_of


class LinksPage(RunPage):
    template = "tournament/run/links.html"
    section = "links"
    actions = {
        "create": PageAction(LinkList, gettext_noop("Every player has a personal link now.")),
        "replace": PageAction(LinkList, gettext_noop("The earlier link does not work any more.")),
        "revoke": PageAction(
            LinkView,
            gettext_noop("The link is revoked."),
            method="delete",
            parameters=("entry_id",),
        ),
        "open-application": PageAction(
            ApplicationLink, gettext_noop("The link for applications is made.")
        ),
        "close-application": PageAction(
            ApplicationLink, gettext_noop("The link for applications is revoked."), method="delete"
        ),
    }

    def details(
        self, request: Request, tournament: Tournament, rounds: list[Round], **address: Any
    ) -> dict[str, Any]:
        """Return the links that work, and how many players have none."""
        require_tournament(request, tournament.slug, "tournament.links")
        links = list(working_links(tournament))
        accepted = tournament.entries.filter(state=Entry.State.ACCEPTED).count()
        return {
            "links": [
                {
                    "entry": link.entry,
                    "name": link.entry.player.current.name,
                    "address": page_address(tournament, token_of(link)),
                }
                for link in links
            ],
            "without": accepted - len(links),
            "application": link_as_json(tournament, tournament.application_key),
        }
