package blackbox

import (
	"crypto/sha256"
	"encoding/base64"
	"encoding/json"
	"fmt"
	"io"
	"math/rand/v2"
	"net/http"
	"os"
	"path/filepath"
	"regexp"
	"strconv"
	"testing"

	"almanac/test/harness"
)

// random returns pseudorandom bytes, the same ones each time.
func random(size int64) io.Reader { return io.LimitReader(rand.NewChaCha8([32]byte{7}), size) }

// peakMemory returns the peak resident memory of a server, in bytes.
func peakMemory(t *testing.T, s *harness.Server) int64 {
	t.Helper()
	status, err := os.ReadFile(fmt.Sprintf("/proc/%d/status", s.Process.Process.Pid))
	if err != nil {
		t.Fatal(err)
	}
	found := regexp.MustCompile(`VmHWM:\s+(\d+) kB`).FindSubmatch(status)
	if found == nil {
		t.Fatalf("no VmHWM in %s", status)
	}
	kilobytes, err := strconv.ParseInt(string(found[1]), 10, 64)
	if err != nil {
		t.Fatal(err)
	}
	return kilobytes << 10
}

// transfer sends a request without credentials and returns the response.
func transfer(t *testing.T, method, address, contentType string, body io.Reader, size int64) *http.Response {
	t.Helper()
	r, err := http.NewRequestWithContext(t.Context(), method, address, body)
	if err != nil {
		t.Fatal(err)
	}
	r.ContentLength = size
	r.Header.Set("Content-Type", contentType)
	answer, err := http.DefaultClient.Do(r)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = answer.Body.Close() })
	return answer
}

// sendFile uploads random bytes as a video and returns its id.
func sendFile(t *testing.T, s *harness.Server, size int64) (id string, sum []byte) {
	t.Helper()
	hash := sha256.New()
	if _, err := io.Copy(hash, random(size)); err != nil {
		t.Fatal(err)
	}
	sum = hash.Sum(nil)
	status, body := s.Do(t, "POST", "/api/public/media", s.PublicKey, s.SecretKey, fmt.Sprintf(
		`{"traceId":"t","field":"input","contentType":"video/mp4","contentLength":%d,"sha256Hash":%q}`, size,
		base64.StdEncoding.EncodeToString(sum)))
	var announced struct{ MediaID, UploadURL string }
	if err := json.Unmarshal([]byte(body), &announced); err != nil || status != http.StatusCreated {
		t.Fatalf("%d %s, %v", status, body, err)
	}
	if answer := transfer(t, http.MethodPut, announced.UploadURL, "video/mp4", random(size), size); answer.StatusCode != http.StatusOK {
		text, _ := io.ReadAll(answer.Body)
		t.Fatalf("sending: %s %s", answer.Status, text)
	}
	return announced.MediaID, sum
}

func addressOf(t *testing.T, s *harness.Server, id string) string {
	t.Helper()
	status, body := s.Get(t, "/api/public/media/"+id)
	var medium struct{ URL string }
	if err := json.Unmarshal([]byte(body), &medium); err != nil || status != http.StatusOK {
		t.Fatalf("%d %s, %v", status, body, err)
	}
	return medium.URL
}

// TestLargeMedia uploads and downloads a file of 200 MB, which must take next to no memory.
func TestLargeMedia(t *testing.T) {
	const size, most = 200_000_000, 20 << 20
	s := harness.Start(t)
	sendFile(t, s, 1000) // one-time allocations do not count
	before := peakMemory(t, s)
	id, sum := sendFile(t, s, size)
	hash := sha256.New()
	answer := transfer(t, http.MethodGet, addressOf(t, s, id), "", nil, 0)
	if n, err := io.Copy(hash, answer.Body); err != nil || n != size || string(hash.Sum(nil)) != string(sum) {
		t.Errorf("%d bytes came back, %v; the same: %t", n, err, string(hash.Sum(nil)) == string(sum))
	}
	extra := peakMemory(t, s) - before
	t.Logf("a file of %d MB up and down took %.1f MB of extra memory", size/1_000_000, float64(extra)/(1<<20))
	if extra > most {
		t.Errorf("%d MB of extra memory, more than %d", extra>>20, most>>20)
	}
}

// TestMediaSurvive downloads a file after the server was killed, and from a backup.
func TestMediaSurvive(t *testing.T) {
	s := harness.Start(t)
	id, sum := sendFile(t, s, 100_000)
	check := func(s *harness.Server) {
		t.Helper()
		hash := sha256.New()
		if _, err := io.Copy(hash, transfer(t, http.MethodGet, addressOf(t, s, id), "", nil, 0).Body); err != nil ||
			string(hash.Sum(nil)) != string(sum) {
			t.Errorf("another file came back, %v", err)
		}
	}
	again := func(data string) *harness.Server {
		next := harness.StartOn(t, data)
		next.PublicKey, next.SecretKey = s.PublicKey, s.SecretKey
		return next
	}
	backup := filepath.Join(t.TempDir(), "backup")
	if stdout, stderr, code := harness.Run(t, "backup", backup, "--data", s.Data); code != 0 {
		t.Fatalf("backup: %d %s%s", code, stdout, stderr)
	}
	if err := s.Process.Process.Kill(); err != nil {
		t.Fatal(err)
	}
	s.Wait(t)
	check(again(s.Data))

	restored := filepath.Join(t.TempDir(), "restored")
	if stdout, stderr, code := harness.Run(t, "restore", backup, "--data", restored); code != 0 {
		t.Fatalf("restore: %d %s%s", code, stdout, stderr)
	}
	check(again(restored))
}
