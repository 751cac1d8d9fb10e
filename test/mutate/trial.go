package main

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"sync/atomic"
	"time"
)

// outcome is what became of a mutant.
type outcome int

const (
	survived outcome = iota
	killed
	unbuildable // no change of the program: it does not count
)

// trial tries mutants.
type trial struct {
	work    string
	timeout time.Duration
	count   atomic.Int64
}

// run tries a mutant on the tests of its package, and then on those of the packages that hold it to account.
func (t *trial) run(ctx context.Context, m mutant) (outcome, error) {
	dir := filepath.Join(t.work, strconv.FormatInt(t.count.Add(1), 10))
	if err := os.Mkdir(dir, 0o700); err != nil {
		return 0, err
	}
	defer func() { _ = os.RemoveAll(dir) }()
	overlay, err := writeOverlay(dir, m)
	if err != nil {
		return 0, err
	}
	if _, err := t.goTool(ctx, dir, "build", "-overlay", overlay, "-o", os.DevNull, "./"+m.target.dir); err != nil {
		return unbuildable, nil
	}
	for _, tests := range append([]string{m.target.dir}, m.target.also...) {
		printed, err := t.goTool(ctx, dir, "test", "-overlay", overlay, "-vet=off", "-count=1", "-short", "-failfast", "-timeout", t.timeout.String(), "./"+tests)
		var failed *exec.ExitError
		switch {
		case ctx.Err() != nil:
			return 0, ctx.Err()
		case errors.As(err, &failed) && (strings.Contains(printed, "FAIL") || strings.Contains(printed, "panic")):
			return killed, nil
		case err != nil:
			return 0, fmt.Errorf("%s: go test: %w: %s", m, err, printed)
		}
	}
	return survived, nil
}

// goTool runs the go command. Temporary files of tests that hang or are killed go with the directory.
func (t *trial) goTool(ctx context.Context, dir string, args ...string) (printed string, err error) {
	ctx, cancel := context.WithTimeout(ctx, 2*t.timeout)
	defer cancel()
	command := exec.CommandContext(ctx, "go", args...) //nolint:gosec // the arguments are ours
	command.Env = append(os.Environ(), "TMPDIR="+dir, "GOMAXPROCS=2")
	command.WaitDelay = time.Second
	text, err := command.CombinedOutput()
	return string(text), err
}

// writeOverlay writes the changed file, and the overlay that puts it in the place of the original.
func writeOverlay(dir string, m mutant) (name string, err error) {
	text, err := os.ReadFile(m.file)
	if err != nil {
		return "", err
	}
	original, err := filepath.Abs(m.file)
	if err != nil {
		return "", err
	}
	changed := filepath.Join(dir, "changed.go")
	if err := os.WriteFile(changed, []byte(string(text[:m.start])+m.after+string(text[m.end:])), 0o600); err != nil { //nolint:gosec // below a directory of ours
		return "", err
	}
	description, err := json.Marshal(map[string]map[string]string{"Replace": {original: changed}})
	if err != nil {
		return "", err
	}
	name = filepath.Join(dir, "overlay.json")
	return name, os.WriteFile(name, description, 0o600)
}
