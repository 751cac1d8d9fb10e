package segment

import (
	"io"
	"slices"
	"strconv"
	"strings"
	"testing"

	"almanac/internal/domain"
)

// TestLongPagesEndWithRowBlocks checks that a page of long strings ends at the end of a row block as soon as it has
// enough bytes, and otherwise only if it has very many bytes or rows.
func TestLongPagesEndWithRowBlocks(t *testing.T) {
	const rows = 8 * rowBlockRows
	for _, c := range []struct {
		name  string
		bytes int
		want  []uint32 // the first row of each page
	}{
		{"usual texts", 2 << 10, []uint32{0, 128, 256, 384, 512, 640, 768, 896}},
		{"shorter ones", 500, []uint32{0, 256, 512, 768}},
		{"very short ones", 10, []uint32{0, longPageMaxRows}},
		{"very long ones", longPageMaxBytes / 100, []uint32{0, 100, 128, 228, 256, 356, 384, 484, 512, 612, 640, 740, 768, 868, 896, 996}},
		{"none", 0, []uint32{0, longPageMaxRows}},
	} {
		t.Run(c.name, func(t *testing.T) {
			s := observationSchema()
			g := &groupWriter[domain.Observation]{schema: s, out: newCountingWriter(io.Discard)}
			for n := range rows {
				g.rows = append(g.rows, placedRow[domain.Observation]{
					row: &domain.Observation{ID: strconv.Itoa(n), Input: strings.Repeat("x", c.bytes)},
				})
			}
			if err := g.write(); err != nil {
				t.Fatal(err)
			}
			var got []uint32
			for n := range s.columns {
				if s.columns[n].Name == "input" {
					for _, page := range g.chunks[n].pages {
						got = append(got, page.firstRow)
					}
				}
			}
			if !slices.Equal(got, c.want) {
				t.Errorf("pages begin with rows %v, want %v", got, c.want)
			}
		})
	}
}

// TestListValues checks that lists are encoded correctly although the encoding is reused for adjacent rows.
func TestListValues(t *testing.T) {
	s := observationSchema()
	value := s.columns[s.index("tags")].listValues()
	for n, list := range [][]string{nil, {}, {"a"}, {"a"}, {"a", "b"}, {"b"}, {}, {"b"}, nil} {
		want := ""
		if len(list) > 0 {
			want = listText(list)
		}
		if got := value(&placedRow[domain.Observation]{row: &domain.Observation{Tags: list}}); got != want {
			t.Errorf("list %d, %q: %s, want %s", n, list, got, want)
		}
	}
}
