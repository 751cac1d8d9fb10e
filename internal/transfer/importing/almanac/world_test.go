package almanac

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"log/slog"
	"math"
	"strings"
	"testing"
	"time"

	"almanac/internal/access/secretbox"
	"almanac/internal/catalog"
	"almanac/internal/catalog/tables"
	"almanac/internal/catalog/tenants"
	"almanac/internal/domain"
	"almanac/internal/jobs"
	"almanac/internal/store"
	"almanac/internal/transfer/export"
	"almanac/internal/transfer/importing"
	"almanac/internal/transfer/scheduled"
	"almanac/test/catalogtest"
	"almanac/test/importtest"
	"almanac/test/storagetest"
)

var (
	operator = domain.Actor{Kind: "cli"}
	scope    = domain.OfProject("p")
	owner    = domain.OfOrganization("org")
)

// world is an installation with a project.
type world struct {
	*testing.T
	catalog *catalog.Catalog
	store   store.Store
	ada     domain.User
}

func newWorld(t *testing.T) *world {
	t.Helper()
	c, events := importtest.Open(t)
	w := &world{T: t, catalog: c, store: &scheduled.Recorder{Store: events, Catalog: c, Log: slog.New(slog.DiscardHandler)}}
	_, err := c.CreateOrganization(t.Context(), "org", "Org", operator)
	w.must(err)
	_, err = c.CreateProject(t.Context(), owner, tenants.NewProject{ID: "p", Name: "p"}, operator)
	w.must(err)
	w.ada = domain.User{ID: "ada", Email: "ada@example.org", Name: "Ada", CreatedAt: noon.Time(), UpdatedAt: noon.Time()}
	w.must(c.ImportInstance(t.Context(), []any{domain.Account{User: w.ada}}, func([]tables.ImportOutcome) (catalog.ImportState, error) {
		return catalog.ImportState{Source: "test", Report: json.RawMessage("{}")}, nil
	}, operator))
	return w
}

func (w *world) must(err error) {
	w.Helper()
	if err != nil {
		w.Fatal(err)
	}
}

func (w *world) append(rows ...domain.Observation) {
	w.Helper()
	w.must(w.store.Observations().Append(w.Context(), scope, rows))
}

const (
	noon   = domain.Micros(1_793_534_400_123_456)
	second = 1_000_000
)

