package main

import (
	"context"
	"math/rand/v2"
	"reflect"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"

	"almanac/bench/corpus"
	"almanac/internal/domain"
	"almanac/internal/store"
	"almanac/internal/store/storetest"
)

// TestSameAnswers checks that all engines find the same: a baseline must do the same work.
func TestSameAnswers(t *testing.T) {
	for _, mode := range []corpus.Mode{corpus.Text, corpus.Conversations} {
		t.Run(mode.String(), func(t *testing.T) {
			const rows = 2000
			ctx := t.Context()
			g := corpus.New(corpus.Options{Mode: mode, Rows: rows, PlantEvery: 500, TextBytes: 1 << 20})
			model, err := newEmbedded(storetest.NewModel(), t.TempDir())
			if err != nil {
				t.Fatal(err)
			}
			engines := []engine{
				model, openBaseline(ctx, t), openEngine(ctx, t, clickhouseOptions{final: mode == corpus.Text, text: mode == corpus.Text}),
			}
			for _, e := range engines {
				g.Restart()
				if _, err := ingest(ctx, e, &source{generator: g}, rows, 2, 300); err != nil {
					t.Fatal(err)
				}
				if err := e.flush(ctx); err != nil {
					t.Fatal(err)
				}
				if n, err := e.count(ctx); n != rows || err != nil {
					t.Fatalf("count = %d, %v", n, err)
				}
			}
			questions := newQuestions(g)
			for i, q := range questions.repeated() {
				found := 0
				for run := range 3 {
					var want answer
					for j, e := range engines {
						rng := rand.New(rand.NewPCG(uint64(i), uint64(run)))
						got, err := q.run(ctx, e, rng)
						if err != nil {
							t.Fatalf("%s: %v", q.name, err)
						}
						if j == 0 {
							want = got
						} else if !got.same(want) {
							t.Errorf("%s: the model found %+v, engine %d %+v", q.name, want, j, got)
						}
					}
					found += want.rows
				}
				if found == 0 {
					t.Errorf("%s finds nothing", q.name)
				}
			}
			var deleted []int
			for _, e := range engines {
				d, err := questions.deletion(ctx, e)
				if err != nil {
					t.Fatal(err)
				}
				deleted = append(deleted, d.first.rows)
			}
			if deleted[0] == 0 || slices.Min(deleted) != slices.Max(deleted) {
				t.Errorf("the engines deleted %d rows", deleted)
			}
		})
	}
}

func openBaseline(ctx context.Context, t *testing.T) *sqlite {
	t.Helper()
	s, err := openSQLite(ctx, t.TempDir())
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if err := s.close(); err != nil {
			t.Error(err)
		}
	})
	return s
}

// everything returns a row with every field set.
func everything(t *testing.T) domain.Observation {
	t.Helper()
	want := domain.Observation{StartTime: 1_780_000_000_123_456}
	fields := reflect.ValueOf(&want).Elem()
	for i := range fields.NumField() {
		switch f := fields.Field(i).Addr().Interface().(type) {
		case *string:
			*f = fields.Type().Field(i).Name
		case *bool:
			*f = true
		case *[]string:
			*f = []string{"a", fields.Type().Field(i).Name}
		case *int64:
			*f = int64(i)
		case *float64:
			*f = float64(i) / 7
		case *domain.OptInt:
			*f = domain.IntOf(int64(i))
		case *domain.OptFloat:
			*f = domain.FloatOf(float64(i) / 7)
		case *domain.Micros:
			*f += domain.Micros(i)
		default:
			t.Fatalf("field %s is a %T", fields.Type().Field(i).Name, f)
		}
	}
	if fields.NumField() != len(columns) {
		t.Errorf("there are %d columns for %d fields", len(columns), fields.NumField())
	}
	return want
}

// TestSQLiteKeepsEverything guards against a baseline that leaves out fields and so appears cheaper.
func TestSQLiteKeepsEverything(t *testing.T) {
	ctx := t.Context()
	s := openBaseline(ctx, t)
	want := everything(t)
	empty := domain.Observation{TraceID: "t2", ID: "o2", StartTime: 1}
	if err := s.append(ctx, "p", []domain.Observation{want, empty}); err != nil {
		t.Fatal(err)
	}
	for _, w := range []domain.Observation{want, empty} {
		var got domain.Observation
		var targets []any
		var names []string
		for _, c := range wanted(store.WantAll) {
			targets = append(targets, sqlTarget(c.field(&got)))
			names = append(names, c.name)
		}
		if err := s.read.QueryRowContext(ctx, "SELECT "+strings.Join(names, ", ")+" FROM observations WHERE trace_id = ?", w.TraceID).Scan(targets...); err != nil {
			t.Fatal(err)
		}
		if diff := cmp.Diff(w, got, cmpopts.EquateEmpty()); diff != "" {
			t.Errorf("(-want +got):\n%s", diff)
		}
	}
}
