package segment

import (
	"fmt"
	"math"
	"slices"
	"strings"
	"testing"

	"github.com/parquet-go/parquet-go/encoding/delta"
	"github.com/parquet-go/parquet-go/encoding/rle"
	"pgregory.net/rapid"

	"almanac/internal/domain"
)

// placed returns a row for each value.
func placed[T any](values []T, set func(*domain.Observation, T)) (rows []placedRow[domain.Observation]) {
	for _, v := range values {
		o := new(domain.Observation)
		set(o, v)
		rows = append(rows, placedRow[domain.Observation]{row: o})
	}
	return rows
}

func columnOf(t interface{ Fatal(...any) }, name string) *column[domain.Observation] {
	s := observationSchema()
	for n := range s.columns {
		if s.columns[n].Name == name {
			return &s.columns[n]
		}
	}
	t.Fatal("no column " + name)
	return nil
}

// TestPagesRoundTrip encodes and decodes pages of every class without a dictionary, with all values set, none and some.
// The memory for the values was used before.
func TestPagesRoundTrip(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		rows := rapid.IntRange(1, 300).Draw(t, "rows")
		share := rapid.SampledFrom([]int{0, 1, 50, 99, 100}).Draw(t, "share of set values")
		set := rapid.SliceOfN(rapid.Custom(func(t *rapid.T) bool {
			return rapid.IntRange(0, 99).Draw(t, "") < share
		}), rows, rows).Draw(t, "set")
		numbers := rapid.SliceOfN(rapid.Int64(), rows, rows).Draw(t, "numbers")
		used := slices.Repeat([]int64{-7}, rapid.IntRange(0, 400).Draw(t, "memory"))

		for _, name := range []string{"input_tokens", "total_tokens", "end_time"} {
			c := columnOf(t, name)
			source := placed(numbers, func(o *domain.Observation, v int64) {
				switch c.class {
				case classInt:
					*c.Int(o) = v
				case classOptInt:
					*c.OptInt(o) = domain.IntOf(v)
				default:
					*c.Time(o) = domain.Micros(v)
				}
			})
			for n := range source {
				if !set[n] {
					source[n].row = new(domain.Observation)
				}
			}
			page, err := plainPage(c, source)
			if err != nil {
				t.Fatal(err)
			}
			ints, levels, err := decodeInts(page, rows, c.class.optional(), slices.Clone(used), nil, new(scratch))
			if err != nil || len(ints) != rows {
				t.Fatalf("%s: %d values, %v", name, len(ints), err)
			}
			for n := range rows {
				want, isSet := int64(0), set[n]
				if isSet {
					want = numbers[n]
				}
				if c.class == classTime {
					isSet = want != 0
				}
				null := levels != nil && levels[n] == 0
				if ints[n] != want || c.class.optional() && null == isSet {
					t.Fatalf("%s: value %d is %d, null %v; want %d, null %v", name, n, ints[n], null, want, !isSet)
				}
			}
		}
		for _, name := range []string{"input_cost", "total_cost"} {
			c := columnOf(t, name)
			source := placed(numbers, func(o *domain.Observation, v int64) {
				o.InputCost, o.TotalCost = math.Float64frombits(uint64(v)), domain.FloatOf(math.Float64frombits(uint64(v)))
			})
			for n := range source {
				if !set[n] {
					source[n].row = new(domain.Observation)
				}
			}
			page, err := plainPage(c, source)
			if err != nil {
				t.Fatal(err)
			}
			floats, levels, err := decodeFloats(page, rows, c.class.optional(), nil, slices.Repeat([]float64{-7}, len(used)), nil,
				new(scratch))
			if err != nil || len(floats) != rows {
				t.Fatalf("%s: %d values, %v", name, len(floats), err)
			}
			for n := range rows {
				want := uint64(0)
				if set[n] {
					want = uint64(numbers[n])
				}
				null := levels != nil && levels[n] == 0
				if math.Float64bits(floats[n]) != want || c.class.optional() && null == set[n] {
					t.Fatalf("%s: value %d is %x, null %v; want %x, null %v", name, n, math.Float64bits(floats[n]), null, want, !set[n])
				}
			}
		}
	})
}

// plainPage encodes a page of a column that is neither long nor has a dictionary.
func plainPage(c *column[domain.Observation], rows []placedRow[domain.Observation]) ([]byte, error) {
	page, _, err := c.appendLevels(nil, rows)
	page, _ = c.appendPlain(page, rows)
	return page, err
}

