"""Players: their list, the page of one, the forms that change, claim and merge them."""

from collections.abc import Sequence
from typing import Any, Final

from django.db.models import Q
from django.http.response import HttpResponseBase
from django.utils.translation import gettext_lazy as _
from django.utils.translation import gettext_noop
from rest_framework.request import Request

from games.core.accounts.administration import AdministerAccount, StaffAccountPage
from games.core.accounts.views import unrestricted_account
from games.core.errors import Unprocessable
from games.core.forms import Form, FormField, FormState, form_fields, typed_values
from games.core.pages import PageView, redirect
from games.core.pagination import PAGING, NewestFirst
from games.core.permissions import current_account, may, require_account, viewer
from games.core.requests import is_flag_set
from games.core.text import translated
from games.core.uploads.pages import FileImportPage
from games.models import Account, Claim, Game, Merge, Player
from games.play.queries import game_as_json, visible_game_rows, visible_games
from games.players.imports import PLAYER_IMPORT_COLUMNS
from games.players.queries import (
    look_alikes,
    name_players,
    players_by_name,
    players_named,
    unmerged_players,
)
from games.players.serializers import PlayerChangeSerializer, PlayerDetailsSerializer
from games.players.services import delete_players
from games.players.targets import player_target
from games.players.views import PUBLIC_FIELDS, ImportPlayers, PlayerFilter, RegisterPlayer
from ratings.comparisons.queries import find_two_players, head_to_head_as_json
from ratings.lists.queries import player_ratings_as_json
from ratings.runs.changes import CHANGE_FIELDS, change_as_json, player_changes
from ratings.runs.views import HistoryPages
from tournament.core.pages import quoted_tag
from tournament.core.queries import listed_events, visible_tournaments, with_corrections
from tournament.models import Entry
from tournament.players.agreements import hidden_streams, without_streams
from tournament.players.custody import require_custodian
from tournament.players.forms import ListForm, find_players, player_body, player_fields
from tournament.players.queries import merge_as_json, player_seen, unused_players
from tournament.players.serializers import MergeRequestSerializer
from tournament.players.services import closes_account
from tournament.players.views import (
    ClaimPlayer,
    DeletePlayer,
    EditPlayer,
    ErasePlayer,
    MergePlayers,
    UndoMerge,
    find_rights,
)

FILTERS: Final = {
    "name": _("Name"),
    "country": _("Country"),
    "club": _("Club"),
    "external_id": _("Number elsewhere, such as fide:1503014"),
    "birth_year": _("Year of birth"),
}
PERSONAL_COLUMN: Final = "birth_year"
"""The filter that needs a login."""


class PlayerListPage(PageView):
    """A page of the players; the parameters are the filters of `GET players`."""

    public_read = "site"
    query_names = (*FILTERS, *PAGING)
    template = "tournament/players/player_list.html"
    actions = {"delete": Form(DeletePlayer, ("player_id",))}

    def context(self, request: Request, **address: Any) -> dict[str, Any]:
        """Return the players that the filters leave, and the filters."""
        user, token = current_account(request)
        given = {name: request.query_params.get(name, "").strip() for name in FILTERS}
        errors: dict[str, list[str]] = {}
        rows = unmerged_players()
        filters = PlayerFilter(
            {name: text for name, text in given.items() if text}, rows, request=request
        )
        try:
            if filters.is_valid():
                rows = filters.qs
            errors = {name: list(texts) for name, texts in filters.errors.items()}
        except Unprocessable as error:
            errors = {"external_id": [translated(error.detail)]}
        listed = rows.none() if errors else rows.values(*PUBLIC_FIELDS)
        return {
            **NewestFirst().context("players", listed, request),
            "fields": [
                FormField(
                    name,
                    str(label),
                    value=given[name],
                    errors=tuple(errors.get(name, ())),
                    longest=200,
                )
                for name, label in FILTERS.items()
                if name != PERSONAL_COLUMN or isinstance(user, Account)
            ],
            "is_filtered": any(given.values()),
            "can_register": may(user, token, "players.create"),
        }


