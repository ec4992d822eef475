"""The sessions of pages, in Django's table: the row of one is found by a query compiled once."""

from datetime import datetime
from typing import Any

from django.contrib.sessions.backends import db
from django.contrib.sessions.models import Session
from django.utils import timezone

from games.compiled_queries import CompiledQuery

SESSION_BY_KEY = CompiledQuery(
    lambda key, now: Session.objects.filter(session_key=key, expire_date__gt=now), str, datetime
)


class SessionStore(db.SessionStore):
    """A session as Django stores it; nearly every page of somebody with a login reads one."""

    def _get_session_from_db(self) -> Any:
        session = SESSION_BY_KEY.first(self.session_key or "", timezone.now())
        if session is None:
            self._session_key = None
        return session
