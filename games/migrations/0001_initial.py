import django.db.models.deletion
import django.utils.timezone
import games.models.fields
from django.conf import settings
from django.db import migrations, models


class Migration(migrations.Migration):

    initial = True

    dependencies = [
        ('auth', '0012_alter_user_first_name_max_length'),
    ]

    operations = [
        migrations.CreateModel(
            name='Game',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('stream', models.CharField(blank=True, max_length=120)),
                ('event', models.CharField(blank=True, max_length=120)),
                ('round', models.CharField(blank=True, max_length=12)),
                ('game', models.CharField(max_length=32)),
                ('board', models.CharField(max_length=12)),
                ('options', models.JSONField(blank=True, default=list)),
                ('swap', models.BooleanField(default=True)),
                ('handicap', models.JSONField(blank=True, null=True)),
                ('advice', models.CharField(blank=True, max_length=6)),
                ('main_minutes', models.PositiveSmallIntegerField(blank=True, help_text='of each player; null: not stated', null=True)),
                ('increment_seconds', models.PositiveSmallIntegerField(default=0, help_text='of each move')),
                ('rated', models.BooleanField(default=True)),
                ('pool', models.CharField(blank=True, help_text='the code, of a casual game', max_length=40)),
                ('proposed_by', models.CharField(blank=True, help_text='the seat', max_length=6)),
                ('consented', models.BooleanField(default=False, help_text='both players agreed beforehand that the game is rated')),
                ('public', models.BooleanField(default=True)),
                ('confirm_hours', models.PositiveSmallIntegerField(default=24)),
                ('closed', models.BooleanField(default=False, help_text='the event is final or cancelled')),
                ('void', models.BooleanField(default=False, help_text='not in the current pairings of its round: hidden and not rated')),
                ('handicap_table', models.CharField(blank=True, max_length=12)),
                ('first_rating', models.IntegerField(blank=True, null=True)),
                ('first_games', models.PositiveIntegerField(blank=True, null=True)),
                ('second_rating', models.IntegerField(blank=True, null=True)),
                ('second_games', models.PositiveIntegerField(blank=True, null=True)),
                ('played_on', models.DateField(blank=True, null=True)),
                ('created_at', models.DateTimeField(default=django.utils.timezone.now)),
                ('accepted_at', models.DateTimeField(blank=True, help_text='the proposal', null=True)),
                ('state', models.CharField(choices=[('proposed', 'Proposed'), ('declined', 'Declined'), ('cancelled', 'Cancelled'), ('expired', 'Expired'), ('open', 'Open'), ('waiting', 'Waiting'), ('disputed', 'Disputed'), ('confirmed', 'Confirmed'), ('annulled', 'Annulled')], default='open', max_length=10)),
                ('basis', models.CharField(blank=True, choices=[('proof', 'Proof'), ('agreement', 'Agreement'), ('ruling', 'Ruling')], max_length=10)),
                ('termination', models.CharField(blank=True, max_length=16)),
                ('winner', models.CharField(blank=True, max_length=6)),
                ('draw', models.BooleanField(default=False)),
                ('score_first', models.IntegerField(blank=True, null=True)),
                ('score_second', models.IntegerField(blank=True, null=True)),
                ('dispute', models.CharField(blank=True, max_length=240)),
                ('adjourned', models.BooleanField(default=False, help_text='to be continued; in pairings it counts as a draw until then')),
                ('confirm_by', models.DateTimeField(blank=True, null=True)),
                ('confirmed_at', models.DateTimeField(blank=True, null=True)),
                ('attempts', models.PositiveSmallIntegerField(default=0)),
            ],
        ),
        migrations.CreateModel(
            name='JournalHead',
            fields=[
                ('stream', models.CharField(max_length=120, primary_key=True, serialize=False)),
                ('sequence', models.PositiveBigIntegerField(default=0)),
                ('digest', models.CharField(blank=True, max_length=64)),
            ],
        ),
        migrations.CreateModel(
            name='JournalLine',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('stream', models.CharField(max_length=120)),
                ('sequence', models.PositiveBigIntegerField()),
                ('previous', models.CharField(blank=True, max_length=64)),
                ('digest', models.CharField(max_length=64)),
                ('actor', models.CharField(max_length=80)),
                ('at', models.DateTimeField()),
                ('kind', models.CharField(max_length=48)),
                ('payload_digest', models.CharField(max_length=64)),
            ],
        ),
        migrations.CreateModel(
            name='Merge',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('followed', models.JSONField(default=list, help_text='ids of players merged into `merged` before, who follow')),
                ('schemes', models.JSONField(default=list, help_text='external ids that `keep` gained')),
                ('has_moved_account', models.BooleanField(default=False)),
                ('created_at', models.DateTimeField(default=django.utils.timezone.now)),
                ('undone_at', models.DateTimeField(blank=True, null=True)),
            ],
        ),
        migrations.CreateModel(
            name='NextMove',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('key', models.BigIntegerField()),
                ('move', models.CharField(blank=True, max_length=200)),
                ('games', models.PositiveIntegerField()),
                ('wins', models.PositiveIntegerField()),
                ('draws', models.PositiveIntegerField()),
                ('losses', models.PositiveIntegerField()),
                ('rating', models.IntegerField(null=True)),
                ('last_played_on', models.DateField(null=True)),
            ],
        ),
        migrations.CreateModel(
            name='OpeningTurn',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('key', models.BigIntegerField()),
                ('ply', models.PositiveSmallIntegerField()),
                ('move', models.CharField(blank=True, max_length=200)),
            ],
        ),
        migrations.CreateModel(
            name='Player',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('name', models.CharField(max_length=120)),
                ('folded_name', games.models.fields.FoldedField(editable=False, max_length=240, source='name')),
                ('country', models.CharField(blank=True, max_length=3)),
                ('club', models.CharField(blank=True, max_length=120)),
                ('birth_year', models.PositiveSmallIntegerField(blank=True, help_text='only the year', null=True)),
                ('sex', models.CharField(blank=True, choices=[('m', 'Male'), ('w', 'Female')], max_length=1)),
                ('seed_rating', models.PositiveIntegerField(blank=True, help_text='whole points', null=True)),
                ('external_ids', models.JSONField(blank=True, default=dict)),
                ('created_at', models.DateTimeField(default=django.utils.timezone.now)),
            ],
        ),
        migrations.CreateModel(
            name='Report',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('version', models.PositiveIntegerField()),
                ('kind', models.CharField(choices=[('record', 'Record'), ('claim', 'Claim'), ('confirmation', 'Confirmation'), ('dispute', 'Dispute'), ('slip', 'Slip'), ('ruling', 'Ruling'), ('annulment', 'Annulment'), ('adjournment', 'Adjournment'), ('revocation', 'Revocation')], max_length=12)),
                ('seat', models.CharField(blank=True, help_text="empty for an arbiter's", max_length=6)),
                ('device', models.CharField(choices=[('player', 'Player'), ('director', 'Director')], default='director', max_length=8)),
                ('record', models.TextField(blank=True, help_text='as text, with names and comments')),
                ('digest', models.CharField(blank=True, max_length=71)),
                ('outcome', models.JSONField(blank=True, default=dict, help_text='a GameOutcome as JSON')),
                ('reason', models.TextField(blank=True)),
                ('received_at', models.DateTimeField(default=django.utils.timezone.now)),
                ('settled_at', models.DateTimeField(blank=True, null=True)),
            ],
        ),
        migrations.CreateModel(
            name='Role',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('stream', models.CharField(max_length=120)),
                ('role', models.CharField(choices=[('owner', 'Owner'), ('director', 'Director'), ('scorer', 'Scorer'), ('rating-officer', 'Rating Officer')], max_length=16)),
            ],
        ),
        migrations.CreateModel(
            name='StoneBitmap',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('key', models.BigIntegerField()),
                ('place', models.PositiveSmallIntegerField()),
                ('block', models.PositiveIntegerField()),
                ('bits', models.BinaryField()),
            ],
        ),
        migrations.CreateModel(
            name='StoredResponse',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('key_digest', models.CharField(max_length=64)),
                ('request_digest', models.CharField(max_length=64)),
                ('status', models.PositiveSmallIntegerField(default=0)),
                ('headers', models.JSONField(default=dict)),
                ('content', models.BinaryField(default=bytes)),
                ('size', models.PositiveIntegerField(default=0, help_text='bytes of the content')),
                ('created_at', models.DateTimeField(db_index=True, default=django.utils.timezone.now)),
            ],
        ),
        migrations.CreateModel(
            name='Token',
            fields=[
                ('digest', models.CharField(max_length=128, primary_key=True, serialize=False)),
                ('token_key', models.CharField(db_index=True, max_length=25)),
                ('created', models.DateTimeField(auto_now_add=True)),
                ('expiry', models.DateTimeField(blank=True, null=True)),
                ('name', models.CharField(blank=True, max_length=80)),
                ('preconditions', models.CharField(choices=[('required', 'Required'), ('optional', 'Optional')], default='required', max_length=8)),
                ('scopes', models.JSONField(default=list)),
                ('stream', models.CharField(blank=True, max_length=120)),
                ('last_used_at', models.DateTimeField(blank=True, null=True)),
            ],
            options={
                'abstract': False,
            },
        ),
        migrations.CreateModel(
            name='Upload',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('task', models.CharField(max_length=80)),
                ('action', models.CharField(max_length=40)),
                ('stream', models.CharField(blank=True, max_length=120)),
                ('parameters', models.JSONField(blank=True, default=dict)),
                ('content', models.BinaryField()),
                ('created_at', models.DateTimeField(default=django.utils.timezone.now)),
                ('attempts', models.PositiveSmallIntegerField(default=0)),
                ('finished_at', models.DateTimeField(blank=True, null=True)),
                ('result', models.JSONField(blank=True, null=True)),
                ('location', models.CharField(blank=True, max_length=160)),
                ('problem', models.JSONField(blank=True, null=True)),
            ],
        ),
        migrations.CreateModel(
            name='Account',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('password', models.CharField(max_length=128, verbose_name='password')),
                ('last_login', models.DateTimeField(blank=True, null=True, verbose_name='last login')),
                ('is_superuser', models.BooleanField(default=False, help_text='Designates that this user has all permissions without explicitly assigning them.', verbose_name='superuser status')),
                ('email', models.EmailField(blank=True, max_length=254, null=True, unique=True)),
                ('name', models.CharField(blank=True, max_length=120)),
                ('is_active', models.BooleanField(default=True)),
                ('is_staff', models.BooleanField(default=False)),
                ('created_at', models.DateTimeField(default=django.utils.timezone.now)),
                ('logouts', models.PositiveIntegerField(default=0, help_text='how often all sessions were ended; part of what a session proves')),
                ('groups', models.ManyToManyField(blank=True, help_text='The groups this user belongs to. A user will get all permissions granted to each of their groups.', related_name='user_set', related_query_name='user', to='auth.group', verbose_name='groups')),
                ('user_permissions', models.ManyToManyField(blank=True, help_text='Specific permissions for this user.', related_name='user_set', related_query_name='user', to='auth.permission', verbose_name='user permissions')),
            ],
            options={
                'abstract': False,
            },
        ),
        migrations.CreateModel(
            name='Claim',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('state', models.CharField(choices=[('open', 'Open'), ('accepted', 'Accepted'), ('refused', 'Refused')], default='open', max_length=10)),
                ('reason', models.CharField(blank=True, help_text='of the decision', max_length=240)),
                ('decided_at', models.DateTimeField(blank=True, null=True)),
                ('created_at', models.DateTimeField(default=django.utils.timezone.now)),
                ('account', models.ForeignKey(on_delete=django.db.models.deletion.CASCADE, related_name='claims', to=settings.AUTH_USER_MODEL)),
                ('decided_by', models.ForeignKey(blank=True, null=True, on_delete=django.db.models.deletion.SET_NULL, related_name='+', to=settings.AUTH_USER_MODEL)),
            ],
        ),
        migrations.CreateModel(
            name='EmailLink',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('kind', models.CharField(choices=[('sign-up', 'Sign Up'), ('password', 'Password'), ('invitation', 'Invitation'), ('proposal', 'Proposal'), ('acceptance', 'Acceptance')], max_length=12)),
                ('email', models.EmailField(max_length=254)),
                ('name', models.CharField(blank=True, max_length=120)),
                ('stream', models.CharField(blank=True, help_text='of an invitation or a game', max_length=120)),
                ('role', models.CharField(blank=True, choices=[('owner', 'Owner'), ('director', 'Director'), ('scorer', 'Scorer'), ('rating-officer', 'Rating Officer')], max_length=16)),
                ('created_at', models.DateTimeField(default=django.utils.timezone.now)),
                ('expires_at', models.DateTimeField()),
                ('sends', models.PositiveSmallIntegerField(default=1, help_text='messages requested so far')),
                ('attempts', models.PositiveSmallIntegerField(default=0, help_text='to send the last message')),
                ('sent_at', models.DateTimeField(blank=True, null=True)),
                ('used_at', models.DateTimeField(blank=True, null=True)),
                ('revoked_at', models.DateTimeField(blank=True, null=True)),
                ('by', models.ForeignKey(blank=True, null=True, on_delete=django.db.models.deletion.CASCADE, related_name='+', to=settings.AUTH_USER_MODEL)),
            ],
        ),
        migrations.CreateModel(
            name='IndexedGame',
            fields=[
                ('game', models.OneToOneField(on_delete=django.db.models.deletion.CASCADE, primary_key=True, related_name='indexed', serialize=False, to='games.game')),
                ('record_number', models.BigIntegerField()),
                ('public', models.BooleanField()),
            ],
        ),
        migrations.CreateModel(
            name='JournalPayload',
            fields=[
                ('line', models.OneToOneField(on_delete=django.db.models.deletion.CASCADE, primary_key=True, related_name='payload', serialize=False, to='games.journalline')),
                ('body', models.JSONField()),
            ],
        ),
        migrations.AddConstraint(
            model_name='journalline',
            constraint=models.UniqueConstraint(models.F('stream'), models.F('sequence'), name='journal_sequence'),
        ),
        migrations.AddField(
            model_name='merge',
            name='by',
            field=models.ForeignKey(null=True, on_delete=django.db.models.deletion.SET_NULL, related_name='+', to=settings.AUTH_USER_MODEL),
        ),
        migrations.AddConstraint(
            model_name='nextmove',
            constraint=models.UniqueConstraint(models.F('key'), models.F('move'), name='next_move_once'),
        ),
        migrations.AddField(
            model_name='openingturn',
            name='game',
            field=models.ForeignKey(on_delete=django.db.models.deletion.CASCADE, related_name='opening_turns', to='games.game'),
        ),
        migrations.AddField(
            model_name='player',
            name='account',
            field=models.OneToOneField(blank=True, null=True, on_delete=django.db.models.deletion.SET_NULL, related_name='player', to=settings.AUTH_USER_MODEL),
        ),
        migrations.AddField(
            model_name='player',
            name='merged_into',
            field=models.ForeignKey(blank=True, null=True, on_delete=django.db.models.deletion.PROTECT, related_name='merged', to='games.player'),
        ),
        migrations.AddField(
            model_name='player',
            name='registered_by',
            field=models.ForeignKey(blank=True, null=True, on_delete=django.db.models.deletion.SET_NULL, related_name='+', to=settings.AUTH_USER_MODEL),
        ),
        migrations.AddField(
            model_name='merge',
            name='keep',
            field=models.ForeignKey(on_delete=django.db.models.deletion.PROTECT, related_name='merges_kept', to='games.player'),
        ),
        migrations.AddField(
            model_name='merge',
            name='merged',
            field=models.ForeignKey(on_delete=django.db.models.deletion.PROTECT, related_name='merges', to='games.player'),
        ),
        migrations.AddField(
            model_name='game',
            name='first',
            field=models.ForeignKey(on_delete=django.db.models.deletion.PROTECT, related_name='games_as_first', to='games.player'),
        ),
        migrations.AddField(
            model_name='game',
            name='second',
            field=models.ForeignKey(on_delete=django.db.models.deletion.PROTECT, related_name='games_as_second', to='games.player'),
        ),
        migrations.AddField(
            model_name='claim',
            name='player',
            field=models.ForeignKey(on_delete=django.db.models.deletion.CASCADE, related_name='claims', to='games.player'),
        ),
        migrations.AddField(
            model_name='report',
            name='by',
            field=models.ForeignKey(null=True, on_delete=django.db.models.deletion.SET_NULL, related_name='reports', to=settings.AUTH_USER_MODEL),
        ),
        migrations.AddField(
            model_name='report',
            name='confirms',
            field=models.ForeignKey(blank=True, null=True, on_delete=django.db.models.deletion.PROTECT, to='games.report'),
        ),
        migrations.AddField(
            model_name='report',
            name='game',
            field=models.ForeignKey(on_delete=django.db.models.deletion.CASCADE, related_name='reports', to='games.game'),
        ),
        migrations.AddField(
            model_name='game',
            name='record',
            field=models.ForeignKey(blank=True, null=True, on_delete=django.db.models.deletion.PROTECT, related_name='+', to='games.report'),
        ),
        migrations.AddField(
            model_name='role',
            name='account',
            field=models.ForeignKey(on_delete=django.db.models.deletion.CASCADE, related_name='roles', to=settings.AUTH_USER_MODEL),
        ),
        migrations.AddConstraint(
            model_name='stonebitmap',
            constraint=models.UniqueConstraint(models.F('key'), models.F('place'), models.F('block'), name='stone_bitmap_once'),
        ),
        migrations.AddField(
            model_name='storedresponse',
            name='account',
            field=models.ForeignKey(on_delete=django.db.models.deletion.CASCADE, related_name='+', to=settings.AUTH_USER_MODEL),
        ),
        migrations.AddField(
            model_name='token',
            name='issued_by',
            field=models.ForeignKey(null=True, on_delete=django.db.models.deletion.SET_NULL, related_name='tokens_issued', to=settings.AUTH_USER_MODEL),
        ),
        migrations.AddField(
            model_name='token',
            name='user',
            field=models.ForeignKey(on_delete=django.db.models.deletion.CASCADE, related_name='auth_token_set', to=settings.AUTH_USER_MODEL),
        ),
        migrations.AddField(
            model_name='upload',
            name='by',
            field=models.ForeignKey(on_delete=django.db.models.deletion.CASCADE, related_name='uploads', to=settings.AUTH_USER_MODEL),
        ),
        migrations.AddIndex(
            model_name='emaillink',
            index=models.Index(fields=['email', 'kind'], name='games_email_email_672cd9_idx'),
        ),
        migrations.AddIndex(
            model_name='emaillink',
            index=models.Index(fields=['stream', 'id'], name='games_email_stream_131c73_idx'),
        ),
        migrations.AddIndex(
            model_name='emaillink',
            index=models.Index(condition=models.Q(('sent_at__isnull', True)), fields=['created_at'], name='email_due'),
        ),
        migrations.AddConstraint(
            model_name='openingturn',
            constraint=models.UniqueConstraint(models.F('key'), models.F('game'), name='opening_turn_once'),
        ),
        migrations.AddIndex(
            model_name='player',
            index=models.Index(fields=['folded_name', 'id'], name='games_playe_folded__349749_idx'),
        ),
        migrations.AddConstraint(
            model_name='claim',
            constraint=models.UniqueConstraint(condition=models.Q(('state', 'open')), fields=('player', 'account'), name='one_open_claim'),
        ),
        migrations.AddIndex(
            model_name='report',
            index=models.Index(condition=models.Q(('settled_at__isnull', True)), fields=['received_at'], name='report_due'),
        ),
        migrations.AddIndex(
            model_name='report',
            index=models.Index(condition=models.Q(('digest', ''), _negated=True), fields=['digest'], name='report_digest'),
        ),
        migrations.AddConstraint(
            model_name='report',
            constraint=models.UniqueConstraint(models.F('game'), models.F('version'), name='report_version'),
        ),
        migrations.AddIndex(
            model_name='game',
            index=models.Index(fields=['stream', 'state'], name='games_game_stream_3bbb4e_idx'),
        ),
        migrations.AddIndex(
            model_name='game',
            index=models.Index(fields=['first', 'id'], name='games_game_first_i_693f6d_idx'),
        ),
        migrations.AddIndex(
            model_name='game',
            index=models.Index(fields=['second', 'id'], name='games_game_second__37c2c9_idx'),
        ),
        migrations.AddIndex(
            model_name='game',
            index=models.Index(condition=models.Q(('state', 'waiting')), fields=['confirm_by'], name='game_due'),
        ),
        migrations.AddIndex(
            model_name='game',
            index=models.Index(condition=models.Q(('state', 'proposed')), fields=['created_at'], name='game_proposed'),
        ),
        migrations.AddIndex(
            model_name='game',
            index=models.Index(condition=models.Q(('accepted_at__isnull', False), ('state', 'open')), fields=['accepted_at'], name='game_accepted'),
        ),
        migrations.AddIndex(
            model_name='game',
            index=models.Index(condition=models.Q(('attempts__gte', 5)), fields=['id'], name='game_given_up'),
        ),
        migrations.AddConstraint(
            model_name='game',
            constraint=models.CheckConstraint(condition=models.Q(('winner__in', ['', 'first', 'second'])), name='winner'),
        ),
        migrations.AddConstraint(
            model_name='game',
            constraint=models.CheckConstraint(condition=models.Q(('winner', ''), ('draw', False), _connector='OR'), name='no_winner_of_a_draw'),
        ),
        migrations.AddConstraint(
            model_name='role',
            constraint=models.UniqueConstraint(models.F('stream'), models.F('account'), models.F('role'), name='role_once'),
        ),
        migrations.AddConstraint(
            model_name='storedresponse',
            constraint=models.UniqueConstraint(models.F('account'), models.F('key_digest'), name='key_once'),
        ),
        migrations.AddIndex(
            model_name='upload',
            index=models.Index(condition=models.Q(('finished_at__isnull', True)), fields=['created_at'], name='uploads_due'),
        ),
        migrations.AddConstraint(
            model_name='upload',
            constraint=models.CheckConstraint(condition=models.Q(models.Q(('finished_at__isnull', True), ('problem__isnull', True)), models.Q(('finished_at__isnull', False), ('problem__isnull', True), ('result__isnull', False)), models.Q(('finished_at__isnull', False), ('problem__isnull', False), ('result__isnull', True)), _connector='OR'), name='finished_with_one_outcome'),
        ),
    ]