class PlayerImportPage(ListForm, FileImportPage):
    template = "tournament/players/player_import.html"
    actions = {"import": Form(ImportPlayers, text="file")}
    effects = {"created": _("is new"), "known": _("is known")}
    column_names = tuple(PLAYER_IMPORT_COLUMNS)

    def post(self, request: Request, **address: Any) -> HttpResponseBase:
        """Register the players of a list, or what is right in it."""
        if request.POST.get("action") == "import":
            return self.post_list(request, **address)
        return PageView.post(self, request, **address)

    def context(self, request: Request, **address: Any) -> dict[str, Any]:
        """Return the list, and the columns of headings that are not known."""
        require_account(request, "players.create")
        return {
            "checked": self.checked,
            "columns": self.columns,
            "column_names": self.column_names,
            "encodings": self.encodings,
        }


MOST_PLAYED_EVENTS = 30
MOST_FOUND_PLAYERS, LONGEST_SEARCH = 30, 80
"""Players that a search lists, and characters of its text."""


class PlayerPage(PageView):
    template = "tournament/players/player.html"

    def context(self, request: Request, player_id: int = 0, **address: Any) -> dict[str, Any]:
        """Return the ratings, a page of the changes, and the events that the reader may see."""
        player = player_seen(player_id)
        seen = visible_tournaments(*viewer(request, "tournament.see"))
        rows = player_changes(player.pk, visible_games(request))
        return {
            "player": player,
            "can_change": bool(find_rights(request, player)),
            "ratings": player_ratings_as_json(player.pk),
            "events": without_streams(
                seen.filter(pk__in=listed_events(player)), hidden_streams(player)
            ).order_by("-starts_on", "name")[:MOST_PLAYED_EVENTS],
            **HistoryPages().context(
                "changes", rows.values(*CHANGE_FIELDS), request, change_as_json
            ),
        }


class PlayerGamesPage(PageView):
    template = "tournament/players/player_games.html"

    def context(self, request: Request, player_id: int = 0, **address: Any) -> dict[str, Any]:
        """Return a page of the games that the reader may see, newest first."""
        player = player_seen(player_id)
        numbers = player.registration_ids()
        own = Q(first__in=numbers) | Q(second__in=numbers)
        rows = visible_game_rows(request).filter(own).exclude(stream__in=hidden_streams(player))
        context = NewestFirst().context("games", rows, request, game_as_json)
        name_players(context["games"])
        return {"player": player, **context, "games": with_corrections(context["games"])}


class OpponentsPage(PageView):
    """The players whose names contain `?q=`, to compare one with; a single one is at once."""

    template = "tournament/players/opponents.html"

    def get(self, request: Request, player_id: int = 0, **address: Any) -> HttpResponseBase:
        """Return the players who are found, or a redirect to the comparison with the only one."""
        player = player_seen(player_id)
        text = request.query_params.get("q", "").replace("\0", " ").strip()[:LONGEST_SEARCH]
        found = players_by_name(text).exclude(pk=player.pk).order_by("folded_name", "pk")
        players = list(found[:MOST_FOUND_PLAYERS]) if text else []
        if len(players) == 1:
            return redirect(f"/players/{player.pk}/versus/{players[0].pk}")
        return self.page({"player": player, "text": text, "players": players})


class VersusPage(PageView):
    template = "tournament/players/versus.html"

    def context(
        self, request: Request, player_id: int = 0, opponent_id: int = 0, **address: Any
    ) -> dict[str, Any]:
        """Return the results of two players against each other."""
        player, opponent = find_two_players(player_id, opponent_id)
        shown = visible_games(request).exclude(stream__in=hidden_streams(player, opponent))
        return {**head_to_head_as_json(player, opponent, shown)}


MOST_SIMILAR = 10
"""Registered players whose names contain that of a new one, which its preview shows."""


class NewPlayerPage(PageView):
    """The form of a new player, which asks whether those of this name are the same person."""

    template = "tournament/players/new_player.html"
    actions = {"register": Form(RegisterPlayer, body=player_body, is_typed=True)}
    namesakes: Sequence[Player] = ()

    def post(self, request: Request, **address: Any) -> HttpResponseBase:
        """Register a player; one with the name of somebody who is registered asks first."""
        if not is_flag_set(request, "another"):
            self.namesakes = players_named(request.POST.get("name", ""))
        if is_flag_set(request, "dry_run") or not self.namesakes:
            return super().post(request, **address)
        self.form = FormState("register", typed_values(request))
        return self.page(self.context(request, **address))

    def context(self, request: Request, **address: Any) -> dict[str, Any]:
        """Return the form, who was just registered, and who has the name of a preview already."""
        require_account(request, "players.create")
        name = str(self.form.typed.get("name", "")).replace("\0", "").strip()
        similar = players_by_name(name).order_by("folded_name", "pk") if name else ()
        serializer = PlayerDetailsSerializer()
        return {
            "fields": player_fields(serializer, self.form, None, action="register"),
            "similar": list(similar[:MOST_SIMILAR]),
            "look_alikes": look_alikes([name])[name][:MOST_SIMILAR] if name else [],
            "namesakes": self.namesakes,
            "registered": find_players(request),
        }

    def next_address(self, request: Request, name: str, content: Any, **address: Any) -> str:
        """Return this page, which names the new player and has an empty form for the next."""
        return f"{request.path}?done={name}&id={content['id']}"


