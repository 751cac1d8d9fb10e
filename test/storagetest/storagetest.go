// Package storagetest starts third-party storage servers for tests: Azurite, Microsoft's implementation of Azure Blob
// Storage, which `make test-tools` installs, and the Versity S3 gateway on a directory, the program in test/s3. Both
// check signatures.
package storagetest

import (
	"context"
	"net"
	"net/http"
	"net/http/httptest"
	"net/http/httputil"
	"net/url"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"sync"
	"syscall"
	"testing"
	"time"

	"almanac/test/clock"
	"almanac/test/programs"
)

// Storage is a running storage server. It is stopped at the end of the test.
type Storage struct {
	URL       string // of the account or of the server
	User, Key string
	// Directory has a directory for each bucket, with the objects as files. It is empty for Azurite.
	Directory string
	// Between, if set, modifies requests on their way to the storage.
	Between func(*http.Request)

	before func(http.ResponseWriter, *http.Request) bool
	mu     sync.Mutex
}

// Before sets a function that sees each request first and reports whether it responded. Nil removes it.
func (s *Storage) Before(f func(http.ResponseWriter, *http.Request) bool) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.before = f
}

// The built-in account of Azurite, as documented.
const (
	azuriteAccount = "devstoreaccount1"
	azuriteKey     = "Eby8vdM02xNOcqFlqUwJPLlmEtlCDXJ1OUzFT50uSRZ6IFsuFq2UVErCz4I6tq/K1SZFPTOtr/KBHBeksoGMGw=="
)

var azuriteListens = regexp.MustCompile(`successfully listens on (http://\S+)`)

// Azurite starts Azurite, which keeps its objects in memory.
func Azurite(t testing.TB) *Storage {
	t.Helper()
	program := installed(t, "azurite/node_modules/azurite/dist/src/blob/main.js")
	command := exec.CommandContext(t.Context(), "node", program, "--blobHost", "127.0.0.1", "--blobPort", "0", "--inMemoryPersistence", //nolint:gosec // what test/tools installed
		"--skipApiVersionCheck", "--disableTelemetry", "--silent")
	command.Dir = t.TempDir()
	p := start(t, command)
	var listens string
	p.await(t, func() bool {
		found := azuriteListens.FindStringSubmatch(p.out.String())
		if found != nil {
			listens = found[1]
		}
		return found != nil
	})
	target, err := url.Parse(listens)
	if err != nil {
		t.Fatal(err)
	}
	s := &Storage{User: azuriteAccount, Key: azuriteKey}
	s.URL = s.front(t, target, nil) + "/" + azuriteAccount
	return s
}

// Versity starts the Versity S3 gateway on a directory, with the keys of its only user. It listens on a Unix socket
// behind a proxy at the returned address. Buckets are in the path, or in the host name below the domain, if one is
// given.
func Versity(t testing.TB, domain string) *Storage {
	t.Helper()
	program, err := programs.Build(t.Context(), "s3")
	if err != nil {
		t.Fatal(err)
	}
	s := &Storage{User: "access", Key: "not-a-secret", Directory: t.TempDir()}
	home := t.TempDir()
	socket, beside := filepath.Join(home, "s3"), filepath.Join(home, "metadata")
	if err := os.Mkdir(beside, 0o700); err != nil {
		t.Fatal(err)
	}
	command := exec.CommandContext(t.Context(), program, "-socket", socket, "-domain", domain, "-metadata", beside, s.Directory) //nolint:gosec // our own program
	command.Env = append(os.Environ(), "ROOT_ACCESS_KEY_ID="+s.User, "ROOT_SECRET_ACCESS_KEY="+s.Key)
	p := start(t, command)
	dial := func(ctx context.Context, _, _ string) (net.Conn, error) {
		return new(net.Dialer).DialContext(ctx, "unix", socket)
	}
	p.await(t, func() bool {
		c, err := dial(t.Context(), "", "")
		if err == nil {
			_ = c.Close()
		}
		return err == nil
	})
	s.URL = s.front(t, &url.URL{Scheme: "http", Host: "versity"}, dial)
	return s
}

// front starts the proxy in front of the storage. It forwards requests unchanged, including the host that signatures
// are made for.
func (s *Storage) front(t testing.TB, target *url.URL, dial func(context.Context, string, string) (net.Conn, error)) string {
	t.Helper()
	transport := &http.Transport{DialContext: dial}
	t.Cleanup(transport.CloseIdleConnections)
	proxy := &httputil.ReverseProxy{
		Transport: transport,
		Rewrite: func(r *httputil.ProxyRequest) {
			r.SetURL(target)
			r.Out.Host = r.In.Host
		},
		ErrorHandler: func(http.ResponseWriter, *http.Request, error) { panic(http.ErrAbortHandler) }, // the client is gone
	}
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		s.mu.Lock()
		before := s.before
		s.mu.Unlock()
		if before == nil || !before(w, r) {
			if s.Between != nil {
				s.Between(r)
			}
			proxy.ServeHTTP(w, r)
		}
	}))
	t.Cleanup(func() {
		server.CloseClientConnections()
		server.Close()
	})
	return server.URL
}

// installed returns the path of a file installed by test/tools.
func installed(t testing.TB, name string) string {
	t.Helper()
	root, err := programs.Root(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	path := filepath.Join(root, ".tools", name)
	if _, err := os.Stat(path); err != nil {
		t.Fatalf("the tests of storages need a program that `make test-tools` installs: %v", err)
	}
	return path
}

// program is a running program.
type program struct {
	out   programs.Output
	ended chan struct{}
}

// start starts a program that is stopped at the end of the test.
func start(t testing.TB, command *exec.Cmd) *program {
	t.Helper()
	p := &program{ended: make(chan struct{})}
	command.Stdout, command.Stderr = &p.out, &p.out
	command.SysProcAttr = &syscall.SysProcAttr{Pdeathsig: syscall.SIGKILL} // even if the test is killed
	if err := clock.Start(command); err != nil {
		t.Fatal(err)
	}
	go func() { _ = command.Wait(); close(p.ended) }()
	t.Cleanup(func() {
		<-p.ended // ends with the context of the test
		if t.Failed() {
			t.Logf("the storage printed:\n%s", &p.out)
		}
	})
	return p
}

// await waits until a program is ready.
func (p *program) await(t testing.TB, ready func() bool) {
	t.Helper()
	for deadline := time.Now().Add(time.Minute); !ready(); {
		select {
		case <-p.ended:
			t.Fatal("the storage ended at once")
		case <-time.After(5 * time.Millisecond):
		}
		if time.Now().After(deadline) {
			t.Fatal("the storage did not start within a minute")
		}
	}
}
