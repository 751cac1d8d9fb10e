package exports_test

import (
	"context"
	"encoding/json"
	"errors"
	"strconv"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"almanac/internal/catalog"
	"almanac/internal/catalog/exports"
	"almanac/internal/catalog/leases"
	"almanac/internal/catalog/tables"
	"almanac/internal/domain"
	"almanac/test/catalogtest"
)

// exportTest is a catalog with two projects and a clock.
type exportTest struct {
	catalogtest.Projects
	by      domain.Actor
	advance func(time.Duration)
}

func onBothWithExports(t *testing.T, test func(e exportTest)) {
	catalogtest.OnBothWithProjects(t, func(m catalogtest.Projects) {
		now := time.UnixMilli(1_800_000_000_000).UTC()
		m.DB.Now, m.DB.SQL.Clock = func() time.Time { return now }, ""
		test(exportTest{m, domain.Actor{Kind: "user", ID: "u1"}, func(d time.Duration) { now = now.Add(d) }})
	})
}

func (e exportTest) create(scope domain.ProjectScope) domain.Export {
	e.Helper()
	created, err := e.CreateExport(e.Context(), scope, domain.Export{Table: "scores", Format: "csv", Request: json.RawMessage(`{"a":1}`)},
		e.by)
	if err != nil {
		e.Fatal(err)
	}
	e.advance(time.Second)
	return created
}

func (e exportTest) claim(server string) *exports.ExportLease {
	e.Helper()
	lease, err := e.ClaimExport(e.Context(), leases.Server{Name: server, Life: time.Minute})
	if err != nil {
		e.Fatal(err)
	}
	return lease
}

func (e exportTest) addPart(l *exports.ExportLease, number int, key string) error {
	return errors.Join(e.BeginBlobs(e.Context(), key), e.AddExportPart(e.Context(), l, number, domain.ExportPart{BlobKey: key, Bytes: 5}))
}

func TestExportLife(t *testing.T) {
	onBothWithExports(t, func(e exportTest) {
		ctx := e.Context()
		made := e.create(e.Scope)
		if made.State != domain.ExportQueued || made.Actor != e.by || string(made.Request) != `{"a":1}` || !made.Open() ||
			made.ExpiresAt != nil {
			e.Fatalf("created as %+v", made)
		}
		_, err := e.Export(ctx, e.Other, made.ID)
		catalogtest.WantError(e.T, "of another project", err, domain.ErrNotFound)
		l := e.claim("one")
		if l == nil || l.ID != made.ID || l.ProjectID != e.Scope.ProjectID() || l.AsOf == nil || l.State != domain.ExportRunning {
			e.Fatalf("claimed as %+v", l)
		}
		if again := e.claim("one"); again != nil {
			e.Errorf("it was claimed twice: %+v", again)
		}
		l.Rows, l.Total, l.Bytes = 3, new(int64(9)), 10
		if err := errors.Join(e.addPart(l, 0, "p0"), e.addPart(l, 1, "p1"), e.FinishExport(ctx, l, "")); err != nil {
			e.Fatal(err)
		}
		e.WantUnused(100 * time.Hour)
		done, err := e.Export(ctx, e.Scope, made.ID)
		if err != nil || done.State != domain.ExportDone || done.Rows != 3 || *done.Total != 9 || done.Bytes != 10 ||
			!done.Available(e.DB.Now()) {
			e.Fatalf("finished as %+v: %v", done, err)
		}
		if parts, err := e.ExportParts(ctx, e.Scope, made.ID); err != nil || len(parts) != 2 ||
			parts[1] != (domain.ExportPart{BlobKey: "p1", Bytes: 5}) {
			e.Errorf("its pieces are %v: %v", parts, err)
		}
		if parts, err := e.ExportParts(ctx, e.Other, made.ID); err != nil || len(parts) != 0 {
			e.Errorf("another project sees %v: %v", parts, err)
		}
		_, err = e.CancelExport(ctx, e.Scope, made.ID, e.by)
		catalogtest.WantError(e.T, "what is finished cannot be cancelled", err, domain.ErrConflict)

		e.advance(domain.ExportLife - time.Second)
		if err := e.ExpireExports(ctx); err != nil || !done.Available(e.DB.Now()) {
			e.Errorf("it expired early: %v", err)
		}
		e.WantUnused(0)
		e.advance(time.Second)
		if err := e.ExpireExports(ctx); err != nil || done.Available(e.DB.Now()) {
			e.Errorf("it did not expire: %v", err)
		}
		e.WantUnused(0, "p0", "p1")
		if _, err := e.Export(ctx, e.Scope, made.ID); err != nil {
			e.Errorf("it is forgotten with its file: %v", err)
		}
		e.advance(30 * 24 * time.Hour)
		if err := e.ExpireExports(ctx); err != nil {
			e.Fatal(err)
		}
		_, err = e.Export(ctx, e.Scope, made.ID)
		catalogtest.WantError(e.T, "after a month", err, domain.ErrNotFound)
	})
}

