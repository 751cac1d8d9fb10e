package otlpfiles

import (
	"bytes"
	"compress/gzip"
	"encoding/binary"
	"errors"
	"fmt"
	"io"
	"log/slog"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	diff "github.com/google/go-cmp/cmp"
	"github.com/klauspost/compress/zstd"
	commonpb "go.opentelemetry.io/proto/otlp/common/v1"
	tracepb "go.opentelemetry.io/proto/otlp/trace/v1"
	"google.golang.org/protobuf/proto"

	"almanac/internal/catalog/tenants"
	"almanac/internal/domain"
	"almanac/internal/ingest"
	"almanac/internal/ingest/otlp"
	"almanac/internal/ingest/pricing"
	"almanac/internal/store"
	"almanac/internal/transfer/importing"
	"almanac/test/importtest"
)

var scope = domain.OfProject("p")

// inJSON returns a message with one span.
func inJSON(name string) string {
	return fmt.Sprintf(`{"resourceSpans":[{"resource":{"attributes":[{"key":"service.name","value":{"stringValue":"shop"}}]},"scopeSpans":[{"scope":{"name":"test"},"spans":[`+
		`{"traceId":"0af7651916cd43dd8448eb211c80319c","spanId":"%x","name":%q,"startTimeUnixNano":"1767225600123456789","endTimeUnixNano":"1767225601000000000",`+
		`"attributes":[{"key":"gen_ai.request.model","value":{"stringValue":"gpt-4o"}},{"key":"gen_ai.usage.input_tokens","value":{"intValue":"7"}}]}]}]}]}`, spanID(name), name)
}

func spanID(name string) []byte { return []byte(fmt.Sprintf("%-8.8s", name)) }

// inProtobuf returns the same message in protobuf.
func inProtobuf(t *testing.T, name string) string {
	t.Helper()
	text := func(key, value string) *commonpb.KeyValue {
		return &commonpb.KeyValue{Key: key, Value: &commonpb.AnyValue{Value: &commonpb.AnyValue_StringValue{StringValue: value}}}
	}
	data := &tracepb.TracesData{ResourceSpans: []*tracepb.ResourceSpans{{ScopeSpans: []*tracepb.ScopeSpans{{
		Scope: &commonpb.InstrumentationScope{Name: "test"},
		Spans: []*tracepb.Span{{
			TraceId: []byte("\x0a\xf7\x65\x19\x16\xcd\x43\xdd\x84\x48\xeb\x21\x1c\x80\x31\x9c"), SpanId: spanID(name), Name: name,
			StartTimeUnixNano: 1767225600123456789, EndTimeUnixNano: 1767225601000000000,
			Attributes: []*commonpb.KeyValue{
				text("gen_ai.request.model", "gpt-4o"),
				{Key: "gen_ai.usage.input_tokens", Value: &commonpb.AnyValue{Value: &commonpb.AnyValue_IntValue{IntValue: 7}}},
			},
		}},
	}}}}}
	data.ResourceSpans[0].Resource = nil
	raw, err := proto.Marshal(data)
	if err != nil {
		t.Fatal(err)
	}
	return string(raw)
}

func framed(messages ...string) string {
	var out []byte
	for _, m := range messages {
		out = binary.BigEndian.AppendUint32(out, uint32(len(m)))
		out = append(out, m...)
	}
	return string(out)
}

func gzipped(text string) string {
	var out bytes.Buffer
	w := gzip.NewWriter(&out)
	_, _ = io.WriteString(w, text)
	_ = w.Close()
	return out.String()
}

func zstandard(text string) string {
	w, _ := zstd.NewWriter(nil)
	defer w.Close()
	return string(w.EncodeAll([]byte(text), nil))
}

func options(t *testing.T) ingest.Options {
	t.Helper()
	prices, err := pricing.Default()
	if err != nil {
		t.Fatal(err)
	}
	return ingest.Options{
		Prices: prices, Limits: otlp.DefaultLimits(), MaxExport: 4 << 10, Memory: 64 << 20, Wait: time.Second,
		Log: slog.New(slog.DiscardHandler),
	}
}

// written writes files with these contents and returns their paths.
func written(t *testing.T, contents ...string) (paths []string) {
	t.Helper()
	directory := t.TempDir()
	for n, content := range contents {
		path := filepath.Join(directory, fmt.Sprint("traces", n))
		if err := os.WriteFile(path, []byte(content), 0o600); err != nil {
			t.Fatal(err)
		}
		paths = append(paths, path)
	}
	return paths
}

