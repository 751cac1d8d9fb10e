// Package process starts a server of this program to be measured, and tells what it uses up.
package process

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

// Server is the server that is measured.
type Server struct {
	URL, PublicKey, SecretKey string
	// Directory is what Start was given.
	Directory string
	process   *os.Process
	exited    chan error
}

// Start starts the program on a directory, which holds its data and, if none is named, the program, built from this module.
// Keys are known only if the directory is new.
func Start(ctx context.Context, directory, binary string, arguments ...string) (*Server, error) {
	if binary == "" {
		binary = filepath.Join(directory, "almanac")
		build := exec.CommandContext(ctx, "go", "build", "-trimpath", "-ldflags", "-s -w", "-o", binary, "almanac")
		build.Env = append(os.Environ(), "CGO_ENABLED=0")
		if out, err := build.CombinedOutput(); err != nil {
			return nil, fmt.Errorf("cannot build the program: %w\n%s", err, out)
		}
	}
	args := append([]string{"serve", "--listen", "127.0.0.1:0", "--otlp-grpc-listen", "off", "--data", filepath.Join(directory, "data")}, arguments...)
	_, err := os.Stat(filepath.Join(directory, "data"))
	isNew := errors.Is(err, fs.ErrNotExist)
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
	t := &Server{process: server.Process, Directory: directory, exited: make(chan error, 1)}
	found := map[string]*string{`Almanac is ready at (\S+)`: &t.URL, `public key\s+(\S+)`: &t.PublicKey, `secret key\s+(\S+)`: &t.SecretKey}
	ready := func() bool { return t.URL != "" && (t.SecretKey != "" || !isNew) }
	for lines := bufio.NewScanner(out); !ready() && lines.Scan(); {
		for pattern, to := range found {
			if m := regexp.MustCompile(pattern).FindStringSubmatch(lines.Text()); m != nil {
				*to = m[1]
			}
		}
	}
	go func() { t.exited <- server.Wait() }()
	if !ready() {
		return nil, errors.Join(errors.New("the server did not start"), t.Stop())
	}
	return t, nil
}

// Stop stops the server. The directory stays.
func (t *Server) Stop() error {
	err := t.process.Signal(syscall.SIGTERM)
	<-t.exited
	return err
}

// Usage is what the server has used up.
type Usage struct {
	CPU                    time.Duration
	Allocations, Allocated float64 // number and bytes
}

// Minus returns what was used since.
func (u Usage) Minus(other Usage) Usage {
	return Usage{u.CPU - other.CPU, u.Allocations - other.Allocations, u.Allocated - other.Allocated}
}

// Usage returns what the server has used up so far.
func (t *Server) Usage() Usage {
	u := Usage{CPU: t.cpu()}
	metrics := t.metrics()
	u.Allocations, u.Allocated = metrics["go_memstats_mallocs_total"], metrics["go_memstats_alloc_bytes_total"]
	return u
}

// cpu returns the processor time of the server so far.
func (t *Server) cpu() time.Duration {
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

func (t *Server) metrics() map[string]float64 {
	values := make(map[string]float64)
	answer, err := http.Get(t.URL + "/metrics")
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

// Settle waits until the server works on nothing any more: less than a hundredth of its time for a second.
func (t *Server) Settle(ctx context.Context) (Usage, error) {
	last := t.cpu()
	for range 60 {
		select {
		case <-ctx.Done():
			return Usage{}, ctx.Err()
		case <-time.After(time.Second):
		}
		now := t.cpu()
		if now-last <= 10*time.Millisecond {
			break
		}
		last = now
	}
	return t.Usage(), nil
}

// AnonymousMemory returns the memory that is backed by no file, in bytes.
func (t *Server) AnonymousMemory() int64 {
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

// WatchMemory looks at the memory until the returned function is called, which tells the largest that was seen.
func (t *Server) WatchMemory() func() int64 {
	done := make(chan struct{})
	peak := int64(0)
	var work sync.WaitGroup
	work.Go(func() {
		for {
			peak = max(peak, t.AnonymousMemory())
			select {
			case <-done:
				return
			case <-time.After(20 * time.Millisecond):
			}
		}
	})
	var once sync.Once
	return func() int64 {
		once.Do(func() { close(done) })
		work.Wait()
		return peak
	}
}

// DiskUsage returns the bytes of the event store.
func (t *Server) DiskUsage() int64 {
	sum := int64(0)
	_ = filepath.WalkDir(filepath.Join(t.Directory, "data", "events"), func(_ string, e fs.DirEntry, err error) error {
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
