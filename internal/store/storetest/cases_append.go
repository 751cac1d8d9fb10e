package storetest

import (
	"fmt"
	"slices"
	"strconv"
	"strings"
	"testing"
	"unsafe"

	"almanac/internal/domain"
	"almanac/internal/store"
)

func visibleAtOnce[R any](t *testing.T, x *tester[R]) {
	var all []R
	for i := range x.rounds(20) {
		row := x.labelled("t", fmt.Sprintf("%02d", i), at(int64(i)), "label")
		*x.sessionID(&row) = "s"
		x.append(t, row)
		all = slices.Insert(all, 0, row)
		x.wantAll(t, all...)
		for _, l := range []store.Lookup{{TraceIDs: []string{"t"}}, {SessionIDs: []string{"s"}}} {
			x.wantRows(t, fmt.Sprintf("Lookup(%+v)", l), x.lookup(t, l), all)
		}
	}
}

func nothingThere[R any](t *testing.T, x *tester[R]) {
	x.inEveryState(t, func(t *testing.T) {
		x.wantAll(t)
		for _, l := range []store.Lookup{{TraceIDs: []string{"t"}}, {IDs: []string{"t"}}, {SessionIDs: []string{"t"}}} {
			x.wantRows(t, fmt.Sprintf("Lookup(%+v)", l), x.lookup(t, l), nil)
		}
	})
}

func emptyBatch[R any](t *testing.T, x *tester[R]) {
	x.append(t)
	x.append(t, []R{}...)
	x.inEveryState(t, func(t *testing.T) { x.wantAll(t) })
}

func invalidRows[R any](t *testing.T, x *tester[R]) {
	kept := x.row("t", "kept", at(0))
	x.append(t, kept)
	invalid := map[string]R{
		"no id":   x.row("t", "", at(1)),
		"no time": x.row("t", "bad", 0),
	}
	if x.keyHasTrace {
		invalid["no trace id"] = x.row("", "bad", at(1))
	}
	for name, bad := range invalid {
		for place, batch := range map[string][]R{
			"alone":  {bad},
			"first":  {bad, x.row("t", "good", at(2))},
			"last":   {x.row("t", "good", at(2)), bad},
			"resent": {x.labelled("t", "kept", at(3), "replaced"), bad},
		} {
			err := appendTo(t.Context(), x.table, projectScope(mine), batch)
			wantError(t, name+", "+place, err, store.ErrInvalid)
		}
	}
	x.inEveryState(t, func(t *testing.T) { x.wantAll(t, kept) })
}

// noReferences overwrites everything it passed to the store, like a caller that reuses its buffers.
func noReferences[R any](t *testing.T, x *tester[R]) {
	var memory []byte
	text := func(s string) string {
		start := len(memory)
		memory = append(memory, s...)
		return unsafe.String(&memory[start], len(s)) //nolint:gosec // overwriting texts needs it
	}
	var rows, want []R
	memory = make([]byte, 0, 1<<16) // never grows, so that all strings stay in it
	for i := range 50 {
		row := x.row(text("trace"), text(fmt.Sprintf("%02d", i)), at(int64(-i)))
		*x.label(&row), *x.sessionID(&row) = text("a label"), text("session")
		for _, p := range x.parts(&row) {
			*p.fields[0] = text(`{"a":"text"}`)
		}
		if o, ok := any(&row).(*domain.Observation); ok {
			o.Tags = []string{text("one"), text("two")}
		}
		rows, want = append(rows, row), append(want, clone(&row))
	}
	x.append(t, rows...)
	clear(memory)
	for i := range rows {
		if o, ok := any(&rows[i]).(*domain.Observation); ok {
			clear(o.Tags)
		}
	}
	clear(rows)
	x.inEveryState(t, func(t *testing.T) { x.wantAll(t, want...) })
}

