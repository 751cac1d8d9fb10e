package semconv

import (
	"encoding/json"
	"math"
	"math/big"
	"reflect"
	"slices"
	"sort"
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/google/go-cmp/cmp"

	"almanac/internal/domain"
	"almanac/internal/ingest/otlp"
	"almanac/internal/jsontext"
)

// drawing generates attributes from random bytes.
type drawing struct {
	bytes []byte
	names []string
}

// drawnNames returns all names of the table, in order, and some of every family.
func drawnNames() []string {
	var names []string
	for name := range meanings {
		names = append(names, name)
	}
	sort.Strings(names)
	rests := []string{
		"", "a", "a.b", "0", "0.role", "0.content", "1.x.0.y", "12345.a", "tools", "scope", "scope.name", "attributes", "input_tokens",
		"0.tool.json_schema", "__proto__", "details.x", "model", "langfuse_tags",
	}
	for _, rest := range rests {
		for _, f := range serviceFamilies {
			names = append(names, services[0]+f.prefix+rest, services[1]+f.prefix+rest)
		}
		for _, f := range otherFamilies {
			names = append(names, f.prefix+rest)
		}
	}
	return append(names, "http.method", "")
}

func (d *drawing) byte() byte {
	if len(d.bytes) == 0 {
		return 0
	}
	b := d.bytes[0]
	d.bytes = d.bytes[1:]
	return b
}

func (d *drawing) number() int { return int(d.byte())<<8 | int(d.byte()) }

// text returns a piece of the input, or one of the shapes that rules look for.
func (d *drawing) text() string {
	shapes := []string{
		`{}`, `[]`, `null`, `5`, `"x"`, `true`, `{"a":{"b":1,"c":[{}]}}`, `[{"role":"system","content":"x"}]`,
		`[{"name":"t","description":"d"}]`,
		`{"tools":[{"name":"t","parameters":{}}],"messages":[{"role":"tool","content":{"type":"function","function":{"name":"f"}}}]}`,
		`{"tool_calls":"[{\"toolName\":\"t\",\"args\":{}}]"}`, `[{"id":1,"name":"a","arguments":null}]`,
		`{"function_tools":[{"name":"t"}],"z":1}`,
		`{"prompt_tokens":3,"completion_tokens":2,"total_tokens":5,"prompt_tokens_details":{"x":9}}`, `{"usage":{"inputTokens":3}}`,
		`{"openai":{"serviceTier":"flex","cachedPromptTokens":2}}`, `2026-01-01T00:00:00Z`, `invoke_agent`, `model`, `generation`,
		`[{"event.name":"gen_ai.choice"},{"event.name":"x"}]`, `{"\u0061rguments":1}`, `{"a":1e999,"b":-0,"c":"\ud800"}`,
	}
	n := d.number()
	if n%3 == 0 {
		return shapes[n/3%len(shapes)]
	}
	n %= 200
	n = min(n, len(d.bytes))
	text := strings.ToValidUTF8(string(d.bytes[:n]), "�")
	d.bytes = d.bytes[n:]
	return text
}

func (d *drawing) value(depth int) otlp.Value {
	switch kind := otlp.Kind(d.byte() % 9); kind {
	case otlp.KindNull, otlp.KindBool:
		return otlp.Value{Kind: kind, Int: int64(d.byte() & 1)}
	case otlp.KindInt:
		return otlp.Value{Kind: kind, Int: []int64{0, 1, -1, 77, math.MaxInt64, math.MinInt64}[d.byte()%6]}
	case otlp.KindFloat:
		return otlp.Value{Kind: kind, Float: []float64{0, 0.5, -3, 1e300, math.NaN(), math.Inf(1)}[d.byte()%6]}
	case otlp.KindList:
		v := otlp.Value{Kind: kind}
		for range d.byte() % 4 {
			if depth > 0 {
				v.List = append(v.List, d.value(depth-1))
			}
		}
		return v
	case otlp.KindJSON:
		return otlp.Value{Kind: kind, Text: `{"kvlistValue":{"values":[]}}`}
	default:
		return otlp.Value{Kind: otlp.KindText, Text: d.text()}
	}
}

