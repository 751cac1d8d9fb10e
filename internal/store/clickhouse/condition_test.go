package clickhouse

import (
	"math"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"almanac/internal/domain"
	"almanac/internal/filter"
)

// TestCompile checks the SQL of conditions: client values are parameters, never part of the SQL.
func TestCompile(t *testing.T) {
	d := observationsDefinition()
	for _, c := range []struct {
		filter, sql string
		values      []string
	}{
		{`{"type":"string","column":"name","operator":"=","value":"it's \\ {x}"}`, `name = {p0:String}`, []string{`it's \\ {x}`}},
		{`{"type":"string","column":"name","operator":"does not contain","value":"a"}`, `position(name, {p0:String}) = 0`, []string{"a"}},
		{
			`{"type":"stringOptions","column":"name","operator":"any of","value":["a","it's","b\tc"]}`, `name IN ({p0:Array(String)})`,
			[]string{`['a','it\'s','b\tc']`},
		},
		{`{"type":"string","column":"release","operator":"=","value":""}`, `release = ''`, []string{""}},
		{
			`{"type":"stringOptions","column":"release","operator":"none of","value":["a"]}`,
			`(release != '' AND release NOT IN ({p0:Array(String)}))`,
			[]string{"['a']"},
		},
		{
			`{"type":"arrayOptions","column":"tags","operator":"all of","value":["a","b"]}`, `hasAll(tags, {p0:Array(String)})`,
			[]string{"['a','b']"},
		},
		{`{"type":"boolean","column":"hasInput","operator":"<>","value":true}`, `NOT notEmpty(input)`, nil},
		{
			`{"type":"number","column":"promptVersion","operator":">=","value":2}`,
			`(NOT isNull(prompt_version) AND toFloat64(ifNull(prompt_version, 0)) >= reinterpretAsFloat64({p0:UInt64}))`,
			[]string{"4611686018427387904"},
		},
		{`{"type":"null","column":"metadata","operator":"is null","value":""}`, `NOT has_metadata`, nil},
		{
			`{"type":"stringObject","column":"metadata","key":"a.b","operator":"starts with","value":"x"}`,
			`(has(metadata_keys, {p0:String}) AND startsWith(metadata_values[indexOf(metadata_keys, {p0:String})], {p1:String}))`,
			[]string{"a.b", "x"},
		},
		{
			`{"type":"string","column":"output","operator":"matches","value":"Übër, OK"}`,
			`(hasToken(replaceRegexpAll(lower(output), '[^\\x00-\\x7F]+', ' '), {p0:String}) AND ` +
				`hasToken(replaceRegexpAll(lower(output), '[^\\x00-\\x7F]+', ' '), {p1:String}) AND ` +
				`hasToken(replaceRegexpAll(lower(output), '[^\\x00-\\x7F]+', ' '), {p2:String}) AND ` +
				`position(lower(output), lower({p3:String})) > 0 AND match(lower(output), {p4:String}) AND match(lower(output), {p5:String}))`,
			[]string{"b", "r", "ok", "Übër, OK", whole("Übër"), whole("ok")},
		},
	} {
		parsed, err := filter.Parse(filter.Observations(), "["+c.filter+"]", filter.DefaultLimits())
		if err != nil {
			t.Fatalf("%s: %v", c.filter, err)
		}
		args := new(params)
		sql, ok := d.compile(&parsed[0], args)
		if !ok || sql != c.sql {
			t.Errorf("%s\n got %s\nwant %s", c.filter, sql, c.sql)
		}
		if diff := cmp.Diff(c.values, args.values); diff != "" {
			t.Errorf("%s: parameters (-want +got):\n%s", c.filter, diff)
		}
	}
	numbers, err := filter.NewNumbers(observationColumnOf(t, "promptVersion"), filter.NoneOf, []float64{2, 1})
	if err != nil {
		t.Fatal(err)
	}
	args := new(params)
	sql, _ := d.compile(&numbers, args)
	want := "(NOT isNull(prompt_version) AND NOT has(arrayMap(v -> reinterpretAsFloat64(v), arrayConcat({p0:Array(UInt64)})), " +
		"toFloat64(ifNull(prompt_version, 0))))"
	if sql != want || !slices.Equal(args.values, []string{"[4607182418800017408,4611686018427387904]"}) {
		t.Errorf("numbers become %s with %q", sql, args.values)
	}
	derived := filter.DerivedText("name", func(*domain.Observation) (string, bool) { return "", true })
	c, err := filter.NewText(derived, filter.Equal, "x")
	if err != nil {
		t.Fatal(err)
	}
	if sql, ok := d.compile(&c, new(params)); ok {
		t.Errorf("a condition that only Go can check became %s", sql)
	}
}

// whole returns the pattern of a whole word.
func whole(word string) string {
	return escape("(?:^|"+boundary+")"+word+"(?:$|"+boundary+")", false)
}

func observationColumnOf(t *testing.T, id string) *filter.Column[domain.Observation] {
	t.Helper()
	column, ok := filter.Observations().Column(id)
	if !ok {
		t.Fatalf("there is no column %s", id)
	}
	return column
}

// TestBound checks that long values are split so that ClickHouse accepts them, without changing them.
func TestBound(t *testing.T) {
	long := strings.Repeat("it's\t", 40_000)
	b := new(params)
	sql := b.text(long)
	if !strings.HasPrefix(sql, "concat({p0:String}, ") {
		t.Errorf("a long text is %.60s", sql)
	}
	if got := strings.ReplaceAll(strings.Join(b.values, ""), `\t`, "\t"); got != long {
		t.Errorf("a text of %d bytes is sent as one of %d", len(long), len(got))
	}
	many := make([]string, 30_000)
	for i := range many {
		many[i] = "an id that is usual"
	}
	if sql := b.texts(append(many, long)); strings.Count(sql, "Array(String)") < 5 || !strings.Contains(sql, "[concat(") {
		t.Errorf("a long list is %.200s", sql)
	}
	for _, value := range b.values {
		if len(value) > maxParameter {
			t.Errorf("a parameter has %d bytes", len(value))
		}
	}
	if sql := new(params).texts(nil); sql != "{p0:Array(String)}" {
		t.Errorf("an empty list is %s", sql)
	}
	for _, v := range []float64{0, 0.1, -1e-12, math.MaxFloat64, math.SmallestNonzeroFloat64} {
		b := new(params)
		if sql := b.number(v); sql != "reinterpretAsFloat64({p0:UInt64})" {
			t.Errorf("a number is %s", sql)
		}
	}
}
