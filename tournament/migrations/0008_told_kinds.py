"""Webhooks store the kinds by the names by which they are told, and have a format."""

from typing import Any, Final

from django.db import migrations, models

NAMES: Final = {
    "round.complete": "round.completed",
    "game.open": "game.reopened",
    "game.waiting": "game.reported",
    "tournament.registration": "tournament.opened",
    "tournament.running": "tournament.started",
    "tournament.review": "tournament.completed",
    "tournament.final": "tournament.finalised",
    "rating.run": "pool.rated",
}


def rename(apps: Any, _schema_editor: Any) -> None:
    """Write the new names in the choices of webhooks and in their logs."""
    for webhook in apps.get_model("tournament", "Webhook").objects.exclude(kinds=[]):
        webhook.kinds = [NAMES.get(kind, kind) for kind in webhook.kinds]
        webhook.save(update_fields=["kinds"])
    for old, new in NAMES.items():
        apps.get_model("tournament", "WebhookDelivery").objects.filter(kind=old).update(kind=new)


class Migration(migrations.Migration):
    dependencies = [("tournament", "0007_hidden_names")]
    operations = [
        migrations.AddField(
            model_name="webhook",
            name="format",
            field=models.CharField(
                choices=[
                    ("object", "data for a program"),
                    ("discord", "messages in a Discord channel"),
                    ("slack", "messages in a Slack channel"),
                    ("mattermost", "messages in a Mattermost channel"),
                ],
                default="object",
                max_length=10,
            ),
        ),
        migrations.AlterField(
            model_name="webhook",
            name="stream",
            field=models.CharField(
                help_text="or the feed of an account or the site", max_length=120
            ),
        ),
        migrations.RunPython(rename, migrations.RunPython.noop),
    ]