func (d *drawing) attributes(n byte) []otlp.Attribute {
	var list []otlp.Attribute
	for range n {
		name := d.names[d.number()%len(d.names)]
		if d.byte() == 0 {
			name = d.text()
		}
		list = append(list, otlp.Attribute{Key: name, Value: d.value(3)})
	}
	return list
}

// FuzzMap maps spans with random attributes and checks invariants of every row.
func FuzzMap(f *testing.F) {
	names := drawnNames()
	for i := range names {
		high, low := byte(i>>8), byte(i)
		f.Add([]byte{low, 3, 12, high, low, 1, 8, 0, 3, low, low + 1, 1, 1, low, byte(i >> 3), 9, 4, 2, 7, 6, 5, 4, 3, 2, 1})
	}
	var m Mapper
	f.Fuzz(func(t *testing.T, bytes []byte) {
		d := &drawing{bytes, names}
		scopes := []string{"x", "", "langfuse-sdk", "ai", genkitScope, flueScope, liveKitScope, pydanticScope, vertexScope}
		m.Begin(Source{}, at)
		resource := otlp.Resource{Attributes: d.attributes(d.byte() % 4)}
		m.Resource(&resource)
		scope := otlp.Scope{
			Name: scopes[int(d.byte())%len(scopes)], Attributes: d.attributes(d.byte() % 3), Extra: d.attributes(d.byte() % 3),
		}
		m.Scope(&scope)
		span := otlp.Span{
			Start: otlp.Nanos{Value: int64(d.number()) << 48, Set: d.byte()&1 == 0}, StatusCode: int(d.byte() % 4),
			Attributes: d.attributes(d.byte() % 16),
		}
		for range d.byte() % 4 {
			event := []string{
				"gen_ai.client.inference.operation.details", "gen_ai.user.message", "gen_ai.choice", "gen_ai.content.prompt",
				"gen_ai.content.completion", "other",
			}[d.byte()%6]
			span.Events = append(span.Events, otlp.Event{Name: event, Attributes: d.attributes(d.byte() % 4)})
		}
		var row domain.Observation
		p := m.Span(&span, &row)
		checkRow(t, &row)
		checkProvided(t, p)
		checkGates(t, &m, &row)
		if fresh, _ := mapped(input{resource: resource.Attributes, scope: scope, span: span}); !cmp.Equal(fresh, row) {
			t.Errorf("a fresh mapper makes another row: %s", cmp.Diff(fresh, row))
		}
	})
}

