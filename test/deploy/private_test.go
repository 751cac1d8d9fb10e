package deploy

import (
	"bytes"
	"io/fs"
	"net"
	"net/http"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"syscall"
	"testing"
	"time"

	"almanac/test/harness"
)

// TestFilesArePrivate checks the modes of all files written by a server and a backup, under the umask that most systems
// have.
func TestFilesArePrivate(t *testing.T) {
	before := syscall.Umask(0o022)
	defer syscall.Umask(before)
	data := filepath.Join(t.TempDir(), "data")
	s := harness.StartOn(t, data)
	status, body := s.Do(t, http.MethodPost, "/api/public/otel/v1/traces", s.PublicKey, s.SecretKey,
		`{"resourceSpans":[{"scopeSpans":[{"spans":[
		{"traceId":"0af7651916cd43dd8448eb211c80319c","spanId":"b7ad6b7169203331","name":"a","startTimeUnixNano":"1767225600000000000","endTimeUnixNano":"1767225601000000000"}]}]}]}`)
	if status != http.StatusOK {
		t.Fatalf("%d %s", status, body)
	}
	checkPrivate(t, data, "catalog.db", "catalog.db-wal", "encryption.key", "lock", "events/observations/MANIFEST")
	backup := filepath.Join(t.TempDir(), "backup")
	if _, stderr, code := harness.Run(t, "backup", backup, "--data", data); code != 0 {
		t.Fatal(stderr)
	}
	checkPrivate(t, backup, "catalog.db", "encryption.key", "backup.json")
	if _, log := s.Printed(); strings.Contains(log, "level=WARN") {
		t.Errorf("a new directory is warned of: %s", log)
	}
	restored := filepath.Join(t.TempDir(), "restored")
	if _, stderr, code := harness.Run(t, "restore", backup, "--data", restored); code != 0 {
		t.Fatal(stderr)
	}
	checkPrivate(t, restored, "catalog.db", "encryption.key")
}

// checkPrivate fails the test for everything below a directory that others may read, and for expected files that are
// missing.
func checkPrivate(t *testing.T, directory string, least ...string) {
	t.Helper()
	for _, name := range least {
		if _, err := os.Stat(filepath.Join(directory, name)); err != nil {
			t.Error(err)
		}
	}
	err := filepath.WalkDir(directory, func(path string, entry fs.DirEntry, err error) error {
		if err != nil {
			return err
		}
		info, err := entry.Info()
		if err != nil {
			return err
		}
		if mode := info.Mode().Perm(); mode&0o077 != 0 {
			t.Errorf("%s can be read by others: %v", path, mode)
		}
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
}

// TestOpenDirectoryIsWarnedOf starts a server on a directory with the usual mode.
func TestOpenDirectoryIsWarnedOf(t *testing.T) {
	data := t.TempDir()
	if err := os.Chmod(data, 0o755); err != nil {
		t.Fatal(err)
	}
	s := harness.StartOn(t, data)
	if _, log := s.Printed(); !strings.Contains(log, "other users on this machine can access the data directory") {
		t.Errorf("no warning: %s", log)
	}
	for _, name := range []string{"catalog.db", "encryption.key", "events", "media"} {
		if info, err := os.Stat(filepath.Join(data, name)); err != nil || info.Mode().Perm()&0o077 != 0 {
			t.Errorf("%s can be read by others: %v, %v", name, info, err)
		}
	}
}

// inContainer runs the program as the image does: alone in a read-only root directory, as an ordinary user without a
// way to other privileges. Only its data directory is writable.
const inContainer = `set -e
mount --bind "$1" "$1"
mount --bind "$1/data" "$1/data"
mount -o remount,ro,bind "$1"
exec setpriv --no-new-privs "$(command -v chroot)" --userspec=65532:65532 "$1" /almanac serve`

// TestContainer runs the program with the files and the environment of the image. It needs root, as test/tools does.
func TestContainer(t *testing.T) {
	top := t.TempDir()
	if err := os.Chmod(top, 0o755); err != nil {
		t.Fatal(err)
	}
	program, err := os.ReadFile(harness.Binary(t))
	if err != nil {
		t.Fatal(err)
	}
	id, _ := strconv.Atoi(user)
	data := filepath.Join(top, "data")
	if err := os.WriteFile(filepath.Join(top, "almanac"), program, 0o755); err != nil {
		t.Fatal(err)
	}
	if err := os.Mkdir(data, 0o700); err != nil {
		t.Fatal(err)
	}
	if err := os.Chown(data, id, id); err != nil {
		t.Fatalf("this test needs root: %v", err)
	}
	address := freeAddress(t)
	cmd := exec.CommandContext(t.Context(), "unshare", "--mount", "sh", "-c", inContainer, "sh", top)
	cmd.Env = []string{
		"PATH=" + os.Getenv("PATH") + ":/usr/sbin:/sbin", "ALMANAC_DATA=/data", "ALMANAC_LISTEN=" + address, "ALMANAC_OTLP_GRPC_LISTEN=off",
	}
	cmd.SysProcAttr = &syscall.SysProcAttr{Pdeathsig: syscall.SIGKILL}
	var printed bytes.Buffer
	cmd.Stdout, cmd.Stderr = &printed, &printed
	cmd.Cancel = func() error { return cmd.Process.Signal(syscall.SIGTERM) }
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	healthy := false
	for deadline := time.Now().Add(20 * time.Second); !healthy && time.Now().Before(deadline); time.Sleep(20 * time.Millisecond) {
		_, _, code := harness.Run(t, "health", "--listen", address)
		healthy = code == 0
	}
	status, _ := os.ReadFile("/proc/" + strconv.Itoa(cmd.Process.Pid) + "/status")
	if err := cmd.Process.Signal(syscall.SIGTERM); err != nil {
		t.Error(err)
	}
	if err := cmd.Wait(); err != nil || !healthy {
		t.Fatalf("healthy: %v, end: %v\n%s", healthy, err, printed.String())
	}
	for _, line := range []string{
		"Uid:\t65532\t65532\t65532\t65532", "Gid:\t65532\t65532\t65532\t65532", "NoNewPrivs:\t1", "CapEff:\t0000000000000000",
	} {
		if !strings.Contains(string(status), line) {
			t.Errorf("the process is not as it should be, %q is missing:\n%s", line, status)
		}
	}
	checkPrivate(t, data, "catalog.db", "encryption.key")
}

// freeAddress returns an address that nothing listens on.
func freeAddress(t *testing.T) string {
	t.Helper()
	listener, err := new(net.ListenConfig).Listen(t.Context(), "tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	defer listener.Close()
	return listener.Addr().String()
}