func longTexts[R any](t *testing.T, x *tester[R]) {
	long := strings.Repeat("A megabyte is a long text for a row. ", 1<<20/37+1)
	var rows []R
	for i := range 3 {
		row := x.row("t", strconv.Itoa(i), at(int64(-i)))
		for n, p := range x.parts(&row) {
			for m, field := range p.fields {
				if p.want&(store.WantIO|store.WantStatus|store.WantUsage|store.WantDetails) != 0 {
					*field = fmt.Sprint(i, n, m, long[:len(long)/(1+5*m)])
				} else {
					*field = fmt.Sprintf(`{"text":"%d %d %d %s"}`, i, n, m, long)
				}
			}
		}
		rows = append(rows, row)
	}
	x.append(t, rows...)
	x.inEveryState(t, func(t *testing.T) { x.wantAll(t, rows...) })
}

// strange are strings that break careless encodings, patterns and comparisons.
var strange = []string{
	" ", "  two  blanks  ", "\t", "\n", "\r\n", "\x00", "a\x00b", "\x1b[31m", "\x7f", "\u0080",
	"ünïcödé", "日本語テキスト", "🦊👩‍👩‍👧‍👧", "e\u0301 is not é", "\u202eright to left", "\ufeffmark", "\ufffd", "\U0010ffff",
	"\xff\xfe not UTF-8", "half of \xf0\x9f\xa6",
	`"`, `'`, "`", `\`, `\n`, `\u0000`, `'; DROP TABLE rows; --`, "%", "_", "*", "100%_", "$1", "{}", "[]", "null", "NULL", "nil",
	"true", "0", "-1", "NaN", "1e999", "../../etc/passwd", "C:\\nul", "a,b", "a|b", "a/b", "<script>", "${x}", "{{x}}",
	strings.Repeat("x", 255), strings.Repeat("x", 256), strings.Repeat("é", 32768), strings.Repeat("x", 65536),
}

func strangeTexts[R any](t *testing.T, x *tester[R]) {
	var rows []R
	for i, text := range strange {
		// Use the string in every field that allows it, including the id.
		row := x.row("trace "+text, text, at(int64(-i)))
		*x.label(&row), *x.sessionID(&row) = text, text
		rows = append(rows, row)
	}
	x.append(t, rows...)
	x.inEveryState(t, func(t *testing.T) {
		x.wantAll(t, rows...)
		for i, text := range strange {
			for n, l := range []store.Lookup{
				{TraceIDs: []string{"trace " + text}}, {IDs: []string{text}}, {SessionIDs: []string{text}},
			} {
				if x.remote() && n != i%3 { // one kind of lookup per string
					continue
				}
				x.wantRows(t, fmt.Sprintf("Lookup(%.100q)", l), x.lookup(t, l), rows[i:i+1])
			}
		}
	})
	if n := x.delete(t, store.Selection{IDs: strange}); n != len(rows) {
		t.Errorf("Delete removed %d rows, want %d", n, len(rows))
	}
	x.inEveryState(t, func(t *testing.T) { x.wantAll(t) })
}

// keysApart appends rows whose keys would be equal if their parts were concatenated.
func keysApart[R any](t *testing.T, x *tester[R]) {
	var rows []R
	for _, separator := range []string{"", "\x00", "/", ":", " ", "\x1f", "|"} {
		if !x.keyHasTrace {
			rows = append(rows, x.row("a"+separator, "b"+separator, at(0)), x.row("a", separator+"b"+separator+"c", at(0)))
			continue
		}
		rows = append(rows,
			x.row("a"+separator, "b", at(0)), x.row("a", separator+"b", at(0)),
			x.row("a", "b"+separator+"c", at(0)), x.row("a"+separator+"b", "c", at(0)))
	}
	slices.SortFunc(rows, x.compare)
	rows = slices.CompactFunc(rows, func(a, b R) bool { return x.key(&a) == x.key(&b) })
	x.append(t, rows...)
	x.inEveryState(t, func(t *testing.T) { x.wantAll(t, rows...) })
}

