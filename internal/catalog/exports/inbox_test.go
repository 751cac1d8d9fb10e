package exports_test

import (
	"errors"
	"fmt"
	"testing"
	"time"

	"almanac/internal/catalog/tables"
	"almanac/internal/domain"
	"almanac/test/catalogtest"
)

// TestPeopleAreToldOfTheirExports: one entry for each export, with how it ended last, unless its person cancelled it or left.
func TestPeopleAreToldOfTheirExports(t *testing.T) {
	onBothWithExports(t, func(e exportTest) {
		role := domain.RoleMember
		a := domain.OfOrganization("a")
		member, err := e.ProvisionUser(e.Context(), a, "ann@a.test", "Ann", &role, catalogtest.Tester)
		if err != nil {
			t.Fatal(err)
		}
		if err := e.DB.Update(e.Context(), func(s tables.Session) error {
			_, err := s.Exec(e.Context(), "UPDATE organization_people SET accepted_at = 1")
			return err
		}); err != nil {
			t.Fatal(err)
		}
		e.by.ID = member.ID
		told := func() []domain.InboxEntry {
			t.Helper()
			entries, err := e.Inbox.Entries(e.Context(), member.ID, "", 10)
			if err != nil {
				t.Fatal(err)
			}
			return entries
		}
		failing := e.create(e.Scope)
		if err := e.FinishExport(e.Context(), e.claim("s1"), "the disk is full"); err != nil {
			t.Fatal(err)
		}
		if got := told(); len(got) != 1 || got[0].Export == nil || got[0].Export.ID != failing.ID || got[0].Export.State != "failed" ||
			got[0].Export.Error != "the disk is full" {
			t.Fatalf("of one that failed: %+v", got)
		}
		if err := e.RetryExport(e.Context(), e.Scope, failing.ID, e.by); err != nil {
			t.Fatal(err)
		}
		if got := told(); len(got) != 0 {
			t.Errorf("of one that was requested again: %+v", got)
		}
		l := e.claim("s1")
		if err := errors.Join(e.addPart(l, 0, "k1"), e.FinishExport(e.Context(), l, "")); err != nil {
			t.Fatal(err)
		}
		if got := told(); len(got) != 1 || got[0].Export.State != "done" || got[0].ReadAt != nil {
			t.Errorf("of one that is done: %+v", got)
		}
		cancelled := e.create(e.Scope)
		if _, err := e.CancelExport(e.Context(), e.Scope, cancelled.ID, e.by); err != nil {
			t.Fatal(err)
		}
		if got := told(); len(got) != 1 {
			t.Errorf("of one that they cancelled: %+v", got)
		}
		// Only the newest are kept, and only for a time.
		many := make([][]any, domain.MaxInbox)
		for n := range many {
			many[n] = []any{fmt.Sprintf("0%03d", n), member.ID, e.Scope.ProjectID(), "", tables.Millis(e.DB.Now())}
		}
		if err := e.DB.Update(e.Context(), func(s tables.Session) error {
			return s.InsertRows(e.Context(), "inbox (id, user_id, project_id, trace_id, created_at)", many)
		}); err != nil {
			t.Fatal(err)
		}
		e.create(e.Scope)
		if err := e.FinishExport(e.Context(), e.claim("s1"), "no"); err != nil {
			t.Fatal(err)
		}
		kept, err := tables.QueryOne(e.Context(), e.DB.Reader(), tables.ScanValue[int], "SELECT COUNT(*) FROM inbox")
		if err != nil || kept != domain.MaxInbox {
			t.Errorf("%d entries are kept, %v", kept, err)
		}
		if got := told(); len(got) != 2 || got[0].Export.Error != "no" {
			t.Errorf("the newest: %+v", got)
		}
		e.advance(domain.InboxLife + time.Minute)
		if got := told(); len(got) != 0 {
			t.Errorf("long ago: %+v", got)
		}
		// Whoever leaves has nothing left.
		e.create(e.Scope)
		if err := e.FinishExport(e.Context(), e.claim("s1"), "no"); err != nil {
			t.Fatal(err)
		}
		if _, err := e.RemoveMember(e.Context(), a, member.ID, catalogtest.Tester); err != nil {
			t.Fatal(err)
		}
		if left, err := e.DB.Reader().Exists(e.Context(), "SELECT id FROM inbox"); err != nil || left {
			t.Errorf("entries are left: %v, %v", left, err)
		}
	})
}
