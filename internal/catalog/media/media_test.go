package media_test

import (
	"errors"
	"path/filepath"
	"slices"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"almanac/internal/catalog"
	"almanac/internal/catalog/media"
	"almanac/internal/catalog/tables"
	"almanac/internal/domain"
	"almanac/test/catalogtest"
)

// mediaTest is a catalog with two projects.
type mediaTest struct{ catalogtest.Projects }

func onBothWithMedia(t *testing.T, test func(m mediaTest)) {
	catalogtest.OnBothWithProjects(t, func(p catalogtest.Projects) { test(mediaTest{p}) })
}

// testMedium returns a medium whose id and hash begin with the given letter.
func testMedium(letter string) domain.Medium {
	return domain.Medium{ID: letter + "-id", SHA256: letter + "-hash", ContentType: "image/png", ContentLength: 5}
}

func (m mediaTest) announce(medium domain.Medium, link domain.MediumLink) domain.Medium {
	m.Helper()
	found, err := m.AnnounceMedium(m.Context(), m.Scope, medium, link)
	if err != nil {
		m.Fatal(err)
	}
	return found
}

func (m mediaTest) store(letter, key string) {
	m.Helper()
	medium := testMedium(letter)
	medium.BlobKey = key
	if err := errors.Join(m.BeginBlobs(m.Context(), key), m.StoreMedium(m.Context(), m.Scope, medium)); err != nil {
		m.Fatal(err)
	}
}

var onTrace = domain.MediumLink{TraceID: "t1", ObservationID: "o1", Field: domain.FieldInput}

func TestMedia(t *testing.T) {
	onBothWithMedia(t, func(m mediaTest) {
		ctx := m.Context()
		_, err := m.Medium(ctx, m.Scope, "a-id")
		catalogtest.WantError(m.T, "before it is announced", err, domain.ErrNotFound)
		catalogtest.WantError(m.T, "bytes that nobody announced", m.StoreMedium(ctx, m.Scope, testMedium("a")), domain.ErrNotFound)
		catalogtest.WantError(m.T, "a report that nobody waits for", m.ReportUpload(ctx, m.Scope, "a-id", media.MediumUpload{}),
			domain.ErrNotFound)

		first := m.announce(testMedium("a"), onTrace)
		if first.Stored() || first.StoredAt != nil || first.UploadStatus != 0 || first.ContentType != "image/png" ||
			first.ContentLength != 5 {
			m.Errorf("announced as %+v", first)
		}
		changed := testMedium("a")
		changed.ContentType = "image/gif"
		if again := m.announce(changed, onTrace); again.ContentType != "image/png" {
			m.Errorf("another content type is known before its bytes: %+v", again)
		}
		changed.SHA256 = "other"
		_, err = m.AnnounceMedium(ctx, m.Scope, changed, onTrace)
		catalogtest.WantError(m.T, "another hash", err, media.ErrOtherHash)
		catalogtest.WantError(m.T, "bytes of another hash", m.StoreMedium(ctx, m.Scope, changed), domain.ErrNotFound)

		if err := m.BeginBlobs(ctx, "k1"); err != nil {
			m.Fatal(err)
		}
		m.WantUnused(3*time.Hour+time.Second, "k1")
		m.WantUnused(time.Minute)
		m.store("a", "k1")
		m.WantUnused(3*time.Hour + time.Second)
		m.store("a", "k2") // again
		m.WantUnused(time.Second, "k2")

		at := time.Date(2026, 1, 2, 3, 4, 5, 6e6, time.UTC)
		if err := m.ReportUpload(ctx, m.Scope, "a-id", media.MediumUpload{
			At: at, Status: 403, Error: "no", Millis: new(int64(7)),
		}); err != nil {
			m.Fatal(err)
		}
		got, err := m.Medium(ctx, m.Scope, "a-id")
		if err != nil || got.BlobKey != "k1" || got.StoredAt == nil || !got.UploadedAt.Equal(at) || got.UploadStatus != 403 ||
			got.UploadError != "no" {
			m.Errorf("%+v, %v", got, err)
		}

		m.announce(testMedium("b"), onTrace)
		stored, err := m.StoredMedia(ctx, m.Scope, []string{"a-id", "b-id", "c-id"})
		if err != nil || len(stored) != 1 || stored["a-id"].BlobKey != "k1" {
			m.Errorf("stored %v, %v", stored, err)
		}
		if stored, err := m.StoredMedia(ctx, m.Other, []string{"a-id"}); err != nil || len(stored) != 0 {
			m.Errorf("another project has %v, %v", stored, err)
		}
		_, err = m.Medium(ctx, m.Other, "a-id")
		catalogtest.WantError(m.T, "in another project", err, domain.ErrNotFound)

		if err := m.BlobsRemoved(ctx, []string{"k2", "k9"}); err != nil {
			m.Fatal(err)
		}
		m.WantUnused(3*time.Hour + time.Second)
	})
}

