package migrate

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"math/rand/v2"
	"path/filepath"
	"reflect"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"almanac/internal/blob"
	"almanac/internal/domain"
	"almanac/internal/store"
	"almanac/internal/store/segment"
)

var projects = []string{"a", "b", "empty"}

func scopes() (all []domain.ProjectScope) {
	for _, project := range projects {
		all = append(all, domain.OfProject(project))
	}
	return all
}

func openStore(t *testing.T) store.Store {
	t.Helper()
	s, err := segment.Open(t.TempDir(), segment.Options{FlushBytes: 64 << 10, HotBytes: 1 << 20, CacheBytes: 1 << 20})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = s.Close() })
	return s
}

// fill writes rows of four days. Some replace others, also on another day.
func fill(t *testing.T, s store.Store, rng *rand.Rand, rows int) {
	t.Helper()
	noon := time.Date(2026, 5, 4, 12, 0, 0, 0, time.UTC)
	for _, project := range projects[:2] {
		var observations []domain.Observation
		var scores []domain.Score
		for range rows {
			at := domain.Micros(noon.Add(time.Duration(rng.Int64N(int64(4 * day)))).UnixMicro())
			n := rng.IntN(3 * rows)
			observations = append(observations, domain.Observation{
				TraceID: fmt.Sprint("t", n/5), ID: fmt.Sprint("o", n), StartTime: at, Name: fmt.Sprint("name ", rng.IntN(9)),
				Input:    strings.Repeat("in ", n%50),
				Metadata: fmt.Sprintf(`{"n":%d}`, n), Tags: []string{"x", strconv.Itoa(n % 3)}, TotalCost: domain.FloatOf(rng.Float64()),
				CreatedAt: at,
			})
			scores = append(scores, domain.Score{
				ID: fmt.Sprint("s", n), Timestamp: at, Name: "quality", TraceID: fmt.Sprint("t", n/5), Value: domain.FloatOf(rng.Float64()),
			})
		}
		if err := s.Observations().Append(t.Context(), domain.OfProject(project), observations); err != nil {
			t.Fatal(err)
		}
		if err := s.Scores().Append(t.Context(), domain.OfProject(project), scores); err != nil {
			t.Fatal(err)
		}
	}
}

// everything returns all rows of a store.
func everything(t *testing.T, s store.Store) (rows []string) {
	t.Helper()
	for _, project := range projects {
		for o, err := range s.Observations().Scan(t.Context(), domain.OfProject(project),
			store.Query[domain.Observation]{Want: store.WantAll}) {
			if err != nil {
				t.Fatal(err)
			}
			rows = append(rows, fmt.Sprintf("%s %+v", project, *o))
		}
		for o, err := range s.Scores().Scan(t.Context(), domain.OfProject(project), store.Query[domain.Score]{Want: store.WantAll}) {
			if err != nil {
				t.Fatal(err)
			}
			rows = append(rows, fmt.Sprintf("%s %+v", project, *o))
		}
	}
	return rows
}

func TestEvents(t *testing.T) {
	rng := rand.New(rand.NewPCG(1, 2))
	from, to := openStore(t), openStore(t)
	copyAll := func(what string) Total {
		t.Helper()
		total, err := Events(t.Context(), from, to, scopes(), nil)
		if err != nil {
			t.Fatalf("%s: %v", what, err)
		}
		source := everything(t, from)
		if diff := cmp.Diff(source, everything(t, to)); diff != "" {
			t.Fatalf("%s: the copy differs (-source +copy):\n%.2000s", what, diff)
		}
		if total.Rows != int64(len(source)) {
			t.Errorf("%s: %d rows are said to be compared, there are %d", what, total.Rows, len(source))
		}
		return total
	}
	if total := copyAll("nothing"); total != (Total{}) {
		t.Errorf("nothing: %+v", total)
	}
	fill(t, from, rng, 800)
	if total := copyAll("all"); total.Copied != total.Rows || total.Removed != 0 {
		t.Errorf("all: %+v", total)
	}
	if total := copyAll("the same again"); total.Copied != 0 || total.Removed != 0 {
		t.Errorf("the same again: %+v", total)
	}
	for round := range 5 {
		fill(t, from, rng, 100)
		for n := range 7 {
			traces := store.Selection{TraceIDs: []string{fmt.Sprint("t", rng.IntN(300)), fmt.Sprint("t", n)}}
			if _, err := from.Observations().Delete(t.Context(), domain.OfProject("a"), traces); err != nil {
				t.Fatal(err)
			}
			if _, err := from.Scores().Delete(t.Context(), domain.OfProject("b"), store.Selection{
				IDs: []string{fmt.Sprint("s", rng.IntN(900))},
			}); err != nil {
				t.Fatal(err)
			}
		}
		if total := copyAll(fmt.Sprint("changes ", round)); total.Copied == 0 || total.Copied > 500 {
			t.Errorf("changes %d: %+v", round, total)
		}
	}
	// Days removed by retention are also removed from the copy, and so is a whole project.
	before := domain.Micros(time.Date(2026, 5, 6, 15, 0, 0, 0, time.UTC).UnixMicro())
	if _, err := from.Observations().Delete(t.Context(), domain.OfProject("a"), store.Selection{Before: before}); err != nil {
		t.Fatal(err)
	}
	if _, err := from.Scores().Delete(t.Context(), domain.OfProject("b"), store.Selection{All: true}); err != nil {
		t.Fatal(err)
	}
	if total := copyAll("retention"); total.Removed == 0 {
		t.Errorf("retention: %+v", total)
	}
}

