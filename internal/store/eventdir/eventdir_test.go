package eventdir

import (
	"errors"
	"os"
	"path/filepath"
	"testing"

	"almanac/internal/catalog/pgtest"
	"almanac/internal/config"
	"almanac/internal/datadir"
	"almanac/internal/disk"
	"almanac/internal/store/segment"
	"almanac/test/catalogtest"
)

func TestMain(m *testing.M) { pgtest.Main(m) }

// TestStoresOfACatalog opens stores with a catalog. One that is not of that catalog is refused; a catalog that servers
// share takes an empty one for that of another server.
func TestStoresOfACatalog(t *testing.T) {
	catalogtest.OnBoth(t, func(t *testing.T, c *catalogtest.Catalog, address string) {
		place := func() config.Storage {
			return config.Storage{Data: filepath.Join(t.TempDir(), "data"), Catalog: config.Secret(address)}
		}
		open := func(s config.Storage) error {
			t.Helper()
			events, err := Open(t.Context(), c.Catalog, s, segment.Options{})
			if err != nil {
				return err
			}
			return events.Close()
		}
		refused := func(what string, s config.Storage) {
			t.Helper()
			if err := open(s); !errors.Is(err, ErrOther) {
				t.Errorf("%s: %v", what, err)
			}
		}
		first := place()
		for range 2 {
			if err := open(first); err != nil {
				t.Fatal(err)
			}
		}
		foreign := place()
		events, err := segment.Open(datadir.EventsDir(foreign.Data), segment.Options{})
		if err != nil {
			t.Fatal(err)
		}
		if err := events.Close(); err != nil {
			t.Fatal(err)
		}
		refused("the store of another installation", foreign)

		second := place()
		if err := open(second); c.SeveralServers() && err != nil || !c.SeveralServers() && !errors.Is(err, ErrOther) {
			t.Errorf("an empty store: %v", err)
		}
		if err := open(first); err != nil {
			t.Error(err)
		}
		if err := os.RemoveAll(filepath.Join(datadir.EventsDir(first.Data), "scores")); err != nil {
			t.Fatal(err)
		}
		refused("half a store", first)

		for _, s := range []config.Storage{first, foreign} {
			if err := Adopt(t.Context(), disk.Disk{}, c.Catalog, s); err != nil {
				t.Fatal(err)
			}
			if err := open(s); err != nil {
				t.Errorf("after it was accepted: %v", err)
			}
		}
		if err := open(first); c.SeveralServers() && err != nil || !c.SeveralServers() && !errors.Is(err, ErrOther) {
			t.Errorf("the first store, after another was accepted: %v", err)
		}
	})
}

// TestNamesNoPassword checks that messages do not have the address of a database, which has a password.
func TestNamesNoPassword(t *testing.T) {
	for address, want := range map[string]string{
		"postgres://user:password@host/db": "the catalog in PostgreSQL", "": "the catalog data/catalog.db",
	} {
		if got := catalogName(config.Storage{Data: "data", Catalog: config.Secret(address)}); got != want {
			t.Errorf("%q, want %q", got, want)
		}
	}
}
