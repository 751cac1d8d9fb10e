package llm_test

import (
	"context"
	"encoding/json"
	"errors"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"almanac/internal/llm"
	"almanac/internal/llm/llmtest"
)

// newClient returns a client that does not really wait between attempts.
func newClient(t testing.TB, change func(*llm.Options)) *llm.Client {
	t.Helper()
	o := llm.Options{Guard: llmtest.Guard(), Sleep: func(ctx context.Context, _ time.Duration) error { return ctx.Err() }}
	if change != nil {
		change(&o)
	}
	c := llm.New(o)
	t.Cleanup(c.Close)
	return c
}

func ask(p *llmtest.Provider, text string) llm.Request {
	return llm.Request{Model: p.Model(), Messages: []llm.Message{llm.Text(llm.System, "Be brief."), llm.Text(llm.User, text)}}
}

// eachWay runs a test for each provider, with answers in one piece and with streams.
func eachWay(t *testing.T, test func(t *testing.T, p *llmtest.Provider, stream bool)) {
	t.Helper()
	for _, api := range llmtest.APIs() {
		for _, stream := range []bool{false, true} {
			name := string(api) + ", whole"
			if stream {
				name = string(api) + ", stream"
			}
			t.Run(name, func(t *testing.T) {
				t.Parallel()
				test(t, llmtest.Start(t, api), stream)
			})
		}
	}
}

// call makes a call and returns what was handed over with its result.
func call(ctx context.Context, c *llm.Client, p *llmtest.Provider, req llm.Request, stream bool) ([]llm.Event, *llm.Result, error) {
	if !stream {
		result, err := c.Complete(ctx, p.Connection(), req)
		return nil, result, err
	}
	var events []llm.Event
	result, err := c.Stream(ctx, p.Connection(), req, func(e llm.Event) error {
		events = append(events, e)
		return nil
	})
	return events, result, err
}

func said(events []llm.Event, kind llm.EventKind) string {
	var b strings.Builder
	for _, e := range events {
		if e.Kind == llm.RestartEvent {
			b.Reset()
		}
		if e.Kind == kind {
			b.WriteString(e.Text)
		}
	}
	return b.String()
}

// itemizes tells which APIs say how many tokens reasoning took.
func itemizes(api llmtest.API) bool {
	return !slices.Contains([]llmtest.API{llmtest.Anthropic, llmtest.VertexClaude, llmtest.Bedrock}, api)
}

func TestAnswers(t *testing.T) {
	eachWay(t, func(t *testing.T, p *llmtest.Provider, stream bool) {
		p.Answer(llmtest.Answer{Reasoning: "Let me think.", Text: []string{"Grüße, ", "wor", "ld."}})
		events, result, err := call(t.Context(), newClient(t, nil), p, ask(p, "Hi"), stream)
		if err != nil {
			t.Fatal(err)
		}
		if p.API == llmtest.VertexGemini || p.API == llmtest.Studio || result.Reasoning != "" {
			if result.Reasoning != "Let me think." {
				t.Errorf("the reasoning is %q", result.Reasoning)
			}
		} else {
			t.Error("there is no reasoning")
		}
		usage := map[string]int64{"input": 80, "input_cached_tokens": 20, "output": 20, "output_reasoning_tokens": 10}
		if !itemizes(p.API) {
			usage = map[string]int64{"input": 80, "input_cached_tokens": 20, "output": 30}
		}
		if diff := cmp.Diff(usage, result.Usage); diff != "" {
			t.Errorf("the usage is not what was expected: %s", diff)
		}
		if result.Text != "Grüße, world." || result.Finish != llm.FinishStop || result.Attempts != 1 || result.FirstToken <= 0 ||
			result.Duration < result.FirstToken {
			t.Errorf("the result is %+v", result)
		}
		if stream && (said(events, llm.TextEvent) != result.Text || said(events, llm.ReasoningEvent) != result.Reasoning ||
			len(events) < 4) {
			t.Errorf("the events are %v", events)
		}
		if got := p.Requests(); len(got) != 1 || got[0].Stream != stream {
			t.Errorf("it was asked %d times", len(got))
		}
	})
}

