"""Personal links: for directors as JSON, CSV and cards to print; a player opens a session.

Personal links: create them for all entries, revoke one, and open a session with one.

A link is for players without a login. It is exchanged for a session, a token that ends after half a
day: so the secret of the link need not stay in the address bar. What is reported with it counts as
known to the director who created the link, as with every token that a director issues.

Serializers of personal links and of the sessions that they open.

A card for each player of an event, with a QR code.
"""

from collections.abc import Collection, Mapping
from datetime import timedelta
from typing import Any, Final

from django.conf import settings
from django.core import signing
from django.db import transaction
from django.db.models import F
from django.http import HttpResponse
from django.utils import timezone
from django.utils.translation import gettext
from drf_spectacular.utils import extend_schema, extend_schema_view
from rest_framework import serializers
from rest_framework.request import Request
from rest_framework.response import Response

from games.core.accounts.tokens import SESSION, issue_personal_token
from games.core.errors import Conflict, Unprocessable
from games.core.journal.lines import append_line
from games.core.journal.rows import changed_rows, updated_rows
from games.core.pagination import CursorPages
from games.core.requests import is_flag_set, maybe_dry_run, validated_body
from games.core.serializers import NamedSerializer
from games.core.tables.pdf import SheetFrame
from games.core.tables.text import clean_text
from games.core.tables.typesetting import CODES_FOLDER, code_of, print_sheet
from games.core.tables.views import BOM_PARAMETER, CSV, PAPER, PDF, file_response
from games.core.text import language_of_sheet, vary_by_language
from games.core.uploads.csv import escape_formula, write_csv
from games.core.views import ApiView, ValuesListView
from games.models import Account, Token
from games.play.queries import rows_as_dicts
from games.rules.text import Text
from tournament.core.headings import requested_frame
from tournament.core.lookup import entry_of, require_tournament, tournament_seen_by
from tournament.entries.queries import page_address, working_links
from tournament.entries.serializers import PersonalTokenSerializer
from tournament.models import Entry, PersonalLink, Tournament

ENTRY_LINK_SALT: Final = "tournament.links"
LIFETIME: Final = timedelta(hours=12)


def token_of(link: PersonalLink) -> str:
    """Return the token in the address of a link."""
    return signing.Signer(salt=ENTRY_LINK_SALT).sign_object([link.entry_id, link.version])


def find_link(slug: str, token: str) -> PersonalLink | None:
    """Return the link of a token if it works in this event."""
    try:
        entry, version = signing.Signer(salt=ENTRY_LINK_SALT).unsign_object(token)
    except (signing.BadSignature, ValueError, TypeError):
        return None
    links = PersonalLink.objects.filter(entry__tournament__slug=slug, revoked_at=None)
    return links.filter(entry=entry, version=version).select_related("entry__tournament").first()


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
        if unknown := sorted(set(replaced) - numbers):
            detail = Text(
                "entry %(number)s is not an accepted entry of %(event)s",
                number=unknown[0],
                event=tournament.name,
            )
            raise Unprocessable("unknown_entry", detail, at="/entries")
        links = PersonalLink.objects.select_for_update().filter(entry__in=numbers)
        existing = dict(links.values_list("entry", "revoked_at"))
        ended = {entry for entry, revoked_at in existing.items() if revoked_at} | set(replaced)
        again = sorted(ended & existing.keys())
        _end_sessions(tournament, again)
        links.filter(entry__in=again).update(
            version=F("version") + 1, issued_by=by, issued_at=timezone.now(), revoked_at=None
        )
        new = sorted(numbers - existing.keys())
        PersonalLink.objects.bulk_create(PersonalLink(entry_id=pk, issued_by=by) for pk in new)
        created = sorted([*new, *again])
        if created:
            stored = PersonalLink.objects.filter(entry__in=created)
            rows = updated_rows(stored, "entry", "version", "issued_at", "revoked_at")
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
        _end_sessions(entry.tournament, [entry.pk])
        payload, rows = {"entry": entry.pk}, changed_rows(link)
        append_line(entry.tournament.stream, "link.revoked", payload, by=by, rows=rows)


def open_session(link: PersonalLink) -> tuple[Token, str]:
    """Return a new token of the player for half a day, with its secret."""
    entry = link.entry
    return issue_personal_token(
        entry.player, entry.tournament.stream, by=link.issued_by, lifetime=LIFETIME
    )


