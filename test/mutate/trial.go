package main

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strconv"
	"sync/atomic"
	"time"
)

// outcome is the outcome of a mutant.
type outcome int

const (
	survived outcome = iota
	killed
	unbuildable // does not compile; not counted
	judged      // judged equivalent; not counted, but reported
)

// buildTime is more than a build takes on a busy machine.
const buildTime = time.Hour

// trial tries mutants.
type trial struct {
	work  string
	reach *reach
	count atomic.Int64
}

// run tries a mutant on the tests of its package, and then on those of the packages that also cover it.
func (t *trial) run(ctx context.Context, m mutant) (o outcome, noticed string, err error) {
	dir := filepath.Join(t.work, strconv.FormatInt(t.count.Add(1), 10))
	if err := os.Mkdir(dir, 0o711); err != nil { //nolint:gosec // PostgreSQL runs below it, as another user
		return 0, "", err
	}
	defer func() { _ = os.RemoveAll(dir) }()
	overlay, err := writeOverlay(dir, m)
	if err != nil {
		return 0, "", err
	}
	for _, tests := range append([]string{m.target.dir}, m.target.also...) {
		profile, err := t.reach.of(ctx, tests)
		if err != nil {
			return 0, "", err
		}
		stages := profile.choose(m)
		if len(stages) == 0 {
			continue
		}
		binary := filepath.Join(dir, "tests")
		if printed, err := t.command(ctx, dir, ".", buildTime, "go", "test", "-c", "-overlay", overlay, "-vet=off", "-o", binary,
			"./"+tests); err != nil {
			if failed := new(exec.ExitError); errors.As(err, &failed) && ctx.Err() == nil {
				return unbuildable, "", nil
			}
			return 0, "", fmt.Errorf("%s: go test -c: %w: %s", m, err, printed)
		}
		for _, s := range stages {
			limit := 20*time.Second + 5*s.takes // a change that makes tests hang counts as noticed
			printed, err := t.command(ctx, dir, tests, 2*limit, binary, "-test.short", "-test.failfast", "-test.timeout", limit.String(),
				"-test.run", s.pattern)
			var failed *exec.ExitError
			switch {
			case ctx.Err() != nil:
				return 0, "", ctx.Err()
			case errors.As(err, &failed):
				return killed, failure.FindString(printed), nil
			case err != nil:
				return 0, "", fmt.Errorf("%s: %w: %s", m, err, printed)
			}
		}
	}
	return survived, "", nil
}

// failure matches the first failure in the output of go test.
var failure = regexp.MustCompile(`--- FAIL: \S+|panic: .*|fatal error: .*`)

// command runs a command in a directory. Temporary files of tests that hang or are killed are removed with those of the
// trial.
func (t *trial) command(
	ctx context.Context, temporary, dir string, limit time.Duration, name string, args ...string,
) (printed string, err error) {
	ctx, cancel := context.WithTimeout(ctx, limit)
	defer cancel()
	command := exec.CommandContext(ctx, name, args...) //nolint:gosec // the arguments are ours
	command.Dir, command.WaitDelay = dir, time.Second
	command.Env = append(os.Environ(), "TMPDIR="+temporary, "GOMAXPROCS=2")
	text, err := command.CombinedOutput()
	return string(text), err
}

// writeOverlay writes the changed file and the overlay that replaces the original by it.
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
