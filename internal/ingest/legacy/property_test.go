package legacy

import (
	"encoding/json"
	"maps"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"

	"almanac/internal/domain"
)

// The oracle keeps what was sent as trees of values and merges one event after the other, according to the rules. It
// knows nothing about rows, batches or dotted keys.

type object = map[string]any

// oracle is the expected state of a server.
type oracle struct {
	traces       map[string]object
	observations map[string]object
}

// apply merges an event into the state.
func (o *oracle) apply(kind string, body object) {
	id, _ := body["id"].(string)
	things := o.observations
	if kind == "trace-create" {
		things = o.traces
	}
	known, exists := things[id]
	if !exists {
		known = object{}
		things[id] = known
		for _, fixed := range []string{"traceId", "environment"} {
			known[fixed] = body[fixed]
		}
	}
	for name, value := range body {
		switch name {
		case "traceId", "environment":
		case "tags":
			known[name] = union(known[name], value)
		case "input", "output":
			if value != nil && value != "" && !cmp.Equal(value, object{}) {
				known[name] = value
			}
		case "metadata":
			known[name] = deepMerge(known[name], value)
		case "usage":
			if !cmp.Equal(value, object{}) {
				known[name] = value
			}
		default:
			known[name] = value
		}
	}
}

func union(known, added any) any {
	if added == nil {
		return nil
	}
	all := map[string]bool{}
	for _, list := range []any{known, added} {
		tags, _ := list.([]any)
		for _, tag := range tags {
			all[tag.(string)] = true
		}
	}
	var tags []any
	for _, tag := range slices.Sorted(maps.Keys(all)) {
		tags = append(tags, tag)
	}
	return tags
}

func deepMerge(known, added any) any {
	into, ok := known.(object)
	from, isObject := added.(object)
	switch {
	case isObject && len(from) == 0:
		return known
	case !ok || !isObject:
		return added
	}
	for name, value := range from {
		into[name] = deepMerge(into[name], value)
	}
	return into
}

// flat returns the leaves of a tree by dotted keys.
func flat(prefix string, value any, leaves object) object {
	if members, ok := value.(object); ok {
		for name, v := range members {
			flat(prefix+"."+name, v, leaves)
		}
	} else if prefix != "" {
		leaves[prefix[1:]] = value
	}
	return leaves
}

func text(value any) string {
	switch v := value.(type) {
	case nil:
		return ""
	case string:
		return v
	}
	b, err := json.Marshal(value)
	if err != nil {
		panic(err)
	}
	return string(b)
}

// check compares a row with its expected state.
func (o *oracle) check(t *rapid.T, known object, row *domain.Observation, trace object) {
	t.Helper()
	var metadata object
	if row.Metadata != "" {
		if err := json.Unmarshal([]byte(row.Metadata), &metadata); err != nil {
			t.Fatalf("metadata %s: %v", row.Metadata, err)
		}
	}
	leaves := flat("", known["metadata"], object{})
	if len(leaves) == 0 {
		leaves = nil
	}
	if diff := cmp.Diff(leaves, metadata); diff != "" {
		t.Fatalf("metadata of %s: %s", row.ID, diff)
	}
	got := []string{row.Name, row.Version, row.Input, row.Output, row.Environment}
	environment := text(known["environment"])
	if environment == "" {
		environment = "default"
	}
	want := []string{text(known["name"]), text(known["version"]), text(known["input"]), text(known["output"]), environment}
	if !row.IsTraceRecord() {
		units := ""
		if usage, ok := known["usage"].(object); ok {
			units = text(usage)
		}
		got, want = append(got, row.ProvidedUsage, row.SentParentID()), append(want, units, text(known["parentObservationId"]))
	}
	if trace != nil {
		got = append(got, row.TraceName, row.UserID, row.SessionID, strings.Join(row.Tags, ","), strconv.FormatBool(row.Public))
		var tags []string
		list, _ := trace["tags"].([]any)
		for _, tag := range list {
			tags = append(tags, tag.(string))
		}
		public, _ := trace["public"].(bool)
		want = append(want, text(trace["name"]), text(trace["userId"]), text(trace["sessionId"]), strings.Join(tags, ","),
			strconv.FormatBool(public))
		if root := row.ParentID == domain.TraceRecordID(row.TraceID); root != (text(known["parentObservationId"]) == "" &&
			!row.IsTraceRecord()) {
			t.Fatalf("%s has the parent %q", row.ID, row.ParentID)
		}
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Fatalf("%s (-want +got)\n%s", row.ID, diff)
	}
}

func drawTree(t *rapid.T, depth int) any {
	if depth == 0 || rapid.IntRange(0, 2).Draw(t, "leaf") == 0 {
		return rapid.SampledFrom([]any{"x", "", 1.0, true, nil, []any{1.0, "y"}}).Draw(t, "value")
	}
	members := object{}
	for range rapid.IntRange(1, 3).Draw(t, "members") {
		members[rapid.SampledFrom([]string{"a", "b", "c"}).Draw(t, "name")] = drawTree(t, depth-1)
	}
	return members
}

