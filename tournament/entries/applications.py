"""Applications: players apply for a place, with their account or by the event's link.

The link serves everyone who has it and gives no other right. Its key follows the `#` of the
address, so the server does not see it before the form is sent; until then, the page shows nothing
of an event that is not public. A person without an account sends their details, which
`games.players.matching` compares with the registered players.
"""

import secrets
from collections.abc import Iterable, Mapping
from contextlib import suppress
from dataclasses import dataclass, field, fields, replace
from datetime import timedelta
from functools import partial
from typing import Annotated, Any, Final, TypedDict

from django.db import transaction
from django.db.models import Count, Max, Min, QuerySet
from django.http.response import HttpResponseBase
from django.utils import timezone
from django.utils.crypto import constant_time_compare
from django.utils.translation import gettext, gettext_noop
from django.utils.translation import gettext_lazy as _
from drf_spectacular.utils import extend_schema
from rest_framework import serializers
from rest_framework.request import Request
from rest_framework.response import Response

from games.core.accounts.mail import create_link
from games.core.accounts.queries import mailbox_of, same_mailbox
from games.core.accounts.serializers import AddressField
from games.core.actions import Actions, Call
from games.core.errors import Conflict, NotFound, Unprocessable, check_all
from games.core.forms import Form, FormState, form_fields, secret_of, typed_values
from games.core.journal.lines import SYSTEM, actor_of, append_line
from games.core.journal.rows import changed_rows
from games.core.limits import check_quota, lock_account
from games.core.pages import PageView, keep_form, redirect
from games.core.permissions import LoginNeeded, require_account
from games.core.preconditions import Target, content_tag
from games.core.references import absolute_url, page_url
from games.core.serializers import (
    BirthYearField,
    CountryField,
    IdField,
    NameField,
    OptionalNameField,
    OptionalText,
    ParagraphField,
    RatingField,
)
from games.core.text import sentence
from games.core.types import described
from games.core.uploads.progress import no_progress
from games.core.views import ApiView, endpoint
from games.models import Account, EmailLink, JournalLine, Player
from games.models.addresses import same_address
from games.names import MAX_NAME_LENGTH, fold_name
from games.players.matching import (
    NEW,
    MatchedPlayer,
    PlayerDetails,
    match_players,
    register_new_players,
)
from games.players.serializers import FideIdField
from games.rules.text import Text
from tournament.core.locking import lock_tournament
from tournament.core.lookup import (
    ActionInEvent,
    allowed_event_actions,
    require_tournament,
    tournament_seen_by,
)
from tournament.core.pages import event_frame
from tournament.core.queries import ENDED_APPLICATIONS, HIDDEN
from tournament.core.references import EntryReference, references_of
from tournament.core.states import find_event_conflicts, find_place_conflicts, require_event_allows
from tournament.entries.letters import end_of_link, tell_applicant
from tournament.entries.serializers import VALUES, EntryValuesSerializer
from tournament.entries.services import (
    add_entry,
    change_entry_state,
    check_birth_year,
    entry_payload,
)
from tournament.entries.targets import entry_target
from tournament.models import Entry, Tournament
from tournament.players.claims import make_claim
from tournament.players.custody import is_custodian

State = Entry.State
KEY_BYTES = 16
APPLIED: Final = "entry.applied"
"""The kind of the journal's line of an application, whose actor is the applicant."""


def create_application_key(tournament: Tournament, *, by: Account) -> str:
    """Create the key of the link for applications; an earlier link does not work any more."""
    return _set_key(tournament, secrets.token_urlsafe(KEY_BYTES), "applications.opened", by)


def delete_application_key(tournament: Tournament, *, by: Account) -> None:
    """Revoke the link for applications; raises Conflict if there is none."""
    if not tournament.application_key:
        raise Conflict("nothing_to_do", Text("the event has no link for applications"))
    _set_key(tournament, "", "applications.closed", by)


def _set_key(tournament: Tournament, key: str, kind: str, by: Account) -> str:
    with transaction.atomic():
        tournament = lock_tournament(tournament)
        tournament.application_key = key
        tournament.save(update_fields=["application_key"])
        append_line(tournament.stream, kind, {}, by=by)
    return key


