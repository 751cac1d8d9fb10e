package analytics

import (
	"encoding/json"
	"fmt"
	"math"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"
	"unicode/utf8"

	"pgregory.net/rapid"

	"almanac/internal/domain"
	"almanac/internal/store"
	"almanac/internal/store/segment"
	"almanac/internal/store/storetest"
)

// variedRows returns rows of all kinds: few distinct values, so that groups have several rows, and missing values in
// some.
func variedRows(rng *rand.Rand, count int) []domain.Observation {
	pick := func(values ...string) string { return values[rng.IntN(len(values))] }
	some := func(values ...string) []string {
		var list []string
		for _, v := range values {
			if rng.IntN(2) == 0 {
				list = append(list, v)
			}
		}
		return list
	}
	rows := make([]domain.Observation, count)
	for n := range rows {
		o := &rows[n]
		*o = domain.Observation{
			TraceID: fmt.Sprintf("t%d", rng.IntN(count/4)), ID: fmt.Sprintf("o%d", n), Type: pick("SPAN", "GENERATION", "EVENT"),
			Name:  pick("", "a", "b", "Ünï"),
			Level: pick("DEFAULT", "ERROR", "WARNING"), Environment: pick("production", "staging", ""), Version: pick("", "v1", "v2"),
			Release:   pick("", "r1"),
			TraceName: pick("", "", "chat"), UserID: pick("", "u1", "u2", "u3"), SessionID: pick("", "s1", "s2"),
			Tags:  some("x", "y", `"z"`),
			Model: pick("", "m1", "m2"), PromptName: pick("", "p1"), ToolNames: some("f", "g"),
			ToolCallNames: append(some("f"), some("f", "g")...),
			ExperimentID:  pick("", "e1"), ExperimentName: pick("", "en"), ExperimentDatasetID: pick("", "d1"),
			StartTime: after(int64(rng.IntN(40 * day))), IsAppRoot: rng.IntN(10) == 0, AsRoot: rng.IntN(10) == 0,
			Metadata: pick("", `{"k":"v1"}`, `{"k":"v2","other":1}`),
		}
		if rng.IntN(3) > 0 {
			o.ParentID = pick("o1", "o2")
		}
		if rng.IntN(4) > 0 {
			o.EndTime = o.StartTime + domain.Micros(rng.IntN(3_000_000))
		}
		if rng.IntN(3) == 0 {
			o.CompletionStartTime = o.StartTime + domain.Micros(rng.IntN(1_000_000))
		}
		if rng.IntN(2) == 0 {
			o.PromptVersion = domain.IntOf(int64(rng.IntN(3)))
		}
		if rng.IntN(3) > 0 {
			o.InputTokens, o.OutputTokens = int64(rng.IntN(100)), int64(rng.IntN(100))
			o.TotalTokens = domain.IntOf(o.InputTokens + o.OutputTokens)
			o.InputCost, o.OutputCost = float64(o.InputTokens)*1e-6, float64(o.OutputTokens)*3e-6
			o.TotalCost = domain.FloatOf(o.InputCost + o.OutputCost)
			o.Usage = fmt.Sprintf(`{"input":%d,"output":%d,"total":%d}`, o.InputTokens, o.OutputTokens, o.TotalTokens.Value)
			o.Cost = fmt.Sprintf(`{"input":%v,"out\"put":%v}`, o.InputCost, o.OutputCost)
		}
	}
	return rows
}

// variedScores returns scores of such rows, of their traces, and of nothing.
func variedScores(rng *rand.Rand, rows []domain.Observation, count int) []domain.Score {
	scores := make([]domain.Score, count)
	for n := range scores {
		o := &rows[rng.IntN(len(rows))]
		s := domain.Score{
			ID: fmt.Sprintf("s%d", n), TraceID: o.TraceID, ObservationID: o.ID, Name: []string{"q", "ok", "mood"}[rng.IntN(3)],
			Source:      []string{"API", "EVAL"}[rng.IntN(2)],
			Environment: o.Environment, Timestamp: o.StartTime + domain.Micros(rng.IntN(5_000_000)),
			ConfigID: []string{"", "c1"}[rng.IntN(2)],
		}
		switch rng.IntN(5) {
		case 0:
			s.ObservationID = ""
		case 1:
			s.TraceID = "nowhere"
		case 2:
			s.TraceID, s.ObservationID, s.SessionID = "", "", "s1"
		case 3:
			s.ExperimentID = "e1"
		}
		switch rng.IntN(4) {
		case 0:
			s.DataType, s.Value = domain.ScoreNumeric, domain.FloatOf(float64(rng.IntN(10))/4)
		case 1:
			s.DataType, s.Value, s.StringValue = domain.ScoreBoolean, domain.FloatOf(1), "True"
		case 2:
			s.DataType, s.StringValue = domain.ScoreCategorical, []string{"good", "bad"}[rng.IntN(2)]
		case 3:
			s.DataType, s.StringValue = domain.ScoreText, "words"
		}
		scores[n] = s
	}
	return scores
}

