package clickhouse

import (
	"context"
	"fmt"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"

	"almanac/internal/domain"
	"almanac/internal/filter"
	"almanac/internal/store"
	"almanac/test/chtest"
)

func TestASCIIRuns(t *testing.T) {
	many := strings.Fields(strings.Repeat("a b c d e f g h i j ", 2) + "k l m n o p q r s")
	for _, c := range []struct{ words, want []string }{
		{[]string{"word", "42", "word"}, []string{"word", "42"}},
		{[]string{"über"}, []string{"ber"}},
		{[]string{"naïvetés", "na"}, []string{"na", "vet", "s"}},
		{[]string{"世", "é"}, nil},
		{many, strings.Fields("a b c d e f g h i j k l m n o p")},
	} {
		if d := cmp.Diff(c.want, asciiRuns(c.words)); d != "" {
			t.Errorf("runs of %q (-want +got):\n%s", c.words, d)
		}
	}
}

// TestWords searches for words through the index.
func TestWords(t *testing.T) {
	server := sharedServer(t)
	for name, test := range map[string]func(*testing.T, *chtest.Server, *Store){
		"used": testWordsAreUsed, "replaced": testWordsReplaced, "random": testWordsRandom, "later": testWordsLater,
	} {
		t.Run(name, func(t *testing.T) {
			database := "test_words_" + name
			s := openTest(t, server, database, Options{})
			defer s.Close()
			// The effect of an index is visible only in parts that are not merged.
			change(t, server, s, "MODIFY SETTING max_bytes_to_merge_at_max_space_in_pool = 1, max_bytes_to_merge_at_min_space_in_pool = 1")
			test(t, server, s)
			if _, err := server.Query(t.Context(), "DROP DATABASE "+database); err != nil {
				t.Error(err)
			}
		})
	}
}

// change alters the table of observations.
func change(t *testing.T, server *chtest.Server, s *Store, how string) {
	t.Helper()
	if _, err := server.Query(t.Context(), "ALTER TABLE "+s.client.address.Database+".observations "+how); err != nil {
		t.Fatal(err)
	}
}

// appendIndexed writes rows, one part for each argument, and builds the index of each part.
func appendIndexed(t *testing.T, server *chtest.Server, s *Store, parts ...[]domain.Observation) {
	t.Helper()
	for _, rows := range parts {
		if err := s.observations.Append(t.Context(), domain.OfProject("p"), rows); err != nil {
			t.Fatal(err)
		}
	}
	change(t, server, s, "MATERIALIZE INDEX input_words_seen, MATERIALIZE INDEX output_words_seen SETTINGS mutations_sync = 2")
}

// matching returns the condition that a column contains words.
func matching(t rapid.TB, column, value string) []filter.Condition[domain.Observation] {
	t.Helper()
	c, ok := filter.Observations().Column(column)
	if !ok {
		t.Fatal("no column", column)
	}
	condition, err := filter.NewText(c, filter.Matches, value)
	if err != nil {
		t.Fatal(err)
	}
	return []filter.Condition[domain.Observation]{condition}
}

// found returns the sorted ids of the rows that match the conditions.
func found(t rapid.TB, s *Store, where []filter.Condition[domain.Observation]) []string {
	t.Helper()
	ids := []string{}
	for row, err := range s.observations.Scan(context.Background(), domain.OfProject("p"), store.Query[domain.Observation]{Where: where}) {
		if err != nil {
			t.Fatal(err)
		}
		ids = append(ids, strings.Clone(row.ID))
	}
	slices.Sort(ids)
	return ids
}

// testWordsAreUsed checks that only the granules that contain a word are read.
func testWordsAreUsed(t *testing.T, server *chtest.Server, s *Store) {
	rows := make([]domain.Observation, 5*2048)
	for i := range rows {
		rows[i] = domain.Observation{
			TraceID: "t", ID: strconv.Itoa(i), StartTime: domain.Micros(1_750_000_000_000_000 + 1000*i),
			Input: fmt.Sprint("common number", i), Output: "{}",
		}
	}
	rows[5000].Input, rows[5000].Output = "一个Needle。", `{"answer":"naïve needles"}`
	appendIndexed(t, server, s, rows)
	for _, c := range []struct {
		column, value, granules string
		found                   []string
	}{
		{"input", "NEEDLE", "1/5", []string{"5000"}},
		{"input", "common number77", "1/5", []string{"77"}},
		{"input", "needles", "0/5", []string{}},
		{"output", "naïve needles", "1/5", []string{"5000"}},
	} {
		where := matching(t, c.column, c.value)
		plan := planOf(t, server, s, where)
		if got := granulesOf(plan, c.column+"_words_seen"); got != c.granules {
			t.Errorf("for %s in %s, %q granules are read, want %s:\n%s", c.value, c.column, got, c.granules, plan)
		}
		if d := cmp.Diff(c.found, found(t, s, where)); d != "" {
			t.Errorf("%s in %s (-want +got):\n%s", c.value, c.column, d)
		}
	}
}

