package platform

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"syscall"
	"testing"
	"time"
)

func TestErrors(t *testing.T) {
	all := map[string]func(error) bool{
		"disk full": DiskFull, "out of files": OutOfFiles, "in use": InUse, "address": AddressInUse,
	}
	for want, err := range map[string]error{
		"disk full":    fmt.Errorf("writing: %w", &os.PathError{Err: syscall.EDQUOT}),
		"out of files": os.NewSyscallError("open", syscall.EMFILE),
		"in use":       &os.LinkError{Err: syscall.EBUSY},
		"address":      os.NewSyscallError("bind", syscall.EADDRINUSE),
		"none":         os.ErrNotExist,
		"none at all":  nil,
	} {
		for name, is := range all {
			if is(err) != (name == want) {
				t.Errorf("%v: %s is %v", err, name, is(err))
			}
		}
	}
}

func TestRetry(t *testing.T) {
	broken := errors.New("broken")
	for _, test := range []struct {
		name  string
		fails []error // then it succeeds
		calls int
		want  error
	}{
		{"at once", nil, 1, nil},
		{"in use for a moment", []error{syscall.EBUSY, syscall.EBUSY}, 3, nil},
		{"another reason", []error{syscall.EBUSY, broken}, 2, broken},
		{"in use for good", append(make([]error, 0, 100), repeated(syscall.EBUSY, 100)...), 51, syscall.EBUSY},
	} {
		var waited time.Duration
		calls := 0
		err := retry(func(d time.Duration) { waited += d }, func() error {
			calls++
			if calls <= len(test.fails) {
				return test.fails[calls-1]
			}
			return nil
		})
		if !errors.Is(err, test.want) || calls != test.calls || waited > patience {
			t.Errorf("%s: %v after %d calls and %v", test.name, err, calls, waited)
		}
	}
}

func repeated(err error, n int) []error {
	errs := make([]error, n)
	for i := range errs {
		errs[i] = err
	}
	return errs
}

func TestMap(t *testing.T) {
	path := filepath.Join(t.TempDir(), "file")
	if err := os.WriteFile(path, []byte("some text"), 0o600); err != nil {
		t.Fatal(err)
	}
	file, err := os.Open(path)
	if err != nil {
		t.Fatal(err)
	}
	for name, read := range map[string]func(*os.File, int64) ([]byte, error){"mapped": Map, "read": readInstead} {
		content, err := read(file, 9)
		if err != nil || string(content) != "some text" {
			t.Errorf("%s: %q, %v", name, content, err)
		}
		if name == "mapped" {
			Release(content, 5, 9)
			if string(content) != "some text" {
				t.Errorf("after it was released: %q", content)
			}
			Unmap(content)
		}
	}
	if _, err := readInstead(file, 10); err == nil {
		t.Error("a file that is too short was read")
	}
	if err := file.Close(); err != nil {
		t.Fatal(err)
	}
}

func TestDirectory(t *testing.T) {
	path := t.TempDir()
	free, err := FreeBytes(path)
	if err != nil || free == 0 {
		t.Errorf("%d bytes are free, %v", free, err)
	}
	if _, err := FreeBytes(filepath.Join(path, "missing")); !errors.Is(err, os.ErrNotExist) {
		t.Errorf("room in a directory that is missing: %v", err)
	}
	d, err := OpenDirectory(path)
	if err != nil {
		t.Fatal(err)
	}
	if err := errors.Join(SyncDirectory(d), d.Close()); err != nil {
		t.Error(err)
	}
	if _, err := OpenDirectory(filepath.Join(path, "missing")); !errors.Is(err, os.ErrNotExist) {
		t.Errorf("a directory that is missing: %v", err)
	}
	if err := Retry(func() error { return os.Remove(path) }); err != nil {
		t.Error(err)
	}
}

func TestTryLock(t *testing.T) {
	path := filepath.Join(t.TempDir(), "lock")
	open := func() *os.File {
		f, err := os.OpenFile(path, os.O_RDWR|os.O_CREATE, 0o600)
		if err != nil {
			t.Fatal(err)
		}
		t.Cleanup(func() { _ = f.Close() })
		return f
	}
	first, second := open(), open()
	ok, err := TryLock(first, true)
	if errors.Is(err, errors.ErrUnsupported) {
		return // it does not lock, and says so
	}
	if !ok || err != nil {
		t.Fatalf("not locked: %v", err)
	}
	for _, exclusive := range []bool{true, false} {
		if ok, err := TryLock(second, exclusive); ok || err != nil {
			t.Errorf("exclusive %v beside a lock: %v, %v", exclusive, ok, err)
		}
	}
	if err := first.Close(); err != nil {
		t.Fatal(err)
	}
	third := open()
	for _, f := range []*os.File{second, third} {
		if ok, err := TryLock(f, false); !ok || err != nil {
			t.Errorf("a shared lock: %v, %v", ok, err)
		}
	}
}

func TestProcess(t *testing.T) {
	if used, ok := ProcessorTime(); ok && used < 0 {
		t.Errorf("%v of processor time", used)
	}
}
