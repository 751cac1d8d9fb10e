package traces_test

import (
	"encoding/json"
	"maps"
	"math"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"

	"almanac/internal/domain"
)

// rows draws the rows of a trace, newest first.
func rows() *rapid.Generator[[]row] {
	text := func(names ...string) *rapid.Generator[string] { return rapid.SampledFrom(append(names, "", "")) }
	object := text(`{"a":1}`, `{"a":2,"b":{"c":"x"}}`, `{"b.c":"y","scope.name":"s"}`, `{"resourceAttributes.r":true,"k":null}`)
	micros := rapid.Custom(func(t *rapid.T) domain.Micros {
		return domain.Micros(rapid.Int64Range(-5_000_000, 5_000_000).Draw(t, "time"))
	})
	one := rapid.Custom(func(t *rapid.T) row {
		r := row{
			TraceID: "t", ParentID: text("p").Draw(t, "parent"), AsRoot: rapid.Bool().Draw(t, "as root"),
			Name: text("n1", "n2").Draw(t, "name"),
			Type: text("SPAN", "EVENT").Draw(t, "type"), Level: text("ERROR", "WARNING", "DEBUG", "DEFAULT").Draw(t, "level"),
			Environment: text("e1", "e2").Draw(t, "environment"), Version: text("v1", "v2").Draw(t, "version"),
			Release:   text("r").Draw(t, "release"),
			TraceName: text("tn1", "tn2").Draw(t, "trace name"), UserID: text("u1", "u2").Draw(t, "user"),
			SessionID: text("s1", "s2").Draw(t, "session"),
			Tags:      rapid.SliceOfN(text("x", "y", "z"), 0, 3).Draw(t, "tags"), Public: rapid.Bool().Draw(t, "public"),
			Bookmarked: rapid.Bool().Draw(t, "bookmarked"),
			StartTime:  micros.Draw(t, "start"), EndTime: micros.Draw(t, "end"), CreatedAt: micros.Draw(t, "created"),
			UpdatedAt: micros.Draw(t, "updated"),
			Input:     text("i1", "i2").Draw(t, "input"), Output: text("o1", "o2").Draw(t, "output"), Metadata: object.Draw(t, "metadata"),
			TraceInput: text("ti").Draw(t, "trace input"), TraceOutput: text("to").Draw(t, "trace output"),
			TraceMetadata: object.Draw(t, "trace metadata"),
			InputTokens:   rapid.Int64Range(0, 9).Draw(t, "input tokens"), InputCost: rapid.Float64Range(0, 1).Draw(t, "input cost"),
		}
		if rapid.Bool().Draw(t, "priced") {
			r.TotalCost, r.TotalTokens = domain.FloatOf(rapid.Float64Range(0, 1).Draw(t, "cost")),
				domain.IntOf(rapid.Int64Range(0, 9).Draw(t, "tokens"))
		}
		return r
	})
	return rapid.Custom(func(t *rapid.T) []row {
		list := rapid.SliceOfN(one, 1, 6).Draw(t, "rows")
		slices.SortStableFunc(list, func(a, b row) int { return int(b.StartTime.Millis() - a.StartTime.Millis()) })
		return list
	})
}

