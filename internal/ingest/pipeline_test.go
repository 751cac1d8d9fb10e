package ingest

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"net/http"
	"net/http/httptest"
	"runtime"
	"slices"
	"strconv"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"github.com/prometheus/client_golang/prometheus"
	"github.com/prometheus/client_golang/prometheus/promhttp"
	"github.com/prometheus/client_golang/prometheus/testutil"
	"go.uber.org/goleak"

	"almanac/internal/domain"
	"almanac/internal/ingest/otlp"
	"almanac/internal/ingest/pricing"
	"almanac/internal/limits/usage"
	"almanac/internal/store"
)

func TestMain(m *testing.M) { goleak.VerifyTestMain(m) }

// fakeTable records appended rows, or fails.
type fakeTable struct {
	mu      sync.Mutex
	batches [][]domain.Observation
	scopes  []string
	fail    error
}

func (f *fakeTable) Append(ctx context.Context, scope domain.ProjectScope, rows []domain.Observation) error {
	f.mu.Lock()
	defer f.mu.Unlock()
	if f.fail != nil {
		return f.fail
	}
	if err := ctx.Err(); err != nil {
		return err
	}
	batch := slices.Clone(rows)
	for n := range batch { // the caller reuses all memory
		for _, text := range []*string{
			&batch[n].TraceID, &batch[n].ID, &batch[n].Name, &batch[n].Input, &batch[n].Metadata, &batch[n].SDKName, &batch[n].IngestionKey,
		} {
			*text = strings.Clone(*text)
		}
	}
	f.batches = append(f.batches, batch)
	f.scopes = append(f.scopes, scope.ProjectID())
	return nil
}

var defaultPrices = sync.OnceValues(pricing.Default)

// bench is a pipeline with a fake table.
type bench struct {
	*Pipeline
	table    *fakeTable
	registry *prometheus.Registry
	log      *strings.Builder
	now      time.Time
}

func newBench(t testing.TB, change func(*Options)) *bench {
	t.Helper()
	prices, err := defaultPrices()
	if err != nil {
		t.Fatal(err)
	}
	b := &bench{
		table: new(fakeTable), registry: prometheus.NewRegistry(), log: new(strings.Builder),
		now: time.Date(2026, 5, 6, 7, 8, 9, 0, time.UTC),
	}
	o := Options{
		Table: b.table, Prices: prices, Limits: otlp.DefaultLimits(), MaxExport: 64 << 20, Memory: 256 << 20, Wait: 10 * time.Millisecond,
		Metrics: b.registry, Clock: func() time.Time { return b.now }, Log: slog.New(slog.NewTextHandler(b.log, nil)),
	}
	if change != nil {
		change(&o)
	}
	b.Pipeline = New(o)
	return b
}

// send sends an export in JSON to project a.
func (b *bench) send(t testing.TB, body string, headers map[string]string) (Result, error) {
	t.Helper()
	return b.sendAs(t, JSON, body, headers)
}

func (b *bench) sendAs(t testing.TB, encoding Encoding, body string, sent map[string]string) (Result, error) {
	t.Helper()
	received := received(t, b.Pipeline, []byte(body))
	defer received.Release()
	return b.Traces(t.Context(), domain.OfProject("a"), Request{
		Transport: "http", Source: SourceOf(sent["public key"], headers(sent)), Version: VersionOf(headers(sent)), Encoding: encoding,
		Body: received,
	})
}

const (
	traceID = "0af7651916cd43dd8448eb211c80319c"
	start   = "1767225600123456789"
)

// span returns a span in JSON with string attributes.
func span(id, name string, attributes ...string) string {
	var list []string
	for n := 0; n < len(attributes); n += 2 {
		list = append(list, fmt.Sprintf(`{"key":%q,"value":{"stringValue":%q}}`, attributes[n], attributes[n+1]))
	}
	return fmt.Sprintf(`{"traceId":%q,"spanId":%q,"name":%q,"startTimeUnixNano":%q,"attributes":[%s]}`, traceID, id, name, start,
		strings.Join(list, ","))
}

