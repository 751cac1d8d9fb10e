package traces_test

import (
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"almanac/internal/domain"
	"almanac/internal/query/traces"
)

type row = domain.Observation

// assembled assembles a trace from whole rows, newest first.
func assembled(rows ...row) (*domain.TraceSummary, *traces.Assembly) {
	assembly := new(traces.Assembly)
	for n := range rows {
		assembly.Add(&rows[n])
		assembly.AddContent(&rows[n])
	}
	return assembly.Summary(), assembly
}

func TestAssembly(t *testing.T) {
	for _, c := range []struct {
		name string
		rows []row // newest first
		want domain.TraceSummary
	}{
		{"nothing", nil, domain.TraceSummary{}},
		{
			"the latest trace name",
			[]row{{TraceName: "new"}, {TraceName: "old", Name: "root"}},
			domain.TraceSummary{Name: "new", DefaultCount: 2},
		},
		{
			"a trace name in any row",
			[]row{{ParentID: "p"}, {ParentID: "p", TraceName: "deep"}, {Name: "root"}},
			domain.TraceSummary{Name: "deep", DefaultCount: 3},
		},
		{
			"the latest root's name",
			[]row{{ParentID: "p", Name: "child"}, {Name: "second"}, {Name: "first"}},
			domain.TraceSummary{Name: "second", DefaultCount: 3},
		},
		{
			"a stand-in for the root",
			[]row{{ParentID: "p", AsRoot: true, Name: "in", Input: "i", Output: "o"}},
			domain.TraceSummary{Name: "in", Input: "i", Output: "o", DefaultCount: 1},
		},
		{
			"a parent elsewhere",
			[]row{{ParentID: "p", IsAppRoot: true, Name: "x", Input: "i", Metadata: `{"scope.name":"s"}`}},
			domain.TraceSummary{DefaultCount: 1},
		},
		{
			"what the trace says of its content",
			[]row{{ParentID: "p", TraceInput: "ti"}, {Input: "i", Output: "o"}},
			domain.TraceSummary{Input: "ti", Output: "o", DefaultCount: 2},
		},
		{
			"the latest content of a root",
			[]row{{Input: "i2"}, {Input: "i1", Output: "o1"}},
			domain.TraceSummary{Input: "i2", Output: "o1", DefaultCount: 2},
		},
		{
			"the root's environment",
			[]row{{ParentID: "p", Environment: "child"}, {Environment: "root"}},
			domain.TraceSummary{Environment: "root", DefaultCount: 2},
		},
		{
			"the latest environment",
			[]row{{ParentID: "p", Environment: "new"}, {ParentID: "p", Environment: "old"}},
			domain.TraceSummary{Environment: "new", DefaultCount: 2},
		},
		{
			"the latest of everything else",
			[]row{
				{ParentID: "p", Version: "v2"},
				{ParentID: "p", UserID: "u", SessionID: "s2", Public: true},
				{Version: "v1", Release: "r", SessionID: "s1"},
			},
			domain.TraceSummary{Version: "v2", Release: "r", UserID: "u", SessionID: "s2", Public: true, DefaultCount: 3},
		},
		{
			"all tags",
			[]row{{Tags: []string{"b", "a"}}, {Tags: []string{"c", "a"}}},
			domain.TraceSummary{Tags: []string{"a", "b", "c"}, DefaultCount: 2},
		},
		{
			"the latest root's bookmark",
			[]row{{ParentID: "p", Bookmarked: true}, {}, {Bookmarked: true}},
			domain.TraceSummary{DefaultCount: 3},
		},
		{"bookmarked", []row{{Bookmarked: true}, {}}, domain.TraceSummary{Bookmarked: true, DefaultCount: 2}},
		{
			"times",
			[]row{
				{StartTime: 9_000_000, CreatedAt: 5, UpdatedAt: 6}, {StartTime: 2_000_000, EndTime: 4_000_000, CreatedAt: 3, UpdatedAt: 9},
			},
			domain.TraceSummary{Timestamp: 2_000_000, CreatedAt: 3, UpdatedAt: 9, LatencyMillis: 7000, DefaultCount: 2},
		},
		{
			"figures",
			[]row{
				{
					Level: "ERROR", TotalCost: domain.FloatOf(0.1), InputCost: 0.1, InputTokens: 1, OutputTokens: 2,
					TotalTokens: domain.IntOf(3),
				},
				{Level: "WARNING", TotalCost: domain.FloatOf(0.2), InputCost: 0.2, OutputCost: 20_000.5, InputTokens: 1},
				{Level: "DEBUG"},
				{Level: "DEFAULT"},
				{},
			},
			domain.TraceSummary{
				TotalCost: 0.3, InputCost: 0.3, OutputCost: 20_000.5, InputTokens: 2, OutputTokens: 2, TotalTokens: 3,
				ErrorCount: 1, WarningCount: 1, DebugCount: 1, DefaultCount: 2,
			},
		},
		{
			"metadata of all rows and of the root",
			[]row{
				{ParentID: "p", TraceMetadata: `{"tenant":"new","own":{"a":1}}`, Metadata: `{"child":true}`},
				{
					TraceMetadata: `{"tenant":"old","more":[1, 2]}`,
					Metadata:      `{"k":"v","tenant":"root","own.b":null,"resourceAttributes.x":"<y>"}`,
				},
			},
			domain.TraceSummary{
				Metadata: `{"k":"v","more":[1,2],"own.a":1,"own.b":null,"resourceAttributes.x":"<y>","tenant":"new"}`, DefaultCount: 2,
			},
		},
		{
			"no root, but a row that speaks of the trace",
			[]row{
				{
					ParentID: "p", Metadata: `{"scope.name":"silent"}`,
				},
				{ParentID: "p", UserID: "u", Metadata: `{"scope.name":"s","resourceAttributes.a":1,"k":"v"}`},
				{ParentID: "p", UserID: "u", Metadata: `{"scope.name":"older"}`},
			},
			domain.TraceSummary{UserID: "u", Metadata: `{"resourceAttributes.a":1,"scope.name":"s"}`, DefaultCount: 3},
		},
		{
			"a row that speaks of the trace, and a root",
			[]row{
				{ParentID: "p", UserID: "u", Metadata: `{"scope.name":"child","scope.version":"1"}`}, {Metadata: `{"scope.name":"root"}`},
			},
			domain.TraceSummary{UserID: "u", Metadata: `{"scope.name":"root"}`, DefaultCount: 2},
		},
		{
			"a name that is a value and an object",
			[]row{{TraceMetadata: `{"a":1,"a.b":2,"c":{}}`}, {TraceMetadata: `{"a":{"b":3}}`}},
			domain.TraceSummary{Metadata: `{"a":1,"a.b":2,"c":{}}`, DefaultCount: 2},
		},
		{
			"a trace that was sent on its own, and its observations",
			[]row{
				{
					ID: "g", Source: domain.SourceIngestion, ParentID: "t-x", Name: "g", Version: "of g", Environment: "b", Input: "i",
					Output: "o", Metadata: `{"k":1}`, TraceName: "n", Level: "ERROR",
				},
				{
					ID: "t-x", Source: domain.SourceIngestionTrace, Name: "n", TraceName: "n", Environment: "a", Version: "v", Release: "r",
					UserID: "u", SessionID: "s", Tags: []string{"b", "a"}, Public: true, Input: "ti", Metadata: `{"t":2}`,
				},
			},
			domain.TraceSummary{
				Name: "n", Environment: "a", Version: "v", Release: "r", UserID: "u", SessionID: "s", Tags: []string{"a", "b"},
				Public: true,
				Input:  "ti", Metadata: `{"t":2}`, ErrorCount: 1,
			},
		},
		{
			"a trace without a version, and an observation with one", []row{
				{Source: domain.SourceIngestion, ParentID: "t-", Version: "1"}, {Source: domain.SourceIngestionTrace},
			}, domain.TraceSummary{DefaultCount: 1},
		},
		{
			"the version of an ingested observation",
			[]row{{Source: domain.SourceIngestion, Version: "1"}},
			domain.TraceSummary{Version: "1", DefaultCount: 1},
		},
		{
			"a trace that was sent on its own, and newer spans",
			[]row{
				{Name: "root", UserID: "span", Version: "span", Input: "si", Output: "so", Source: domain.SourceOTel},
				{Source: domain.SourceIngestionTrace, UserID: "u", TraceName: "n", Input: "ti"},
			},
			domain.TraceSummary{Name: "n", UserID: "u", Version: "span", Input: "ti", Output: "so", DefaultCount: 1},
		},
		{"metadata that are no object", []row{{TraceMetadata: `[1]`, Metadata: `{"a":`}}, domain.TraceSummary{DefaultCount: 1}},
	} {
		t.Run(c.name, func(t *testing.T) {
			got, _ := assembled(c.rows...)
			if diff := cmp.Diff(&c.want, got); diff != "" {
				t.Errorf("(-want +got)\n%s", diff)
			}
		})
	}
}

