package segment

import (
	"fmt"
	"hash/crc32"
	"math/rand/v2"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"

	"almanac/internal/filter"
)

// collectFields returns the fields section of rows, given as JSON, and the members that are in no field.
func collectFields(rows []string) (section []byte, members *postingsReader) {
	p := newPostings()
	b := newFieldsBuilder(p, len(rows))
	for n, json := range rows {
		filter.EachLeaf(json, func(key, value string) bool {
			b.add(n, key, value)
			return true
		})
		if n%rowBlockRows == rowBlockRows-1 || n == len(rows)-1 {
			p.endRowBlock()
		}
	}
	section = b.section()
	members, err := readPostings(p.section())
	if err != nil {
		panic(err)
	}
	return section, members
}

// firstEntries returns the entries of a row's metadata, the first of several with the same key.
func firstEntries(json string) map[string]string {
	entries := make(map[string]string)
	filter.EachLeaf(json, func(key, value string) bool {
		if _, ok := entries[key]; !ok {
			entries[key] = value
		}
		return true
	})
	return entries
}

// checkFields compares a section with the rows: a key has its values by row, or its entries are members, or no row has
// it.
func checkFields(t *testing.T, rows []string) (kept, dropped int) {
	t.Helper()
	section, members := collectFields(rows)
	keys := map[string]bool{"nobody has it": true}
	for _, json := range rows {
		for key := range firstEntries(json) {
			keys[key] = true
		}
	}
	for key := range keys {
		f, found, complete, err := findField(section, key)
		if err != nil {
			t.Fatal(err)
		}
		var values []string
		var codes []int32
		if f.values > 0 {
			kept++
			var encoded []byte
			if values, encoded, err = f.texts(); err != nil {
				t.Fatal(err)
			}
			if codes, err = readFieldCodes(encoded, len(rows), len(values), nil); err != nil {
				t.Fatal(err)
			}
		} else {
			dropped++
		}
		for n, json := range rows {
			value, has := firstEntries(json)[key]
			switch {
			case f.values > 0:
				if has != (codes[n] > 0) || has && values[codes[n]-1] != value {
					t.Fatalf("row %d of key %q has code %d of %q, want %q (%v)", n, key, codes[n], values, value, has)
				}
			case has && !found && complete:
				t.Fatalf("key %q of row %d is neither a field nor said to be missing", key, n)
			case has && !inRowBlock(members, memberHash(key, value), n/rowBlockRows):
				t.Fatalf("the entry %q: %q of row %d is neither in a field nor a member", key, value, n)
			}
		}
	}
	return kept, dropped - 1 // without the key that no row has
}

func TestFieldsOfMetadata(t *testing.T) {
	many := func(n int, row func(n int) string) []string {
		rows := make([]string, n)
		for i := range rows {
			rows[i] = row(i)
		}
		return rows
	}
	cases := []struct {
		name          string
		rows          []string
		kept, dropped int
	}{
		{"no metadata", []string{"", "{}", ""}, 0, 0},
		{"one key", []string{`{"a":"x"}`, `{"a":"y"}`, `{"a":"x"}`}, 1, 0},
		{"rows without it", []string{"", `{"a":"x"}`, "", `{"a":"x"}`, ""}, 1, 0},
		{"empty text, null, numbers, lists", []string{`{"a":""}`, `{"a":null}`, `{"a":1.0}`, `{"a":[1, 2]}`, `{"a":true}`, "{}"}, 1, 0},
		{"nested", []string{`{"a":{"b":"x"},"a.b":"y"}`, `{"a.b":"z","a":{"b":"x"}}`, `{"a":"w"}`}, 2, 0},
		{"a value for each row", many(1000, func(n int) string { return fmt.Sprintf(`{"id":"%d","a":"x"}`, n) }), 1, 1},
		{"a value for each row at last", many(1000, func(n int) string { return fmt.Sprintf(`{"id":"%d"}`, max(n, 500)) }), 1, 0},
		{"few rows with a value each", many(fewFieldValues, func(n int) string { return fmt.Sprintf(`{"id":"%d"}`, n) }), 1, 0},
		{"too many values", many(2*maxFieldValues+2, func(n int) string { return fmt.Sprintf(`{"id":"%d"}`, n/2) }), 0, 1},
		{"as many values as allowed", many(2*maxFieldValues, func(n int) string { return fmt.Sprintf(`{"id":"%d"}`, n/2) }), 1, 0},
		{
			"a long value", append(many(300, func(int) string { return `{"a":"x"}` }), `{"a":"`+strings.Repeat("y", maxFieldText+1)+`"}`),
			0, 1,
		},
		{"long values", many(2000, func(n int) string { return fmt.Sprintf(`{"a":"%0200d"}`, n/5) }), 0, 1},
		{"a long key", []string{`{"` + strings.Repeat("k", maxFieldText+1) + `":"x"}`}, 0, 1},
		{
			"many keys", many(maxFieldKeys+10, func(n int) string { return fmt.Sprintf(`{"k%d":"x"}`, n) }), maxFields,
			maxFieldKeys + 10 - maxFields,
		},
		{
			"keys in changing order", many(200, func(n int) string {
				return []string{`{"a":"1","b":"2"}`, `{"b":"1","c":"2","a":"3"}`}[n%2]
			}), 3, 0,
		},
	}
	for _, c := range cases {
		t.Run(c.name, func(t *testing.T) {
			if kept, dropped := checkFields(t, c.rows); kept != c.kept || dropped != c.dropped {
				t.Errorf("%d keys are fields and %d are not, want %d and %d", kept, dropped, c.kept, c.dropped)
			}
		})
	}
	t.Run("random", func(t *testing.T) {
		rng := rand.New(rand.NewPCG(1, 2))
		for range 30 {
			checkFields(t, many(1+rng.IntN(600), func(int) string {
				var b strings.Builder
				b.WriteString("{")
				for n := range rng.IntN(5) {
					if n > 0 {
						b.WriteString(",")
					}
					fmt.Fprintf(&b, `"k%d":"%d"`, rng.IntN(6), rng.IntN(1<<rng.IntN(10)))
				}
				return b.String() + "}"
			}))
		}
	})
}

