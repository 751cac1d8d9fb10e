package storetest

import (
	"encoding/json"
	"reflect"
	"slices"
	"strings"
	"time"

	"pgregory.net/rapid"

	"almanac/internal/domain"
	"almanac/internal/filter"
	"almanac/internal/store"
)

// Everything is drawn from few values, so that rows recur, collide and are found by conditions. Failures are reduced to
// the first value of a list.
var (
	projectIDs = []string{"p", "p2"}
	traceIDs   = []string{"t0", "t1", "t2", "t"}
	ids        = []string{"a", "b", "c", "d", "e", "ab"}
	texts      = []string{"a", "b", "ab", "", "Alpha beta", "beta", "alpha", "ünï", "100%", "a_b", "2", "日本語", "t0"}
	sessions   = []string{"", "s0", "s1"}
	metadata   = []string{
		"", `{}`, `{"a":"a"}`, `{"a":1}`, `{"a":2.5,"b":"a"}`, `{"a.b":"Alpha beta","b":"beta"}`, `{"a":true,"b":null,"c":["x",1]}`,
		`{"a":"1","a":"2"}`,
	}
	metadataKeys = []string{"a", "b", "a.b", "c", "none"}
	longTextPool = []string{"a", "", "Alpha beta gamma", "beta ALPHA", "alphabet", "the quick brown fox", "日本語", "say \"alpha beta\"!"}
	searches     = []string{"a", "alpha", "Beta", "alpha beta", "beta alpha", "fox", "日本", "none", "alph"}
	numberPool   = []float64{0, 1, 2, 0.5, -1, 0.25, 1000, 0.001}
)

// drawn is a drawn row, which prints only what is set in it.
type drawn[R any] struct{ row R }

// GoString keeps the output readable.
func (d drawn[R]) GoString() string { return describe(&d.row) }

func drawProject(rt *rapid.T) string { return rapid.SampledFrom(projectIDs).Draw(rt, "project") }

func drawTexts(rt *rapid.T, label string, from []string) []string {
	return rapid.SliceOfN(rapid.SampledFrom(from), 1, 3).Draw(rt, label)
}

// start is the earliest time of day that is drawn: shortly before midnight, so that rows are on both sides of it.
var start = domain.MicrosOf(time.Date(2026, 3, 4, 23, 59, 59, 998_000_000, time.UTC))

// drawTime draws times of a few milliseconds on a few days, one of them long ago.
func drawTime(rt *rapid.T) domain.Micros {
	when := start + domain.Micros(rapid.IntRange(0, 3).Draw(rt, "millisecond")*1000)
	when += domain.Micros(rapid.SampledFrom([]int{0, 1, -1, 2, -30000}).Draw(rt, "day")) * day
	return when + domain.Micros(rapid.SampledFrom([]int{0, 1, 999}).Draw(rt, "microsecond"))
}

// drawRow draws a row with some fields set.
func drawRow[R any](rt *rapid.T, k *kind[R]) R {
	traces := traceIDs
	if !k.keyHasTrace {
		traces = append(slices.Clone(traces), "")
	}
	row := k.row(rapid.SampledFrom(traces).Draw(rt, "trace"), rapid.SampledFrom(ids).Draw(rt, "id"), drawTime(rt))
	*k.sessionID(&row) = rapid.SampledFrom(sessions).Draw(rt, "session")
	decorate(rt, k, &row)
	return row
}

// decorate draws some fields of a row, except its key and time.
func decorate[R any](rt *rapid.T, k *kind[R], row *R) {
	v := reflect.ValueOf(row).Elem()
	for range rapid.IntRange(0, 6).Draw(rt, "fields") {
		i := rapid.IntRange(0, v.NumField()-1).Draw(rt, "field")
		field := v.Field(i).Addr().Interface()
		if field == k.id(row) || field == k.traceID(row) || field == k.time(row) {
			continue
		}
		drawField(rt, v.Type().Field(i).Name, field)
	}
}

// drawField draws one field.
func drawField(rt *rapid.T, name string, field any) {
	switch field := field.(type) {
	case *string:
		switch {
		case name == "Metadata" || name == "TraceMetadata":
			*field = rapid.SampledFrom(metadata).Draw(rt, name)
		case jsonFields[name] != "":
			quoted, _ := json.Marshal(rapid.SampledFrom(texts).Draw(rt, name))
			*field = strings.ReplaceAll(jsonFields[name], "%s", string(quoted))
		case name == "Input" || name == "Output":
			*field = rapid.SampledFrom(longTextPool).Draw(rt, name)
		case name == "SessionID":
			*field = rapid.SampledFrom(sessions).Draw(rt, name)
		default:
			*field = rapid.SampledFrom(texts).Draw(rt, name)
		}
	case *[]string:
		*field = rapid.SliceOfN(rapid.SampledFrom(texts), 0, 3).Draw(rt, name)
	case *bool:
		*field = rapid.Bool().Draw(rt, name)
	case *domain.Micros:
		// Ends are close to starts, so that there are durations.
		*field = drawTime(rt) + domain.Micros(rapid.IntRange(0, 2).Draw(rt, "half seconds")*500_000)
	case *int64:
		*field = int64(rapid.SampledFrom(numberPool).Draw(rt, name))
	case *float64:
		*field = rapid.SampledFrom(numberPool).Draw(rt, name)
	case *domain.OptInt:
		*field = domain.IntOf(int64(rapid.SampledFrom(numberPool).Draw(rt, name)))
	case *domain.OptFloat:
		*field = domain.FloatOf(rapid.SampledFrom(numberPool).Draw(rt, name))
	default:
		panic("BUG: the suite does not know fields like " + name)
	}
}

