package faults

import (
	"bytes"
	"compress/gzip"
	"encoding/binary"
	"fmt"
	"io"
	"net"
	"net/http"
	"os"
	"regexp"
	"strconv"
	"strings"
	"time"

	"google.golang.org/protobuf/proto"

	"almanac/test/harness"
)

// dialServer opens a plain connection to the server.
func (w *world) dialServer() net.Conn {
	w.t.Helper()
	conn, err := net.DialTimeout("tcp", strings.TrimPrefix(w.server.URL, "http://"), 10*time.Second)
	if err != nil {
		w.t.Fatal(err)
	}
	return conn
}

func requestHead(method, path, contentType string, length int) string {
	return fmt.Sprintf("%s %s HTTP/1.1\r\nHost: x\r\nAuthorization: %s\r\nContent-Type: %s\r\nContent-Length: %d\r\n\r\n",
		method, path, basicAuth(), contentType, length)
}

// cutRound ends connections at random places while others write.
func cutRound(w *world) tally {
	l := w.startLoad()
	for range 60 {
		ids := newIDs()
		body, err := proto.Marshal(spans(ids))
		if err != nil {
			w.t.Fatal(err)
		}
		keys := w.ledger.begin(observation, ids...)
		message := append([]byte(requestHead("POST", tracesPath, "application/x-protobuf", len(body))), body...)
		sent := w.rng.IntN(len(message))
		whole := w.rng.IntN(3) == 0
		if whole { // without waiting for the response
			sent = len(message)
		}
		conn := w.dialServer()
		if w.rng.IntN(2) == 0 {
			_ = conn.(*net.TCPConn).SetLinger(0) // with a reset
		}
		_, _ = conn.Write(message[:sent])
		_ = conn.Close()
		if !whole {
			w.ledger.deny(keys)
		}
	}
	for range 20 { // responses that are not read to their end
		conn := w.dialServer()
		_, _ = io.WriteString(conn, requestHead("GET", "/api/public/v2/observations?fields=core,basic,io&limit=1000", "text/plain", 0))
		_, _ = io.ReadFull(conn, make([]byte, 1+w.rng.IntN(4000)))
		_ = conn.Close()
	}
	l.end()
	w.released(10 * time.Second)
	return w.check(false)
}

// released waits until the server holds no memory for requests.
func (w *world) released(patience time.Duration) {
	deadline := time.Now().Add(patience)
	for {
		_, text, _, err := w.do(http.MethodGet, w.server.URL+"/metrics", "", nil)
		if err == nil && strings.Contains(text, "almanac_ingest_bytes_in_flight 0\n") {
			return
		}
		if time.Now().After(deadline) {
			w.violation("the server still holds memory for clients that have gone, %v: %s", err,
				regexp.MustCompile(`almanac_ingest_bytes_in_flight.*`).FindString(text))
			return
		}
		time.Sleep(20 * time.Millisecond)
	}
}

// crowdRound opens many connections that do next to nothing, and expects that no other client is refused.
func crowdRound(w *world) tally {
	const crowd = 2000
	var conns []net.Conn
	defer func() {
		for _, c := range conns {
			_ = c.Close()
		}
	}()
	starts := []string{
		"", // sends nothing at all
		"GET /api/public/projects HTTP/1.1\r\nHost: x\r\nX-Slow: ",
		"POST /api/public/projects HTTP/1.1\r\nHost: x\r\nContent-Type: application/json\r\nContent-Length: 1000000\r\n\r\n{",
		requestHead("POST", tracesPath, "application/x-protobuf", 100_000),
	}
	alone := w.memory("VmRSS")
	for n := range crowd {
		conn := w.dialServer()
		conns = append(conns, conn)
		_, _ = io.WriteString(conn, starts[n%len(starts)])
	}
	l := w.startLoad()
	for range 5 {
		for n, c := range conns { // a byte now and then
			if n%len(starts) != 0 {
				_, _ = c.Write([]byte("x"))
			}
		}
		time.Sleep(100 * time.Millisecond)
	}
	w.t.Logf("beside %d slow connections: %v; %d MB resident, %d MB before them and the load", crowd, l, w.memory("VmRSS"), alone)
	l.end()
	if got := l.answers[refused].Load() + l.answers[broken].Load(); got > 0 || l.answers[acknowledged].Load() == 0 {
		w.violation("beside %d slow connections others suffer: %v", crowd, l)
	}
	return w.check(false)
}

// hostileRound sends what no client should, to a separate project, while others write.
func hostileRound(w *world) tally {
	const maxMB = 700
	public, secret := w.otherProject()
	l := w.startLoad()
	for _, h := range hostileBodies(w) {
		r, err := http.NewRequestWithContext(w.t.Context(), http.MethodPost, w.server.URL+h.path, bytes.NewReader(h.body))
		if err != nil {
			w.t.Fatal(err)
		}
		r.SetBasicAuth(public, secret)
		r.Header.Set("Content-Type", h.contentType)
		if h.encoding != "" {
			r.Header.Set("Content-Encoding", h.encoding)
		}
		answer, err := w.client.Do(r)
		if err != nil {
			// the server closes the connection if the body is too large
			if !strings.Contains(err.Error(), "reset") && !strings.Contains(err.Error(), "broken pipe") {
				w.violation("%s at %s: %v", h.name, h.path, err)
			}
			continue
		}
		text, _ := io.ReadAll(answer.Body)
		_ = answer.Body.Close()
		if answer.StatusCode >= 500 && (answer.StatusCode != http.StatusServiceUnavailable || answer.Header.Get("Retry-After") == "") {
			w.violation("%s at %s is answered with %d %.300s", h.name, h.path, answer.StatusCode, text)
		}
	}
	l.end()
	if peak := w.memory("VmHWM"); peak > maxMB {
		w.violation("the server took %d MB", peak)
	}
	return w.check(false)
}

