package langfuse

import (
	"context"
	"encoding/json"
	"errors"
	"io"
	"io/fs"
	"log/slog"
	"net/http"
	"path"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"almanac/internal/access/auth"
	"almanac/internal/access/secretbox"
	"almanac/internal/blob"
	"almanac/internal/catalog"
	"almanac/internal/domain"
	"almanac/internal/media"
	"almanac/internal/store"
	"almanac/internal/store/segment"
	"almanac/internal/transfer/importing"
	"almanac/test/importtest"
	"almanac/test/langfusetest"
)

func TestDecrypt(t *testing.T) {
	d, err := newDecrypter(langfusetest.EncryptionKey)
	if err != nil {
		t.Fatal(err)
	}
	good := langfusetest.Encrypt(t, "sk-openai")
	if plain, err := d.open(good); plain != "sk-openai" || err != nil {
		t.Errorf("%q, %v", plain, err)
	}
	for _, bad := range []string{"", "a:b", "xx:yy:zz", good + "00", good[:len(good)-2], ":" + good, "00" + good[2:], "::"} {
		if plain, err := d.open(bad); !errors.Is(err, errEncrypted) {
			t.Errorf("%q is %q, %v", bad, plain, err)
		}
	}
	none, err := newDecrypter("")
	if err != nil {
		t.Fatal(err)
	}
	if _, err := none.open(good); !errors.Is(err, errNoEncryptionKey) {
		t.Error(err)
	}
	for _, key := range []string{"abc", strings.Repeat("0b", 16), strings.Repeat("zz", 32)} {
		if _, err := newDecrypter(key); !errors.Is(err, errEncryptionKey) || strings.Contains(err.Error(), key) {
			t.Errorf("the key %q: %v", key, err)
		}
	}
}

// TestCamelCase checks that columns are named as in the API, also those that end with a digit.
func TestCamelCase(t *testing.T) {
	for column, want := range map[string]string{"id": "id", "created_at": "createdAt", "score_10": "score10", "a__b_c": "aBC"} {
		if got := same(column)[0].name; got != want {
			t.Errorf("%s is %s", column, got)
		}
		if got := string(camelCase(`{"` + column + `":0}`)); got != `{"`+want+`":0}` {
			t.Errorf("%s is in %s", column, got)
		}
	}
}

func TestPostgresAddress(t *testing.T) {
	address, shown, err := postgresAddress("postgresql://me:secret@db:5432/postgres?schema=lf&connection_limit=5&sslmode=require")
	if err != nil || shown != "postgresql://db:5432/postgres schema lf" {
		t.Errorf("%q, %v", shown, err)
	}
	if want := "postgresql://me:secret@db:5432/postgres?default_transaction_read_only=on&search_path=lf&sslmode=require"; address != want {
		t.Errorf("address %q", address)
	}
	for _, bad := range []string{"mysql://secret@db", "::secret", ""} {
		if _, _, err := postgresAddress(bad); err == nil || strings.Contains(err.Error(), "secret") {
			t.Errorf("%q: %v", bad, err)
		}
	}
}

// haven is the target of an import.
type haven struct {
	catalog *catalog.Catalog
	store   *segment.Store
	media   *media.Library
	box     *secretbox.Box
}

func newPlace(t *testing.T) *haven {
	c, events := importtest.Open(t)
	blobs, err := blob.OpenDirectory(t.TempDir())
	if err != nil {
		t.Fatal(err)
	}
	return &haven{c, events, &media.Library{Catalog: c, Blobs: blobs}, secretbox.New(secretbox.Key{})}
}

func (p *haven) run(t *testing.T, o DatabaseOptions, pages int) (map[string]importing.Report, error) {
	t.Helper()
	o.Secrets, o.Scope = p.box, domain.OfProject
	o.Here = func(ctx context.Context, id string) (bool, error) {
		_, err := p.catalog.Project(ctx, domain.OfProject(id))
		return err == nil, nil
	}
	source, err := OpenDatabase(t.Context(), o)
	if err != nil {
		t.Fatal(err)
	}
	defer source.Close()
	target := &importing.Target{
		Catalog: p.catalog, Events: importing.EventsOf(p.store), Media: p.media, Actor: domain.Actor{Kind: "cli"},
		Project: func(id string) (domain.ProjectScope, error) { return domain.OfProject(id), nil },
	}
	run := importing.Import{Source: source, Target: target}
	if pages > 0 {
		run.Source = &importtest.Cut{Source: source, Left: pages}
	}
	reports, err := run.Run(t.Context())
	byTable := make(map[string]importing.Report)
	for _, r := range reports {
		byTable[r.Table] = r
	}
	return byTable, err
}

