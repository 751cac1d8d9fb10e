package otlpgrpc

import (
	"context"
	"fmt"
	"net/http"
	"strconv"
	"time"
)

// withDeadline returns the context of a call. It ends when the client stops waiting, if the client said when that is; so
// does receiving its message.
func (s *Server) withDeadline(w http.ResponseWriter, r *http.Request) (context.Context, context.CancelFunc, error) {
	header := r.Header.Get("Grpc-Timeout")
	if header == "" {
		return r.Context(), func() {}, nil
	}
	timeout, ok := parseTimeout(header)
	if !ok {
		return nil, nil, &failure{code: internal, message: fmt.Sprintf("The grpc-timeout %.20q cannot be read", header)}
	}
	if timeout < s.Receiving {
		if err := http.NewResponseController(w).SetReadDeadline(time.Now().Add(timeout)); err != nil {
			return nil, nil, fmt.Errorf("cannot limit the time for receiving an export to %v: %w", timeout, err)
		}
	}
	ctx, cancel := context.WithTimeout(r.Context(), timeout)
	return ctx, cancel, nil
}

// timeoutUnits are what a grpc-timeout can be given in.
var timeoutUnits = map[byte]time.Duration{
	'H': time.Hour, 'M': time.Minute, 'S': time.Second, 'm': time.Millisecond, 'u': time.Microsecond, 'n': time.Nanosecond,
}

// parseTimeout reads a grpc-timeout: up to eight digits and a unit.
func parseTimeout(header string) (time.Duration, bool) {
	const mostDigits = 8
	digits := len(header) - 1
	if digits < 1 || digits > mostDigits {
		return 0, false
	}
	unit, known := timeoutUnits[header[digits]]
	n, err := strconv.ParseUint(header[:digits], 10, 32)
	if err != nil || !known {
		return 0, false
	}
	const longest = 24 * 365 * time.Hour // as good as none, and it can be added to the time of today
	return min(time.Duration(n), longest/unit) * unit, true
}
