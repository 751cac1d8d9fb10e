package main

import (
	"bytes"
	"context"
	"fmt"
	"io"
	"net/http"
	"slices"
	"sync"
	"sync/atomic"
	"time"

	"almanac/bench/process"
)

// outcome is what happened to the requests.
type outcome struct {
	spans, bytes              int64
	answered, refused, failed int
	took                      time.Duration
	times                     []time.Duration // of answered requests, sorted
}

func (o *outcome) quantile(q float64) float64 {
	if len(o.times) == 0 {
		return 0
	}
	return float64(o.times[int(q*float64(len(o.times)-1))].Microseconds()) / 1000
}

// send sends all requests once as fast as they are answered, or at a rate for a time.
func send(ctx context.Context, o options, t *process.Server, requests []request) (*outcome, error) {
	client := &http.Client{Transport: &http.Transport{MaxIdleConnsPerHost: o.connections, DisableCompression: true}}
	defer client.CloseIdleConnections()
	var next atomic.Int64
	var mu sync.Mutex
	var work sync.WaitGroup
	result := new(outcome)
	var failure error
	started := time.Now()
	total := int64(len(requests))
	if o.rate > 0 {
		total = int64(o.duration.Seconds() * float64(o.rate) / float64(o.batch))
	}
	for range o.connections {
		work.Go(func() {
			for ctx.Err() == nil {
				n := next.Add(1) - 1
				if n >= total {
					return
				}
				if o.rate > 0 { // each request has its time; a late one is not forgiven
					due := started.Add(time.Duration(float64(n*int64(o.batch)) / float64(o.rate) * float64(time.Second)))
					time.Sleep(time.Until(due))
				}
				r := requests[n%int64(len(requests))]
				sent := time.Now()
				status, err := post(ctx, client, o, t, r.body)
				took := time.Since(sent)
				mu.Lock()
				switch {
				case err != nil:
					result.failed++
					failure = err
				case status == http.StatusOK:
					result.answered++
					result.spans += int64(r.spans)
					result.bytes += int64(len(r.body))
					result.times = append(result.times, took)
				case status == http.StatusServiceUnavailable || status == http.StatusTooManyRequests:
					result.refused++
				default:
					result.failed++
					failure = fmt.Errorf("the server answered %d", status)
				}
				mu.Unlock()
			}
		})
	}
	work.Wait()
	result.took = time.Since(started)
	slices.Sort(result.times)
	if result.answered == 0 {
		return nil, fmt.Errorf("no request was answered: %w", failure)
	}
	return result, ctx.Err()
}

func post(ctx context.Context, client *http.Client, o options, t *process.Server, body []byte) (int, error) {
	r, err := http.NewRequestWithContext(ctx, http.MethodPost, t.URL+"/api/public/otel/v1/traces", bytes.NewReader(body))
	if err != nil {
		return 0, err
	}
	r.SetBasicAuth(t.PublicKey, t.SecretKey)
	r.Header.Set("Content-Type", "application/x-protobuf")
	if !o.plain {
		r.Header.Set("Content-Encoding", "gzip")
	}
	r.Header.Set("X-Langfuse-Ingestion-Version", "4")
	answer, err := client.Do(r)
	if err != nil {
		return 0, err
	}
	_, err = io.Copy(io.Discard, answer.Body)
	if closed := answer.Body.Close(); err == nil {
		err = closed
	}
	return answer.StatusCode, err
}
