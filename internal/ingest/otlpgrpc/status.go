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

	"almanac/internal/access/auth"
	"almanac/internal/ingest"
	"almanac/internal/limits/usage"
)

// asStatus maps an error to the status for the client. Exporters retry on Unavailable, after the delay given with it.
func (s *Server) asStatus(err error) error {
	var (
		known   interface{ GRPCStatus() *status.Status }
		denied  *auth.Denied
		refused *ingest.Error
		limited *usage.Exceeded
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

// overLimit tells exporters when to retry. Without a delay they do not, which is right for an export larger than the
// whole limit.
func overLimit(e *usage.Exceeded) error {
	if e.Never {
		return status.Error(codes.ResourceExhausted, e.Error())
	}
	return later(codes.ResourceExhausted, e.Error(), e.RetryAfter)
}

// later returns a status for a call that may be retried after a delay; 0 if the delay is unknown.
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
