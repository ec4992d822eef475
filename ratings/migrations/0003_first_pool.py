"""Let the pool of a new installation name its games; that of one in use stays as it is."""

from django.db import migrations

GAMES = {"star-star": [], "double-star-star": [], "nobridge-star-star": []}


def name_games(apps, _schema_editor):
    """Name the games of the pool, unless there are accounts, games or lines of its journal."""
    Account, Game = (apps.get_model("games", name) for name in ("Account", "Game"))
    heads = apps.get_model("games", "JournalHead").objects.filter(stream="pool/star")
    if Account.objects.exists() or Game.objects.exists() or heads.exists():
        return
    apps.get_model("ratings", "Pool").objects.filter(code="star").update(rated_games=GAMES)


class Migration(migrations.Migration):

    dependencies = [
        ("games", "0002_skeletons"),
        ("ratings", "0002_intervals_of_lists"),
    ]

    operations = [
        migrations.RunPython(name_games, migrations.RunPython.noop),
    ]
