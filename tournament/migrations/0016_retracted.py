from django.db import migrations, models


class Migration(migrations.Migration):

    dependencies = [
        ('tournament', '0015_played_by_turns'),
    ]

    operations = [
        migrations.AlterField(
            model_name='entry',
            name='state',
            field=models.CharField(choices=[('applied', 'applied; the organiser decides'), ('accepted', 'accepted'), ('refused', 'refused'), ('waiting', 'on the waiting list'), ('withdrawn', 'withdrawn'), ('retracted', 'application withdrawn')], default='accepted', max_length=10),
        ),
    ]
