"""Values that were hyphenated words have underscores: the role of officers, a double forfeit."""

from typing import Any

from django.db import migrations, models

ROLES = [
    ("owner", "owner"),
    ("director", "director"),
    ("scorer", "scorer"),
    ("rating_officer", "rating officer"),
]


def rename(apps: Any, schema_editor: Any) -> None:
    """Write the new values."""

    def rows(model: str, **values: Any) -> Any:
        database = schema_editor.connection.alias
        return apps.get_model("games", model).objects.using(database).filter(**values)

    rows("Role", role="rating-officer").update(role="rating_officer")
    rows("EmailLink", role="rating-officer").update(role="rating_officer")
    rows("Game", termination="double-forfeit").update(termination="double_forfeit")
    for report in rows("Report", outcome__termination="double-forfeit").iterator():
        report.outcome["termination"] = "double_forfeit"
        report.save(update_fields=["outcome"])


class Migration(migrations.Migration):
    dependencies = [("games", "0005_personal_scopes")]
    operations = [
        migrations.AlterField(
            model_name="emaillink",
            name="role",
            field=models.CharField(blank=True, choices=ROLES, max_length=16),
        ),
        migrations.AlterField(
            model_name="role", name="role", field=models.CharField(choices=ROLES, max_length=16)
        ),
        migrations.RunPython(rename, migrations.RunPython.noop),
    ]
