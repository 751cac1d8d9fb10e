package storetest

import (
	"context"
	"errors"
	"fmt"
	"iter"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"testing"

	"pgregory.net/rapid"

	"almanac/internal/domain"
	"almanac/internal/store"
)

// RunRandom performs random operations on a store and on a model, and compares the results. When they differ, it
// searches for a shorter sequence with the same failure and prints that.
//
// Flags of package rapid control the amount of work: -rapid.checks sequences of about -rapid.steps actions each, from
// -rapid.seed.
func RunRandom(t *testing.T, open Opener) {
	base, n := t.TempDir(), 0
	rapid.Check(t, func(rt *rapid.T) {
		n++
		m := &machine{t: t, open: open, base: filepath.Join(base, strconv.Itoa(n)), model: NewModel()}
		defer m.close(rt)
		m.start(rt)
		rt.Repeat(m.actions())
	})
}

// machine is a store and a model that undergo the same operations.
type machine struct {
	t     *testing.T
	open  Opener
	base  string // parent of the store's directories: the first and, after each crash, a copy
	dirs  int
	store store.Store
	model *Model

	observations half[domain.Observation]
	scores       half[domain.Score]
}

// half performs the operations on one of the tables.
type half[R any] struct {
	*kind[R]
	*machine
	cursors []*cursor[R]
	marks   [][2]int64 // marks of the store and the model after each append
}

// cursor is an iteration during which the store is changed.
type cursor[R any] struct {
	query string
	want  store.Want
	rows  []R // the rows still expected
	next  func() (*R, error, bool)
	stop  func()
}

func (m *machine) dir() string { return filepath.Join(m.base, strconv.Itoa(m.dirs)) }

func (m *machine) start(rt *rapid.T) {
	if err := os.MkdirAll(m.dir(), 0o700); err != nil {
		rt.Fatal(err)
	}
	m.store = m.open(m.t, m.dir())
	m.observations = half[domain.Observation]{kind: observations(), machine: m}
	m.scores = half[domain.Score]{kind: scores(), machine: m}
}

func (m *machine) close(rt *rapid.T) {
	m.observations.leave()
	m.scores.leave()
	if m.store != nil {
		if err := m.store.Close(); err != nil {
			rt.Errorf("Close: %v", err)
		}
	}
	if err := os.RemoveAll(m.base); err != nil {
		rt.Errorf("removing the store: %v", err)
	}
}

// actions returns the possible actions. One that is listed twice happens more often.
func (m *machine) actions() map[string]func(*rapid.T) {
	actions := map[string]func(*rapid.T){
		"flush":      m.flush,
		"open again": m.reopen,
		"crash":      m.crash,
		"count":      m.count,
	}
	if _, ok := m.store.(Merger); ok {
		actions["merge"] = m.merge
	}
	addActions(actions, &m.observations)
	addActions(actions, &m.scores)
	return actions
}

func addActions[R any](actions map[string]func(*rapid.T), h *half[R]) {
	for name, action := range map[string]func(*rapid.T){
		"append":          h.append,
		"rank":            h.rank,
		"append again":    h.append,
		"resend":          h.resend,
		"delete":          h.delete,
		"scan":            h.scan,
		"scan again":      h.scan,
		"lookup":          h.lookup,
		"aggregate":       h.aggregate,
		"start iterating": h.startIterating,
		"go on iterating": h.goOnIterating,
	} {
		actions[name+": "+h.name] = action
	}
}

func (m *machine) flush(rt *rapid.T) {
	if err := m.store.Flush(rt.Context()); err != nil {
		rt.Fatalf("Flush: %v", err)
	}
}

func (m *machine) merge(rt *rapid.T) {
	if err := m.store.(Merger).Merge(rt.Context()); err != nil {
		rt.Fatalf("Merge: %v", err)
	}
}

func (m *machine) reopen(rt *rapid.T) {
	m.observations.leave()
	m.scores.leave()
	if err := m.store.Close(); err != nil {
		rt.Fatalf("Close: %v", err)
	}
	m.store = m.open(m.t, m.dir())
}

// crash continues with a copy of the store's files.
func (m *machine) crash(rt *rapid.T) {
	m.observations.leave()
	m.scores.leave()
	from := m.dir()
	m.dirs++
	copied, err := copyDir(from, m.dir())
	if err != nil {
		rt.Fatal(err)
	}
	if !copied {
		m.dirs--
		rt.Skip("the store keeps nothing in its directory")
	}
	if err := m.store.Close(); err != nil {
		rt.Fatalf("Close: %v", err)
	}
	m.store = m.open(m.t, m.dir())
}

