package mcp

import (
	"bytes"
	"context"
	"encoding/json"
	"log/slog"
	"net/http"
	"net/http/httptest"
	"net/url"
	"reflect"
	"strings"
	"testing"

	sdk "github.com/modelcontextprotocol/go-sdk/mcp"

	"almanac/internal/decode"
)

// testKey is the context key of the test that sent a message.
type testKey struct{}

// send sends a message and returns the response.
func send(t *testing.T, h http.Handler, message string) *httptest.ResponseRecorder {
	t.Helper()
	r := httptest.NewRequestWithContext(context.WithValue(t.Context(), testKey{}, t), http.MethodPost, "/", strings.NewReader(message))
	r.Header.Set("Content-Type", "application/json")
	r.Header.Set("Accept", "application/json, text/event-stream")
	w := httptest.NewRecorder()
	h.ServeHTTP(w, r)
	return w
}

// TestListIsEmbedded compares what clients receive with the list generated from the description of the API.
func TestListIsEmbedded(t *testing.T) {
	w := send(t, NewHandler(slog.New(slog.DiscardHandler), 1<<20, nil), `{"jsonrpc":"2.0","id":1,"method":"tools/list"}`)
	type tools []map[string]any
	var got struct{ Result struct{ Tools tools } }
	var embedded struct{ Tools tools }
	if err := json.Unmarshal(w.Body.Bytes(), &got); err != nil {
		t.Fatal(err)
	}
	if err := json.Unmarshal(toolsJSON, &embedded); err != nil {
		t.Fatal(err)
	}
	byName := make(map[any]map[string]any)
	for _, tool := range got.Result.Tools {
		byName[tool["name"]] = tool
	}
	if len(byName) != len(table) || len(embedded.Tools) != len(table) {
		t.Errorf("%d tools are listed, %d embedded", len(byName), len(embedded.Tools))
	}
	for _, want := range embedded.Tools {
		listed := byName[want["name"]]
		for member, value := range want {
			if member == "annotations" { // the SDK fills in the missing ones
				for hint, set := range value.(map[string]any) {
					if got, _ := listed[member].(map[string]any); got[hint] != set {
						t.Errorf("%s: %s is %v, not %v", want["name"], hint, got[hint], set)
					}
				}
			} else if !reflect.DeepEqual(listed[member], value) {
				t.Errorf("%s: %s is\n%v, not\n%v", want["name"], member, listed[member], value)
			}
		}
	}
}

func TestPanicsAreAnswered(t *testing.T) {
	var log bytes.Buffer
	h := NewHandler(slog.New(slog.NewTextHandler(&log, nil)), 1<<20,
		func(context.Context, *Tool, map[string]json.RawMessage) *sdk.CallToolResult {
			panic("a secret")
		})
	w := send(t, h, `{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"getHealth"}}`)
	if want := `{"jsonrpc":"2.0","id":1,"error":{"code":-32603,"message":"Internal Server Error"}}`; w.Body.String() != want {
		t.Errorf("%d %s", w.Code, w.Body)
	}
	if !strings.Contains(log.String(), `panic="a secret"`) || !strings.Contains(log.String(), "TestPanicsAreAnswered") {
		t.Error(log.String())
	}
}

func FuzzMessage(f *testing.F) {
	f.Add(`{"jsonrpc":"2.0","id":1,"method":"initialize","params":{"protocolVersion":"2025-06-18"}}`)
	f.Add(`{"jsonrpc":"2.0","id":"a","method":"tools/list"}`)
	f.Add(`{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"listTraces","arguments":{"tags":["a"],"limit":1,"filter":[{}]}}}`)
	f.Add(`{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"updatePromptLabels","arguments":{"promptName":"a/..","version":1,"newLabels":null}}}`)
	f.Add(`{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"getObservationFilterValues","arguments":{"column":{}}}}`)
	f.Add(`{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"getHealth","arguments":null,"_meta":{"progressToken":1}}}`)
	f.Add(`{"jsonrpc":"2.0","method":"notifications/cancelled","params":{"requestId":1}}`)
	f.Add(`{"jsonrpc":"2.0","id":1,"result":{}}`)
	f.Add(`[]`)
	var log bytes.Buffer
	h := NewHandler(slog.New(slog.NewTextHandler(&log, nil)), 1<<20,
		func(ctx context.Context, tool *Tool, arguments map[string]json.RawMessage) *sdk.CallToolResult {
			if tool.Method == "" {
				return Success("")
			}
			request, err := tool.Request(arguments, "p")
			if err != nil {
				return Failure(err.Error())
			}
			t := ctx.Value(testKey{}).(*testing.T)
			u, err := url.ParseRequestURI(request.Target)
			if err != nil || u.Host != "" || strings.Count(u.EscapedPath(), "/") != strings.Count(tool.Path, "/") {
				t.Errorf("%s leads to %s: %v", tool.Name, request.Target, err)
			}
			if len(request.Body) > 0 && !json.Valid(request.Body) {
				t.Errorf("%s sends %s", tool.Name, request.Body)
			}
			return Success(Pretty(request.Body, 1<<20))
		})
	f.Fuzz(func(t *testing.T, text string) {
		if decode.CheckJSON([]byte(text)) != nil {
			return
		}
		w := send(t, h, text)
		switch {
		case log.Len() > 0:
			t.Errorf("%s: %s", text, &log)
		case w.Code == http.StatusOK && !json.Valid(w.Body.Bytes()), w.Code != http.StatusOK && w.Code != http.StatusAccepted &&
			w.Code != http.StatusBadRequest:
			t.Errorf("%s: %d %s", text, w.Code, w.Body)
		}
	})
}