func TestToolCalls(t *testing.T) {
	eachWay(t, func(t *testing.T, p *llmtest.Provider, stream bool) {
		p.Answer(llmtest.Answer{Calls: []llmtest.Call{
			{ID: "call_1", Name: "weather", Arguments: `{"city":"Köln"}`}, {ID: "call_2", Name: "time", Arguments: `{"zone":"CET"}`},
		}}, llmtest.Answer{Text: []string{"Sunny."}})
		c, req := newClient(t, nil), ask(p, "Weather?")
		req.Tools = []llm.Tool{
			{Name: "weather", Description: "Tells the weather.", Parameters: json.RawMessage(`{"type":"object","properties":{"city":{"type":"string"}}}`)},
			{Name: "time", Description: "Tells the time."},
		}
		req.ToolChoice = llm.ToolChoice{Mode: llm.SomeTool}
		events, result, err := call(t.Context(), c, p, req, stream)
		if err != nil || result.Finish != llm.FinishToolCalls || len(result.ToolCalls) != 2 {
			t.Fatalf("%+v, %v", result, err)
		}
		for n, want := range []llm.ToolCall{
			{ID: "call_1", Name: "weather", Arguments: json.RawMessage(`{"city":"Köln"}`)},
			{ID: "call_2", Name: "time", Arguments: json.RawMessage(`{"zone":"CET"}`)},
		} {
			got := result.ToolCalls[n]
			if got.ID != want.ID || got.Name != want.Name || string(got.Arguments) != string(want.Arguments) {
				t.Errorf("call %d is %+v %s", n, got, got.Arguments)
			}
		}
		if stream && said(events, llm.ToolCallEvent) != `{"city":"Köln"}{"zone":"CET"}` {
			t.Errorf("the events are %+v", events)
		}
		req.Messages = append(req.Messages, llm.Message{Role: llm.Assistant, ToolCalls: result.ToolCalls},
			llm.Message{Role: llm.ToolRole, ToolCallID: "call_1", Parts: []llm.Part{{Kind: llm.TextPart, Text: `{"sky":"blue"}`}}},
			llm.Message{Role: llm.ToolRole, ToolCallID: "call_2", ToolFailed: true, Parts: []llm.Part{{Kind: llm.TextPart, Text: "no clock"}}})
		if _, result, err = call(t.Context(), c, p, req, stream); err != nil || result.Text != "Sunny." {
			t.Fatalf("%+v, %v", result, err)
		}
		sent, err := json.Marshal(p.Requests()[1].Body)
		if err != nil {
			t.Fatal(err)
		}
		for _, part := range []string{"blue", "no clock", "Köln", "weather"} {
			if !strings.Contains(string(sent), part) {
				t.Errorf("%q is not in %s", part, sent)
			}
		}
	})
}

// failure is how a provider fails, and what a person reads then. The mark stands for the name of the provider.
type failure struct {
	name    string
	answer  llmtest.Answer
	timeout time.Duration
	kind    llm.Kind
	wants   string // what the message begins with
	onlyIn  []llmtest.API
	retries bool // it is tried again
}

