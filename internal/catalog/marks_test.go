package catalog_test

import (
	"errors"
	"fmt"
	"maps"
	"slices"
	"strconv"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"almanac/internal/catalog"
	"almanac/internal/catalog/tables"
	"almanac/internal/domain"
	"almanac/internal/query/traces"
	"almanac/test/catalogtest"
)

func TestTraceMarks(t *testing.T) {
	catalogtest.OnBoth(t, func(t *testing.T, c *catalogtest.Catalog, _ string) {
		ctx := t.Context()
		organization, p := catalogtest.Seed(t, c, "mine")
		_, other := catalogtest.Seed(t, c, "theirs")
		mine, theirs := domain.OfProject(p.ID), domain.OfProject(other.ID)
		mark := func(scope domain.ProjectScope, id string, edit func(*domain.TraceMark)) domain.TraceMark {
			t.Helper()
			m, err := c.MarkTrace(ctx, scope, id, func(m domain.TraceMark) domain.TraceMark {
				edit(&m)
				return m
			}, catalogtest.Tester)
			if err != nil {
				t.Fatal(err)
			}
			return m
		}
		check := func(what string, want map[string]domain.TraceMark) {
			t.Helper()
			for name, read := range map[string]func() (map[string]domain.TraceMark, error){
				"by ids": func() (map[string]domain.TraceMark, error) {
					return c.TraceMarks(ctx, mine, []string{"one", "two", "none", "\x00", "\xff"})
				},
				"all": func() (map[string]domain.TraceMark, error) { return c.AllTraceMarks(ctx, mine) },
				"by many ids": func() (map[string]domain.TraceMark, error) {
					ids := []string{"one", "two"}
					for n := range 2 * tables.RowsPerStatement {
						ids = append(ids, strconv.Itoa(n))
					}
					return c.TraceMarks(ctx, mine, ids)
				},
			} {
				if got, err := read(); err != nil || !cmp.Equal(want, got) {
					t.Errorf("%s, %s: %+v, %v, want %+v", what, name, got, err, want)
				}
			}
		}
		entries := func() int {
			t.Helper()
			log, err := catalogtest.OldestFirst(ctx, c, organization)
			if err != nil {
				t.Fatal(err)
			}
			return len(log)
		}

		check("nothing", map[string]domain.TraceMark{})
		mark(theirs, "one", func(m *domain.TraceMark) { m.Tags = []string{"theirs"} })
		mark(mine, "one", func(m *domain.TraceMark) { m.Public = new(true) })
		mark(mine, "one", func(m *domain.TraceMark) { m.Tags = []string{} })
		mark(mine, "two", func(m *domain.TraceMark) { m.Bookmarked, m.Tags = new(false), []string{"a", "ü"} })
		check("three changes", map[string]domain.TraceMark{
			"one": {
				TraceID: "one", Public: new(true), Tags: []string{},
			}, "two": {TraceID: "two", Bookmarked: new(false), Tags: []string{"a", "ü"}},
		})
		if tags, err := c.TagsOfTraces(ctx, mine); err != nil || !cmp.Equal(tags, map[string][]string{"one": {}, "two": {"a", "ü"}}) {
			t.Errorf("tags: %v, %v", tags, err)
		}
		before := entries()
		mark(mine, "one", func(*domain.TraceMark) {})
		if after := entries(); after != before {
			t.Errorf("a change of nothing was recorded: %d entries, before %d", after, before)
		}
		mark(mine, "one", func(m *domain.TraceMark) { *m = domain.TraceMark{} })
		log, err := catalogtest.OldestFirst(ctx, c, organization)
		if last := log[len(log)-1]; err != nil || last.Action != "update" || last.ResourceKind != "trace" || last.ResourceID != "one" ||
			last.Actor != catalogtest.Tester ||
			string(last.Before) != `{"bookmarked":null,"public":true,"tags":[]}` ||
			string(last.After) != `{"bookmarked":null,"public":null,"tags":null}` {
			t.Errorf("the last entry is %+v, %v", last, err)
		}
		check("one is left to its spans", map[string]domain.TraceMark{
			"two": {TraceID: "two", Bookmarked: new(false), Tags: []string{"a", "ü"}},
		})

		_, err = c.MarkTrace(ctx, mine, "a\x00b", func(m domain.TraceMark) domain.TraceMark { return m }, catalogtest.Tester)
		catalogtest.WantError(t, "an id that cannot be", err, domain.ErrNotFound)
		if err := c.ForgetOldMarks(ctx, mine, time.Now().Add(-time.Hour)); err != nil {
			t.Fatal(err)
		}
		check("nothing is old", map[string]domain.TraceMark{"two": {TraceID: "two", Bookmarked: new(false), Tags: []string{"a", "ü"}}})
		if err := c.ForgetMarksOfTraces(ctx, mine, []string{"two", "none"}); err != nil {
			t.Fatal(err)
		}
		check("deleted traces", map[string]domain.TraceMark{})
		mark(mine, "one", func(m *domain.TraceMark) { m.Public = new(true) })
		if err := c.ForgetOldMarks(ctx, mine, time.Now().Add(time.Hour)); err != nil {
			t.Fatal(err)
		}
		check("expired", map[string]domain.TraceMark{})
		if left, err := c.AllTraceMarks(ctx, theirs); err != nil || len(left) != 1 {
			t.Errorf("the other project has %v, %v", left, err)
		}
	})
}

