package blackbox

import (
	"context"
	"encoding/json"
	"fmt"
	"os"
	"os/exec"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"almanac/internal/datadir"
	"almanac/internal/domain"
	"almanac/internal/store"
	"almanac/internal/store/segment"
	"almanac/test/harness"
	"almanac/test/programs"
)

// TestGoExporters sends traces with the exporters of the OpenTelemetry SDK for Go, compressed, and checks every field.
// With a wrong key the exporter must report it.
func TestGoExporters(t *testing.T) {
	program := build(t, "exporters")
	s := startForExports(t, t.TempDir(), "--otlp-grpc-listen=127.0.0.1:0")
	ways := []struct{ name, protocol, endpoint, refused string }{
		{
			"HTTP", "http", s.URL + tracesPath,
			"401 Unauthorized (body: {\"message\":\"Invalid credentials. Confirm that you've configured the correct host.\"})\n",
		},
		{
			"HTTP on the usual path", "http", s.URL + "/v1/traces",
			"401 Unauthorized (body: {\"message\":\"Invalid credentials. Confirm that you've configured the correct host.\"})\n",
		},
		{
			"gRPC", "grpc", s.GRPCAddress(t),
			"rpc error: code = Unauthenticated desc = Invalid credentials. Confirm that you've configured the correct host.\n",
		},
	}
	began := domain.MicrosOf(time.Now().Truncate(time.Millisecond))
	sent := make(map[string]map[string]exportedID)
	for _, way := range ways {
		stdout, stderr, err := runExporters(t, program, way.protocol, way.endpoint, exportKey, "sk-lf-wrong")
		if err == nil || !strings.HasSuffix(stderr, way.refused) {
			t.Errorf("%s with a wrong key: %v, %s%s", way.name, err, stdout, stderr)
		}
		stdout, stderr, err = runExporters(t, program, way.protocol, way.endpoint, exportKey, exportPass)
		ids := make(map[string]exportedID)
		if err != nil || json.Unmarshal([]byte(stdout), &ids) != nil {
			t.Fatalf("%s: %v, %s%s", way.name, err, stdout, stderr)
		}
		sent[way.name] = ids
	}
	s.Stop(t)
	compareExported(t, s.Data, began, sent)
}

// compareExported compares all rows of a stopped server, field by field, with the traces that were sent. The same trace
// was sent several times, each time with different ids.
func compareExported(t *testing.T, data string, began domain.Micros, sent map[string]map[string]exportedID) {
	t.Helper()
	stored := make(map[exportedID]domain.Observation)
	events, err := segment.Open(datadir.EventsDir(data), segment.Options{})
	if err != nil {
		t.Fatal(err)
	}
	defer events.Close()
	all := store.Query[domain.Observation]{Want: store.WantAll}
	for row, err := range events.Observations().Scan(t.Context(), domain.OfProject("bot"), all) {
		if err != nil {
			t.Fatal(err)
		}
		copied := harness.CopyRow(row)
		stored[exportedID{copied.TraceID, copied.ID}] = copied
	}
	want := exportedRows()
	if len(stored) != len(sent)*len(want) {
		t.Errorf("%d rows are stored, not %d for each of %d exports", len(stored), len(want), len(sent))
	}
	for way, ids := range sent {
		t.Run(way, func(t *testing.T) {
			for span, want := range want {
				row, ok := stored[ids[span]]
				if !ok {
					t.Errorf("%q is not stored", span)
					continue
				}
				if row.StartTime < began || row.CreatedAt < row.StartTime || row.CreatedAt > domain.MicrosOf(time.Now()) {
					t.Errorf("%q starts at %v and was created at %v", span, row.StartTime.Time(), row.CreatedAt.Time())
				}
				if row.StartTime%1000 != 0 || row.EndTime-row.StartTime != want.EndTime {
					t.Errorf("%q lasts from %d to %d, not for %d µs", span, row.StartTime, row.EndTime, want.EndTime)
				}
				want.TraceID, want.ID, want.ParentID = row.TraceID, row.ID, ids[want.ParentID].ID
				want.StartTime, want.EndTime = row.StartTime, row.EndTime
				want.CreatedAt, want.UpdatedAt = row.CreatedAt, row.CreatedAt
				// Its trace hands down what only its root has.
				if row.UserID != "user-1" || row.SessionID != "session-1" || len(row.Tags) != 2 {
					t.Errorf("%q is of user %q, session %q and has tags %q", span, row.UserID, row.SessionID, row.Tags)
				}
				if diff := cmp.Diff(want, *row.Sent()); diff != "" {
					t.Errorf("%q (- expected, + stored)\n%s", span, diff)
				}
			}
		})
	}
}

// exportedID holds the ids of a span, as printed by the exporting program.
type exportedID struct {
	TraceID string `json:"traceId"`
	ID      string `json:"id"`
}

// build builds the program in a directory of test, which is a separate module.
func build(t *testing.T, name string) string {
	t.Helper()
	program, err := programs.Build(t.Context(), name)
	if err != nil {
		t.Fatal(err)
	}
	return program
}

func runExporters(t *testing.T, program string, args ...string) (stdout, stderr string, err error) {
	t.Helper()
	ctx, cancel := context.WithTimeout(t.Context(), time.Minute)
	defer cancel()
	cmd := exec.CommandContext(ctx, program, args...)
	var out, errOut strings.Builder
	cmd.Stdout, cmd.Stderr = &out, &errOut
	// The SDK also reads options from the environment.
	cmd.Env = slices.DeleteFunc(os.Environ(), func(variable string) bool { return strings.HasPrefix(variable, "OTEL_") })
	err = cmd.Run()
	return out.String(), errOut.String(), err
}