func TestExportTakenOver(t *testing.T) {
	onBothWithExports(t, func(e exportTest) {
		made := e.create(e.Scope)
		first := e.claim("one")
		if err := e.addPart(first, 0, "old"); err != nil {
			e.Fatal(err)
		}
		if e.DB.SQL.Lock != nil { // on SQLite only one server runs, so the lease of another has ended
			if lease := e.claim("two"); lease != nil {
				e.Fatalf("it was taken from a server that lives: %+v", lease)
			}
			e.advance(time.Minute + time.Second)
		}
		second := e.claim("two")
		if second == nil || second.ID != made.ID || second.Rows != 0 {
			e.Fatalf("taken over as %+v", second)
		}
		e.WantUnused(0, "old")
		catalogtest.WantError(e.T, "the first goes on", e.addPart(first, 1, "late"), leases.ErrLost)
		catalogtest.WantError(e.T, "the first renews", e.RenewExport(e.Context(), first), leases.ErrLost)
		catalogtest.WantError(e.T, "the first ends", e.FinishExport(e.Context(), first, ""), leases.ErrLost)
		if err := errors.Join(e.addPart(second, 0, "new"), e.FinishExport(e.Context(), second, "")); err != nil {
			e.Fatal(err)
		}
		if parts, err := e.ExportParts(e.Context(), e.Scope, made.ID); err != nil || len(parts) != 1 || parts[0].BlobKey != "new" {
			e.Errorf("its pieces are %v: %v", parts, err)
		}
	})
}

// TestExportRetriedWhenItExpires requests an export again that failed a month ago, at the moment in which it is forgotten.
func TestExportRetriedWhenItExpires(t *testing.T) {
	onBothWithExports(t, func(e exportTest) {
		made := e.create(e.Scope)
		if err := e.FinishExport(e.Context(), e.claim("one"), "it failed"); err != nil {
			e.Fatal(err)
		}
		e.advance(31 * 24 * time.Hour)
		expired := make(chan error, 1)
		err := e.DB.Update(e.Context(), func(s tables.Session) error {
			_, err := s.Exec(e.Context(), "UPDATE exports SET state = 'queued', finished_at = NULL WHERE id = ?", made.ID)
			go func() { expired <- e.ExpireExports(context.Background()) }()
			select { // it has found the export, and waits for this transaction
			case early := <-expired:
				expired <- early
			case <-time.After(300 * time.Millisecond):
			}
			return err
		})
		if err := errors.Join(err, <-expired); err != nil {
			e.Fatal(err)
		}
		if again, err := e.Export(e.Context(), e.Scope, made.ID); err != nil || again.State != domain.ExportQueued {
			e.Errorf("the export that was requested again is %+v: %v", again, err)
		}
	})
}

// TestLeasesOfServersThatLive: neither a server whose clock is wrong nor one that could not renew its own leases takes
// work that a living server does.
func TestLeasesOfServersThatLive(t *testing.T) {
	catalogtest.OnBothWithProjects(t, func(m catalogtest.Projects) {
		if m.DB.SQL.Lock == nil {
			return // on SQLite there is only one server
		}
		clock := m.DB.SQL.Clock
		e := exportTest{m, domain.Actor{Kind: "user", ID: "u1"}, func(d time.Duration) {
			m.DB.Now = func() time.Time { return time.Now().Add(d) }
		}}
		owner, p := catalogtest.Seed(e.T, e.Catalog, "exported")
		b := blobTest{e, owner, p.ID}
		e.create(e.Scope)
		b.put(true)
		e.advance(0)
		export, run := e.claim("one"), b.claimRun("one")
		renew := func() error { return errors.Join(e.RenewExport(e.Context(), export), e.RenewBlobRun(e.Context(), run)) }
		for _, wrong := range []time.Duration{10 * time.Minute, -10 * time.Minute} {
			e.advance(wrong)
			if err := renew(); err != nil {
				e.Errorf("a server whose clock is wrong by %v: %v", wrong, err)
			}
			e.advance(0)
			if e.claim("two") != nil || b.claimRun("two") != nil {
				e.Errorf("the work of a server whose clock is wrong by %v is taken", wrong)
			}
			e.advance(wrong)
			if e.claim("two") != nil || b.claimRun("two") != nil {
				e.Errorf("a server whose clock is wrong by %v takes the work of another", wrong)
			}
		}
		m.DB.SQL.Clock = strings.Replace(clock, "1000", "1000 + 120000", 1) // two minutes without the database
		if e.claim("one") != nil || b.claimRun("one") != nil {
			e.Error("a server takes its own work again")
		}
		if err := renew(); err != nil {
			e.Errorf("after two minutes: %v", err)
		}
		m.DB.SQL.Clock = strings.Replace(clock, "1000", "1000 + 240000", 1)
		if e.claim("two") == nil || b.claimRun("two") == nil {
			e.Error("the work of a server that is gone is not taken")
		}
	})
}

