
import django.db.models.deletion
import django.utils.timezone
from django.conf import settings
from django.db import migrations, models


class Migration(migrations.Migration):

    initial = True

    dependencies = [
        ('games', '0001_initial'),
        migrations.swappable_dependency(settings.AUTH_USER_MODEL),
    ]

    operations = [
        migrations.CreateModel(
            name='Round',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('number', models.PositiveSmallIntegerField()),
                ('state', models.CharField(choices=[('planned', 'Planned'), ('drafted', 'Drafted'), ('published', 'Published'), ('complete', 'Complete'), ('locked', 'Locked')], default='planned', max_length=10)),
                ('version', models.PositiveSmallIntegerField(default=0)),
                ('system', models.CharField(blank=True, help_text='the pairing system, or by-hand', max_length=24)),
                ('reason', models.CharField(blank=True, help_text='why it was set by hand or relaxed', max_length=240)),
                ('notes', models.JSONField(blank=True, default=list, help_text='findings of the system for players, by entry')),
                ('relaxed', models.JSONField(blank=True, default=list, help_text='the rules that the organiser relaxed')),
                ('starts_on', models.DateField(blank=True, null=True)),
                ('start_time', models.TimeField(blank=True, help_text='on that day, in the time zone of the event', null=True)),
                ('published_at', models.DateTimeField(blank=True, null=True)),
                ('completed_at', models.DateTimeField(blank=True, null=True)),
            ],
        ),
        migrations.CreateModel(
            name='Entry',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('state', models.CharField(choices=[('applied', 'Applied'), ('accepted', 'Accepted'), ('refused', 'Refused'), ('waiting', 'Waiting'), ('withdrawn', 'Withdrawn')], default='accepted', max_length=10)),
                ('seed_rating', models.PositiveIntegerField(default=0, help_text='whole points; 0 is unrated')),
                ('pairing_number', models.PositiveIntegerField(blank=True, null=True)),
                ('lot', models.PositiveIntegerField(blank=True, help_text='the drawn number if pairing numbers are drawn by lot', null=True)),
                ('consented_at', models.DateTimeField(blank=True, help_text='when the player agreed that their next games are rated', null=True)),
                ('first_round', models.PositiveSmallIntegerField(default=1, help_text='the first round that can pair this entry')),
                ('last_round', models.PositiveSmallIntegerField(blank=True, help_text='the last round that can pair it; null: every round', null=True)),
                ('checked_in_round', models.PositiveSmallIntegerField(blank=True, help_text='the round before which the player checked in', null=True)),
                ('published_state', models.CharField(blank=True, choices=[('applied', 'Applied'), ('accepted', 'Accepted'), ('refused', 'Refused'), ('waiting', 'Waiting'), ('withdrawn', 'Withdrawn')], help_text='when a round was last published, or at the start', max_length=10)),
                ('published_number', models.PositiveIntegerField(blank=True, help_text='the pairing number at that time; null for a later entry', null=True)),
                ('birth_year', models.PositiveSmallIntegerField(blank=True, help_text='only the year', null=True)),
                ('sex', models.CharField(blank=True, max_length=1)),
                ('title', models.CharField(blank=True, help_text='a FIDE title: GM, WFM, ...', max_length=3)),
                ('category', models.CharField(blank=True, help_text='a category of prize groups', max_length=40)),
                ('club', models.CharField(blank=True, help_text='in this event; empty: the club of the player', max_length=120)),
                ('entered_at', models.DateTimeField(default=django.utils.timezone.now)),
                ('player', models.ForeignKey(on_delete=django.db.models.deletion.PROTECT, related_name='entries', to='games.player')),
            ],
            options={
                'verbose_name_plural': 'entries',
            },
        ),
        migrations.CreateModel(
            name='PersonalLink',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('version', models.PositiveIntegerField(default=1)),
                ('issued_at', models.DateTimeField(default=django.utils.timezone.now)),
                ('revoked_at', models.DateTimeField(blank=True, null=True)),
                ('entry', models.OneToOneField(on_delete=django.db.models.deletion.CASCADE, related_name='link', to='tournament.entry')),
                ('issued_by', models.ForeignKey(on_delete=django.db.models.deletion.CASCADE, related_name='+', to=settings.AUTH_USER_MODEL)),
            ],
        ),
        migrations.CreateModel(
            name='Certificate',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('version', models.PositiveSmallIntegerField()),
                ('text', models.TextField()),
                ('input_digest', models.CharField(max_length=71)),
                ('output_digest', models.CharField(max_length=71)),
                ('entries', models.JSONField()),
                ('made_at', models.DateTimeField(default=django.utils.timezone.now)),
                ('round', models.ForeignKey(on_delete=django.db.models.deletion.CASCADE, related_name='certificates', to='tournament.round')),
            ],
        ),
        migrations.CreateModel(
            name='Snapshot',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('digest', models.CharField(max_length=71)),
                ('body', models.JSONField()),
                ('taken_at', models.DateTimeField(default=django.utils.timezone.now)),
                ('round', models.OneToOneField(on_delete=django.db.models.deletion.CASCADE, related_name='snapshot', to='tournament.round')),
            ],
        ),
        migrations.CreateModel(
            name='Tournament',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('slug', models.SlugField(max_length=80, unique=True)),
                ('name', models.CharField(max_length=120)),
                ('place', models.CharField(blank=True, max_length=120)),
                ('country', models.CharField(blank=True, max_length=3)),
                ('starts_on', models.DateField()),
                ('ends_on', models.DateField()),
                ('time_zone', models.CharField(default='UTC', max_length=64)),
                ('arbiter', models.CharField(blank=True, max_length=120)),
                ('time_control', models.CharField(blank=True, max_length=120)),
                ('state', models.CharField(choices=[('draft', 'Draft'), ('registration', 'Registration'), ('running', 'Running'), ('review', 'Review'), ('final', 'Final'), ('archived', 'Archived'), ('cancelled', 'Cancelled')], default='draft', max_length=12)),
                ('public', models.BooleanField(default=True)),
                ('game', models.CharField(max_length=32)),
                ('board', models.CharField(max_length=12)),
                ('options', models.JSONField(blank=True, default=list)),
                ('swap', models.BooleanField(default=True)),
                ('rated', models.BooleanField(default=True)),
                ('pool', models.CharField(blank=True, max_length=40)),
                ('seed_source', models.CharField(choices=[('given', 'Given'), ('pool', 'Pool')], default='given', max_length=5)),
                ('confirm_hours', models.PositiveSmallIntegerField(default=24)),
                ('handicaps', models.CharField(choices=[('none', 'None'), ('recommended', 'Recommended'), ('by_hand', 'By Hand')], default='none', max_length=11)),
                ('handicap_share', models.PositiveSmallIntegerField(default=100, help_text='how much of the rating difference is given, in percent')),
                ('handicap_cap', models.PositiveSmallIntegerField(blank=True, help_text='the most stones or points to recommend', null=True)),
                ('handicap_kinds', models.JSONField(blank=True, default=list, help_text='what to recommend; empty: all that have a value')),
                ('system', models.CharField(max_length=24)),
                ('system_options', models.JSONField(blank=True, default=dict, help_text='options of the system, as in `rules/systems`')),
                ('separations', models.JSONField(blank=True, default=list, help_text='pairs to avoid, the most important preference first')),
                ('balance_seats', models.BooleanField(default=True, help_text='false if seats do not matter')),
                ('rounds', models.PositiveSmallIntegerField()),
                ('games_per_pairing', models.PositiveSmallIntegerField(default=1, help_text='1, or 2 with exchanged seats')),
                ('points', models.JSONField(blank=True, default=dict, help_text='by result; empty is 1, ½, 0')),
                ('tiebreaks', models.JSONField(default=list)),
                ('initial_seat', models.CharField(default='first', max_length=6)),
                ('half_byes', models.PositiveSmallIntegerField(default=1, help_text='how many a player may have')),
                ('half_byes_until_round', models.PositiveSmallIntegerField(blank=True, help_text='the last round that can have one; null: every round', null=True)),
                ('missed_rounds', models.CharField(choices=[('zero', 'Zero'), ('half', 'Half')], default='zero', help_text='of a late entry', max_length=4)),
                ('places', models.PositiveIntegerField(blank=True, help_text='of accepted entries; null: no limit', null=True)),
                ('fills_places', models.BooleanField(default=False, help_text='before the start, the first of the waiting list gets a free place')),
                ('application_key', models.CharField(blank=True, help_text='of the link with which people apply without a login', max_length=32)),
                ('check_in', models.CharField(choices=[('none', 'None'), ('event', 'Event'), ('round', 'Round')], default='none', max_length=5)),
                ('prizes', models.JSONField(blank=True, default=list, help_text='groups, in order of priority')),
                ('draw_seed', models.CharField(help_text='the seed of every random draw', max_length=64)),
                ('created_at', models.DateTimeField(default=django.utils.timezone.now)),
                ('changed_at', models.DateTimeField(auto_now=True)),
                ('finalised_at', models.DateTimeField(blank=True, null=True)),
                ('created_by', models.ForeignKey(null=True, on_delete=django.db.models.deletion.SET_NULL, related_name='+', to=settings.AUTH_USER_MODEL)),
            ],
        ),
        migrations.AddField(
            model_name='round',
            name='tournament',
            field=models.ForeignKey(on_delete=django.db.models.deletion.CASCADE, related_name='round_set', to='tournament.tournament'),
        ),
        migrations.CreateModel(
            name='Pairing',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('version', models.PositiveSmallIntegerField()),
                ('board_number', models.PositiveIntegerField(blank=True, null=True)),
                ('kind', models.CharField(choices=[('game', 'Game'), ('pairing-bye', 'Pairing Bye'), ('half-bye', 'Half Bye'), ('zero-bye', 'Zero Bye'), ('full-bye', 'Full Bye'), ('free', 'Free')], default='game', max_length=12)),
                ('by_hand', models.BooleanField(default=False, help_text="different from the engine's pairing")),
                ('handicap', models.CharField(blank=True, help_text='as second 3 stones, or first move; empty for none', max_length=20)),
                ('handicap_reason', models.CharField(blank=True, help_text='why a director chose the handicap', max_length=240)),
                ('recommended', models.JSONField(blank=True, help_text='the recommended handicap, and how it was computed', null=True)),
                ('awarded_for', models.CharField(blank=True, help_text='the result, as loss/loss or pairing-bye', max_length=30)),
                ('awarded_first', models.IntegerField(blank=True, help_text='null: the points of the result', null=True)),
                ('awarded_second', models.IntegerField(blank=True, help_text='null: the points of the result', null=True)),
                ('first', models.ForeignKey(on_delete=django.db.models.deletion.PROTECT, related_name='pairings_as_first', to='tournament.entry')),
                ('game', models.ForeignKey(blank=True, null=True, on_delete=django.db.models.deletion.PROTECT, related_name='pairings', to='games.game')),
                ('return_game', models.ForeignKey(blank=True, null=True, on_delete=django.db.models.deletion.PROTECT, related_name='return_pairings', to='games.game')),
                ('second', models.ForeignKey(blank=True, null=True, on_delete=django.db.models.deletion.PROTECT, related_name='pairings_as_second', to='tournament.entry')),
                ('round', models.ForeignKey(on_delete=django.db.models.deletion.CASCADE, related_name='pairings', to='tournament.round')),
                ('tournament', models.ForeignKey(on_delete=django.db.models.deletion.CASCADE, related_name='pairings', to='tournament.tournament')),
            ],
        ),
        migrations.CreateModel(
            name='Explanation',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('lower', models.PositiveIntegerField(default=0)),
                ('higher', models.PositiveIntegerField(default=0)),
                ('body', models.JSONField(blank=True, null=True)),
                ('attempts', models.PositiveSmallIntegerField(default=0)),
                ('requested_at', models.DateTimeField(default=django.utils.timezone.now)),
                ('certificate', models.ForeignKey(on_delete=django.db.models.deletion.CASCADE, related_name='explanations', to='tournament.certificate')),
                ('tournament', models.ForeignKey(on_delete=django.db.models.deletion.CASCADE, related_name='+', to='tournament.tournament')),
            ],
        ),
        migrations.AddField(
            model_name='entry',
            name='tournament',
            field=models.ForeignKey(on_delete=django.db.models.deletion.CASCADE, related_name='entries', to='tournament.tournament'),
        ),
        migrations.AddField(
            model_name='certificate',
            name='tournament',
            field=models.ForeignKey(on_delete=django.db.models.deletion.CASCADE, related_name='certificates', to='tournament.tournament'),
        ),
        migrations.CreateModel(
            name='Bye',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('round', models.PositiveSmallIntegerField()),
                ('kind', models.CharField(choices=[('half-bye', 'Half'), ('zero-bye', 'Zero'), ('full-bye', 'Full')], max_length=10)),
                ('reason', models.CharField(blank=True, max_length=240)),
                ('requested_at', models.DateTimeField(default=django.utils.timezone.now)),
                ('entry', models.ForeignKey(on_delete=django.db.models.deletion.CASCADE, related_name='byes', to='tournament.entry')),
                ('tournament', models.ForeignKey(on_delete=django.db.models.deletion.CASCADE, related_name='byes', to='tournament.tournament')),
            ],
        ),
        migrations.AddIndex(
            model_name='tournament',
            index=models.Index(fields=['state', 'starts_on'], name='tournament__state_7341d9_idx'),
        ),
        migrations.AddConstraint(
            model_name='tournament',
            constraint=models.CheckConstraint(condition=models.Q(('ends_on__gte', models.F('starts_on'))), name='dates'),
        ),
        migrations.AddConstraint(
            model_name='tournament',
            constraint=models.CheckConstraint(condition=models.Q(('rounds__gte', 1)), name='has_a_round'),
        ),
        migrations.AddConstraint(
            model_name='tournament',
            constraint=models.CheckConstraint(condition=models.Q(('games_per_pairing__in', (1, 2))), name='one_or_two_games'),
        ),
        migrations.AddConstraint(
            model_name='round',
            constraint=models.UniqueConstraint(models.F('tournament'), models.F('number'), name='round_number'),
        ),
        migrations.AddConstraint(
            model_name='pairing',
            constraint=models.UniqueConstraint(models.F('tournament'), models.F('round'), models.F('version'), models.F('board_number'), name='one_pairing_a_board'),
        ),
        migrations.AddConstraint(
            model_name='pairing',
            constraint=models.UniqueConstraint(models.F('tournament'), models.F('round'), models.F('version'), models.F('first'), name='first_seat_once_a_round'),
        ),
        migrations.AddConstraint(
            model_name='pairing',
            constraint=models.UniqueConstraint(models.F('tournament'), models.F('round'), models.F('version'), models.F('second'), name='second_seat_once_a_round'),
        ),
        migrations.AddConstraint(
            model_name='pairing',
            constraint=models.UniqueConstraint(models.F('round'), models.F('version'), models.F('game'), name='game_once_a_version'),
        ),
        migrations.AddConstraint(
            model_name='pairing',
            constraint=models.UniqueConstraint(models.F('round'), models.F('version'), models.F('return_game'), name='return_game_once_a_version'),
        ),
        migrations.AddConstraint(
            model_name='pairing',
            constraint=models.CheckConstraint(condition=models.Q(models.Q(('board_number__isnull', False), ('kind', 'game'), ('second__isnull', False)), models.Q(models.Q(('kind', 'game'), _negated=True), ('second__isnull', True)), _connector='OR'), name='two_at_a_board_one_at_a_bye'),
        ),
        migrations.AddConstraint(
            model_name='explanation',
            constraint=models.UniqueConstraint(models.F('tournament'), models.F('certificate'), models.F('lower'), models.F('higher'), name='explained_once'),
        ),
        migrations.AddIndex(
            model_name='entry',
            index=models.Index(fields=['tournament', 'pairing_number'], name='tournament__tournam_e320a4_idx'),
        ),
        migrations.AddConstraint(
            model_name='entry',
            constraint=models.UniqueConstraint(models.F('tournament'), models.F('player'), name='player_enters_once'),
        ),
        migrations.AddConstraint(
            model_name='certificate',
            constraint=models.UniqueConstraint(models.F('tournament'), models.F('round'), models.F('version'), name='one_certificate'),
        ),
        migrations.AddConstraint(
            model_name='bye',
            constraint=models.UniqueConstraint(models.F('tournament'), models.F('entry'), models.F('round'), name='one_bye_a_round'),
        ),
    ]
