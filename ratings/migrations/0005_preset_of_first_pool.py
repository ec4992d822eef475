"""Give the pool of a new installation the default preset; that of one in use keeps its own."""

from django.db import migrations


def use_default(apps, _schema_editor):
    """Set the preset of the pool, unless there are accounts, games or lines of its journal."""
    Account, Game = (apps.get_model("games", name) for name in ("Account", "Game"))
    heads = apps.get_model("games", "JournalHead").objects.filter(stream="pool/star")
    if Account.objects.exists() or Game.objects.exists() or heads.exists():
        return
    pools = apps.get_model("ratings", "Pool").objects.filter(code="star", preset="decay")
    pools.update(preset="floor")


class Migration(migrations.Migration):

    dependencies = [
        ("games", "0002_skeletons"),
        ("ratings", "0004_default_preset"),
    ]

    operations = [
        migrations.RunPython(use_default, migrations.RunPython.noop),
    ]
