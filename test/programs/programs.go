// Package programs builds programs that tests start, and captures their output.
package programs

import (
	"bytes"
	"context"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"sync"
)

// Root returns the directory of go.mod, however tests are compiled.
func Root(ctx context.Context) (string, error) {
	module, err := exec.CommandContext(ctx, "go", "env", "GOMOD").Output()
	if err != nil {
		return "", fmt.Errorf("go env: %w", err)
	}
	return filepath.Dir(string(module)), nil
}

// programs are the programs built so far, shared by all tests of this process. Only open files remain of them, so that
// nothing needs to be removed.
var programs = struct {
	sync.Mutex
	files map[string]*os.File
}{files: make(map[string]*os.File)}

// Build builds the program in a directory of test, a separate module, once, and returns a path to start it by.
func Build(ctx context.Context, name string) (string, error) {
	programs.Lock()
	defer programs.Unlock()
	if programs.files[name] == nil {
		file, err := build(ctx, name)
		if err != nil {
			return "", err
		}
		programs.files[name] = file
	}
	return fmt.Sprintf("/proc/self/fd/%d", programs.files[name].Fd()), nil
}

func build(ctx context.Context, name string) (*os.File, error) {
	root, err := Root(ctx)
	if err != nil {
		return nil, err
	}
	source := filepath.Join(root, "test", name)
	if err := dependOn(source); err != nil {
		return nil, err
	}
	directory, err := os.MkdirTemp("", "almanac-"+name+"-")
	if err != nil {
		return nil, err
	}
	defer os.RemoveAll(directory) //nolint:errcheck // nothing more can be done
	path := filepath.Join(directory, name)
	build := exec.CommandContext(ctx, "go", "build", "-trimpath", "-o", path, ".") //nolint:gosec // our own program
	build.Dir = source
	build.Env = append(os.Environ(), "CGO_ENABLED=0", "GOWORK=off")
	if out, err := build.CombinedOutput(); err != nil {
		return nil, fmt.Errorf("go build in test/%s: %w (`make test-tools` fetches its modules)\n%s", name, err, out)
	}
	return os.Open(path) //nolint:gosec // just built
}

// dependOn accesses the sources, so that Go runs a cached test again when one of them has changed.
func dependOn(source string) error {
	files, err := os.ReadDir(source)
	for _, file := range files {
		if _, failed := os.Stat(filepath.Join(source, file.Name())); err == nil {
			err = failed
		}
	}
	return err
}

// Output is a buffer that is safe for concurrent use.
type Output struct {
	mu sync.Mutex
	b  bytes.Buffer
}

// Write appends output.
func (o *Output) Write(p []byte) (int, error) {
	o.mu.Lock()
	defer o.mu.Unlock()
	return o.b.Write(p)
}

// String returns the output so far.
func (o *Output) String() string {
	o.mu.Lock()
	defer o.mu.Unlock()
	return o.b.String()
}