def _end_sessions(tournament: Tournament, entries: Collection[int]) -> None:
    """Delete the tokens that the links of these entries were exchanged for."""
    players = tournament.entries.filter(pk__in=entries).select_related("player__merged_into")
    accounts = [entry.player.current.account_id for entry in players]
    Token.objects.filter(user__in=accounts, stream=tournament.stream, name=SESSION).delete()


MOST_LINKS = 10_000


class PersonalLinkSerializer(serializers.Serializer):
    entry = serializers.IntegerField()
    pairing_number = serializers.IntegerField(allow_null=True)
    player = NamedSerializer()
    address = serializers.CharField(help_text="the player's page, with the secret after the `#`")
    issued_at = serializers.DateTimeField()


class LinksRequestSerializer(serializers.Serializer):
    entries = serializers.ListField(
        child=serializers.IntegerField(min_value=1, max_value=2**63 - 1),
        required=False,
        default=list,
        max_length=MOST_LINKS,
        help_text="accepted entries whose link is replaced by a new one",
    )


class CreatedLinksSerializer(serializers.Serializer):
    created = serializers.ListField(
        child=serializers.IntegerField(), help_text="the entries whose link is new"
    )
    results = PersonalLinkSerializer(many=True)


class SessionRequestSerializer(serializers.Serializer):
    link = serializers.CharField(max_length=200, help_text="what follows the `#` in the address")


class SessionSerializer(PersonalTokenSerializer):
    """A token that ends after half a day."""


MOST_SLIP_CODES = 2_000
"""The codes of a sheet; a thousand take 1.3 s and 220 MB, two thousand 2.4 s and 350 MB."""


def print_cards(
    tournament: Tournament, frame: SheetFrame, links: Mapping[int, str] | None = None
) -> bytes:
    """Return the PDF of a card for each accepted player, with a code of the player.

    With `links`, the addresses by entry, only these entries have a card, with the code of the link.
    """
    entries = tournament.entries.filter(state=Entry.State.ACCEPTED)
    if links is not None:
        entries = entries.filter(pk__in=links)
    rows = rows_as_dicts(
        entries.order_by("pairing_number", "player__name"),
        "pk",
        "pairing_number",
        "player_id",
        "player__name",
        "player__country",
        "player__club",
        "club",
        "seed_rating",
    )
    check_count(len(rows), Text("players"))
    cards = []
    for row in rows:
        club = row["club"] or row["player__club"]
        details = [row["player__country"], str(row["seed_rating"] or ""), club]
        cards.append(
            {
                "name": clean_text(row["player__name"]),
                "number": str(row["pairing_number"] or ""),
                "details": " · ".join(clean_text(detail) for detail in details if detail),
            }
        )
    if links is None:
        codes = [code_of_address(f"players/{row['player_id']}") for row in rows]
    else:
        codes = [code_of(links[row["pk"]]) for row in rows]
    return print_sheet(
        "cards", frame.as_json(gettext("Player cards")) | {"cards": cards, CODES_FOLDER: codes}
    )


def check_count(count: int, noun: str) -> None:
    """Raise Unprocessable for more codes than one file may have."""
    if count > MOST_SLIP_CODES:
        detail = Text(
            "there are %(count)s %(detail)s; at most %(most)s can be printed",
            count=count,
            detail=noun,
            most=MOST_SLIP_CODES,
        )
        raise Unprocessable("too_many_for_paper", detail)


def code_of_address(path: str) -> dict[str, str]:
    """Return the QR code of an address of this site."""
    return code_of(f"{settings.PUBLIC_URL}/{path}")


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
            created = create_links(tournament, by=account, replaced=replaced)
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
            revoke_link(entry_of(tournament, entry_id), by=account)
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
        link = find_link(slug, token)
        if link is None:
            tournament_seen_by(request, slug)
            detail = Text(
                "the link is wrong, or was revoked or replaced; ask the organiser for another"
            )
            raise Unprocessable("invalid_link", detail, at="/link")
        with maybe_dry_run(request):
            session, secret = open_session(link)
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
        "address": page_address(tournament, token_of(link)),
        "issued_at": link.issued_at,
    }