// TestMarksAreReadAgain caches trace marks while they are changed, on PostgreSQL by another server.
func TestMarksAreReadAgain(t *testing.T) {
	catalogtest.OnBoth(t, func(t *testing.T, writer *catalogtest.Catalog, address string) {
		ctx, reader, e := t.Context(), writer, new(ear)
		if catalog.IsPostgres(address) {
			reader = catalogtest.Open(t, address)
		}
		_, p := catalogtest.Seed(t, writer, "mine")
		scope := domain.OfProject(p.ID)
		book := traces.NewMarkCache(reader.AllTraceMarks, traces.MarkBytes)
		reader.Subscribe(func(change tables.Change) {
			if change.Kind == tables.KindTrace {
				book.Invalidate(change.ProjectID)
			}
			e.tell(tables.Change{Kind: change.Kind})
		})
		if reader != writer {
			listen(t, reader)
			e.await(t, tables.Change{})
		}
		mark := func(id string, public *bool) func() error {
			return func() error {
				_, err := writer.MarkTrace(ctx, scope, id, func(m domain.TraceMark) domain.TraceMark {
					m.Public = public
					return m
				}, catalogtest.Tester)
				return err
			}
		}
		for _, step := range []struct {
			change func() error
			want   string
		}{
			{mark("one", new(true)), "one"},
			{mark("two", new(false)), "one two"},
			{mark("one", nil), "two"},
			{mark("three", new(true)), "three two"},
			{func() error { return writer.ForgetMarksOfTraces(ctx, scope, []string{"two"}) }, "three"},
			{func() error { return writer.ForgetOldMarks(ctx, scope, time.Now().Add(time.Hour)) }, ""},
		} {
			if _, err := book.Of(ctx, scope); err != nil { // so that it is cached
				t.Fatal(err)
			}
			if err := step.change(); err != nil {
				t.Fatal(err)
			}
			if took := e.await(t, tables.Change{Kind: tables.KindTrace}); took > time.Second {
				t.Errorf("the change was heard of after %v", took)
			}
			marks, err := book.Of(ctx, scope)
			if got := strings.Join(slices.Sorted(maps.Keys(marks)), " "); err != nil || got != step.want {
				t.Errorf("marked are %q, %v, want %q", got, err, step.want)
			}
		}
	})
}