func TestForms(t *testing.T) {
	a, b := inJSON("a"), inJSON("b")
	pa, pb := inProtobuf(t, "a"), inProtobuf(t, "b")
	long := inJSON(strings.Repeat("x", 4<<10))
	for _, c := range []struct {
		name, content string
		want          string   // names of spans
		skipped       []string // reasons and examples, in part
		fails         string
	}{
		{name: "nothing"},
		{name: "lines", content: a + "\n" + b + "\n", want: "a b"},
		{name: "lines, the last without an end", content: a + "\n" + b, want: "a b"},
		{name: "lines with blank ones and a byte order mark", content: "\xef\xbb\xbf" + a + "\r\n\n \n" + b + "\n", want: "a b"},
		{name: "lines, packed with gzip", content: gzipped(a + "\n" + b + "\n"), want: "a b"},
		{name: "lines, packed with gzip in two parts", content: gzipped(a+"\n") + gzipped(b+"\n"), want: "a b"},
		{name: "lines, packed with zstd as a whole", content: zstandard(a+"\n") + zstandard(b+"\n"), want: "a b"},
		{name: "JSON, packed with zstd one by one", content: framed(zstandard(a), zstandard(b)), want: "a b"},
		{name: "JSON with lengths", content: framed(a, b), want: "a b"},
		{name: "protobuf", content: framed(pa, pb), want: "a b"},
		{name: "protobuf, packed with zstd one by one", content: framed(zstandard(pa), zstandard(pb)), want: "a b"},
		{name: "protobuf, packed with zstd as a whole", content: zstandard(framed(pa, pb)), want: "a b"},
		{name: "protobuf, packed with zstd one by one and with gzip", content: gzipped(framed(zstandard(pa), zstandard(pb))), want: "a b"},
		{name: "empty messages", content: framed("", pa, ""), want: "a"},

		{
			name: "a line that is no JSON", content: a + "\n{\n" + b, want: "a b", skipped: []string{
				"the message cannot be used", ", message 2: Failed to parse OTel JSON",
			},
		},
		{
			name: "a line that was cut", content: a + "\n" + b[:50], want: "a",
			skipped: []string{"the message cannot be used", ", message 2"},
		},
		{
			name: "protobuf that is none", content: framed(pa, "\xff\xff\xff", pb), want: "a b",
			skipped: []string{", message 2: Failed to parse OTel Protobuf"},
		},
		{
			name: "protobuf that was cut", content: framed(pa, pb)[:len(framed(pa))+20], want: "a",
			skipped: []string{"ends in the middle", ", message 2"},
		},
		{
			name: "a length that was cut", content: framed(pa) + "\x00\x00", want: "a",
			skipped: []string{"ends in the middle", ", message 2"},
		},
		{name: "logs", content: `{"resourceLogs":[{}]}` + "\n" + a, want: "a", skipped: []string{"no spans", ", message 1"}},
		{
			name: "a span without ids", content: strings.Replace(a, `"spans":[`, `"spans":[{"name":"bad"},`, 1), want: "a",
			skipped: []string{"the spans cannot be used", "message 1: 1 of 2 span(s)"},
		},

		{
			name: "a line that is too long", content: a + "\n" + long, want: "a",
			fails: ", message 2: it is longer than the limit of 4096 bytes (--max-message)",
		},
		{name: "a message that is too long", content: framed(a, long), want: "a", fails: ", message 2: its length is "},
		{
			name: "a message that is too long once it is unpacked", content: framed(zstandard(a), zstandard(long)), want: "a",
			fails: ", message 2: it is longer than the limit",
		},
		{
			name: "a message that cannot be unpacked", content: framed(zstandard(a), zstandard(b)[:40]), want: "a",
			fails: ", message 2: it cannot be decompressed",
		},
		{name: "something else", content: "name,value\n", fails: ", message 1: its length is 1851878757 bytes"},
	} {
		t.Run(c.name, func(t *testing.T) {
			source, err := Open(written(t, c.content), scope, options(t))
			if err != nil {
				t.Fatal(err)
			}
			var names, skipped []string
			var failed error
			for page, err := range source.Pages(t.Context(), importing.Observations, "") {
				if failed = err; err != nil {
					break
				}
				for _, row := range page.Observations {
					names = append(names, row.Name)
				}
				for _, s := range page.Skipped {
					skipped = append(skipped, s.Reason+" "+s.Example)
				}
			}
			if got := strings.Join(names, " "); got != c.want {
				t.Errorf("the spans are %q, want %q", got, c.want)
			}
			if text := strings.Join(skipped, "\n"); (text == "") != (c.skipped == nil) ||
				slices.ContainsFunc(c.skipped, func(want string) bool { return !strings.Contains(text, want) }) {
				t.Errorf("skipped %q, want %q", text, c.skipped)
			}
			if got := fmt.Sprint(failed); (failed == nil) != (c.fails == "") || !strings.Contains(got, c.fails) {
				t.Errorf("it ends with %s, want %q", got, c.fails)
			}
		})
	}
}