def find_by_key(slug: str, key: str) -> Tournament | None:
    """Return the tournament, unless it is hidden, if this is the key of its link."""
    tournament = Tournament.objects.filter(~HIDDEN, slug=slug).exclude(application_key="").first()
    if tournament and constant_time_compare(tournament.application_key, key):
        return tournament
    return None


def apply(
    tournament: Tournament,
    applicant: Player | PlayerDetails,
    *,
    by: Account | None,
    is_own: bool = False,
    **values: Any,
) -> Entry:
    """Enter a player as `applied`: this one, or the person with these details.

    `values` are columns of the entry. Raises Conflict unless the registration is open, if the
    player has applied already, and if the details fit several players. An application of the
    player's own account replaces one that others have sent in their name. With `is_own`, a new
    player belongs to the account, and one who is registered is claimed.
    """
    with transaction.atomic():
        tournament = lock_tournament(tournament)
        require_event_allows(tournament, "apply")
        _check_applications(tournament, by)
        player = applicant
        if isinstance(player, PlayerDetails):
            found = _find_player(player, by, tournament, email=values.get("email", ""))
            if is_own and found.is_new:
                found.player.account = by
            register_new_players([found], by=by, stream=tournament.stream, progress=no_progress)
            player = found.player
        entry = add_entry(tournament, player, by=by, state=Entry.State.APPLIED, **values)
        if is_own and by is not None and player.account_id != by.pk:
            make_claim(player, by=by)
        rows = changed_rows(entry)
        append_line(tournament.stream, APPLIED, entry_payload(entry), by=by, rows=rows)
        if by is not None and player.account_id == by.pk:
            tell_applicant(entry)
    return entry


def request_application(tournament: Tournament, email: str, content: Mapping[str, Any]) -> None:
    """Send the link that confirms an application; nothing else of it counts until then.

    The link works as long as applications are open. Raises as `apply` does for the event and for
    details that may mean another person, and QuotaReached after too many mails of a day.
    """
    with transaction.atomic():
        tournament = lock_tournament(tournament)
        require_event_allows(tournament, "apply")
        if details := _read_details(content):
            _find_player(details, None, tournament, email=email)
        now, day = timezone.now(), timedelta(days=1)
        today = EmailLink.objects.filter(kind=EmailLink.Kind.APPLICATION, created_at__gt=now - day)
        here, to_address = today.filter(stream=tournament.stream), today.filter(email=email)
        check_quota("applications_to_event", here.count() + 1, by=Account())
        sent = to_address.aggregate(count=Count("pk"), first=Min("created_at"))
        until = sent["first"] and sent["first"] + day
        zone = tournament.time_zone
        check_quota(
            "invitations_to_recipient", sent["count"] + 1, by=Account(), until=until, zone=zone
        )
        create_link(
            EmailLink.Kind.APPLICATION,
            email,
            until=end_of_link(tournament, now),
            stream=tournament.stream,
            name=tournament.name,
            content={**content, "time_zone": zone},
        )


def _check_applications(tournament: Tournament, by: Account | None) -> None:
    """Raise QuotaReached if an account, the link or everybody has sent too many in 24 hours."""
    since = timezone.now() - timedelta(days=1)
    sent = JournalLine.objects.filter(kind=APPLIED, at__gt=since)
    if by is not None:
        lock_account(by)
        own = sent.filter(actor__in=map(actor_of, same_mailbox(by)))
        check_quota("applications_by_account", own.count() + 1, by=by)
    here = sent.filter(stream=tournament.stream)
    check_quota("applications_to_event", here.count() + 1, by=by or Account())
    if by is None:
        by_link = here.filter(actor=SYSTEM, sequence__gt=_line_of_link(tournament))
        check_quota("applications_by_link", by_link.count() + 1, by=Account())


def _line_of_link(tournament: Tournament) -> int:
    """Return the number of the journal line of the event's link for applications."""
    lines = JournalLine.objects.filter(stream=tournament.stream, kind="applications.opened")
    return lines.aggregate(last=Max("sequence"))["last"] or 0


