"""Players and games have the time of their last change; of old rows it is not known."""

from typing import Any

from django.db import migrations, models
from django.utils import timezone


def begin(apps: Any, schema_editor: Any) -> None:
    """Give old rows the time of their creation."""
    database = schema_editor.connection.alias
    for model in ("Player", "Game"):
        rows = apps.get_model("games", model).objects.using(database)
        rows.update(updated_at=models.F("created_at"))


class Migration(migrations.Migration):
    dependencies = [("games", "0006_snake_case")]
    operations = [
        *(
            migrations.AddField(
                model_name=model,
                name="updated_at",
                field=models.DateTimeField(auto_now=True, default=timezone.now),
                preserve_default=False,
            )
            for model in ("player", "game")
        ),
        migrations.RunPython(begin, migrations.RunPython.noop),
    ]
