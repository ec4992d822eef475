"""Personal links: created for all entries, revoked, printed, and exchanged for a session.

A link is for players without a login. It is exchanged for a session, a token that ends after half a
day: so the secret of the link need not stay in the address bar. What is reported with it counts as
known to the director who created the link, as with every token that a director issues.
"""

from collections.abc import Collection
from datetime import datetime, timedelta
from typing import Annotated, Any, Final, TypedDict

from django.conf import settings
from django.core import signing
from django.db import transaction
from django.db.models import F, Q, QuerySet
from django.db.models.functions import Coalesce
from django.http import HttpResponse
from django.utils import timezone
from django.utils.translation import gettext_noop
from drf_spectacular.types import OpenApiTypes
from drf_spectacular.utils import extend_schema, extend_schema_view
from rest_framework import serializers
from rest_framework.request import Request
from rest_framework.response import Response

from games.core.accounts.tokens import SESSION, issue_personal_token
from games.core.actions import Action, Call
from games.core.errors import Conflict, Unprocessable
from games.core.formats import PdfFile
from games.core.forms import Form, secret_of
from games.core.journal.lines import append_line
from games.core.journal.rows import changed_rows, updated_rows
from games.core.pagination import CursorPages
from games.core.references import absolute_url
from games.core.serializers import IdField
from games.core.tables.table import CellType, Column, ColumnKind, Heading, TableDocument
from games.core.tables.views import BOM_PARAMETER, LIST_FORMATS, PAPER, TableListView, pdf_response
from games.core.text import language_of_sheet
from games.core.types import described
from games.core.views import ApiView, endpoint
from games.models import Account, Token
from games.rules.text import Text
from tournament.core.lookup import ActionInEvent, require_tournament, tournament_seen_by
from tournament.core.pages import RunPage
from tournament.core.references import EntryReference, entry_reference, references_of
from tournament.core.sheets import requested_frame
from tournament.entries.applications import (
    CreateApplicationLink,
    RevokeApplicationLink,
    link_as_json,
)
from tournament.entries.cards import print_cards
from tournament.entries.lookup import entry_of
from tournament.entries.queries import names_of_entries
from tournament.entries.tokens import PersonalToken, personal_token_as_json
from tournament.models import Entry, PersonalLink, Tournament
from tournament.models.links import SALT

LIFETIME: Final = timedelta(hours=12)


AFTER_ALL_NUMBERS: Final = 10**9
"""More than every pairing number."""


OF_CLOSED_ACCOUNTS: Final = Q(
    entry__player__merged_into=None, entry__player__account__is_active=False
) | Q(entry__player__merged_into__account__is_active=False)
"""Links of players who have closed their account: nobody logs in to it."""


class LinksByNumber(CursorPages):
    ordering = ("number", "folded_name", "entry_id")


def working_links(tournament: Tournament) -> "QuerySet[PersonalLink]":
    """Return the links by pairing number, then by name, with their entries and players.

    `number` is the pairing number, `AFTER_ALL_NUMBERS` without one.
    """
    links = PersonalLink.objects.filter(entry__tournament=tournament, revoked_at=None)
    links = links.exclude(OF_CLOSED_ACCOUNTS).select_related("entry__player__merged_into")
    links = links.annotate(
        number=Coalesce("entry__pairing_number", AFTER_ALL_NUMBERS),
        folded_name=F("entry__player__folded_name"),
    )
    return links.order_by(*LinksByNumber.ordering)


def page_address(tournament: Tournament, link: PersonalLink) -> str:
    """Return the address of the page that a link opens; browsers do not send its last part."""
    return f"{settings.PUBLIC_URL}/e/{tournament.slug}/me#{token_of(link)}"


def token_of(link: PersonalLink) -> str:
    """Return the token in the address of a link."""
    return link.token


def find_link(slug: str, token: str) -> PersonalLink | None:
    """Return the link of a token if it works in this event."""
    try:
        entry, version = signing.Signer(salt=SALT).unsign_object(token)
    except (signing.BadSignature, ValueError, TypeError):
        return None
    links = PersonalLink.objects.filter(entry__tournament__slug=slug, revoked_at=None)
    links = links.filter(entry=entry, version=version).exclude(OF_CLOSED_ACCOUNTS)
    return links.select_related("entry__tournament").first()