// count compares the number of rows, which stores track rather than determine by reading.
func (m *machine) count(rt *rapid.T) {
	want, got := m.model.Stats(), m.store.Stats()
	if want.Observations.Rows != got.Observations.Rows || want.Scores.Rows != got.Scores.Rows {
		rt.Fatalf("Stats: %d observations and %d scores, want %d and %d",
			got.Observations.Rows, got.Scores.Rows, want.Observations.Rows, want.Scores.Rows)
	}
}

// tables returns the tables of the store and of the model.
func (h *half[R]) tables() (subject, model store.Table[R]) {
	return h.table(h.store), h.table(h.model)
}

func (h *half[R]) append(rt *rapid.T) {
	h.appendRows(rt, drawProject(rt), rapid.SliceOfN(rapid.Custom(func(rt *rapid.T) drawn[R] {
		return drawn[R]{drawRow(rt, h.kind)}
	}), 1, 6).Draw(rt, "rows"))
}

// resend appends existing rows again, unchanged or slightly modified.
func (h *half[R]) resend(rt *rapid.T) {
	project := drawProject(rt)
	existing := h.existing(project)
	if len(existing) == 0 {
		rt.Skip("nothing to send again")
	}
	h.appendRows(rt, project, rapid.SliceOfN(rapid.Custom(func(rt *rapid.T) drawn[R] {
		row := clone(existing[rapid.IntRange(0, len(existing)-1).Draw(rt, "row")])
		if rapid.Bool().Draw(rt, "move") {
			*h.time(&row) = drawTime(rt)
		}
		decorate(rt, h.kind, &row)
		return drawn[R]{row}
	}), 1, 3).Draw(rt, "rows"))
}

func (h *half[R]) appendRows(rt *rapid.T, project string, drawn []drawn[R]) {
	subject, model := h.tables()
	rows := make([]R, len(drawn))
	for i := range drawn {
		rows[i] = drawn[i].row
	}
	if err := model.Append(rt.Context(), projectScope(project), rows); err != nil {
		rt.Fatalf("BUG: the model does not take the rows: %v", err)
	}
	if err := appendTo(rt.Context(), subject, projectScope(project), rows); err != nil {
		rt.Fatalf("Append: %v", err)
	}
	h.marks = append(h.marks, [2]int64{h.mark(h.store), h.mark(h.model)})
}

// drawWindow returns a window of appends in the numbers of the store and in those of the model; usually none.
func (h *half[R]) drawWindow(rt *rapid.T) (subject, model *store.Window) {
	if len(h.marks) == 0 || rapid.IntRange(0, 3).Draw(rt, "window") > 0 {
		return nil, nil
	}
	after, upTo := [2]int64{-1, -1}, rapid.SampledFrom(h.marks).Draw(rt, "up to")
	if rapid.Bool().Draw(rt, "bounded below") {
		after = rapid.SampledFrom(h.marks).Draw(rt, "after")
	}
	return &store.Window{After: after[0], UpTo: upTo[0]}, &store.Window{After: after[1], UpTo: upTo[1]}
}

// existing returns the rows of a project, in order.
func (h *half[R]) existing(project string) []*R {
	var rows []*R
	for row := range h.table(h.model).Scan(context.Background(), projectScope(project), store.Query[R]{Want: store.WantAll}) {
		rows = append(rows, row)
	}
	return rows
}

func (h *half[R]) delete(rt *rapid.T) {
	project := drawProject(rt)
	var s store.Selection
	switch rapid.SampledFrom([]string{"ids", "traces", "before", "all"}).Draw(rt, "delete") {
	case "ids":
		s.IDs = drawTexts(rt, "ids", ids)
	case "traces":
		s.TraceIDs = drawTexts(rt, "traces", traceIDs)
	case "before":
		s.Before = drawTime(rt)
	case "all":
		s.All = true
	}
	subject, model := h.tables()
	theirs := s
	s.Arrived, theirs.Arrived = h.drawWindow(rt)
	want, err := model.Delete(rt.Context(), projectScope(project), theirs)
	if err != nil {
		rt.Fatalf("BUG: the model does not delete: %v", err)
	}
	got, err := subject.Delete(rt.Context(), projectScope(project), s)
	if err != nil || got != want {
		rt.Fatalf("Delete(%s, %+v, arrived %+v) = %d, %v, want %d", project, s, s.Arrived, got, err, want)
	}
}

func (h *half[R]) scan(rt *rapid.T) {
	project := drawProject(rt)
	q := h.drawQuery(rt, project)
	subject, model := h.tables()
	h.compareRows(rt, fmt.Sprintf("Scan(%s, %s)", project, describeQuery(q)), q.Want,
		model.Scan(rt.Context(), projectScope(project), withoutWant(q)), subject.Scan(rt.Context(), projectScope(project), q))
}

