package otlpgrpc

import (
	"context"
	"errors"
	"fmt"
	"runtime/debug"
	"time"

	"google.golang.org/grpc"
	"google.golang.org/grpc/codes"
	"google.golang.org/grpc/metadata"
	grpcpeer "google.golang.org/grpc/peer"
	"google.golang.org/grpc/status"

	"almanac/internal/access/auth"
	"almanac/internal/access/clientaddr"
	"almanac/internal/domain"
	"almanac/internal/ingest"
	"almanac/internal/ingest/otlp"
)

// serve handles one call.
func (s *Server) serve(_ any, stream grpc.ServerStream) (err error) {
	defer func() {
		if p := recover(); p != nil {
			s.Log.Error("panic while serving gRPC export", "panic", fmt.Sprint(p), "stack", string(debug.Stack()))
			err = status.Error(codes.Internal, "Internal Server Error")
		}
	}()
	ctx := stream.Context()
	reply, err := s.export(ctx)
	if err != nil {
		var known interface{ GRPCStatus() *status.Status }
		if !errors.As(err, &known) && errors.Is(ctx.Err(), context.DeadlineExceeded) {
			// Whatever the call was waiting for, the client's deadline passed; it is not a fault of the server.
			return status.Error(codes.DeadlineExceeded, "The export took longer than the client waits")
		}
		return s.asStatus(err)
	}
	return stream.SendMsg(reply)
}

// export ingests one export.
func (s *Server) export(ctx context.Context) (answer, error) {
	md, _ := metadata.FromIncomingContext(ctx)
	headers := ingest.Headers(func(name string) string {
		if values := md[name]; len(values) > 0 {
			return values[0]
		}
		return ""
	})
	principal, scope, err := s.admit(ctx, headers("authorization")) // before anything is received
	if err != nil {
		return nil, s.Failures.Slow(ctx, s.addressOf(ctx, md), err)
	}
	stream, err := incomingOf(ctx)
	if err != nil {
		return nil, err
	}
	sent := s.Ingest.NewBody(scope.ProjectID())
	defer sent.Release()
	late := time.AfterFunc(s.Receiving, func() { cancelOf(ctx)(errSlow) })
	compression, err := receive(ctx, stream, sent, s.Ingest.MaxExport())
	late.Stop()
	if err != nil {
		return nil, err
	}

	ctx, cancel := context.WithTimeout(ctx, s.Handling)
	defer cancel()
	body, err := s.Ingest.Decompress(ctx, sent, compression)
	if err != nil {
		return nil, err
	}
	defer body.Release()
	result, err := s.Ingest.Traces(ctx, scope, ingest.Request{
		Transport: "grpc", Consumer: principal.Consumer(), MayPublish: principal.May(domain.TracesPublish),
		Source: ingest.SourceOf(principal.PublicKey(), headers), Version: ingest.VersionOf(headers), Encoding: ingest.Protobuf, Body: body,
	})
	if err != nil || result.Message == "" {
		return nil, err
	}
	return otlp.AppendPartialSuccessProtobuf(nil, result.Rejected, result.Message), nil
}

// addressOf returns the network that a call comes from.
func (s *Server) addressOf(ctx context.Context, md metadata.MD) string {
	var remote string
	if p, ok := grpcpeer.FromContext(ctx); ok {
		remote = p.Addr.String()
	}
	return clientaddr.Network(s.Proxies.Address(remote, md["x-forwarded-for"]))
}

// admit checks the credential and counts the call.
func (s *Server) admit(ctx context.Context, authorization string) (auth.Principal, domain.ProjectScope, error) {
	principal, err := s.Keys.Check(ctx, authorization)
	if err != nil {
		return principal, domain.ProjectScope{}, err
	}
	scope, err := principal.RequireProject(domain.TracesWrite, false)
	if err != nil {
		return principal, scope, err
	}
	_, err = s.Usage.Reserve(principal.Consumer(), domain.Amounts{1})
	return principal, scope, err
}
