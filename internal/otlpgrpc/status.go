package otlpgrpc

import (
	"context"
	"errors"
	"net/http"
	"time"

	"google.golang.org/genproto/googleapis/rpc/errdetails"
	"google.golang.org/grpc/codes"
	"google.golang.org/grpc/status"
	"google.golang.org/protobuf/types/known/durationpb"

	"almanac/internal/auth"
	"almanac/internal/ingest"
	"almanac/internal/limits"
)

// asStatus maps every error to what the client is told. Exporters repeat what is answered Unavailable, after the time
// that is given with it.
func (s *Server) asStatus(err error) error {
	var (
		known   interface{ GRPCStatus() *status.Status }
		denied  *auth.Denied
		refused *ingest.Error
		limited *limits.Exceeded
	)
	switch {
	case errors.As(err, &known):
		return err
	case errors.As(err, &denied):
		return s.denial(denied)
	case errors.As(err, &refused):
		return refusal(refused)
	case errors.As(err, &limited):
		return overLimit(limited)
	case errors.Is(err, context.Canceled), errors.Is(err, context.DeadlineExceeded):
		return status.FromContextError(err).Err()
	}
	s.Log.Error("gRPC export failed", "error", err)
	return status.Error(codes.Internal, "Internal Server Error")
}

func (s *Server) denial(d *auth.Denied) error {
	switch d.Status {
	case http.StatusUnauthorized:
		return status.Error(codes.Unauthenticated, d.Message)
	case http.StatusForbidden:
		return status.Error(codes.PermissionDenied, d.Message)
	case http.StatusTooManyRequests:
		return later(codes.ResourceExhausted, d.Message, time.Duration(d.RetryAfter)*time.Second)
	}
	s.Log.Error("cannot verify the credentials of a gRPC export", "error", d.Unwrap())
	return status.Error(codes.Unavailable, d.Message)
}

func refusal(e *ingest.Error) error {
	switch e.Kind {
	case ingest.Busy:
		return later(codes.Unavailable, e.Message, e.RetryAfter)
	case ingest.TooLarge:
		return status.Error(codes.ResourceExhausted, e.Message)
	}
	return status.Error(codes.InvalidArgument, e.Message)
}

// overLimit tells exporters when to come back. Without that they do not: what is more than the whole limit never passes.
func overLimit(e *limits.Exceeded) error {
	if e.Never {
		return status.Error(codes.ResourceExhausted, e.Error())
	}
	return later(codes.ResourceExhausted, e.Error(), e.RetryAfter)
}

// later is the status of what may be tried again after a while; 0 if nothing is known of that.
func later(code codes.Code, message string, after time.Duration) error {
	s := status.New(code, message)
	if after == 0 {
		return s.Err()
	}
	if detailed, err := s.WithDetails(&errdetails.RetryInfo{RetryDelay: durationpb.New(after)}); err == nil {
		s = detailed
	}
	return s.Err()
}