// TestServersThatWereSuspended has servers lose their leases and live, one after the other. The work goes on, since it
// stopped none of them.
func TestServersThatWereSuspended(t *testing.T) {
	onBothWithBlobRuns(t, func(b blobTest) {
		b.create(b.Scope)
		export, run := b.claim("0"), b.claimRun("0")
		for n := range 4 {
			b.advance(2 * time.Minute)
			server := strconv.Itoa(n + 1)
			nextExport, nextRun := b.claim(server), b.claimRun(server)
			if nextExport == nil || nextRun == nil {
				b.Fatalf("server %s cannot go on", server)
			}
			for range 2 { // they learn of it when they renew their leases, or when they record their work
				if n%2 == 0 {
					catalogtest.WantError(b.T, "the export", b.RenewExport(b.Context(), export), leases.ErrLost)
					catalogtest.WantError(b.T, "the run", b.RenewBlobRun(b.Context(), run), leases.ErrLost)
					continue
				}
				catalogtest.WantError(b.T, "the export", b.addPart(export, 0, "late "+server), leases.ErrLost)
				catalogtest.WantError(b.T, "the run", b.PlanBlobRun(b.Context(), run, domain.Mark{Observations: 1}), leases.ErrLost)
			}
			export, run = nextExport, nextRun
		}
		// Those that do not come back count.
		b.advance(2 * time.Minute)
		b.claim("killed")
		b.claimRun("killed")
		b.advance(2 * time.Minute)
		if b.claim("other") != nil || b.claimRun("other") != nil {
			b.Error("what killed two servers goes on")
		}
	})
}

func TestExportGivenBack(t *testing.T) {
	onBothWithExports(t, func(e exportTest) {
		e.create(e.Scope)
		if err := e.ReleaseExport(e.Context(), e.claim("one")); err != nil {
			e.Fatal(err)
		}
		if lease := e.claim("two"); lease == nil {
			e.Error("nobody can go on with it")
		}
	})
}

func TestExportsTakeTurns(t *testing.T) {
	onBothWithExports(t, func(e exportTest) {
		e.create(e.Scope)
		e.create(e.Scope)
		e.create(e.Scope)
		late := e.create(e.Other)
		e.claim("one")
		if next := e.claim("one"); next.ID != late.ID {
			e.Errorf("the project that has none running is not next, but %s", next.ProjectID)
		}
	})
}

func TestExportEndings(t *testing.T) {
	for name, end := range map[string]func(e exportTest, l *exports.ExportLease) error{
		"cancelled": func(e exportTest, l *exports.ExportLease) error {
			_, err := e.CancelExport(e.Context(), e.Scope, l.ID, e.by)
			return err
		},
		"deleted": func(e exportTest, l *exports.ExportLease) error {
			return e.DeleteExport(e.Context(), e.Scope, l.ID, e.by)
		},
		"failed": func(e exportTest, l *exports.ExportLease) error {
			return e.FinishExport(e.Context(), l, "the disk is full")
		},
		"its project is deleted": func(e exportTest, _ *exports.ExportLease) error {
			p, err := e.Project(e.Context(), e.Scope)
			if err != nil {
				return err
			}
			return e.DeleteProject(e.Context(), domain.OfOrganization(p.OrganizationID), p.ID, e.by)
		},
	} {
		t.Run(name, func(t *testing.T) {
			onBothWithExports(t, func(e exportTest) {
				e.create(e.Scope)
				l := e.claim("one")
				if err := errors.Join(e.addPart(l, 0, "p0"), end(e, l)); err != nil {
					e.Fatal(err)
				}
				e.WantUnused(0, "p0")
				catalogtest.WantError(e.T, "its server goes on", e.addPart(l, 1, "p1"), leases.ErrLost)
				if lease := e.claim("two"); lease != nil {
					e.Errorf("it begins again: %+v", lease)
				}
			})
		})
	}
}