// failing fails after some appends.
type failing struct {
	store.Store
	left int
}

type failingTable struct {
	store.Table[domain.Observation]
	of *failing
}

var errFull = errors.New("no more")

func (f *failing) Observations() store.Table[domain.Observation] {
	return failingTable{f.Store.Observations(), f}
}

func (f failingTable) Append(ctx context.Context, scope domain.ProjectScope, rows []domain.Observation) error {
	if f.of.left--; f.of.left < 0 {
		return errFull
	}
	return f.Table.Append(ctx, scope, rows)
}

// TestEventsGoOn interrupts a copy and resumes it.
func TestEventsGoOn(t *testing.T) {
	from, to := openStore(t), openStore(t)
	fill(t, from, rand.New(rand.NewPCG(3, 4)), 400)
	if _, err := Events(t.Context(), from, &failing{to, 3}, scopes(), nil); !errors.Is(err, errFull) ||
		!strings.Contains(err.Error(), "observations of project a") {
		t.Fatalf("a target that fails: %v", err)
	}
	all := len(everything(t, from))
	total, err := Events(t.Context(), from, to, scopes(), nil)
	if err != nil || total.Copied == 0 || total.Copied >= int64(all) {
		t.Errorf("going on copies %d of %d rows, %v", total.Copied, all, err)
	}
	if !cmp.Equal(everything(t, from), everything(t, to)) {
		t.Error("the copy differs")
	}
}

// TestEventsNoticeOtherWriters checks that a copy changed by another writer is not reported as equal.
func TestEventsNoticeOtherWriters(t *testing.T) {
	from, to := openStore(t), openStore(t)
	fill(t, from, rand.New(rand.NewPCG(5, 6)), 100)
	if _, err := Events(t.Context(), from, &forgetful{to}, scopes(), nil); err == nil ||
		!strings.Contains(err.Error(), "the copy differs") {
		t.Errorf("a target that loses rows: %v", err)
	}
}

// forgetful acknowledges rows that it does not keep.
type forgetful struct{ store.Store }

type forgetfulTable struct {
	store.Table[domain.Observation]
}

func (f *forgetful) Observations() store.Table[domain.Observation] {
	return forgetfulTable{f.Store.Observations()}
}

func (f forgetfulTable) Append(ctx context.Context, scope domain.ProjectScope, rows []domain.Observation) error {
	return f.Table.Append(ctx, scope, rows[1:])
}

// TestDigestSeesEveryField changes each field of a row in turn.
func TestDigestSeesEveryField(t *testing.T) {
	var h hasher
	for _, row := range []any{new(domain.Observation), new(domain.Score)} {
		hashes := []uint64{h.of(row)}
		v := reflect.ValueOf(row).Elem()
		for _, field := range v.Fields() {
			old := reflect.New(field.Type()).Elem()
			old.Set(field)
			change(field)
			hashes = append(hashes, h.of(row))
			field.Set(old)
		}
		slices.Sort(hashes)
		if len(slices.Compact(hashes)) != v.NumField()+1 {
			t.Errorf("%T: fields with the same hash", row)
		}
	}
}

func change(v reflect.Value) {
	switch v.Kind() {
	case reflect.String:
		v.SetString("x")
	case reflect.Bool:
		v.SetBool(true)
	case reflect.Float64:
		v.SetFloat(1)
	case reflect.Slice:
		v.Set(reflect.Append(v, reflect.ValueOf("x")))
	case reflect.Struct:
		change(v.Field(0))
	default:
		v.SetInt(1)
	}
}

func TestMedia(t *testing.T) {
	from, to := t.TempDir(), t.TempDir()
	source, err := blob.OpenDirectory(from)
	if err != nil {
		t.Fatal(err)
	}
	target, err := blob.OpenDirectory(to)
	if err != nil {
		t.Fatal(err)
	}
	put := func(key string, content []byte) {
		t.Helper()
		if err := source.Put(t.Context(), key, bytes.NewReader(content), int64(len(content))); err != nil {
			t.Fatal(err)
		}
	}
	copyAll := func(files, copied int64) {
		t.Helper()
		gotFiles, gotCopied, err := Media(t.Context(), from, target, func(int64, int64) {})
		if err != nil || gotFiles != files || gotCopied != copied {
			t.Errorf("%d files, %d copied, %v; want %d and %d", gotFiles, gotCopied, err, files, copied)
		}
	}
	copyAll(0, 0)
	put("aaaa1", []byte("one"))
	put("bbbb2", bytes.Repeat([]byte("two"), 100_000))
	copyAll(2, 2)
	put("cccc3", []byte("three"))
	copyAll(3, 1)
	file, err := target.Open(t.Context(), "bbbb2", 300_000)
	if err != nil {
		t.Fatal(err)
	}
	content, err := io.ReadAll(file)
	if err := errors.Join(err, file.Close()); err != nil || !bytes.Equal(content, bytes.Repeat([]byte("two"), 100_000)) {
		t.Errorf("the copy has %d bytes, %v", len(content), err)
	}
	if _, _, err := Media(t.Context(), filepath.Join(from, "nothing"), target, func(int64, int64) {}); err != nil {
		t.Errorf("no media at all: %v", err)
	}
}
