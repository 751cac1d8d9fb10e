package main

import (
	"bytes"
	"compress/gzip"
	"crypto/subtle"
	"errors"
	"io"
	"mime"
	"mime/multipart"
	"net/http"
	"net/url"
	"os"
	"regexp"
	"slices"
	"strings"

	"github.com/klauspost/compress/zstd"
	"golang.org/x/sys/unix"
)

// ClickHouse's default limits, which clients have to keep here too.
const (
	maxURL        = 1 << 20
	maxFieldValue = 128 << 10
	maxQuery      = 256 << 10 // the setting max_query_size; rows of an insert do not count
)

// request is a parsed request of a client.
type request struct {
	statement  statement
	rows       *os.File // of an insert, in memory
	database   string
	format     string
	queryID    string
	whole      bool // the result is wanted in one piece, so that errors are reported in time
	settings   map[string]string
	parameters []parameter
}

func (r *request) close() {
	if r.rows != nil {
		_ = r.rows.Close() // only read
	}
}

// authenticate looks for user and password where ClickHouse does.
func authenticate(r *http.Request, user, password string) error {
	query := r.URL.Query()
	givenUser, givenPassword := query.Get("user"), query.Get("password")
	if name, secret, ok := r.BasicAuth(); ok {
		givenUser, givenPassword = name, secret
	}
	if name := r.Header.Get("X-ClickHouse-User"); name != "" {
		givenUser, givenPassword = name, r.Header.Get("X-ClickHouse-Key")
	}
	if givenUser == "" {
		givenUser = "default"
	}
	if subtle.ConstantTimeCompare([]byte(givenUser), []byte(user))&subtle.ConstantTimeCompare([]byte(givenPassword),
		[]byte(password)) == 0 {
		return fail(codeAuthenticationFailed, "AUTHENTICATION_FAILED",
			"%s: Authentication failed: password is incorrect, or there is no user with such name", givenUser)
	}
	return nil
}

// settingName matches what may be on the left of SET.
var settingName = regexp.MustCompile(`^[A-Za-z_][A-Za-z0-9_.]*$`)

// parse parses a request. maxBody limits its body, which may be compressed.
func parse(r *http.Request, maxBody int64) (_ *request, err error) {
	if len(r.RequestURI) > maxURL {
		return nil, fail(codeRequestParameter, "BAD_REQUEST_PARAMETER", "The address has %d bytes, more than %d", len(r.RequestURI), maxURL)
	}
	values, err := url.ParseQuery(r.URL.RawQuery)
	if err != nil {
		return nil, fail(codeRequestParameter, "BAD_REQUEST_PARAMETER", "The address cannot be read: %v", err)
	}
	body, err := decompressed(r)
	if err != nil {
		return nil, err
	}
	defer body.Close() //nolint:errcheck // only read
	var limited io.Reader = &limitedReader{body, maxBody}
	if kind, options, err := mime.ParseMediaType(r.Header.Get("Content-Type")); err == nil && kind == "multipart/form-data" {
		if err := addForm(values, multipart.NewReader(limited, options["boundary"])); err != nil {
			return nil, err
		}
		limited = bytes.NewReader(nil)
	}
	out := &request{
		database: r.Header.Get("X-ClickHouse-Database"), format: r.Header.Get("X-ClickHouse-Format"), settings: make(map[string]string),
	}
	if err := out.take(values); err != nil {
		return nil, err
	}
	return out, out.readQuery(strings.Join(values["query"], ""), limited)
}

