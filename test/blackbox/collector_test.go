//go:build collector

package blackbox

import (
	"bytes"
	"encoding/base64"
	"encoding/json"
	"net"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"syscall"
	"testing"
	"time"

	"almanac/internal/domain"
)

// TestCollector sends traces through an OpenTelemetry Collector configured as in docs/sending-traces.md, over HTTP and
// gRPC on both sides. Every field must arrive as it does without the Collector. `make test-collector` runs it: building
// the Collector takes longer than all other tests of this package.
func TestCollector(t *testing.T) {
	program, collector := build(t, "exporters"), build(t, "collector")
	s := startForExports(t, t.TempDir(), "--otlp-grpc-listen=127.0.0.1:0")
	overHTTP, overGRPC := documentedCollector(t)
	overGRPC = strings.Replace(overGRPC, "127.0.0.1:4317", s.GRPCAddress(t), 1)
	began := domain.MicrosOf(time.Now().Truncate(time.Millisecond))
	sent := make(map[string]map[string]exportedID)
	for _, way := range []struct{ name, config string }{{"HTTP", overHTTP}, {"gRPC", overGRPC}} {
		grpcIn, httpIn := freeAddress(t), freeAddress(t)
		config := strings.NewReplacer("127.0.0.1:14317", grpcIn, "127.0.0.1:14318", httpIn).Replace(way.config)
		stop := startCollector(t, collector, config, httpIn,
			"LANGFUSE_BASE_URL="+s.URL, "ALMANAC_AUTH="+base64.StdEncoding.EncodeToString([]byte(exportKey+":"+exportPass)))
		for protocol, endpoint := range map[string]string{"http": "http://" + httpIn + "/v1/traces", "grpc": grpcIn} {
			stdout, stderr, err := runExporters(t, program, protocol, endpoint, "no", "key") // the Collector has the real key
			ids := make(map[string]exportedID)
			if err != nil || json.Unmarshal([]byte(stdout), &ids) != nil {
				t.Fatalf("%s into the Collector: %v, %s%s", protocol, err, stdout, stderr)
			}
			sent[protocol+" in, "+way.name+" out"] = ids
		}
		stop() // sends everything pending
	}
	s.Stop(t)
	compareExported(t, s.Data, began, sent)
}

// documentedCollector returns the configurations in docs/sending-traces.md. The page shows only the differences for
// gRPC.
func documentedCollector(t *testing.T) (overHTTP, overGRPC string) {
	t.Helper()
	page, err := os.ReadFile("../../docs/sending-traces.md")
	if err != nil {
		t.Fatal(err)
	}
	_, section, _ := strings.Cut(string(page), "\n## OpenTelemetry Collector\n")
	section, _, _ = strings.Cut(section, "\n## ")
	blocks := regexp.MustCompile("(?s)```yaml\n(.*?)```").FindAllStringSubmatch(section, -1)
	if len(blocks) != 2 {
		t.Fatalf("the page has %d configurations of a Collector, want 2", len(blocks))
	}
	overHTTP = blocks[0][1]
	overGRPC = regexp.MustCompile(`(?s)exporters:\n.*?\n\n`).ReplaceAllLiteralString(overHTTP, blocks[1][1]+"\n")
	return overHTTP, strings.Replace(overGRPC, "exporters: [otlphttp/almanac]", "exporters: [otlp/almanac]", 1)
}

// freeAddress returns an address that nothing listens on.
func freeAddress(t *testing.T) string {
	t.Helper()
	listener, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	defer listener.Close()
	return listener.Addr().String()
}

// startCollector starts a Collector and waits until it listens. The returned function stops it and checks that it exits
// cleanly.
func startCollector(t *testing.T, program, config, address string, environment ...string) (stop func()) {
	t.Helper()
	file := filepath.Join(t.TempDir(), "collector.yaml")
	// Its own metrics would need a fixed port.
	if err := os.WriteFile(file, []byte(config+"\n  telemetry:\n    metrics:\n      level: none\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	command := exec.CommandContext(t.Context(), program, "--config", file)
	command.Env = append(os.Environ(), environment...)
	var output bytes.Buffer
	command.Stdout, command.Stderr = &output, &output
	if err := command.Start(); err != nil {
		t.Fatal(err)
	}
	ended := make(chan error, 1)
	go func() { ended <- command.Wait() }()
	for deadline := time.Now().Add(30 * time.Second); ; time.Sleep(20 * time.Millisecond) {
		if connection, err := net.Dial("tcp", address); err == nil {
			_ = connection.Close()
			break
		}
		select {
		case err := <-ended:
			t.Fatalf("the Collector ended at once: %v\n%s", err, output.Bytes())
		default:
		}
		if time.Now().After(deadline) {
			t.Fatal("the Collector does not listen after 30 s")
		}
	}
	return func() {
		t.Helper()
		if err := command.Process.Signal(syscall.SIGTERM); err != nil {
			t.Fatal(err)
		}
		if err := <-ended; err != nil || bytes.Contains(output.Bytes(), []byte("\terror\t")) {
			t.Errorf("the Collector ended with %v and said\n%s", err, output.Bytes())
		}
	}
}
