"""Values that were hyphenated words have underscores, as `columns.former` says of the models.

The text of an explanation is one of this installation: no journal and no bundle has it.
"""

from typing import Any

from django.db import migrations, models

from games.models.columns import renamed
from tournament.models import former

COLUMNS = {
    "Tournament": {"decided_ties": former.TIES, "handicap_kinds": former.HANDICAP_KINDS},
    "Round": {"system": former.SYSTEMS, "notes": former.FINDINGS, "relaxed": former.FINDINGS},
    "Bye": {"kind": former.RESULTS},
    "Pairing": {
        "kind": former.RESULTS, "counted": former.COUNTED, "awarded_for": former.RESULTS,
    },
    "Correction": {
        "scope": former.SCOPES, "changes": former.COUNTED, "effect": former.COUNTED,
    },
    "WebhookDelivery": {"state": {"given-up": "given_up"}},
    "Explanation": {"body": former.FINDINGS},
}  # fmt: skip
AT_ONCE = 500


def rename(apps: Any, schema_editor: Any) -> None:
    """Write the new values in the rows that have others."""
    for model, columns in COLUMNS.items():
        rows = apps.get_model("tournament", model).objects.using(schema_editor.connection.alias)
        changed = []
        for row in rows.only(*columns).iterator(chunk_size=AT_ONCE):
            before = [getattr(row, name) for name in columns]
            after = [
                renamed(value, columns[name]) for name, value in zip(columns, before, strict=True)
            ]
            if after != before:
                for name, value in zip(columns, after, strict=True):
                    setattr(row, name, value)
                changed.append(row)
            if len(changed) == AT_ONCE:
                rows.bulk_update(changed, [*columns])
                changed = []
        rows.bulk_update(changed, [*columns])


class Migration(migrations.Migration):
    dependencies = [
        ("tournament", "0008_told_kinds"),
    ]

    operations = [
        migrations.AlterField(
            model_name="bye",
            name="kind",
            field=models.CharField(
                choices=[
                    ("half_bye", "half-point bye"),
                    ("zero_bye", "absent"),
                    ("full_bye", "full-point bye"),
                ],
                max_length=10,
            ),
        ),
        migrations.AlterField(
            model_name="correction",
            name="scope",
            field=models.CharField(
                choices=[
                    ("standings_pairings", "standings, prizes and later pairings"),
                    ("standings", "standings and prizes, but no later pairing"),
                    ("rating", "only the ratings"),
                ],
                max_length=20,
            ),
        ),
        migrations.AlterField(
            model_name="pairing",
            name="awarded_for",
            field=models.CharField(
                blank=True, help_text="the result, as loss/loss or pairing_bye", max_length=30
            ),
        ),
        migrations.AlterField(
            model_name="pairing",
            name="kind",
            field=models.CharField(
                choices=[
                    ("game", "game"),
                    ("pairing_bye", "bye"),
                    ("half_bye", "half-point bye"),
                    ("zero_bye", "absent"),
                    ("full_bye", "full-point bye"),
                    ("free", "free"),
                ],
                default="game",
                max_length=12,
            ),
        ),
        migrations.AlterField(
            model_name="round",
            name="system",
            field=models.CharField(
                blank=True, help_text="the pairing system, or by_hand", max_length=24
            ),
        ),
        migrations.AlterField(
            model_name="webhookdelivery",
            name="state",
            field=models.CharField(
                choices=[
                    ("pending", "to be sent"),
                    ("delivered", "delivered"),
                    ("given_up", "given up"),
                    ("withdrawn", "no longer public"),
                ],
                default="pending",
                max_length=9,
            ),
        ),
        migrations.RunPython(rename, migrations.RunPython.noop),
    ]
