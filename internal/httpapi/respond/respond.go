// Package respond writes answers: JSON with its entity tag and compression, error bodies, dates.
package respond

import (
	"bytes"
	"cmp"
	"compress/gzip"
	"encoding/json"
	"io"
	"net/http"
	"slices"
	"strconv"
	"strings"
	"sync"
	"time"

	"github.com/cespare/xxhash/v2"

	"almanac/internal/jsontext"
)

// Status is an answer with another status than 200.
type Status struct {
	Code int
	Body any
}

// NoContent is an answer without a body.
type NoContent struct{}

// Empty is an answer with this status and no body.
type Empty int

// Content is an answer that is not JSON.
type Content struct {
	Type   string
	Body   []byte
	Header map[string]string
}

// Redirect sends the client to another path of ours, for now.
type Redirect struct{ Location string }

// Away sends the client to another server, for now.
type Away struct{ URL string }

// Stream is an answer that writes itself. What it returns is answered if it wrote nothing.
type Stream func(http.ResponseWriter, *http.Request) error

// Message is an answer that says in a sentence what was done.
type Message struct {
	Message string `json:"message"`
}

// Sent is an answer that was sent already.
type Sent struct{}

// HTML is the content type of pages for people.
const HTML = "text/html; charset=utf-8"

// Time is a time as the API writes it: UTC with three fraction digits.
type Time time.Time

const timeLayout = "2006-01-02T15:04:05.000Z"

// MarshalJSON returns the time between quotes.
func (t Time) MarshalJSON() ([]byte, error) {
	return time.Time(t).UTC().AppendFormat(make([]byte, 0, len(timeLayout)+2), `"`+timeLayout+`"`), nil
}

// String returns the time as it is written, without quotes.
func (t Time) String() string { return time.Time(t).UTC().Format(timeLayout) }

// OptionalTime returns nil, which is written as null, for nil.
func OptionalTime(t *time.Time) *Time {
	if t == nil {
		return nil
	}
	return new(Time(*t))
}

// Marshal returns a value as JSON, without the escaping of <, > and & that only HTML needs.
func Marshal(v any) ([]byte, error) {
	if raw, ok := v.(json.RawMessage); ok {
		return raw, nil
	}
	return jsontext.Marshal(v)
}

const jsonContent = "application/json; charset=utf-8"

// JSONLines is the content type of an answer with one JSON object a line.
const JSONLines = "application/x-ndjson"

// minCompressed is the size from which compression pays: below it an answer fits into one packet anyway.
const minCompressed = 1400

// Write sends a body. A successful answer to GET gets a strong entity tag and becomes 304 if the client has it already.
func Write(w http.ResponseWriter, r *http.Request, status int, contentType string, body []byte) {
	h := w.Header()
	h.Set("Content-Type", contentType)
	compress := len(body) >= minCompressed && acceptsGzip(r.Header.Get("Accept-Encoding")) && h.Get("Content-Encoding") == ""
	if r.Method == http.MethodGet && status == http.StatusOK && setTag(h, r, bodyTag(body), compress) {
		h.Del("Content-Type")
		w.WriteHeader(http.StatusNotModified)
		return
	}
	h.Add("Vary", "Accept-Encoding")
	if !compress {
		h.Set("Content-Length", strconv.Itoa(len(body)))
		w.WriteHeader(status)
		_, _ = w.Write(body) // the client is gone if this fails, and nobody is left to tell
		return
	}
	packed := pack(body)
	h.Set("Content-Encoding", "gzip")
	h.Set("Content-Length", strconv.Itoa(len(packed)))
	w.WriteHeader(status)
	_, _ = w.Write(packed)
}

// pack compresses a body in memory: a compressor takes far more than that, and must not wait for the client.
func pack(body []byte) []byte {
	var packed bytes.Buffer
	z := gzipWriters.Get().(*gzip.Writer) //nolint:forcetypeassert // the pool holds nothing else
	z.Reset(&packed)
	_, _ = z.Write(body) // memory takes everything
	_ = z.Close()
	gzipWriters.Put(z)
	return packed.Bytes()
}

// PackerBytes is what a compressor takes that an answer is sent through piece by piece.
const PackerBytes = 1 << 20

// bodyTag returns the entity tag of a body, without its last quote.
func bodyTag(body []byte) string {
	return `"` + strconv.FormatUint(xxhash.Sum64(body), 36) + `-` + strconv.FormatInt(int64(len(body)), 36)
}

// setTag sets the entity tag of an answer and reports whether the client has it already.
func setTag(h http.Header, r *http.Request, bodyTag string, compressed bool) (known bool) {
	tag := bodyTag + `"`
	if compressed {
		tag = bodyTag + `-gzip"` // a strong tag names one sequence of bytes
	}
	h.Set("ETag", tag)
	asked := r.Header.Get("If-None-Match")
	return asked != "" && hasTag(asked, bodyTag+`"`, bodyTag+`-gzip"`)
}

// Start starts an answer that is written piece by piece, compressed if the client wants it so. It is JSON unless a content type is
// given. Close ends it.
func Start(w http.ResponseWriter, r *http.Request, contentType string) io.WriteCloser {
	h := w.Header()
	h.Set("Content-Type", cmp.Or(contentType, jsonContent))
	h.Add("Vary", "Accept-Encoding")
	if !acceptsGzip(r.Header.Get("Accept-Encoding")) {
		w.WriteHeader(http.StatusOK)
		return plainWriter{w}
	}
	h.Set("Content-Encoding", "gzip")
	w.WriteHeader(http.StatusOK)
	z := gzipWriters.Get().(*gzip.Writer) //nolint:forcetypeassert // the pool holds nothing else
	z.Reset(w)
	return packingWriter{z}
}

type plainWriter struct{ io.Writer }

func (plainWriter) Close() error { return nil }

type packingWriter struct{ *gzip.Writer }

// Close ends the answer and gives the compressor back.
func (p packingWriter) Close() error {
	err := p.Writer.Close()
	gzipWriters.Put(p.Writer)
	return err
}

var gzipWriters = sync.Pool{New: func() any {
	z, _ := gzip.NewWriterLevel(nil, gzip.BestSpeed) // the level is valid
	return z
}}

// JSON sends a body that is JSON of no special kind.
func JSON(w http.ResponseWriter, r *http.Request, status int, body []byte) {
	Write(w, r, status, jsonContent, body)
}

// Text sends plain text.
func Text(w http.ResponseWriter, r *http.Request, status int, text string) {
	Write(w, r, status, "text/plain; charset=utf-8", []byte(text))
}

// acceptsGzip reads an Accept-Encoding header.
func acceptsGzip(header string) bool {
	for part := range strings.SplitSeq(header, ",") {
		coding, weight, _ := strings.Cut(part, ";")
		if strings.TrimSpace(coding) != "gzip" {
			continue
		}
		q, found := strings.CutPrefix(strings.ReplaceAll(weight, " ", ""), "q=")
		if !found {
			return true
		}
		f, err := strconv.ParseFloat(q, 64)
		return err == nil && f > 0
	}
	return false
}

// hasTag reads an If-None-Match header.
func hasTag(header string, tags ...string) bool {
	for candidate := range strings.SplitSeq(header, ",") {
		candidate = strings.TrimPrefix(strings.TrimSpace(candidate), "W/")
		if candidate == "*" {
			return true
		}
		if slices.Contains(tags, candidate) {
			return true
		}
	}
	return false
}
