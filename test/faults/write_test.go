package faults

import (
	"bytes"
	"context"
	"crypto/rand"
	"crypto/sha256"
	"encoding/base64"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"io"
	mathrand "math/rand/v2"
	"net/http"
	"strings"
	"sync"
	"sync/atomic"
	"time"

	commonpb "go.opentelemetry.io/proto/otlp/common/v1"
	tracepb "go.opentelemetry.io/proto/otlp/trace/v1"
	"google.golang.org/grpc/codes"
	"google.golang.org/grpc/metadata"
	"google.golang.org/grpc/status"
	"google.golang.org/protobuf/proto"
)

func randomHex(bytes int) string {
	b := make([]byte, bytes)
	_, _ = rand.Read(b)
	return hex.EncodeToString(b)
}

func basicAuth() string {
	return "Basic " + base64.StdEncoding.EncodeToString([]byte(publicKey+":"+secretKey))
}

// do sends a request and returns the status, body and header of the response.
func (w *world) do(method, address, contentType string, body []byte) (int, string, http.Header, error) {
	r, err := http.NewRequestWithContext(w.t.Context(), method, address, bytes.NewReader(body))
	if err != nil {
		return 0, "", nil, err
	}
	if !strings.Contains(address, "/content?") { // such a URL is its own credential
		r.Header.Set("Authorization", basicAuth())
	}
	if contentType != "" {
		r.Header.Set("Content-Type", contentType)
	}
	answer, err := w.client.Do(r)
	if err != nil {
		return 0, "", nil, err
	}
	defer answer.Body.Close()
	text, err := io.ReadAll(answer.Body)
	return answer.StatusCode, string(text), answer.Header, err
}

// send sends JSON.
func (w *world) send(method, path string, value any) (int, string, error) {
	body, err := json.Marshal(value)
	if err != nil {
		return 0, "", err
	}
	code, text, _, err := w.do(method, w.server.URL+path, "application/json", body)
	return code, text, err
}

// spans returns an export of spans with these ids in one trace.
func spans(ids []string) *tracepb.TracesData { return spansOf([]byte(randomHex(8)), ids, contentOf) }

func spansOf(trace []byte, ids []string, content func(id string) string) *tracepb.TracesData {
	list := make([]*tracepb.Span, len(ids))
	for n, id := range ids {
		raw, _ := hex.DecodeString(id)
		now := uint64(time.Now().UnixNano())
		list[n] = &tracepb.Span{
			TraceId: trace, SpanId: raw, Name: id, StartTimeUnixNano: now, EndTimeUnixNano: now + 1e6,
			Attributes: []*commonpb.KeyValue{{Key: "langfuse.observation.input", Value: &commonpb.AnyValue{
				Value: &commonpb.AnyValue_StringValue{StringValue: content(id)},
			}}},
		}
	}
	return &tracepb.TracesData{ResourceSpans: []*tracepb.ResourceSpans{{ScopeSpans: []*tracepb.ScopeSpans{{
		Scope: &commonpb.InstrumentationScope{Name: "langfuse-sdk"}, Spans: list,
	}}}}}
}

func newIDs() []string {
	ids := make([]string, 1+mathrand.IntN(40))
	for n := range ids {
		ids[n] = randomHex(8)
	}
	return ids
}

const tracesPath = "/api/public/otel/v1/traces"

// writer sends a new record and returns whether it was acknowledged, refused for now, or failed on the way.
type writer func(w *world) outcome

type outcome int

const (
	acknowledged outcome = iota
	refused
	broken // no response
)

// settle records the outcome of a write. success is the status of a successful response.
func (w *world) settle(keys []key, success, code int, text string, header http.Header, err error) outcome {
	switch {
	case err != nil:
		return broken
	case code == success:
		w.ledger.acknowledge(keys)
		return acknowledged
	case code == http.StatusServiceUnavailable && header.Get("Retry-After") != "":
		w.ledger.refuse()
		return refused
	}
	w.violation("writing %s %s is answered with %d %.300s", keys[0].kind, keys[0].id, code, text)
	return refused
}

func writeSpans(w *world) outcome {
	ids := newIDs()
	body, err := proto.Marshal(spans(ids))
	if err != nil {
		w.t.Error(err)
		return broken
	}
	keys := w.ledger.begin(observation, ids...)
	code, text, header, err := w.do(http.MethodPost, w.server.URL+tracesPath, "application/x-protobuf", body)
	return w.settle(keys, http.StatusOK, code, text, header, err)
}

func writeSpansByGRPC(w *world) outcome {
	ids := newIDs()
	keys := w.ledger.begin(observation, ids...)
	ctx, cancel := context.WithTimeout(metadata.AppendToOutgoingContext(w.t.Context(), "authorization", basicAuth()), w.client.Timeout)
	defer cancel()
	// An export request is encoded like TracesData, and an empty response like any empty message.
	err := w.grpc.Invoke(ctx, "/opentelemetry.proto.collector.trace.v1.TraceService/Export", spans(ids), new(tracepb.TracesData))
	switch detailed := status.Convert(err); {
	case err == nil:
		w.ledger.acknowledge(keys)
		return acknowledged
	case detailed.Code() == codes.Unavailable && len(detailed.Details()) > 0: // with RetryInfo
		w.ledger.refuse()
		return refused
	case detailed.Code() != codes.Unavailable && detailed.Code() != codes.DeadlineExceeded && detailed.Code() != codes.Canceled:
		w.violation("an export by gRPC is answered with %v", err)
	}
	return broken
}

