"""My event: the page of a player, opened by their personal link or with their account.

The secret of the link follows the `#` of the address. A script sends it as a form, and without
scripts the reader pastes it; then the session has the permissions of the token that it opens.
Before that, the page shows nothing of an event that is not public.
"""

from collections.abc import Mapping
from typing import Any, Final

from django.http.response import HttpResponseBase
from django.utils.translation import gettext, gettext_noop
from rest_framework.request import Request

from games.core.authentication import open_token
from games.core.errors import NotFound
from games.core.forms import Form, FormState, secret_of
from games.core.namesakes import tell_apart
from games.core.pages import PageView, redirect
from games.core.permissions import current_account
from games.core.tables.typesetting import code_of
from games.play.pages import report_context
from games.play.queries import get_visible_game
from tournament.core.lookup import tournament_seen_by
from tournament.core.pages import event_frame, quoted_tag
from tournament.core.queries import (
    ENDED_APPLICATIONS,
    LISTED_STATES,
    UNSETTLED,
    cancellation_reason,
    is_league,
)
from tournament.core.states import first_unpaired_round
from tournament.entries.byes import paired_byes, possible_byes
from tournament.entries.links import find_link, open_session, page_address, working_links
from tournament.entries.lookup import allowed_entry_actions, entry_of
from tournament.entries.queries import is_present, namesakes_in
from tournament.entries.targets import entry_target
from tournament.entries.views import (
    CheckIn,
    CheckOut,
    ConsentToRating,
    SetAvailability,
    WithdrawEntry,
)
from tournament.events.own import current_line
from tournament.models import Bye, Entry, Tournament
from tournament.rounds.queries import corrections_of, load_pairings_of
from tournament.tables.players import player_line

ENTRY_LOOKUP: Final = ("entry_id",)
OPEN: Final = "open"

CHOSEN_BYES: Final = (Bye.Kind.HALF, Bye.Kind.ZERO)
"""The byes that players choose themselves."""


class MyEventPage(PageView):
    template = "tournament/events/me.html"
    actions = {
        "check-in": Form(CheckIn, ENTRY_LOOKUP, sentence=gettext_noop("You are checked in.")),
        "check-out": Form(
            CheckOut, ENTRY_LOOKUP, sentence=gettext_noop("You are not checked in any more.")
        ),
        "withdraw": Form(WithdrawEntry, ENTRY_LOOKUP, sentence=gettext_noop("You have withdrawn.")),
        "byes": Form(
            SetAvailability,
            ENTRY_LOOKUP,
            body=lambda content, address: paired_byes(address["entry_id"]) | content,
            sentence=gettext_noop("Your byes are set."),
        ),
        "consent": Form(ConsentToRating, ENTRY_LOOKUP),
    }

    def post(self, request: Request, slug: str = "", **address: Any) -> HttpResponseBase:
        """Open a personal link, or carry out an action."""
        form = request.POST
        if form.get("action") != OPEN:
            return super().post(request, slug=slug, **address)
        link = find_link(slug, secret_of(form.get("link", "")))
        if link is None:
            detail = gettext(
                "The link is wrong, or was revoked or replaced; ask the organiser for another."
            )
            self.form = FormState(OPEN, {}, detail, "invalid_link", {"link": (detail,)})
            return self.page(self.context(request, slug=slug), status=422)
        user, token = current_account(request)
        holder = link.entry.player.current.account_id
        if token is not None or holder is None or holder != user.pk:
            session, _ = open_session(link)
            open_token(request, session)
        return redirect(f"/e/{slug}/me")

    def context(self, request: Request, slug: str = "", **address: Any) -> dict[str, Any]:
        """Return the event of the reader, or the form that opens a personal link."""
        try:
            tournament = tournament_seen_by(request, slug)
        except NotFound:
            return {"slug": slug}
        frame = event_frame(request, tournament, tab="me") | {"slug": slug}
        entry = frame["own_entry"]
        if entry is None:
            return frame
        return frame | self.own_context(request, tournament, frame)

    def own_context(
        self, request: Request, tournament: Tournament, frame: Mapping[str, Any]
    ) -> dict[str, Any]:
        """Return the rounds of the reader, the forms of their current games and of their entry."""
        entry = entry_of(tournament, frame["own_entry"].pk)
        by_game = tournament.corrections.by_game()
        namesakes = namesakes_in(tournament)
        rounds = [
            tell_apart(player_line(number, pairing, entry.pk), namesakes)
            | {"corrections": corrections_of(pairing.games, by_game)}
            for number, pairing in load_pairings_of(tournament, entry.pk)
        ]
        current = current_line(tournament, rounds, lambda line: line["pairing"].state in UNSETTLED)
        games = current["pairing"].games if current else []
        byes = tournament.byes.filter(entry=entry).values_list("round", "kind")
        chosen = {str(number): kind for number, kind in byes}
        if self.form.action == "byes":
            chosen = dict(self.form.typed)
        coming = range(first_unpaired_round(tournament), tournament.rounds + 1)
        actions = allowed_entry_actions(request, tournament, entry)
        player = entry.player.current
        return {
            "entry": entry,
            "has_place": entry.state in LISTED_STATES,
            "has_ended": entry.state in ENDED_APPLICATIONS,
            "cancelled_because": cancellation_reason(tournament),
            "own_name": namesakes.get(player.pk, player.name),
            "is_checked_in": is_present(entry),
            "pairings": [
                line | {"is_open": line != current and line["pairing"].state in UNSETTLED}
                for line in rounds
            ],
            "current": current,
            "owes_game": bool(
                current and current["opponent"] and current["pairing"].state in UNSETTLED
            ),
            "own_round": next((r for r in frame["rounds"] if r.number == current["round"]), None)
            if current
            else None,
            "is_league": is_league(tournament),
            "games": [
                report_context(request, get_visible_game(request, pk), names=namesakes)
                for pk in games
            ],
            "can_act": {name: action["level"] != "forbidden" for name, action in actions.items()},
            "coming": [
                (
                    number,
                    kind := chosen.get(str(number), ""),
                    own_byes(tournament, number, granted=kind),
                    self.form.errors.get(str(number), ()),
                )
                for number in coming
            ],
            "tag": quoted_tag(entry_target(tournament, entry)),
            "own_link": own_link(tournament, entry),
        }


def own_byes(tournament: Tournament, number: int, *, granted: str) -> list[tuple[str, str]]:
    """Return the byes that players may choose in a round, with their names."""
    possible = possible_byes(tournament, number, granted=granted)
    return [(kind.value, str(kind.wish)) for kind in map(Bye.Kind, possible) if kind in CHOSEN_BYES]


def own_link(tournament: Tournament, entry: Entry) -> dict[str, str] | None:
    """Return the address of the reader's personal link with its code, or None without a link."""
    link = working_links(tournament).filter(entry=entry).first()
    return code_of(page_address(tournament, link)) if link else None
