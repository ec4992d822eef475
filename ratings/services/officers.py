"""Appoint the rating officers of a pool; site staff do."""

from django.db import transaction

from games.core.errors import Conflict, NotFound
from games.core.journal.lines import append_line
from games.core.journal.rows import changed_rows, deleted_rows
from games.models import Account, Role
from games.rules.text import Text
from ratings.models import Pool
from ratings.services.batch_states import lock_batches, review_batches


def add_officer(pool: Pool, account: Account, *, by: Account) -> None:
    """Appoint an officer, who thereby approves their own events.

    Raises Conflict if the account is an officer already.
    """
    with transaction.atomic():
        batches = lock_batches(pool.batches.filter(organiser=account))
        officer, is_new = Role.objects.get_or_create(
            stream=pool.stream, account=account, role=Role.Name.RATING_OFFICER
        )
        if not is_new:
            detail = Text(
                "account %(account)s is an officer of %(pool)s already",
                account=account.pk,
                pool=pool.code,
            )
            raise Conflict("officer_already", detail)
        payload, rows = {"account": account.pk}, changed_rows(officer)
        append_line(pool.stream, "officer.added", payload, by=by, rows=rows)
        review_batches(batches, by=by)


def remove_officer(pool: Pool, account_id: int, *, by: Account) -> None:
    """Remove an officer; raises NotFound if the account is none."""
    with transaction.atomic():
        officers = Role.objects.filter(
            stream=pool.stream, account=account_id, role=Role.Name.RATING_OFFICER
        )
        rows = deleted_rows(*officers)
        if not rows:
            raise NotFound(
                "not_found",
                Text(
                    "account %(account)s is no officer of %(pool)s",
                    account=account_id,
                    pool=pool.code,
                ),
            )
        officers.delete()
        payload = {"account": account_id}
        append_line(pool.stream, "officer.removed", payload, by=by, rows=rows)