// exportedRows returns the rows of the trace that the exporters send, by span name. ParentID is such a name, and
// EndTime is relative to the start.
func exportedRows() map[string]domain.Observation {
	rows := make(map[string]domain.Observation)
	// add completes a row. The attributes have one line each, with the name and the value as JSON.
	add := func(span string, took time.Duration, attributes string, row domain.Observation) {
		if row.Name == "" {
			row.Name = span
		}
		if row.Level == "" {
			row.Level = "DEFAULT"
		}
		row.EndTime = domain.Micros(took.Microseconds())
		row.Environment, row.Release, row.Version = "production", "release-7", "9.9"
		row.Source, row.IngestionKey, row.SDKName, row.SDKVersion = "otel", exportKey, "unknown", "unknown"
		row.ServiceName, row.ServiceVersion, row.ScopeName, row.ScopeVersion = "shop", "9.9", "example.com/agent", "1.2.3"
		var metadata strings.Builder
		for line := range strings.Lines(attributes) {
			if name, value, ok := strings.Cut(strings.TrimSpace(line), " "); ok {
				fmt.Fprintf(&metadata, `"attributes.%s":%s,`, name, value)
			}
		}
		row.Metadata = "{" + metadata.String() + `"resourceAttributes.deployment.environment.name":"Production",` +
			`"resourceAttributes.langfuse.release":"release-7","resourceAttributes.service.name":"shop",` +
			`"resourceAttributes.service.version":"9.9","scope.name":"example.com/agent","scope.version":"1.2.3",` +
			`"scope.attributes.team":"search"` + row.Metadata + `}`
		rows[span] = row
	}
	// An agent repeats the usage of the calls within it, so its own model and usage do not count.
	add("invoke_agent helper", 2*time.Second, `
		gen_ai.operation.name "invoke_agent"
		gen_ai.request.model "gpt-4o"
		gen_ai.usage.input_tokens 1000
		user.id "user-1"
		session.id "session-1"
		langfuse.trace.tags ["blue","with, comma"]
		langfuse.trace.name "support request"
		langfuse.trace.public true`,
		domain.Observation{
			Type: "AGENT", UserID: "user-1", SessionID: "session-1", Tags: []string{"blue", "with, comma"},
			TraceName: "support request", Public: true, Metadata: `,"tenant":"acme"`, TraceMetadata: `{"tenant":"acme"}`,
		})
	const definition = "rz6r6t6e4zbjjisnv74np44upo" // of gpt-4o-2024-08-06 in the built-in price list
	add("chat gpt-4o", 1500*time.Millisecond, `
		gen_ai.operation.name "chat"
		gen_ai.provider.name "openai"
		gen_ai.request.model "gpt-4o"
		gen_ai.response.model "gpt-4o-2024-08-06"
		gen_ai.request.temperature 0.5
		gen_ai.request.max_tokens 100
		gen_ai.request.stop_sequences ["a","b"]
		gen_ai.usage.input_tokens 100
		gen_ai.usage.output_tokens 20
		gen_ai.usage.cache_read.input_tokens 40`,
		domain.Observation{
			ParentID: "invoke_agent helper", Type: "GENERATION", Model: "gpt-4o-2024-08-06", ModelID: definition,
			PricingTierID: definition + "_tier_default", PricingTierName: "Standard",
			Input: `[{"role":"system","content":"Be brief."},` +
				`{"role":"user","parts":[{"type":"text","content":"Wie heißt 東京?"}]}]`,
			Output:          `[{"role":"assistant","parts":[{"type":"text","content":"Das ist 東京."}],"finish_reason":"stop"}]`,
			ModelParameters: `{"temperature":0.5,"max_tokens":100,"stop_sequences":"[\"a\",\"b\"]"}`,
			ProvidedUsage:   `{"input":60,"output":20,"input_cached_tokens":40}`,
			Usage:           `{"input":60,"output":20,"input_cached_tokens":40,"total":120}`,
			InputTokens:     100, OutputTokens: 20, TotalTokens: domain.IntOf(120),
			Cost:      `{"input":0.00015,"output":0.0002,"input_cached_tokens":0.00005,"total":0.0004}`,
			InputCost: 0.0002, OutputCost: 0.0002, TotalCost: domain.FloatOf(0.0004),
		})
	add("execute_tool get_weather", 20*time.Millisecond, `
		gen_ai.operation.name "execute_tool"
		gen_ai.tool.name "get_weather"
		gen_ai.tool.call.id "call_1"`,
		domain.Observation{
			ParentID: "invoke_agent helper", Type: "TOOL", Name: "get_weather",
			Input: `{"city": "Oslo"}`, Output: "cold, \"very\"\n東京",
		})
	add("GET /weather", 0, `
		http.request.method "GET"
		http.response.status_code 500
		large 9007199254740993
		ratio 0.25
		whole 3
		retried true
		sizes [1,2]
		text "42"
		empty ""`,
		domain.Observation{ParentID: "invoke_agent helper", Type: "SPAN", Level: "ERROR", StatusMessage: "no weather today"})
	return rows
}
