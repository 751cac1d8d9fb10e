package otlpgrpc

import (
	"context"
	"encoding/binary"
	"errors"
	"fmt"
	"net/http"
	"runtime/debug"
	"strings"

	"almanac/internal/auth"
	"almanac/internal/domain"
	"almanac/internal/ingest"
	"almanac/internal/otlp"
	"almanac/internal/peer"
)

// exportPath is the only method that is served.
const exportPath = "/opentelemetry.proto.collector.trace.v1.TraceService/Export"

// contentType is that of calls and answers. That of calls may go on with how messages are written, which for OTLP is
// always the same.
const contentType = "application/grpc"

// serve serves one call.
func (s *Server) serve(w http.ResponseWriter, r *http.Request) {
	switch {
	case r.Method != http.MethodPost:
		w.WriteHeader(http.StatusMethodNotAllowed)
		return
	case !isGRPC(r.Header.Get("Content-Type")):
		w.WriteHeader(http.StatusUnsupportedMediaType)
		return
	}
	w.Header().Set("Content-Type", contentType)
	answer, err := s.call(w, r)
	if err != nil {
		s.failureOf(err).write(w.Header())
		return // a call that failed has no message, and its status comes in the only header
	}
	message := binary.BigEndian.AppendUint32([]byte{plain}, uint32(len(answer))) //nolint:gosec // a few kilobytes
	if _, err := w.Write(append(message, answer...)); err == nil {               //nolint:gosec // no browser reads it
		w.Header().Set(http.TrailerPrefix+"Grpc-Status", "0")
	} // otherwise the client is gone
}

// isGRPC tells calls from other requests.
func isGRPC(header string) bool {
	rest, ok := strings.CutPrefix(strings.ToLower(header), contentType)
	return ok && (rest == "" || rest[0] == '+' || rest[0] == ';')
}

// call returns the message of the answer.
func (s *Server) call(w http.ResponseWriter, r *http.Request) (answer []byte, err error) {
	defer func() {
		if p := recover(); p != nil {
			s.Log.Error("an export over gRPC made the server panic", "panic", fmt.Sprint(p), "stack", string(debug.Stack()))
			err = &failure{code: internal, message: "Internal Server Error"}
		}
	}()
	if r.URL.Path != exportPath {
		return nil, &failure{code: unimplemented, message: fmt.Sprintf("There is no method %.200q here, only %s", r.URL.Path, exportPath)}
	}
	encoding := strings.ToLower(r.Header.Get("Grpc-Encoding"))
	if encoding != "" && encoding != "identity" && encoding != "gzip" {
		w.Header().Set("Grpc-Accept-Encoding", "identity,gzip")
		return nil, &failure{code: unimplemented, message: fmt.Sprintf("Unsupported grpc-encoding %.100q: use gzip or identity", encoding)}
	}
	ctx, cancel, err := s.withDeadline(w, r)
	if err != nil {
		return nil, err
	}
	defer cancel()
	answer, err = s.export(ctx, r, encoding)
	var known *failure
	if err != nil && !errors.As(err, &known) && errors.Is(ctx.Err(), context.DeadlineExceeded) {
		// Whatever was being waited for, it is the client's time that ended, not a fault of the server.
		return nil, &failure{code: deadlineExceeded, message: "The export took longer than the client waits"}
	}
	return answer, err
}

// export takes an export in.
func (s *Server) export(ctx context.Context, r *http.Request, encoding string) (answer []byte, err error) {
	headers := ingest.Headers(r.Header.Get)
	scope, consumer, err := s.admit(ctx, headers) // before anything is received
	if err != nil {
		address := peer.Network(s.Proxies.Address(r.RemoteAddr, r.Header["X-Forwarded-For"]))
		return nil, s.Failures.Slow(ctx, address, err)
	}
	sent := s.Ingest.NewBody(scope.ProjectID())
	defer sent.Release()
	compressed, err := readMessage(ctx, r.Body, sent, s.Ingest.MaxExport())
	if err != nil {
		return nil, err
	}
	switch {
	case !compressed:
		encoding = ""
	case encoding != "gzip":
		return nil, malformed("it is marked as compressed, but grpc-encoding does not say how")
	}

	ctx, cancel := context.WithTimeout(ctx, s.Handling)
	defer cancel()
	body, err := s.Ingest.Decompress(ctx, sent, encoding)
	if err != nil {
		return nil, err
	}
	defer body.Release()
	result, err := s.Ingest.Traces(ctx, scope, ingest.Request{
		Transport: "grpc", Consumer: consumer, Source: ingest.SourceOf(headers), Version: ingest.VersionOf(headers), Encoding: ingest.Protobuf, Body: body,
	})
	if err != nil {
		return nil, err
	}
	if result.Message != "" {
		answer = otlp.AppendPartialSuccessProtobuf(nil, result.Rejected, result.Message)
	}
	return answer, nil
}

// admit checks the credential, and counts the call.
func (s *Server) admit(ctx context.Context, headers ingest.Headers) (domain.ProjectScope, domain.Consumer, error) {
	principal, err := s.Keys.Check(ctx, headers("authorization"))
	if err != nil {
		return domain.ProjectScope{}, domain.Consumer{}, err
	}
	const insufficient = "Access denied - insufficient permissions for this endpoint"
	scope, ok := principal.Project()
	consumer := principal.Consumer()
	switch {
	case !ok, principal.PublicOnly():
		return scope, consumer, &auth.Denied{Status: http.StatusForbidden, Message: insufficient}
	case !principal.May(domain.TracesWrite):
		return scope, consumer, &auth.Denied{Status: http.StatusForbidden, Message: insufficient + ": the key lacks the permission " + domain.TracesWrite.String()}
	}
	_, err = s.Usage.Take(consumer, domain.Amounts{1})
	return scope, consumer, err
}