def _find_player(
    details: PlayerDetails, by: Account | None, tournament: Tournament, *, email: str
) -> MatchedPlayer:
    """Return the registered player of these details, or one who is new and not saved.

    Who applied from the same address before is found by it. An application that has ended is never
    taken up by somebody else of this name, who is a new player then. Who has a login applies with
    it. The refusal of ambiguous details names no candidates, because anyone can read it.
    """
    earlier = _earlier_application(tournament, details, email) if email else None
    if earlier is not None:
        found = MatchedPlayer(earlier.player)
    else:
        (found,) = match_players([details], by=by, is_distinct=True, progress=no_progress)
        if not found.problem and _is_of_another(tournament, found.player, by):
            new = replace(details, player=NEW)
            (found,) = match_players([new], by=by, is_distinct=True, progress=no_progress)
    if found.problem or (email and found.player.is_claimed):
        raise _mistakable(tournament)
    return found


def _earlier_application(
    tournament: Tournament, details: PlayerDetails, email: str
) -> Entry | None:
    """Return the entry of this name whose applicant has confirmed this address."""
    entries = tournament.entries.filter(email=email, player__merged_into=None)
    named = entries.filter(player__folded_name=fold_name(details.name))
    return named.select_related("player").order_by("-pk").first()


def _is_of_another(tournament: Tournament, player: Player, by: Account | None) -> bool:
    """Return True if an application of the player has ended, and the account does not keep them."""
    if player.pk is None or (by is not None and is_custodian(by, player)):
        return False
    return tournament.entries.filter(player=player, state__in=ENDED_APPLICATIONS).exists()


def _mistakable(tournament: Tournament) -> Conflict:
    """Return the refusal of details that may mean another person, with what the person can do."""
    detail = Text(
        "a player of this name is registered; if that is you, log in as this player, otherwise"
        " state your country and club, or ask the organiser to enter you"
    )
    if contact := " ".join(tournament.contact.split()):
        detail = Text("%(subject)s: %(detail)s", subject=detail, detail=contact)
    return Conflict("ambiguous_player", detail, at="/name")


@dataclass(slots=True)
class Applicant:
    """Whose applications wait: of an account and others of its mailbox, an address, or the link."""

    account: Account | None
    email: str = ""
    entries: list[Entry] = field(default_factory=list)


def waiting_applicants(tournament: Tournament) -> list[Applicant]:
    """Return whose applications wait, the most first, then the earliest; three queries."""
    undecided = tournament.entries.filter(state=State.APPLIED).order_by("ordinal")
    waiting = {entry.ordinal: entry for entry in undecided}
    actors = _senders_of(tournament)
    found: dict[str, Applicant] = {}
    accounts = {actor_of(account): account for account in _accounts_of(actors.values())}
    for ordinal, entry in waiting.items():
        account = accounts.get(actors.get(ordinal, SYSTEM))
        email = "" if account else entry.email
        key = mailbox_of(account) if account else f"{SYSTEM} {email}"
        found.setdefault(key, Applicant(account, email)).entries.append(entry)
    return sorted(found.values(), key=lambda applicant: -len(applicant.entries))


def _senders_of(tournament: Tournament) -> dict[int, str]:
    """Return who has sent each application, by the number of the entry in order of entry."""
    lines = JournalLine.objects.filter(stream=tournament.stream, kind=APPLIED)
    in_order = lines.order_by("sequence")  # the player's own one replaces another's
    return dict(in_order.values_list("payload__body__ordinal", "actor"))


def unconfirmed_applications(tournament: Tournament) -> set[int]:
    """Return the undecided applications that state the details of a player registered before.

    Nothing confirms that the player has sent them: neither a login that keeps the registration nor
    an address that the player has confirmed for another event. Three queries.
    """
    undecided = tournament.entries.filter(state__in=(State.APPLIED, State.WAITING))
    entries = list(undecided.select_related("player__merged_into"))
    senders = _senders_of(tournament) if entries else {}
    doubtful = [
        entry
        for entry in entries
        if (sender := senders.get(entry.ordinal))
        and (
            entry.agreement == Entry.Agreement.ASKED
            or (sender == SYSTEM and entry.player.registered_by_id is not None)
        )
    ]
    players = [entry.player_id for entry in doubtful if entry.email]
    others = Entry.objects.filter(player__in=players).exclude(tournament=tournament)
    known = {*others.exclude(email="").values_list("player", "email")} if players else set()
    return {entry.pk for entry in doubtful if (entry.player_id, entry.email) not in known}


