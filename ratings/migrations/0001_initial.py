import django.db.models.deletion
import django.utils.timezone
import games.models.fields
from django.conf import settings
from django.db import migrations, models


def create_star_pool(apps, _schema_editor):
    """Create the pool of the *Star family, which every installation starts with."""
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

    initial = True

    dependencies = [
        ('games', '0001_initial'),
        ('games', '__first__'),
    ]

    operations = [
        migrations.CreateModel(
            name='TableVersion',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('version', models.CharField(max_length=12, unique=True)),
                ('model', models.CharField(max_length=8)),
                ('reason', models.CharField(max_length=240)),
                ('by', models.ForeignKey(null=True, on_delete=django.db.models.deletion.SET_NULL, related_name='+', to=settings.AUTH_USER_MODEL)),
                ('created_at', models.DateTimeField(default=django.utils.timezone.now)),
            ],
        ),
        migrations.CreateModel(
            name='TableRow',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('version', models.ForeignKey(on_delete=django.db.models.deletion.PROTECT, related_name='rows', to='ratings.tableversion')),
                ('game', models.CharField(max_length=32)),
                ('board', models.CharField(max_length=12)),
                ('first_move', models.IntegerField()),
                ('first_stone', models.PositiveIntegerField()),
                ('further_stone', models.PositiveIntegerField()),
                ('point', models.PositiveIntegerField()),
            ],
            options={
                'constraints': [models.UniqueConstraint(models.F('version'), models.F('game'), models.F('board'), name='row_once_a_version')],
            },
        ),
        migrations.CreateModel(
            name='Pool',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('code', models.SlugField(max_length=40, unique=True)),
                ('name', models.CharField(max_length=120)),
                ('preset', models.CharField(default='settling', max_length=24)),
                ('parameters', models.JSONField(blank=True, default=dict)),
                ('handicap_table', models.CharField(default='v2', max_length=12)),
                ('casual_games', models.JSONField(blank=True, default=list, help_text='codes of the games rated outside events')),
                ('policy', models.CharField(choices=[('open', 'all events'), ('approved', 'approved events'), ('closed', 'events that an officer files')], default='approved', max_length=8)),
                ('rated_games', models.JSONField(blank=True, default=dict, help_text='the boards of each game that is rated; no boards: all, empty: all games')),
                ('time_classes', models.JSONField(blank=True, default=list, help_text='of the games that are rated; empty: all games')),
                ('least_expected', models.PositiveSmallIntegerField(default=5, help_text='games with a smaller expected score, in percent, are not rated')),
                ('created_at', models.DateTimeField(default=django.utils.timezone.now)),
                ('verified_at', models.DateTimeField(blank=True, null=True)),
                ('differences', models.JSONField(blank=True, default=list)),
                ('compared_at', models.DateTimeField(blank=True, null=True)),
                ('compared_line', models.PositiveBigIntegerField(default=0)),
                ('spread', models.PositiveSmallIntegerField(default=250)),
            ],
        ),
        migrations.CreateModel(
            name='Analysis',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('pool', models.ForeignKey(db_index=False, on_delete=django.db.models.deletion.PROTECT, related_name='+', to='ratings.pool')),
                ('kind', models.CharField(choices=[('calibration', 'Calibration of the handicaps'), ('fair-play', 'Review of the results')], max_length=12)),
                ('parameters', models.JSONField(blank=True, default=dict)),
                ('by', models.ForeignKey(null=True, on_delete=django.db.models.deletion.SET_NULL, related_name='+', to=settings.AUTH_USER_MODEL)),
                ('created_at', models.DateTimeField(default=django.utils.timezone.now)),
                ('attempts', models.PositiveSmallIntegerField(default=0)),
                ('finished_at', models.DateTimeField(blank=True, null=True)),
                ('result', models.JSONField(blank=True, null=True)),
                ('problem', games.models.fields.TextsField(blank=True, null=True)),
            ],
            options={
                'verbose_name_plural': 'analyses',
                'indexes': [models.Index(fields=['pool', 'id'], name='analyses_of_pool')],
                'constraints': [models.UniqueConstraint(condition=models.Q(('finished_at__isnull', True)), fields=('pool', 'kind'), name='one_unfinished_analysis'), models.CheckConstraint(condition=models.Q(models.Q(('finished_at__isnull', True), ('problem__isnull', True), ('result__isnull', True)), models.Q(('finished_at__isnull', False), ('problem__isnull', True), ('result__isnull', False)), models.Q(('finished_at__isnull', False), ('problem__isnull', False), ('result__isnull', True)), _connector='OR'), name='analysis_with_one_outcome')],
            },
        ),
        migrations.CreateModel(
            name='Decision',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('pool', models.ForeignKey(on_delete=django.db.models.deletion.PROTECT, related_name='decisions', to='ratings.pool')),
                ('stream', models.CharField(blank=True, help_text="the event's", max_length=120)),
                ('organiser', models.ForeignKey(blank=True, null=True, on_delete=django.db.models.deletion.CASCADE, related_name='+', to=settings.AUTH_USER_MODEL)),
                ('approved', models.BooleanField()),
                ('reason', models.CharField(blank=True, max_length=240)),
                ('by', models.ForeignKey(null=True, on_delete=django.db.models.deletion.SET_NULL, related_name='+', to=settings.AUTH_USER_MODEL)),
                ('decided_at', models.DateTimeField(default=django.utils.timezone.now)),
            ],
            options={
                'constraints': [models.UniqueConstraint(condition=models.Q(('stream', ''), _negated=True), fields=('pool', 'stream'), name='decision_about_event'), models.UniqueConstraint(models.F('pool'), models.F('organiser'), name='decision_about_organiser'), models.CheckConstraint(condition=models.Q(models.Q(('organiser__isnull', False), ('stream', '')), models.Q(models.Q(('stream', ''), _negated=True), ('organiser__isnull', True)), _connector='OR'), name='about_event_or_organiser')],
            },
        ),
        migrations.CreateModel(
            name='Batch',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('pool', models.ForeignKey(db_index=False, on_delete=django.db.models.deletion.PROTECT, related_name='batches', to='ratings.pool')),
                ('kind', models.CharField(choices=[('tournament', 'event'), ('game', 'game')], max_length=10)),
                ('label', models.CharField(blank=True, max_length=120)),
                ('stream', models.CharField(max_length=120)),
                ('organiser', models.ForeignKey(blank=True, null=True, on_delete=django.db.models.deletion.SET_NULL, related_name='+', to=settings.AUTH_USER_MODEL)),
                ('state', models.CharField(choices=[('waiting', 'waits for an officer'), ('filed', 'filed'), ('refused', 'refused'), ('withdrawn', 'withdrawn')], max_length=9)),
                ('approved', models.BooleanField(default=False, help_text='the officers approved the event or its organiser')),
                ('reason', models.CharField(blank=True, max_length=240)),
                ('effective_at', models.DateTimeField()),
                ('backdated', models.BooleanField(default=False, help_text='an officer set `effective_at`')),
                ('filed_at', models.DateTimeField(default=django.utils.timezone.now)),
                ('order_key', models.CharField(max_length=255)),
                ('games_digest', models.CharField(max_length=64)),
                ('filed_digest', models.CharField(max_length=64)),
                ('openings_digest', models.CharField(blank=True, max_length=64)),
                ('rated_effective_at', models.DateTimeField(blank=True, null=True)),
                ('rated_games_digest', models.CharField(blank=True, max_length=64)),
                ('input_digest', models.CharField(blank=True, max_length=64)),
            ],
            options={
                'verbose_name_plural': 'batches',
                'indexes': [models.Index(fields=['pool', 'effective_at', 'order_key', 'id'], name='batch_order'), models.Index(models.F('pool'), condition=models.Q(models.Q(('games_digest', models.F('rated_games_digest')), _negated=True), ('state__in', ['filed', 'withdrawn'])), name='batch_due'), models.Index(models.F('pool'), condition=models.Q(('state', 'waiting')), name='batch_waiting')],
                'constraints': [models.UniqueConstraint(models.F('pool'), models.F('stream'), name='batch_stream')],
            },
        ),
        migrations.CreateModel(
            name='BatchGame',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('pool', models.ForeignKey(db_index=False, on_delete=django.db.models.deletion.PROTECT, related_name='+', to='ratings.pool')),
                ('batch', models.ForeignKey(db_index=False, on_delete=django.db.models.deletion.PROTECT, related_name='games', to='ratings.batch')),
                ('game', models.ForeignKey(on_delete=django.db.models.deletion.PROTECT, related_name='batch_games', to='games.game')),
                ('first', models.ForeignKey(db_index=False, on_delete=django.db.models.deletion.PROTECT, related_name='+', to='games.player')),
                ('second', models.ForeignKey(db_index=False, on_delete=django.db.models.deletion.PROTECT, related_name='+', to='games.player')),
                ('first_seed', models.PositiveIntegerField(blank=True, null=True)),
                ('second_seed', models.PositiveIntegerField(blank=True, null=True)),
                ('first_seed_games', models.PositiveIntegerField(default=0)),
                ('second_seed_games', models.PositiveIntegerField(default=0)),
                ('first_reached_2400', models.BooleanField(default=False, help_text="the seed was 2400 at any time: FIDE's K")),
                ('second_reached_2400', models.BooleanField(default=False)),
                ('score', models.PositiveIntegerField(default=0)),
                ('handicap_part', models.IntegerField(blank=True, help_text='null: no handicap table applies', null=True)),
                ('wrong_game', models.BooleanField(default=False, help_text='the pool does not rate the game on its board')),
                ('wrong_class', models.BooleanField(default=False, help_text='the pool does not rate games of its time class')),
                ('out_of_band', models.BooleanField(default=False, help_text='the expected score at pairing is outside the band of the pool')),
                ('first_junior', models.BooleanField(default=False, help_text="at most 18 that year: FIDE's K")),
                ('second_junior', models.BooleanField(default=False)),
                ('over_limit', models.BooleanField(default=False, help_text='a casual game beyond the daily limit of the two players')),
                ('over_month', models.BooleanField(default=False, help_text='a casual game beyond the monthly limit of the two players')),
                ('without_event', models.BooleanField(default=False, help_text='a casual game of a player who has finished no approved event')),
                ('exclusion', models.CharField(blank=True, choices=[('unrated_tournament', 'not rated by their conditions'), ('private_tournament', 'private'), ('forfeit', 'forfeited'), ('advice', 'with advice to a player'), ('handicap_out_of_band', 'with conditions that no table of handicaps covers'), ('wrong_game', 'of a game or board that the pool does not rate'), ('wrong_time_class', 'of a time class that the pool does not rate'), ('expected_out_of_band', 'below the least expected score'), ('same_player', 'of one person against themselves'), ('annulled', 'annulled'), ('unfinished', 'without a confirmed result'), ('no_consent', 'without the consent of both players'), ('daily_limit', 'above the number of a day'), ('monthly_limit', 'above the number of a month'), ('without_tournament', 'of a player without an approved event'), ('awaiting_approval', 'of an event that waits for an officer'), ('tournament_refused', 'of an event that was refused'), ('batch_withdrawn', 'of a batch that was withdrawn')], max_length=24)),
            ],
            options={
                'indexes': [models.Index(fields=['pool', 'batch', 'game'], name='games_of_batch'), models.Index(fields=['pool', 'first'], name='games_of_first'), models.Index(fields=['pool', 'second'], name='games_of_second')],
                'constraints': [models.UniqueConstraint(models.F('pool'), models.F('game'), name='game_once_a_pool')],
            },
        ),
        migrations.CreateModel(
            name='Opening',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('pool', models.ForeignKey(db_index=False, on_delete=django.db.models.deletion.PROTECT, related_name='+', to='ratings.pool')),
                ('batch', models.ForeignKey(db_index=False, on_delete=django.db.models.deletion.PROTECT, related_name='+', to='ratings.batch')),
                ('player', models.ForeignKey(db_index=False, on_delete=django.db.models.deletion.PROTECT, related_name='+', to='games.player')),
                ('rating', models.IntegerField()),
                ('games', models.PositiveIntegerField()),
                ('reached_2400', models.BooleanField(default=False)),
            ],
            options={
                'constraints': [models.UniqueConstraint(models.F('pool'), models.F('batch'), models.F('player'), name='opening_once_a_batch')],
            },
        ),
        migrations.CreateModel(
            name='Run',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('pool', models.ForeignKey(db_index=False, on_delete=django.db.models.deletion.PROTECT, related_name='runs', to='ratings.pool')),
                ('number', models.PositiveIntegerField()),
                ('engine_version', models.PositiveSmallIntegerField()),
                ('parameter_digest', models.CharField(max_length=64)),
                ('input_digest', models.CharField(blank=True, max_length=64)),
                ('changes_digest', models.CharField(blank=True, max_length=64)),
                ('ratings_digest', models.CharField(blank=True, max_length=64)),
                ('parent', models.ForeignKey(blank=True, null=True, on_delete=django.db.models.deletion.PROTECT, related_name='+', to='ratings.run')),
                ('from_batch', models.ForeignKey(blank=True, null=True, on_delete=django.db.models.deletion.PROTECT, related_name='+', to='ratings.batch')),
                ('created_at', models.DateTimeField(default=django.utils.timezone.now)),
                ('made_current_at', models.DateTimeField(blank=True, null=True)),
                ('unrated', models.JSONField(blank=True, default=dict)),
            ],
            options={
                'indexes': [models.Index(models.F('pool'), condition=models.Q(('made_current_at__isnull', True)), name='run_unfinished')],
                'constraints': [models.UniqueConstraint(models.F('pool'), models.F('number'), name='run_number')],
            },
        ),
        migrations.CreateModel(
            name='Change',
            fields=[
                ('pk', models.CompositePrimaryKey('run_id', 'batch_id', 'game_id', 'seat', blank=True, editable=False, primary_key=True, serialize=False)),
                ('pool', models.ForeignKey(db_index=False, on_delete=django.db.models.deletion.PROTECT, related_name='+', to='ratings.pool')),
                ('run', models.ForeignKey(db_index=False, on_delete=django.db.models.deletion.PROTECT, related_name='+', to='ratings.run')),
                ('batch', models.ForeignKey(db_index=False, on_delete=django.db.models.deletion.PROTECT, related_name='+', to='ratings.batch')),
                ('game', models.ForeignKey(db_index=False, on_delete=django.db.models.deletion.PROTECT, related_name='+', to='games.game')),
                ('player', models.ForeignKey(db_index=False, on_delete=django.db.models.deletion.PROTECT, related_name='+', to='games.player')),
                ('opponent', models.ForeignKey(db_index=False, on_delete=django.db.models.deletion.PROTECT, related_name='+', to='games.player')),
                ('seat', models.CharField(max_length=6)),
                ('before', models.IntegerField()),
                ('opponent_before', models.IntegerField()),
                ('handicap_part', models.IntegerField()),
                ('expected', models.IntegerField()),
                ('k', models.IntegerField()),
                ('score', models.IntegerField()),
                ('share', models.BigIntegerField()),
                ('after', models.IntegerField()),
            ],
        ),
        migrations.CreateModel(
            name='PublishedList',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('pool', models.ForeignKey(db_index=False, on_delete=django.db.models.deletion.PROTECT, related_name='published_lists', to='ratings.pool')),
                ('published_on', models.DateField()),
                ('published_at', models.DateTimeField(default=django.utils.timezone.now)),
                ('run', models.ForeignKey(db_index=False, on_delete=django.db.models.deletion.PROTECT, related_name='+', to='ratings.run')),
                ('preset', models.CharField(max_length=24)),
                ('parameters', models.JSONField(default=dict)),
                ('spread', models.PositiveSmallIntegerField(default=250)),
                ('players', models.PositiveIntegerField(default=0)),
                ('ratings_digest', models.CharField(blank=True, max_length=64)),
            ],
            options={
                'constraints': [models.UniqueConstraint(models.F('pool'), models.F('published_on'), name='one_list_a_day')],
            },
        ),
        migrations.CreateModel(
            name='Rating',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('pool', models.ForeignKey(db_index=False, on_delete=django.db.models.deletion.PROTECT, related_name='ratings', to='ratings.pool')),
                ('player', models.ForeignKey(on_delete=django.db.models.deletion.PROTECT, related_name='ratings', to='games.player')),
                ('run', models.ForeignKey(db_index=False, on_delete=django.db.models.deletion.PROTECT, related_name='+', to='ratings.run')),
                ('rating', models.IntegerField()),
                ('games', models.PositiveIntegerField()),
                ('last_game_at', models.DateTimeField()),
                ('state', models.JSONField(blank=True, null=True)),
            ],
            options={
                'indexes': [models.Index(models.F('pool'), models.OrderBy(models.F('rating'), descending=True), models.F('player'), name='rating_place')],
                'constraints': [models.UniqueConstraint(models.F('pool'), models.F('player'), name='one_rating_a_pool')],
            },
        ),
        migrations.CreateModel(
            name='RunRating',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('pool', models.ForeignKey(db_index=False, on_delete=django.db.models.deletion.PROTECT, related_name='+', to='ratings.pool')),
                ('run', models.ForeignKey(db_index=False, on_delete=django.db.models.deletion.PROTECT, related_name='ratings', to='ratings.run')),
                ('player', models.ForeignKey(db_index=False, on_delete=django.db.models.deletion.PROTECT, related_name='+', to='games.player')),
                ('rating', models.IntegerField(blank=True, null=True)),
                ('games', models.PositiveIntegerField(default=0)),
            ],
            options={
                'indexes': [models.Index(fields=['pool', 'player', 'run'], name='run_ratings_of_player')],
                'constraints': [models.UniqueConstraint(models.F('pool'), models.F('run'), models.F('player'), name='rating_once_a_run')],
            },
        ),
        migrations.CreateModel(
            name='ListedRating',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('published_list', models.ForeignKey(db_index=False, on_delete=django.db.models.deletion.PROTECT, related_name='ratings', to='ratings.publishedlist')),
                ('player', models.ForeignKey(on_delete=django.db.models.deletion.PROTECT, related_name='+', to='games.player')),
                ('rank', models.PositiveIntegerField()),
                ('rating', models.IntegerField()),
                ('games', models.PositiveIntegerField()),
                ('last_game_at', models.DateTimeField()),
            ],
            options={
                'indexes': [models.Index(models.F('published_list'), models.OrderBy(models.F('rating'), descending=True), models.F('player'), name='place_on_published_list')],
                'constraints': [models.UniqueConstraint(models.F('published_list'), models.F('player'), name='listed_once')],
            },
        ),
        migrations.AddField(
            model_name='pool',
            name='current_run',
            field=models.ForeignKey(blank=True, null=True, on_delete=django.db.models.deletion.PROTECT, related_name='+', to='ratings.run'),
        ),
        migrations.AddField(
            model_name='batch',
            name='run',
            field=models.ForeignKey(blank=True, db_index=False, null=True, on_delete=django.db.models.deletion.PROTECT, related_name='+', to='ratings.run'),
        ),
        migrations.AddIndex(
            model_name='batch',
            index=models.Index(fields=['pool', 'run'], name='batch_of_run'),
        ),
        migrations.RunPython(create_star_pool, migrations.RunPython.noop),
    ]
