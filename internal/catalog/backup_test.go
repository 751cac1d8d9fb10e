package catalog_test

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"sync/atomic"
	"testing"

	"almanac/internal/catalog"
	"almanac/internal/catalog/pgtest"
	"almanac/internal/catalog/tenants"
	"almanac/internal/disk"
	"almanac/internal/domain"
	"almanac/test/catalogtest"
)

// TestBackup copies a database while it is written to.
func TestBackup(t *testing.T) {
	c := catalogtest.Open(t, filepath.Join(t.TempDir(), "catalog.db"))
	scope, _ := catalogtest.Seed(t, c, "o")
	var (
		wg           sync.WaitGroup
		acknowledged atomic.Int64
		stop         = make(chan struct{})
	)
	wg.Go(func() {
		for n := 0; ; n++ {
			select {
			case <-stop:
				return
			default:
			}
			if _, err := c.CreateProject(t.Context(), scope, tenants.NewProject{Name: fmt.Sprintf("project %d", n)},
				catalogtest.Tester); err != nil {
				t.Error(err)
				return
			}
			acknowledged.Add(1)
		}
	})
	for n := range 5 {
		least := acknowledged.Load()
		path := filepath.Join(t.TempDir(), fmt.Sprintf("it's a copy %d.db", n))
		if err := c.Backup(t.Context(), disk.Disk{}, path); err != nil {
			t.Fatal(err)
		}
		if info, err := os.Stat(path); err != nil || info.Mode().Perm() != 0o600 {
			t.Errorf("the copy is open to others: %v, %v", info.Mode(), err)
		}
		copied := catalogtest.Open(t, path)
		if faults, err := copied.Verify(t.Context()); err != nil || len(faults) > 0 {
			t.Errorf("Verify = %q, %v", faults, err)
		}
		if projects, err := copied.Projects(t.Context(), domain.OfOrganization("o")); err != nil || int64(len(projects)) < least+1 {
			t.Errorf("the copy has %d projects, %v; %d were acknowledged before", len(projects), err, least+1)
		}
		if err := c.Backup(t.Context(), disk.Disk{}, path); err == nil || !strings.Contains(err.Error(), path) {
			t.Errorf("a second copy to the same file: %v", err)
		}
	}
	close(stop)
	wg.Wait()
}

func TestBackupOfPostgres(t *testing.T) {
	c := catalogtest.Open(t, pgtest.URL(t))
	if err := c.Backup(t.Context(), disk.Disk{}, filepath.Join(t.TempDir(), "copy.db")); !errors.Is(err, catalog.ErrNoBackup) {
		t.Errorf("Backup = %v", err)
	}
}