// TestGivenUpBlobs removes a blob while it is being written, as happens if the clock jumps, and one that is assigned to
// a medium just when it is about to be removed.
func TestGivenUpBlobs(t *testing.T) {
	onBothWithMedia(t, func(m mediaTest) {
		ctx := m.Context()
		m.announce(testMedium("a"), onTrace)
		m.announce(testMedium("b"), onTrace)
		if err := m.BeginBlobs(ctx, "k1"); err != nil {
			m.Fatal(err)
		}
		m.store("b", "k2")
		if unused, err := m.GiveUpBlobs(ctx, []string{"k1", "k2"}); err != nil || !slices.Equal(unused, []string{"k1"}) {
			m.Errorf("%v may be removed, %v", unused, err)
		}
		late := testMedium("a")
		late.BlobKey = "k1"
		catalogtest.WantError(m.T, "a blob that was given up", m.StoreMedium(ctx, m.Scope, late), domain.ErrConflict)
		m.WantUnused(0, "k1") // if it is not removed now, it will be later
		if err := m.BlobsRemoved(ctx, []string{"k1"}); err != nil {
			m.Fatal(err)
		}
		catalogtest.WantError(m.T, "a blob that was removed", m.StoreMedium(ctx, m.Scope, late), domain.ErrConflict)
		if got, err := m.Medium(ctx, m.Scope, "a-id"); err != nil || got.Stored() {
			m.Errorf("without bytes there is %+v, %v", got, err)
		}
		m.store("a", "k3") // uploaded again
	})
}

func TestKeepMedia(t *testing.T) {
	onBothWithMedia(t, func(m mediaTest) {
		m.announce(testMedium("a"), onTrace)
		m.store("a", "k1")
		with := func(letter, key string) media.KeptMedium {
			medium := testMedium(letter)
			medium.BlobKey = key
			return media.KeptMedium{
				Medium: medium, Links: []domain.MediumLink{
					{TraceID: "t2", Field: domain.FieldOutput}, {TraceID: "t3", ObservationID: "o", Field: domain.FieldInput},
				},
			}
		}
		if err := m.BeginBlobs(m.Context(), "k2", "k3"); err != nil {
			m.Fatal(err)
		}
		if err := m.KeepMedia(m.Context(), m.Scope, []media.KeptMedium{with("a", "k2"), with("b", "k3")}); err != nil {
			m.Fatal(err)
		}
		m.WantUnused(time.Second, "k2") // the bytes of a were already stored
		if err := m.KeepMedia(m.Context(), m.Scope, []media.KeptMedium{with("b", ""), with("c", "")}); !errors.Is(err, domain.ErrConflict) {
			m.Errorf("without bytes: %v", err)
		}
		if got, err := m.Medium(m.Context(), m.Scope, "b-id"); err != nil || got.BlobKey != "k3" {
			m.Errorf("%+v, %v", got, err)
		}
		if err := m.ForgetMediaOfTraces(m.Context(), m.Scope, []string{"t1", "t2"}); err != nil {
			m.Fatal(err)
		}
		m.WantUnused(time.Second, "k2") // t3 still has both
		if err := m.ForgetMediaOfTraces(m.Context(), m.Scope, []string{"t3"}); err != nil {
			m.Fatal(err)
		}
		m.WantUnused(time.Second, "k1", "k2", "k3")
	})
}

func TestForgetMedia(t *testing.T) {
	onBothWithMedia(t, func(m mediaTest) {
		ctx := m.Context()
		onItem := domain.MediumLink{DatasetID: "d", DatasetItemID: "i", Field: domain.FieldExpectedOutput}
		for letter, links := range map[string][]domain.MediumLink{
			"a": {onTrace},
			"b": {onTrace, {TraceID: "t2", Field: domain.FieldMetadata}},
			"c": {onTrace, onItem},
			"d": {onTrace},
		} {
			for _, link := range links {
				m.announce(testMedium(letter), link)
			}
			if letter != "d" { // its bytes were never uploaded
				m.store(letter, "key"+letter)
			}
		}
		elsewhere := testMedium("a")
		if _, err := m.AnnounceMedium(ctx, m.Other, elsewhere, onTrace); err != nil {
			m.Fatal(err)
		}
		traces, err := m.TracesWithMedia(ctx, m.Scope, time.Now().Add(time.Minute), "", 10)
		if diff := cmp.Diff([]string{"t1", "t2"}, traces); diff != "" || err != nil {
			m.Error(diff, err)
		}
		traces, err = m.TracesWithMedia(ctx, m.Scope, time.Now().Add(time.Minute), "t1", 10)
		if diff := cmp.Diff([]string{"t2"}, traces); diff != "" || err != nil {
			m.Error(diff, err)
		}
		if traces, err = m.TracesWithMedia(ctx, m.Scope, time.Now().Add(-time.Minute), "", 10); err != nil || len(traces) != 0 {
			m.Error(traces, err)
		}

		if err := m.ForgetMediaOfTraces(ctx, m.Scope, []string{"t1", "unknown"}); err != nil {
			m.Fatal(err)
		}
		m.WantUnused(time.Second, "keya")
		for id, want := range map[string]error{"a-id": domain.ErrNotFound, "b-id": nil, "c-id": nil, "d-id": domain.ErrNotFound} {
			if _, err := m.Medium(ctx, m.Scope, id); !errors.Is(err, want) {
				m.Errorf("%s: %v, want %v", id, err, want)
			}
		}
		if _, err := m.Medium(ctx, m.Other, "a-id"); err != nil {
			m.Errorf("another project lost it: %v", err)
		}
		if err := m.ForgetMediaOfProject(ctx, m.Scope); err != nil {
			m.Fatal(err)
		}
		m.WantUnused(time.Second, "keya", "keyb", "keyc")
		if traces, err := m.TracesWithMedia(ctx, m.Scope, time.Now().Add(time.Minute), "", 10); err != nil || len(traces) != 0 {
			m.Error(traces, err)
		}
		if _, err := m.Medium(ctx, m.Other, "a-id"); err != nil {
			m.Errorf("another project lost it: %v", err)
		}
	})
}