// everything returns rows of every kind.
func everything() []domain.Observation {
	full := domain.Observation{
		TraceID: "t1", ID: "o1", Type: "GENERATION", Name: "answer", Environment: "production", Version: "v2", Release: "r1",
		Level:         "ERROR",
		StatusMessage: "=cmd|' /C calc'!A0", StartTime: noon, EndTime: noon + 3*second, CompletionStartTime: noon + second,
		CreatedAt: noon + 5*second, UpdatedAt: noon + 6*second,
		TraceName: "chat", UserID: "@user", SessionID: "s1", Tags: []string{"a", "b, \"c\""}, Public: true, Bookmarked: true,
		TraceInput: "whole question", TraceOutput: `{"whole":"answer"}`, TraceMetadata: `{"of":"trace"}`,
		Input:    "-1+1\r\nsaid \"hi\",\t東京 \u2028",
		Output:   `{"role":"assistant","content":"é","tool_calls":[{"id":"1","type":"function","function":{"name":"f","arguments":"{}"}}]}`,
		Metadata: `{"a.b":1,"list":[1,"x"],"text":"said \"so\""}`,
		Model:    "gpt-4o", ModelID: "m1", ModelParameters: `{"temperature":0.5}`,
		Usage: `{"input":10,"output":5,"total":15}`, ProvidedUsage: `{"input":10,"output":5,"total":15}`, InputTokens: 10, OutputTokens: 5,
		TotalTokens: domain.IntOf(15),
		Cost:        `{"input":0.00001,"output":0.2,"total":0.20001}`, InputCost: 0.00001, OutputCost: 0.2,
		TotalCost: domain.FloatOf(0.20001), PricingTierID: "tier", PricingTierName: "Standard",
		PromptID: "pr", PromptName: "greet", PromptVersion: domain.IntOf(3), Source: domain.SourceOTel,
		ToolDefinitions: `{"f":{"description":"d"}}`, ToolNames: []string{"f"}, ToolCalls: `[{"id":"1","name":"f"}]`,
		ToolCallNames: []string{"f"},
		ExperimentID:  "e", ExperimentName: "try", ExperimentDatasetID: "d", ExperimentItemID: "i",
	}
	child := domain.Observation{
		TraceID: "t1", ID: "o2", ParentID: "o1", Type: "SPAN", Name: "step", StartTime: noon + second, EndTime: noon + 2*second,
		CreatedAt: noon + 7*second, UpdatedAt: noon + 7*second, Level: "DEBUG", TraceName: "chat", Source: domain.SourceOTel,
	}
	event := domain.Observation{
		TraceID: "t1", ID: "o3", ParentID: "o2", Type: "EVENT", Name: "=event", StartTime: noon + second, CreatedAt: noon + 7*second,
		UpdatedAt: noon + 7*second, Level: "DEFAULT", Source: domain.SourceOTel,
	}
	marked := domain.Observation{
		TraceID: "t2", ID: "o4", ParentID: "elsewhere", IsAppRoot: true, Type: "AGENT", Name: "app", TraceName: "of the app",
		StartTime: noon + 60*second, CreatedAt: noon + 61*second, UpdatedAt: noon + 61*second, Level: "DEFAULT", Input: "q",
		Source: domain.SourceOTel,
	}
	// From older clients: a trace on its own, and an observation that belongs to it.
	record := importing.TraceRecord(&domain.TraceSummary{
		ID: "old/ä", Name: "old trace", Environment: "default", UserID: "u2", SessionID: "s1", Tags: []string{"x"},
		Timestamp: noon + 120*second, CreatedAt: noon + 130*second, UpdatedAt: noon + 131*second,
		Input: "old input", Output: "old output", Metadata: `{"k":"v"}`,
	})
	ingested := domain.Observation{
		TraceID: "old/ä", ID: "o:% &5", ParentID: domain.TraceRecordID("old/ä"), Type: "GENERATION", Name: "of old",
		StartTime: noon + 121*second, EndTime: noon + 122*second, CreatedAt: noon + 130*second, UpdatedAt: noon + 130*second,
		Level: "WARNING", Metadata: `{"own":"metadata"}`, Source: domain.SourceIngestion, TraceName: "old trace", UserID: "u2",
		SessionID: "s1", Tags: []string{"x"}, Environment: "default",
	}
	early := domain.Observation{
		TraceID: "old/ä", ID: "o6", ParentID: domain.TraceRecordID("old/ä"), Type: "SPAN", Name: "earlier than its trace",
		StartTime: noon + 119*second, CreatedAt: noon + 130*second, UpdatedAt: noon + 130*second,
		Level: "DEFAULT", Source: domain.SourceIngestion, TraceName: "old trace", UserID: "u2", SessionID: "s1", Tags: []string{"x"},
		Environment: "default",
	}
	return []domain.Observation{full, child, event, marked, record, ingested, early}
}

func someScores(author string) []domain.Score {
	base := domain.Score{
		TraceID: "t1", Source: "API", Environment: "default", Timestamp: noon + 10*second, CreatedAt: noon + 11*second,
		UpdatedAt: noon + 12*second, EventAt: noon + 12*second,
	}
	numeric, boolean, category, text, correction := base, base, base, base, base
	numeric.ID, numeric.Name, numeric.DataType, numeric.Value, numeric.ObservationID = "sc1", "quality", domain.ScoreNumeric,
		domain.FloatOf(-0.25), "o1"
	numeric.Comment, numeric.Metadata = "=1+1", `{"by":"me","deep":{"er":1}}`
	boolean.ID, boolean.Name, boolean.DataType, boolean.Value, boolean.StringValue = "sc2", "TRACEID", domain.ScoreBoolean,
		domain.FloatOf(1), "True"
	category.ID, category.Name, category.DataType, category.Value, category.StringValue = "sc3", "user_id", domain.ScoreCategorical,
		domain.FloatOf(2), "good"
	category.Source, category.ConfigID, category.QueueID, category.AuthorUserID, category.ExecutionTraceID = "ANNOTATION", "c", "q",
		author, "x"
	text.ID, text.Name, text.DataType, text.StringValue, text.TraceID, text.SessionID = "sc4", "note", domain.ScoreText, "+1 said", "", "s1"
	correction.ID, correction.Name, correction.DataType, correction.StringValue, correction.ObservationID = "sc5", "output",
		domain.ScoreCorrection, "what it should\nhave said", "o1"
	return []domain.Score{numeric, boolean, category, text, correction}
}

