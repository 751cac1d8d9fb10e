package blackbox

import (
	"path/filepath"
	"regexp"
	"strings"
	"sync"
	"syscall"
	"testing"

	"almanac/test/harness"
)

// TestBackupOfARunningServer makes a backup while clients write, deletes the data directory, and continues with the
// backup.
func TestBackupOfARunningServer(t *testing.T) {
	s := harness.Start(t)
	create := func(note string) (public, secret string) {
		t.Helper()
		stdout, stderr, code := harness.Run(t, "keys", "create", "--data", s.Data, "--note", note)
		found := regexp.MustCompile(`LANGFUSE_PUBLIC_KEY=(\S+)\nLANGFUSE_SECRET_KEY=(\S+)`).FindStringSubmatch(stdout)
		if code != 0 || found == nil {
			t.Fatalf("keys create: %d %s%s", code, stdout, stderr)
		}
		return found[1], found[2]
	}
	public, secret := create("before the backup")
	var wg sync.WaitGroup
	stop := make(chan struct{})
	wg.Go(func() { // keeps the server busy meanwhile
		for {
			select {
			case <-stop:
				return
			default:
				s.Get(t, "/api/public/projects")
			}
		}
	})
	backup := filepath.Join(t.TempDir(), "backup")
	stdout, stderr, code := harness.Run(t, "backup", backup, "--data", s.Data)
	close(stop)
	wg.Wait()
	if code != 0 || !strings.Contains(stdout, "The backup is in "+backup) {
		t.Fatalf("backup: %d %s%s", code, stdout, stderr)
	}
	later, laterSecret := create("after the backup")

	if _, stderr, code := harness.Run(t, "restore", backup, "--data", s.Data); code != 1 || !strings.Contains(stderr, "is not empty") {
		t.Errorf("restoring over a running server: %d %s", code, stderr)
	}
	s.Signal(t, syscall.SIGKILL)

	restored := filepath.Join(t.TempDir(), "restored")
	if stdout, stderr, code := harness.Run(t, "restore", backup, "--data", restored); code != 0 {
		t.Fatalf("restore: %d %s%s", code, stdout, stderr)
	}
	again := harness.StartOn(t, restored)
	for name, pair := range map[string][2]string{"the first": {s.PublicKey, s.SecretKey}, "one made before the backup": {public, secret}} {
		if status, body := again.Do(t, "GET", "/api/public/projects", pair[0], pair[1], ""); status != 200 ||
			!strings.Contains(body, "My project") {
			t.Errorf("%s key does not work on the restored data: %d %s", name, status, body)
		}
	}
	if status, _ := again.Do(t, "GET", "/api/public/projects", later, laterSecret, ""); status != 401 {
		t.Errorf("a key made after the backup is answered %d", status)
	}
	if stdout, _, code := harness.Run(t, "doctor", "--data", restored); code != 0 || !strings.Contains(stdout, "Everything is in order.") {
		t.Errorf("doctor: %d %s", code, stdout)
	}
	if stdout, _, code := harness.Run(t, "doctor", "--repair", "--data", restored); code != 1 ||
		!strings.Contains(stdout, "cannot repair: the data directory") {
		t.Errorf("doctor --repair beside a server: %d %s", code, stdout)
	}
}