// openStore returns an embedded store in a temporary directory.
func openStore(t testing.TB) store.Store {
	t.Helper()
	s, err := segment.Open(t.TempDir(), segment.Options{MinFreeDisk: 1})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = s.Close() })
	return s
}

func flush(t testing.TB, s store.Store) {
	t.Helper()
	if err := s.Flush(t.Context()); err != nil {
		t.Fatal(err)
	}
}

// TestStoreAgreesWithRows runs random queries on the embedded store while rows are in memory, in segments, and in both
// with some replaced and some deleted. The results must be those of the simplest store, computed row by row.
func TestStoreAgreesWithRows(t *testing.T) {
	rng := rand.New(rand.NewPCG(1, 2))
	rows := variedRows(rng, 800)
	scores := variedScores(rng, rows, 500)
	newer := slices.Concat(rows[400:500], variedRows(rng, 400)[:100], rows[500:])
	states := map[string]func(t *testing.T, s store.Store){
		"in memory": func(t *testing.T, s store.Store) { keep(t, s, rows, scores) },
		"in segments": func(t *testing.T, s store.Store) {
			keep(t, s, rows, scores)
			flush(t, s)
		},
		"in both": func(t *testing.T, s store.Store) {
			keep(t, s, rows[:500], scores[:300])
			flush(t, s)
			keep(t, s, newer, scores[200:])
			if _, err := s.Observations().Delete(t.Context(), project, store.Selection{TraceIDs: []string{"t1", "t2"}}); err != nil {
				t.Fatal(err)
			}
		},
	}
	for name, prepare := range states {
		t.Run(name, func(t *testing.T) {
			embedded, simple := openStore(t), storetest.NewModel()
			prepare(t, embedded)
			prepare(t, simple)
			rapid.Check(t, func(rt *rapid.T) {
				version := rapid.SampledFrom([]Version{V1, V2}).Draw(rt, "version")
				question := drawQuestion(rt, version)
				byStore := answerOf(t, &Engine{Store: embedded, tracesAtOnce: rapid.SampledFrom([]int{0, 7}).Draw(rt, "at once")},
					version, question)
				byRows := answerOf(t, &Engine{Store: simple, rowByRow: true}, version, question)
				if !strings.HasPrefix(byStore, "[") {
					rt.Fatalf("%s\nwas refused: %s", question, byStore)
				}
				if difference := compareAnswers(byRows, byStore); difference != "" {
					rt.Fatalf("%s\n%s\nby the store %s\nrow by row   %s", question, difference, byStore, byRows)
				}
			})
		})
	}
}

// compareAnswers returns how two results differ; sums may differ in their last digits.
func compareAnswers(want, got string) string {
	var a, b any
	if err := json.Unmarshal([]byte(want), &a); err != nil {
		return err.Error() + " in " + want
	}
	if err := json.Unmarshal([]byte(got), &b); err != nil {
		return err.Error() + " in " + got
	}
	return compareJSON("", a, b)
}

func compareJSON(at string, a, b any) string {
	switch a := a.(type) {
	case []any:
		list, ok := b.([]any)
		if !ok || len(list) != len(a) {
			return fmt.Sprintf("%s: %v and %v", at, a, b)
		}
		for n := range a {
			if difference := compareJSON(fmt.Sprintf("%s[%d]", at, n), a[n], list[n]); difference != "" {
				return difference
			}
		}
		return ""
	case map[string]any:
		object, ok := b.(map[string]any)
		if !ok || len(object) != len(a) {
			return fmt.Sprintf("%s: %v and %v", at, a, b)
		}
		for name := range a {
			if difference := compareJSON(at+"."+name, a[name], object[name]); difference != "" {
				return difference
			}
		}
		return ""
	case float64:
		number, ok := b.(float64)
		if ok && math.Abs(a-number) <= 1e-9*math.Max(1, math.Abs(a)) {
			return ""
		}
	}
	if a == b {
		return ""
	}
	return fmt.Sprintf("%s: %v and %v", at, a, b)
}

