package llm

import (
	"encoding/json"
	"errors"
	"strings"
	"testing"

	"almanac/internal/domain"
	"almanac/internal/netguard"
)

// vertexSecret is the key of a service account that nothing is signed with.
const vertexSecret = `{"project_id":"p","client_email":"robot@p.test","private_key":"nonsense"}`

// TestAddresses checks where requests go, for what people write as base URL and location.
func TestAddresses(t *testing.T) {
	for _, c := range []struct {
		adapter, base, config, secret, model string
		want                                 string
		stream                               bool
	}{
		{adapter: domain.AdapterOpenAI, model: "gpt-4.1", want: "https://api.openai.com/v1/chat/completions"},
		{adapter: domain.AdapterOpenAI, model: "a/b", base: "https://x.example.org/{model}/v1/", want: "https://x.example.org/a%2Fb/v1/chat/completions"},
		{adapter: domain.AdapterOpenAI, model: "m", base: "https://x.example.org/v1?key=1", want: "https://x.example.org/v1/chat/completions?key=1"},
		{adapter: domain.AdapterOpenAI, model: "m", config: `{"useResponsesApi":true}`, want: "https://api.openai.com/v1/responses"},
		{
			adapter: domain.AdapterAzure, model: "d 1", base: "https://n.openai.azure.com/openai",
			want: "https://n.openai.azure.com/openai/deployments/d%201/chat/completions?api-version=2025-02-01-preview",
		},
		{
			adapter: domain.AdapterAzure, model: "d", base: "https://n.openai.azure.com/openai/deployments/",
			want: "https://n.openai.azure.com/openai/deployments/d/chat/completions?api-version=2025-02-01-preview",
		},
		{
			adapter: domain.AdapterAzure, model: "d", base: "https://n.openai.azure.com/openai/deployments/x/chat/completions?api-version=1",
			want: "https://n.openai.azure.com/openai/deployments/d/chat/completions?api-version=2025-02-01-preview",
		},
		{adapter: domain.AdapterAzure, model: "d", base: "https://deployments", want: "https://deployments/deployments/d/chat/completions?api-version=2025-02-01-preview"},
		{adapter: domain.AdapterAnthropic, model: "m", want: "https://api.anthropic.com/v1/messages"},
		{adapter: domain.AdapterAnthropic, model: "m", base: "https://x.example.org/v1/", want: "https://x.example.org/v1/messages"},
		{adapter: domain.AdapterAnthropic, model: "m", base: "https://x.example.org/a", want: "https://x.example.org/a/v1/messages"},
		{
			adapter: domain.AdapterBedrock, model: "m", config: `{"region":"us-east-1"}`, secret: `{"apiKey":"k"}`,
			want: "https://bedrock-runtime.us-east-1.amazonaws.com/model/m/converse",
		},
		{
			adapter: domain.AdapterBedrock, model: "arn:aws:bedrock:eu-west-1:1:inference-profile/eu.m:0", config: `{"region":"cn-north-1"}`,
			secret: `{"apiKey":"k"}`, stream: true, want: "https://bedrock-runtime.cn-north-1.amazonaws.com.cn/model/" +
				"arn%3Aaws%3Abedrock%3Aeu-west-1%3A1%3Ainference-profile%2Feu.m%3A0/converse-stream",
		},
		{
			adapter: domain.AdapterVertexAI, model: "gemini-3-pro", secret: vertexSecret,
			want: "https://aiplatform.googleapis.com/v1beta1/projects/p/locations/global/publishers/google/models/gemini-3-pro:generateContent",
		},
		{
			adapter: domain.AdapterVertexAI, model: "publishers/google/models/g", secret: vertexSecret, config: `{"location":"eu"}`, stream: true,
			want: "https://aiplatform.eu.rep.googleapis.com/v1beta1/projects/p/locations/eu/publishers/google/models/g:streamGenerateContent?alt=sse",
		},
		{
			adapter: domain.AdapterVertexAI, model: "claude-sonnet-4-5@20250929", secret: vertexSecret, config: `{"location":"us-east5"}`,
			want: "https://us-east5-aiplatform.googleapis.com/v1/projects/p/locations/us-east5/publishers/anthropic/models/" +
				"claude-sonnet-4-5@20250929:rawPredict",
		},
		{
			adapter: domain.AdapterAIStudio, model: "models/gemini-3-pro",
			want: "https://generativelanguage.googleapis.com/v1beta/models/gemini-3-pro:generateContent",
		},
		{
			adapter: domain.AdapterAIStudio, model: "m", base: "https://x.example.org/v1beta", stream: true,
			want: "https://x.example.org/v1beta/models/m:streamGenerateContent?alt=sse",
		},
	} {
		conn := Connection{Adapter: c.adapter, BaseURL: c.base, Config: json.RawMessage(c.config), Secret: firstOf(c.secret, "sk-1")}
		s, err := serviceOf(conn, Request{Model: c.model})
		if err != nil {
			t.Errorf("%+v: %v", c, err)
			continue
		}
		if got, err := s.address(c.stream); got != c.want || err != nil {
			t.Errorf("%s, %v\nwant %s", got, err, c.want)
		}
	}
}

