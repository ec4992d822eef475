from django.db import migrations
from django.db.models import F


def add_scope(apps, schema_editor):
    """Let the tokens that directors issued to players do what `result:write` let them do before."""
    tokens = apps.get_model("games", "Token")
    issued = tokens.objects.using(schema_editor.connection.alias).exclude(issued_by=F("user"))
    for token in issued.filter(name__in=["personal", "session"]):
        token.scopes = sorted({*token.scopes, "entry:write"})
        token.save(update_fields=["scopes"])


class Migration(migrations.Migration):

    dependencies = [
        ('games', '0004_hidden_names'),
    ]

    operations = [
        migrations.RunPython(add_scope, migrations.RunPython.noop),
    ]
