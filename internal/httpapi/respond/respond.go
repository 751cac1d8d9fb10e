// Package respond writes responses: JSON with entity tags and compression, error bodies, and the rows of the API.
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

	"github.com/cespare/xxhash/v2"

	"almanac/internal/domain/wire"
	"almanac/internal/jsontext"
)

// Status is a response with a status other than 200.
type Status struct {
	Code int
	Body any
}

// NoContent is a response with status 204.
type NoContent struct{}

// Empty is a response with this status and no body.
type Empty int

// Content is a response that is not JSON.
type Content struct {
	Type   string
	Body   []byte
	Header map[string]string
}

// Redirect temporarily redirects the client to another path of this server.
type Redirect struct{ Location string }

// ExternalRedirect temporarily redirects the client to another server.
type ExternalRedirect struct{ URL string }

// Stream is a response that writes itself. It must return an error only if it has written nothing; the error then
// becomes the response.
type Stream func(http.ResponseWriter, *http.Request) error

// Message is a response that confirms in a sentence what was done.
type Message struct {
	Message string `json:"message"`
}

// Sent is a response that has already been sent.
type Sent struct{}

// HTML is the content type of HTML pages.
const HTML = "text/html; charset=utf-8"

// Time is a time in the format of the API.
type Time = wire.Time

// Marshal returns a value as JSON, without the escaping of <, > and & that only HTML needs.
func Marshal(v any) ([]byte, error) {
	if raw, ok := v.(json.RawMessage); ok {
		return raw, nil
	}
	return jsontext.Marshal(v)
}

const jsonContent = "application/json; charset=utf-8"

// JSONLines is the content type of a response with one JSON object per line.
const JSONLines = "application/x-ndjson"

// minCompressed is the size from which compression pays off: smaller responses fit into one packet anyway.
const minCompressed = 1400

// Write sends a body. A successful response to GET gets a strong entity tag and becomes 304 if the client already has
// it.
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
		_, _ = w.Write(body) // if this fails, the client is gone
		return
	}
	packed := pack(body)
	h.Set("Content-Encoding", "gzip")
	h.Set("Content-Length", strconv.Itoa(len(packed)))
	w.WriteHeader(status)
	_, _ = w.Write(packed)
}

// pack compresses a body into memory. A compressor takes far more memory than that, so it must not wait for the client.
func pack(body []byte) []byte {
	var packed bytes.Buffer
	z := gzipWriters.Get().(*gzip.Writer) //nolint:forcetypeassert // the pool holds nothing else
	z.Reset(&packed)
	_, _ = z.Write(body) // writing to memory cannot fail
	_ = z.Close()
	gzipWriters.Put(z)
	return packed.Bytes()
}

// PackerBytes is the memory to reserve for the compressor of a streamed response.
const PackerBytes = 1 << 20

// bodyTag returns the entity tag of a body, without its closing quote.
func bodyTag(body []byte) string {
	return `"` + strconv.FormatUint(xxhash.Sum64(body), 36) + `-` + strconv.FormatInt(int64(len(body)), 36)
}

// setTag sets the entity tag of a response and reports whether the client already has it.
func setTag(h http.Header, r *http.Request, bodyTag string, compressed bool) (known bool) {
	tag := bodyTag + `"`
	if compressed {
		tag = bodyTag + `-gzip"` // a strong tag names one sequence of bytes
	}
	h.Set("ETag", tag)
	asked := r.Header.Get("If-None-Match")
	return asked != "" && hasTag(asked, bodyTag+`"`, bodyTag+`-gzip"`)
}

// Start starts a streamed response, compressed if the client accepts gzip. The content type defaults to JSON. The
// caller must close the writer.
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

// Close ends the response and returns the compressor to the pool.
func (p packingWriter) Close() error {
	err := p.Writer.Close()
	gzipWriters.Put(p.Writer)
	return err
}

var gzipWriters = sync.Pool{New: func() any {
	z, _ := gzip.NewWriterLevel(nil, gzip.BestSpeed) // the level is valid
	return z
}}

// JSON sends a body as application/json.
func JSON(w http.ResponseWriter, r *http.Request, status int, body []byte) {
	Write(w, r, status, jsonContent, body)
}

// Text sends plain text.
func Text(w http.ResponseWriter, r *http.Request, status int, text string) {
	Write(w, r, status, "text/plain; charset=utf-8", []byte(text))
}

// acceptsGzip reports whether an Accept-Encoding header accepts gzip.
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

// hasTag reports whether an If-None-Match header matches one of the tags.
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