// TestMisconfigured: what cannot be asked says why, and asks nobody.
func TestMisconfigured(t *testing.T) {
	hello := []Message{Text(User, "Hi")}
	for want, c := range map[string]struct {
		conn Connection
		req  Request
	}{
		"names no model":              {Connection{Adapter: domain.AdapterOpenAI}, Request{Messages: hello}},
		"no messages":                 {Connection{Adapter: domain.AdapterOpenAI}, Request{Model: "m", Messages: []Message{Text(User, "")}}},
		"no connections of the kind":  {Connection{Adapter: "telepathy"}, Request{Model: "m", Messages: hello}},
		"needs a base URL":            {Connection{Adapter: domain.AdapterAzure}, Request{Model: "m", Messages: hello}},
		"act as that machine":         {Connection{Adapter: domain.AdapterBedrock, Secret: BedrockHostCredentials}, Request{Model: "m", Messages: hello}},
		"act as that machine.":        {Connection{Adapter: domain.AdapterVertexAI, Secret: VertexHostCredentials}, Request{Model: "m", Messages: hello}},
		"the JSON file with the key":  {Connection{Adapter: domain.AdapterVertexAI, Secret: "sk-1"}, Request{Model: "m", Messages: hello}},
		"not the name of a Claude":    {Connection{Adapter: domain.AdapterVertexAI, Secret: vertexSecret}, Request{Model: "claude/../x", Messages: hello}},
		"The location of the connect": {Connection{Adapter: domain.AdapterVertexAI, Secret: vertexSecret, Config: json.RawMessage(`{"location":"evil.example/"}`)}, Request{Model: "m", Messages: hello}},
		"The region of the connectio": {Connection{Adapter: domain.AdapterBedrock, Secret: "{}", Config: json.RawMessage(`{"region":"us.east"}`)}, Request{Model: "m", Messages: hello}},
		"which no message before it made": {Connection{Adapter: domain.AdapterOpenAI}, Request{Model: "m", Messages: []Message{
			{Role: ToolRole, ToolCallID: "x", Parts: []Part{{Kind: TextPart, Text: "y"}}},
		}}},
		"takes no addresses of media": {
			Connection{Adapter: domain.AdapterBedrock, Secret: `{"apiKey":"k"}`, Config: json.RawMessage(`{"region":"us-east-1"}`)},
			Request{Model: "m", Messages: []Message{{Role: User, Parts: []Part{{Kind: ImagePart, URL: "https://example.org/a.png"}}}}},
		},
		"cannot be used": {Connection{Adapter: domain.AdapterOpenAI}, Request{Model: "m", Messages: hello, Schema: &Schema{JSON: json.RawMessage(`{"type":"nonsense"}`)}}},
		"There is no token for the service account": {Connection{Adapter: domain.AdapterVertexAI, Secret: vertexSecret}, Request{Model: "m", Messages: hello}},
	} {
		result, err := New(Options{}).Complete(t.Context(), c.conn, c.req)
		failed, ok := errors.AsType[*Error](err)
		if !ok || !strings.Contains(failed.Message, want) || strings.Contains(failed.Message, "nonsense\"") || result.Attempts != 0 {
			t.Errorf("%q: %v", want, err)
		}
	}
	// Names of models that would lead elsewhere.
	region := Connection{Adapter: domain.AdapterBedrock, Secret: `{"apiKey":"k"}`, Config: json.RawMessage(`{"region":"us-east-1"}`)}
	azure := Connection{Adapter: domain.AdapterAzure, BaseURL: "https://n.openai.azure.com/openai"}
	google, cloud := Connection{Adapter: domain.AdapterAIStudio}, Connection{Adapter: domain.AdapterVertexAI, Secret: vertexSecret}
	inURL := Connection{Adapter: domain.AdapterOpenAI, BaseURL: "https://x.example.org/{model}/v1"}
	for _, c := range []struct {
		conn  Connection
		names []string
	}{
		{azure, []string{".", "..", "a/b", "../x", `a\b`}},
		{region, []string{".", "..", "a/b", "arn:aws:bedrock:us-east-1:1:inference-profile/../x", "arn:aws:bedrock:us-east-1:1:x/a/b/c"}},
		{google, []string{".", "..", "models/..", "a/b", "models/a/b", "tunedModels/a"}},
		{cloud, []string{".", "..", "publishers/google/models/..", "a/b", "publishers/other/models/g"}},
		{inURL, []string{".", ".."}},
	} {
		for _, name := range c.names {
			_, err := serviceOf(c.conn, Request{Model: name})
			if failed, ok := errors.AsType[*Error](err); !ok || failed.Kind != Misconfigured || !strings.Contains(failed.Message, "just dots") {
				t.Errorf("the model %q of %s: %v", name, c.conn.Adapter, err)
			}
		}
	}
	// Extra parameters do not replace what is asked.
	for _, name := range []string{"model", "Messages", "input", "contents", "stream", "tools", "tool_choice", "toolConfig", "system"} {
		result, err := New(Options{}).Complete(t.Context(), Connection{Adapter: domain.AdapterOpenAI}, Request{
			Model: "m", Messages: hello, Params: Params{Extra: map[string]json.RawMessage{"logprobs": []byte("1"), name: []byte("1")}},
		})
		failed, ok := errors.AsType[*Error](err)
		if !ok || failed.Kind != Misconfigured || !strings.Contains(failed.Message, `"`+name+`"`) || result.Attempts != 0 {
			t.Errorf("the extra parameter %q: %v", name, err)
		}
	}
	private := Connection{Adapter: domain.AdapterOpenAI, BaseURL: "http://127.0.0.1:1/v1"}
	_, err := New(Options{Guard: netguard.Guard{}}).Complete(t.Context(), private, Request{Model: "m", Messages: hello})
	if failed, ok := errors.AsType[*Error](err); !ok || failed.Kind != Unreachable || !strings.Contains(failed.Message, "which the operator does not allow") {
		t.Errorf("an address of this machine: %v", err)
	}
}
