"""Correct an entry, which may change ranks and prizes that are published."""

from django.utils.translation import gettext_noop

from games.core.actions import Call
from games.core.forms import Form
from games.core.views import endpoint
from tournament.core.locking import lock_tournament
from tournament.entries.lookup import ActionInEntry, EntryIn
from tournament.entries.pages import PAYMENTS, EntriesPage, EntryPage
from tournament.entries.queries import ChangedEntry
from tournament.entries.serializers import EntryChangeSerializer
from tournament.entries.services import edit_entry
from tournament.entries.targets import lock_entry
from tournament.entries.views import EntryView, changed_entry_as_json
from tournament.events.effects import (
    Effect,
    find_effect_of_entry,
    require_accepted,
    withdraw_drafts,
)
from tournament.events.serializers import AcceptChangesField


class AcceptedChangeSerializer(EntryChangeSerializer):
    accept = AcceptChangesField()


class EditedEntry(ChangedEntry, Effect):
    """An entry after a change, with what changes of what is published."""


class EditEntry(ActionInEntry):
    """Correct an entry; omitted values stay. After the start, `reason` is required.

    `lot` until the tournament starts, `first_round` until that round is paired. A `seed_rating`
    gives new pairing numbers until the fourth round is paired (C.04.2); where the numbers decide a
    schedule, Baku's groups or starting scores, until round 1 is. `outdated` lists the cards and
    sheets that were printed with other numbers.

    If ranks, prizes or who advances in a bracket are published and change, as when a player is
    expelled, send `accept` as in `PATCH tournaments/{slug}`; a dry run shows what changes.
    """

    rule = "edit"
    body = AcceptedChangeSerializer
    example = {"club": "Rooks", "seed_rating": 1850}
    has_precondition = True
    done = gettext_noop("The entry is corrected.")

    def perform(self, call: Call, found: EntryIn) -> EditedEntry:
        changes = dict(call.body)
        reason, accept = changes.pop("reason", ""), changes.pop("accept", ())
        tournament, by = lock_tournament(found.tournament), call.account
        effect = find_effect_of_entry(tournament, lock_entry(tournament, found.entry), changes)
        accepted = effect.as_payload()
        entry = edit_entry(found.entry, changes, reason=reason, accepted=accepted, by=by)
        if not call.dry_run:
            require_accepted(effect, accept, reason=reason)
        withdraw_drafts(tournament, effect, reason=reason, by=by)
        return {**changed_entry_as_json(entry, changes), **effect.as_json()}


class EditedEntryView(EntryView):
    patch = endpoint(EditEntry)


class PaidEntriesPage(EntriesPage):
    """The list of entries, with a button for each fee that was paid."""

    actions = {**dict.fromkeys(PAYMENTS, Form(EditEntry, ("entry_id",))), **EntriesPage.actions}


class EditedEntryPage(EntryPage):
    actions = {"edit": Form(EditEntry), **EntryPage.actions}