// take reads the fields of the URL or of a form.
func (r *request) take(values url.Values) error {
	for name, all := range values {
		value := all[len(all)-1]
		if len(value) > maxFieldValue {
			return fail(codeRequestParameter, "BAD_REQUEST_PARAMETER", "Field value too long: %s has %d bytes", name, len(value))
		}
		switch name {
		// The first three concern the connection to the client, which the library does not manage.
		case "cancel_http_readonly_queries_on_client_close", "http_send_timeout", "readonly", "query", "user", "password", "quota_key",
			"stacktrace", "buffer_size", "client_protocol_version":
		case "database":
			r.database = value
		case "default_format":
			r.format = value
		case "query_id":
			r.queryID = value
		case "wait_end_of_query":
			r.whole = value == "1"
		case "compress", "decompress", "session_id", "role":
			if value != "" && value != "0" {
				return fail(codeNotImplemented, "NOT_IMPLEMENTED", "The field %s is not supported here", name)
			}
		default:
			if parameterName, ok := strings.CutPrefix(name, "param_"); ok {
				r.parameters = append(r.parameters, parameter{parameterName, value})
				continue
			}
			if !settingName.MatchString(name) {
				return fail(codeRequestParameter, "BAD_REQUEST_PARAMETER", "%q is no name of a setting", name)
			}
			r.settings[name] = value
		}
	}
	if r.database == "" {
		r.database = defaultDatabase
	}
	if r.format == "" {
		r.format = "TabSeparated"
	}
	slices.SortFunc(r.parameters, func(a, b parameter) int { return strings.Compare(a.name, b.name) })
	return nil
}

// readQuery reads the query, which is in the URL, in the body, or begins in the URL and ends in the body. It keeps the
// rows of an insert separate.
func (r *request) readQuery(query string, body io.Reader) (err error) {
	if r.statement, err = understand(query); err != nil {
		return err
	}
	if !r.statement.insert {
		head, err := io.ReadAll(io.LimitReader(body, maxQuery+1))
		if err != nil {
			return err
		}
		if query != "" && len(head) > 0 {
			query += "\n"
		}
		if r.statement, err = understand(query + string(head)); err != nil {
			return err
		}
		if !r.statement.insert && len(head) > maxQuery {
			return fail(codeSyntaxError, "SYNTAX_ERROR", "Syntax error: Max query size exceeded (%d bytes)", maxQuery)
		}
	}
	switch {
	case strings.TrimSpace(r.statement.text) == "":
		return fail(codeSyntaxError, "SYNTAX_ERROR", "Syntax error: failed at position 1: Empty query")
	case !r.statement.insert:
		return nil
	}
	r.rows, err = inMemory(io.MultiReader(strings.NewReader(r.statement.text[r.statement.rest:]), body))
	return err
}

// inMemory keeps bytes in an anonymous file: the library truncates rows that are part of the query text.
func inMemory(body io.Reader) (*os.File, error) {
	descriptor, err := unix.MemfdCreate("rows", unix.MFD_CLOEXEC)
	if err != nil {
		return nil, err
	}
	f := os.NewFile(uintptr(descriptor), "rows")
	if _, err := io.Copy(f, body); err != nil {
		_ = f.Close()
		return nil, err
	}
	return f, nil
}

// decompressed returns the decompressed body.
func decompressed(r *http.Request) (io.ReadCloser, error) {
	switch encoding := r.Header.Get("Content-Encoding"); encoding {
	case "":
		return r.Body, nil
	case "gzip":
		return gzip.NewReader(r.Body)
	case "zstd":
		decoder, err := zstd.NewReader(r.Body, zstd.WithDecoderConcurrency(1))
		if err != nil {
			return nil, err
		}
		return decoder.IOReadCloser(), nil
	default:
		return nil, fail(codeNotImplemented, "NOT_IMPLEMENTED", "Unknown compression method %s", encoding)
	}
}

// addForm reads fields from a form.
func addForm(values url.Values, form *multipart.Reader) error {
	for {
		part, err := form.NextPart()
		if errors.Is(err, io.EOF) {
			return nil
		}
		if err != nil {
			return err
		}
		if part.FileName() != "" {
			return fail(codeNotImplemented, "NOT_IMPLEMENTED", "Tables in a request are not supported here")
		}
		value, err := io.ReadAll(part)
		if err != nil {
			return err
		}
		values.Add(part.FormName(), string(value))
	}
}

// limitedReader fails where a body is too long.
type limitedReader struct {
	from io.Reader
	left int64
}

func (l *limitedReader) Read(p []byte) (int, error) {
	n, err := l.from.Read(p)
	if l.left -= int64(n); l.left < 0 {
		return 0, fail(codeTooLarge, "TOO_MANY_BYTES", "The body is too long")
	}
	return n, err
}