func writeScore(w *world) outcome {
	id := randomHex(8)
	keys := w.ledger.begin(score, id)
	body, _ := json.Marshal(map[string]any{"id": id, "traceId": "t", "name": "quality", "value": 1, "comment": contentOf(id)})
	code, text, header, err := w.do(http.MethodPost, w.server.URL+"/api/public/scores", "application/json", body)
	return w.settle(keys, http.StatusOK, code, text, header, err)
}

func writeScores(w *world) outcome {
	ids := newIDs()
	events := make([]map[string]any, len(ids))
	for n, id := range ids {
		events[n] = map[string]any{
			"id": "event-" + id, "type": "score-create", "timestamp": time.Now().UTC().Format(time.RFC3339Nano),
			"body": map[string]any{"id": id, "traceId": "t", "name": "quality", "value": 0.5, "comment": contentOf(id)},
		}
	}
	keys := w.ledger.begin(score, ids...)
	body, _ := json.Marshal(map[string]any{"batch": events})
	code, text, header, err := w.do(http.MethodPost, w.server.URL+"/api/public/ingestion", "application/json", body)
	if err == nil && code == http.StatusMultiStatus && !strings.Contains(text, `"errors":[]`) {
		w.violation("a batch of scores is answered with %s", text)
		return refused
	}
	return w.settle(keys, http.StatusMultiStatus, code, text, header, err)
}

func writeItem(w *world) outcome {
	id := randomHex(8)
	keys := w.ledger.begin(item, id)
	body, _ := json.Marshal(map[string]any{"id": id, "datasetName": dataset, "input": contentOf(id)})
	code, text, header, err := w.do(http.MethodPost, w.server.URL+"/api/public/dataset-items", "application/json", body)
	return w.settle(keys, http.StatusOK, code, text, header, err)
}

func writePrompt(w *world) outcome {
	id := randomHex(8)
	keys := w.ledger.begin(prompt, id)
	body, _ := json.Marshal(map[string]any{"name": id, "type": "text", "prompt": contentOf(id)})
	code, text, header, err := w.do(http.MethodPost, w.server.URL+"/api/public/v2/prompts", "application/json", body)
	return w.settle(keys, http.StatusCreated, code, text, header, err)
}

// writeMedium announces a file and uploads it. The ledger knows it by the name that its content begins with, the server
// by its own id.
func writeMedium(w *world) outcome {
	id, jumps := randomHex(8), w.jumps.Load()
	content := []byte(contentOf(id))
	sum := sha256.Sum256(content)
	body, _ := json.Marshal(map[string]any{
		"traceId": "t", "field": "input", "contentType": "text/plain", "contentLength": len(content),
		"sha256Hash": base64.StdEncoding.EncodeToString(sum[:]),
	})
	code, text, header, err := w.do(http.MethodPost, w.server.URL+"/api/public/media", "application/json", body)
	var announced struct{ MediaID, UploadURL string }
	if err != nil || code != http.StatusCreated {
		return w.settle([]key{{medium, id}}, http.StatusCreated, code, text, header, err)
	}
	if err := json.Unmarshal([]byte(text), &announced); err != nil {
		w.violation("a medium is announced, and the answer is %s", text)
		return broken
	}
	w.mu.Lock()
	w.media[id] = announced.MediaID
	w.mu.Unlock()
	keys := w.ledger.begin(medium, id)
	code, text, header, err = w.do(http.MethodPut, announced.UploadURL, "text/plain", content)
	if code == http.StatusForbidden && w.jumps.Load() != jumps {
		return refused // the link has expired by the server's clock
	}
	return w.settle(keys, http.StatusOK, code, text, header, err)
}

// writers returns the writers that run concurrently.
func writers() []writer {
	return []writer{
		writeSpans, writeSpans, writeSpans, writeSpansByGRPC, writeSpansByGRPC, writeScores, writeScore, writeItem, writePrompt,
		writeMedium,
	}
}

// load writes all kinds of records concurrently until it is stopped.
type load struct {
	stop    atomic.Bool
	wg      sync.WaitGroup
	answers [broken + 1]atomic.Int64
}

func (w *world) startLoad() *load {
	l := new(load)
	for _, write := range writers() {
		l.wg.Go(func() {
			for !l.stop.Load() {
				result := write(w)
				l.answers[result].Add(1)
				if result != acknowledged {
					time.Sleep(5 * time.Millisecond)
				}
			}
		})
	}
	return l
}

func (l *load) end() {
	l.stop.Store(true)
	l.wg.Wait()
}

// writeEach writes one record of each kind, which must be acknowledged in time: the server may need a moment to notice
// that a fault is over.
func (w *world) writeEach(patience time.Duration, when string) {
	deadline := time.Now().Add(patience)
	for n, write := range writers() {
		for result := write(w); result != acknowledged; result = write(w) {
			if time.Now().After(deadline) {
				w.violation("%s writer %d is not acknowledged within %v (%d)", when, n, patience, result)
				return
			}
			time.Sleep(50 * time.Millisecond)
		}
	}
}

// String summarizes the load in a line.
func (l *load) String() string {
	return fmt.Sprintf("%d acknowledged, %d refused, %d broken", l.answers[acknowledged].Load(), l.answers[refused].Load(),
		l.answers[broken].Load())
}
