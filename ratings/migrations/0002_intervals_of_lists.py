from django.db import migrations, models


class Migration(migrations.Migration):
    dependencies = [("ratings", "0001_initial")]

    operations = [
        migrations.AddField(
            model_name="listedrating",
            name="start",
            field=models.IntegerField(blank=True, null=True),
        ),
        migrations.AddField(
            model_name="listedrating",
            name="least",
            field=models.PositiveIntegerField(blank=True, null=True),
        ),
        migrations.AddField(
            model_name="listedrating",
            name="most",
            field=models.PositiveIntegerField(blank=True, null=True),
        ),
    ]