func checkRow(t *testing.T, row *domain.Observation) {
	t.Helper()
	v := reflect.ValueOf(*row)
	for i := range v.NumField() {
		texts, _ := reflect.TypeAssert[[]string](v.Field(i))
		if s, ok := reflect.TypeAssert[string](v.Field(i)); ok {
			texts = []string{s}
		}
		for _, s := range texts {
			if !utf8.ValidString(s) {
				t.Errorf("%s is not UTF-8: %q", v.Type().Field(i).Name, s)
			}
		}
	}
	for _, at := range []domain.Micros{row.StartTime, row.EndTime, row.CompletionStartTime} {
		if at != 0 && (at.Millis() < earliest || at.Millis() > latest) {
			t.Errorf("time %d", at)
		}
	}
	if row.StartTime == 0 || row.EndTime == 0 {
		t.Error("no time")
	}
	if !slices.Contains([]string{levelDebug, levelDefault, levelWarning, levelError}, row.Level) {
		t.Errorf("level %q", row.Level)
	}
	if row.Environment == "" || len(row.Environment) > 40 || row.Environment != domain.NormalEnvironment(row.Environment) {
		t.Errorf("environment %q", row.Environment)
	}
	seen := map[string]bool{}
	for _, m := range memberList(t, row.Metadata) {
		// A name may contain an equals sign; a value that is an object does not end otherwise.
		if strings.Contains(m, "={") && strings.HasSuffix(m, "}") && json.Valid([]byte(m[strings.Index(m, "={")+1:])) {
			t.Errorf("metadata has an object: %s", m)
		}
		if seen[m] {
			t.Errorf("metadata has %s twice", m)
		}
		seen[m] = true
	}
	for _, o := range []struct {
		name, text string
		kinds      string
	}{
		{"metadata", row.Metadata, `"[tfn-0123456789`},
		{"metadata of the trace", row.TraceMetadata, `{"[tfn-0123456789`},
		{"parameters", row.ModelParameters, `"n-0123456789`},
		{"definitions", row.ToolDefinitions, `"`},
		{"metadata of the experiment", row.ExperimentMetadata, `"`},
		{"metadata of the item", row.ExperimentItemMetadata, `"`},
	} {
		if o.text == "" {
			continue
		}
		var members map[string]json.RawMessage
		if err := json.Unmarshal([]byte(o.text), &members); err != nil {
			t.Errorf("%s: %s: %v", o.name, o.text, err)
		}
		for name, value := range members {
			if !strings.ContainsRune(o.kinds, rune(value[0])) {
				t.Errorf("%s has %s at %s", o.name, value, name)
			}
		}
	}
	var calls []string
	if row.ToolCalls != "" {
		if err := json.Unmarshal([]byte(row.ToolCalls), &calls); err != nil {
			t.Errorf("calls: %s: %v", row.ToolCalls, err)
		}
	}
	for _, c := range calls {
		if !json.Valid([]byte(c)) {
			t.Errorf("call %s", c)
		}
	}
	if len(calls) != len(row.ToolCallNames) {
		t.Errorf("%d calls of %v", len(calls), row.ToolCallNames)
	}
	if n := len(memberList(t, row.ToolDefinitions)); n != len(row.ToolNames) {
		t.Errorf("%d definitions of %v", n, row.ToolNames)
	}
}

func checkProvided(t *testing.T, p Provided) {
	t.Helper()
	seen := map[string]bool{}
	for _, u := range p.Usage {
		if u.Units < 0 || seen[u.Kind] || !utf8.ValidString(u.Kind) {
			t.Errorf("usage %v", p.Usage)
		}
		seen[u.Kind] = true
	}
	clear(seen)
	for _, c := range p.Cost {
		if !isFinite(c.Amount) || seen[c.Kind] {
			t.Errorf("cost %v", p.Cost)
		}
		seen[c.Kind] = true
	}
}

// checkGates checks that texts rejected by the quick checks contain no tools and no calls.
func checkGates(t *testing.T, m *Mapper, row *domain.Observation) {
	t.Helper()
	for _, text := range []string{row.Input, row.Output} {
		j, ok := parseJSON(text)
		if !ok {
			continue
		}
		if _, names := m.definitionsIn(j); len(names) > 0 && !mayDefineTools(text) {
			t.Errorf("tools %v were overlooked in %s", names, text)
		}
		if _, names := m.callsIn(j); len(names) > 0 && !mayCallTools(text) {
			t.Errorf("calls of %v were overlooked in %s", names, text)
		}
	}
}