// export returns an export in JSON with one scope.
func export(spans ...string) string {
	return `{"resourceSpans":[{"scopeSpans":[{"scope":{"name":"test"},"spans":[` + strings.Join(spans, ",") + `]}]}]}`
}

func TestTraces(t *testing.T) {
	cases := []struct {
		name    string
		body    string
		headers map[string]string
		result  Result
		names   []string // names of the stored rows
		refused string
	}{
		{name: "one span", body: export(span("1", "a")), result: Result{Spans: 1}, names: []string{"a"}},
		{
			name: "two groups", body: `{"resourceSpans":[{"scopeSpans":[{"spans":[` + span("1", "a") + `]},{"spans":[` + span("2", "b") +
				`]}]},{"scopeSpans":[{"spans":[` + span("3", "c") + `]}]}]}`, result: Result{Spans: 3}, names: []string{"a", "b", "c"},
		},
		{name: "nothing", body: `{}`},
		{name: "no resources", body: `{"resourceSpans":[]}`},
		{
			name: "no resources in a version that we do not speak", body: `{"resourceSpans":[]}`,
			headers: map[string]string{"x-langfuse-ingestion-version": "5"},
		},
		{name: "no spans", body: `{"resourceSpans":[{"scopeSpans":[]}]}`},
		{
			name: "no spans in a version that we do not speak", body: `{"resourceSpans":[{"scopeSpans":[]}]}`,
			headers: map[string]string{"x-langfuse-ingestion-version": "5"},
			refused: `Unsupported x-langfuse-ingestion-version: "5". Maximum supported: "4".`,
		},
		{
			name: "spans in a version that we do not speak", body: export(span("1", "a")),
			headers: map[string]string{"x-langfuse-ingestion-version": "5"},
			refused: `Unsupported x-langfuse-ingestion-version: "5". Maximum supported: "4".`,
		},
		{name: "not JSON", body: `{`, refused: "Failed to parse OTel JSON Trace"},
		{
			name: "not JSON in a version that we do not speak", body: `{`, headers: map[string]string{"x-langfuse-ingestion-version": "5"},
			refused: "Failed to parse OTel JSON Trace",
		},
		{name: "no ids at all", body: export(`{"name":"x"}`), refused: "Invalid OTLP trace export: 1 of 1 span(s) cannot be processed"},
		{
			name: "no ids in a version that we do not speak", body: export(`{"name":"x"}`),
			headers: map[string]string{"x-langfuse-ingestion-version": "5"},
			refused: "Invalid OTLP trace export: 1 of 1 span(s) cannot be processed",
		},
		{
			name: "spans that are no list", body: `{"resourceSpans":[{"scopeSpans":[{"spans":{}}]}]}`,
			refused: "Invalid OTLP trace export: 1 resource- or scope-level field(s)",
		},
	}
	for _, c := range cases {
		t.Run(c.name, func(t *testing.T) {
			b := newBench(t, nil)
			result, err := b.send(t, c.body, c.headers)
			if c.refused != "" {
				if refused := refusedAs(t, err, Invalid); !strings.HasPrefix(refused.Message, c.refused) {
					t.Errorf("message %q, want %q", refused.Message, c.refused)
				}
			} else if err != nil {
				t.Fatal(err)
			}
			if diff := cmp.Diff(c.result, result); diff != "" {
				t.Error(diff)
			}
			var names []string
			for _, batch := range b.table.batches {
				for _, row := range batch {
					names = append(names, row.Name)
				}
			}
			if diff := cmp.Diff(c.names, names); diff != "" {
				t.Error(diff)
			}
			if b.held() != 0 {
				t.Errorf("%d bytes are lost", b.held())
			}
		})
	}
}

func TestOneBadSpanCostsNothingElse(t *testing.T) {
	b := newBench(t, nil)
	result, err := b.send(t, export(span("1", "a"), `{"traceId":42,"spanId":"2","name":"bad"}`, span("3", "c")), nil)
	if err != nil {
		t.Fatal(err)
	}
	if result.Spans != 2 || result.Rejected != 1 || !strings.Contains(result.Message, "traceId:not_an_id") {
		t.Errorf("result %+v", result)
	}
	if len(b.table.batches) != 1 || len(b.table.batches[0]) != 2 {
		t.Errorf("batches %v", b.table.batches)
	}
	b.wantMetrics(t, `almanac_ingest_spans_total 2`, `almanac_ingest_rejected_spans_total{reason="invalid"} 1`,
		`almanac_ingest_requests_total{result="partial",transport="http"} 1`)
}

