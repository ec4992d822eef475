"""A fresh database has one pool: the *Star family, on the preset `decay`."""

from django.db import migrations


def make_star(apps, _schema_editor):
    apps.get_model("ratings", "Pool").objects.get_or_create(
        code="star",
        defaults={
            "name": "*Star",
            "preset": "decay",
            "parameters": {},
            "casual_games": ["star-star"],
        },
    )


class Migration(migrations.Migration):
    dependencies = [("ratings", "0001_initial")]

    operations = [migrations.RunPython(make_star, migrations.RunPython.noop)]