// drawable is what can be queried in a view.
type drawable struct {
	dimensions []drawnDimension
	measures   []drawnMeasure
}

type drawnDimension struct {
	name, filterType string
	high             bool
}

type drawnMeasure struct {
	name string
	text bool
}

func drawableOf[S, R any](v *view[S, R]) (d drawable) {
	for n := range v.dimensions {
		d.dimensions = append(d.dimensions, drawnDimension{
			v.dimensions[n].name, v.dimensions[n].filterType, v.dimensions[n].highCardinality,
		})
	}
	for n := range v.measures {
		d.measures = append(d.measures, drawnMeasure{v.measures[n].name, v.measures[n].text})
	}
	return d
}

// drawQuestion draws a valid query.
func drawQuestion(rt *rapid.T, version Version) string {
	view := rapid.SampledFrom(viewNames[version]).Draw(rt, "view")
	var of drawable
	switch {
	case view == "traces":
		of = drawableOf(tracesV1())
	case view == "observations" && version == V1:
		of = drawableOf(observationsV1())
	case view == "observations":
		of = drawableOf(observationsV2())
	default:
		of = drawableOf(scoresOf(version, view))
	}
	dimensions := rapid.SliceOfNDistinct(rapid.SampledFrom(of.dimensions), 0, 3, func(d drawnDimension) string { return d.name }).Draw(rt,
		"dimensions")
	var metrics []string
	for range rapid.IntRange(0, 3).Draw(rt, "metrics") {
		m := rapid.SampledFrom(of.measures).Draw(rt, "measure")
		choices := aggregations
		if m.text {
			choices = []string{"count", "uniq"}
		}
		metrics = append(metrics, rapid.SampledFrom(choices).Draw(rt, "aggregation")+"_"+m.name)
	}
	// Kinds of cost and of usage cannot be combined in a query.
	isUsage := func(name string) bool { return name == "usageType" || strings.HasSuffix(name, "_usageByType") }
	isCost := func(name string) bool { return name == "costType" || strings.HasSuffix(name, "_costByType") }
	if slices.ContainsFunc(metrics, isCost) || slices.ContainsFunc(dimensions, func(d drawnDimension) bool { return isCost(d.name) }) {
		metrics = slices.DeleteFunc(metrics, isUsage)
		dimensions = slices.DeleteFunc(dimensions, func(d drawnDimension) bool { return isUsage(d.name) })
	}
	var names []string
	high := false
	for _, d := range dimensions {
		names = append(names, d.name)
		high = high || d.high && version == V2
	}
	more := []string{`"filters":[` + drawFilters(rt, of, isUsage, isCost) + `]`}
	sortable := slices.DeleteFunc(slices.Clone(metrics), func(name string) bool { return strings.HasPrefix(name, "histogram_") })
	switch {
	case high:
		if len(sortable) == 0 {
			metrics = append(metrics, "count_count")
			sortable = []string{"count_count"}
		}
		more = append(more, `"orderBy":[{"field":"`+sortable[0]+`","direction":"desc"}]`, `"config":{"row_limit":1000,"bins":3}`)
	case rapid.Bool().Draw(rt, "by time"):
		more = append(more, `"timeDimension":{"granularity":"`+rapid.SampledFrom([]string{"auto", "hour", "day", "week", "month"}).Draw(rt,
			"granularity")+`"}`)
		fallthrough
	default:
		if len(sortable) > 0 && rapid.Bool().Draw(rt, "ordered") {
			more = append(more, `"orderBy":[{"field":"`+rapid.SampledFrom(sortable).Draw(rt, "field")+`","direction":"asc"}]`)
		}
		more = append(more, `"config":{"row_limit":1000}`)
	}
	from := noon.Time().AddDate(0, 0, rapid.IntRange(-1, 10).Draw(rt, "from"))
	to := from.AddDate(0, 0, rapid.IntRange(1, 40).Draw(rt, "days"))
	const form = "2006-01-02T15:04:05Z"
	more = append(more, `"fromTimestamp":"`+from.Format(form)+`","toTimestamp":"`+to.Format(form)+`"`)
	return q(view, strings.Join(metrics, " "), strings.Join(names, " "), strings.Join(more, ","))
}

