package blackbox

import (
	"encoding/json"
	"fmt"
	"io"
	"math/rand/v2"
	"net/http"
	"net/url"
	"strconv"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"almanac/test/harness"
)

// These tests read large data other than observations: scores, experiments, datasets, prompts and files.

// sendJSON sends a request, retries while the server is busy, and fails the test unless it succeeds.
func sendJSON(t *testing.T, s *harness.Server, path string, body any) string {
	t.Helper()
	text, err := json.Marshal(body)
	if err != nil {
		t.Fatal(err)
	}
	for {
		status, answer := s.Do(t, http.MethodPost, path, s.PublicKey, s.SecretKey, string(text))
		switch {
		case status == http.StatusServiceUnavailable:
		case status >= http.StatusMultipleChoices:
			t.Fatalf("%s: %d %.300s", path, status, answer)
		default:
			return answer
		}
	}
}

type object = map[string]any

// heavyExperiments is the number of experiments.
const heavyExperiments = 12

// sendExperiments sends experiments of one item each, with long texts.
func sendExperiments(t *testing.T, s *harness.Server, datasetID string) {
	t.Helper()
	random := rand.New(rand.NewPCG(3, 4))
	for n := range heavyExperiments {
		trace, span := fmt.Sprintf("%032x", 100+n), fmt.Sprintf("%016x", 100+n)
		var attributes []object
		for key, value := range map[string]string{
			"id": fmt.Sprint("e", n), "name": "experiment", "dataset.id": datasetID, "item.id": fmt.Sprint("i", n),
			"item.root_observation_id": span,
			"description":              heavyText(random, 500<<10), "item.expected_output": heavyText(random, 1<<20),
			"metadata.text": heavyText(random, 500<<10),
		} {
			attributes = append(attributes, object{"key": "langfuse.experiment." + key, "value": object{"stringValue": value}})
		}
		now := strconv.FormatInt(time.Now().UnixNano(), 10)
		row := object{
			"traceId": trace, "spanId": span, "name": "item", "startTimeUnixNano": now, "endTimeUnixNano": now, "attributes": attributes,
		}
		sendJSON(t, s, "/api/public/otel/v1/traces", object{"resourceSpans": []object{{"scopeSpans": []object{{"spans": []object{row}}}}}})
	}
}

// sendScores sends scores with long comments and metadata, on the traces of experiments and others.
func sendScores(t *testing.T, s *harness.Server) {
	t.Helper()
	random := rand.New(rand.NewPCG(5, 6))
	for n := range 24 {
		sendJSON(t, s, "/api/public/scores", object{
			"id": fmt.Sprint("score-", n), "traceId": fmt.Sprintf("%032x", 100+n%heavyExperiments), "name": "quality",
			"value": heavyText(random, 300<<10), "dataType": "CATEGORICAL",
			"comment": heavyText(random, 300<<10), "metadata": object{"text": heavyText(random, 300<<10)},
		})
	}
}

// sendDataset creates a dataset with long items and runs, and returns its id.
func sendDataset(t *testing.T, s *harness.Server) (id string) {
	t.Helper()
	random := rand.New(rand.NewPCG(7, 8))
	var created struct{ ID string }
	answer := sendJSON(t, s, "/api/public/v2/datasets", object{"name": "set", "metadata": object{"text": heavyText(random, 900<<10)}})
	if err := json.Unmarshal([]byte(answer), &created); err != nil {
		t.Fatal(err)
	}
	for n := range 6 {
		item := fmt.Sprint("item-", n)
		sendJSON(t, s, "/api/public/dataset-items", object{"datasetName": "set", "id": item, "input": heavyText(random, 4<<20)})
		sendJSON(t, s, "/api/public/dataset-run-items", object{
			"runName": fmt.Sprint("run-", n), "datasetItemId": item, "traceId": fmt.Sprintf("%032x", 100),
			"metadata": object{"text": heavyText(random, 900<<10)},
		})
	}
	return created.ID
}

// sendPrompts creates long prompts, one of which is composed of others.
func sendPrompts(t *testing.T, s *harness.Server) {
	t.Helper()
	random := rand.New(rand.NewPCG(9, 10))
	var whole []string
	for n := range 6 {
		name := fmt.Sprint("prompt-", n)
		sendJSON(t, s, "/api/public/v2/prompts", object{
			"name": name, "prompt": heavyText(random, 450<<10), "config": object{"text": heavyText(random, 450<<10)},
			"labels": []string{"production"},
		})
		whole = append(whole, "@@@langfusePrompt:name="+name+"|label=production@@@")
	}
	sendJSON(t, s, "/api/public/v2/prompts", object{"name": "whole", "prompt": strings.Join(whole, "\n"), "labels": []string{"production"}})
}

