"""The page of the site's staff: the health of the service, what waits, and the versions."""

import platform
from typing import Any

import celery
import django
from django.conf import settings
from django.db import connection
from rest_framework.request import Request

from deploy.health import health_parts
from games.core.errors import Forbidden
from games.core.pages import PageView
from games.core.permissions import SITE_STAFF, LoginNeeded
from games.core.uploads.tasks import due_uploads
from games.models import Account, EmailLink, Game, Report, Token
from games.play.queries import given_up_games
from games.rules.text import Text
from ratings.analyses.queries import unfinished_analyses
from ratings.models import Pool

MOST_FOUND = 20


class StaffPage(PageView):
    """The state of the service; `?q=` finds accounts by their name or address."""

    template = "deploy/staff.html"

    def context(self, request: Request, **address: Any) -> dict[str, Any]:
        """Return the parts of the service, the work that waits, and accounts."""
        user = request.user
        if not isinstance(user, Account):
            raise LoginNeeded
        if not user.is_staff or request.auth is not None:
            raise Forbidden(
                "role_missing",
                Text("only for: %(roles)s; you have none of these roles here", roles=SITE_STAFF),
            )
        text = request.query_params.get("q", "").replace("\0", "").strip()
        return {
            "parts": health_parts(),
            "waiting": {
                "reports": Report.objects.filter(settled_at=None).count(),
                "uploads": due_uploads().count(),
                "emails": EmailLink.objects.filter(sent_at=None, revoked_at=None).count(),
                "analyses": unfinished_analyses().count(),
            },
            "given_up": given_up_games().order_by("pk")[:MOST_FOUND],
            "totals": {
                "accounts": Account.objects.count(),
                "tokens": Token.objects.count(),
                "games": Game.objects.count(),
            },
            "pools": Pool.objects.order_by("code"),
            "versions": {
                "Perihelion": settings.VERSION,
                "Python": platform.python_version(),
                "Django": django.get_version(),
                "Celery": celery.__version__,
                "database": connection.vendor,
            },
            "query": text,
            "accounts": find_accounts(text),
        }


def find_accounts(text: str) -> list[Account]:
    """Return the accounts whose name or address contains a text; none without a text."""
    if not text:
        return []
    found = Account.objects.filter(name__icontains=text) | Account.objects.filter(
        email__icontains=text
    )
    return list(found.order_by("name", "pk")[:MOST_FOUND])