// withoutWant requests whole rows, which compareRows needs to distinguish an unwanted string from a wrong one.
func withoutWant[R any](q store.Query[R]) store.Query[R] {
	q.Want = store.WantAll
	return q
}

func (h *half[R]) lookup(rt *rapid.T) {
	project := drawProject(rt)
	l := drawLookup(rt)
	subject, model := h.tables()
	whole := l
	whole.Want = store.WantAll
	h.compareRows(rt, fmt.Sprintf("Lookup(%s, %+v)", project, l), l.Want,
		model.Lookup(rt.Context(), projectScope(project), whole), subject.Lookup(rt.Context(), projectScope(project), l))
}

func (h *half[R]) compareRows(rt *rapid.T, what string, parts store.Want, model, subject iter.Seq2[*R, error]) {
	want, err := collect(model)
	if err != nil {
		rt.Fatalf("BUG: the model fails: %s: %v", what, err)
	}
	got, err := collect(subject)
	if err != nil {
		rt.Fatalf("%s: %v", what, err)
	}
	if d := h.diff(want, got, parts); d != "" {
		rt.Fatalf("%s: %s", what, d)
	}
}

func (h *half[R]) aggregate(rt *rapid.T) {
	project := drawProject(rt)
	q := h.drawAggregate(rt, project)
	subject, model := h.tables()
	theirs := q
	q.Arrived, theirs.Arrived = h.drawWindow(rt)
	want, wantErr := model.Aggregate(rt.Context(), projectScope(project), theirs)
	got, err := subject.Aggregate(rt.Context(), projectScope(project), q)
	what := fmt.Sprintf("Aggregate(%s, %s)", project, describeAggregate(q))
	switch {
	case wantErr != nil && !errors.Is(wantErr, store.ErrTooLarge):
		rt.Fatalf("BUG: the model fails: %s: %v", what, wantErr)
	case wantErr != nil:
		if !errors.Is(err, store.ErrTooLarge) {
			rt.Fatalf("%s: error %v, want %v", what, err, store.ErrTooLarge)
		}
	case err != nil:
		rt.Fatalf("%s: %v", what, err)
	default:
		if d := diffGroups(want, got); d != "" {
			rt.Fatalf("%s: %s", what, d)
		}
	}
}

// startIterating starts an iteration that later actions continue, after other actions have changed the store.
func (h *half[R]) startIterating(rt *rapid.T) {
	if len(h.cursors) == 3 {
		rt.Skip("enough iterations are under way")
	}
	project := drawProject(rt)
	q := h.drawQuery(rt, project)
	subject, model := h.tables()
	rows, err := collect(model.Scan(rt.Context(), projectScope(project), withoutWant(q)))
	if err != nil {
		rt.Fatalf("BUG: the model fails: %v", err)
	}
	c := &cursor[R]{query: fmt.Sprintf("iteration of Scan(%s, %s)", project, describeQuery(q)), want: q.Want, rows: rows}
	c.next, c.stop = iter.Pull2(subject.Scan(rt.Context(), projectScope(project), q))
	h.cursors = append(h.cursors, c)
	h.read(rt, c, 1)
}

func (h *half[R]) goOnIterating(rt *rapid.T) {
	if len(h.cursors) == 0 {
		rt.Skip("no iteration is under way")
	}
	c := rapid.SampledFrom(h.cursors).Draw(rt, "iteration")
	h.read(rt, c, rapid.IntRange(1, 5).Draw(rt, "rows"))
}

// GoString keeps the output readable.
func (c *cursor[R]) GoString() string { return c.query }

// read reads and compares up to n rows.
func (h *half[R]) read(rt *rapid.T, c *cursor[R], n int) {
	for range n {
		row, err, ok := c.next()
		switch {
		case err != nil:
			rt.Fatalf("%s: %v", c.query, err)
		case !ok && len(c.rows) > 0:
			rt.Fatalf("%s ends %d rows too early", c.query, len(c.rows))
		case !ok:
			c.stop()
			h.cursors = slices.DeleteFunc(h.cursors, func(other *cursor[R]) bool { return other == c })
			return
		case len(c.rows) == 0:
			rt.Fatalf("%s yields a row too many: %s", c.query, describe(row))
		}
		if d := h.diff(c.rows[:1], []R{clone(row)}, c.want); d != "" {
			rt.Fatalf("%s: %s", c.query, d)
		}
		c.rows = c.rows[1:]
	}
}

// leave ends all iterations.
func (h *half[R]) leave() {
	for _, c := range h.cursors {
		c.stop()
	}
	h.cursors = nil
}
