package cli

import (
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"testing"
	"time"

	"almanac/internal/catalog"
	"almanac/internal/catalog/tenants"
	"almanac/internal/datadir"
	"almanac/internal/domain"
	"almanac/internal/store"
	"almanac/internal/store/segment"
)

// newInstallation creates a data directory with a catalog, a key and, optionally, events.
func newInstallation(t *testing.T, events bool) string {
	t.Helper()
	data := filepath.Join(t.TempDir(), "data")
	if err := os.Mkdir(data, 0o700); err != nil {
		t.Fatal(err)
	}
	c, err := catalog.Open(t.Context(), datadir.CatalogFile(data))
	if err != nil {
		t.Fatal(err)
	}
	if _, err := c.CreateOrganization(t.Context(), "acme", "Acme", operator); err != nil {
		t.Fatal(err)
	}
	if _, err := c.CreateKey(t.Context(), domain.OfOrganization("acme"), tenants.NewKey{
		PublicKey: "pk-lf-kept", Permissions: domain.AllPermissions(),
	}, operator); err != nil {
		t.Fatal(err)
	}
	if err := c.Close(); err != nil {
		t.Fatal(err)
	}
	if !events {
		return data
	}
	s := openEvents(t, data)
	for n := range 3 {
		o := domain.Observation{
			TraceID: "t", ID: strconv.Itoa(n), StartTime: domain.MicrosOf(time.Date(2026, 1, 2, 3, n, 0, 0, time.UTC)),
			Input: "text number " + strconv.Itoa(n),
		}
		if err := s.Observations().Append(t.Context(), domain.OfProject("p"), []domain.Observation{o}); err != nil {
			t.Fatal(err)
		}
		if n < 2 { // the last one stays in the log
			if err := s.Flush(t.Context()); err != nil {
				t.Fatal(err)
			}
		}
	}
	if err := s.Close(); err != nil {
		t.Fatal(err)
	}
	return data
}

func openEvents(t *testing.T, data string) *segment.Store {
	t.Helper()
	s, err := segment.Open(datadir.EventsDir(data), segment.Options{})
	if err != nil {
		t.Fatal(err)
	}
	return s
}

func countEvents(t *testing.T, data string) int {
	t.Helper()
	s := openEvents(t, data)
	defer s.Close()
	rows := 0
	for _, err := range s.Observations().Scan(t.Context(), domain.OfProject("p"), store.Query[domain.Observation]{}) {
		if err != nil {
			t.Fatal(err)
		}
		rows++
	}
	return rows
}

// mustRun runs a command that must succeed, and returns what it printed.
func mustRun(t *testing.T, args ...string) (stdout, stderr string) {
	t.Helper()
	stdout, stderr, code := runHere(args...)
	if code != 0 {
		t.Fatalf("%q: exit code %d\n%s%s", args, code, stdout, stderr)
	}
	return stdout, stderr
}

func TestBackupAndRestore(t *testing.T) {
	for name, events := range map[string]bool{"with events": true, "without events": false} {
		t.Run(name, func(t *testing.T) {
			data := newInstallation(t, events)
			if events { // an installation need not have a key
				if err := os.WriteFile(datadir.KeyFile(data), []byte("the key"), 0o600); err != nil {
					t.Fatal(err)
				}
			}
			server, err := datadir.Open(data) // a backup works while a server holds the directory
			if err != nil {
				t.Fatal(err)
			}
			backup := filepath.Join(t.TempDir(), "deep", "backup")
			stdout, stderr := mustRun(t, "backup", backup, "--data", data)
			if !strings.Contains(stdout, backup) || !strings.Contains(stderr, "copying the catalog") ||
				strings.Contains(stderr, "copying the events") != events {
				t.Errorf("%s%s", stdout, stderr)
			}
			if err := server.Close(); err != nil {
				t.Fatal(err)
			}

			restored := filepath.Join(t.TempDir(), "restored")
			stdout, stderr = mustRun(t, "restore", backup, "--data", restored)
			if !strings.Contains(stdout, " to "+restored) || !strings.Contains(stderr, "checking the restored data") {
				t.Errorf("%s%s", stdout, stderr)
			}
			if info, err := os.Stat(restored); err != nil || info.Mode().Perm() != 0o700 {
				t.Errorf("the restored directory is open to others: %v, %v", info.Mode(), err)
			}
			key, err := os.ReadFile(datadir.KeyFile(restored))
			if events && (err != nil || string(key) != "the key") || !events && !os.IsNotExist(err) {
				t.Errorf("the encryption key is %q, %v", key, err)
			}
			if info, err := os.Stat(datadir.KeyFile(backup)); events && (err != nil || info.Mode().Perm() != 0o600) {
				t.Errorf("others can read the key in the backup: %v, %v", info, err)
			}
			if stdout, _ := mustRun(t, "keys", "list", "--data", restored); !strings.Contains(stdout, "pk-lf-kept") {
				t.Errorf("the key is missing:\n%s", stdout)
			}
			stdout, _ = mustRun(t, "doctor", "--data", restored)
			if events && (!strings.Contains(stdout, "events are intact (files: 4)") || countEvents(t, restored) != 3) {
				t.Errorf("%d events\n%s", countEvents(t, restored), stdout)
			}
			if !events && !strings.Contains(stdout, "no events yet") {
				t.Error(stdout)
			}
		})
	}
}

