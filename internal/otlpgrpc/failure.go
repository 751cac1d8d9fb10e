package otlpgrpc

import (
	"context"
	"encoding/base64"
	"encoding/binary"
	"errors"
	"net/http"
	"strconv"
	"time"

	"almanac/internal/auth"
	"almanac/internal/ingest"
	"almanac/internal/limits"
)

// code says how a call ended.
type code int

// The codes that are used, of those that gRPC has.
const (
	canceled          code = 1
	invalidArgument   code = 3
	deadlineExceeded  code = 4
	permissionDenied  code = 7
	resourceExhausted code = 8
	unimplemented     code = 12
	internal          code = 13
	unavailable       code = 14
	unauthenticated   code = 16
)

// failure is what a client is told of a call that failed. It is an error so that it can be returned as one.
type failure struct {
	code    code
	message string
	// retryAfter is when it is worth trying again; 0 if nothing is known of that.
	retryAfter time.Duration
}

func (f *failure) Error() string { return f.message }

// failureOf maps every error to what the client is told. Exporters repeat what is answered Unavailable, after the time
// that is given with it.
func (s *Server) failureOf(err error) *failure {
	var (
		known   *failure
		denied  *auth.Denied
		refused *ingest.Error
		limited *limits.Exceeded
	)
	switch {
	case errors.As(err, &known):
		return known
	case errors.As(err, &denied):
		return s.denial(denied)
	case errors.As(err, &refused):
		return refusal(refused)
	case errors.As(err, &limited):
		return overLimit(limited)
	case errors.Is(err, context.Canceled):
		return &failure{code: canceled, message: err.Error()}
	case errors.Is(err, context.DeadlineExceeded):
		return &failure{code: deadlineExceeded, message: err.Error()}
	}
	s.Log.Error("an export over gRPC failed", "error", err)
	return &failure{code: internal, message: "Internal Server Error"}
}

func (s *Server) denial(d *auth.Denied) *failure {
	switch d.Status {
	case http.StatusUnauthorized:
		return &failure{code: unauthenticated, message: d.Message}
	case http.StatusForbidden:
		return &failure{code: permissionDenied, message: d.Message}
	case http.StatusTooManyRequests:
		return &failure{code: resourceExhausted, message: d.Message, retryAfter: time.Duration(d.RetryAfter) * time.Second}
	}
	s.Log.Error("cannot check the credential of an export over gRPC", "error", d.Unwrap())
	return &failure{code: unavailable, message: d.Message}
}

func refusal(e *ingest.Error) *failure {
	switch e.Kind {
	case ingest.Busy:
		return &failure{code: unavailable, message: e.Message, retryAfter: e.RetryAfter}
	case ingest.TooLarge:
		return &failure{code: resourceExhausted, message: e.Message}
	}
	return &failure{code: invalidArgument, message: e.Message}
}

// overLimit tells exporters when to come back. Without that they do not: what is more than the whole limit never passes.
func overLimit(e *limits.Exceeded) *failure {
	f := &failure{code: resourceExhausted, message: e.Error()}
	if !e.Never {
		f.retryAfter = e.RetryAfter
	}
	return f
}

// write writes the status into a header.
func (f *failure) write(header http.Header) {
	header.Set("Grpc-Status", strconv.Itoa(int(f.code)))
	header.Set("Grpc-Message", percentEncode(f.message))
	if f.retryAfter > 0 {
		header.Set("Grpc-Status-Details-Bin", base64.RawStdEncoding.EncodeToString(f.details()))
	}
}

// percentEncode writes a text with the bytes that grpc-message allows.
func percentEncode(text string) string {
	const hex = "0123456789ABCDEF"
	encoded := make([]byte, 0, len(text))
	for _, b := range []byte(text) {
		if b < ' ' || b > '~' || b == '%' {
			encoded = append(encoded, '%', hex[b>>4], hex[b&0xf])
		} else {
			encoded = append(encoded, b)
		}
	}
	return string(encoded)
}

// details returns the status as a message (google.rpc.Status), with when to try again (google.rpc.RetryInfo).
func (f *failure) details() []byte {
	delay := appendNumber(nil, 1, uint64(f.retryAfter/time.Second))           //nolint:gosec // not negative
	delay = appendNumber(delay, 2, uint64(f.retryAfter%time.Second))          //nolint:gosec // not negative
	detail := appendBytes(nil, 1, "type.googleapis.com/google.rpc.RetryInfo") // a message of any type begins with its name
	detail = appendBytes(detail, 2, appendBytes(nil, 1, delay))
	whole := appendNumber(nil, 1, uint64(f.code)) //nolint:gosec // a constant
	whole = appendBytes(whole, 2, f.message)
	return appendBytes(whole, 3, detail)
}

// appendNumber and appendBytes write fields in protobuf.
func appendNumber(to []byte, field byte, n uint64) []byte {
	return binary.AppendUvarint(append(to, field<<3), n)
}

func appendBytes[T string | []byte](to []byte, field byte, content T) []byte {
	to = binary.AppendUvarint(append(to, field<<3|2), uint64(len(content)))
	return append(to, content...)
}
