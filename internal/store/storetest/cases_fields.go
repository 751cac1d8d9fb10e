package storetest

import (
	"encoding/json"
	"fmt"
	"math"
	"math/bits"
	"reflect"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"

	"almanac/internal/domain"
	"almanac/internal/store"
)

// jsonFields are the fields whose contents must be JSON of a certain form, with a placeholder for a quoted string. All
// other strings may be anything.
var jsonFields = map[string]string{
	"TraceMetadata": `{"a":{"b":[1,{"c":null}]},"s":%s}`,
	// Keys are dotted, and values are never objects.
	"Metadata":               `{"a.b":[1,{"c":null}],"n":-1.5e3,"t":true,"z":null,"s":%s}`,
	"ModelParameters":        `{"temperature":0.5,"stop":[%s]}`,
	"ProvidedUsage":          `{"input":1,"output":9007199254740993}`,
	"Usage":                  `{"input":1,"output":2,"total":3}`,
	"ProvidedCost":           `{"input":0.1}`,
	"Cost":                   `{"input":1e-12,"total":0.30000000000000004}`,
	"ToolDefinitions":        `{"search":{"parameters":{"q":%s}}}`,
	"ToolCalls":              `[{"name":"search","arguments":%s}]`,
	"ExperimentMetadata":     `{"k":%s}`,
	"ExperimentItemMetadata": `{"k":{"k":{"k":%s}}}`,
}

// fill sets every field of a row except its key and time: strings to the result of text for their name, the rest to
// values that depend on the variant.
func fill(row any, variant int, text func(field string) string) {
	v := reflect.ValueOf(row).Elem()
	for i := range v.NumField() {
		field, name := v.Field(i), v.Type().Field(i).Name
		switch value := field.Addr().Interface().(type) {
		case *string:
			if name == "ID" || name == "TraceID" {
				continue
			}
			*value = text(name)
			if form, ok := jsonFields[name]; ok {
				quoted, _ := json.Marshal(*value) // replaces invalid UTF-8, which JSON cannot hold
				*value = strings.ReplaceAll(form, "%s", string(quoted))
			}
		case *[]string:
			*value = []string{text(name), name, "", name}
		case *bool:
			*value = variant%2 == 0
		case *domain.Micros:
			if name != "StartTime" && name != "Timestamp" {
				*value = times[(variant+i)%len(times)]
			}
		case *int64:
			*value = integers[(variant+i)%len(integers)]
		case *float64:
			*value = numbers[(variant+i)%len(numbers)]
		case *domain.OptInt:
			*value = domain.IntOf(integers[(variant+i)%len(integers)])
		case *domain.OptFloat:
			*value = domain.FloatOf(numbers[(variant+i)%len(numbers)])
		default:
			panic("BUG: the suite does not know fields like " + name)
		}
	}
}

var (
	integers = []int64{0, 1, -1, 127, 128, 255, 256, 1 << 31, -1 << 31, 1<<53 + 1, math.MaxInt64, math.MinInt64}
	numbers  = []float64{
		0, 1, -1, 0.1, 1.0 / 3, -1e-12, 1e21, 1<<53 + 2, math.MaxFloat64, -math.MaxFloat64, math.SmallestNonzeroFloat64, math.Pi,
	}
	times = []domain.Micros{
		1, -1, 999, 1000, -999, -1000, -1001, noon, noon + 1, noon + 999, noon + 1000,
		domain.MicrosOf(time.Date(1, 1, 1, 0, 0, 0, 1000, time.UTC)),
		domain.MicrosOf(time.Date(1900, 2, 28, 23, 59, 59, 999999000, time.UTC)),
		domain.MicrosOf(time.Date(1969, 12, 31, 23, 59, 59, 0, time.UTC)),
		domain.MicrosOf(time.Date(9999, 12, 31, 23, 59, 59, 999999000, time.UTC)),
	}
)