// planOf returns ClickHouse's query plan.
func planOf(t *testing.T, server *chtest.Server, s *Store, where []filter.Condition[domain.Observation]) string {
	t.Helper()
	q := s.observations.selection("p")
	q.meeting("p", where)
	q.ask(nil, "")
	sql := "EXPLAIN indexes = 1 " + strings.TrimSuffix(q.sql, " FORMAT RowBinary")
	sql = strings.Replace(sql, "FROM ", "FROM "+s.client.address.Database+".", 1)
	for n, value := range q.args.values { // already escaped, except for the quotes around it
		sql = strings.ReplaceAll(sql, fmt.Sprintf("{p%d:String}", n), "'"+value+"'")
	}
	plan, err := server.Query(t.Context(), sql)
	if err != nil {
		t.Fatal(err)
	}
	return plan
}

// granulesOf returns how many granules remain after an index, such as 1/5; "" if it is not used.
func granulesOf(plan, index string) string {
	_, rest, _ := strings.Cut(plan, "Name: "+index+"\n")
	_, rest, _ = strings.Cut(rest, "Granules: ")
	granules, _, _ := strings.Cut(rest, "\n")
	return granules
}

// testWordsReplaced checks that only the last version of a row counts, although the index has the words of all
// versions. Each version is in a separate part, so that the index leads to only one of them.
func testWordsReplaced(t *testing.T, server *chtest.Server, s *Store) {
	row := func(id, input string, at domain.Micros) domain.Observation {
		return domain.Observation{TraceID: "t", ID: id, StartTime: 1_750_000_000_000_000 + at, Input: input}
	}
	appendIndexed(t, server, s, []domain.Observation{
		row("loses", "the needle", 0), row("gains", "nothing", 0), row("moves", "the needle", 0), row("stays", "one needle", 0),
		row("deleted", "needle", 0),
	})
	if _, err := s.observations.Delete(t.Context(), domain.OfProject("p"), store.Selection{IDs: []string{"deleted"}}); err != nil {
		t.Fatal(err)
	}
	appendIndexed(t, server, s, []domain.Observation{row("loses", "nothing", 0)}, []domain.Observation{row("gains", "the needle", 0)},
		[]domain.Observation{row("moves", "nothing", 5_000_000)})
	for value, want := range map[string][]string{"needle": {"gains", "stays"}, "nothing": {"loses", "moves"}} {
		if d := cmp.Diff(want, found(t, s, matching(t, "input", value))); d != "" {
			t.Errorf("%s (-want +got):\n%s", value, d)
		}
	}
}

// testWordsRandom searches for words of random texts: the index must lead to every row that package filter finds.
func testWordsRandom(t *testing.T, server *chtest.Server, s *Store) {
	pieces := rapid.SampledFrom([]string{
		"a", "Ab", "needle", "Needle", "42", "7", "é", "Ü", "ß", "\u212a", "世", "界", "한", "ー", "ｱ", "Ａ", "１", "。", "😀", "\u0301", " ", " ",
		" ", "-", "_",
		"\n", "\x00", "\"", "\\", ".", "\xff", "\xe4\xb8", "\xc3",
	})
	text := rapid.Custom(func(rt *rapid.T) string { return strings.Join(rapid.SliceOfN(pieces, 1, 12).Draw(rt, "pieces"), "") })
	// Parts have few rows, so that the index can tell them apart.
	rows := make([]domain.Observation, 60)
	for i := range rows {
		rows[i] = domain.Observation{
			TraceID: "t", ID: strconv.Itoa(i), StartTime: domain.Micros(1_750_000_000_000_000 + 1000*i), Input: text.Example(i),
		}
	}
	appendIndexed(t, server, s, slices.Collect(slices.Chunk(rows, 5))...)
	fewChecks(t, "30")
	some := slices.DeleteFunc(slices.Clone(rows), func(o domain.Observation) bool { return len(filter.Words(nil, o.Input)) == 0 })
	rapid.Check(t, func(rt *rapid.T) {
		words := filter.Words(nil, rapid.SampledFrom(some).Draw(rt, "row").Input)
		where := matching(rt, "input", rapid.SampledFrom(words).Draw(rt, "word"))
		want := []string{}
		for i := range rows {
			if where[0].Match(&rows[i]) {
				want = append(want, rows[i].ID)
			}
		}
		slices.Sort(want)
		if d := cmp.Diff(want, found(rt, s, where)); d != "" {
			rt.Errorf("%q (-want +got):\n%s", where[0].Text(), d)
		}
	})
}

// testWordsLater checks that parts without an index are read completely until a merge builds it.
func testWordsLater(t *testing.T, server *chtest.Server, s *Store) {
	change(t, server, s, "DROP INDEX input_words_seen, DROP INDEX output_words_seen")
	rows := []domain.Observation{{TraceID: "t", ID: "a", StartTime: 1_750_000_000_000_000, Input: "needle"}}
	check := func(granules string) {
		t.Helper()
		if d := cmp.Diff([]string{"a"}, found(t, s, matching(t, "input", "needle"))); d != "" {
			t.Errorf("needle (-want +got):\n%s", d)
		}
		if plan := planOf(t, server, s, matching(t, "input", "nail")); granulesOf(plan, "input_words_seen") != granules {
			t.Errorf("of the granules, %s are not read:\n%s", granules, plan)
		}
	}
	if err := s.observations.Append(t.Context(), domain.OfProject("p"), rows); err != nil {
		t.Fatal(err)
	}
	check("")
	if err := s.apply(t.Context(), migrations[1]); err != nil {
		t.Fatal(err)
	}
	check("1/1")
	if err := (merging{remote{s}}).Merge(t.Context()); err != nil {
		t.Fatal(err)
	}
	check("0/1")
}