// TestTraceMarksAtOnce tags a trace many times concurrently, each time reading the existing tags: none may be lost.
func TestTraceMarksAtOnce(t *testing.T) {
	catalogtest.OnBoth(t, func(t *testing.T, c *catalogtest.Catalog, _ string) {
		_, p := catalogtest.Seed(t, c, "mine")
		scope := domain.OfProject(p.ID)
		const writers = 20
		var wg sync.WaitGroup
		for n := range writers {
			wg.Go(func() {
				if _, err := c.MarkTrace(t.Context(), scope, "one", func(m domain.TraceMark) domain.TraceMark {
					m.Tags = append(m.Tags, fmt.Sprint("tag ", n))
					return m
				}, catalogtest.Tester); err != nil {
					t.Error(err)
				}
			})
		}
		wg.Wait()
		if tags, err := c.TagsOfTraces(t.Context(), scope); err != nil || len(tags["one"]) != writers {
			t.Errorf("%v, %v", tags, err)
		}
	})
}

func TestTooManyTraceMarks(t *testing.T) {
	catalogtest.OnBoth(t, func(t *testing.T, c *catalogtest.Catalog, address string) {
		_, p := catalogtest.Seed(t, c, "mine")
		scope := domain.OfProject(p.ID)
		// SQLite has one connection that writes; in PostgreSQL the second writer waits for a lock.
		waits := c.DB.SQL.Write.Stats().WaitCount
		waiting := func() bool { return c.DB.SQL.Write.Stats().WaitCount > waits }
		if strings.HasPrefix(address, "postgres") {
			waiting = func() bool {
				locks, err := tables.QueryOne(t.Context(), c.DB.Reader(), func(r tables.Row) (n int, err error) {
					err = r.Scan(&n)
					return n, err
				},
					"SELECT count(*) FROM pg_stat_activity WHERE datname = current_database() AND wait_event_type = 'Lock'")
				if err != nil {
					t.Error(err)
				}
				return locks > 0 || err != nil
			}
		}
		marks := make([][]any, catalog.MaxTraceMarks)
		for n := range marks {
			marks[n] = []any{p.ID, strconv.Itoa(n), true, 1, 1}
		}
		if err := c.DB.Update(t.Context(), func(s tables.Session) error {
			return s.InsertRows(t.Context(), "trace_marks (project_id, trace_id, public, created_at, updated_at)", marks)
		}); err != nil {
			t.Fatal(err)
		}
		mark := func(id string, public *bool) error {
			_, err := c.MarkTrace(t.Context(), scope, id, func(m domain.TraceMark) domain.TraceMark {
				m.Public = public
				return m
			}, catalogtest.Tester)
			return err
		}
		if err := mark("one more", new(true)); !errors.Is(err, catalog.ErrTooManyMarks) {
			t.Errorf("one more: %v", err)
		}
		for _, id := range []string{"1", "2"} {
			if err := mark(id, map[string]*bool{"1": new(false)}[id]); err != nil {
				t.Errorf("a change of one that is there: %v", err)
			}
		}
		if err := mark("one more", new(true)); err != nil {
			t.Errorf("in the place of another: %v", err)
		}
		if err := mark("one more", nil); err != nil {
			t.Error(err)
		}
		atOnce := make(chan error, 1)
		if err := c.DB.Update(t.Context(), func(s tables.Session) error { // another request takes the last place, slowly
			if err := s.LockProject(t.Context(), scope); err != nil {
				return err
			}
			go func() { atOnce <- mark("at once", new(true)) }()
			for !waiting() {
				time.Sleep(time.Millisecond)
			}
			return s.InsertRows(t.Context(), "trace_marks (project_id, trace_id, public, created_at, updated_at)",
				[][]any{{p.ID, "taken", true, 1, 1}})
		}); err != nil {
			t.Fatal(err)
		}
		if err := <-atOnce; !errors.Is(err, catalog.ErrTooManyMarks) {
			t.Errorf("at once: %v", err)
		}
	})
}
