package certs

import (
	"io/fs"
	"log/slog"
	"os"
	"strings"
	"testing"

	"almanac/test/certstest"
	"almanac/test/failing"
)

// TestFailuresOfTheWatch makes each stat and each read of a file fail once after a new certificate was written. The old
// one stays in use, the failure is logged once, and the new one is used as soon as the files can be read, although they
// did not change again.
func TestFailuresOfTheWatch(t *testing.T) {
	authority := certstest.NewAuthority(t)
	pair := authority.Issue(t, "0")
	var (
		failures failing.Switch
		log      strings.Builder
	)
	s, err := Open(Options{CertFile: pair.Cert, KeyFile: pair.Key, ClientCAFile: pair.Cert, Log: slog.New(slog.NewTextHandler(&log, nil))})
	if err != nil {
		t.Fatal(err)
	}
	s.files = files{
		stat: func(path string) (fs.FileInfo, error) {
			if err := failures.Call("stat"); err != nil {
				return nil, err
			}
			return os.Stat(path)
		},
		read: func(path string) ([]byte, error) {
			if err := failures.Call("read"); err != nil {
				return nil, err
			}
			return os.ReadFile(path)
		},
	}
	for round := 1; ; round++ {
		log.Reset()
		old := s.current.Load()
		authority.IssueTo(t, string(rune('0'+round)), pair)
		failures.Arm()
		s.Check()
		failed := failures.Disarm()
		if failed == "" {
			if round != 7 {
				t.Errorf("%d calls were made to fail, want 6", round-1)
			}
			return
		}
		if s.current.Load() != old || strings.Count(log.String(), "still using the previous ones") != 1 {
			t.Errorf("after a failure of %s the log says: %s", failed, log.String())
		}
		s.Check()
		if s.current.Load() == old || !strings.Contains(log.String(), "reloaded TLS certificates") {
			t.Errorf("after a failure of %s the old certificate stays in use, and the log says: %s", failed, log.String())
		}
	}
}

// TestComplaintsAreNotRepeated checks unusable files several times.
func TestComplaintsAreNotRepeated(t *testing.T) {
	authority := certstest.NewAuthority(t)
	pair := authority.Issue(t, "first")
	var log strings.Builder
	s, err := Open(Options{CertFile: pair.Cert, KeyFile: pair.Key, Log: slog.New(slog.NewTextHandler(&log, nil))})
	if err != nil {
		t.Fatal(err)
	}
	authority.IssueTo(t, "second", pair)
	s.files.read = func(string) ([]byte, error) { return nil, failing.ErrInjected }
	for range 5 {
		s.Check()
	}
	if n := strings.Count(log.String(), "still using the previous ones"); n != 1 {
		t.Errorf("%d complaints: %s", n, log.String())
	}
}