def create_links(
    tournament: Tournament, *, by: Account, replaced: Collection[int] = ()
) -> list[int]:
    """Create a link for each accepted entry without one, and new ones for the `replaced` entries.

    Return the ids of these entries. The earlier link of a replaced one does not work any more.
    Raises Unprocessable for an entry that is not accepted.
    """
    with transaction.atomic():
        accepted = tournament.entries.filter(state=Entry.State.ACCEPTED)
        numbers = set(accepted.values_list("pk", flat=True))
        for place, number in enumerate(replaced):
            if number not in numbers:
                detail = Text(
                    "entry %(number)s is not an accepted entry of %(event)s",
                    number=number,
                    event=tournament.name,
                )
                raise Unprocessable("unknown_entry", detail, at=f"/entry_ids/{place}")
        links = PersonalLink.objects.select_for_update().filter(entry__in=numbers)
        existing = dict(links.values_list("entry", "revoked_at"))
        ended = {entry for entry, revoked_at in existing.items() if revoked_at} | set(replaced)
        again = sorted(ended & existing.keys())
        end_sessions(tournament, again)
        links.filter(entry__in=again).update(
            version=F("version") + 1, issued_by=by, issued_at=timezone.now(), revoked_at=None
        )
        new = sorted(numbers - existing.keys())
        PersonalLink.objects.bulk_create(PersonalLink(entry_id=pk, issued_by=by) for pk in new)
        created = sorted([*new, *again])
        if created:
            stored = PersonalLink.objects.filter(entry__in=created)
            rows = updated_rows(stored, "entry", "version", "issued_by", "issued_at", "revoked_at")
            payload = {"entries": created}
            append_line(tournament.stream, "links.created", payload, by=by, rows=rows)
    return created


def revoke_link(entry: Entry, *, by: Account) -> None:
    """Revoke the link of an entry, and end its sessions; raises Conflict if there is none."""
    with transaction.atomic():
        link = PersonalLink.objects.filter(entry=entry, revoked_at=None).first()
        if link is None:
            raise Conflict("nothing_to_do", Text("%(name)s has no link", name=entry.player.name))
        link.revoked_at = timezone.now()
        link.save(update_fields=["revoked_at"])
        end_sessions(entry.tournament, [entry.pk])
        payload, rows = {"entry": entry.pk}, changed_rows(link)
        append_line(entry.tournament.stream, "link.revoked", payload, by=by, rows=rows)


def open_session(link: PersonalLink) -> tuple[Token, str]:
    """Return a new token of the player for half a day, with its secret."""
    entry = link.entry
    return issue_personal_token(
        entry.player, entry.tournament.stream, by=link.issued_by, lifetime=LIFETIME
    )


def end_sessions(tournament: Tournament, entries: Collection[int]) -> None:
    """Delete the tokens that the links of these entries were exchanged for."""
    players = tournament.entries.filter(pk__in=entries).select_related("player__merged_into")
    accounts = [entry.player.current.account_id for entry in players]
    Token.objects.filter(user__in=accounts, stream=tournament.stream, name=SESSION).delete()


MOST_LINKS = 10_000


class PersonalLinkOfEntry(EntryReference):
    """An entry with the link of its player."""

    page_url: Annotated[str, "of the player, with the secret after the `#`"]
    issued_at: datetime
    url: str


class LinksRequestSerializer(serializers.Serializer):
    entry_ids = serializers.ListField(
        child=IdField(),
        default=list,
        max_length=MOST_LINKS,
        help_text="accepted entries whose link is replaced by a new one",
    )


class CreatedLinks(TypedDict):
    """All links, and the entries whose link is new."""

    created: list[EntryReference]
    results: list[PersonalLinkOfEntry]


class SessionRequestSerializer(serializers.Serializer):
    link = serializers.CharField(
        max_length=500, help_text="the `page_url` of the link, or what follows its `#`"
    )


class CreateLinks(ActionInEvent):
    """Create a personal link for each accepted entry that has none.

    The links of `entry_ids` are replaced: the earlier ones do not work any more.
    """

    name = "create_personal_links"
    permission = "tournament.links"
    body = LinksRequestSerializer
    example = {"entry_ids": [9, 12]}
    status = 201
    made = ("results.page_url",)
    done = gettext_noop("Every player has a personal link now.")

    def perform(self, call: Call, tournament: Tournament) -> CreatedLinks:
        created = create_links(tournament, by=call.account, replaced=call.body["entry_ids"])
        found = references_of(tournament.entries.filter(pk__in=created).order_by("pk"))
        return {"created": found, "results": links_as_json(tournament)}


class RevokeLink(ActionInEvent):
    """Revoke the personal link of an entry, and end its sessions.

    The next `links` gives the entry a new one. Without a link, the answer is 409 `nothing_to_do`.
    """

    name = "revoke_personal_link"
    permission = "tournament.links"
    problems = (409,)
    done = gettext_noop("The link is revoked.")

    def perform(self, call: Call, tournament: Tournament) -> None:
        revoke_link(entry_of(tournament, call.address["entry_id"]), by=call.account)


