package sdk

import (
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"testing"
)

// modelServer returns a server that responds like OpenAI's API, always the same.
func modelServer(t *testing.T) *httptest.Server {
	t.Helper()
	mux := http.NewServeMux()
	mux.HandleFunc("POST /v1/chat/completions", func(w http.ResponseWriter, r *http.Request) {
		var request struct {
			Model  string            `json:"model"`
			Stream bool              `json:"stream"`
			Tools  []json.RawMessage `json:"tools"`
		}
		if err := json.NewDecoder(r.Body).Decode(&request); err != nil {
			t.Errorf("what the client asks the model: %v", err)
		}
		w.Header().Set("Content-Type", "application/json")
		switch {
		case request.Model == "no-such-model":
			w.WriteHeader(http.StatusNotFound)
			_, _ = io.WriteString(w, `{"error":{"message":"The model does not exist.","type":"invalid_request_error"}}`)
		case request.Stream:
			w.Header().Set("Content-Type", "text/event-stream")
			for _, chunk := range []string{
				`"choices":[{"index":0,"delta":{"role":"assistant","content":""},"finish_reason":null}]`,
				`"choices":[{"index":0,"delta":{"content":"Das ist "},"finish_reason":null}]`,
				`"choices":[{"index":0,"delta":{"content":"東京."},"finish_reason":null}]`,
				`"choices":[{"index":0,"delta":{},"finish_reason":"stop"}]`,
				`"choices":[],"usage":` + modelUsage,
			} {
				_, _ = fmt.Fprintf(w, "data: {%s,\"object\":\"chat.completion.chunk\",%s}\n\n", modelHead, chunk)
			}
			_, _ = io.WriteString(w, "data: [DONE]\n\n")
		default:
			choice := `{"index":0,"message":{"role":"assistant","content":"Das ist 東京."},"finish_reason":"stop"}`
			if len(request.Tools) > 0 {
				choice = `{"index":0,"message":{"role":"assistant","content":null,"tool_calls":[{"id":"call_1",` +
					`"type":"function","function":{"name":"get_weather","arguments":"{\"city\":\"Oslo\"}"}}]},` +
					`"finish_reason":"tool_calls"}`
			}
			_, _ = fmt.Fprintf(w, `{%s,"object":"chat.completion","choices":[%s],"usage":%s}`, modelHead, choice, modelUsage)
		}
	})
	mux.HandleFunc("POST /v1/embeddings", func(w http.ResponseWriter, _ *http.Request) {
		w.Header().Set("Content-Type", "application/json")
		_, _ = io.WriteString(w, `{"object":"list","model":"text-embedding-3-small",`+
			`"data":[{"object":"embedding","index":0,"embedding":[0.25,-0.5]}],"usage":{"prompt_tokens":2000,"total_tokens":2000}}`)
	})
	s := httptest.NewServer(mux)
	t.Cleanup(s.Close)
	return s
}

const (
	modelHead  = `"id":"chatcmpl-1","created":1767225600,"model":"gpt-4o-2024-08-06"`
	modelUsage = `{"prompt_tokens":100,"completion_tokens":20,"total_tokens":120,"prompt_tokens_details":{"cached_tokens":40},` +
		`"completion_tokens_details":{"reasoning_tokens":5}}`
)