// TestPostingsOfLateMembers gives two members of different fields the same hash: late additions must not corrupt lists.
func TestPostingsOfLateMembers(t *testing.T) {
	const seven, nine = 7 << 16, 9 << 16
	p := newPostings()
	for range 5 {
		p.add(seven)
		p.endRowBlock()
	}
	p.addAt(3, seven)
	p.addAt(1, nine)
	p.add(nine)
	p.addAt(5, nine)
	p.endRowBlock()
	r, err := readPostings(p.section())
	if err != nil {
		t.Fatal(err)
	}
	for hash, want := range map[uint32][]int{seven: {0, 1, 2, 3, 4}, nine: {1, 5}} {
		here := newBitset(r.rowBlocks)
		r.collect(hash, here)
		var got []int
		for n := range r.rowBlocks {
			if here.has(n) {
				got = append(got, n)
			}
		}
		if !cmp.Equal(got, want) {
			t.Errorf("hash %x is in rowBlocks %v, want %v", hash, got, want)
		}
	}
}

// TestFieldsAgain checks that an entry is reported as a repetition only if an earlier row of the same row block has it.
func TestFieldsAgain(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		rows := rapid.IntRange(1, 3*rowBlockRows).Draw(t, "rows")
		b := newFieldsBuilder(newPostings(), rows)
		type entry struct {
			rowBlock   int
			key, value string
		}
		seen := make(map[entry]bool)
		for row := range rows {
			for range rapid.IntRange(0, 2).Draw(t, "entries") {
				key, value := rapid.SampledFrom([]string{"a", "b"}).Draw(t, "key"),
					rapid.SampledFrom([]string{"x", "y", strings.Repeat("z", maxFieldText+1)}).Draw(t, "value")
				e := entry{row / rowBlockRows, key, value}
				if again := b.add(row, key, value); again && !seen[e] {
					t.Fatalf("row %d is the first of its rowBlock with %s = %.5s", row, key, value)
				}
				seen[e] = true
			}
		}
	})
	b := newFieldsBuilder(newPostings(), 2*rowBlockRows)
	for row := range 2 * rowBlockRows {
		if again := b.add(row, "key", "value"); again != (row%rowBlockRows > 0) {
			t.Errorf("row %d: %t", row, again)
		}
	}
}

func FuzzFindField(f *testing.F) {
	section, _ := collectFields([]string{`{"a":"x","b":"1"}`, `{"a":"y"}`, ""})
	f.Add(section, "a")
	f.Add([]byte{1}, "")
	f.Fuzz(func(_ *testing.T, section []byte, key string) {
		found, _, _, err := findField(section, key)
		if err != nil {
			return
		}
		if values, encoded, err := found.texts(); err == nil {
			_, _ = readFieldCodes(encoded, 100, len(values), nil)
		}
	})
}

func BenchmarkFields(b *testing.B) {
	rows := make([]string, 25_000)
	for n := range rows {
		rows[n] = fmt.Sprintf(`{"request":"%x","tenant":"%d","region":"%d","route":"%d"}`,
			crc32.ChecksumIEEE([]byte{byte(n), byte(n >> 8)}), n%1000, n%5, n%20)
	}
	section, _ := collectFields(rows)
	b.Run("collect", func(b *testing.B) {
		for range b.N {
			collectFields(rows)
		}
		b.ReportMetric(float64(b.Elapsed().Nanoseconds())/float64(b.N)/float64(len(rows)), "ns/row")
	})
	b.Run("read", func(b *testing.B) {
		var codes []int32
		for range b.N {
			f, _, _, _ := findField(section, "tenant")
			_, encoded, err := f.texts()
			if err == nil {
				codes, err = readFieldCodes(encoded, len(rows), f.values, codes)
			}
			if err != nil {
				b.Fatal(err)
			}
		}
		b.ReportMetric(float64(b.Elapsed().Nanoseconds())/float64(b.N)/float64(len(rows)), "ns/row")
	})
}

// inRowBlock reports whether a hash occurs in a row block.
func inRowBlock(p *postingsReader, hash uint32, rowBlock int) bool {
	keep := newBitset(p.rowBlocks)
	keep.add(rowBlock)
	p.find(hash, keep)
	return keep.has(rowBlock)
}
