"""Entries have the time of their last change; of old rows it is not known."""

from typing import Any

from django.db import migrations, models
from django.utils import timezone


def begin(apps: Any, schema_editor: Any) -> None:
    """Give old rows the time of their creation."""
    database = schema_editor.connection.alias
    rows = apps.get_model("tournament", "Entry").objects.using(database)
    rows.update(updated_at=models.F("entered_at"))


class Migration(migrations.Migration):
    dependencies = [("tournament", "0009_snake_case")]
    operations = [
        migrations.RenameField("tournament", "changed_at", "updated_at"),
        migrations.AddField(
            model_name="entry",
            name="updated_at",
            field=models.DateTimeField(auto_now=True, default=timezone.now),
            preserve_default=False,
        ),
        migrations.RunPython(begin, migrations.RunPython.noop),
    ]
