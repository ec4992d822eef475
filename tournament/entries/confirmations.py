"""An application by mail counts once its address is confirmed; then the applicant has a page.

The link in the mail opens a page with one button: mail programs open links by themselves. It works
once. The applicant then has a personal link, which the mails about the application contain.
"""

from typing import Any

from django.db import transaction
from django.http.response import HttpResponseBase
from django.utils import timezone
from rest_framework.request import Request

from games.core.accounts.mail import links_of, sent_links
from games.core.authentication import open_token
from games.core.errors import ApiError, NotFound
from games.core.forms import FormState, rejected_form
from games.core.journal.lines import append_line
from games.core.journal.rows import changed_rows
from games.core.pages import PageView, redirect
from games.models import EmailLink, Role
from games.models.streams import TOURNAMENT_STREAM
from games.rules.text import Text
from tournament.core.queries import HIDDEN
from tournament.entries.applications import apply, find_applicant, values_of
from tournament.entries.letters import tell_applicant
from tournament.entries.links import end_sessions, open_session
from tournament.models import Entry, PersonalLink, Tournament


def find_application(token: str) -> tuple[EmailLink, Tournament]:
    """Return the link of a token with its event; raises NotFound if it works no more."""
    link = links_of(token, EmailLink.Kind.APPLICATION).first()
    slug = link.stream.removeprefix(TOURNAMENT_STREAM) if link else ""
    tournament = Tournament.objects.filter(~HIDDEN, slug=slug).first()
    if link is None or tournament is None:
        detail = Text(
            "this link was used already, is too old or not whole; if you have confirmed the"
            " application, a second mail has the link to your page; otherwise apply again"
        )
        if sent_links(token).exclude(revoked_at=None).exists():
            detail = Text(
                "this link has ended: the mail address of the application was corrected, and the"
                " mail to the right one has the link that counts"
            )
        raise NotFound("not_found", detail)
    return link, tournament


def confirm_application(token: str) -> PersonalLink:
    """Make an application count, and return the personal link of the applicant.

    The link of the mail is deleted with its address, which is that of the entry now.

    Raises as `apply` does, and NotFound for a link that works no more.
    """
    with transaction.atomic():
        found, tournament = find_application(token)
        link = EmailLink.objects.select_for_update().get(pk=found.pk)
        find_application(token)  # nobody else has used it meanwhile
        applicant = find_applicant(link.content, None)
        values = values_of(link.content) | {"email": link.email, "language": link.language}
        entry = apply(tournament, applicant, by=None, **values)
        link.delete()
        personal = _give_link(tournament, entry)
        tell_applicant(entry)
    return personal


def _give_link(tournament: Tournament, entry: Entry) -> PersonalLink:
    """Return a new personal link, in the name of the first owner of the event.

    The link of an earlier application of the same player, who withdrew it, does not work any more.
    """
    owners = Role.objects.filter(stream=tournament.stream, role=Role.Name.OWNER)
    owner = owners.select_related("account").order_by("pk")[0].account
    link = PersonalLink.objects.select_for_update().filter(entry=entry).first()
    if link is None:
        link = PersonalLink.objects.create(entry=entry, issued_by=owner)
    else:
        end_sessions(tournament, [entry.pk])
        link.version, link.revoked_at = link.version + 1, None
        link.issued_by, link.issued_at = owner, timezone.now()
        link.save()
    payload, rows = {"entries": [entry.pk]}, changed_rows(link)
    append_line(tournament.stream, "links.created", payload, by=None, rows=rows)
    return link


class ApplicationPage(PageView):
    """What the link in the mail opens."""

    template = "tournament/entries/application.html"

    def context(self, request: Request, token: str = "", **address: Any) -> dict[str, Any]:
        """Return what was applied for; raises NotFound."""
        link, tournament = find_application(token)
        return {"link": link, "event": tournament, "content": link.content}

    def post(self, request: Request, token: str = "", **address: Any) -> HttpResponseBase:
        """Confirm the application, and open the page of the applicant."""
        try:
            link = confirm_application(token)
        except NotFound:
            raise
        except ApiError as error:
            self.form: FormState = rejected_form(request, "confirm", error)
            return self.page(self.context(request, token=token), status=error.status)
        session, _ = open_session(link)
        open_token(request, session)
        return redirect(f"/e/{link.entry.tournament.slug}/me")