func manyRows[R any](t *testing.T, x *tester[R]) {
	const n = 1500
	rows := make([]R, n)
	for i := range rows {
		rows[i] = x.labelled(fmt.Sprint("t", i%7), fmt.Sprintf("%05d", n-i), noon-domain.Micros(i)*day/500, strconv.Itoa(i))
	}
	// Batches may be in any order.
	shuffled := slices.Clone(rows)
	slices.SortFunc(shuffled, func(a, b R) int { return strings.Compare(*x.label(&a), *x.label(&b)) })
	x.append(t, shuffled...)
	x.inEveryState(t, func(t *testing.T) {
		x.wantRows(t, "Scan", x.scan(t, store.Query[R]{Want: store.WantAll}), rows)
		if got := x.count(t, mine); got != n {
			t.Errorf("Aggregate counts %d rows, want %d", got, n)
		}
	})
}

// lastWriteWins appends the row with the id "r" more than once, beside others that do not change.
func lastWriteWins[R any](t *testing.T, x *tester[R]) {
	newer, older := x.row("t", "newer", at(10)), x.row("t", "older", at(-10))
	for _, c := range []struct {
		name string
		at   domain.Micros // of the second version
	}{
		{"same time", at(0)},
		{"earlier in the same millisecond", at(0) - 1},
		{"later than a neighbour", at(15)},
		{"earlier than a neighbour", at(-15)},
		{"another day", at(0) + 3*day},
		{"before 1970", -at(0)},
	} {
		for _, between := range []struct {
			name string
			do   func(t *testing.T)
		}{
			{"same batch", nil},
			{"later batch", func(*testing.T) {}},
			{"after flush", x.flush},
			{"after merge", func(t *testing.T) { x.flush(t); x.merge(t) }},
			{"after opening again", x.reopen},
		} {
			if x.remote() && (between.name == "after flush" || between.name == "after opening again") {
				continue // the same as a later batch
			}
			t.Run(c.name+", "+between.name, func(t *testing.T) {
				if between.name == "after merge" {
					x.needMerges(t)
				}
				defer x.delete(t, store.Selection{All: true})
				first := x.labelled("t", "r", at(0), "first")
				second := x.labelled("t", "r", c.at, "second")
				if between.do == nil {
					x.append(t, newer, first, older, second)
				} else {
					x.append(t, newer, first, older)
					between.do(t)
					x.append(t, second)
				}
				want := []R{newer, second, older}
				slices.SortFunc(want, x.compare)
				x.inEveryState(t, func(t *testing.T) { x.wantAll(t, want...) })
			})
		}
	}
	t.Run("many times", func(t *testing.T) {
		defer x.delete(t, store.Selection{All: true})
		var last R
		times := 30
		if x.remote() {
			times = 12
		}
		for i := range times {
			last = x.labelled("t", "r", at(int64(i%7))+domain.Micros(i%3)*day, fmt.Sprint("version ", i))
			x.append(t, last)
			if i%4 == 0 {
				x.flush(t)
			}
			if i%11 == 0 {
				x.merge(t)
			}
		}
		x.inEveryState(t, func(t *testing.T) { x.wantAll(t, last) })
	})
	t.Run("whole rows", func(t *testing.T) {
		// A row that replaces another leaves nothing of it, even where the new row is empty.
		full, bare := x.labelled("t", "r", at(0), "label"), x.row("t", "r", at(0))
		*x.sessionID(&full) = "s"
		for _, p := range x.parts(&full) {
			*p.fields[0] = `{"a":1}`
		}
		x.append(t, full)
		x.append(t, bare)
		x.inEveryState(t, func(t *testing.T) {
			x.wantAll(t, bare)
			x.wantRows(t, "Lookup by the old session", x.lookup(t, store.Lookup{SessionIDs: []string{"s"}}), nil)
		})
	})
}
