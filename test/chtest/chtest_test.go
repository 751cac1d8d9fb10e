package chtest

import (
	"bytes"
	"compress/gzip"
	"context"
	"encoding/binary"
	"fmt"
	"io"
	"net/http"
	"net/url"
	"strconv"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"
)

// send sends a request and returns the response and its body.
func send(ctx context.Context, s *Server, fields url.Values, body io.Reader, header ...string) (*http.Response, string, error) {
	r, err := http.NewRequestWithContext(ctx, http.MethodPost, s.URL+"/?"+fields.Encode(), body)
	if err != nil {
		return nil, "", err
	}
	for i := 0; i < len(header); i += 2 {
		r.Header.Set(header[i], header[i+1])
	}
	answer, err := http.DefaultClient.Do(r)
	if err != nil {
		return nil, "", err
	}
	defer answer.Body.Close()
	text, err := io.ReadAll(answer.Body)
	return answer, string(text), err
}

func query(t *testing.T, s *Server, statement string) string {
	t.Helper()
	text, err := s.Query(t.Context(), statement)
	if err != nil {
		t.Fatalf("%s: %v", statement, err)
	}
	return text
}

// rows returns numbers with strings in RowBinary.
func rows(from, n int) []byte {
	var b []byte
	for i := from; i < from+n; i++ {
		text := fmt.Sprintf("row\n%d", i)
		b = binary.LittleEndian.AppendUint64(b, uint64(i))
		b = binary.AppendUvarint(b, uint64(len(text)))
		b = append(b, text...)
	}
	return b
}

const createRows = `CREATE TABLE rows (n UInt64, text String, twice UInt64 MATERIALIZED n * 2) ENGINE = MergeTree ORDER BY n
SETTINGS non_replicated_deduplication_window = 1000`

