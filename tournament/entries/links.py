"""Personal links: for directors as JSON, CSV and cards to print; a player opens a session."""

from typing import Any

from django.http import HttpResponse
from drf_spectacular.utils import extend_schema, extend_schema_view
from rest_framework.request import Request
from rest_framework.response import Response

from games.core.errors import Unprocessable
from games.core.pagination import CursorPages
from games.core.requests import is_flag_set, maybe_dry_run, validated_body
from games.core.tables.views import BOM_PARAMETER, CSV, PAPER, PDF, file_response
from games.core.uploads.csv import escape_formula, write_csv
from games.core.views import ApiView
from games.http.generics import ValuesListView
from games.http.languages import language_of_sheet, vary_by_language
from games.rules.text import Text
from tournament.core.headings import requested_frame
from tournament.core.lookup import entry_of, require_tournament, tournament_seen_by
from tournament.documents.cards import print_cards
from tournament.models import PersonalLink, Tournament
from tournament.queries.links import page_address, working_links
from tournament.serializers.links import (
    CreatedLinksSerializer,
    LinksRequestSerializer,
    PersonalLinkSerializer,
    SessionRequestSerializer,
    SessionSerializer,
)
from tournament.services import links

LINK_COLUMNS = ("entry", "pairing_number", "name", "address")


class LinksByNumber(CursorPages):
    ordering = ("number", "entry_id")


@extend_schema_view(get=extend_schema(operation_id="personal_links"))
class LinkList(ValuesListView):
    """The personal links that work, by pairing number; they are secret."""

    queryset = PersonalLink.objects.none()
    serializer_class = PersonalLinkSerializer
    pagination_class = LinksByNumber
    is_public = False

    def list(self, request: Request, *args: Any, **kwargs: Any) -> Response:
        """Return one page."""
        tournament, _ = require_tournament(request, kwargs["slug"], "tournament.links")
        return self.page_response(
            self.filter_queryset(working_links(tournament)),
            lambda link: _link_as_json(tournament, link),
        )

    @extend_schema(
        operation_id="create_personal_links",
        request=LinksRequestSerializer,
        responses={201: CreatedLinksSerializer},
    )
    def post(self, request: Request, slug: str) -> Response:
        """Create a personal link for each accepted entry that has none.

        The links of `entries` are replaced: the earlier ones do not work any more.
        """
        tournament, account = require_tournament(request, slug, "tournament.links")
        replaced = validated_body(LinksRequestSerializer, request)["entries"]
        with maybe_dry_run(request):
            created = links.create_links(tournament, by=account, replaced=replaced)
            body = {"created": created, "results": _rows(tournament)}
        return Response(body, status=201)


class LinkFile(ApiView):
    is_public = False

    @extend_schema(operation_id="personal_links_csv", parameters=[BOM_PARAMETER], responses=CSV)
    def get(self, request: Request, slug: str) -> HttpResponse:
        """Return the personal links as CSV: `entry,pairing_number,name,address`."""
        tournament, _ = require_tournament(request, slug, "tournament.links")
        rows = [
            (row["entry"], row["pairing_number"], escape_formula(row["player"]["name"]),
             row["address"])
            for row in _rows(tournament)
        ]  # fmt: skip
        content = write_csv([LINK_COLUMNS, *rows], byte_order_mark=is_flag_set(request, "bom"))
        return file_response(content, "text/csv", f"{slug}.links.csv")


class LinkCards(ApiView):
    is_public = False
    throttle_scope = "pdf"

    @extend_schema(operation_id="link_cards", parameters=[PAPER], responses=PDF)
    def get(self, request: Request, slug: str) -> HttpResponse:
        """Return a card for each accepted player with a link, with a code that opens it."""
        tournament, _ = require_tournament(request, slug, "tournament.links")
        addresses = {row["entry"]: row["address"] for row in _rows(tournament)}
        with language_of_sheet(request):
            content = print_cards(tournament, requested_frame(request, tournament), addresses)
        name = f"{slug}.links.pdf"
        response = file_response(content, "application/pdf", name, disposition="inline")
        return vary_by_language(response)


class LinkView(ApiView):
    problems = {"DELETE": (409,)}

    @extend_schema(operation_id="revoke_personal_link", responses={204: None})
    def delete(self, request: Request, slug: str, entry_id: int) -> Response:
        """Revoke the personal link of an entry, and end its sessions."""
        tournament, account = require_tournament(request, slug, "tournament.links")
        with maybe_dry_run(request):
            links.revoke_link(entry_of(tournament, entry_id), by=account)
        return Response(status=204)


class LinkSession(ApiView):
    is_public = True

    @extend_schema(
        operation_id="open_session",
        request=SessionRequestSerializer,
        responses={201: SessionSerializer},
    )
    def post(self, request: Request, slug: str) -> Response:
        """Exchange a personal link for a token that ends after half a day."""
        token = validated_body(SessionRequestSerializer, request)["link"]
        link = links.find_link(slug, token)
        if link is None:
            tournament_seen_by(request, slug)
            detail = Text(
                "the link is wrong, or was revoked or replaced; ask the organiser for another"
            )
            raise Unprocessable("invalid_link", detail, at="/link")
        with maybe_dry_run(request):
            session, secret = links.open_session(link)
        body = {
            "entry": link.entry_id,
            "player": link.entry.player_id,
            "scopes": session.scopes,
            "expires_at": session.expiry,
            "token": secret,
        }
        return Response(body, status=201)


def _rows(tournament: Tournament) -> list[dict[str, Any]]:
    """Return all links."""
    return [_link_as_json(tournament, link) for link in working_links(tournament)]


def _link_as_json(tournament: Tournament, link: PersonalLink) -> dict[str, Any]:
    return {
        "entry": link.entry_id,
        "pairing_number": link.entry.pairing_number,
        "player": {"id": link.entry.player.current.pk, "name": link.entry.player.current.name},
        "address": page_address(tournament, links.token_of(link)),
        "issued_at": link.issued_at,
    }