// TestEndedMillis checks the latency of a single trace, and that of a trace in a list.
func TestEndedMillis(t *testing.T) {
	const second = 1_000_000
	for _, c := range []struct {
		name        string
		rows        []row
		ended, list int64
	}{
		{"nothing", nil, 0, 0},
		{"one span", []row{{StartTime: 10 * second, EndTime: 12 * second}}, 2000, 2000},
		{"nothing ended", []row{{StartTime: 15 * second}, {StartTime: 10 * second}}, 5000, 5000},
		{"a later start than the last end", []row{{StartTime: 15 * second}, {StartTime: 10 * second, EndTime: 12 * second}}, 2000, 5000},
		{
			"an event behind it", []row{
				{StartTime: 15 * second, EndTime: 15 * second, Type: "EVENT"}, {StartTime: 10 * second, EndTime: 12 * second},
			}, 2000, 5000,
		},
		{
			"events only", []row{
				{
					StartTime: 15 * second, EndTime: 15 * second, Type: "EVENT",
				}, {StartTime: 10 * second, EndTime: 10 * second, Type: "EVENT"},
			}, 5000, 5000,
		},
		{"an end before the start", []row{{StartTime: 10 * second, EndTime: 9 * second}}, 0, 0},
		{"a trace on its own", []row{{StartTime: 10 * second, Source: domain.SourceIngestionTrace}}, 0, 0},
		{
			"a trace that began before its observations", []row{
				{StartTime: 10 * second, EndTime: 12 * second}, {StartTime: 4 * second, Source: domain.SourceIngestionTrace},
			}, 2000, 2000,
		},
		{"before 1970", []row{{StartTime: -10 * second, EndTime: -8 * second}}, 2000, 2000},
	} {
		t.Run(c.name, func(t *testing.T) {
			summary, assembly := assembled(c.rows...)
			if got := assembly.EndedMillis(); got != c.ended || summary.LatencyMillis != c.list {
				t.Errorf("%d ms, %d ms in lists; want %d and %d", got, summary.LatencyMillis, c.ended, c.list)
			}
		})
	}
}

// TestMetadataIsBounded adds more metadata than a trace may have, and objects nested deeper than they are flattened.
func TestMetadataIsBounded(t *testing.T) {
	large := `{"a":"` + strings.Repeat("x", 10<<20) + `"}`
	got, _ := assembled(row{TraceMetadata: large}, row{TraceMetadata: strings.Replace(large, "a", "b", 1)}, row{TraceMetadata: `{"c":1}`})
	if !strings.HasPrefix(got.Metadata, `{"a":"xxx`) || strings.Contains(got.Metadata, `"b":`) ||
		!strings.HasSuffix(got.Metadata, `,"c":1}`) {
		t.Errorf("the metadata have %d bytes", len(got.Metadata))
	}
	deep := strings.Repeat(`{"n":`, 100) + "1" + strings.Repeat("}", 100)
	got, _ = assembled(row{TraceMetadata: deep})
	if want := `{"` + strings.Repeat("n.", 31) + `n":{"n":`; !strings.HasPrefix(got.Metadata, want) {
		t.Errorf("the metadata are %s", got.Metadata)
	}
}