func TestRefusedFiles(t *testing.T) {
	for _, c := range []struct {
		name, path string
		max        int64
		want       string
	}{
		{"no file", filepath.Join(t.TempDir(), "none"), 100, "no such file"},
		{"a directory", t.TempDir(), 100, "is a directory"},
		{"damaged gzip", written(t, "\x1f\x8bnonsense")[0], 100, "cannot decompress"},
		{"gzip that was cut", written(t, gzipped(inJSON("a"))[:60])[0], 100, "unexpected EOF"},
		{"a limit that is too high", written(t, "")[0], MostMessage + 1, "at most"},
	} {
		o := options(t)
		o.MaxExport = c.max
		if _, err := Open([]string{c.path}, scope, o); err == nil || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%s: %v", c.name, err)
		}
	}
}

// TestRowsAreThoseOfTheServer compares the rows of files with those of the same messages sent to a server.
func TestRowsAreThoseOfTheServer(t *testing.T) {
	messages := []string{inJSON("a"), inJSON("b")}
	paths := written(t, strings.Join(messages, "\n"))
	at := time.Date(2026, 1, 2, 3, 4, 5, 0, time.UTC)
	if err := os.Chtimes(paths[0], at, at); err != nil {
		t.Fatal(err)
	}
	var want rows
	sent := options(t)
	sent.Table, sent.Clock = &want, func() time.Time { return at }
	server := ingest.New(sent)
	for _, m := range messages {
		body := server.NewBody("p")
		if err := body.Read(t.Context(), strings.NewReader(m), 0, 1<<20); err != nil {
			t.Fatal(err)
		}
		if _, err := server.Traces(t.Context(), scope, ingest.Request{
			MayPublish: true, Transport: "http", Source: ingest.SourceOf("", func(string) string { return "" }), Encoding: ingest.JSON,
			Body: body,
		}); err != nil {
			t.Fatal(err)
		}
		body.Release()
	}
	source, err := Open(paths, scope, options(t))
	if err != nil {
		t.Fatal(err)
	}
	var got rows
	for page, err := range source.Pages(t.Context(), importing.Observations, "") {
		if err != nil {
			t.Fatal(err)
		}
		got = append(got, page.Observations...)
	}
	if d := diff.Diff(want, got); d != "" || len(got) != 2 || !got[0].TotalCost.Set || got[0].ServiceName != "shop" {
		t.Errorf("%d rows:\n%s", len(got), d)
	}
}

// TestKilledImportGoesOn interrupts an import after each page. The result must be the same as without interruptions.
func TestKilledImportGoesOn(t *testing.T) {
	c, events := importtest.Open(t)
	actor := domain.Actor{Kind: "cli"}
	if _, err := c.CreateOrganization(t.Context(), "o", "O", actor); err != nil {
		t.Fatal(err)
	}
	if _, err := c.CreateProject(t.Context(), domain.OfOrganization("o"), tenants.NewProject{ID: "p", Name: "p"}, actor); err != nil {
		t.Fatal(err)
	}
	var contents []string
	const files, spans = 3, 1200
	for file := range files {
		var lines []string
		for n := range spans {
			lines = append(lines, inJSON(fmt.Sprintf("%d%d", file, n)))
		}
		contents = append(contents, strings.Join(lines, "\n"))
	}
	paths := written(t, contents...)
	target := &importing.Target{
		Catalog: c, Events: importing.EventsOf(events), Actor: actor,
		Project: func(string) (domain.ProjectScope, error) { return scope, nil },
	}
	run := func(pages int) ([]importing.Report, error) {
		source, err := Open(paths, scope, options(t))
		if err != nil {
			t.Fatal(err)
		}
		return (&importing.Import{Source: &importtest.Cut{Source: source, Left: pages}, Target: target}).Run(t.Context())
	}
	kills := 0
	var last []importing.Report
	for {
		var err error
		if last, err = run(1); err == nil {
			break
		}
		if kills++; !errors.Is(err, importtest.ErrCut) || kills > 2*files*spans/pageRows {
			t.Fatal(err)
		}
	}
	whole, err := run(1 << 30)
	if err != nil {
		t.Fatal(err)
	}
	if d := diff.Diff(whole, last); d != "" || kills < files || last[0].Imported != files*spans {
		t.Errorf("after %d kills %+v, %s", kills, last, d)
	}
	count := 0
	for _, err := range events.Observations().Scan(t.Context(), scope, store.Query[domain.Observation]{}) {
		if count++; err != nil {
			t.Fatal(err)
		}
	}
	if count != files*spans {
		t.Errorf("there are %d rows", count)
	}
}

func TestIdentity(t *testing.T) {
	paths := written(t, "", "")
	identity := func(paths ...string) string {
		source, err := Open(paths, scope, options(t))
		if err != nil {
			t.Fatal(err)
		}
		return source.Identity()
	}
	both, again := identity(paths...), identity(paths...)
	if both != again || both == identity(paths[0]) || identity(paths[0]) == identity(paths[1]) {
		t.Error("files are told apart by their names")
	}
}