func (p *haven) observations(t *testing.T, project string) map[string]domain.Observation {
	rows := make(map[string]domain.Observation)
	for row, err := range p.store.Observations().Scan(t.Context(), domain.OfProject(project),
		store.Query[domain.Observation]{Want: store.WantAll}) {
		if err != nil {
			t.Fatal(err)
		}
		rows[row.TraceID+"/"+row.ID] = row.Clone()
	}
	return rows
}

func (p *haven) scores(t *testing.T, project string) map[string]domain.Score {
	rows := make(map[string]domain.Score)
	for row, err := range p.store.Scores().Scan(t.Context(), domain.OfProject(project), store.Query[domain.Score]{Want: store.WantAll}) {
		if err != nil {
			t.Fatal(err)
		}
		rows[row.ID] = row.Clone()
	}
	return rows
}

func skipped(r importing.Report) (count int64) {
	for _, s := range r.Skipped {
		count += s.Count
	}
	return count
}

// TestImportFromDatabases imports an installation from its databases, then again, and in parts.
func TestImportFromDatabases(t *testing.T) {
	old := langfusetest.Start(t)
	options := DatabaseOptions{
		Postgres: old.Postgres, ClickHouse: old.ClickHouse, Salt: langfusetest.Salt, EncryptionKey: langfusetest.EncryptionKey,
	}
	p := newPlace(t)
	reports, err := p.run(t, options, 0)
	if err != nil {
		t.Fatal(err)
	}
	type counts struct{ imported, skipped int64 }
	got := make(map[string]counts)
	for table, r := range reports {
		got[table] = counts{r.Imported, skipped(r)}
		t.Logf("%s: %+v %v", table, r.Skipped, r.Notes)
	}
	want := map[string]counts{
		"organizations": {1, 0}, "projects": {2, 1}, "users": {1, 1}, "members": {1, 0}, "project_members": {1, 0}, "api_keys": {2, 1},
		"blob_storage_integrations": {1, 0}, "score_configs": {1, 1}, "models": {1, 0}, "llm_connections": {1, 0}, "prompts": {3, 0},
		"datasets":      {1, 0},
		"dataset_items": {4, 0}, "traces": {1, 0}, "observations": {1, 0}, "events": {4501, 0}, "dataset_runs": {1, 0},
		"dataset_run_items": {1, 0},
		"scores":            {3, 0}, "annotation_queues": {1, 0}, "annotation_queue_items": {1, 0}, "annotation_queue_assignments": {1, 0},
		"comments":          {1, 0},
		"dashboard_widgets": {1, 0}, "dashboards": {1, 0}, "evaluators": {1, 0}, "evaluation_rules": {1, 0}, "media": {0, 2},
		"audit_log": {1, 0},
	}
	if diff := cmp.Diff(want, got, cmp.AllowUnexported(counts{})); diff != "" {
		t.Errorf("counts:\n%s", diff)
	}
	if notes := strings.Join(reports["events"].Notes, "\n"); !strings.Contains(notes, "ingestion_api_key") ||
		!strings.Contains(notes, "project gone") {
		t.Errorf("notes on events: %q", notes)
	}
	p.check(t)

	t.Run("again", func(t *testing.T) {
		again, err := p.run(t, options, 0)
		if err != nil {
			t.Fatal(err)
		}
		for table, r := range again {
			if rows := slices.Contains([]string{"traces", "observations", "events", "scores"}, table); !rows && r.Imported != 0 ||
				r.Digest != reports[table].Digest {
				t.Errorf("%s: %+v, at first %+v", table, r, reports[table])
			}
		}
		p.check(t)
	})
	t.Run("in pieces", func(t *testing.T) {
		pieces := newPlace(t)
		rounds := 0
		for ; ; rounds++ {
			_, err := pieces.run(t, options, 3)
			if err == nil {
				break
			}
			if !errors.Is(err, importtest.ErrCut) || rounds > 100 {
				t.Fatal(err)
			}
		}
		if rounds < 5 {
			t.Errorf("only %d cuts", rounds)
		}
		pieces.check(t)
		for _, project := range []string{"p1", "p2"} {
			if diff := cmp.Diff(p.observations(t, project), pieces.observations(t, project)); diff != "" {
				t.Errorf("other rows:\n%s", diff)
			}
		}
	})
	t.Run("with media", func(t *testing.T) {
		with := newPlace(t)
		options := DatabaseOptions{Postgres: old.Postgres, Media: func(_ context.Context, path string) (io.ReadCloser, int64, error) {
			if path != "media/p1/me1.png" {
				return nil, 0, fs.ErrNotExist
			}
			return io.NopCloser(strings.NewReader(langfusetest.Medium)), int64(len(langfusetest.Medium)), nil
		}}
		reports, err := with.run(t, options, 0)
		if r := reports["media"]; err != nil || r.Imported != 1 || len(r.Skipped) != 1 ||
			r.Skipped[0] != (importing.Skip{Reason: "its file does not exist", Example: "me2", Count: 1}) {
			t.Errorf("%+v, %v", r, err)
		}
		scope := domain.OfProject("p1")
		m, err := with.catalog.Medium(t.Context(), scope, "me1")
		if err != nil || m.ContentType != "image/png" || m.ContentLength != int64(len(langfusetest.Medium)) {
			t.Errorf("%+v, %v", m, err)
		}
		if content, err := with.media.Blobs.Open(t.Context(), m.BlobKey, m.ContentLength); err != nil {
			t.Error(err)
		} else if bytes, err := io.ReadAll(content); err != nil || string(bytes) != langfusetest.Medium {
			t.Errorf("%q, %v", bytes, err)
		}
		if traces, err := with.catalog.TracesOfMedium(t.Context(), scope, "me1", 10); err != nil || !slices.Equal(traces, []string{"t1"}) {
			t.Errorf("traces %q, %v", traces, err)
		}
		// The media file outlives its trace, since a dataset item refers to it.
		if err := with.catalog.ForgetMediaOfTraces(t.Context(), scope, []string{"t1"}); err != nil {
			t.Fatal(err)
		}
		if _, err := with.catalog.Medium(t.Context(), scope, "me1"); err != nil {
			t.Error(err)
		}
		again, err := with.run(t, options, 0)
		if r := again["media"]; err != nil || r.Unchanged != 1 || r.Digest != reports["media"].Digest {
			t.Errorf("%+v, %v", r, err)
		}
	})
	t.Run("without secrets and ClickHouse", func(t *testing.T) {
		bare := newPlace(t)
		reports, err := bare.run(t, DatabaseOptions{Postgres: old.Postgres}, 0)
		if err != nil {
			t.Fatal(err)
		}
		for table, want := range map[string]counts{
			"api_keys": {0, 3}, "llm_connections": {0, 1}, "blob_storage_integrations": {0, 1}, "dataset_run_items": {1, 0}, "events": {},
		} {
			if r := reports[table]; r.Imported != want.imported || skipped(r) != want.skipped {
				t.Errorf("%s: %+v", table, r)
			}
		}
	})
	t.Run("whatever the collation is", func(t *testing.T) {
		old.Exec(t, `ALTER TABLE projects ALTER id TYPE text COLLATE "und-x-icu"`, // p2 comes before Q3
			`INSERT INTO projects SELECT 'Q3', org_id, 'Three', metadata, retention_days, deleted_at, created_at, updated_at FROM projects WHERE id = 'p2'`)
		if _, err := old.ClickHouseServer.Query(t.Context(), "INSERT INTO "+path.Base(old.ClickHouse)+`.events_full
			(project_id, trace_id, span_id, start_time, name, type, level, source, event_ts, is_deleted)
			VALUES ('Q3', 'q', 'q1', '2024-06-01 00:00:00', 'third', 'SPAN', 'DEFAULT', 'otel', '2024-06-01 00:00:00', 0)`); err != nil {
			t.Fatal(err)
		}
		for _, pages := range []int{0, 3} {
			place := newPlace(t)
			for rounds := 0; ; rounds++ {
				_, err := place.run(t, options, pages)
				if err == nil {
					break
				}
				if !errors.Is(err, importtest.ErrCut) || rounds > 100 {
					t.Fatal(err)
				}
			}
			for project, want := range map[string]int{"p1": 4502, "p2": 1, "Q3": 1} {
				if got := len(place.observations(t, project)); got != want {
					t.Errorf("%d pages at once: %s has %d rows, want %d", pages, project, got, want)
				}
			}
		}
	})
}