// fill adds data of every kind.
func (w *world) fill() {
	w.Helper()
	ctx := w.Context()
	w.append(everything()...)
	w.must(w.store.Scores().Append(ctx, scope, someScores(w.ada.ID)))
	for _, c := range []domain.Comment{
		{ObjectType: "TRACE", ObjectID: "t1", Content: "=look", AuthorUserID: &w.ada.ID},
		{ObjectType: "OBSERVATION", ObjectID: "o1", Content: "at \"this\""},
		{ObjectType: "SESSION", ObjectID: "s1", Content: "and that"},
	} {
		_, err := w.catalog.Comments.Create(ctx, scope, c, operator)
		w.must(err)
	}
	_, err := w.catalog.PutDataset(ctx, scope, catalog.DatasetChange{Name: "set one", Description: new("d")}, nil, operator)
	w.must(err)
	for n := range 3 {
		change := catalog.DatasetItemChange{
			ID: fmt.Sprint("item/", n), Input: json.RawMessage(fmt.Sprintf(`{"n":%d}`, n)), SourceTraceID: new("t1"),
		}
		if n == 1 {
			change.Metadata, change.ExpectedOutput = json.RawMessage(`"=text"`), json.RawMessage(`"4"`)
		}
		_, err := w.catalog.PutDatasetItem(ctx, scope, "set one", change, catalog.WriteCheck{}, operator)
		w.must(err)
		_, err = w.catalog.LinkDatasetRunItem(ctx, scope, catalog.DatasetRunLink{
			RunName: "run 1", RunDescription: new("first"), ItemID: change.ID, TraceID: "t1",
			CreatedAt: new(noon.Time().Add(time.Duration(n) * time.Second)),
		}, operator)
		w.must(err)
	}
	_, err = w.catalog.PutDatasetItem(ctx, scope, "set one", catalog.DatasetItemChange{
		ID: "archived", Input: json.RawMessage("1"), Status: domain.ItemArchived,
	}, catalog.WriteCheck{}, operator)
	w.must(err)
	// A run of newer clients, which send only spans.
	d, err := w.catalog.Dataset(ctx, scope, "set one")
	w.must(err)
	for n := range 2 {
		w.append(domain.Observation{
			TraceID: fmt.Sprint("e", n), ID: fmt.Sprint("task", n), Type: "SPAN", Name: "experiment-item-run", StartTime: noon + 200*second,
			EndTime:   noon + 201*second,
			CreatedAt: noon + 202*second, UpdatedAt: noon + 202*second, Level: "DEFAULT", Source: domain.SourceOTel,
			ExperimentID:   domain.ExperimentID("p", d.ID, "run 2"),
			ExperimentName: "run 2", ExperimentDescription: "by an SDK", ExperimentMetadata: `{"model":"m"}`, ExperimentDatasetID: d.ID,
			ExperimentItemID: fmt.Sprint("item/", n), ExperimentItemRootSpanID: fmt.Sprint("task", n),
		})
	}
}

// export returns the file of a table.
func (w *world) export(table, format string) string {
	w.Helper()
	q := &export.Request{Table: table, Format: format}
	q.Include(func(domain.Permission) bool { return true })
	opened, err := (&export.Reader{Catalog: w.catalog, Store: w.store, Scope: scope}).Open(w.Context(), q)
	w.must(err)
	return w.write(opened, format, export.Batch)
}