func TestRowsCarryTheirSource(t *testing.T) {
	b := newBench(t, nil)
	if _, err := b.send(t, export(span("1", "a")), map[string]string{"public key": "pk", "x-langfuse-sdk-name": "python"}); err != nil {
		t.Fatal(err)
	}
	row := b.table.batches[0][0]
	if row.IngestionKey != "pk" || row.SDKName != "python" || row.SDKVersion != "unknown" || b.table.scopes[0] != "a" {
		t.Errorf("row %+v in project %s", row, b.table.scopes[0])
	}
}

// TestWorkersAreReused checks that an export leaves nothing behind for the next one.
func TestWorkersAreReused(t *testing.T) {
	b := newBench(t, nil)
	for n := range 20 {
		if n%3 == 2 {
			if _, err := b.send(t, `{"resourceSpans":[{`, nil); err == nil {
				t.Fatal("broken JSON was accepted")
			}
			continue
		}
		name := fmt.Sprint("run ", n)
		spans := []string{span("1", name, "langfuse.observation.input", name)}
		if n%2 == 0 {
			spans = append(spans, span("2", name), span("3", name))
		}
		if result, err := b.send(t, export(spans...), nil); err != nil || result.Spans != len(spans) {
			t.Fatalf("%+v, %v", result, err)
		}
		for i, row := range b.table.batches[len(b.table.batches)-1] {
			if row.Name != name || (row.Input != "") != (i == 0) {
				t.Errorf("run %d, row %d: %q with input %q", n, i, row.Name, row.Input)
			}
		}
	}
}

func TestStoreFailures(t *testing.T) {
	cases := []struct {
		name   string
		err    error
		reason string
		retry  time.Duration
		logged bool
	}{
		{"busy", fmt.Errorf("appending: %w", store.ErrBusy), "busy", retryBusy, true},
		{"disk full", fmt.Errorf("appending: %w", store.ErrDiskFull), "disk_full", retryDiskFull, true},
		{"closed", store.ErrClosed, "closing", retryBusy, false},
		{"too slow", context.DeadlineExceeded, "busy", retryBusy, true},
		{"broken", errors.New("input/output error"), "failed", retryBusy, true},
	}
	for _, c := range cases {
		t.Run(c.name, func(t *testing.T) {
			b := newBench(t, nil)
			b.table.fail = c.err
			for range 3 {
				_, err := b.send(t, export(span("1", "a"), span("2", "b")), nil)
				refused := refusedAs(t, err, Busy)
				if refused.Reason != c.reason || refused.RetryAfter != c.retry || !errors.Is(err, c.err) ||
					strings.Contains(refused.Message, c.err.Error()) {
					t.Errorf("refused with %+v", refused)
				}
			}
			if lines := strings.Count(b.log.String(), "\n"); (lines == 1) != c.logged || lines > 1 {
				t.Errorf("logged %q", b.log)
			}
			if c.logged {
				b.now = b.now.Add(time.Minute)
				_, _ = b.send(t, export(span("1", "a")), nil)
				if lines := strings.Count(b.log.String(), "\n"); lines != 2 {
					t.Errorf("a minute later: logged %q", b.log)
				}
				b.now = b.now.Add(-24 * time.Hour)
				_, _ = b.send(t, export(span("1", "a")), nil)
				if lines := strings.Count(b.log.String(), "\n"); lines != 3 {
					t.Errorf("after the clock was set back: logged %q", b.log)
				}
			}
			b.wantMetrics(t, fmt.Sprintf(`almanac_ingest_requests_total{result=%q,transport="http"}`, c.reason),
				fmt.Sprintf(`almanac_ingest_rejected_spans_total{reason=%q}`, c.reason))
			if !b.LastEvent().IsZero() {
				t.Error("what was not stored counts as an event")
			}
		})
	}
	t.Run("the client left", func(t *testing.T) {
		b := newBench(t, nil)
		b.table.fail = context.Canceled
		if _, err := b.send(t, export(span("1", "a")), nil); !errors.Is(err, context.Canceled) {
			t.Errorf("error %v", err)
		}
	})
	t.Run("a mistake of ours", func(t *testing.T) {
		b := newBench(t, nil)
		b.table.fail = store.ErrInvalid
		_, err := b.send(t, export(span("1", "a")), nil)
		if _, refused := errors.AsType[*Error](err); refused || !errors.Is(err, store.ErrInvalid) {
			t.Errorf("error %v", err)
		}
	})
}