// check verifies what was imported.
func (p *haven) check(t *testing.T) {
	t.Helper()
	ctx, one := t.Context(), domain.OfProject("p1")
	keys := auth.NewKeys(p.catalog, time.Second, slog.New(slog.DiscardHandler))
	keys.OpenImported(p.box.Open)
	for public, project := range map[string]string{langfusetest.ProjectKey: "p1", langfusetest.OrganizationKey: ""} {
		request, err := http.NewRequestWithContext(ctx, http.MethodGet, "http://x", nil)
		if err != nil {
			t.Fatal(err)
		}
		request.SetBasicAuth(public, langfusetest.Secret)
		who, err := keys.Check(ctx, request.Header.Get("Authorization"))
		if err != nil || who.Consumer().ProjectID != project || who.Consumer().OrganizationID != "o1" {
			t.Errorf("%s: %+v, %v", public, who.Consumer(), err)
		}
		if key, err := p.catalog.KeyByPublic(ctx, public); err != nil || !auth.SecretMatches(key.SecretHash, langfusetest.Secret) {
			t.Errorf("%s is not hashed our way: %v", public, err)
		}
	}
	connection, err := p.catalog.LLMConnection(ctx, one, "openai")
	if err != nil {
		t.Fatal(err)
	}
	secret, err := p.box.Open(connection.SealedSecret, domain.ConnectionSecretPlace(one, "openai", "secret"))
	headers, headersErr := p.box.Open(*connection.SealedHeaders, domain.ConnectionSecretPlace(one, "openai", "headers"))
	if secret != "sk-openai" || headers != `{"X-A":"1"}` || err != nil || headersErr != nil ||
		strings.Join(connection.CustomModels, " ") != "a b" {
		t.Errorf("the connection %+v: %q, %v, %q, %v", connection, secret, err, headers, headersErr)
	}
	bucket, err := p.catalog.BlobStorageIntegration(ctx, domain.OfOrganization("o1"), "p1")
	if err != nil {
		t.Fatal(err)
	}
	if secret, err := p.box.Open(*bucket.SealedSecret, `blob storage of project "p1"`); secret != "bucket secret" || err != nil ||
		bucket.Enabled {
		t.Errorf("the bucket %+v: %q, %v", bucket, secret, err)
	}
	rows := p.observations(t, "p1")
	if len(rows) != 4502 {
		t.Errorf("%d rows", len(rows))
	}
	event := rows["t1/s0"]
	if event.StartTime != domain.MicrosOf(time.Date(2024, 6, 1, 0, 0, 0, 7000, time.UTC)) || event.Input != "in 0" ||
		event.Cost != `{"input":0.25,"total":0.25}` ||
		event.TotalCost != domain.FloatOf(0.25) || event.InputTokens != 5 || event.Metadata != `{"a.b":1,"c":"plain"}` ||
		event.SessionID != "sess" ||
		event.ModelParameters != `{"temperature":1}` || event.ExperimentID != "x1" || !event.IsExperimentItem() ||
		event.Source != domain.SourceOTel || event.Level != "WARNING" {
		t.Errorf("event %+v", event)
	}
	trace, call := rows["old/t-old"], rows["old/o-1"]
	if !trace.IsTraceRecord() || trace.Name != "old trace" || trace.Metadata != `{"n":1,"text":"a b"}` || trace.UserID != "user" ||
		trace.Input != `{"a":1}` {
		t.Errorf("trace %+v", trace)
	}
	if call.ParentID != "t-old" || call.SessionID != "session" || call.Usage != `{"input":3,"output":4,"total":7}` ||
		call.Model != "gpt-x" || !call.IsIngested() {
		t.Errorf("observation %+v", call)
	}
	if second := p.observations(t, "p2"); len(second) != 1 || second["z/z1"].Name != "second" {
		t.Errorf("the last write does not count: %+v", second)
	}
	scores := p.scores(t, "p1")
	if mood := scores["sc1"]; mood.Value != domain.FloatOf(1) || mood.StringValue != "good" || mood.AuthorUserID != "u1" ||
		mood.Metadata != `{"e":2}` {
		t.Errorf("score %+v", mood)
	}
	if quality := scores["sc2"]; quality.ExperimentID != domain.ExperimentID("p1", "d1", "run one") ||
		quality.Value != domain.FloatOf(0.5) {
		t.Errorf("score %+v", quality)
	}
	prompt, err := p.catalog.Prompt(ctx, one, domain.PromptReference{Name: "greet", Version: 1})
	if err != nil || !slices.Contains(prompt.Labels, "production") || prompt.Text != "Hello {{name}}" ||
		string(prompt.Config) != `{"b":2,"a":1}` {
		t.Errorf("prompt %+v, %v", prompt, err)
	}
	for entry, err := range p.catalog.AuditLogOfInstance(ctx, "o1", catalog.AuditFilter{}) {
		if err != nil {
			t.Fatal(err)
		}
		if entry.ID == "au1" {
			var state map[string]any
			if err := json.Unmarshal(entry.After, &state); err != nil || cmp.Diff(map[string]any{"id": "k1", "note": "n"}, state) != "" {
				t.Errorf("audit entry %s, %v", entry.After, err)
			}
		}
	}
}