func (w *world) write(table *export.Table, format string, style export.Style) string {
	w.Helper()
	var out bytes.Buffer
	writer, err := export.NewWriter(format, &out, table.Columns, style)
	w.must(err)
	w.must(table.Write(w.Context(), writer, func(int64) {}))
	return out.String()
}

// arrived returns all rows in the form of scheduled exports.
func (w *world) arrived() (observations, scores string) {
	w.Helper()
	reader := &export.Reader{Catalog: w.catalog, Store: w.store, Scope: scope}
	all := export.Arrivals{
		Window: store.Window{After: -1, UpTo: math.MaxInt64}, Format: export.JSONL, Prices: catalogtest.Prices(w, w.catalog),
	}
	table, err := reader.ArrivedObservations(w.Context(), all)
	w.must(err)
	return w.write(table, export.JSONL, export.Scheduled), w.write(reader.ArrivedScores(all), export.JSONL, export.Scheduled)
}

// schedule sets up a scheduled export, and returns a function that runs it.
func (w *world) schedule(to, fileType string, compressed bool) (run func()) {
	w.Helper()
	key, err := secretbox.ParseKey(strings.Repeat("1", 64))
	w.must(err)
	b := domain.BlobStorageIntegration{
		ProjectID: "p", Type: domain.BlobS3, BucketName: "bucket", Region: "r", Prefix: "pre/", ExportFrequency: "hourly", Enabled: true,
		Compressed: compressed,
		FileType:   fileType, ExportMode: domain.ExportFullHistory,
	}
	_, err = w.catalog.PutBlobStorageIntegration(w.Context(), owner, b, func(domain.BlobStorageIntegration) error { return nil }, operator)
	w.must(err)
	exports := scheduled.New(w.catalog, w.store, secretbox.New(key), catalogtest.Prices(w, w.catalog), scheduled.Allowed{},
		slog.New(slog.DiscardHandler))
	exports.Open = func(*domain.BlobStorageIntegration, string) (scheduled.Bucket, error) {
		return storagetest.Directory(to), nil
	}
	return func() {
		w.Helper()
		_, err := w.catalog.BlobRunNow(w.Context(), owner, "p", operator)
		w.must(err)
		ran, err := jobs.New(jobs.Options{Log: exports.Log}, exports.Kind()).Step(w.Context())
		state, failed := w.catalog.BlobStorageIntegration(w.Context(), owner, "p")
		if err != nil || !ran || failed != nil || state.LastError != nil {
			w.Fatal(ran, err, failed, state.LastError)
		}
	}
}

// read imports files; it is killed after the given number of pages.
func (w *world) read(pages int, paths ...string) ([]importing.Report, error) {
	w.Helper()
	source, err := Open(w.Context(), paths)
	if err != nil {
		return nil, err
	}
	source.Here = TargetLookup{
		Project: func(string) (string, string) { return "p", "org" },
		Dataset: func(ctx context.Context, _, name string) (string, error) {
			d, err := w.catalog.Dataset(ctx, scope, name)
			if errors.Is(err, domain.ErrNotFound) {
				return "", nil
			}
			return d.ID, err
		},
		HasRun: func(ctx context.Context, _, id string) (bool, error) {
			_, err := w.catalog.DatasetRun(ctx, scope, id)
			return err == nil, nil
		},
		HasItem: func(ctx context.Context, _, traceID, id, itemID string) (bool, error) {
			for o, err := range w.store.Observations().Lookup(ctx, scope, store.Lookup{IDs: []string{id}}) {
				if err != nil {
					return false, err
				}
				if o.TraceID == traceID && o.IsExperimentItem() && o.ExperimentItemID == itemID {
					return true, nil
				}
			}
			return false, nil
		},
		Author: func(_ context.Context, email string) (*string, error) {
			if email != "ada@example.org" {
				return nil, nil
			}
			return &w.ada.ID, nil
		},
	}
	return (&importing.Import{Source: &importtest.Cut{Source: source, Left: pages}, Target: &importing.Target{
		Catalog: w.catalog, Events: importing.EventsOf(w.store), Actor: operator,
		Project: func(string) (domain.ProjectScope, error) { return scope, nil },
	}}).Run(w.Context())
}

const toTheEnd = 1 << 30