def _accounts_of(actors: Iterable[str]) -> "QuerySet[Account]":
    numbers = {actor.removeprefix("account/") for actor in actors}
    return Account.objects.filter(pk__in=filter(str.isdecimal, numbers))


def refuse_applications(tournament: Tournament, entry: int, *, by: Account) -> list[Entry]:
    """Refuse an application and all others of the same applicant; return their entries.

    Raises Unprocessable if the entry is no application that is not decided.
    """
    with transaction.atomic():
        tournament = lock_tournament(tournament)
        for applicant in waiting_applicants(tournament):
            if entry in [found.pk for found in applicant.entries]:
                return [
                    change_entry_state(found, State.REFUSED, by=by) for found in applicant.entries
                ]
    detail = Text(
        "entry %(number)s is no application to %(event)s that waits",
        number=entry,
        event=tournament.name,
    )
    raise Unprocessable("unknown_entry", detail, at="/entry_id")


class ApplicationSerializer(EntryValuesSerializer):
    """The details of a person without a player of their own; an account with one needs none."""

    key = OptionalText(
        max_length=40,
        label=_("Link from the organiser"),
        help_text="the key of the event's link",
        style={
            "help": gettext_noop("Paste the whole address that the organiser has given you."),
            "longest": 500,
        },
    )
    name = NameField(max_length=MAX_NAME_LENGTH, required=False)
    country = CountryField()
    club = OptionalNameField(max_length=MAX_NAME_LENGTH)
    birth_year = BirthYearField(help_text=gettext_noop("not after the year of the event"))
    fide = FideIdField(max_length=11, label=_("FIDE id"))
    seed_rating = RatingField(required=False, allow_null=True, label=_("Rating"))
    own = serializers.BooleanField(
        default=False,
        help_text="the person is the account's, which has no player yet: a new one becomes its"
        " player, one who is registered is claimed",
    )
    notes = ParagraphField(
        max_length=500,
        label=_("Notes to the arbiter"),
        help_text="for the officials",
        style={
            "base_template": "textarea.html",
            "help": gettext_noop("Only the officials of the event read them."),
        },
    )
    email = AddressField(
        max_length=254,
        required=False,
        label=_("Your mail address"),
        help_text="of a person without a login or link, who confirms it by a mail",
        style={
            "help": gettext_noop(
                "A mail with a link comes to it, by which you confirm the application."
            )
        },
    )


class Applied(TypedDict):
    """The entry of an application; null until its address is confirmed."""

    id: int | None
    state: Entry.State | None
    url: str | None


class LinkForApplications(TypedDict):
    """The link with which people without a login apply."""

    url: str
    key: Annotated[str | None, "null without a link"]
    page_url: Annotated[str, "the page that it opens"]