func drawBody(t *rapid.T, kind string) object {
	body := object{}
	maybe := func(name string, values ...any) {
		if rapid.Bool().Draw(t, "with "+name) {
			body[name] = rapid.SampledFrom(values).Draw(t, name)
		}
	}
	maybe("name", "n1", "n2", "", nil)
	maybe("version", "v1", "v2", nil)
	maybe("environment", "prod", "test", nil)
	maybe("input", "i", "", nil, object{}, object{"q": 1.0}, []any{"x"})
	maybe("output", "o", "", nil, object{"r": []any{1.0}}, 5.0)
	if rapid.Bool().Draw(t, "with metadata") {
		body["metadata"] = rapid.SampledFrom([]any{nil, object{}, drawTree(t, 3)}).Draw(t, "metadata")
		if _, ok := body["metadata"].(object); !ok {
			body["metadata"] = nil
		}
	}
	if kind == "trace-create" {
		body["id"] = rapid.SampledFrom([]string{"T", "U"}).Draw(t, "trace")
		maybe("userId", "u1", "u2", nil)
		maybe("sessionId", "s1", "s2", nil)
		maybe("public", true, false, nil)
		maybe("tags", nil, []any{}, []any{"b", "a"}, []any{"c"})
		return body
	}
	// Observations stay in their traces.
	id := rapid.SampledFrom([]string{"T-1", "T-2", "U-1"}).Draw(t, "observation")
	body["id"], body["traceId"] = id, id[:1]
	maybe("parentObservationId", "p", "", nil)
	if strings.HasPrefix(kind, "generation") {
		maybe("usage", object{"input": 1.0}, object{"input": 2.0, "output": 1.0}, object{}, nil)
	}
	return body
}

// TestAgainstOracle sends random events in random batches and compares all rows with the oracle.
func TestAgainstOracle(t *testing.T) {
	rapid.Check(t, func(rt *rapid.T) {
		b := newBench(t)
		o := &oracle{map[string]object{}, map[string]object{}}
		second := 0
		for range rapid.IntRange(1, 6).Draw(rt, "batches") {
			var batch []Event
			for range rapid.IntRange(1, 6).Draw(rt, "events") {
				second++
				kind := rapid.SampledFrom([]string{
					"trace-create", "span-create", "span-update", "generation-create", "generation-update", "event-create",
				}).Draw(rt, "kind")
				body := drawBody(rt, kind)
				raw, err := json.Marshal(body)
				if err != nil {
					rt.Fatal(err)
				}
				batch = append(batch, ev(second, kind, string(raw)))
				o.apply(kind, body)
			}
			b.send(rapid.Permutation(batch).Draw(rt, "order")...)
		}
		rows := b.rows("T")
		maps.Copy(rows, b.rows("U"))
		if len(rows) != len(o.traces)+len(o.observations) {
			rt.Fatalf("%d rows of %d traces and %d observations", len(rows), len(o.traces), len(o.observations))
		}
		for id, trace := range o.traces {
			row := rows[domain.TraceRecordID(id)]
			o.check(rt, trace, &row, trace)
		}
		for id, known := range o.observations {
			row := rows[id]
			o.check(rt, known, &row, o.traces[row.TraceID])
		}
	})
}

// FuzzIngest checks that no JSON makes the ingester panic, and that all stored rows are valid.
func FuzzIngest(f *testing.F) {
	f.Add("trace-create", []byte(`{"id":"T","timestamp":"2026-03-01T11:00:00Z","tags":["b"],"metadata":{"k":{"l":true}},"public":true}`),
		"span-update", []byte(`{"id":"o","traceId":"T","input":[1],"metadata":"x"}`))
	f.Add("generation-create",
		[]byte(`{"id":"o","traceId":"T","usage":{"promptTokens":1},"usageDetails":{"prompt_tokens":1,"completion_tokens":2,"total_tokens":3},"costDetails":{"input":1e300}}`), "generation-update", []byte(`{"id":"o","model":"gpt-4o","modelParameters":{"a":{"b":null}},"endTime":"0000-01-01T00:00Z"}`))
	f.Add("observation-create", []byte(`{"type":"EVENT","id":"\ud800","metadata":{"":{"":1},".":2}}`), "event-create",
		[]byte("{\"id\":\"o\",\"input\":\"\xff\"}"))
	b := newBench(f)
	f.Fuzz(func(t *testing.T, kind1 string, body1 []byte, kind2 string, body2 []byte) {
		for _, body := range [][]byte{body1, body2} {
			if decodeCheck(body) != nil {
				return
			}
		}
		b := &bench{t: t, in: b.in, now: b.now}
		fresh := newTable()
		b.table, b.in.Table = fresh, fresh
		b.try(ev(1, kind1, string(body1)), ev(2, kind2, string(body2)))
		for _, row := range fresh.all() {
			if row.StartTime == 0 || row.TraceID == "" || row.ID == "" || row.Type == "" || row.Level == "" || row.Environment == "" {
				t.Errorf("%+v", row)
			}
			for _, object := range []string{row.Metadata, row.ModelParameters, row.Usage, row.Cost, row.ProvidedUsage, row.ProvidedCost} {
				if object != "" && !json.Valid([]byte(object)) {
					t.Errorf("not JSON: %s", object)
				}
			}
		}
	})
}
