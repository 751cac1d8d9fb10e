package cli

import (
	"crypto/sha256"
	"fmt"
	"io/fs"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/alecthomas/kong"
	"github.com/google/go-cmp/cmp"

	"almanac/test/formats"
)

// tree returns the names and contents of all files in a directory.
func tree(t *testing.T, directory string) map[string]string {
	t.Helper()
	files := make(map[string]string)
	if err := filepath.WalkDir(directory, func(path string, e fs.DirEntry, err error) error {
		if err != nil || e.IsDir() {
			files[path] = "directory"
			return err
		}
		content, err := os.ReadFile(path)
		files[path] = fmt.Sprintf("%x", sha256.Sum256(content))
		return err
	}); err != nil {
		t.Fatal(err)
	}
	return files
}

// TestBackupsAreOnlyRead runs every command that has a data directory on a backup. Those that only read succeed, the
// others are refused, and no byte changes.
func TestBackupsAreOnlyRead(t *testing.T) {
	data := newInstallation(t, true)
	mustRun(t, "projects", "create", "Support", "--id", "p", "--organization", "acme", "--data", data)
	backup := filepath.Join(t.TempDir(), "backup")
	mustRun(t, "backup", backup, "--data", data)
	before := tree(t, backup)
	elsewhere := t.TempDir()
	reads := map[string][][]string{
		"doctor": {{}},
		"export": {{"observations", "-o", filepath.Join(elsewhere, "rows")}, {"audit_logs", "-o", filepath.Join(elsewhere, "log")}},
	}
	writes := map[string][][]string{
		"serve":                {{"--listen", "127.0.0.1:0"}},
		"keys create":          {{"--project", "p"}},
		"keys list":            {{}},
		"keys revoke":          {{"pk-lf-kept"}},
		"organizations list":   {{}},
		"organizations create": {{"More"}},
		"projects list":        {{}},
		"projects create":      {{"More"}},
		"users create":         {{"a@example.org"}},
		"users list":           {{}},
		"users set-password":   {{"a@example.org"}},
		"users disable":        {{"a@example.org"}},
		"users enable":         {{"a@example.org"}},
		"users unlink":         {{"a@example.org"}},
		"users sign-out":       {{"a@example.org"}},
		"import langfuse":      {{"--files", elsewhere}},
		"import export":        {{elsewhere, "--project", "p"}},
		"import otlp":          {{elsewhere, "--project", "p"}},
		"jobs list":            {{}},
		"jobs cancel":          {{"cleanup"}},
		"jobs retry":           {{"cleanup"}},
		"audit":                {{}},
		"backup":               {{filepath.Join(elsewhere, "again")}},
		"restore":              {{backup}},
		"migrate":              {{"--catalog", "postgres://127.0.0.1:1/none"}}, // nobody is there: the copy of the backup was made before
		"doctor":               {{"--repair"}, {"--accept-loss"}},
	}
	for _, c := range model(t).Leaves(false) {
		name := strings.TrimPrefix(c.FullPath(), "almanac ")
		if !slices.ContainsFunc(c.Flags, func(o *kong.Flag) bool { return o.Name == "data" }) {
			continue
		}
		if len(reads[name])+len(writes[name]) == 0 {
			t.Errorf("almanac %s has a data directory, and is not tried on a backup", name)
		}
		for kind, list := range map[int][][]string{0: reads[name], 1: writes[name]} {
			for _, args := range list {
				args = append(append(strings.Fields(name), args...), "--data", backup)
				stdout, stderr, code := runHere(args...)
				if code != kind {
					t.Errorf("%q: exit code %d, want %d\n%s%s", args, code, kind, stdout, stderr)
				}
				if kind == 1 && name != "restore" && name != "migrate" &&
					!strings.Contains(stdout+stderr,
						"is a backup, which must stay as it is: restore it to a new directory with almanac restore "+backup) {
					t.Errorf("%q says %s%s", args, stdout, stderr)
				}
				if d := cmp.Diff(before, tree(t, backup)); d != "" {
					t.Fatalf("%q changed the backup:\n%s", args, d)
				}
			}
		}
		delete(reads, name)
		delete(writes, name)
	}
	for name := range maps.Keys(reads) {
		t.Errorf("there is no command %s", name)
	}
	for name := range maps.Keys(writes) {
		t.Errorf("there is no command %s", name)
	}
	rows, err := os.ReadFile(filepath.Join(elsewhere, "rows"))
	if err != nil || strings.Count(string(rows), "\n") != 3 || !strings.Contains(string(rows), "text number 2") {
		t.Errorf("exported %s, %v", rows, err)
	}
	if _, err := os.Stat(filepath.Join(elsewhere, "again")); err == nil {
		t.Error("a backup of a backup was begun")
	}
}

// TestEarlierBackupsAreOnlyRead checks and exports the backups of every format, and compares each byte before and after.
func TestEarlierBackupsAreOnlyRead(t *testing.T) {
	tried := 0
	for _, name := range formats.Names() {
		t.Run(name, func(t *testing.T) {
			a := formats.Unpack(t, name)
			if !a.Written.Backup {
				return
			}
			tried++
			before := tree(t, a.Backup)
			mustRun(t, "doctor", "--data", a.Backup)
			out, _ := mustRun(t, "export", "observations", "--data", a.Backup)
			restored := filepath.Join(t.TempDir(), "restored")
			mustRun(t, "restore", a.Backup, "--data", restored)
			mustRun(t, "doctor", "--repair", "--data", restored)
			want, _ := mustRun(t, "export", "observations", "--data", restored)
			if rows := strings.Count(out, "\n"); rows < 100 || out != want {
				t.Errorf("exported %d rows; a restored copy has %d, and they differ", rows, strings.Count(want, "\n"))
			}
			if d := cmp.Diff(before, tree(t, a.Backup)); d != "" {
				t.Errorf("the backup was changed:\n%s", d)
			}
		})
	}
	if tried < 10 {
		t.Errorf("only %d backups were tried", tried)
	}
}