var failures = []failure{
	{
		name: "400", answer: llmtest.Answer{Status: 400, Message: "messages.0 is odd"}, kind: llm.InvalidRequest,
		wants: "§ does not accept the request. It says (400): messages.0 is odd",
	},
	{
		name: "401", answer: llmtest.Answer{Status: 401, Message: "Wrong key"}, kind: llm.Unauthorized,
		wants: "§ does not accept the credentials of the connection. It says (401): Wrong key",
	},
	{
		name: "402", answer: llmtest.Answer{Status: 402, Message: "Pay first"}, kind: llm.Billing,
		wants: "The account at § has to be paid or topped up. It says (402): Pay first",
	},
	{
		name: "403", answer: llmtest.Answer{Status: 403, Message: "Not for you"}, kind: llm.Forbidden,
		wants: "§ does not let the credentials of the connection do this. It says (403): Not for you",
	},
	{
		name: "404", answer: llmtest.Answer{Status: 404, Message: "Where?"}, kind: llm.UnknownModel,
		wants: "§ does not know the model ¶, or the base URL of the connection is wrong. It says (404): Where?",
	},
	{
		name: "408", answer: llmtest.Answer{Status: 408, Message: "Too slow"}, kind: llm.Timeout, retries: true,
		wants: "§ took too long. It says (408): Too slow",
	},
	{
		name: "409", answer: llmtest.Answer{Status: 409, Message: "Conflict"}, kind: llm.Internal, retries: true,
		wants: "§ failed. It says (409): Conflict",
	},
	{
		name: "413", answer: llmtest.Answer{Status: 413, Message: "Too much"}, kind: llm.TooLarge,
		wants: "The request is larger than § accepts. It says (413): Too much",
	},
	{
		name: "422", answer: llmtest.Answer{Status: 422, Message: "No"}, kind: llm.InvalidRequest,
		wants: "§ does not accept the request. It says (422): No",
	},
	{
		name: "429", answer: llmtest.Answer{Status: 429, Message: "Slow down"}, kind: llm.RateLimited, retries: true,
		wants: "§ takes no more requests at the moment. It says (429): Slow down",
	},
	{
		name: "429 with a short wait", kind: llm.RateLimited, retries: true, wants: "§ takes no more requests for 2s. It says (429): Slow down",
		answer: llmtest.Answer{Status: 429, Message: "Slow down", Header: map[string]string{"Retry-After": "2"}},
	},
	{
		name: "429 with a long wait", kind: llm.RateLimited, wants: "§ takes no more requests for 5m0s. It says (429): Slow down",
		answer: llmtest.Answer{Status: 429, Message: "Slow down", Header: map[string]string{"Retry-After": "300"}},
	},
	{
		name: "quota", answer: llmtest.Answer{Status: 429, Message: "You exceeded your current quota, please check your plan"}, kind: llm.Quota,
		wants: "A quota or spending limit at § is used up. It says (429): You exceeded",
	},
	{
		name: "credit", answer: llmtest.Answer{Status: 400, Message: "Your credit balance is too low to access the API"}, kind: llm.Billing,
		wants: "The account at § has to be paid or topped up.",
	},
	{
		name: "too long", answer: llmtest.Answer{Status: 400, Message: "prompt is too long: 210000 tokens > 200000 maximum"}, kind: llm.TooLong,
		wants: "The request is longer than the model ¶ can read. It says (400): prompt is too long",
	},
	{name: "500", answer: llmtest.Answer{Status: 500, Message: "Oops"}, kind: llm.Internal, retries: true, wants: "§ failed. It says (500): Oops"},
	{
		name: "503", answer: llmtest.Answer{Status: 503, Message: "Busy"}, kind: llm.Overloaded, retries: true,
		wants: "§ is overloaded at the moment. It says (503): Busy",
	},
	{
		name: "529", answer: llmtest.Answer{Status: 529, Message: "Overloaded"}, kind: llm.Overloaded, retries: true,
		wants: "§ is overloaded at the moment. It says (529): Overloaded",
	},
	{
		name: "the page of a proxy", answer: llmtest.Answer{Status: 502, Body: "<html>Bad gateway</html>", Type: "text/html"}, kind: llm.Internal,
		retries: true, wants: "§ failed. Its status is 502.",
	},
	{
		name: "plain text", answer: llmtest.Answer{Status: 400, Body: "go away", Type: "text/plain"}, kind: llm.InvalidRequest,
		wants: "§ does not accept the request. It says (400): go away",
	},
	{
		name: "wrong content type", answer: llmtest.Answer{Body: "<html>Welcome</html>", Type: "text/html"}, kind: llm.Malformed,
		wants: "§ answers with text/html, which is not an answer of a model. Is the base URL of the connection right?",
	},
	{
		name: "another JSON", answer: llmtest.Answer{Body: `{"status":"up"}`}, kind: llm.Malformed,
		wants: "§ answers with something that is not what its API documents: it has no ",
	},
	{
		name: "malformed JSON", answer: llmtest.Answer{Fault: llmtest.Garbled, Text: []string{"a", "b", "c"}}, kind: llm.Malformed,
		wants: "§ answers with something that is not what its API documents: ",
	},
	{
		name: "cut in the middle", answer: llmtest.Answer{Fault: llmtest.Cut, Text: []string{"a", "b", "c"}}, kind: llm.Interrupted,
		wants: "§ ended the connection before its answer was complete.",
	},
	{name: "hang up", answer: llmtest.Answer{Fault: llmtest.Hangup}, kind: llm.Unreachable, retries: true, wants: "§ cannot be reached: "},
	{
		name: "slow headers", answer: llmtest.Answer{Fault: llmtest.SlowHeaders}, timeout: 300 * time.Millisecond, kind: llm.Timeout,
		wants: "§ did not complete its answer within ",
	},
	{
		name: "slow body", answer: llmtest.Answer{Fault: llmtest.SlowBody}, timeout: 300 * time.Millisecond, kind: llm.Timeout,
		wants: "§ did not complete its answer within ",
	},
	{
		name: "a byte at a time", answer: llmtest.Answer{Fault: llmtest.Drip}, timeout: 300 * time.Millisecond, kind: llm.Timeout,
		wants: "§ did not complete its answer within ",
	},
	{
		name: "endless", answer: llmtest.Answer{Fault: llmtest.Endless}, kind: llm.Malformed,
		wants: "The answer is longer than any that is expected, so the call was ended.",
	},
	{
		name: "redirect", answer: llmtest.Answer{Status: 307, Header: map[string]string{"Location": "http://169.254.169.254/latest"}},
		kind: llm.Redirected, wants: "§ redirects to another address, which is not followed. Correct the base URL of the connection.",
	},
	{
		name: "refusal", answer: llmtest.Answer{Refusal: "I cannot help with that."}, kind: llm.Refused,
		wants: "The model refuses to answer: I cannot help with that.",
		onlyIn: []llmtest.API{
			llmtest.OpenAI, llmtest.Responses, llmtest.Azure, llmtest.Compatible, llmtest.Anthropic, llmtest.VertexClaude,
		},
	},
	{
		name: "refusal without words", answer: llmtest.Answer{Refusal: "-"}, kind: llm.Refused, wants: "The model refuses to answer.",
		onlyIn: []llmtest.API{llmtest.Bedrock},
	},
	{
		name: "refusal by a filter", answer: llmtest.Answer{Refusal: "Unsafe content"}, kind: llm.Blocked,
		wants: "A safety filter of § withheld the answer: Unsafe content.", onlyIn: []llmtest.API{llmtest.VertexGemini, llmtest.Studio},
	},
	{
		name: "safety block", answer: llmtest.Answer{Blocked: true}, kind: llm.Blocked, wants: "A safety filter of § withheld the answer",
		onlyIn: []llmtest.API{
			llmtest.OpenAI, llmtest.Responses, llmtest.Azure, llmtest.Compatible, llmtest.Bedrock, llmtest.VertexGemini, llmtest.Studio,
		},
	},
	{
		name: "safety block of the request", kind: llm.Blocked, wants: "A safety filter of § blocked the request. It says (400): The response was",
		onlyIn: []llmtest.API{llmtest.Azure, llmtest.OpenAI},
		answer: llmtest.Answer{Status: 400, Code: "content_filter", Message: "The response was filtered"},
	},
	{
		name: "safety block of Claude", answer: llmtest.Answer{Blocked: true}, kind: llm.Refused, wants: "The model refuses to answer: policy.",
		onlyIn: []llmtest.API{llmtest.Anthropic, llmtest.VertexClaude},
	},
}

