package otlpgrpc

import (
	"context"
	"errors"
	"net/http"

	"google.golang.org/genproto/googleapis/rpc/errdetails"
	"google.golang.org/grpc/codes"
	"google.golang.org/grpc/status"
	"google.golang.org/protobuf/types/known/durationpb"

	"almanac/internal/auth"
	"almanac/internal/ingest"
)

// asStatus maps every error to what the client is told. Exporters repeat what is answered Unavailable, after the time
// that is given with it.
func (s *Server) asStatus(err error) error {
	var (
		denied  *auth.Denied
		refused *ingest.Error
	)
	switch {
	case errors.As(err, &denied):
		return s.denial(denied)
	case errors.As(err, &refused):
		return refusal(refused)
	case errors.Is(err, context.Canceled), errors.Is(err, context.DeadlineExceeded):
		return status.FromContextError(err).Err()
	}
	if _, ok := status.FromError(err); ok {
		return err
	}
	s.Log.Error("an export over gRPC failed", "error", err)
	return status.Error(codes.Internal, "Internal Server Error")
}

func (s *Server) denial(d *auth.Denied) error {
	switch d.Status {
	case http.StatusUnauthorized:
		return status.Error(codes.Unauthenticated, d.Message)
	case http.StatusForbidden:
		return status.Error(codes.PermissionDenied, d.Message)
	}
	s.Log.Error("cannot check the credential of an export over gRPC", "error", d.Unwrap())
	return status.Error(codes.Unavailable, d.Message)
}

func refusal(e *ingest.Error) error {
	switch e.Kind {
	case ingest.Busy:
		later := &errdetails.RetryInfo{RetryDelay: durationpb.New(e.RetryAfter)}
		if detailed, err := status.New(codes.Unavailable, e.Message).WithDetails(later); err == nil {
			return detailed.Err()
		}
		return status.Error(codes.Unavailable, e.Message)
	case ingest.TooLarge:
		return status.Error(codes.ResourceExhausted, e.Message)
	}
	return status.Error(codes.InvalidArgument, e.Message)
}
