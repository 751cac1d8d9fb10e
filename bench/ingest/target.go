package main

import (
	"bufio"
	"bytes"
	"context"
	"errors"
	"fmt"
	"io/fs"
	"net/http"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strconv"
	"strings"
	"sync"
	"syscall"
	"time"
)

// target is the server that is measured.
type target struct {
	url, publicKey, secretKey string
	process                   *os.Process // nil if we did not start it
	directory                 string
	exited                    chan error
}

// startServer builds the program if needed and starts it on a new directory.
func startServer(ctx context.Context, o options) (*target, error) {
	directory, err := os.MkdirTemp("", "ingest-bench-")
	if err != nil {
		return nil, err
	}
	binary := o.binary
	if binary == "" {
		binary = filepath.Join(directory, "almanac")
		build := exec.CommandContext(ctx, "go", "build", "-trimpath", "-ldflags", "-s -w", "-o", binary, "almanac")
		build.Env = append(os.Environ(), "CGO_ENABLED=0")
		if out, err := build.CombinedOutput(); err != nil {
			return nil, fmt.Errorf("cannot build the program: %w\n%s", err, out)
		}
	}
	args := append([]string{"serve", "--listen", "127.0.0.1:0", "--otlp-grpc-listen", "off", "--data", filepath.Join(directory, "data")}, strings.Fields(o.serverArgs)...)
	server := exec.Command(binary, args...)
	server.SysProcAttr = &syscall.SysProcAttr{Pdeathsig: syscall.SIGTERM}
	server.Stderr = os.Stderr
	out, err := server.StdoutPipe()
	if err != nil {
		return nil, err
	}
	if err := server.Start(); err != nil {
		return nil, err
	}
	t := &target{process: server.Process, directory: directory, exited: make(chan error, 1)}
	found := map[string]*string{`Almanac is ready at (\S+)`: &t.url, `public key\s+(\S+)`: &t.publicKey, `secret key\s+(\S+)`: &t.secretKey}
	for lines := bufio.NewScanner(out); t.secretKey == "" && lines.Scan(); {
		for pattern, to := range found {
			if m := regexp.MustCompile(pattern).FindStringSubmatch(lines.Text()); m != nil {
				*to = m[1]
			}
		}
	}
	go func() { t.exited <- server.Wait() }()
	if t.secretKey == "" {
		return nil, errors.Join(errors.New("the server printed no keys"), t.stop())
	}
	return t, nil
}

func (t *target) stop() error {
	err := t.process.Signal(syscall.SIGTERM)
	<-t.exited
	return errors.Join(err, os.RemoveAll(t.directory))
}

// usage is what the server has used up.
type usage struct {
	cpu                    time.Duration
	allocations, allocated float64
}

func (u usage) minus(other usage) usage {
	return usage{u.cpu - other.cpu, u.allocations - other.allocations, u.allocated - other.allocated}
}

func (t *target) usage() usage {
	if t.process == nil {
		return usage{}
	}
	u := usage{cpu: t.cpu()}
	metrics := t.metrics()
	u.allocations, u.allocated = metrics["go_memstats_mallocs_total"], metrics["go_memstats_alloc_bytes_total"]
	return u
}

// cpu returns the processor time of the server so far.
func (t *target) cpu() time.Duration {
	stat, err := os.ReadFile(fmt.Sprintf("/proc/%d/stat", t.process.Pid))
	if err != nil {
		return 0
	}
	fields := bytes.Fields(stat[bytes.LastIndexByte(stat, ')')+1:])
	ticks := int64(0)
	for _, n := range []int{11, 12} { // user and system time, in hundredths of a second
		if len(fields) > n {
			value, _ := strconv.ParseInt(string(fields[n]), 10, 64)
			ticks += value
		}
	}
	return time.Duration(ticks) * 10 * time.Millisecond
}

func (t *target) metrics() map[string]float64 {
	values := make(map[string]float64)
	answer, err := http.Get(t.url + "/metrics")
	if err != nil {
		return values
	}
	defer answer.Body.Close() //nolint:errcheck // only read
	for lines := bufio.NewScanner(answer.Body); lines.Scan(); {
		if name, text, ok := strings.Cut(lines.Text(), " "); ok && !strings.HasPrefix(name, "#") {
			values[name], _ = strconv.ParseFloat(text, 64)
		}
	}
	return values
}

// settle waits until the server works on nothing any more: less than a hundredth of its time for a second.
func (t *target) settle(ctx context.Context) (usage, error) {
	last := t.cpu()
	for range 60 {
		select {
		case <-ctx.Done():
			return usage{}, ctx.Err()
		case <-time.After(time.Second):
		}
		now := t.cpu()
		if now-last <= 10*time.Millisecond {
			break
		}
		last = now
	}
	return t.usage(), nil
}

func (t *target) anonymousMemory() int64 {
	status, err := os.ReadFile(fmt.Sprintf("/proc/%d/status", t.process.Pid))
	if err != nil {
		return 0
	}
	for line := range strings.Lines(string(status)) {
		if rest, ok := strings.CutPrefix(line, "RssAnon:"); ok {
			kilobytes, _ := strconv.ParseInt(strings.TrimSuffix(strings.TrimSpace(rest), " kB"), 10, 64)
			return kilobytes << 10
		}
	}
	return 0
}

// watchMemory looks at the memory until the returned function is called, which tells the largest that was seen.
func (t *target) watchMemory() func() int64 {
	if t.process == nil {
		return func() int64 { return 0 }
	}
	done := make(chan struct{})
	peak := int64(0)
	var work sync.WaitGroup
	work.Go(func() {
		for {
			peak = max(peak, t.anonymousMemory())
			select {
			case <-done:
				return
			case <-time.After(20 * time.Millisecond):
			}
		}
	})
	return func() int64 {
		close(done)
		work.Wait()
		return peak
	}
}

// diskUsage returns the bytes of the event store.
func (t *target) diskUsage() int64 {
	sum := int64(0)
	_ = filepath.WalkDir(filepath.Join(t.directory, "data", "events"), func(_ string, e fs.DirEntry, err error) error {
		if err != nil || e.IsDir() {
			return nil //nolint:nilerr // a file that was just removed
		}
		if info, err := e.Info(); err == nil {
			sum += info.Size()
		}
		return nil
	})
	return sum
}