var names = map[llmtest.API]string{
	llmtest.OpenAI: "OpenAI", llmtest.Responses: "OpenAI", llmtest.Compatible: "The server at models.example.org", llmtest.Azure: "Azure OpenAI",
	llmtest.Anthropic: "Anthropic", llmtest.Bedrock: "Amazon Bedrock", llmtest.VertexGemini: "Vertex AI", llmtest.VertexClaude: "Vertex AI",
	llmtest.Studio: "Google AI Studio",
}

// TestFailures checks what people read and programs tell apart after each failure, at each provider.
func TestFailures(t *testing.T) {
	for _, f := range failures {
		t.Run(f.name, func(t *testing.T) {
			eachWay(t, func(t *testing.T, p *llmtest.Provider, stream bool) {
				if f.onlyIn != nil && !slices.Contains(f.onlyIn, p.API) {
					return
				}
				p.Answer(f.answer)
				req := ask(p, "Hi")
				req.Timeout = f.timeout
				_, result, err := call(t.Context(), newClient(t, nil), p, req, stream)
				failed, ok := errors.AsType[*llm.Error](err)
				if !ok {
					t.Fatalf("%+v, %v", result, err)
				}
				wants := strings.NewReplacer("§", names[p.API], "¶", p.Model()).Replace(f.wants)
				if failed.Kind != f.kind || !strings.HasPrefix(failed.Message, wants) {
					t.Errorf("%s: %s\nwant %s: %s", failed.Kind, failed.Message, f.kind, wants)
				}
				if strings.Contains(failed.Message, llmtest.Secret) {
					t.Errorf("it shows the secret: %s", failed.Message)
				}
				attempts := 1
				if f.retries || f.kind == llm.Interrupted && !stream {
					attempts = 3
				}
				if result.Attempts != attempts {
					t.Errorf("%d attempts, want %d", result.Attempts, attempts)
				}
			})
		})
	}
}

