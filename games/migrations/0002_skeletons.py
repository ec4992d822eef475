"""Store anew what names look like, where they have a letter that another table of 0.2.0 read otherwise."""

from django.db import migrations
from django.db.models import Q

from games.names import skeleton_of

LETTERS = "\u2220\U0001e8c8\u0664\u06f4\u0666\u06f6\U0001f16d"


def recompute(apps, schema_editor):
    Player = apps.get_model("games", "Player")
    named = Q()
    for letter in LETTERS:
        named |= Q(name__contains=letter)
    for player in Player.objects.filter(named):
        Player.objects.filter(pk=player.pk).update(skeleton=skeleton_of(player.name))


class Migration(migrations.Migration):

    dependencies = [
        ("games", "0001_initial"),
    ]

    operations = [
        migrations.RunPython(recompute, migrations.RunPython.noop),
    ]