// everyField appends rows with every field set and some with none, and reads all of them back.
func everyField[R any](t *testing.T, x *tester[R], extra ...R) {
	rows := extra
	add := func(id string, when domain.Micros, decorate func(*R)) {
		row := x.row("trace "+id, id, when)
		decorate(&row)
		rows = append(rows, row)
	}
	add("bare", at(0), func(*R) {})
	for i := range max(len(integers), len(numbers)) {
		add(fmt.Sprint("numbers ", i), at(int64(i)), func(row *R) {
			fill(row, i, func(field string) string { return fmt.Sprint(field, i) })
		})
	}
	for i, when := range times {
		add(fmt.Sprint("time ", i), when, func(*R) {})
	}
	for i, text := range strange {
		add(fmt.Sprint("text ", i), at(1000+int64(i)), func(row *R) {
			fill(row, i, func(field string) string { return text + field })
		})
	}
	x.append(t, rows...)
	want := slices.SortedFunc(slices.Values(rows), x.compare)
	x.inEveryState(t, func(t *testing.T) { x.wantAll(t, want...) })
}

func everyObservationField(t *testing.T, f *fixture) {
	tags := make([]string, 5000)
	for i := range tags {
		tags[i] = fmt.Sprint("tag ", i)
	}
	everyField(t, testerOf(f, observations()),
		domain.Observation{
			TraceID: "t", ID: "thousands of tags", StartTime: at(1), Tags: tags, ToolNames: tags[:1000], ToolCallNames: tags[1000:],
		},
		domain.Observation{TraceID: "t", ID: "an empty tag", StartTime: at(1), Tags: []string{""}},
		domain.Observation{TraceID: "t", ID: "the same tag", StartTime: at(1), Tags: []string{"b", "a", "b"}},
		domain.Observation{
			TraceID: "t", ID: "zero is not unset", StartTime: at(1),
			TotalTokens: domain.IntOf(0), TotalCost: domain.FloatOf(0), PromptVersion: domain.IntOf(0),
		},
		domain.Observation{TraceID: "t", ID: "not quite JSON", StartTime: at(1), Metadata: `{ "a" : 1.0 , "a" : 2e0, "\u0062":"\/" }`},
	)
}

func everyScoreField(t *testing.T, f *fixture) {
	everyField(t, testerOf(f, scores()),
		domain.Score{ID: "zero is not unset", Timestamp: at(1), Value: domain.FloatOf(0)},
		domain.Score{ID: "of a session", Timestamp: at(1), SessionID: "s"},
		domain.Score{ID: "spelled in its own way", Timestamp: at(1), Metadata: `{ "a" : 1.0 , "a" : 2e0, "\u0062":"\/" }`},
	)
}

// wantedParts reads rows with every combination of parts.
func wantedParts[R any](t *testing.T, x *tester[R]) {
	var rows []R
	for i := range 5 {
		row := x.row("t", strconv.Itoa(i), at(int64(-i)))
		fill(&row, i, func(field string) string { return fmt.Sprint(field, " of row ", i) })
		*x.sessionID(&row) = "s"
		rows = append(rows, row)
	}
	x.append(t, rows...)
	x.inEveryState(t, func(t *testing.T) {
		for want := range store.WantAll + 1 {
			if x.remote() && want != store.WantAll && bits.OnesCount(uint(want)) > 1 {
				continue // none, each alone, and all: queries to a server are slow
			}
			got := x.scan(t, store.Query[R]{Want: want})
			if d := x.diff(rows, got, want); d != "" {
				t.Errorf("Scan with parts %04b: %s", want, d)
			}
			for _, l := range []store.Lookup{
				{TraceIDs: []string{"t"}, Want: want},
				{IDs: []string{"0", "1", "2", "3", "4"}, Want: want},
				{SessionIDs: []string{"s"}, Want: want},
			} {
				if d := x.diff(rows, x.lookup(t, l), want); d != "" {
					t.Errorf("Lookup(%+v): %s", l, d)
				}
			}
		}
	})
}