func TestBackupRefusals(t *testing.T) {
	data := newInstallation(t, true)
	backup := filepath.Join(t.TempDir(), "backup")
	mustRun(t, "backup", backup, "--data", data)
	copyOf := func(change func(path string)) string {
		path := filepath.Join(t.TempDir(), "copy")
		if err := os.CopyFS(path, os.DirFS(backup)); err != nil {
			t.Fatal(err)
		}
		change(path)
		return path
	}
	overwrite := func(file string, content string) func(string) {
		return func(path string) {
			if err := os.WriteFile(filepath.Join(path, file), []byte(content), 0o600); err != nil {
				t.Fatal(err)
			}
		}
	}
	remove := func(file string) func(string) {
		return func(path string) {
			if err := os.Remove(filepath.Join(path, file)); err != nil {
				t.Fatal(err)
			}
		}
	}
	empty := func() string { return filepath.Join(t.TempDir(), "data") }
	cases := []struct {
		name string
		args []string
		want string
	}{
		{"backup to a full directory", []string{"backup", backup, "--data", data}, "is not empty: it contains backup.json"},
		{
			"backup into the data directory",
			[]string{"backup", filepath.Join(data, "events", "observations", "x"), "--data", data},
			"choose another location",
		},
		{"backup onto the data directory", []string{"backup", data, "--data", data}, "choose another location"},
		{"backup without a catalog", []string{"backup", empty(), "--data", t.TempDir()}, "there is no catalog in"},
		{"restore to a full directory", []string{"restore", backup, "--data", data}, "is not empty: it contains catalog.db"},
		{"restore of a data directory", []string{"restore", data, "--data", empty()}, "is not a complete backup"},
		{
			"restore of an unfinished backup",
			[]string{"restore", copyOf(remove("backup.json")), "--data", empty()},
			"is not a complete backup",
		},
		{
			"restore of a newer backup", []string{
				"restore", copyOf(overwrite("backup.json", `{"format":2,"version":"9.0"}`)), "--data", empty(),
			}, "written by a newer version of Almanac (9.0)",
		},
		{"restore of nonsense", []string{"restore", copyOf(overwrite("backup.json", `?`)), "--data", empty()}, "cannot read backup.json"},
		{"restore without the catalog", []string{"restore", copyOf(remove("catalog.db")), "--data", empty()}, "cannot restore the catalog"},
		{"restore to PostgreSQL", []string{"restore", backup, "--data", empty(), "--catalog", "postgres://x"}, "contains a SQLite catalog"},
		{
			"restore events beside ClickHouse",
			[]string{"restore", backup, "--data", empty(), "--store", "clickhouse://h"},
			"contains events of a data directory",
		},
		{
			"restore of half the events",
			[]string{"restore", copyOf(remove("events/scores/MANIFEST")), "--data", empty()},
			"cannot read the manifest",
		},
	}
	for _, c := range cases {
		if stdout, stderr, code := runHere(c.args...); code != 1 || !strings.Contains(stderr, c.want) || stdout != "" {
			t.Errorf("%s: exit code %d, printed %q and %q; want %q", c.name, code, stdout, stderr, c.want)
		}
	}
}

// TestRestoreOfADamagedBackup checks that damage is found and that no server starts on the result.
func TestRestoreOfADamagedBackup(t *testing.T) {
	data := newInstallation(t, true)
	backup := filepath.Join(t.TempDir(), "backup")
	mustRun(t, "backup", backup, "--data", data)
	damageOne(t, filepath.Join(backup, "events", "observations", "*.parquet"))
	restored := filepath.Join(t.TempDir(), "restored")
	stdout, stderr, code := runHere("restore", backup, "--data", restored)
	if code != 1 || !strings.Contains(stdout, "FAULT") || !strings.Contains(stderr, "faults found: the backup") {
		t.Errorf("%d %s%s", code, stdout, stderr)
	}
	_, stderr, code = runHere("serve", "--listen=127.0.0.1:0", "--data", restored)
	if code != 1 || !strings.Contains(stderr, "partly restored backup") {
		t.Errorf("%d %s", code, stderr)
	}
}

// damageOne flips a bit in the first file that matches the pattern. The file gets a new inode, since a backup may share
// the old one.
func damageOne(t *testing.T, pattern string) {
	t.Helper()
	files, err := filepath.Glob(pattern)
	if err != nil || len(files) == 0 {
		t.Fatalf("%q, %v", files, err)
	}
	content, err := os.ReadFile(files[0])
	if err != nil {
		t.Fatal(err)
	}
	content[len(content)/4] ^= 1
	if err := os.Remove(files[0]); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(files[0], content, 0o600); err != nil {
		t.Fatal(err)
	}
}

