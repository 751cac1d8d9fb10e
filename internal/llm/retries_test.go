package llm_test

import (
	"context"
	"errors"
	"testing"
	"time"

	"almanac/internal/llm"
	"almanac/internal/llm/llmtest"
)

// impatient returns a client that must not wait, which it only does before it tries again.
func impatient(t *testing.T) *llm.Client {
	t.Helper()
	return newClient(t, func(o *llm.Options) {
		o.Sleep = func(ctx context.Context, d time.Duration) error {
			t.Errorf("it waits %s to try again", d)
			return ctx.Err()
		}
	})
}

// TestAskedOnce: the provider gets a request once if it would fail again, or if the caller wants it so.
func TestAskedOnce(t *testing.T) {
	other := llmtest.Start(t, llmtest.OpenAI)
	elsewhere := map[string]string{"Location": other.URL + "/v1/chat/completions"}
	for _, c := range []struct {
		name   string
		answer llmtest.Answer
		once   bool
		kind   llm.Kind
	}{
		{name: "400", answer: llmtest.Answer{Status: 400, Message: "No"}, kind: llm.InvalidRequest},
		{name: "401", answer: llmtest.Answer{Status: 401, Message: "No"}, kind: llm.Unauthorized},
		{name: "403", answer: llmtest.Answer{Status: 403, Message: "No"}, kind: llm.Forbidden},
		{name: "404", answer: llmtest.Answer{Status: 404, Message: "No"}, kind: llm.UnknownModel},
		{name: "422", answer: llmtest.Answer{Status: 422, Message: "No"}, kind: llm.InvalidRequest},
		{name: "moved for good", answer: llmtest.Answer{Status: 301, Header: elsewhere}, kind: llm.Redirected},
		{name: "moved, to be sent again", answer: llmtest.Answer{Status: 308, Header: elsewhere}, kind: llm.Redirected},
		{
			name: "the provider says no", kind: llm.Overloaded,
			answer: llmtest.Answer{Status: 503, Header: map[string]string{"X-Should-Retry": "false"}},
		},
		{name: "the caller says no", answer: llmtest.Answer{Status: 503}, once: true, kind: llm.Overloaded},
	} {
		t.Run(c.name, func(t *testing.T) {
			eachWay(t, func(t *testing.T, p *llmtest.Provider, stream bool) {
				p.Answer(c.answer, llmtest.Answer{Text: []string{"fine"}})
				req := ask(p, "Hi")
				req.Once = c.once
				_, result, err := call(t.Context(), impatient(t), p, req, stream)
				failed, ok := errors.AsType[*llm.Error](err)
				if !ok || failed.Kind != c.kind || len(p.Requests()) != 1 || result.Attempts != 1 {
					t.Errorf("%d requests and %d attempts: %q, %v", len(p.Requests()), result.Attempts, result.Text, err)
				}
			})
		})
	}
	t.Cleanup(func() {
		if n := len(other.Requests()); n != 0 {
			t.Errorf("%d redirects were followed", n)
		}
	})
}

// TestCanceledCallsEnd: whoever cancels a call does not want it to be tried again.
func TestCanceledCallsEnd(t *testing.T) {
	isCanceled := func(err error) bool {
		failed, ok := errors.AsType[*llm.Error](err)
		return ok && failed.Kind == llm.Canceled && errors.Is(err, context.Canceled)
	}
	eachWay(t, func(t *testing.T, p *llmtest.Provider, stream bool) {
		ctx, cancel := context.WithCancel(t.Context())
		cancel()
		if _, _, err := call(ctx, impatient(t), p, ask(p, "Hi"), stream); !isCanceled(err) || len(p.Requests()) != 0 {
			t.Errorf("before it began: %d requests, %v", len(p.Requests()), err)
		}
	})
	eachWay(t, func(t *testing.T, p *llmtest.Provider, stream bool) {
		ctx, cancel := context.WithCancel(t.Context())
		defer cancel()
		p.Answer(llmtest.Answer{Fault: llmtest.SlowHeaders})
		go func() {
			for len(p.Requests()) == 0 && ctx.Err() == nil {
				time.Sleep(time.Millisecond)
			}
			cancel()
		}()
		if _, _, err := call(ctx, impatient(t), p, ask(p, "Hi"), stream); !isCanceled(err) || len(p.Requests()) != 1 {
			t.Errorf("before the answer: %d requests, %v", len(p.Requests()), err)
		}
	})
	eachWay(t, func(t *testing.T, p *llmtest.Provider, stream bool) {
		ctx, cancel := context.WithCancel(t.Context())
		defer cancel()
		// The rest of the answer does not come; its beginning arrives before the call is canceled.
		beginning := func() { time.AfterFunc(20*time.Millisecond, cancel) }
		p.Answer(llmtest.Answer{Text: []string{"one", "two", "three"}, Write: beginning, Wait: make(chan struct{})})
		if _, _, err := call(ctx, impatient(t), p, ask(p, "Hi"), stream); !isCanceled(err) || len(p.Requests()) != 1 {
			t.Errorf("during the answer: %d requests, %v", len(p.Requests()), err)
		}
	})
	eachWay(t, func(t *testing.T, p *llmtest.Provider, stream bool) {
		ctx, cancel := context.WithCancel(t.Context())
		defer cancel()
		p.Answer(llmtest.Answer{Status: 503}, llmtest.Answer{Text: []string{"fine"}})
		c := newClient(t, func(o *llm.Options) {
			o.Sleep = func(ctx context.Context, _ time.Duration) error {
				cancel()
				<-ctx.Done()
				return ctx.Err()
			}
		})
		if _, _, err := call(ctx, c, p, ask(p, "Hi"), stream); !isCanceled(err) || len(p.Requests()) != 1 {
			t.Errorf("between two attempts: %d requests, %v", len(p.Requests()), err)
		}
	})
}

// TestNothingIsSaidTwice: an answer that ends too early is asked for again only if nothing of it was shown.
func TestNothingIsSaidTwice(t *testing.T) {
	eachWay(t, func(t *testing.T, p *llmtest.Provider, stream bool) {
		p.Answer(llmtest.Answer{Text: []string{"one ", "two ", "three ", "four "}, Fault: llmtest.Cut}, llmtest.Answer{Text: []string{"fine"}})
		if !stream {
			result, err := newClient(t, nil).Complete(t.Context(), p.Connection(), ask(p, "Count"))
			if err != nil || result.Text != "fine" || len(p.Requests()) != 2 {
				t.Errorf("nothing was shown: %d requests, %q, %v", len(p.Requests()), result.Text, err)
			}
			return
		}
		events, result, err := call(t.Context(), impatient(t), p, ask(p, "Count"), stream)
		failed, ok := errors.AsType[*llm.Error](err)
		if !ok || failed.Kind != llm.Interrupted || len(p.Requests()) != 1 || said(events, llm.TextEvent) != result.Text || result.Text == "" {
			t.Errorf("%d requests: %q, %v", len(p.Requests()), result.Text, err)
		}
	})
}