// TestAnswers checks what a client may rely on.
func TestAnswers(t *testing.T) {
	s := StartOwn(t)
	query(t, s, "CREATE DATABASE d")
	fields := url.Values{"database": {"d"}}
	if _, text, err := send(t.Context(), s, fields, strings.NewReader(createRows)); err != nil || text != "" {
		t.Fatal(text, err)
	}
	var zipped bytes.Buffer
	w := gzip.NewWriter(&zipped)
	_, _ = w.Write(rows(0, 20000))
	_ = w.Close()
	insert := url.Values{"database": {"d"}, "query": {"INSERT INTO rows (n, text) FORMAT RowBinary"}, "insert_deduplication_token": {"a"}}
	for range 2 { // the second time with the same token
		answer, text, err := send(t.Context(), s, insert, bytes.NewReader(zipped.Bytes()), "Content-Encoding", "gzip")
		if err != nil || answer.StatusCode != http.StatusOK || text != "" {
			t.Fatal(answer, text, err)
		}
		if summary := answer.Header.Get("X-ClickHouse-Summary"); !strings.Contains(summary, `"written_rows":"20000"`) {
			t.Errorf("the summary of an insert is %s", summary)
		}
	}
	cases := []struct {
		name, fields, body string
		status             int
		code, text         string
	}{
		{
			"rows with materialized columns", "", "SELECT count(), sum(twice), max(text) FROM d.rows", 200, "",
			"20000\t399980000\trow\\n9999\n",
		},
		{
			"a parameter", "param_p=a%5Ctb&database=d", "SELECT {p:String}, currentDatabase() FORMAT JSONCompactEachRow", 200, "",
			"[\"a\\tb\", \"d\"]\n",
		},
		{"an array", "param_p=%5B'x','y'%5D", "SELECT length({p:Array(String)})", 200, "", "2\n"},
		{"a query in the address", "query=SELECT%201&default_format=CSV", "", 200, "", "1\n"},
		{"a setting", "max_threads=1", "SELECT getSetting('max_threads')", 200, "", "1\n"},
		{"no setting of the query before", "", "SELECT getSetting('max_threads') = 1", 200, "", "0\n"},
		{
			"a format with a header, in parts", "default_format=RowBinaryWithNamesAndTypes", "SELECT number AS n FROM numbers(100000)", 200,
			"",
			"\x01\x01n\x06UInt64" + string(numbers(100000)),
		},
		{"rows after the query", "", "INSERT INTO d.rows (n, text) FORMAT CSV\n20000,x\n20001,\"y;\"\n", 200, "", ""},
		{"values", "", "INSERT INTO d.rows (n, text) VALUES (20002, 'FORMAT x;')", 200, "", ""},
		{"all rows", "", "SELECT count() FROM d.rows", 200, "", "20003\n"},
		{"nothing to insert", "query=INSERT%20INTO%20d.rows%20(n,text)%20FORMAT%20RowBinary", "", 200, "", ""},
		{"cut rows", "query=INSERT%20INTO%20d.rows%20(n,text)%20FORMAT%20RowBinary", "123", 500, "33", "CANNOT_READ_ALL_DATA"},
		{"an unknown table", "", "SELECT 1 FROM nowhere", 404, "60", "UNKNOWN_TABLE"},
		{"an unknown setting", "nonsense=1", "SELECT 1", 404, "115", "UNKNOWN_SETTING"},
		{"no SQL", "", "SELEKT 1", 400, "62", "SYNTAX_ERROR"},
		{"two statements", "", "SELECT 1; SELECT 2", 400, "62", "Multi-statements"},
		{"nothing", "", " ", 400, "62", "Empty query"},
		{"a wrong password", "user=default&password=x", "SELECT 1", 403, "516", "Authentication failed"},
		{
			"a failure while rows are read", "wait_end_of_query=1", "SELECT throwIf(number = 3000000) FROM numbers(4000000)", 500,
			"395", "throwIf",
		},
	}
	plain := &Server{URL: "http://" + s.address}
	for _, c := range cases {
		server := s
		if strings.Contains(c.fields, "password=") {
			server = plain
		}
		fields, err := url.ParseQuery(c.fields)
		if err != nil {
			t.Fatal(err)
		}
		answer, text, err := send(t.Context(), server, fields, strings.NewReader(c.body))
		if err != nil {
			t.Errorf("%s: %v", c.name, err)
			continue
		}
		right := text == c.text || c.code != "" && strings.Contains(text, c.text)
		if answer.StatusCode != c.status || answer.Header.Get("X-ClickHouse-Exception-Code") != c.code || !right {
			t.Errorf("%s: %s, code %s, %.300q", c.name, answer.Status, answer.Header.Get("X-ClickHouse-Exception-Code"), text)
		}
	}
}

func numbers(n uint64) (b []byte) {
	for i := range n {
		b = binary.LittleEndian.AppendUint64(b, i)
	}
	return b
}

// TestLateFailure checks that a query that fails after its first rows reports the error after them and aborts the
// connection.
func TestLateFailure(t *testing.T) {
	s := StartOwn(t)
	fields := url.Values{"max_threads": {"1"}, "max_block_size": {"1000"}}
	statement := "SELECT number, sleepEachRow(0.0005) + throwIf(number = 2500) FROM numbers(4000) FORMAT RowBinary"
	answer, text, err := send(t.Context(), s, fields, strings.NewReader(statement))
	if answer == nil {
		t.Fatal(err)
	}
	mark := "\r\n__exception__\r\n" + answer.Header.Get("X-ClickHouse-Exception-Tag") + "\r\nCode: 395. "
	if answer.StatusCode != http.StatusOK || !strings.Contains(text, mark) || err == nil {
		t.Errorf("%s, %v, %.100q … %.400q", answer.Status, err, text, text[max(0, len(text)-400):])
	}
}

