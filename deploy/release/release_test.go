package main

import (
	"archive/zip"
	"bufio"
	"bytes"
	"encoding/json"
	"io"
	"net/http"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"syscall"
	"testing"
	"time"

	"almanac/test/harness"
)

var date = time.Date(2026, 11, 16, 11, 0, 0, 0, time.UTC)

func TestMain(m *testing.M) {
	code := m.Run()
	harness.Clean()
	os.Exit(code)
}

// published packs a program for a platform and returns the directory with the files.
func published(t *testing.T, platform, program string) string {
	t.Helper()
	out := t.TempDir()
	files, err := publish("1.2.3", platform, program, out, date)
	if err != nil {
		t.Fatal(err)
	}
	if err := writeChecksums(out, files); err != nil {
		t.Fatal(err)
	}
	return out
}

// TestSameBytes packs a program twice and expects the same bytes.
func TestSameBytes(t *testing.T) {
	t.Chdir("../..")
	program, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	for platform, names := range map[string][]string{
		"linux/arm64":   {"almanac-1.2.3-linux-arm64.tar.gz", "almanac-1.2.3-linux-arm64.cdx.json", "SHA256SUMS"},
		"windows/amd64": {"almanac-1.2.3-windows-amd64.zip", "almanac-1.2.3-windows-amd64.cdx.json", "SHA256SUMS"},
	} {
		first, second := published(t, platform, program), published(t, platform, program)
		for _, name := range names {
			a, err := os.ReadFile(filepath.Join(first, name))
			if err != nil {
				t.Fatal(err)
			}
			b, err := os.ReadFile(filepath.Join(second, name))
			if err != nil || !bytes.Equal(a, b) {
				t.Errorf("%s differs the second time, %v", name, err)
			}
		}
		if platform == "windows/amd64" {
			checkZip(t, filepath.Join(first, names[0]))
		}
		if check := exec.Command("sha256sum", "--check", "--strict", "SHA256SUMS"); true {
			check.Dir = first
			if out, err := check.CombinedOutput(); err != nil || strings.Count(string(out), ": OK\n") != 2 {
				t.Errorf("%v: %s", err, out)
			}
		}
	}
}

func checkZip(t *testing.T, path string) {
	t.Helper()
	z, err := zip.OpenReader(path)
	if err != nil {
		t.Fatal(err)
	}
	defer z.Close()
	var names []string
	for _, f := range z.File {
		names = append(names, f.Name)
		if !f.Modified.Equal(date) {
			t.Errorf("%s is of %s", f.Name, f.Modified)
		}
	}
	want := "almanac-1.2.3-windows-amd64/almanac.exe almanac-1.2.3-windows-amd64/README.md almanac-1.2.3-windows-amd64/LICENSE almanac-1.2.3-windows-amd64/CHANGELOG.md"
	if got := strings.Join(names, " "); got != want {
		t.Errorf("the archive holds %s", got)
	}
}

func TestModules(t *testing.T) {
	encoded, err := modules(harness.Binary(t), "1.2.3", "linux/amd64", date)
	if err != nil {
		t.Fatal(err)
	}
	var list bom
	if err := json.Unmarshal(encoded, &list); err != nil {
		t.Fatal(err)
	}
	if list.Format != "CycloneDX" || list.SpecVersion != "1.5" || list.Metadata.Component.PURL != "pkg:golang/almanac@1.2.3" {
		t.Errorf("%s", encoded)
	}
	found := map[string]bool{}
	for _, c := range list.Components {
		if c.Version == "" || c.PURL != "pkg:golang/"+c.Name+"@"+strings.ReplaceAll(c.Version, "+", "%2B") || found[c.Ref] {
			t.Errorf("%+v", c)
		}
		found[c.Ref], found[c.Name] = true, true
	}
	for _, needed := range []string{"std", "modernc.org/sqlite", "github.com/jackc/pgx/v5"} {
		if !found[needed] {
			t.Errorf("%s is not in the list", needed)
		}
	}
	if len(list.Dependencies) != 1 || len(list.Dependencies[0].DependsOn) != len(list.Components) {
		t.Errorf("dependencies: %+v", list.Dependencies)
	}
}

// TestArchiveStarts unpacks the archive for Linux and starts the program in an empty environment: no files, no
// variables.
func TestArchiveStarts(t *testing.T) {
	program := harness.Binary(t)
	t.Chdir("../..")
	out := published(t, "linux/amd64", program)
	root := t.TempDir()
	if output, err := exec.Command("tar", "-xzf", filepath.Join(out, "almanac-1.2.3-linux-amd64.tar.gz"), "-C", root,
		"--strip-components=1").CombinedOutput(); err != nil {
		t.Fatalf("%v: %s", err, output)
	}
	server := exec.Command("/almanac", "serve", "--listen=127.0.0.1:0", "--otlp-grpc-listen=off", "--data=/data")
	server.Env = []string{}
	server.Dir = "/"
	server.SysProcAttr = &syscall.SysProcAttr{Chroot: root, Pdeathsig: syscall.SIGKILL}
	if os.Geteuid() != 0 { // only root may change the root directory, even in its own namespace
		server.SysProcAttr.Cloneflags = syscall.CLONE_NEWUSER
		server.SysProcAttr.UidMappings = []syscall.SysProcIDMap{{HostID: os.Getuid(), Size: 1}}
		server.SysProcAttr.GidMappings = []syscall.SysProcIDMap{{HostID: os.Getgid(), Size: 1}}
	}
	server.Stderr = os.Stderr
	stdout, err := server.StdoutPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := server.Start(); err != nil {
		t.Fatal(err)
	}
	defer func() {
		if err := server.Process.Signal(syscall.SIGTERM); err != nil {
			t.Error(err)
		}
		if err := server.Wait(); err != nil {
			t.Error(err)
		}
	}()
	address := ""
	lines := bufio.NewScanner(stdout)
	for address == "" && lines.Scan() {
		address = regexp.MustCompile(`http://127\.0\.0\.1:[0-9]+`).FindString(lines.Text())
	}
	go io.Copy(io.Discard, stdout)
	answer, err := http.Get(address + "/api/public/health")
	if err != nil {
		t.Fatal(err)
	}
	defer answer.Body.Close()
	if body, err := io.ReadAll(answer.Body); err != nil || answer.StatusCode != http.StatusOK || !strings.Contains(string(body), `"OK"`) {
		t.Errorf("health: %d %s, %v", answer.StatusCode, body, err)
	}
}
