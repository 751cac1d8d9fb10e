package faults

import (
	"fmt"
	"math/rand/v2"
	"net/http"
	"os"
	"strings"
	"sync"
	"sync/atomic"
	"syscall"
	"testing"
	"time"

	"google.golang.org/grpc"
	"google.golang.org/grpc/credentials/insecure"

	"almanac/test/clock"
	"almanac/test/harness"
)

const (
	publicKey = "pk-lf-1234567890"
	secretKey = "sk-lf-1234567890"
	dataset   = "kept"
)

// world is a server with its data, and the ledger of what it was sent.
type world struct {
	t      *testing.T
	data   string
	server *harness.Server
	ledger *ledger
	rng    *rand.Rand
	client *http.Client
	grpc   *grpc.ClientConn
	media  map[string]string // ids assigned by the server, by name
	extra  []string          // options in addition to those of all worlds

	movable bool          // the server has its own clock
	clock   *clock.Clock  // that clock, while the server runs
	ahead   time.Duration // of the true time
	jumps   atomic.Int64  // how often the clock was moved while the server ran

	mu         sync.Mutex
	violations []string
}

func newWorld(t *testing.T, seed uint64) *world {
	t.Helper()
	return &world{
		t: t, data: t.TempDir(), ledger: newLedger(), rng: rand.New(rand.NewPCG(seed, 2)), client: newClient(20 * time.Second),
		media: make(map[string]string),
	}
}

func newClient(patience time.Duration) *http.Client {
	return &http.Client{Timeout: patience, Transport: &http.Transport{MaxIdleConnsPerHost: 32, DisableCompression: true}}
}

// options returns the options of the server. With little memory it writes and merges segments early, so that faults hit
// that too.
func options() []string {
	return []string{
		"--init-org-id=acme", "--init-project-id=bot", "--init-project-public-key=" + publicKey, "--init-project-secret-key=" + secretKey,
		"--memory=48MB", "--otlp-grpc-listen=127.0.0.1:0",
	}
}

// start starts the server on the existing data.
func (w *world) start() {
	w.t.Helper()
	if err := w.tryStart(); err != nil {
		w.t.Fatal(err)
	}
}

func (w *world) tryStart() error {
	w.t.Helper()
	var paused func(pid int) error
	if w.movable {
		paused = func(pid int) (err error) {
			w.clock, err = clock.Take(pid, w.ahead)
			return err
		}
	}
	server, err := harness.TryStartPaused(w.t, w.data, paused, append(options(), w.extra...)...)
	if err != nil {
		server.Stop(w.t)
		return err
	}
	server.PublicKey, server.SecretKey = publicKey, secretKey
	w.server = server
	return w.dial()
}

// dial connects to the gRPC address of the server.
func (w *world) dial() error {
	w.client.CloseIdleConnections()
	if w.grpc != nil {
		_ = w.grpc.Close()
	}
	var err error
	w.grpc, err = grpc.NewClient(w.server.GRPCAddress(w.t), grpc.WithTransportCredentials(insecure.NewCredentials()))
	return err
}

// begin starts the server for the first time and creates what records belong to.
func (w *world) begin() {
	w.t.Helper()
	w.start()
	code, text, err := w.send(http.MethodPost, "/api/public/v2/datasets", map[string]any{"name": dataset})
	if err != nil || code != http.StatusOK {
		w.t.Fatalf("making a dataset: %d %s, %v", code, text, err)
	}
	w.writeEach(20*time.Second, "at the start") // so that there is a record of each kind, however short the first round is
}

// kill kills the server.
func (w *world) kill() { w.server.Signal(w.t, syscall.SIGKILL) }

// violation records that something did not hold.
func (w *world) violation(format string, args ...any) {
	w.mu.Lock()
	defer w.mu.Unlock()
	if len(w.violations) < 20 {
		w.violations = append(w.violations, fmt.Sprintf(format, args...))
	}
}

// between returns a random duration.
func (w *world) between(least, most time.Duration) time.Duration {
	return least + time.Duration(w.rng.Int64N(int64(most-least)))
}

// calm checks that the server has not logged a panic.
func (w *world) calm() {
	if _, log := w.server.Printed(); strings.Contains(log, "panic") {
		w.violation("the server panicked: %s", log)
	}
}

// doctor runs `almanac doctor` and records a violation if it finds faults.
func (w *world) doctor() {
	w.t.Helper()
	if stdout, stderr, code := harness.Run(w.t, "doctor", "--data", w.data); code != 0 {
		w.violation("the doctor finds faults: %s%s", stdout, stderr)
	}
}

func (w *world) close() {
	if w.grpc != nil {
		_ = w.grpc.Close()
	}
	w.client.CloseIdleConnections()
	if w.server != nil {
		w.server.Stop(w.t)
	}
	_ = os.RemoveAll(w.data)
}
