"""The kind of an analysis has an underscore."""

from typing import Any

from django.db import migrations, models


def rename(apps: Any, schema_editor: Any) -> None:
    """Write the new value."""
    analyses = apps.get_model("ratings", "Analysis").objects.using(schema_editor.connection.alias)
    analyses.filter(kind="fair-play").update(kind="fair_play")


class Migration(migrations.Migration):
    dependencies = [("ratings", "0006_covers_of_approvals")]
    operations = [
        migrations.AlterField(
            model_name="analysis",
            name="kind",
            field=models.CharField(
                choices=[
                    ("calibration", "Calibration of the handicaps"),
                    ("fair_play", "Review of the results"),
                ],
                max_length=12,
            ),
        ),
        migrations.RunPython(rename, migrations.RunPython.noop),
    ]