func TestLastEvent(t *testing.T) {
	b := newBench(t, nil)
	if !b.LastEvent().IsZero() {
		t.Errorf("before any event: %v", b.LastEvent())
	}
	at := func(t time.Time) string {
		return strings.Replace(export(span("1", "a")), start, strconv.FormatInt(t.UnixNano(), 10), 1)
	}
	hour := b.now.Add(-time.Hour)
	for _, step := range []struct{ sent, want time.Time }{
		{hour, hour},
		{hour.Add(-time.Hour), hour},
		{hour.Add(time.Minute), hour.Add(time.Minute)},
		{b.now.Add(24 * time.Hour), b.now}, // a clock that is ahead
	} {
		if _, err := b.send(t, at(step.sent), nil); err != nil {
			t.Fatal(err)
		}
		if got := b.LastEvent(); !got.Equal(step.want) {
			t.Errorf("after an event at %v: %v, want %v", step.sent, got, step.want)
		}
	}
	b.now = b.now.Add(-time.Minute)
	if _, err := b.send(t, at(hour), nil); err != nil {
		t.Fatal(err)
	}
	if got := b.LastEvent(); !got.Equal(hour) {
		t.Errorf("after the clock was set back: %v, want %v", got, hour)
	}
}

func TestMasksAreApplied(t *testing.T) {
	b := newBench(t, func(o *Options) {
		o.Masks = masksOf(t,
			`[{"projectId":"a","pattern":"sesame","replacement":"*"},{"projectId":"b","pattern":"open","replacement":"*"}]`)
	})
	if _, err := b.send(t,
		export(span("1", "a", "langfuse.observation.input", "open sesame", "langfuse.trace.input", "sesame",
			"langfuse.observation.metadata.word", "sesame")), nil); err != nil {
		t.Fatal(err)
	}
	row := b.table.batches[0][0]
	if text := fmt.Sprintf("%+v", row); strings.Contains(text, "sesame") || row.Input != "open *" {
		t.Errorf("row %s", text)
	}
}

func (b *bench) wantMetrics(t *testing.T, lines ...string) {
	t.Helper()
	w := httptest.NewRecorder()
	promhttp.HandlerFor(b.registry, promhttp.HandlerOpts{}).ServeHTTP(w, httptest.NewRequest(http.MethodGet, "/metrics", http.NoBody))
	text := w.Body.String()
	for _, line := range lines {
		if !strings.Contains(text, line) {
			t.Errorf("the metrics lack %s:\n%s", line, text)
		}
	}
}

func TestMetrics(t *testing.T) {
	t.Run("without projects", func(t *testing.T) { testMetrics(t, false, `almanac_ingest_spans_total 2`) })
	t.Run("by project", func(t *testing.T) { testMetrics(t, true, `almanac_ingest_spans_total{project="a"} 2`) })
}

func testMetrics(t *testing.T, byProject bool, spans string) {
	t.Helper()
	b := newBench(t, func(o *Options) { o.ProjectMetrics = byProject })
	body := export(span("1", "a"), span("2", "b"))
	if _, err := b.send(t, body, nil); err != nil {
		t.Fatal(err)
	}
	_, _ = b.send(t, `{`, nil)
	b.wantMetrics(t,
		`almanac_ingest_requests_total{result="ok",transport="http"} 1`,
		`almanac_ingest_requests_total{result="invalid",transport="http"} 1`,
		spans,
		fmt.Sprintf("almanac_ingest_bytes_total %d", len(body)+1),
		`almanac_ingest_duration_seconds_count{stage="prepare"} 1`,
		`almanac_ingest_duration_seconds_count{stage="store"} 1`,
		`almanac_ingest_bytes_in_flight 0`, `almanac_ingest_waiting_requests 0`,
	)
}