class Apply(ActionInEvent):
    """Apply for a place while the registration is open; the organiser accepts or refuses.

    Without a name, an account applies for its own player; that replaces an application or an entry
    that others have made of this player, unless the player has agreed to it. A person without a
    login needs the key of the tournament's link or, where `applications` is `everybody`, an `email`
    to which the link is sent that confirms the application.
    """

    rule = "apply"
    body = ApplicationSerializer
    example = {"name": "Ada Lovelace", "country": "ENG", "club": "Rooks", "seed_rating": 1800}
    status = 201
    made = ("id", "url")
    location = "tournaments/{slug}/entries/{id}"
    done = gettext_noop("You have applied. The organiser accepts or refuses.")

    def find(self, call: Call) -> None:
        """Find nothing yet: the key of the link is in the body, and opens the event."""

    def check(self, call: Call, found: None) -> None:
        """Require nothing yet: `prepare` does, which knows whether there is a key."""

    def allowed_actions(self, call: Call, found: None) -> Actions:
        """Return the allowed actions of the event; one may apply with the key of its link."""
        key = _key_of(call.body or {})
        tournament, _ = _find_event(call, key)
        return allowed_event_actions(call, tournament, has_link=bool(key))

    def prepare(self, call: Call, found: None) -> tuple[Tournament, Account | None, str]:
        """Return the tournament, the account if there is one, and the address to be confirmed."""
        key = _key_of(call.body)
        tournament, is_opened = _find_event(call, key)
        account, email = None, ""
        is_for_all = tournament.applications == Tournament.Applications.EVERYBODY
        if not key and is_for_all and not isinstance(call.user, Account):
            email = call.body.get("email", "")
            if not email:
                detail = Text("write your mail address, or log in")
                raise Unprocessable("missing", detail, at="/email")
        elif not key or (is_opened and isinstance(call.user, Account)):
            account = require_account(call, self.permission, stream=tournament.stream)
        if tournament.applications == Tournament.Applications.LINK and not key:
            detail = Text("players apply to this event by the link of its organiser")
            raise Conflict("applications_closed", detail)
        _check_application(call, call.body, tournament, is_opened=is_opened)
        return tournament, account, email

    def perform(self, call: Call, prepared: tuple[Tournament, Account | None, str]) -> Applied:
        tournament, account, email = prepared
        if email:
            request_application(tournament, email, {**call.body, "email": ""})
            return {"id": None, "state": None, "url": None}
        applicant = find_applicant(call.body, account)
        is_own = call.body["own"] and account is not None
        entry = apply(tournament, applicant, by=account, is_own=is_own, **values_of(call.body))
        url = absolute_url(f"tournaments/{tournament.slug}/entries/{entry.pk}")
        return {"id": entry.pk, "state": Entry.State(entry.state), "url": url}

    def made_target(self, call: Call, content: Any) -> Target | None:
        if content["id"] is None:  # no entry before the address is confirmed
            return None
        entry = Entry.objects.select_related("tournament").get(pk=content["id"])
        return entry_target(entry.tournament, entry)


def values_of(content: Mapping[str, Any]) -> dict[str, Any]:
    """Return the columns of the entry that an application states."""
    return {name: content[name] for name in (*VALUES, "notes") if content.get(name)}


def _key_of(members: Mapping[str, Any]) -> str:
    """Return the key of the link for applications, empty if the caller has none."""
    return str(members.get("key") or "")


def _find_event(call: Call, key: str) -> tuple[Tournament, bool]:
    """Return the tournament, and whether the key opens it; raise NotFound."""
    opened = find_by_key(call.address["slug"], key)
    return opened or tournament_seen_by(call, call.address["slug"]), opened is not None


def _check_application(
    call: Call, members: Mapping[str, Any], tournament: Tournament, *, is_opened: bool
) -> None:
    check_all(
        partial(_require_link, is_wrong=bool(_key_of(members)) and not is_opened),
        partial(find_applicant, members, call.user),
        partial(check_birth_year, tournament, members.get("birth_year")),
    )


def _require_link(*, is_wrong: bool) -> None:
    if is_wrong:
        detail = Text("the link is wrong, or was revoked or replaced")
        raise Unprocessable("invalid_link", detail, at="/key")


def find_applicant(content: Mapping[str, Any], account: Any) -> Player | PlayerDetails:
    """Return who applies: the person with the name, else the player of the account.

    Raises Unprocessable without either.
    """
    details = _read_details(content)
    if details and not content.get("own"):
        return details
    if isinstance(account, Account) and (own := Player.objects.filter(account=account).first()):
        return own
    if details:
        return details
    raise Unprocessable("name_needed", Text("send the name of the player"), at="/name")


def _read_details(content: Mapping[str, Any]) -> PlayerDetails | None:
    """Return the details of the person who applies; None if there is no name."""
    if "name" not in content:
        return None
    names = {column.name for column in fields(PlayerDetails)}
    values = {name: content[name] for name in content if name in names}
    return PlayerDetails(**values)


class RefusalSerializer(serializers.Serializer):
    entry_id = IdField(help_text="one of the applications")


class RefusedEntries(TypedDict):
    """The applications that were refused."""

    refused: list[EntryReference]