// TestGone checks that a query ends when its client disconnects.
func TestGone(t *testing.T) {
	s := StartOwn(t)
	ctx, cancel := context.WithCancel(t.Context())
	defer cancel()
	r, err := http.NewRequestWithContext(ctx, http.MethodPost, s.URL,
		strings.NewReader("SELECT number FROM numbers(1000000000000) FORMAT RowBinary"))
	if err != nil {
		t.Fatal(err)
	}
	answer, err := http.DefaultClient.Do(r)
	if err != nil {
		t.Fatal(err)
	}
	defer answer.Body.Close()
	if _, err := io.ReadFull(answer.Body, make([]byte, 1<<20)); err != nil {
		t.Fatal(err)
	}
	const running = "SELECT count() FROM system.processes WHERE query LIKE 'SELECT number%'"
	if got := query(t, s, running); got != "1\n" {
		t.Errorf("%s such queries run", got)
	}
	cancel()
	for deadline := time.Now().Add(20 * time.Second); query(t, s, running) != "0\n"; time.Sleep(10 * time.Millisecond) {
		if time.Now().After(deadline) {
			t.Fatal("the query goes on without a client")
		}
	}
}

// TestKilled checks that acknowledged rows exist exactly once after the engine was killed while clients kept sending.
func TestKilled(t *testing.T) {
	s := StartOwn(t)
	query(t, s, createRows)
	const batch = 500
	var next atomic.Int64
	var acknowledged sync.Map // batches
	round := func(kill int) {
		var clients sync.WaitGroup
		ctx, cancel := context.WithCancel(t.Context())
		defer cancel()
		var sent atomic.Int64
		enough := make(chan struct{}, 1000)
		for range 3 {
			clients.Go(func() {
				for ctx.Err() == nil {
					n := int(next.Add(1)) * batch
					insert := url.Values{
						"query": {"INSERT INTO rows (n, text) FORMAT RowBinary"}, "insert_deduplication_token": {strconv.Itoa(n)},
					}
					answer, text, err := send(ctx, s, insert, bytes.NewReader(rows(n, batch)))
					if err != nil {
						return // the engine is down
					}
					if answer.StatusCode != http.StatusOK {
						t.Errorf("%s: %s", answer.Status, text)
						return
					}
					acknowledged.Store(n, true)
					if sent.Add(1) == int64(kill) {
						enough <- struct{}{}
					}
				}
			})
		}
		<-enough
		if err := s.Kill(); err != nil {
			t.Error(err)
		}
		cancel()
		clients.Wait()
	}
	for _, kill := range []int{5, 20} {
		round(kill)
		if err := s.Restart(); err != nil {
			t.Fatal(err)
		}
	}
	found := make(map[string]bool)
	for line := range strings.Lines(query(t, s,
		fmt.Sprintf("SELECT intDiv(n, %d) * %d AS batch, count(), uniqExact(n) FROM rows GROUP BY batch", batch, batch))) {
		cells := strings.Fields(line)
		if cells[1] != strconv.Itoa(batch) || cells[2] != strconv.Itoa(batch) {
			t.Errorf("batch %s has %s rows, %s different ones", cells[0], cells[1], cells[2])
		}
		found[cells[0]] = true
	}
	count := 0
	acknowledged.Range(func(n, _ any) bool {
		count++
		if !found[fmt.Sprint(n)] {
			t.Errorf("batch %v was acknowledged and is gone", n)
		}
		return true
	})
	if count < 25 {
		t.Errorf("only %d batches were acknowledged", count)
	}
}

// TestSideBySide checks that a long query does not delay others.
func TestSideBySide(t *testing.T) {
	s := StartOwn(t)
	query(t, s, "SELECT 1")
	done := make(chan error, 1)
	go func() {
		_, err := s.Query(t.Context(), "SELECT sleep(1.5)")
		done <- err
	}()
	for {
		running := query(t, s, "SELECT count() FROM system.processes WHERE query LIKE 'SELECT sleep%'")
		if running == "1\n" {
			break
		}
		select {
		case err := <-done:
			t.Fatalf("nothing could be asked while a query ran (%v)", err)
		default:
		}
	}
	if err := <-done; err != nil {
		t.Error(err)
	}
}
