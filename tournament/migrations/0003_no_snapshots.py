from django.db import migrations


class Migration(migrations.Migration):
    dependencies = [("tournament", "0002_no_plans")]

    operations = [migrations.DeleteModel("Snapshot")]