class RefuseApplications(ActionInEvent):
    """Refuse an application and all others of the same applicant that are not decided.

    The same applicant is the account that sent it, or another one whose mail address differs only
    in what follows a `+`; without an account, the address, or whoever used the link. Each can be
    accepted later.
    """

    name = "refuse_applications"
    permission = "entries.edit"
    body = RefusalSerializer
    example = {"entry_id": 9}
    done = gettext_noop("The applications are refused.")

    def perform(self, call: Call, tournament: Tournament) -> RefusedEntries:
        refused = refuse_applications(tournament, call.body["entry_id"], by=call.account)
        rows = tournament.entries.filter(pk__in=[entry.pk for entry in refused]).order_by("pk")
        return {"refused": references_of(rows)}


class CreateApplicationLink(ActionInEvent):
    """Create the link with which people without a login apply; an earlier one ends.

    Whoever has its key can apply while the registration is open. `page_url` is the page to hand on.
    """

    name = "create_application_link"
    permission = "tournament.links"
    status = 201
    made = ("key", "page_url")
    location = "tournaments/{slug}/application-link"
    done = gettext_noop("The link for applications is made.")

    def perform(self, call: Call, tournament: Tournament) -> LinkForApplications:
        return link_as_json(tournament, create_application_key(tournament, by=call.account))

    def made_tag(self, call: Call, content: Any) -> str:
        return content_tag(content)


class RevokeApplicationLink(ActionInEvent):
    """Revoke the link with which people without a login apply.

    Entries that came by it stay. Without a link, the answer is 409 `nothing_to_do`.
    """

    name = "revoke_application_link"
    permission = "tournament.links"
    problems = (409,)
    done = gettext_noop("The link for applications is revoked.")

    def perform(self, call: Call, tournament: Tournament) -> None:
        delete_application_key(tournament, by=call.account)


class ApplicationLink(ApiView):
    permission = "tournament.links"
    post = endpoint(CreateApplicationLink)
    delete = endpoint(RevokeApplicationLink)

    @extend_schema(responses=described(LinkForApplications))
    def get(self, request: Request, slug: str) -> Response:
        """Return the link with which people without a login apply.

        `key` is what `entries/apply` takes; it is null if there is no link. `page_url` is the page
        where a person applies.
        """
        tournament = require_tournament(request, slug, self.permission)
        return Response(link_as_json(tournament, tournament.application_key))


def link_as_json(tournament: Tournament, key: str) -> LinkForApplications:
    """Return the key and the address of the page of the link, if there is one."""
    page = page_url(f"e/{tournament.slug}/apply")
    return {
        "url": absolute_url(f"tournaments/{tournament.slug}/application-link"),
        "key": key or None,
        "page_url": f"{page}#{key}" if key else page,
    }


FIELDS: Final = ("name", "country", "club", *VALUES, "fide", "seed_rating", "notes")
"""The fields of the form, in their order."""
OPEN: Final = "open"
MAILED: Final = "mailed"
"""The parameter of the page after an application whose address is not confirmed yet."""
AGAIN: Final = "again"
"""The parameter of the form that has what was typed, because the address was wrong."""
SENT: Final = "application_sent"
"""The member of a session with the page, the form and the link of the last one by mail."""
OPENED_LINKS: Final = "application_links"
"""The member of a session with the keys of the links by which somebody has applied, by event."""


def application_body(form: dict[str, Any], _address: Mapping[str, Any]) -> dict[str, Any]:
    """Return an application, whose link may be a whole address."""
    return form | {"key": secret_of(str(form["key"]))} if form.get("key") else form


