// Package chtest starts ClickHouse's engine for tests and benchmarks: the program in test/chserver, on a free port of
// this machine, stopped at the end.
package chtest

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"net/http"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"syscall"
	"testing"
	"time"

	"almanac/test/programs"
)

// User and Password are the credentials of servers started here.
const (
	User     = "default"
	Password = "not-a-secret"
)

// Server is ClickHouse's engine behind its HTTP interface.
type Server struct {
	URL string // with user and password

	program, engineFile, data string
	args                      []string
	address                   string // kept across restarts
	process                   *exec.Cmd
	output                    *programs.Output
	exited                    chan struct{}
}

// Start starts a server for a test on a new directory. If ALMANAC_TEST_CLICKHOUSE is set to the URL of a server, that
// one is used, and can neither be stopped nor killed.
func Start(t testing.TB) *Server {
	t.Helper()
	if given := Given(); given != nil {
		return given
	}
	return StartOwn(t)
}

// Given returns the server named by ALMANAC_TEST_CLICKHOUSE, or nil.
func Given() *Server {
	if address := os.Getenv("ALMANAC_TEST_CLICKHOUSE"); address != "" {
		return &Server{URL: address}
	}
	return nil
}

// StartOwn starts a server for a test that stops or kills it.
func StartOwn(t testing.TB) *Server {
	t.Helper()
	s, err := Run(context.WithoutCancel(t.Context()), t.TempDir(), SmallReads()...)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if err := s.Stop(); err != nil {
			t.Error(err)
		}
		if t.Failed() {
			t.Logf("the ClickHouse engine printed:\n%s", s.output)
		}
	})
	return s
}

// SmallReads returns arguments that make reads of few rows cost an eighth less: the engine reads columns itself instead
// of handing each to another thread, which pays off only if the disk is slow.
func SmallReads() []string { return []string{"--set", "local_filesystem_read_method=pread"} }

// Run builds the program and starts a server on a directory, with the given arguments added to the usual ones.
func Run(ctx context.Context, data string, args ...string) (*Server, error) {
	root, err := programs.Root(ctx)
	if err != nil {
		return nil, err
	}
	s := &Server{data: data, args: args, address: "127.0.0.1:0"}
	if s.engineFile = os.Getenv("ALMANAC_TEST_CHDB"); s.engineFile == "" {
		s.engineFile = filepath.Join(root, ".tools", "chdb", "libchdb.so")
	}
	if _, err := os.Stat(s.engineFile); err != nil { //nolint:gosec // the operator named it
		return nil,
			fmt.Errorf("the tests need ClickHouse's engine (`make test-tools` installs it, or name the library in ALMANAC_TEST_CHDB): %w",
				err)
	}
	if s.program, err = programs.Build(ctx, "chserver"); err != nil {
		return nil, err
	}
	return s, s.Restart()
}

// StoreAddress returns the address of a store in a database of the server, in the form of the option --store.
func (s *Server) StoreAddress(database string) string {
	return strings.Replace(strings.TrimSuffix(s.URL, "/"), "http://", "clickhouse://", 1) + "/" + database
}

// External reports whether the server was not started here.
func (s *Server) External() bool { return s.program == "" }

// Pid returns the process id of the engine, or 0 if it runs elsewhere.
func (s *Server) Pid() int {
	if s.process == nil {
		return 0
	}
	return s.process.Process.Pid
}

var listensLine = regexp.MustCompile(`listening on http://(\S+)`)

// Restart starts the server again after Stop or Kill, on the same directory and address.
func (s *Server) Restart() error {
	args := append([]string{
		"--library", s.engineFile, "--path", s.data, "--listen", s.address, "--user", User, "--password", Password,
	}, s.args...)
	s.process = exec.Command(s.program, args...) //nolint:gosec // our own program
	s.output = new(programs.Output)
	s.process.Stdout, s.process.Stderr = s.output, s.output
	// It must not outlive a test process that is killed.
	s.process.SysProcAttr = &syscall.SysProcAttr{Pdeathsig: syscall.SIGKILL}
	if err := s.process.Start(); err != nil {
		return fmt.Errorf("start the ClickHouse engine: %w", err)
	}
	exited, process := make(chan struct{}), s.process
	s.exited = exited
	go func() { _ = process.Wait(); close(exited) }()
	for deadline := time.Now().Add(30 * time.Second); time.Now().Before(deadline); time.Sleep(5 * time.Millisecond) {
		if found := listensLine.FindStringSubmatch(s.output.String()); found != nil {
			s.address = found[1]
			s.URL = "http://" + User + ":" + Password + "@" + s.address
			return nil
		}
		select {
		case <-exited:
			return fmt.Errorf("the ClickHouse engine ended at once: %s", s.output)
		default:
		}
	}
	return errors.Join(fmt.Errorf("the ClickHouse engine did not start within 30 s: %s", s.output), s.Kill())
}

// Stop shuts the server down cleanly if it runs.
func (s *Server) Stop() error { return s.end(syscall.SIGTERM) }

// Kill kills the server immediately if it runs.
func (s *Server) Kill() error { return s.end(syscall.SIGKILL) }

// Pause stops the server from responding until Resume, like an overloaded machine.
func (s *Server) Pause() error { return s.process.Process.Signal(syscall.SIGSTOP) }

// Resume ends a pause.
func (s *Server) Resume() error { return s.process.Process.Signal(syscall.SIGCONT) }

func (s *Server) end(signal syscall.Signal) error {
	if s.External() {
		return nil
	}
	select {
	case <-s.exited:
		return nil
	default:
	}
	if err := s.process.Process.Signal(signal); err != nil && !errors.Is(err, os.ErrProcessDone) {
		return fmt.Errorf("end the ClickHouse engine: %w", err)
	}
	select {
	case <-s.exited:
		return nil
	case <-time.After(30 * time.Second):
		_ = s.process.Process.Kill()
		<-s.exited
		return fmt.Errorf("the ClickHouse engine did not end within 30 s: %s", s.output)
	}
}

// Query runs a statement and returns its result as text, for tests to prepare and inspect data.
func (s *Server) Query(ctx context.Context, statement string) (string, error) {
	r, err := http.NewRequestWithContext(ctx, http.MethodPost, s.URL, strings.NewReader(statement))
	if err != nil {
		return "", err
	}
	answer, err := http.DefaultClient.Do(r)
	if err != nil {
		return "", err
	}
	defer answer.Body.Close() //nolint:errcheck // only read
	var text bytes.Buffer
	if _, err := text.ReadFrom(answer.Body); err != nil {
		return "", err
	}
	if answer.StatusCode != http.StatusOK {
		return "", fmt.Errorf("%s: %s", answer.Status, text.String())
	}
	return text.String(), nil
}
