package main

import (
	"bytes"
	"compress/gzip"
	"crypto/rand"
	"encoding/binary"
	"encoding/hex"
	"errors"
	"fmt"
	"io"
	"log/slog"
	"net/http"
	"strconv"
	"strings"
	"time"

	"github.com/klauspost/compress/zstd"
)

// handler implements the part of ClickHouse's HTTP interface that a net/http client needs.
type handler struct {
	pool           *pool
	version        string
	user, password string
	maxBody        int64
}

func (h *handler) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	switch r.URL.Path {
	case "/ping":
		_, _ = io.WriteString(w, "Ok.\n") // ignored if the client is gone
	case "/":
		if r.URL.RawQuery == "" && r.Method == http.MethodGet {
			_, _ = io.WriteString(w, "Ok.\n")
			return
		}
		h.query(w, r)
	default:
		http.Error(w, "There is no handle "+r.URL.Path, http.StatusNotFound)
	}
}

func (h *handler) query(w http.ResponseWriter, r *http.Request) {
	a := &response{w: w, version: h.version, tag: tag(), began: time.Now()}
	header := w.Header()
	header.Set("X-ClickHouse-Server-Display-Name", "chserver")
	header.Set("X-ClickHouse-Timezone", "UTC")
	header.Set("X-ClickHouse-Exception-Tag", a.tag)
	err := authenticate(r, h.user, h.password)
	var q *request
	if err == nil {
		q, err = parse(r, h.maxBody)
	}
	if err == nil {
		defer q.close()
		if r.Method != http.MethodPost && !q.statement.reads() {
			err = fail(codeReadonly, "READONLY",
				"Cannot execute query in readonly mode. For queries over HTTP, method GET implies readonly")
		}
	}
	if err == nil {
		if q.queryID == "" {
			q.queryID = tag()
		}
		header.Set("X-ClickHouse-Query-Id", q.queryID)
		a.encoding = encodingFor(r, q.settings)
		err = h.pool.with(q.database, q.settings, func(c *connection) (bool, error) { return q.run(r, c, a) })
	}
	a.end(err)
}

// run runs a query and reports whether its connection can be reused.
func (q *request) run(r *http.Request, c *connection, a *response) (reusable bool, err error) {
	s := q.statement
	switch {
	case s.insert:
		// The engine takes the columns and their types from the table.
		text := fmt.Sprintf("%s SELECT * FROM file('/proc/self/fd/%d', %s)", s.text[:s.query], q.rows.Fd(), quoted(s.format, '\''))
		_, a.statistics, err = c.run(text, q.format, q.parameters)
		return true, err
	case s.kind == "SELECT" || s.kind == "WITH":
		if s.format != "" {
			q.format = s.format
		}
		a.w.Header().Set("X-ClickHouse-Format", q.format)
		if header, ok := streamed[q.format]; ok && !q.whole {
			first := true
			return true, c.stream(s.text, q.format, q.parameters, func(part []byte) error {
				if r.Context().Err() != nil {
					return r.Context().Err()
				}
				if !first {
					part = part[header(part):]
				}
				first = false
				return a.write(part)
			})
		}
	}
	data, statistics, err := c.run(s.text, q.format, q.parameters)
	if err != nil {
		return false, err
	}
	a.statistics = statistics
	a.summarize()
	return s.reads() || s.kind == "INSERT", a.write(data)
}

// streamed holds the formats whose parts can be concatenated, with the length of the header that each part repeats.
var streamed = map[string]func(part []byte) int{
	"RowBinary": nothing, "Native": nothing, "TabSeparated": nothing, "TSV": nothing, "CSV": nothing,
	"JSONEachRow": nothing, "JSONLines": nothing, "NDJSON": nothing, "JSONCompactEachRow": nothing,
	"RowBinaryWithNamesAndTypes": namesAndTypes,
}

func nothing([]byte) int { return 0 }

// namesAndTypes returns the length of the header of RowBinaryWithNamesAndTypes.
func namesAndTypes(part []byte) int {
	columns, at := binary.Uvarint(part)
	for range 2 * columns {
		length, n := binary.Uvarint(part[at:])
		at = min(at+n+int(length), len(part)) //nolint:gosec // a name is not that long
	}
	return at
}