// memory returns a field of the server's status in megabytes: VmRSS for its resident memory, VmHWM for the peak.
func (w *world) memory(name string) int {
	w.t.Helper()
	status, err := os.ReadFile(fmt.Sprintf("/proc/%d/status", w.server.Process.Process.Pid))
	if err != nil {
		w.t.Fatal(err)
	}
	found := regexp.MustCompile(name + `:\s+(\d+) kB`).FindSubmatch(status)
	if found == nil {
		w.t.Fatalf("the memory of the server is not known: %s", status)
	}
	kb, err := strconv.Atoi(string(found[1]))
	if err != nil {
		w.t.Fatal(err)
	}
	return kb >> 10
}

// otherProject creates a project whose rows are not in the ledger, and returns its key pair.
func (w *world) otherProject() (public, secret string) {
	w.t.Helper()
	stdout, stderr, code := harness.Run(w.t, "keys", "create", "--data", w.data, "--organization", "acme")
	pair := regexp.MustCompile(`LANGFUSE_PUBLIC_KEY=(\S+)\nLANGFUSE_SECRET_KEY=(\S+)`).FindStringSubmatch(stdout)
	if code != 0 || pair == nil {
		w.t.Fatalf("keys create: %d %s%s", code, stdout, stderr)
	}
	name := randomHex(8)
	status, body := w.server.Do(w.t, http.MethodPost, "/api/public/projects", pair[1], pair[2], `{"name":"`+name+`","retention":0}`)
	id := regexp.MustCompile(`"id":"([^"]+)"`).FindStringSubmatch(body)
	if status != http.StatusCreated || id == nil {
		w.t.Fatalf("making a project: %d %s", status, body)
	}
	public, secret = "pk-lf-"+name, "sk-lf-"+name
	status, body = w.server.Do(w.t, http.MethodPost, "/api/public/projects/"+id[1]+"/apiKeys", pair[1], pair[2],
		`{"publicKey":"`+public+`","secretKey":"`+secret+`"}`)
	if status != http.StatusCreated {
		w.t.Fatalf("making a key: %d %s", status, body)
	}
	return public, secret
}

// hostile is a body that no client should send.
type hostile struct {
	name, path, contentType, encoding string
	body                              []byte
}

// hostileBodies returns some fixed bodies and many random ones.
func hostileBodies(w *world) (list []hostile) {
	const protobufType, jsonType = "application/x-protobuf", "application/json"
	zeroes := packed(w, make([]byte, 64<<20))
	deep := []byte(strings.Repeat(`{"a":[`, 20_000))
	giant := []byte(`{"name":"` + strings.Repeat("x", 6<<20) + `","value":1,"traceId":"t"}`)
	noUTF8 := []byte("{\"name\":\"a\xff\xfe\",\"value\":1,\"traceId\":\"\xc3\x28\"}")
	for _, path := range []string{
		tracesPath, "/api/public/ingestion", "/api/public/scores", "/api/public/dataset-items", "/api/public/v2/prompts",
		"/api/public/media", "/api/public/mcp",
	} {
		list = append(list,
			hostile{"a bomb", path, jsonType, "gzip", zeroes},
			hostile{"deep JSON", path, jsonType, "", deep},
			hostile{"a giant text", path, jsonType, "", giant},
			hostile{"no UTF-8", path, jsonType, "", noUTF8},
			hostile{"a lone surrogate", path, jsonType, "", []byte(`{"name":"\ud800","batch":[{"id":"\udfff"}]}`)},
			hostile{"a huge number", path, jsonType, "", []byte(`{"value":1e999999,"limit":` + strings.Repeat("9", 5000) + `}`)})
	}
	huge := binary.AppendUvarint([]byte{0x0a}, 1<<62)
	list = append(list,
		hostile{"a huge length", tracesPath, protobufType, "", huge},
		hostile{"a varint without end", tracesPath, protobufType, "", bytes.Repeat([]byte{0xff}, 1<<20)},
		hostile{"deep groups", tracesPath, protobufType, "", bytes.Repeat([]byte{0x0b}, 1<<20)},
		hostile{"a bomb", tracesPath, protobufType, "gzip", zeroes})
	for range 100 {
		body, err := proto.Marshal(spans(newIDs()))
		if err != nil {
			w.t.Fatal(err)
		}
		h := hostile{"flipped bits", tracesPath, protobufType, "", body}
		if w.rng.IntN(2) == 0 {
			h.encoding, h.body = "gzip", packed(w, body)
		}
		for range 1 + w.rng.IntN(8) {
			h.body[w.rng.IntN(len(h.body))] ^= 1 << w.rng.IntN(8)
		}
		list = append(list, h)
	}
	return list
}

func packed(w *world, content []byte) []byte {
	var b bytes.Buffer
	z := gzip.NewWriter(&b)
	_, err := z.Write(content)
	if closing := z.Close(); err != nil || closing != nil {
		w.t.Fatal(err, closing)
	}
	return b.Bytes()
}
