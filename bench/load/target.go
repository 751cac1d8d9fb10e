package main

import (
	"bytes"
	"context"
	"encoding/binary"
	"fmt"
	"io"
	"maps"
	"net/http"
	"strings"
	"time"
)

// target is the server under test.
type target struct {
	url                  string
	publicKey, secretKey string
	otlpPath             string
	protocol             protocol
	headers              http.Header
	plain                bool // no gzip
	client               *http.Client
}

// protocol is how spans are sent.
type protocol string

const (
	protobufOverHTTP protocol = "http/protobuf"
	grpc             protocol = "grpc"
)

// grpcPath is the gRPC method that accepts spans.
const grpcPath = "/opentelemetry.proto.collector.trace.v1.TraceService/Export"

// longest is the timeout of a request.
const longest = 2 * time.Minute

func newTarget(o options) *target {
	// Each stream has as many connections as it needs, and none is closed in between.
	transport := &http.Transport{
		MaxIdleConnsPerHost: o.connections + 2*o.readers, DisableCompression: true, Proxy: http.ProxyFromEnvironment,
	}
	if o.protocol == grpc {
		transport.Protocols = new(http.Protocols)
		transport.Protocols.SetHTTP2(true)
		transport.Protocols.SetUnencryptedHTTP2(true)
	}
	return &target{
		url: strings.TrimRight(o.url, "/"), publicKey: o.publicKey, secretKey: o.secretKey, otlpPath: o.otlpPath, protocol: o.protocol,
		headers: http.Header(o.headers), plain: o.plain, client: &http.Client{Transport: transport, Timeout: longest},
	}
}

// reply is a response that was read to its end.
type reply struct {
	status          int
	header, trailer http.Header
	body            []byte
}

// do sends a request with the credentials and headers that all requests have.
func (t *target) do(r *http.Request) (*reply, error) {
	if t.publicKey != "" || t.secretKey != "" {
		r.SetBasicAuth(t.publicKey, t.secretKey)
	}
	maps.Copy(r.Header, t.headers)
	response, err := t.client.Do(r)
	if err != nil {
		return nil, err
	}
	defer response.Body.Close() //nolint:errcheck // only read
	body, err := io.ReadAll(response.Body)
	return &reply{response.StatusCode, response.Header, response.Trailer, body}, err
}

// get sends a query. Rows of the response are counted by a member name that each has once.
func (t *target) get(ctx context.Context, path, row string) (answer, []byte) {
	r, err := http.NewRequestWithContext(ctx, http.MethodGet, t.url+path, http.NoBody)
	if err != nil {
		return failure(err), nil
	}
	reply, err := t.do(r)
	if err != nil {
		return failure(err), nil
	}
	a := httpAnswer(reply.status)
	if !a.ok {
		a.problem = fmt.Sprintf("%.200s", bytes.TrimSpace(reply.body))
		return a, nil
	}
	a.units, a.bytes = bytes.Count(reply.body, []byte(`"`+row+`":`)), len(reply.body)
	return a, reply.body
}

// export sends spans. The body is already compressed unless the target wants it plain.
func (t *target) export(ctx context.Context, body []byte, spans int) answer {
	path, contentType := t.otlpPath, "application/x-protobuf"
	if t.protocol == grpc {
		path, contentType = grpcPath, "application/grpc+proto"
		body = grpcMessage(body, !t.plain)
	}
	r, err := http.NewRequestWithContext(ctx, http.MethodPost, t.url+path, bytes.NewReader(body))
	if err != nil {
		return failure(err)
	}
	r.Header.Set("Content-Type", contentType)
	r.Header.Set("X-Langfuse-Ingestion-Version", "4")
	switch {
	case t.protocol == grpc:
		r.Header.Set("Te", "trailers")
		if !t.plain {
			r.Header.Set("Grpc-Encoding", "gzip")
		}
	case !t.plain:
		r.Header.Set("Content-Encoding", "gzip")
	}
	reply, err := t.do(r)
	if err != nil {
		return failure(err)
	}
	a := httpAnswer(reply.status)
	if a.ok && t.protocol == grpc {
		a = grpcAnswer(reply)
	}
	if a.ok {
		a.units, a.bytes = spans, len(body)
	} else if a.problem == "" {
		a.problem = fmt.Sprintf("%.200s", bytes.TrimSpace(reply.body))
	}
	return a
}

// grpcMessage prepends the gRPC message header.
func grpcMessage(body []byte, compressed bool) []byte {
	message := make([]byte, 1, 5+len(body))
	if compressed {
		message[0] = 1
	}
	message = binary.BigEndian.AppendUint32(message, uint32(len(body)))
	return append(message, body...)
}

// grpcAnswer reads the gRPC status, which is in the trailer, or in the header if there is no body.
func grpcAnswer(r *reply) answer {
	status, problem := r.trailer.Get("Grpc-Status"), r.trailer.Get("Grpc-Message")
	if status == "" {
		status, problem = r.header.Get("Grpc-Status"), r.header.Get("Grpc-Message")
	}
	if status == "0" {
		return answer{status: "200", ok: true}
	}
	return answer{status: "grpc " + status, problem: problem}
}