// TestHeavyRoutes reads everything else that can be large, from many routes at the same time.
func TestHeavyRoutes(t *testing.T) {
	const limit = 300 << 20
	s := startLimited(t, limit)
	datasetID := sendDataset(t, s)
	sendExperiments(t, s, datasetID)
	sendScores(t, s)
	sendPrompts(t, s)
	file, _ := sendFile(t, s, 10<<20)
	t.Logf("peak %d MB when everything is sent", peakMemory(t, s)>>20)
	get := func(path string) heavyRequest { return heavyRequest{http.MethodGet, path, ""} }
	tool := func(name string, arguments object) heavyRequest {
		call, _ := json.Marshal(object{
			"jsonrpc": "2.0", "id": 1, "method": "tools/call", "params": object{"name": name, "arguments": arguments},
		})
		return heavyRequest{http.MethodPost, "/api/public/mcp", string(call)}
	}
	question := func(view string, dimensions ...object) string {
		text, _ := json.Marshal(object{
			"view": view, "metrics": []object{{"measure": "count", "aggregation": "count"}}, "dimensions": dimensions,
			"fromTimestamp": "2020-01-01T00:00:00Z", "toTimestamp": "2040-01-01T00:00:00Z",
		})
		return url.QueryEscape(string(text))
	}
	// Each route has a minimum size of the response, so that none is measured that returns nothing.
	type heavyRoute struct {
		request heavyRequest
		bytes   int64
	}
	for name, routes := range map[string][]heavyRoute{
		"scores": {
			{get("/api/public/v3/scores?limit=100&fields=details"), 20 << 20},
			{get("/api/public/v2/scores?limit=100"), 20 << 20},
			{get("/api/public/scores?limit=100"), 20 << 20},
			{get("/api/public/v2/scores/score-3"), 900 << 10},
			{get("/api/public/traces/" + fmt.Sprintf("%032x", 100)), 3 << 20},
		},
		"groups with long names": {
			{get("/api/public/metrics?query=" + question("scores-categorical", object{"field": "stringValue"})), 6 << 20},
			{get("/api/public/v2/metrics?query=" + question("scores-categorical", object{"field": "stringValue"})), 6 << 20},
		},
		"experiments": {
			{get("/api/public/experiments?fields=core,metadata,scores"), 12 << 20},
			{get("/api/public/experiment-items?fields=core,dataset,io,metadata,itemMetadata,experimentMetadata,scores"), 20 << 20},
			{get("/api/public/datasets/set/runs"), 16 << 20},
			{get("/api/public/datasets/set/runs/run-0"), 900 << 10},
			{get("/api/public/dataset-run-items?runName=run-1&datasetId=" + datasetID), 100},
			{get("/api/public/metrics?query=" + question("traces", object{"field": "name"})), 10},
			{get("/api/public/metrics/daily"), 10},
		},
		"datasets": {
			{get("/api/public/dataset-items?limit=100"), 20 << 20},
			{get("/api/public/dataset-items/item-2"), 4 << 20},
			{get("/api/public/datasets/set"), 20 << 20},
			{get("/api/public/v2/datasets"), 900 << 10},
			{get("/api/public/v2/datasets/set"), 900 << 10},
			{tool("listDatasetItems", object{"limit": 1}), 10},
			{tool("getDataset", object{"datasetName": "set"}), 900 << 10},
		},
		"prompts and files": {
			{get("/api/public/v2/prompts?limit=100"), 2 << 20},
			{get("/api/public/v2/prompts/prompt-1"), 900 << 10},
			{get("/api/public/v2/prompts/whole"), 2 << 20},
			{get("/api/public/prompts?name=whole"), 2 << 20},
			{tool("getPrompt", object{"promptName": "prompt-2"}), 900 << 10},
			{heavyRequest{http.MethodGet, addressOf(t, s, file), ""}, 10 << 20},
		},
	} {
		t.Run(name, func(t *testing.T) {
			clients := 4 // of each route
			if name == "groups with long names" {
				clients = 20
			}
			stop, asked := make(chan struct{}), make(chan int)
			go func() { asked <- keepAsking(t, s, stop) }()
			var wg sync.WaitGroup
			var later atomic.Int64
			deadline := time.Now().Add(2 * time.Minute)
			for _, route := range routes {
				for range clients {
					wg.Go(func() {
						for !readWhole(t, s, route.request, route.bytes) {
							if later.Add(1); time.Now().After(deadline) {
								t.Errorf("%s: nobody gets an answer", route.request.path)
								return
							}
							time.Sleep(50 * time.Millisecond)
						}
					})
				}
			}
			wg.Wait()
			close(stop)
			if answered := <-asked; answered == 0 {
				t.Error("no small request was answered meanwhile")
			} else {
				t.Logf("%d whole answers, %d times asked to come back; %d small requests; peak %d MB", clients*len(routes), later.Load(),
					answered, peakMemory(t, s)>>20)
			}
			if peak := peakMemory(t, s); peak > limit {
				t.Errorf("%d MB are in use, %d MB allowed", peak>>20, limit>>20)
			}
		})
	}
}

// readWhole reads the response to a request, which must have at least the given number of bytes. It returns false if
// the server asks to retry.
func readWhole(t *testing.T, s *harness.Server, request heavyRequest, bytes int64) bool {
	t.Helper()
	answer, err := request.do(t.Context(), s)
	if err != nil {
		t.Errorf("%s: no answer: %v", request.path, err)
		return true
	}
	defer answer.Body.Close()
	if answer.StatusCode == http.StatusServiceUnavailable && answer.Header.Get("Retry-After") != "" {
		return false
	}
	if answer.StatusCode != http.StatusOK {
		text, _ := io.ReadAll(io.LimitReader(answer.Body, 300))
		t.Errorf("%s: status %d: %s", request.path, answer.StatusCode, text)
		return true
	}
	// A tool reports a lack of memory in its result.
	var head strings.Builder
	read, err := io.Copy(io.MultiWriter(&limitedWriter{&head, 200}, io.Discard), answer.Body)
	if err != nil {
		t.Errorf("%s: cut off after %d bytes: %v", request.path, read, err)
	}
	if strings.Contains(head.String(), "as much data of requests as it can") {
		return false
	}
	if read < bytes {
		t.Errorf("%s: %d bytes, at least %d expected: %s", request.path, read, bytes, head.String())
	}
	return true
}

// limitedWriter keeps the beginning of what is written.
type limitedWriter struct {
	to   io.Writer
	left int
}

func (w *limitedWriter) Write(b []byte) (int, error) {
	part := b[:min(len(b), w.left)]
	w.left -= len(part)
	_, err := w.to.Write(part)
	return len(b), err
}