func TestManyExports(t *testing.T) {
	onBothWithExports(t, func(e exportTest) {
		for range exports.MaxOpenExports {
			e.create(e.Scope)
		}
		_, err := e.CreateExport(e.Context(), e.Scope, domain.Export{Table: "scores", Format: "csv", Request: json.RawMessage(`{}`)}, e.by)
		catalogtest.WantError(e.T, "one too many", err, domain.ErrConflict)
		for range 100 {
			if err := e.FinishExport(e.Context(), e.claim("one"), "no"); err != nil {
				e.Fatal(err)
			}
			e.create(e.Scope)
		}
		list, err := e.Exports(e.Context(), e.Scope)
		if err != nil || len(list) > 100 {
			e.Errorf("%d are remembered: %v", len(list), err)
		}
		e.create(e.Other)
	})
}

// TestExportsAtOnce creates many exports concurrently: no more than the limit.
func TestExportsAtOnce(t *testing.T) {
	onBothWithExports(t, func(e exportTest) {
		var created atomic.Int32
		var all sync.WaitGroup
		for range 3 * exports.MaxOpenExports {
			all.Go(func() {
				_, err := e.CreateExport(e.Context(), e.Scope, domain.Export{
					Table: "scores", Format: "csv", Request: json.RawMessage(`{}`),
				}, e.by)
				if err == nil {
					created.Add(1)
				} else {
					catalogtest.WantError(e.T, "one of many", err, domain.ErrConflict)
				}
			})
		}
		all.Wait()
		if got := created.Load(); got != exports.MaxOpenExports {
			e.Errorf("%d were created, want %d", got, exports.MaxOpenExports)
		}
	})
}

func TestExportsAreAudited(t *testing.T) {
	onBothWithExports(t, func(e exportTest) {
		made := e.create(e.Scope)
		if err := errors.Join(e.ExportDownloaded(e.Context(), e.Scope, made.ID, e.by),
			e.DeleteExport(e.Context(), e.Scope, made.ID, e.by)); err != nil {
			e.Fatal(err)
		}
		var actions []string
		for entry, err := range e.AuditLogOfInstance(e.Context(), "", catalog.AuditFilter{ResourceKind: exports.KindExport}) {
			if err != nil {
				e.Fatal(err)
			}
			if entry.ResourceID != made.ID || entry.Actor != e.by || entry.ProjectID != e.Scope.ProjectID() {
				e.Errorf("recorded as %+v", entry)
			}
			actions = append(actions, entry.Action)
		}
		if len(actions) != 3 || actions[1] != "download" && actions[0] != "download" {
			e.Errorf("recorded %v", actions)
		}
	})
}

// TestCancellationsAreAudited checks that the audit log has the state of an export before it was cancelled: running or
// queued.
func TestCancellationsAreAudited(t *testing.T) {
	onBothWithExports(t, func(e exportTest) {
		want := map[string]string{e.create(e.Scope).ID: domain.ExportRunning, e.create(e.Scope).ID: domain.ExportQueued}
		if l := e.claim("one"); want[l.ID] != domain.ExportRunning {
			e.Fatalf("%s was claimed first", l.ID)
		}
		for id := range want {
			if cancelled, err := e.CancelExport(e.Context(), e.Scope, id, e.by); err != nil || cancelled.State != domain.ExportCancelled {
				e.Fatalf("it is %+v, %v", cancelled, err)
			}
		}
		for entry, err := range e.AuditLogOfInstance(e.Context(), "", catalog.AuditFilter{ResourceKind: exports.KindExport}) {
			if err != nil {
				e.Fatal(err)
			}
			if entry.Action != "update" {
				continue
			}
			var before, after struct{ State string }
			if err := errors.Join(json.Unmarshal(entry.Before, &before), json.Unmarshal(entry.After, &after)); err != nil {
				e.Fatal(err)
			}
			if before.State != want[entry.ResourceID] || after.State != domain.ExportCancelled {
				e.Errorf("recorded as %s → %s, want that it was %s", before.State, after.State, want[entry.ResourceID])
			}
			delete(want, entry.ResourceID)
		}
		if len(want) > 0 {
			e.Errorf("not recorded: %v", want)
		}
	})
}