class OpenSession(Action):
    """Exchange a personal link for a token that ends after half a day.

    Anyone with the link may do this: the link is the secret. The token acts as the player, in this
    tournament only, and ends when the link is revoked or replaced. 422 `invalid_link` for a link
    that does not work.
    """

    name = "open_session"
    body = SessionRequestSerializer
    example = {"link": "3f9c0a7d51e84b62"}
    status = 201
    made = ("token",)

    def perform(self, call: Call, found: None) -> PersonalToken:
        slug = call.address["slug"]
        link = find_link(slug, secret_of(call.body["link"]))
        if link is None:
            tournament_seen_by(call, slug)
            detail = Text(
                "the link is wrong, or was revoked or replaced; ask the organiser for another"
            )
            raise Unprocessable("invalid_link", detail, at="/link")
        return personal_token_as_json(link.entry, *open_session(link))


COLUMNS = (
    Column("id", cell_type=CellType.CODE),
    Column("number"),
    Column("name", kind=ColumnKind.TEXT, of="player.name"),
    Column("page_url", kind=ColumnKind.TEXT),
)


@extend_schema_view(get=extend_schema(operation_id="list_personal_links"))
class LinkList(TableListView):
    """The personal links that work, by pairing number, then by name; they are secret.

    CSV columns: `id,number,name,page_url`.
    """

    serializer_class = described(PersonalLinkOfEntry)
    pagination_class = LinksByNumber
    renderer_classes = LIST_FORMATS
    permission = "tournament.links"
    parameters = (BOM_PARAMETER,)
    post = endpoint(CreateLinks)

    def list(self, request: Request, *args: Any, **kwargs: Any) -> Response:
        tournament = require_tournament(request, kwargs["slug"], self.permission)
        page = self.paginate_queryset(self.filter_queryset(working_links(tournament))) or []
        return self.get_paginated_response(
            [personal_link_as_json(tournament, link) for link in page]
        )

    def file(self, request: Request, slug: str) -> HttpResponse:
        """Return all links."""
        tournament = require_tournament(request, slug, self.permission)
        stem = f"{slug}.links"
        return self.render_table(
            TableDocument(
                heading=Heading(title=tournament.name, subtitle="", file_stem=stem),
                columns=COLUMNS,
                records=links_as_json(tournament),
            )
        )


class LinkCards(ApiView):
    permission = "tournament.links"
    renderer_classes = [PdfFile]
    parameters = (PAPER,)

    @extend_schema(operation_id="download_link_cards", responses=OpenApiTypes.BINARY)
    def get(self, request: Request, slug: str) -> HttpResponse:
        """Return a card for each accepted player with a link, with a code that opens it.

        It is a sheet to print and cut, in the language of `Accept-Language`. Each code is the
        secret of one player. A player who has closed their account has no card.
        """
        tournament = require_tournament(request, slug, self.permission)
        addresses = {row["id"]: row["page_url"] for row in links_as_json(tournament)}
        with language_of_sheet(request):
            content = print_cards(tournament, requested_frame(request, tournament), addresses)
        return pdf_response(content, f"{slug}.links")


def links_as_json(tournament: Tournament) -> list[PersonalLinkOfEntry]:
    """Return all links that work."""
    return [personal_link_as_json(tournament, link) for link in working_links(tournament)]


def personal_link_as_json(tournament: Tournament, link: PersonalLink) -> PersonalLinkOfEntry:
    """Return a link with its player and its address."""
    return {
        **entry_reference(link.entry),
        "page_url": page_address(tournament, link),
        "issued_at": link.issued_at,
        "url": absolute_url(f"tournaments/{tournament.slug}/links/{link.entry_id}"),
    }


def shown_links(tournament: Tournament) -> list[dict[str, Any]]:
    """Return all links that work, with the name by which a list tells players apart."""
    links = working_links(tournament)
    names = names_of_entries(link.entry for link in links)
    return [
        {**personal_link_as_json(tournament, link), "name": names[link.entry.player.current_id]}
        for link in links
    ]


class LinksPage(RunPage):
    """Personal links of the players, with cards to print, and the link for applications."""

    template = "tournament/entries/run_links.html"
    section = "links"
    actions = {
        "create": Form(CreateLinks),
        "replace": Form(
            CreateLinks, sentence=gettext_noop("The earlier link does not work any more.")
        ),
        "revoke": Form(RevokeLink, ("entry_id",)),
        "open-application": Form(CreateApplicationLink),
        "close-application": Form(RevokeApplicationLink),
    }

    def details(self, request: Request, tournament: Tournament, **address: Any) -> dict[str, Any]:
        """Return the links that work, and how many players have none."""
        require_tournament(request, tournament.slug, "tournament.links")
        accepted = tournament.entries.filter(state=Entry.State.ACCEPTED)
        return {
            "links": shown_links(tournament),
            "without": accepted.exclude(link__revoked_at=None, link__isnull=False).count(),
            "application": link_as_json(tournament, tournament.application_key),
        }