// TestMediumLinkedMeanwhile links another medium to a trace while the media of the trace are being forgotten: it is
// forgotten as well.
func TestMediumLinkedMeanwhile(t *testing.T) {
	c := catalogtest.Open(t, filepath.Join(t.TempDir(), "catalog.db"))
	_, p := catalogtest.Seed(t, c, "mine")
	m := mediaTest{catalogtest.Projects{T: t, Catalog: c, Scope: domain.OfProject(p.ID)}}
	m.announce(testMedium("a"), onTrace)
	m.announce(testMedium("b"), domain.MediumLink{TraceID: "t2", Field: domain.FieldInput})
	m.store("a", "keya")
	m.store("b", "keyb")
	forgotten := make(chan error, 1)
	waited := c.DB.SQL.Write.Stats().WaitCount
	if err := c.DB.Update(t.Context(), func(s tables.Session) error {
		go func() { forgotten <- m.ForgetMediaOfTraces(t.Context(), m.Scope, []string{"t1"}) }()
		for c.DB.SQL.Write.Stats().WaitCount == waited { // until it has read and is about to write
			time.Sleep(time.Millisecond)
		}
		_, err := s.Exec(t.Context(), "UPDATE media_of_traces SET trace_id = 't1' WHERE trace_id = 't2'")
		return err
	}); err != nil {
		t.Fatal(err)
	}
	if err := <-forgotten; err != nil {
		t.Fatal(err)
	}
	m.WantUnused(time.Second, "keya", "keyb")
	if traces, err := m.TracesWithMedia(t.Context(), m.Scope, time.Now().Add(time.Minute), "", 10); err != nil || len(traces) != 0 {
		t.Errorf("%v have media, %v", traces, err)
	}
}

func TestMediaOfItems(t *testing.T) {
	onBothWithMedia(t, func(m mediaTest) {
		ctx := m.Context()
		if _, err := m.PutDataset(ctx, m.Scope, catalog.DatasetChange{Name: "set"}, nil, catalogtest.Tester); err != nil {
			m.Fatal(err)
		}
		m.announce(testMedium("a"), onTrace)
		m.announce(testMedium("b"), onTrace)
		m.store("a", "keya")
		put := func(id string, media ...media.ItemMedium) error {
			_, err := m.PutDatasetItem(ctx, m.Scope, "set", catalog.DatasetItemChange{ID: id, Media: media}, catalog.WriteCheck{},
				catalogtest.Tester)
			return err
		}
		unknown := new(media.UnknownMediaError)
		if err := put("i", media.ItemMedium{ID: "b-id", Field: "input"}, media.ItemMedium{ID: "a-id", Field: "input"},
			media.ItemMedium{ID: "c-id", Field: "metadata"}); !errors.As(err, &unknown) {
			m.Fatalf("error %v", err)
		}
		if diff := cmp.Diff([]string{"b-id", "c-id"}, unknown.IDs); diff != "" {
			m.Error(diff)
		}
		if _, err := m.DatasetItem(ctx, m.Scope, "i"); !errors.Is(err, domain.ErrNotFound) {
			m.Errorf("the item was written: %v", err)
		}
		if err := put("i", media.ItemMedium{ID: "a-id", Field: "input"}, media.ItemMedium{ID: "a-id", Field: "metadata"},
			media.ItemMedium{ID: "a-id", Field: "input"}); err != nil {
			m.Fatal(err)
		}
		if err := m.ForgetMediaOfTraces(ctx, m.Scope, []string{"t1"}); err != nil {
			m.Fatal(err)
		}
		m.WantUnused(time.Second) // the item keeps it
		if _, err := m.Medium(ctx, m.Scope, "a-id"); err != nil {
			m.Error(err)
		}
	})
}

// TestBlobsOfAWrongClock records a blob while the clock is ahead and then sets the clock back: the blob need not wait
// for that time.
func TestBlobsOfAWrongClock(t *testing.T) {
	catalogtest.OnBoth(t, func(t *testing.T, c *catalogtest.Catalog, _ string) {
		m := catalogtest.Projects{T: t, Catalog: c}
		if err := c.BeginBlobs(t.Context(), "key"); err != nil {
			t.Fatal(err)
		}
		m.WantUnused(0)
		m.WantUnused(-tables.MaxAhead / 2)
		m.WantUnused(-2*tables.MaxAhead, "key")
	})
}