class ApplyPage(PageView):
    """The form of an application; a stranger whom the event does not take opens the link first."""

    template = "tournament/entries/apply.html"
    actions = {"apply": Form(Apply, body=application_body, is_typed=True)}

    def post(self, request: Request, **address: Any) -> HttpResponseBase:
        """Open the organiser's link, or apply; without a way to apply, show the form again.

        The right link is kept, so that it serves the person again.
        """
        slug, key = address["slug"], secret_of(request.POST.get("key", ""))
        is_right = bool(key) and find_by_key(slug, key) is not None
        if is_right:
            request.session[OPENED_LINKS] = {**request.session.get(OPENED_LINKS, {}), slug: key}
        if request.POST.get("action") == OPEN:
            if is_right:
                return redirect(f"/e/{slug}/apply")
            detail = gettext("The link is wrong, or was revoked or replaced.")
            self.form = FormState(OPEN, {}, detail, "invalid_link", {"key": (detail,)})
            return self.page(self.context(request, **address), status=422)
        try:
            return super().post(request, **address)
        except (LoginNeeded, NotFound):
            if isinstance(request.user, Account):
                raise
        keep_form(request, self.actions)
        detail = gettext(
            "Paste the link that the organiser has given you, or log in; what you have typed is"
            " kept."
        )
        self.form = FormState("apply", typed_values(request), detail, errors={"key": (detail,)})
        return self.page(self.context(request, **address), status=401)

    def next_address(self, request: Request, name: str, content: Any, **address: Any) -> str:
        """Return this page; after an application by mail it says that a mail is on its way."""
        if content["id"]:
            return super().next_address(request, name, content, **address)
        self._keep_sent(request)
        return f"{request.path}?{MAILED}=1"

    def _keep_sent(self, request: Request) -> None:
        """Keep what was sent by mail; the link that went to a wrong address before ends."""
        typed, before = typed_values(request), request.session.get(SENT, {})
        links = EmailLink.objects.filter(kind=EmailLink.Kind.APPLICATION)
        own = links.filter(email=same_address(typed["email"])).order_by("-pk")
        link = own.values_list("pk", flat=True).first()
        request.session[SENT] = {"path": request.path, "typed": typed, "link": link}
        if before.get("path") != request.path:
            return
        is_same = fold_name(typed["name"]) == fold_name(before["typed"]["name"])
        if is_same or AGAIN in request.query_params:
            wrong = links.filter(pk=before.get("link"))
            wrong.exclude(email=same_address(typed["email"])).update(revoked_at=timezone.now())

    def context(self, request: Request, slug: str = "", **address: Any) -> dict[str, Any]:
        """Return the form, with the event if the reader may see it."""
        sent = request.session.get(SENT, {})
        typed = sent["typed"] if sent.get("path") == request.path else {}
        if AGAIN in request.query_params and typed and not self.form.action:
            self.form = FormState("apply", typed)
        user, key = request.user, request.session.get(OPENED_LINKS, {}).get(slug, "")
        player = None
        if isinstance(user, Account):
            player = Player.objects.filter(account=user).first()
        has_link = bool(key) and find_by_key(slug, key) is not None
        context: dict[str, Any] = {
            "slug": slug,
            "own_player": player,
            "link_key": key if has_link else "",
            "is_open": True,
            "can_apply": has_link,
            "opening": form_fields(ApplicationSerializer(), ["key"], state=self.form, action=OPEN)[
                "key"
            ],
            "is_again": AGAIN in request.query_params,
            "mailed": MAILED in request.query_params and typed.get("email"),
        }
        tournament = None
        with suppress(NotFound):
            tournament = tournament_seen_by(request, slug)
            why_not = next(find_event_conflicts(tournament, "apply"), None)
            is_open = why_not is None
            is_full = is_open and any(find_place_conflicts(tournament))
            frame = event_frame(request, tournament)
            context = {**frame, **context, "is_open": is_open, "is_full": is_full}
            context["why_not"] = why_not and sentence(why_not.detail)
            context["can_apply"] = has_link or frame["can_apply"]
        needs_way = not has_link and not isinstance(user, Account)
        ways = Tournament.Applications
        is_by_mail = needs_way and tournament and tournament.applications == ways.EVERYBODY
        way = ("email" if is_by_mail else "key",) if needs_way else ()
        names = (*way, *((*VALUES, "notes") if player else FIELDS))
        fields = form_fields(ApplicationSerializer(), names, state=self.form)
        if not player:
            fields["name"] = replace(fields["name"], required=True)
        if is_by_mail:
            fields["email"] = replace(fields["email"], required=True)
        return context | {"fields": fields.values()}