// TestOutcomes checks the counters of exports by outcome, and of the spans of refused ones.
func TestOutcomes(t *testing.T) {
	b := newBench(t, nil)
	r := &Request{Transport: "http"}
	scope := domain.OfProject("a")
	b.count(scope, r, Result{}, 3, fmt.Errorf("too much: %w", &usage.Exceeded{}))
	b.count(scope, r, Result{}, 5, Refuse("no", nil))
	b.count(scope, r, Result{}, 7, errors.New("broken"))
	b.count(scope, r, Result{Spans: 2, Rejected: 11}, 13, nil)
	b.count(scope, r, Result{Spans: 4}, 4, nil)
	b.wantMetrics(t,
		`almanac_ingest_requests_total{result="limit",transport="http"} 1`,
		`almanac_ingest_requests_total{result="invalid",transport="http"} 1`,
		`almanac_ingest_requests_total{result="error",transport="http"} 1`,
		`almanac_ingest_requests_total{result="partial",transport="http"} 1`,
		`almanac_ingest_requests_total{result="ok",transport="http"} 1`,
		`almanac_ingest_rejected_spans_total{reason="limit"} 3`,
		`almanac_ingest_rejected_spans_total{reason="invalid"} 16`,
		`almanac_ingest_rejected_spans_total{reason="error"} 7`,
		`almanac_ingest_spans_total 6`,
	)
}

// TestErrorsSayTheirCause checks that errors include their cause, for the log; clients see only the message.
func TestErrorsSayTheirCause(t *testing.T) {
	cause := errors.New("disk on fire")
	for want, err := range map[string]error{"no: disk on fire": Refuse("no", cause), "no": Refuse("no", nil)} {
		if got := err.Error(); got != want {
			t.Errorf("the error says %q, want %q", got, want)
		}
	}
	if !errors.Is(Refuse("no", cause), cause) {
		t.Error("the cause is lost")
	}
}

// TestWorkersKeepLittle checks that the memory of a typical export is reused, but not that of a giant one.
func TestWorkersKeepLittle(t *testing.T) {
	w := new(worker)
	for rows, kept := range map[int]bool{10: true, maxKeptRows: true, maxKeptRows + 1: false} {
		w.rows = nil
		room := w.prepare(rows)
		if len(room) != rows {
			t.Fatalf("room for %d rows, want %d", len(room), rows)
		}
		room[0].ID = "x"
		w.reset()
		if (w.rows != nil) != kept {
			t.Errorf("memory for %d rows is kept: %v", rows, !kept)
		}
		if again := w.prepare(1); again[0].ID != "" {
			t.Error("a row of the last export is left")
		}
	}
}

func newProjectCounters() *projectCounters {
	return &projectCounters{
		vec:   prometheus.NewCounterVec(prometheus.CounterOpts{Name: "spans_total"}, []string{"project"}),
		known: make(map[string]prometheus.Counter),
	}
}

func TestProjectLabelsAreBounded(t *testing.T) {
	p := newProjectCounters()
	for n := range maxProjectLabels {
		p.of(fmt.Sprint("p", n)).Inc()
	}
	p.of("one more").Inc()
	p.of("and one more").Inc()
	p.of("p7").Inc()
	for label, want := range map[string]float64{"other": 2, "p7": 2, "p8": 1} {
		if got := testutil.ToFloat64(p.vec.WithLabelValues(label)); got != want {
			t.Errorf("%s is %v, want %v", label, got, want)
		}
	}
	if series := testutil.CollectAndCount(p.vec); series != maxProjectLabels+1 {
		t.Errorf("%d series, want %d and one for all others", series, maxProjectLabels)
	}
}