// FuzzMetadata compares the parsing of a metadata value with encoding/json.
func FuzzMetadata(f *testing.F) {
	for _, value := range []string{
		`"x"`, `{"a":{"b":1,"c":"d"},"a.b":2}`, `[1,2]`, `1e999`, `-0`, `plain`, `{"a":1,"a":2}`,
		`{"\u0061":"\ud83d\ude00\ud800"}`, ` 1 `, `{"":{"":{}}}`,
		`{"a":[{"b":1.50}],"n":123456789012345678901}`, `"\u0000\u007f"`, `{"a":{`, `0613`, `{"a\"b":{"c\nd":1}}`, "\u2028", `{"a":tru}`,
	} {
		f.Add("k", value)
	}
	f.Fuzz(func(t *testing.T, key, text string) {
		key, text = strings.ToValidUTF8(key, "\uFFFD"), strings.ToValidUTF8(text, "\uFFFD") // as decoders return them
		if key == "tools" || nesting(text) > jsontext.MaxDepth {
			return // tools are moved into the input, and deep values are strings; both are covered by other tests
		}
		j, ok := parseJSON(text)
		if ok != json.Valid([]byte(text)) {
			t.Fatalf("%q: %t", text, ok)
		}
		if ok {
			written := string(appendJSON(nil, j))
			if !sameJSON(t, text, written) {
				t.Errorf("%s was written as %s", text, written)
			}
			if again := string(appendJSON(nil, jsonText(written))); again != written {
				t.Errorf("%s was written again as %s", written, again)
			}
		}
		row, _ := mappedAttributes("", "langfuse.observation.metadata."+key, text)
		checkRow(t, &row)
		var want []string
		if ok {
			want = flattenedBy(t, key, json.RawMessage(text), map[string]bool{}, nil)
		} else {
			quoted, _ := json.Marshal(text)
			want = []string{key + "=" + string(quoted)}
		}
		got := memberList(t, row.Metadata)
		if len(want) > len(got) && strings.HasPrefix(row.Metadata, string(jsontext.AppendString([]byte{'{'}, key))) {
			return // it was too large and is kept as a string
		}
		if len(got) != len(want) {
			t.Fatalf("%q: %q, want %q", text, got, want)
		}
		for i := range got {
			// Both names are equal, so the rest begins at the same position.
			name := commonName(got[i], want[i])
			if name < 0 || !sameJSON(t, want[i][name:], got[i][name:]) {
				t.Errorf("%q: %q, want %q", text, got[i], want[i])
			}
		}
	})
}

func nesting(text string) (deepest int) {
	depth := 0
	for _, c := range text {
		switch c {
		case '{', '[':
			depth++
			deepest = max(deepest, depth)
		case '}', ']':
			depth--
		}
	}
	return deepest
}

// commonName returns where the values begin.
func commonName(a, b string) int {
	for i := range a {
		if a[i] == '=' && i < len(b) && a[:i] == b[:i] && b[i] == '=' && json.Valid([]byte(a[i+1:])) && json.Valid([]byte(b[i+1:])) {
			return i + 1
		}
	}
	return -1
}

// flattenedBy is a straightforward implementation of flattening.
func flattenedBy(t *testing.T, path string, raw json.RawMessage, seen map[string]bool, list []string) []string {
	text := strings.Trim(string(raw), " \t\r\n")
	if text[0] != '{' {
		if !seen[path] {
			seen[path] = true
			list = append(list, path+"="+text)
		}
		return list
	}
	var object ordered
	unmarshal(t, []byte(text), &object)
	for _, p := range object {
		list = flattenedBy(t, path+"."+p.name, p.value, seen, list)
	}
	return list
}

// sameJSON compares two JSON texts by value. Numbers may be formatted differently, and may be strings if they are too
// large.
func sameJSON(t *testing.T, a, b string) bool {
	t.Helper()
	var values [2]any
	for i, text := range []string{a, b} {
		d := json.NewDecoder(strings.NewReader(text))
		d.UseNumber()
		if err := d.Decode(&values[i]); err != nil {
			t.Fatalf("%s: %v", text, err)
		}
	}
	return sameValue(values[0], values[1])
}

func sameValue(a, b any) bool {
	switch a := a.(type) {
	case json.Number:
		if text, ok := b.(string); ok {
			_, err := a.Float64()
			return err != nil && text == a.String()
		}
		number, ok := b.(json.Number)
		if !ok {
			return false
		}
		if x, ok := new(big.Int).SetString(a.String(), 10); ok {
			y, ok := new(big.Int).SetString(number.String(), 10)
			return ok && x.Cmp(y) == 0
		}
		x, err1 := a.Float64()
		y, err2 := number.Float64()
		return err1 == nil && err2 == nil && x == y
	case []any:
		list, ok := b.([]any)
		return ok && slices.EqualFunc(a, list, sameValue)
	case map[string]any:
		object, ok := b.(map[string]any)
		if !ok || len(a) != len(object) {
			return false
		}
		for name, value := range a {
			if !sameValue(value, object[name]) {
				return false
			}
		}
		return true
	default:
		return a == b
	}
}