// naive computes a trace field by field.
func naive(rows []row) (want domain.TraceSummary, ended int64) {
	var roots []row
	for _, r := range rows {
		if r.ParentID == "" || r.AsRoot {
			roots = append(roots, r)
		}
	}
	// first returns the first text that is set.
	first := func(rows []row, get func(row) string) string {
		for _, r := range rows {
			if text := get(r); text != "" {
				return text
			}
		}
		return ""
	}
	either := func(a, b string) string {
		if a == "" {
			return b
		}
		return a
	}
	environment := func(r row) string { return r.Environment }
	want = domain.TraceSummary{
		ID: "t", Timestamp: math.MaxInt64, CreatedAt: math.MaxInt64,
		Name:        either(first(rows, func(r row) string { return r.TraceName }), first(roots, func(r row) string { return r.Name })),
		Environment: either(first(roots, environment), first(rows, environment)),
		Version:     first(rows, func(r row) string { return r.Version }),
		Release:     first(rows, func(r row) string { return r.Release }),
		UserID:      first(rows, func(r row) string { return r.UserID }),
		SessionID:   first(rows, func(r row) string { return r.SessionID }),
		Input:       either(first(rows, func(r row) string { return r.TraceInput }), first(roots, func(r row) string { return r.Input })),
		Output:      either(first(rows, func(r row) string { return r.TraceOutput }), first(roots, func(r row) string { return r.Output })),
		Bookmarked:  len(roots) > 0 && roots[0].Bookmarked,
	}
	tags := map[string]bool{}
	last, lastEnd, lastStart := int64(math.MinInt64), int64(math.MinInt64), int64(math.MinInt64)
	for _, r := range rows {
		want.Timestamp, want.CreatedAt, want.UpdatedAt = min(want.Timestamp, r.StartTime), min(want.CreatedAt, r.CreatedAt),
			max(want.UpdatedAt, r.UpdatedAt)
		want.Public = want.Public || r.Public
		for _, tag := range r.Tags {
			tags[tag] = true
		}
		last, lastStart = max(last, r.StartTime.Millis()), max(lastStart, r.StartTime.Millis())
		if r.EndTime != 0 {
			last = max(last, r.EndTime.Millis())
			if r.Type != "EVENT" {
				lastEnd = max(lastEnd, r.EndTime.Millis())
			}
		}
		want.InputTokens += r.InputTokens
		want.TotalTokens += r.TotalTokens.Value
		want.InputCost += r.InputCost
		want.TotalCost += r.TotalCost.Value
		switch r.Level {
		case "ERROR":
			want.ErrorCount++
		case "WARNING":
			want.WarningCount++
		case "DEBUG":
			want.DebugCount++
		default:
			want.DefaultCount++
		}
	}
	want.Tags = slices.Sorted(maps.Keys(tags))
	want.InputCost, want.TotalCost = math.Round(want.InputCost*1e12)/1e12, math.Round(want.TotalCost*1e12)/1e12
	want.LatencyMillis = last - want.Timestamp.Millis()
	want.Metadata = naiveMetadata(rows, roots)
	if ended = lastStart - want.Timestamp.Millis(); lastEnd != math.MinInt64 {
		ended = max(0, lastEnd-want.Timestamp.Millis())
	}
	return want, ended
}

// naiveMetadata adds the least important values first.
func naiveMetadata(rows, roots []row) string {
	all := map[string]any{}
	var put func(prefix string, object map[string]any, chosen func(string) bool)
	put = func(prefix string, object map[string]any, chosen func(string) bool) {
		for name, value := range object {
			if inner, ok := value.(map[string]any); ok {
				put(prefix+name+".", inner, chosen)
			} else if chosen(prefix + name) {
				all[prefix+name] = value
			}
		}
	}
	read := func(text string, chosen func(string) bool) {
		var object map[string]any
		if json.Unmarshal([]byte(text), &object) == nil {
			put("", object, chosen)
		}
	}
	everything := func(string) bool { return true }
	for _, r := range slices.Backward(roots) {
		read(r.Metadata, everything)
	}
	if len(roots) == 0 {
		for _, r := range rows {
			if r.TraceName+r.UserID+r.SessionID+r.TraceInput+r.TraceOutput+r.TraceMetadata != "" || len(r.Tags) > 0 || r.Public {
				read(r.Metadata, func(key string) bool {
					group, _, below := strings.Cut(key, ".")
					return below && (group == "scope" || group == "resourceAttributes")
				})
				break
			}
		}
	}
	for _, r := range slices.Backward(rows) {
		read(r.TraceMetadata, everything)
	}
	if len(all) == 0 {
		return ""
	}
	text, err := json.Marshal(all)
	if err != nil {
		panic(err)
	}
	return string(text)
}

// TestAssemblyIsAsTheNaiveOne compares assembled traces of random rows with naive ones.
func TestAssemblyIsAsTheNaiveOne(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		list := rows().Draw(t, "trace")
		want, ended := naive(list)
		got, assembly := assembled(list...)
		if diff := cmp.Diff(&want, got); diff != "" {
			t.Fatalf("(-want +got)\n%s", diff)
		}
		if assembly.EndedMillis() != ended || assembly.Rows() != len(list) {
			t.Fatalf("it ended after %d ms, want %d; %d rows", assembly.EndedMillis(), ended, assembly.Rows())
		}
	})
}