func drawFilters(rt *rapid.T, of drawable, leftOut ...func(string) bool) string {
	var list []string
	for range rapid.IntRange(0, 2).Draw(rt, "filters") {
		d := rapid.SampledFrom(of.dimensions).Draw(rt, "column")
		if slices.ContainsFunc(leftOut, func(is func(string) bool) bool { return is(d.name) }) {
			continue
		}
		value := rapid.SampledFrom([]string{
			"", "a", "v1", "u1", "s1", "m1", "p1", "production", "1", "2026-03", "chat", "o1", "t5", "e1", "good", "x",
		}).Draw(rt, "value")
		kind, operators, text := "null", []string{"is null", "is not null"}, `""`
		if rapid.IntRange(0, 4).Draw(rt, "null") > 0 {
			kind = rapid.SampledFrom(fittingTypes[d.filterType]).Draw(rt, "type")
			text = map[string]string{
				"string": `"` + value + `"`, "stringOptions": `["` + value + `","b"]`, "arrayOptions": `["x","f"]`, "number": "1",
				"boolean": "true",
			}[kind]
			operators = map[string][]string{
				"string": {"=", "contains", "does not contain", "starts with", "ends with"}, "stringOptions": {"any of", "none of"},
				"arrayOptions": {"any of", "none of", "all of"}, "number": {"=", ">", "<"}, "boolean": {"=", "<>"},
			}[kind]
		}
		operator := rapid.SampledFrom(operators).Draw(rt, "operator")
		list = append(list, `{"type":"`+kind+`","column":"`+d.name+`","operator":"`+operator+`","value":`+text+`}`)
	}
	if rapid.IntRange(0, 5).Draw(rt, "metadata") == 0 {
		list = append(list, `{"type":"stringObject","column":"metadata","key":"k","operator":"=","value":"v1"}`)
	}
	return strings.Join(list, ",")
}

// FuzzQuestions checks that no query panics, and that running it twice gives the same rows.
func FuzzQuestions(f *testing.F) {
	for _, question := range []string{
		`{nope`, q("observations", "count_count p95_latency histogram_totalCost", "name tags", `"timeDimension":{"granularity":"hour"}`),
		q("scores-numeric", "avg_value", "traceName observationName", ""), q("observations", "sum_costByType", "calledToolNames", ""),
		q("observations", "count_count", "traceId",
			`"orderBy":[{"field":"count_count","direction":"desc"}],"config":{"row_limit":3,"bins":2}`),
		q("traces", "sum_totalCost", "name", `"filters":[{"type":"string","column":"name","operator":"contains","value":""}]`),
	} {
		f.Add(question, true)
		f.Add(question, false)
	}
	all := engines(f)
	f.Fuzz(func(t *testing.T, question string, first bool) {
		version := V2
		if first {
			version = V1
		}
		byStore, byRows := answerOf(t, all["by the store"], version, question), answerOf(t, all["row by row"], version, question)
		if strings.HasPrefix(byStore, "[{") || strings.HasPrefix(byRows, "[{") {
			if difference := compareAnswers(byRows, byStore); difference != "" {
				t.Errorf("%s\n%s", question, difference)
			}
		}
	})
}

// FuzzEntries parses objects of numbers with any content.
func FuzzEntries(f *testing.F) {
	for _, text := range []string{
		"", "{}", `{"a":1}`, `{"a":1,"b":2.5e-7}`, `{ "a" : 1 }`, `{"a\"":1}`, `{"a":"x"}`, `[1]`, `{"a":1`, `{"a":1}x`,
	} {
		f.Add(text)
	}
	f.Fuzz(func(t *testing.T, text string) {
		list := entriesOf(text)
		if len(list) == 0 {
			return
		}
		var members map[string]json.Number
		if err := json.Unmarshal([]byte(text), &members); err != nil {
			t.Fatalf("%q was read although it is no object of numbers: %v", text, err)
		}
		for _, e := range list {
			if _, there := members[e.kind]; !there && len(list) == len(members) && utf8.ValidString(text) {
				t.Errorf("%q: %q is not there", text, e.kind)
			}
		}
	})
}