// TestManyNewProjectsAtOnce counts the first spans of many projects concurrently.
func TestManyNewProjectsAtOnce(t *testing.T) {
	p := newProjectCounters()
	var wg sync.WaitGroup
	for range 8 {
		wg.Go(func() {
			for n := range maxProjectLabels {
				p.of(fmt.Sprint("p", n)).Inc()
			}
		})
	}
	wg.Wait()
	if series := testutil.CollectAndCount(p.vec); series != maxProjectLabels {
		t.Errorf("%d series, want %d", series, maxProjectLabels)
	}
	if got := testutil.ToFloat64(p.vec.WithLabelValues("p7")); got != 8 {
		t.Errorf("p7 is %v, want 8", got)
	}
}

func TestControlBytes(t *testing.T) {
	for n := range 256 {
		const length = 10_003
		text := strings.Repeat(string([]byte{byte(n)}), length)
		want := 0
		if n < ' ' {
			want = length
		}
		if got := controlBytes([]byte(text)); got != want {
			t.Errorf("byte %#x: %d, want %d", n, got, want)
		}
	}
	if got := controlBytes([]byte("\x00\x1f \x7f\x80\xff\x1f\x20\x01")); got != 4 {
		t.Errorf("got %d", got)
	}
}

// TestSharedAttributesAreBounded sends a small body that would become many rows with large strings, since every row has
// the attributes of its resource.
func TestSharedAttributesAreBounded(t *testing.T) {
	b := newBench(t, func(o *Options) { o.Memory = 64 << 20 })
	var spans []string
	for n := range 500 {
		spans = append(spans, span(fmt.Sprint("s", n), "a"))
	}
	body := strings.Replace(export(spans...), `"scopeSpans"`, `"resource":{"attributes":[{"key":"big","value":{"stringValue":"`+
		strings.Repeat("x", 1<<20)+`"}}]},"scopeSpans"`, 1)
	_, err := b.send(t, body, nil)
	refused := refusedAs(t, err, TooLarge)
	if !strings.Contains(refused.Message, "the 42 MB") || len(b.table.batches) > 0 {
		t.Errorf("refused with %+v", refused)
	}
	if b.held() != 0 {
		t.Errorf("%d bytes are lost", b.held())
	}
}

