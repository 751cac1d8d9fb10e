package langfuse

import (
	"encoding/json"
	"slices"
	"testing"
)

// TestPageSize asks for fewer rows while they are long.
func TestPageSize(t *testing.T) {
	p := newPageSize(maxRows)
	// rows are as many as were asked for, each of a length.
	rows := func(length int) []observationRow {
		return slices.Repeat([]observationRow{{Input: make(json.RawMessage, length)}}, p.now)
	}
	for range 20 {
		p.fit(rows(1 << 20))
	}
	if p.now < wantedBytes>>21 || p.now > wantedBytes>>19 {
		t.Errorf("%d rows of 1 MB are asked for", p.now)
	}
	for range 10 {
		p.fit(rows(20 << 20))
	}
	if p.now != 1 {
		t.Errorf("%d rows of 20 MB are asked for", p.now)
	}
	for range 20 {
		p.fit(rows(1 << 10))
	}
	if p.now != maxRows {
		t.Errorf("%d rows of 1 kB are asked for", p.now)
	}
}