func drawWant(rt *rapid.T) store.Want {
	return rapid.SampledFrom([]store.Want{
		store.WantAll, 0, store.WantIO, store.WantMetadata, store.WantStatus, store.WantUsage, store.WantDetails, store.WantTrace,
		store.WantIO | store.WantMetadata,
	}).Draw(rt, "want")
}

func drawLookup(rt *rapid.T) store.Lookup {
	l := store.Lookup{Want: drawWant(rt)}
	switch rapid.SampledFrom([]string{"ids", "traces", "sessions"}).Draw(rt, "lookup") {
	case "ids":
		l.IDs = drawTexts(rt, "ids", ids)
	case "traces":
		l.TraceIDs = drawTexts(rt, "traces", traceIDs)
	case "sessions":
		l.SessionIDs = drawTexts(rt, "sessions", sessions[1:])
	}
	return l
}

func (h *half[R]) drawQuery(rt *rapid.T, project string) store.Query[R] {
	existing := h.existing(project)
	q := store.Query[R]{Want: drawWant(rt)}
	q.From, q.To = h.drawBound(rt, "from", existing), h.drawBound(rt, "to", existing)
	q.Where = h.drawConditions(rt, existing)
	if rapid.Bool().Draw(rt, "after a position") {
		row := rapid.Custom(func(rt *rapid.T) drawn[R] { return drawn[R]{drawRow(rt, h.kind)} }).Draw(rt, "position").row
		if len(existing) > 0 && rapid.Bool().Draw(rt, "that exists") {
			row = *existing[rapid.IntRange(0, len(existing)-1).Draw(rt, "row")]
		}
		position := h.position(&row)
		q.After = &position
	}
	q.Limit = rapid.IntRange(0, 8).Draw(rt, "limit")
	q.Once = rapid.Bool().Draw(rt, "once")
	return q
}

// drawBound draws a time bound: usually none, else exactly that of a row, or any.
func (h *half[R]) drawBound(rt *rapid.T, label string, existing []*R) domain.Micros {
	switch i := rapid.IntRange(0, 3).Draw(rt, label); {
	case i == 3 && len(existing) > 0:
		return *h.time(existing[rapid.IntRange(0, len(existing)-1).Draw(rt, "of row")])
	case i >= 2:
		return drawTime(rt)
	}
	return 0
}

func (h *half[R]) drawAggregate(rt *rapid.T, project string) store.AggregateQuery[R] {
	q := store.AggregateQuery[R]{
		Bucket:    rapid.SampledFrom([]int64{0, 1, 2, 3_600_000, 86_400_000, 7 * 86_400_000}).Draw(rt, "bucket"),
		MaxGroups: rapid.SampledFrom([]int{0, 0, 0, 1, 2, 5}).Draw(rt, "groups"),
	}
	existing := h.existing(project)
	q.From, q.To = h.drawBound(rt, "from", existing), h.drawBound(rt, "to", existing)
	q.Where = h.drawConditions(rt, existing)
	if q.Bucket == 0 {
		switch rapid.IntRange(0, 3).Draw(rt, "calendar") {
		case 2:
			q.Calendar = store.Weeks(time.UTC)
		case 3:
			q.Calendar = store.Months(time.UTC)
		}
	}
	for range rapid.IntRange(0, 3).Draw(rt, "group by") {
		q.GroupBy = append(q.GroupBy, h.drawMeasured(rt, filter.Text, filter.Bool, filter.List, filter.Number))
	}
	for range rapid.IntRange(0, 5).Draw(rt, "measures") {
		m := store.Measure[R]{Function: rapid.SampledFrom([]store.Function{
			store.Count, store.Sum, store.Average, store.Min, store.Max, store.Quantile, store.Distinct, store.Histogram,
		}).Draw(rt, "function")}
		switch m.Function {
		case store.Count:
			if rapid.Bool().Draw(rt, "of a column") {
				m.Column = h.drawMeasured(rt, filter.Text, filter.Number)
			}
		case store.Distinct:
			m.Column = h.drawMeasured(rt, filter.Text, filter.Number)
		case store.Quantile:
			m.Quantile = rapid.SampledFrom([]float64{0, 0.5, 0.25, 0.9, 0.99, 1}).Draw(rt, "quantile")
			m.Column = h.drawMeasured(rt, filter.Number)
		case store.Histogram:
			m.Bins = rapid.SampledFrom([]int{1, 2, 3, 10}).Draw(rt, "bins")
			m.Column = h.drawMeasured(rt, filter.Number)
		case store.Min, store.Max:
			m.Column = h.drawMeasured(rt, filter.Number, filter.Time)
		default:
			m.Column = h.drawMeasured(rt, filter.Number)
		}
		q.Measures = append(q.Measures, m)
	}
	return q
}
