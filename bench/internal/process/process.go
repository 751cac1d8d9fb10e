// Package process starts a server to be measured and reports its resource usage.
package process

import (
	"bufio"
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
	"syscall"
	"time"
)

// Server is the server under test.
type Server struct {
	URL, PublicKey, SecretKey string
	// Directory is the directory given to Start.
	Directory string
	PID       PID
	exited    chan error
}

// Start starts the program on a directory, which holds its data and, if no binary is named, the program built from this
// module. The keys are known only if the directory is new.
func Start(ctx context.Context, directory, binary string, arguments ...string) (*Server, error) {
	if binary == "" {
		binary = builtIn(directory)
		if err := build(ctx, binary); err != nil {
			return nil, err
		}
	}
	args := append([]string{"serve", "--listen", "127.0.0.1:0", "--otlp-grpc-listen", "off", "--data", filepath.Join(directory, "data")},
		arguments...)
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
	t := &Server{PID: PID(server.Process.Pid), Directory: directory, exited: make(chan error, 1)}
	found := map[string]*string{`Almanac is ready at (\S+)`: &t.URL, `public key\s+(\S+)`: &t.PublicKey, `secret key\s+(\S+)`: &t.SecretKey}
	ready := func() bool { return t.URL != "" && (t.SecretKey != "" || !isNew) }
	for lines := bufio.NewScanner(out); !ready() && lines.Scan(); {
		for pattern, to := range found {
			if m := regexp.MustCompile(pattern).FindStringSubmatch(lines.Text()); m != nil {
				*to = m[1]
			}
		}
	}
	go func() {
		t.exited <- server.Wait()
		close(t.exited) // later receivers do not block
	}()
	if !ready() {
		return nil, errors.Join(errors.New("the server did not start"), t.Stop())
	}
	return t, nil
}

// KeyedProject is the project of StartKeyed.
const KeyedProject = "bench"

// StartKeyed is like Start with a project whose keys are always the same, on a directory that may already exist.
func StartKeyed(ctx context.Context, directory, binary string, arguments ...string) (*Server, error) {
	const publicKey, secretKey = "pk-lf-bench", "sk-lf-bench-0123456789abcdef"
	if err := os.MkdirAll(filepath.Join(directory, "data"), 0o700); err != nil { // must exist, so that keys are given rather than printed
		return nil, err
	}
	s, err := Start(ctx, directory, binary, append([]string{
		"--init-org-id", "bench", "--init-project-id", KeyedProject, "--init-project-public-key", publicKey, "--init-project-secret-key",
		secretKey,
	}, arguments...)...)
	if err == nil {
		s.PublicKey, s.SecretKey = publicKey, secretKey
	}
	return s, err
}

// build builds the program from this module.
func build(ctx context.Context, binary string) error {
	build := exec.CommandContext(ctx, "go", "build", "-trimpath", "-ldflags", "-s -w", "-o", binary, "almanac")
	build.Env = append(os.Environ(), "CGO_ENABLED=0")
	if out, err := build.CombinedOutput(); err != nil {
		return fmt.Errorf("cannot build the program: %w\n%s", err, out)
	}
	return nil
}

// Stop stops the server. The directory stays.
func (t *Server) Stop() error {
	err := syscall.Kill(int(t.PID), syscall.SIGTERM)
	<-t.exited
	return err
}

// Restart kills the server, so that it can write nothing more, and starts it again. It returns the time until it was
// ready for requests.
func (t *Server) Restart(ctx context.Context, binary string, arguments ...string) (*Server, time.Duration, error) {
	if err := syscall.Kill(int(t.PID), syscall.SIGKILL); err != nil {
		return t, 0, err
	}
	<-t.exited
	began := time.Now()
	again, err := Start(ctx, t.Directory, binary, arguments...)
	if err != nil {
		return t, 0, fmt.Errorf("after it was killed: %w", err)
	}
	again.PublicKey, again.SecretKey = t.PublicKey, t.SecretKey
	return again, time.Since(began), nil
}

// Usage is the resource usage of the server.
type Usage struct {
	CPU                    time.Duration
	Allocations, Allocated float64 // number and bytes
}

// Minus returns the usage since other.
func (u Usage) Minus(other Usage) Usage {
	return Usage{u.CPU - other.CPU, u.Allocations - other.Allocations, u.Allocated - other.Allocated}
}

// Usage returns the resource usage of the server so far.
func (t *Server) Usage() Usage {
	u := Usage{CPU: t.PID.CPU()}
	metrics := t.metrics()
	u.Allocations, u.Allocated = metrics["go_memstats_mallocs_total"], metrics["go_memstats_alloc_bytes_total"]
	return u
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

// Sent returns the number of response bytes that the server has sent so far, after compression.
func (t *Server) Sent() int64 {
	sum := 0.0
	for name, value := range t.metrics() {
		if strings.HasPrefix(name, "almanac_http_response_size_bytes_sum") {
			sum += value
		}
	}
	return int64(sum)
}

// Binary returns the path of the program that Start built.
func (t *Server) Binary() string { return builtIn(t.Directory) }

func builtIn(directory string) string { return filepath.Join(directory, "almanac") }

// DiskUsage returns the size of the event store.
func (t *Server) DiskUsage() int64 { return DiskUsage(t.Events()) }

// Events returns the directory of the event store.
func (t *Server) Events() string { return filepath.Join(t.Directory, "data", "events") }
