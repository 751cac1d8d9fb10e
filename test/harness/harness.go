// Package harness builds the real program and runs it for black-box tests: on a free port, in a temporary directory,
// stopped at the end of the test.
package harness

import (
	"bytes"
	"context"
	"encoding/base64"
	"fmt"
	"io"
	"net/http"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"sync"
	"syscall"
	"testing"
	"time"

	"almanac/test/clock"
	"almanac/test/programs"
)

var binary struct {
	once sync.Once
	path string
	err  error
}

// Binary returns the path of the program, built as `make build` does. ALMANAC_TEST_BINARY names an existing one
// instead.
func Binary(t testing.TB) string {
	t.Helper()
	binary.once.Do(func() {
		if binary.path = os.Getenv("ALMANAC_TEST_BINARY"); binary.path != "" {
			return
		}
		directory, err := os.MkdirTemp("", "almanac-binary-")
		if err != nil {
			binary.err = err
			return
		}
		binary.path = filepath.Join(directory, "almanac")
		root, err := programs.Root(t.Context())
		if err != nil {
			binary.err = err
			return
		}
		build := exec.Command("make", "-s", "-C", root, "build", "OUT="+binary.path) //nolint:gosec // our own program
		if out, err := build.CombinedOutput(); err != nil {
			binary.err = fmt.Errorf("make build: %w\n%s", err, out)
		}
	})
	if binary.err != nil {
		t.Fatal(binary.err)
	}
	return binary.path
}

// Clean removes what Binary built. Call it at the end of TestMain.
func Clean() {
	if binary.path != "" && os.Getenv("ALMANAC_TEST_BINARY") == "" {
		_ = os.RemoveAll(filepath.Dir(binary.path))
	}
}

// Run runs the program to its end and returns its output and exit code.
func Run(t testing.TB, args ...string) (stdout, stderr string, code int) {
	t.Helper()
	// Longer than anything takes except measurements with many more rows than usual.
	ctx, cancel := context.WithTimeout(t.Context(), 20*time.Minute)
	defer cancel()
	cmd := exec.CommandContext(ctx, Binary(t), args...) //nolint:gosec // the program under test
	var out, errOut bytes.Buffer
	cmd.Stdout, cmd.Stderr = &out, &errOut
	cmd.Env = plainEnvironment()
	if err := run(cmd); err != nil && cmd.ProcessState == nil {
		t.Fatal(err)
	}
	return out.String(), errOut.String(), cmd.ProcessState.ExitCode()
}

// RunFor runs the program and kills it after the given time, unless it ends by itself.
func RunFor(t testing.TB, life time.Duration, args ...string) {
	t.Helper()
	ctx, cancel := context.WithTimeout(t.Context(), life)
	defer cancel()
	cmd := exec.CommandContext(ctx, Binary(t), args...) //nolint:gosec // the program under test
	cmd.Env = plainEnvironment()
	_ = run(cmd) // usually killed
}

// run runs a process to its end with the clock of this one.
func run(process *exec.Cmd) error {
	if err := clock.Start(process); err != nil {
		return err
	}
	return process.Wait()
}

// plainEnvironment returns the environment without options for the program, except one: test servers, many of which run
// concurrently, do not all use the default address of gRPC. A flag overrides that.
func plainEnvironment() []string {
	kept := []string{"ALMANAC_OTLP_GRPC_LISTEN=off"}
	for _, variable := range os.Environ() {
		if !strings.HasPrefix(variable, "ALMANAC_") && !strings.HasPrefix(variable, "LANGFUSE_") {
			kept = append(kept, variable)
		}
	}
	return kept
}

// Server is a running `almanac serve`.
type Server struct {
	URL                  string
	Data                 string
	PublicKey, SecretKey string // of the first project, as printed
	Process              *exec.Cmd

	stdout, stderr *programs.Output
	exited         chan struct{}
}

// Start starts a server on a new directory and waits until it responds.
func Start(t testing.TB, args ...string) *Server {
	t.Helper()
	return StartOn(t, t.TempDir(), args...)
}

var (
	addressLine = regexp.MustCompile(`Almanac is ready at (https?://\S+)`)
	publicLine  = regexp.MustCompile(`public key\s+(\S+)`)
	secretLine  = regexp.MustCompile(`secret key\s+(\S+)`)
	grpcEntry   = regexp.MustCompile(`otlp_grpc=(\S+)`)
)

// StartOn starts a server on a directory that may have been used before.
func StartOn(t testing.TB, data string, args ...string) *Server {
	t.Helper()
	s, err := TryStartOn(t, data, args...)
	if err != nil {
		t.Fatal(err)
	}
	return s
}

// TryStartOn starts a server that may refuse to start. In that case it also returns the server, with an error that
// includes its output.
func TryStartOn(t testing.TB, data string, args ...string) (*Server, error) {
	t.Helper()
	return TryStartPaused(t, data, nil, args...)
}

