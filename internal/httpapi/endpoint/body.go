package endpoint

import (
	"compress/flate"
	"compress/gzip"
	"errors"
	"fmt"
	"io"
	"mime"
	"net"
	"net/http"
	"strings"

	"almanac/internal/decode"
	"almanac/internal/httpapi/respond"
	"almanac/internal/ingest"
)

// Body is a request body that has been read: validated JSON, other text, or a span export as sent.
type Body struct {
	Bytes  []byte
	json   bool
	Export *ingest.Body
}

// Receiver reads a request body. The caller must call release, even after an error, to return the body's memory.
type Receiver func(r *http.Request, tenant string) (b Body, release func(), err error)

func (b Body) value() decode.Value {
	if b.json {
		return decode.NewBody(b.Bytes)
	}
	return decode.NewText(string(b.Bytes))
}

// BodyError is returned for a body that cannot be read. Most routes send it as plain text, since the body is read
// before anything else is known about the request.
type BodyError struct {
	Status  int
	Message string
}

func (e *BodyError) Error() string { return e.Message }

// ErrClientGone means that the client stopped sending.
var ErrClientGone = errors.New("the client stopped sending its body")

// ReadBody reads a body of at most limit bytes. Memory is reserved as the body arrives, so that clients that are slow
// or announce a false length hold little more than they have sent; release returns it.
func ReadBody(r *http.Request, limit int64) (b Body, release func(), err error) {
	release = func() {}
	b.json = IsJSON(r.Header.Get("Content-Type"))
	if r.ContentLength > limit {
		return b, release, tooLarge(limit)
	}
	source, err := unpacked(r)
	if err != nil {
		return b, release, err
	}
	if r.ContentLength != 0 {
		lease, reserved := LeaseOf(r), int64(0)
		release = func() { lease.Shrink(reserved) }
		const firstBuffer = 4 << 10
		if err := lease.Grow(r.Context(), firstBuffer); err != nil {
			return b, release, err
		}
		reserved = firstBuffer
		buffer := make([]byte, 0, firstBuffer)
		for {
			n, err := source.Read(buffer[len(buffer):cap(buffer)])
			buffer = buffer[:len(buffer)+n]
			if int64(len(buffer)) > limit {
				return b, release, tooLarge(limit)
			}
			if errors.Is(err, io.EOF) {
				break
			}
			if err != nil {
				return b, release, unreadable(r, err)
			}
			if len(buffer) == cap(buffer) {
				// Double, up to one byte over the limit, which shows that it is exceeded.
				size := int(min(2*int64(cap(buffer)), limit+1))
				if err := lease.Grow(r.Context(), int64(size)-reserved); err != nil {
					return b, release, err
				}
				reserved = int64(size)
				buffer = append(make([]byte, 0, size), buffer...)
			}
		}
		b.Bytes = buffer
	}
	if b.json {
		if len(b.Bytes) == 0 {
			b.Bytes = []byte("{}")
		} else if err := decode.CheckJSON(b.Bytes); err != nil {
			return b, release, &BodyError{http.StatusBadRequest, "Invalid JSON"}
		}
	}
	return b, release, nil
}

// unpacked returns a reader of the uncompressed body. The size limit of a route applies to the uncompressed bytes.
func unpacked(r *http.Request) (io.Reader, error) {
	switch coding := r.Header.Get("Content-Encoding"); strings.ToLower(strings.TrimSpace(coding)) {
	case "", "identity":
		return r.Body, nil
	case "gzip", "x-gzip":
		if r.ContentLength == 0 {
			return r.Body, nil
		}
		packed, err := gzip.NewReader(r.Body)
		if err != nil {
			return nil, unreadable(r, err)
		}
		return packed, nil
	default:
		return nil, respond.InvalidRequest(fmt.Sprintf("Unsupported content encoding %.100q: use gzip or none", coding))
	}
}

// unreadable distinguishes a client that stopped sending from one that sent malformed chunks or gzip.
func unreadable(r *http.Request, err error) error {
	var (
		network net.Error
		corrupt flate.CorruptInputError
	)
	if errors.Is(err, gzip.ErrHeader) || errors.Is(err, gzip.ErrChecksum) || errors.As(err, &corrupt) ||
		errors.Is(err, io.ErrUnexpectedEOF) && r.Header.Get("Content-Encoding") != "" {
		return respond.InvalidRequest("The request body is not gzip, as its Content-Encoding says")
	}
	if r.ProtoMajor > 1 || r.ContentLength >= 0 || errors.Is(err, io.ErrUnexpectedEOF) || errors.As(err, &network) {
		return fmt.Errorf("%w: %w", ErrClientGone, err)
	}
	return &BodyError{http.StatusBadRequest, "The chunks of the request body cannot be read"}
}

func tooLarge(limit int64) error {
	return &BodyError{http.StatusRequestEntityTooLarge, fmt.Sprintf("The request body is larger than the limit of %d bytes", limit)}
}

// IsTooLarge reports whether an error means that a body is larger than its limit.
func IsTooLarge(err error) bool {
	refused, ok := errors.AsType[*BodyError](err)
	return ok && refused.Status == http.StatusRequestEntityTooLarge
}

// IsJSON reports whether a content type is JSON, such as application/json or application/scim+json.
func IsJSON(contentType string) bool {
	mediaType, _, err := mime.ParseMediaType(contentType)
	return err == nil && (mediaType == "application/json" || strings.HasSuffix(mediaType, "+json"))
}