class PlayerDetailsPage(PageView):
    template = "tournament/players/player_details.html"
    actions = {
        "edit": Form(EditPlayer, body=player_body, is_typed=True),
        "delete": Form(DeletePlayer),
        "erase": Form(ErasePlayer),
    }

    def context(self, request: Request, player_id: int = 0, **address: Any) -> dict[str, Any]:
        """Return the details in a form, and what deleting and erasing the player would do."""
        player = player_seen(player_id)
        rights = find_rights(request, player)
        if not rights:
            require_custodian(request, player)
        numbers = player.registration_ids()
        seats = Q(first__in=numbers) | Q(second__in=numbers)
        entries = Entry.objects.filter(player__in=numbers).count()
        games = Game.objects.filter(seats).count()
        return {
            "player": player,
            "rights": rights,
            "is_used": bool(entries or games or len(numbers) > 1),
            "entries": entries,
            "games": games,
            "merged": len(numbers) - 1,
            "closes_account": rights.erase and closes_account(player),
            "if_match": quoted_tag(player_target(player)),
            "fields": player_fields(PlayerChangeSerializer(), self.form, player, action="edit"),
        }

    def next_address(self, request: Request, name: str, content: Any, **address: Any) -> str:
        """Return this page, or the list of players after the deletion of this one."""
        if name == "delete":
            return "/players?done=delete"
        return super().next_address(request, name, content, **address)


class ClaimPage(PageView):
    template = "tournament/players/claim.html"
    actions = {"claim": Form(ClaimPlayer)}

    def context(self, request: Request, player_id: int = 0, **address: Any) -> dict[str, Any]:
        """Return the player, and the claim of the account if there is an open one."""
        account = unrestricted_account(request)
        player = player_seen(player_id)
        claims = account.claims.filter(player=player, state=Claim.State.OPEN)
        own = getattr(account, "player", None)
        return {"player": player, "is_claimed": claims.exists(), "own_player": own}


MOST_MERGES = 30
"""Merges that the page shows, the newest first."""


class MergesPage(PageView):
    """The merges; `?q=` finds the players of a name, two of whom can be selected."""

    template = "tournament/players/merges.html"
    actions = {"merge": Form(MergePlayers), "undo": Form(UndoMerge, ("merge_id",))}

    def context(self, request: Request, **address: Any) -> dict[str, Any]:
        """Return the players that the search finds, the form, and the last merges."""
        require_account(request, "player.administer")
        merges = Merge.objects.select_related("keep", "merged").order_by("-pk")[:MOST_MERGES]
        return {
            "query": request.query_params.get("q", ""),
            "found": find_players(request),
            "fields": form_fields(
                MergeRequestSerializer(), ("keep_id", "merge_id"), state=self.form
            ),
            "merges": [merge_as_json(merge) for merge in merges],
        }


class DeletePlayersOfAccount(AdministerAccount):
    """Delete the players whom an account has registered and nobody has entered."""

    done = gettext_noop("The players without an event are deleted.")

    @staticmethod
    def change(account: Account, *, by: Account) -> None:
        delete_players(unused_players().filter(registered_by=account).order_by("pk"), by=by)


class AccountPageOfStaff(StaffAccountPage):
    """An account, with the players whom it has registered for nothing."""

    actions = {**StaffAccountPage.actions, "delete-players": Form(DeletePlayersOfAccount)}

    def context(self, request: Request, **address: Any) -> dict[str, Any]:
        content = super().context(request, **address)
        unused = unused_players().filter(registered_by=content["found"])
        return {**content, "unused_players": unused.count()}
