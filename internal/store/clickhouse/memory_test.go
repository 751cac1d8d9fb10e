package clickhouse

import (
	"bytes"
	"encoding/binary"
	"errors"
	"io"
	"strings"
	"testing"

	"almanac/internal/domain"
	"almanac/internal/filter"
	"almanac/internal/limits/memory"
	"almanac/internal/store"
)

// watched is a response that records how much memory is held while it is read.
type watched struct {
	io.Reader
	budget *memory.Budget
	most   int64
}

func (w *watched) Read(b []byte) (int, error) {
	w.most = max(w.most, w.budget.Held())
	return w.Reader.Read(b)
}

func TestRowsTakeMemory(t *testing.T) {
	const long = 3 << 20
	budget := memory.NewBudget(memory.Sizes{Shared: 16 << 20}, 0)
	lease := budget.Lease("")
	var answer []byte
	for _, size := range []int{10, long, 2 * long, 100} {
		answer = appendText(appendText(append(answer, 1), strings.Repeat("x", size)), "short")
	}
	source := &watched{Reader: bytes.NewReader(answer), budget: budget}
	d := newDecoder(memory.With(t.Context(), lease), source)
	var held []int64
	for d.next() {
		size := len(d.text())
		if d.text() != "short" {
			t.Fatal("the text behind a long one is another")
		}
		if now := budget.Held(); now < int64(size)-uncounted || now > int64(size)+fullBlock {
			t.Errorf("%d bytes are held for a text of %d", now, size)
		}
		held = append(held, budget.Held())
	}
	if d.err != nil || len(held) != 4 {
		t.Fatalf("%d rows, then %v", len(held), d.err)
	}
	if source.most < 2*long {
		t.Errorf("%d bytes were held when the longest text came", source.most)
	}
	d.release()
	if budget.Held() != 0 {
		t.Errorf("%d bytes are lost", budget.Held())
	}
}

// TestRowsWithoutMemory checks that a row larger than the available memory is refused before it is read.
func TestRowsWithoutMemory(t *testing.T) {
	for name, c := range map[string]struct {
		others int64
		length int
		want   error
	}{
		"others hold it":            {12 << 20, 8 << 20, memory.ErrBusy},
		"nobody may have as much":   {0, 17 << 20, memory.ErrTooLarge},
		"a length that is not true": {0, maxText, memory.ErrTooLarge},
	} {
		budget := memory.NewBudget(memory.Sizes{Shared: 16 << 20}, 0)
		if err := budget.Lease("other").Grow(t.Context(), c.others); err != nil {
			t.Fatal(err)
		}
		answer := binary.AppendUvarint([]byte{1}, uint64(c.length))
		d := newDecoder(memory.With(t.Context(), budget.Lease("")), bytes.NewReader(answer))
		if !d.next() || d.text() != "" || !errors.Is(asReadError(t.Context(), d.err), c.want) {
			t.Errorf("%s: %v", name, d.err)
		}
		d.release()
		if budget.Held() != c.others {
			t.Errorf("%s: %d bytes are held", name, budget.Held())
		}
	}
}

func TestGroupsTakeMemory(t *testing.T) {
	column, _ := filter.Observations().Column("name")
	query := store.AggregateQuery[domain.Observation]{
		GroupBy: []*filter.Column[domain.Observation]{column}, MaxGroups: 100, MaxBytes: 1 << 30,
		Measures: []store.Measure[domain.Observation]{{Function: store.Count}},
	}
	var answer []byte
	for n := range 50 {
		answer = appendInt(append(answer, 1), 0)
		answer = appendBool(appendText(answer, strings.Repeat("n", 40<<10+n)), false)
		answer = appendFloat(appendInt(answer, 1), 1)
	}
	read := func(shared int64) (int64, error) {
		budget := memory.NewBudget(memory.Sizes{Shared: shared}, 0)
		source := &watched{Reader: bytes.NewReader(answer), budget: budget}
		d := newDecoder(memory.With(t.Context(), budget.Lease("")), source)
		groups, err := readGroups(d, query)
		d.release()
		switch {
		case err != nil && budget.Held() != 0:
			t.Errorf("%d bytes are lost", budget.Held())
		case err == nil && (groups.Held != budget.Held() || groups.Held < 45*40<<10):
			t.Errorf("%d bytes are held for groups of %d", budget.Held(), groups.Held)
		}
		return source.most, err
	}
	if most, err := read(16 << 20); err != nil || most < 45*40<<10 {
		t.Errorf("at most %d bytes are held: %v", most, err)
	}
	if _, err := read(1 << 20); !errors.Is(tooLarge(err), store.ErrTooLarge) {
		t.Errorf("groups that nobody may have: %v", err)
	}
}