// TryStartPaused is like TryStartOn. It calls paused, unless it is nil, with the id of the process before the first
// instruction of the program runs.
func TryStartPaused(t testing.TB, data string, paused func(pid int) error, args ...string) (*Server, error) {
	t.Helper()
	s := &Server{Data: data, stdout: new(programs.Output), stderr: new(programs.Output), exited: make(chan struct{})}
	s.Process = exec.Command(Binary(t), append([]string{"serve", "--listen", "127.0.0.1:0", "--data", data}, args...)...) //nolint:gosec // the program under test
	s.Process.Stdout, s.Process.Stderr = s.stdout, s.stderr
	s.Process.Env = plainEnvironment()
	s.Process.SysProcAttr = &syscall.SysProcAttr{Pdeathsig: syscall.SIGKILL}
	start := clock.Start
	if paused != nil {
		start = func(process *exec.Cmd) error { return clock.StartPaused(process, paused) }
	}
	if err := start(s.Process); err != nil {
		return s, err
	}
	go func() { _ = s.Process.Wait(); close(s.exited) }()
	t.Cleanup(func() {
		s.Stop(t)
		if t.Failed() {
			t.Logf("the server printed:\n%s%s", s.stdout.String(), s.stderr.String())
		}
	})
	deadline := time.Now().Add(20 * time.Second)
	for {
		if found := addressLine.FindStringSubmatch(s.stdout.String()); found != nil {
			s.URL = found[1]
			break
		}
		select {
		case <-s.exited:
			return s, fmt.Errorf("the server ended at once:\n%s%s", s.stdout.String(), s.stderr.String())
		default:
		}
		if time.Now().After(deadline) {
			return s, fmt.Errorf("the server did not start within 20 s:\n%s%s", s.stdout.String(), s.stderr.String())
		}
		time.Sleep(2 * time.Millisecond)
	}
	if found := publicLine.FindStringSubmatch(s.stdout.String()); found != nil {
		s.PublicKey = found[1]
	}
	if found := secretLine.FindStringSubmatch(s.stdout.String()); found != nil {
		s.SecretKey = found[1]
	}
	return s, nil
}

// Printed returns the standard output and the log of the server so far.
func (s *Server) Printed() (stdout, log string) { return s.stdout.String(), s.stderr.String() }

// GRPCAddress returns the address for OTLP over gRPC, or "off". It is in the log, shortly after the server responds.
func (s *Server) GRPCAddress(t testing.TB) string {
	t.Helper()
	for deadline := time.Now().Add(20 * time.Second); ; time.Sleep(2 * time.Millisecond) {
		log := s.stderr.String()
		if found := grpcEntry.FindStringSubmatch(log); found != nil {
			return found[1]
		}
		if time.Now().After(deadline) {
			t.Fatalf("the log does not say where the server takes gRPC: %s", log)
		}
	}
}

// Signal sends a signal, waits for the server to end, and returns the exit code.
func (s *Server) Signal(t testing.TB, signal os.Signal) int {
	t.Helper()
	if err := s.Process.Process.Signal(signal); err != nil {
		t.Errorf("cannot send %v: %v", signal, err)
	}
	return s.Wait(t)
}

// Wait waits for a server that was told to stop and returns the exit code.
func (s *Server) Wait(t testing.TB) int {
	t.Helper()
	select {
	case <-s.exited:
	case <-time.After(40 * time.Second):
		t.Errorf("the server did not end within 40 s")
		_ = s.Process.Process.Kill()
		<-s.exited
	}
	return s.Process.ProcessState.ExitCode()
}

// Stop stops the server if it still runs.
func (s *Server) Stop(t testing.TB) {
	t.Helper()
	select {
	case <-s.exited:
	default:
		s.Signal(t, syscall.SIGTERM)
	}
}

// Get sends a request with the key of the first project and returns status and body.
func (s *Server) Get(t testing.TB, path string) (int, string) {
	t.Helper()
	return s.Do(t, http.MethodGet, path, s.PublicKey, s.SecretKey, "")
}

// Do sends a request with a key pair, or without one if the public key is empty.
func (s *Server) Do(t testing.TB, method, path, public, secret, body string) (int, string) {
	t.Helper()
	r, err := http.NewRequestWithContext(t.Context(), method, s.URL+path, strings.NewReader(body))
	if err != nil {
		t.Fatal(err)
	}
	if public != "" {
		r.Header.Set("Authorization", "Basic "+base64.StdEncoding.EncodeToString([]byte(public+":"+secret)))
	}
	if body != "" {
		r.Header.Set("Content-Type", "application/json")
	}
	answer, err := http.DefaultClient.Do(r)
	if err != nil {
		t.Fatal(err)
	}
	defer answer.Body.Close() //nolint:errcheck // only read
	text, err := io.ReadAll(answer.Body)
	if err != nil {
		t.Fatal(err)
	}
	return answer.StatusCode, string(text)
}