// response is the response to a request. Its status is sent with the first byte.
type response struct {
	w          http.ResponseWriter
	out        io.Writer      // w, or the compressor
	compressor io.WriteCloser // nil without compression
	encoding   string
	version    string
	tag        string
	began      time.Time
	statistics statistics
}

func (a *response) summarize() {
	s := a.statistics
	a.w.Header().Set("X-ClickHouse-Summary", fmt.Sprintf(`{"read_rows":"%d","read_bytes":"%d","written_rows":"%d","written_bytes":"%d",`+
		`"total_rows_to_read":"0","result_rows":"0","result_bytes":"0","elapsed_ns":"%d"}`,
		s.readRows, s.readBytes, s.writtenRows, s.writtenBytes, time.Since(a.began).Nanoseconds()))
}

// start sends the header of a successful response.
func (a *response) start() error {
	if a.out != nil {
		return nil
	}
	if a.w.Header().Get("X-ClickHouse-Summary") == "" {
		a.summarize()
	}
	a.w.Header().Set("Content-Type", "application/octet-stream")
	a.out = a.w
	switch a.encoding {
	case "gzip":
		a.compressor = gzip.NewWriter(a.w)
	case "zstd":
		encoder, err := zstd.NewWriter(a.w, zstd.WithEncoderLevel(zstd.SpeedFastest), zstd.WithEncoderConcurrency(1))
		if err != nil {
			return err
		}
		a.compressor = encoder
	}
	if a.compressor != nil {
		a.w.Header().Set("Content-Encoding", a.encoding)
		a.out = a.compressor
	}
	a.w.WriteHeader(http.StatusOK)
	return nil
}

// write sends a part of the response immediately.
func (a *response) write(part []byte) error {
	if err := a.start(); err != nil {
		return err
	}
	if _, err := a.out.Write(part); err != nil {
		return err
	}
	if flusher, ok := a.compressor.(interface{ Flush() error }); ok {
		if err := flusher.Flush(); err != nil {
			return err
		}
	}
	return http.NewResponseController(a.w).Flush()
}

// end ends the response, with an error if there is one. After the first row the error is appended between marks, and
// the connection is aborted.
func (a *response) end(err error) {
	if err == nil {
		if err = a.start(); err == nil && a.compressor != nil {
			err = a.compressor.Close()
		}
		if err != nil {
			slog.Warn("the answer was not sent", "err", err)
		}
		return
	}
	var f *failure
	if !errors.As(err, &f) {
		f = fail(codeUnknownException, "UNKNOWN_EXCEPTION", "%v", err)
	}
	message := f.message + " (version " + a.version + ")\n"
	if a.out == nil {
		header := a.w.Header()
		header.Set("X-ClickHouse-Exception-Code", strconv.Itoa(f.code))
		header.Set("Content-Type", "text/plain; charset=UTF-8")
		a.summarize()
		a.w.WriteHeader(f.status())
		_, _ = io.WriteString(a.w, message) // ignored if the client is gone
		return
	}
	var tail bytes.Buffer
	fmt.Fprintf(&tail, "\r\n__exception__\r\n%s\r\n%s%d %s\r\n__exception__\r\n", a.tag, message, len(message), a.tag)
	_ = a.write(tail.Bytes()) // ignored if the client is gone
	panic(http.ErrAbortHandler)
}

// encodingFor chooses the compression of the response.
func encodingFor(r *http.Request, settings map[string]string) string {
	if settings["enable_http_compression"] == "0" {
		return ""
	}
	accepted := r.Header.Get("Accept-Encoding")
	for _, encoding := range []string{"zstd", "gzip"} {
		if strings.Contains(accepted, encoding) {
			return encoding
		}
	}
	return ""
}

// tag returns 16 random hexadecimal digits.
func tag() string {
	b := make([]byte, 8)
	_, _ = rand.Read(b) // never fails
	return hex.EncodeToString(b)
}
