"""Let the pool of a new installation name its games; that of one in use stays as it is."""

from datetime import UTC, datetime

from django.db import migrations

from games.core.journal.chain import Head, next_link

STREAM = "pool/star"
SETTINGS = {
    "rated_games": {"star-star": [], "double-star-star": [], "nobridge-star-star": []},
}


def name_games(apps, _schema_editor):
    """Change the pool with a line of its journal, unless there are accounts, games or lines."""
    Account, Game = (apps.get_model("games", name) for name in ("Account", "Game"))
    JournalHead = apps.get_model("games", "JournalHead")
    pool = apps.get_model("ratings", "Pool").objects.filter(code="star", rated_games={})
    in_use = Account.objects.exists() or Game.objects.exists()
    if in_use or JournalHead.objects.filter(stream=STREAM).exists() or not pool.exists():
        return
    now = datetime.now(UTC)
    rows = {"pool": {"star": SETTINGS}}
    link = next_link(
        Head(STREAM, 0, ""), actor="system", at=now, kind="pool.edited", payload=SETTINGS, rows=rows
    )
    line = apps.get_model("games", "JournalLine").objects.create(**link.as_json() | {"at": now})
    apps.get_model("games", "JournalPayload").objects.create(line=line, body=SETTINGS, rows=rows)
    JournalHead.objects.create(stream=STREAM, sequence=link.sequence, digest=link.digest)
    pool.update(**SETTINGS, compared_line=line.pk)  # there are no games to compare


class Migration(migrations.Migration):

    dependencies = [
        ("games", "0002_skeletons"),
        ("ratings", "0002_intervals_of_lists"),
    ]

    operations = [
        migrations.RunPython(name_games, migrations.RunPython.noop),
    ]
