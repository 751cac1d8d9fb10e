// Package llmtest has fake model providers for tests, one for each API that is spoken. They answer as the real ones document,
// check what they are sent, and fail in every way that providers fail.
package llmtest

import (
	"encoding/json"
	"io"
	"net/http"
	"net/http/httptest"
	"net/netip"
	"strings"
	"sync"
	"testing"

	"almanac/internal/domain"
	"almanac/internal/llm"
	"almanac/internal/netguard"
	"almanac/test/dnstest"
)

// API is a way to call models.
type API string

// The ways to call models.
const (
	OpenAI       API = "OpenAI"
	Responses    API = "OpenAI Responses"
	Compatible   API = "compatible server"
	Azure        API = "Azure"
	Anthropic    API = "Anthropic"
	Bedrock      API = "Bedrock"
	VertexGemini API = "Vertex Gemini"
	VertexClaude API = "Vertex Claude"
	Studio       API = "AI Studio"
)

// APIs returns all.
func APIs() []API {
	return []API{OpenAI, Responses, Compatible, Azure, Anthropic, Bedrock, VertexGemini, VertexClaude, Studio}
}

// Secret is the API key that providers accept, and Token the one that Vertex AI gives for a service account.
const (
	Secret = "sk-0123456789abcdef-secret"
	Token  = "ya29.short-lived-token" //nolint:gosec // of a fake
)

// Guard returns a guard that lets clients reach fakes: every name leads to this machine.
func Guard() netguard.Guard {
	return netguard.Guard{
		Private:  true,
		Resolver: dnstest.Resolver(func(string) []netip.Addr { return []netip.Addr{netip.MustParseAddr("127.0.0.1")} }),
	}
}

// Request is what a provider was asked.
type Request struct {
	Path   string
	Header http.Header
	Body   map[string]any
	Stream bool
}

// Provider is a fake provider.
type Provider struct {
	API API
	URL string // of the server

	t        testing.TB
	server   *httptest.Server
	mu       sync.Mutex
	answers  []Answer
	requests []Request
	closed   chan string // one for each connection that a client ended in the middle of an answer
	done     chan struct{}
}

// Start starts a provider, which ends with the test. It answers "Hello, world." until it is told something else.
func Start(t testing.TB, api API) *Provider {
	t.Helper()
	p := &Provider{API: api, t: t, closed: make(chan string, 100), done: make(chan struct{})}
	p.server = httptest.NewServer(http.HandlerFunc(p.serve))
	p.URL = p.server.URL
	t.Cleanup(func() {
		close(p.done)
		p.server.CloseClientConnections()
		p.server.Close()
	})
	return p
}

// Answer says what the provider answers, one after the other; the last is repeated.
func (p *Provider) Answer(answers ...Answer) {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.answers = answers
}

// Requests returns what the provider was asked so far.
func (p *Provider) Requests() []Request {
	p.mu.Lock()
	defer p.mu.Unlock()
	return append([]Request(nil), p.requests...)
}

// Closed receives the path of a request whose client went away before it had the whole answer.
func (p *Provider) Closed() <-chan string { return p.closed }

// Model returns the name of a model of the provider.
func (p *Provider) Model() string {
	switch p.API {
	case Anthropic, VertexClaude:
		return "claude-sonnet-4-6"
	case Bedrock:
		return "eu.anthropic.claude-sonnet-4-5-20250929-v1:0"
	case VertexGemini, Studio:
		return "gemini-2.5-flash"
	case Compatible:
		return "llama-3.3-70b"
	case Azure:
		return "my-deployment"
	}
	return "gpt-4.1-mini"
}

// host returns the address of the server under another name. All names lead to it.
func (p *Provider) host(name string) string { return strings.Replace(p.URL, "127.0.0.1", name, 1) }

// Connection returns a connection to the provider, for a client with the guard of Guard.
func (p *Provider) Connection() llm.Connection {
	c := llm.Connection{Project: "project-a", Key: string(p.API) + p.URL, Secret: Secret, BaseURL: p.URL}
	switch p.API {
	case OpenAI, Responses:
		c.Adapter, c.BaseURL = domain.AdapterOpenAI, p.host("api.openai.com")+"/v1"
		if p.API == Responses {
			c.Config = json.RawMessage(`{"useResponsesApi":true}`)
		}
	case Compatible:
		c.Adapter, c.BaseURL = domain.AdapterOpenAI, p.host("models.example.org")+"/v1"
	case Azure:
		c.Adapter, c.BaseURL = domain.AdapterAzure, p.URL+"/openai/deployments"
	case Anthropic:
		c.Adapter = domain.AdapterAnthropic
	case Bedrock:
		c.Adapter, c.Config = domain.AdapterBedrock, json.RawMessage(`{"region":"eu-central-1"}`)
		c.Secret = `{"accessKeyId":"AKIDEXAMPLE","secretAccessKey":"` + Secret + `"}`
	case VertexGemini, VertexClaude:
		c.Adapter, c.Secret = domain.AdapterVertexAI, serviceAccount(p.URL+"/token")
	case Studio:
		c.Adapter = domain.AdapterAIStudio
	}
	return c
}

// serve answers a request.
func (p *Provider) serve(w http.ResponseWriter, r *http.Request) {
	if r.URL.Path == "/token" {
		giveToken(w, r)
		return
	}
	body, err := io.ReadAll(r.Body)
	if err != nil {
		return
	}
	asked := Request{Path: r.URL.RequestURI(), Header: r.Header.Clone(), Stream: strings.Contains(r.URL.Path, "tream")}
	if err := json.Unmarshal(body, &asked.Body); err != nil {
		p.t.Errorf("%s is sent %q: %v", p.API, body, err)
	}
	if asked.Body["stream"] == true {
		asked.Stream = true
	}
	if problem := p.check(r, body, asked); problem != "" {
		p.t.Errorf("%s: %s", p.API, problem)
	}
	p.mu.Lock()
	a := Answer{Text: []string{"Hello, ", "world."}}
	if len(p.answers) > 0 {
		a = p.answers[0]
	}
	if len(p.answers) > 1 {
		p.answers = p.answers[1:]
	}
	p.requests = append(p.requests, asked)
	p.mu.Unlock()
	p.write(w, r, a, asked.Stream)
}