func TestDoctorOfEvents(t *testing.T) {
	data := newInstallation(t, true)
	if stdout, _ := mustRun(t, "doctor", "--data", data); !strings.Contains(stdout, "events are intact (files: 4)") {
		t.Error(stdout)
	}
	damageOne(t, filepath.Join(data, "events", "observations", "*.idx"))
	stdout, stderr, code := runHere("doctor", "--data", data)
	if code != 1 || !strings.Contains(stdout, "FAULT  events: ") || !strings.Contains(stdout, ".idx") ||
		!strings.Contains(stdout, "almanac doctor --repair") {
		t.Errorf("%d %s%s", code, stdout, stderr)
	}
	server, err := datadir.Open(data)
	if err != nil {
		t.Fatal(err)
	}
	if stdout, _, code := runHere("doctor", "--repair", "--data", data); code != 1 ||
		!strings.Contains(stdout, "cannot repair: the data directory") || !strings.Contains(stdout, "is in use") {
		t.Errorf("%d %s", code, stdout)
	}
	if err := server.Close(); err != nil {
		t.Fatal(err)
	}
	if stdout, _ := mustRun(t, "doctor", "--repair", "--data", data); !strings.Contains(stdout, "rebuilt ") ||
		!strings.Contains(stdout, "events are intact") {
		t.Error(stdout)
	}
	if rows := countEvents(t, data); rows != 3 {
		t.Errorf("%d rows after the repair", rows)
	}
	// Files that hold data cannot be rebuilt.
	damageOne(t, filepath.Join(data, "events", "observations", "*.parquet"))
	stdout, _, code = runHere("doctor", "--repair", "--data", data)
	if code != 1 || !strings.Contains(stdout, ".parquet") || strings.Contains(stdout, "rebuilt ") {
		t.Errorf("%d %s", code, stdout)
	}
}

// TestBackupsAreNoted checks that the time of the newest backup is recorded.
func TestBackupsAreNoted(t *testing.T) {
	data := newInstallation(t, true)
	if _, ok := datadir.LastBackup(data); ok {
		t.Error("there is a backup before the first")
	}
	before := time.Now().Add(-time.Second)
	if _, stderr, code := runHere("backup", "--data", data, filepath.Join(t.TempDir(), "backup")); code != 0 {
		t.Fatal(stderr)
	}
	if at, ok := datadir.LastBackup(data); !ok || at.Before(before) || at.After(time.Now()) {
		t.Errorf("the newest backup is of %v, %v", at, ok)
	}
}

// TestRestoredCopyIsSilent restores a backup of an installation that exports to a bucket: the copy does not, unless it is
// meant to replace the original.
func TestRestoredCopyIsSilent(t *testing.T) {
	data := newInstallation(t, false)
	c, err := catalog.Open(t.Context(), datadir.CatalogFile(data))
	if err != nil {
		t.Fatal(err)
	}
	acme := domain.OfOrganization("acme")
	if _, err := c.CreateProject(t.Context(), acme, tenants.NewProject{ID: "p", Name: "p"}, operator); err != nil {
		t.Fatal(err)
	}
	if _, err := c.PutBlobStorageIntegration(t.Context(), acme, domain.BlobStorageIntegration{
		ProjectID: "p", Type: domain.BlobS3, BucketName: "bucket", ExportFrequency: "hourly", FileType: "JSONL",
		ExportMode: domain.ExportFullHistory, Enabled: true,
	}, func(domain.BlobStorageIntegration) error { return nil }, operator); err != nil {
		t.Fatal(err)
	}
	original, err := c.InstanceID(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	if err := c.Close(); err != nil {
		t.Fatal(err)
	}
	backup := filepath.Join(t.TempDir(), "backup")
	mustRun(t, "backup", backup, "--data", data)
	for _, keep := range []bool{false, true} {
		restored := filepath.Join(t.TempDir(), "restored")
		args := []string{"restore", backup, "--data", restored}
		if keep {
			args = append(args, "--keep-integrations")
		}
		out, _ := mustRun(t, args...)
		if strings.Contains(out, "Disabled the scheduled exports of 1 projects") == keep {
			t.Errorf("with %t it says %q", keep, out)
		}
		c, err := catalog.OpenCurrent(t.Context(), datadir.CatalogFile(restored))
		if err != nil {
			t.Fatal(err)
		}
		b, err := c.BlobStorageIntegration(t.Context(), acme, "p")
		if err != nil || b.Enabled != keep || (b.LastError == nil) != keep {
			t.Errorf("with %t the copy has %+v, %v", keep, b, err)
		}
		if id, err := c.InstanceID(t.Context()); err != nil || (id == original) != keep {
			t.Errorf("with %t its id is %s, that of the original %s, %v", keep, id, original, err)
		}
		if err := c.Close(); err != nil {
			t.Fatal(err)
		}
	}
}