// TestHostileExports checks that hostile exports get a proper response and hold little memory.
func TestHostileExports(t *testing.T) {
	many := func(text string, n int) string { return strings.Repeat(text+",", n-1) + text }
	attribute := `{"key":"k","value":{"stringValue":"v"}}`
	large := func(value string) string {
		return export(`{"traceId":"1","spanId":"2","startTimeUnixNano":"1","attributes":[{"key":"langfuse.observation.input","value":{"stringValue":"` + value + `"}}]}`)
	}
	withAttributes := func(list string) string {
		return export(`{"traceId":"1","spanId":"2","startTimeUnixNano":"1","attributes":[` + list + `]}`)
	}
	cases := []struct {
		name     string
		encoding Encoding
		body     string
		spans    int    // stored spans
		refused  string // or the start of the message
	}{
		{"nested JSON", JSON, strings.Repeat(`[`, 10_000) + strings.Repeat(`]`, 10_000), 0, "Failed to parse OTel JSON Trace"},
		{"nested members", JSON, strings.Repeat(`{"a":`, 10_000) + "1" + strings.Repeat(`}`, 10_000), 0, "Failed to parse OTel JSON Trace"},
		{
			"nested values", JSON,
			withAttributes(`{"key":"k","value":` + strings.Repeat(`{"arrayValue":{"values":[`, 70) + `{"stringValue":"x"}` +
				strings.Repeat(`]}}`, 70) + `}`), 0, "Invalid OTLP trace export: 1 of 1 span(s)",
		},
		{"not UTF-8", JSON, large("a\xff\xfe"), 1, ""},
		{"zero bytes", JSON, large(`a\u0000b`), 1, ""},
		{"a lone surrogate", JSON, large(`\ud800`), 1, ""},
		{
			"absurd times", JSON,
			export(`{"traceId":"1","spanId":"2","startTimeUnixNano":"99999999999999999999999999","endTimeUnixNano":"-1"}`), 1, "",
		},
		{
			"the last possible time", JSON,
			export(`{"traceId":"1","spanId":"2","startTimeUnixNano":"9223372036854775807","endTimeUnixNano":0}`), 1, "",
		},
		{"no time", JSON, export(`{"traceId":"1","spanId":"2"}`), 1, ""},
		{"the start of time", JSON, export(`{"traceId":"1","spanId":"2","startTimeUnixNano":0}`), 1, ""},
		{"an attribute of 5 MB", JSON, large(strings.Repeat("x", 5<<20)), 1, ""},
		{"100,000 attributes", JSON, withAttributes(many(attribute, 100_000)), 0, "Invalid OTLP trace export: 1 of 1 span(s)"},
		{"keys that repeat", JSON, withAttributes(many(attribute, 1000)), 1, ""},
		{"members that repeat", JSON, `{"resourceSpans":1,"resourceSpans":[{"scopeSpans":[{"spans":[` + span("1", "a") + `]}]}]}`, 1, ""},
		{"spans that repeat", JSON, export(many(span("1", "a"), 100)), 100, ""},
		{"a million spans", JSON, export(many(`{}`, 1_000_000)), 0, "Invalid OTLP trace export: the export has more than 50000 spans"},
		{"empty attributes", Protobuf, "\x0a\x80\x80\x80\x01" + strings.Repeat("\x0a\x00", 1<<20), 0, ""},
		{"random bytes", Protobuf, "\xde\xad\xbe\xef\x00\x01\x02", 0, "Failed to parse OTel Protobuf Trace"},
		{"a wrong length", Protobuf, "\x0a\xff\xff\xff\xff\x0f", 0, "Failed to parse OTel Protobuf Trace"},
	}
	for _, c := range cases {
		t.Run(c.name, func(t *testing.T) {
			b := newBench(t, nil)
			before := heap()
			result, err := b.sendAs(t, c.encoding, c.body, nil)
			if c.refused != "" {
				if refused := refusedAs(t, err, Invalid); !strings.HasPrefix(refused.Message, c.refused) {
					t.Errorf("message %q, want %q", refused.Message, c.refused)
				}
			} else if err != nil {
				t.Error(err)
			}
			if result.Spans != c.spans {
				t.Errorf("%d spans are stored, want %d", result.Spans, c.spans)
			}
			if b.held() != 0 {
				t.Errorf("%d bytes are lost", b.held())
			}
			b.table.batches = nil
			if kept := int64(heap()) - int64(before); kept > 16<<20 {
				t.Errorf("%d MB are still in use afterwards", kept>>20)
			}
			runtime.KeepAlive(b)
		})
	}
}

func heap() uint64 {
	runtime.GC()
	var m runtime.MemStats
	runtime.ReadMemStats(&m)
	return m.HeapAlloc
}

func TestConcurrentExports(t *testing.T) {
	b := newBench(t, func(o *Options) { o.Clock = time.Now; o.Wait = time.Minute; o.Memory = 8 << 20 })
	const writers, exports = 8, 20
	var wg sync.WaitGroup
	for w := range writers {
		wg.Go(func() {
			for n := range exports {
				name := fmt.Sprint(w, "-", n)
				if _, err := b.send(t, export(span("1", name, "langfuse.observation.input", strings.Repeat(name, 1000)), span("2", name)),
					nil); err != nil {
					t.Error(err)
				}
			}
		})
	}
	wg.Wait()
	seen := make(map[string]bool)
	for _, batch := range b.table.batches {
		if len(batch) != 2 || batch[0].Name != batch[1].Name || batch[0].Input != strings.Repeat(batch[0].Name, 1000) {
			t.Errorf("a batch is mixed up: %s and %s", batch[0].Name, batch[1].Name)
		}
		seen[batch[0].Name] = true
	}
	if len(seen) != writers*exports {
		t.Errorf("%d of %d exports are stored", len(seen), writers*exports)
	}
	if b.held() != 0 {
		t.Errorf("%d bytes are lost", b.held())
	}
}
