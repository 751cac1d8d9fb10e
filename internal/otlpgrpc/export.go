package otlpgrpc

import (
	"context"
	"fmt"
	"net/http"
	"runtime/debug"
	"time"

	"google.golang.org/grpc"
	"google.golang.org/grpc/codes"
	"google.golang.org/grpc/metadata"
	"google.golang.org/grpc/status"

	"almanac/internal/auth"
	"almanac/internal/domain"
	"almanac/internal/ingest"
	"almanac/internal/otlp"
)

// export serves one call.
func (s *Server) export(_ any, stream grpc.ServerStream) (err error) {
	defer func() {
		if p := recover(); p != nil {
			s.Log.Error("an export over gRPC made the server panic", "panic", fmt.Sprint(p), "stack", string(debug.Stack()))
			err = status.Error(codes.Internal, "Internal Server Error")
		}
	}()
	answer, err := s.handle(stream)
	if err != nil {
		return s.asStatus(err)
	}
	return stream.SendMsg(&message{bytes: answer})
}

func (s *Server) handle(stream grpc.ServerStream) (answer []byte, err error) {
	headers := metadataOf(stream.Context())
	scope, err := s.admit(stream.Context(), headers)
	if err != nil {
		return nil, err
	}
	body, err := s.receive(stream)
	if err != nil {
		return nil, err
	}
	defer body.Release()
	ctx, cancel := context.WithTimeout(stream.Context(), s.Handling)
	defer cancel()
	result, err := s.Ingest.Traces(ctx, scope, ingest.Request{
		Transport: "grpc", Source: ingest.SourceOf(headers), Version: ingest.VersionOf(headers), Encoding: ingest.Protobuf, Body: body,
	})
	if err != nil {
		return nil, err
	}
	if result.Message != "" {
		answer = otlp.AppendPartialSuccessProtobuf(nil, result.Rejected, result.Message)
	}
	return answer, nil
}

// metadataOf returns the metadata of a call.
func metadataOf(ctx context.Context) ingest.Headers {
	md, _ := metadata.FromIncomingContext(ctx)
	return func(name string) string {
		if values := md[name]; len(values) > 0 {
			return values[0]
		}
		return ""
	}
}

// admit checks the credential.
func (s *Server) admit(ctx context.Context, headers ingest.Headers) (domain.ProjectScope, error) {
	principal, err := s.Keys.Check(ctx, headers("authorization"))
	if err != nil {
		return domain.ProjectScope{}, err
	}
	const insufficient = "Access denied - insufficient permissions for this endpoint"
	scope, ok := principal.Project()
	switch {
	case !ok, principal.PublicOnly():
		return scope, &auth.Denied{Status: http.StatusForbidden, Message: insufficient}
	case !principal.May(domain.TracesWrite):
		return scope, &auth.Denied{Status: http.StatusForbidden, Message: insufficient + ": the key lacks the permission " + domain.TracesWrite.String()}
	}
	return scope, nil
}

// receive receives the message. How long it is shows only when it is there, so room is reserved for the largest, once as
// it was sent and once decompressed.
func (s *Server) receive(stream grpc.ServerStream) (*ingest.Body, error) {
	reservation := s.receiving.Reserve()
	if err := reservation.Grow(stream.Context(), 2*s.maxMessage); err != nil {
		return nil, err
	}
	m := &message{body: s.Ingest.NewBody(), ctx: stream.Context(), limit: s.maxMessage}
	received, late := make(chan error), make(chan struct{})
	go func() { // it ends with the call at the latest
		err := stream.RecvMsg(m)
		reservation.Release()
		if err == nil {
			err = m.err
		}
		if err != nil {
			m.body.Release()
		}
		select {
		case received <- err:
		case <-late:
			m.body.Release()
		}
	}()
	timeout := time.NewTimer(s.Receiving)
	defer timeout.Stop()
	select {
	case err := <-received:
		return m.body, err
	case <-timeout.C:
		close(late)
		return nil, status.Error(codes.DeadlineExceeded, "The export took too long to arrive")
	}
}