// TestTextPages encodes and decodes pages of strings and of dictionary codes.
func TestTextPages(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		text := rapid.String()
		if rapid.Bool().Draw(t, "as long as each other") {
			text = rapid.StringMatching(fmt.Sprintf("[a-f0-9]{%d}", rapid.IntRange(0, 40).Draw(t, "length")))
		}
		texts := rapid.SliceOfN(text, 1, 600).Draw(t, "texts")
		c := columnOf(t, "id")
		page, err := plainPage(c, placed(texts, func(o *domain.Observation, v string) { o.ID = v }))
		if err != nil {
			t.Fatal(err)
		}
		p := &decodedPage{first: 10}
		if p.bytes, p.offsets, p.width, err = decodeTexts(page, len(texts), nil, new(scratch)); err != nil {
			t.Fatal(err)
		}
		if _, _, _, err := decodeTexts(page, len(texts)+1, nil, new(scratch)); err == nil {
			t.Fatal("a page of too few texts was read")
		}
		for n, want := range texts {
			if got := p.text(10 + n); got != want {
				t.Fatalf("text %d is %q, want %q", n, got, want)
			}
		}

		width := rapid.Int32Range(1, 1<<20).Draw(t, "different texts")
		codes := rapid.SliceOfN(rapid.Int32Range(0, width-1), 1, 300).Draw(t, "codes")
		var e rle.DictionaryEncoding
		encoded, err := e.EncodeInt32(nil, codes)
		if err != nil {
			t.Fatal(err)
		}
		got := slices.Repeat([]int32{-7}, len(codes))
		if got, err := decodeCodes(encoded, len(codes), got); err != nil || !slices.Equal(got, codes) {
			t.Fatalf("codes %v, want %v, %v", got, codes, err)
		}
	})
}

// TestShortPages checks that a page with too few values is refused.
func TestShortPages(t *testing.T) {
	ints, err := new(delta.BinaryPackedEncoding).EncodeInt64(nil, []int64{1, 2, 3})
	if err != nil {
		t.Fatal(err)
	}
	levels, _, err := columnOf(t, "end_time").appendLevels(nil, placed([]int64{1, 1, 0, 1}, func(o *domain.Observation, v int64) {
		o.EndTime = domain.Micros(v)
	}))
	if err != nil {
		t.Fatal(err)
	}
	codes, err := new(rle.DictionaryEncoding).EncodeInt32(nil, []int32{1, 2, 3})
	if err != nil {
		t.Fatal(err)
	}
	s := new(scratch)
	for name, decode := range map[string]func() error{
		"integers":           func() error { _, _, err := decodeInts(ints, 4, false, nil, nil, s); return err },
		"no levels":          func() error { _, _, err := decodeInts(nil, 1, true, nil, nil, s); return err },
		"levels without end": func() error { _, _, err := decodeInts(levels[:len(levels)-1], 4, true, nil, nil, s); return err },
		"levels, few": func() error {
			_, _, err := decodeInts(append(slices.Clone(levels), ints...), 9, true, nil, nil, s)
			return err
		},
		"levels, no integers": func() error { _, _, err := decodeInts(levels, 4, true, nil, nil, s); return err },
		"numbers":             func() error { _, _, err := decodeFloats(make([]byte, 31), 4, false, nil, nil, nil, s); return err },
		"levels, few numbers": func() error {
			_, _, err := decodeFloats(append(slices.Clone(levels), make([]byte, 16)...), 4, true, nil, nil, nil, s)
			return err
		},
		"codes": func() error { _, err := decodeCodes(codes, 9, make([]int32, 9)); return err },
		"texts without an end": func() error {
			_, _, _, err := decodeTexts(encodeLengths(1, 1000), 2, nil, s)
			return err
		},
		"texts of equal length without an end": func() error {
			_, _, _, err := decodeTexts(encodeLengths(8, 8), 2, nil, s)
			return err
		},
		"texts of negative length": func() error {
			_, _, _, err := decodeTexts(encodeLengths(-1, 1), 2, nil, s)
			return err
		},
	} {
		if err := decode(); err == nil {
			t.Errorf("%s: no error", name)
		}
	}
	// Three of four are set, and there are three values.
	if got, _, err := decodeInts(append(slices.Clone(levels), ints...), 4, true, nil, nil, s); err != nil ||
		!slices.Equal(got, []int64{1, 2, 0, 3}) {
		t.Errorf("integers %v, %v", got, err)
	}
}

func encodeLengths(values ...int32) []byte { return appendDeltas(nil, values) }

// TestCheckPage checks that the error names the file and offset of a damaged page.
func TestCheckPage(t *testing.T) {
	at := location{offset: 1234, size: 4, crc: 0}
	err := checkPage("/data/00000001.parquet", at, []byte("page"))
	if err == nil || !strings.Contains(err.Error(), "segment /data/00000001.parquet is damaged at offset 1234: a page of 4 bytes") {
		t.Error(err)
	}
}

// TestPageOf looks up the page of a row among pages of different sizes.
func TestPageOf(t *testing.T) {
	k := &chunkPages{pages: []location{{firstRow: 0}, {firstRow: 1}, {firstRow: 64}, {firstRow: 1000}}}
	for row, want := range map[int]int{0: 0, 1: 1, 2: 1, 63: 1, 64: 2, 999: 2, 1000: 3, 5000: 3} {
		if got := k.pageOf(row); got != want {
			t.Errorf("row %d is in page %d, want %d", row, got, want)
		}
	}
}

func TestZeroesAndOnes(t *testing.T) {
	for length := range 20 {
		levels := make([]uint8, length)
		for i := range levels {
			levels[i] = uint8(i & 1)
		}
		if !zeroesAndOnes(levels) {
			t.Errorf("%v is refused", levels)
		}
		for i, before := range levels {
			for _, wrong := range []uint8{2, 3, 128, 255} {
				if levels[i] = wrong; zeroesAndOnes(levels) {
					t.Errorf("%v is let through", levels)
				}
			}
			levels[i] = before
		}
	}
}
