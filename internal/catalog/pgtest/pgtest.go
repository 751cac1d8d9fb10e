// Package pgtest starts a throw-away PostgreSQL server for tests, on a Unix socket in a temporary directory and without
// a network port. It is stopped and removed at the end.
package pgtest

import (
	"bytes"
	"errors"
	"fmt"
	"net/url"
	"os"
	"os/exec"
	"os/user"
	"path/filepath"
	"strconv"
	"strings"
	"syscall"
	"time"
)

// Server is a running PostgreSQL server.
type Server struct {
	directory string
	launch    func(program string, args ...string) *exec.Cmd
	program   string // the server binary
	process   *exec.Cmd
	output    bytes.Buffer
}

// Start starts a server. The programs come from Debian's postgresql package, or from wherever PATH finds them.
func Start() (*Server, error) {
	initdb, err := find("initdb")
	if err != nil {
		return nil, err
	}
	postgres, err := find("postgres")
	if err != nil {
		return nil, err
	}
	account, err := account()
	if err != nil {
		return nil, err
	}
	directory, err := os.MkdirTemp("", "almanac-pg-")
	if err != nil {
		return nil, err
	}
	s := &Server{directory: directory, program: postgres}
	if account != nil {
		if err := os.Chown(directory, int(account.Uid), int(account.Gid)); err != nil {
			return nil, errors.Join(err, s.remove())
		}
	}
	s.launch = func(program string, args ...string) *exec.Cmd {
		cmd := exec.Command(program, args...) //nolint:gosec // programs found by us, arguments written here
		cmd.Dir = directory
		// The server must not outlive a test process that is killed.
		cmd.SysProcAttr = &syscall.SysProcAttr{Credential: account, Pdeathsig: syscall.SIGQUIT}
		cmd.Env = append(os.Environ(), "LC_ALL=C")
		return cmd
	}
	if out, err := s.launch(initdb, "-D", s.data(), "-U", "almanac", "--auth=trust", "--no-sync", "-E",
		"UTF8").CombinedOutput(); err != nil {
		return nil, errors.Join(fmt.Errorf("%s: %w\n%s", initdb, err, out), s.remove())
	}
	if err := s.Resume(); err != nil {
		return nil, errors.Join(err, s.remove())
	}
	return s, nil
}

func (s *Server) data() string { return filepath.Join(s.directory, "data") }

// Resume starts the server again after Pause.
func (s *Server) Resume() error {
	s.process = s.launch(s.program, "-D", s.data(), "-k", s.directory, "-c", "listen_addresses=", "-c", "fsync=off", "-c",
		"shared_buffers=16MB")
	s.process.Stdout, s.process.Stderr = &s.output, &s.output
	if err := s.process.Start(); err != nil {
		return err
	}
	if err := s.awaitSocket(); err != nil {
		return errors.Join(err, s.Pause())
	}
	return nil
}

// Pause stops the server and keeps its files. Open connections are cut.
func (s *Server) Pause() error {
	err := s.process.Process.Signal(syscall.SIGINT) // fast shutdown
	_ = s.process.Wait()
	return err
}

// awaitSocket waits until the server listens.
func (s *Server) awaitSocket() error {
	pidFile := filepath.Join(s.data(), "postmaster.pid")
	for deadline := time.Now().Add(30 * time.Second); time.Now().Before(deadline); time.Sleep(20 * time.Millisecond) {
		text, err := os.ReadFile(pidFile) //nolint:gosec // our own temporary directory
		if err == nil && strings.Contains(string(text), "ready") {
			return nil
		}
	}
	return fmt.Errorf("PostgreSQL was not ready within 30 s:\n%s", s.output.String())
}

// URL returns the address of a database on the server.
func (s *Server) URL(database string) string {
	u := url.URL{Scheme: "postgres", User: url.User("almanac"), Path: "/" + database, RawQuery: url.Values{"host": {s.directory}}.Encode()}
	return u.String()
}

// Stop stops the server and removes its files.
func (s *Server) Stop() error {
	return errors.Join(s.Pause(), s.remove())
}

func (s *Server) remove() error { return os.RemoveAll(s.directory) }

func find(program string) (string, error) {
	found, _ := filepath.Glob("/usr/lib/postgresql/*/bin/" + program)
	if len(found) > 0 {
		return found[len(found)-1], nil
	}
	path, err := exec.LookPath(program)
	if err != nil {
		return "", fmt.Errorf("the tests need PostgreSQL (Debian package postgresql; `make test-tools` installs it): %w", err)
	}
	return path, nil
}

// account returns the account to run as: PostgreSQL refuses to run as root.
func account() (*syscall.Credential, error) {
	if os.Geteuid() != 0 {
		return nil, nil
	}
	u, err := user.Lookup("postgres")
	if err != nil {
		if u, err = user.Lookup("nobody"); err != nil {
			return nil, fmt.Errorf("PostgreSQL does not run as root, and there is no other account to use: %w", err)
		}
	}
	uid, err := strconv.ParseUint(u.Uid, 10, 32)
	if err != nil {
		return nil, err
	}
	gid, err := strconv.ParseUint(u.Gid, 10, 32)
	if err != nil {
		return nil, err
	}
	return &syscall.Credential{Uid: uint32(uid), Gid: uint32(gid)}, nil
}