// TestCutStreamKeepsWhatArrived: the beginning of an answer is not lost, and nothing that was shown is asked for again.
func TestCutStreamKeepsWhatArrived(t *testing.T) {
	for _, api := range llmtest.APIs() {
		p := llmtest.Start(t, api)
		p.Answer(llmtest.Answer{Text: []string{"one ", "two ", "three ", "four ", "five ", "six "}, Fault: llmtest.Cut})
		events, result, err := call(t.Context(), newClient(t, nil), p, ask(p, "Count"), true)
		failed, ok := errors.AsType[*llm.Error](err)
		if !ok || failed.Kind != llm.Interrupted || !strings.HasPrefix(result.Text, "one ") || said(events, llm.TextEvent) != result.Text ||
			len(p.Requests()) != 1 {
			t.Errorf("%s: %q, %v after %d requests", api, result.Text, err, len(p.Requests()))
		}
	}
}

// TestRecovers: a failure of a moment is not seen by anybody.
func TestRecovers(t *testing.T) {
	eachWay(t, func(t *testing.T, p *llmtest.Provider, stream bool) {
		p.Answer(llmtest.Answer{Status: 503}, llmtest.Answer{Status: 429, Header: map[string]string{"Retry-After": "7"}},
			llmtest.Answer{Text: []string{"fine"}})
		var waits []time.Duration
		c := newClient(t, func(o *llm.Options) {
			o.Sleep = func(_ context.Context, d time.Duration) error {
				waits = append(waits, d)
				return nil
			}
		})
		_, result, err := call(t.Context(), c, p, ask(p, "Hi"), stream)
		if err != nil || result.Text != "fine" || result.Attempts != 3 {
			t.Fatalf("%+v, %v", result, err)
		}
		if len(waits) != 2 || waits[0] < 250*time.Millisecond || waits[0] > 750*time.Millisecond || waits[1] < 7*time.Second ||
			waits[1] > 8*time.Second {
			t.Errorf("it waited for %v", waits)
		}
	})
}

// TestCancelReachesTheProvider: whoever closes the page ends the call, and the provider notices.
func TestCancelReachesTheProvider(t *testing.T) {
	for _, api := range llmtest.APIs() {
		p := llmtest.Start(t, api)
		p.Answer(llmtest.Answer{Text: []string{"one", "two"}, Wait: make(chan struct{})})
		ctx, cancel := context.WithCancel(t.Context())
		p.Answer(llmtest.Answer{Text: []string{"one", "two", "three", "four"}, Fault: llmtest.SlowBody})
		_, err := newClient(t, nil).Stream(ctx, p.Connection(), ask(p, "Hi"), func(llm.Event) error {
			cancel()
			return nil
		})
		cancel()
		failed, ok := errors.AsType[*llm.Error](err)
		if !ok || failed.Kind != llm.Canceled || !errors.Is(err, context.Canceled) {
			t.Errorf("%s: %v", api, err)
		}
		<-p.Closed()
	}
}

// TestHandlerEndsCall: an error of the caller is returned as it is, and ends the connection.
func TestHandlerEndsCall(t *testing.T) {
	for _, api := range llmtest.APIs() {
		p := llmtest.Start(t, api)
		p.Answer(llmtest.Answer{Text: []string{"one", "two", "three", "four"}, Fault: llmtest.SlowBody})
		enough := errors.New("enough")
		result, err := newClient(t, nil).Stream(t.Context(), p.Connection(), ask(p, "Hi"), func(llm.Event) error { return enough })
		if err != enough || result.Text != "one" { //nolint:errorlint // it is exactly this one
			t.Errorf("%s: %q, %v", api, result.Text, err)
		}
		<-p.Closed()
	}
}

// TestSecretsAreHidden: a provider that repeats what it was sent shows nothing of it, in answers or errors.
func TestSecretsAreHidden(t *testing.T) {
	eachWay(t, func(t *testing.T, p *llmtest.Provider, stream bool) {
		secret := llmtest.Secret
		if p.API == llmtest.VertexGemini || p.API == llmtest.VertexClaude {
			secret = llmtest.Token
		}
		half := len(secret) / 2
		p.Answer(llmtest.Answer{Text: []string{"Your key is " + secret[:half], secret[half:] + ", right?"}},
			llmtest.Answer{Status: 401, Message: strings.Repeat("x", 490) + secret}, llmtest.Answer{Status: 400, Body: "no " + secret})
		c := newClient(t, nil)
		events, result, err := call(t.Context(), c, p, ask(p, "Hi"), stream)
		if err != nil || result.Text != "Your key is •••, right?" || stream && said(events, llm.TextEvent) != result.Text {
			t.Errorf("%q, %v", result.Text, err)
		}
		for range 2 {
			_, result, err = call(t.Context(), c, p, ask(p, "Hi"), stream)
			if err == nil || strings.Contains(err.Error(), secret[:6]) || strings.Contains(result.Text, secret[:6]) {
				t.Errorf("%v", err)
			}
		}
	})
}
