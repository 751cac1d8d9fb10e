package httpapi_test

import (
	"io"
	"net/http"
	"net/http/httptest"
	"slices"
	"strings"
	"testing"
	"time"

	"almanac/internal/domain"
	"almanac/internal/httpapi"
	"almanac/internal/httpapi/apitest"
)

const (
	ping   = `{"jsonrpc":"2.0","id":1,"method":"ping"}`
	pinged = `{"jsonrpc":"2.0","id":1,"result":{}}`
)

func TestMCPMessages(t *testing.T) {
	initialize := func(version, answered string) apitest.Scenario {
		s := apitest.Message("initialize "+version, `{"jsonrpc":"2.0","id":"a","method":"initialize","params":{"protocolVersion":"`+version+
			`","capabilities":{},"clientInfo":{"name":"c","version":"1"}}}`, 200, "")
		s.Contains = []string{
			`{"jsonrpc":"2.0","id":"a","result":{"capabilities":{"tools":{}},"instructions":"`,
			`"protocolVersion":"` + answered + `","serverInfo":{"name":"langfuse","version":"0.3.0-unstable"}}}`,
		}
		s.WantHeader = map[string]string{"Mcp-Session-Id": "", "Content-Type": "application/json; charset=utf-8"}
		return s
	}
	list := apitest.Message("tools/list", `{"jsonrpc":"2.0","id":1,"method":"tools/list"}`, 200, "")
	list.Contains = []string{`"tools":[`, `"name":"listPrompts"`, `"readOnlyHint":true`, `"inputSchema":{`}
	refused := func(name, body, why string) apitest.Scenario {
		return apitest.Message(name, body, 400, `{"error":"`+why+`","code":-32600}`)
	}
	limited := apitest.Message("a key with few permissions", ping, 200, pinged)
	limited.Key = "limited"
	const noParams = `Invalid message: invalid request: missing required \"params\"`
	apitest.Run(t, []apitest.Scenario{
		initialize("2025-11-25", "2025-11-25"), initialize("2025-06-18", "2025-06-18"), initialize("2025-03-26", "2025-03-26"),
		initialize("1999-01-01", "2025-11-25"),
		refused("initialize without a version", `{"jsonrpc":"2.0","id":1,"method":"initialize"}`, noParams),
		apitest.Message("ping", ping, 200, pinged), limited, list,
		apitest.Message("a cursor that is not ours", `{"jsonrpc":"2.0","id":1,"method":"tools/list","params":{"cursor":"x"}}`, 200,
			`{"jsonrpc":"2.0","id":1,"error":{"code":-32602,"message":"invalid params"}}`),
		apitest.Message("notification", `{"jsonrpc":"2.0","method":"notifications/initialized"}`, 202, ""),
		apitest.Message("a notification of what is over",
			`{"jsonrpc":"2.0","method":"notifications/cancelled","params":{"requestId":7,"reason":"none"}}`, 202, ""),
		apitest.Message("the answer to nothing", `{"jsonrpc":"2.0","id":1,"result":{}}`, 202, ""),
		apitest.Message("neither a question nor an answer", `{"jsonrpc":"2.0","id":1}`, 202, ""),
		apitest.Message("a feature that is not offered", `{"jsonrpc":"2.0","id":15,"method":"resources/list"}`, 200,
			`{"jsonrpc":"2.0","id":15,"error":{"code":-32601,"message":"method not found: \"resources/list\""}}`),
		refused("unknown method", `{"jsonrpc":"2.0","id":1,"method":"nope"}`,
			`Invalid message: JSON RPC not handled: \"nope\" unsupported`),
		apitest.Message("unknown tool", `{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"nope"}}`, 200,
			`{"jsonrpc":"2.0","id":1,"error":{"code":-32602,"message":"unknown tool \"nope\""}}`),
		refused("a call of nothing", `{"jsonrpc":"2.0","id":1,"method":"tools/call"}`, noParams),
		apitest.Message("arguments that are no object",
			`{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"getHealth","arguments":[]}}`, 200,
			`{"jsonrpc":"2.0","id":1,"error":{"code":-32602,"message":"The arguments of a tool must be an object"}}`),
		refused("no object", `1`,
			`Invalid message: malformed payload: unmarshaling jsonrpc message: json: cannot unmarshal \"1\" into Go value of type jsonrpc2.wireDecode`),
		refused("another version", `{"jsonrpc":"1.0","id":1,"method":"ping"}`,
			`Invalid message: malformed payload: invalid message version tag \"1.0\"; expected \"2.0\"`),
		refused("an id of null", `{"jsonrpc":"2.0","id":null,"method":"ping"}`,
			`Invalid message: invalid request: missing id for \"ping\"`),
		refused("an id of another type", `{"jsonrpc":"2.0","id":{},"method":"ping"}`,
			"Invalid message: malformed payload: parse error: invalid ID type map[string]interface {}"),
		refused("a batch", ` [`+ping+`]`, "Batches are not supported, send one message at a time"),
		apitest.Message("no JSON", `{`, 400, `{"error":"Invalid JSON","code":-32700}`),
		apitest.Message("too large", strings.Repeat(" ", httpapi.MaxMessage)+ping, 413,
			`{"error":"The request body is larger than the limit of 4718592 bytes","code":-32600}`),
	})
}

// TestMCPWithoutInitialize sends messages of the protocol revision without initialize, in which each message identifies
// its sender.
func TestMCPWithoutInitialize(t *testing.T) {
	send := func(name, id, method, params string, status int, want string) apitest.Scenario {
		meta := `"_meta":{"io.modelcontextprotocol/protocolVersion":"2026-07-28","io.modelcontextprotocol/clientInfo":{"name":"c","version":"1"},"io.modelcontextprotocol/clientCapabilities":{}}`
		s := apitest.Message(name, `{"jsonrpc":"2.0","id":`+id+`,"method":"`+method+`","params":{`+params+meta+`}}`, status, "")
		s.Contains = []string{want}
		return s.With("Mcp-Protocol-Version", "2026-07-28").With("Mcp-Method", method)
	}
	apitest.Run(t, []apitest.Scenario{
		send("discovery", "1", "server/discover", "", 200, `"capabilities":{"tools":{}}`),
		send("a call", "2", "tools/call", `"name":"getHealth","arguments":{},`, 200, `\"status\": \"OK\"`).With("Mcp-Name", "getHealth"),
		send("a call under another name", "3", "tools/call", `"name":"getHealth","arguments":{},`, 400, `"error":{`).With("Mcp-Name",
			"listTraces"),
		send("a stream that would stay open", "4", "subscriptions/listen", `"notifications":{"toolsListChanged":true},`, 404,
			`"code":-32601`),
	})
}

func TestMCPTransport(t *testing.T) {
	const (
		notAcceptable = `{"error":"The header Accept must contain application/json, text/event-stream or */*","code":-32600}`
		notJSON       = `{"error":"The header Content-Type must be application/json","code":-32600}`
		denied        = `{"error":"Access denied - insufficient permissions for this endpoint","code":-32600}`
	)
	other := func(name, method string) apitest.Scenario {
		s := apitest.Message(name, "", 405, `{"error":"Method not allowed","code":-32600}`)
		s.Method, s.WantHeader = method, map[string]string{"Allow": "POST"}
		return s
	}
	as := func(key string, s apitest.Scenario) apitest.Scenario {
		s.Key = key
		return s
	}
	preflight := apitest.Message("a preflight", "", 204, "").With("Origin", "http://localhost:3000")
	preflight.Method = "OPTIONS"
	apitest.Run(t, []apitest.Scenario{
		other("GET", "GET"), other("DELETE", "DELETE"), preflight,
		apitest.Message("accepts JSON", ping, 200, pinged).With("Accept", "application/json"),
		apitest.Message("accepts streams", ping, 200, pinged).With("Accept", "text/event-stream"),
		apitest.Message("accepts anything", ping, 200, pinged).With("Accept", "*/*"),
		apitest.Message("accepts nothing of ours", ping, 406, notAcceptable).With("Accept", "text/html"),
		apitest.Message("accepts nothing", ping, 406, notAcceptable).With("Accept", ""),
		apitest.Message("no JSON", ping, 415, notJSON).With("Content-Type", "text/plain"),
		apitest.Message("a version that we speak", ping, 200, pinged).With("Mcp-Protocol-Version", "2025-06-18"),
		apitest.Message("one that we do not", ping, 400,
			`{"error":"Invalid message: Bad Request: Unsupported protocol version (supported versions: 2026-07-28,2025-11-25,2025-06-18,2025-03-26,2024-11-05)","code":-32600}`).With("Mcp-Protocol-Version", "1"),
		as("", apitest.Message("no key", ping, 401, `{"error":"No authorization header","code":-32600}`)),
		as("", apitest.Message("the public key alone", ping, 403, denied).With("Authorization", "Bearer pk-lf-a")),
		as("organization", apitest.Message("an organization's key", ping, 403, denied)),
		{
			Name: "discovery", Path: "http://localhost:3000/.well-known/mcp.json", Status: 200,
			Want: `{"$schema":"https://static.modelcontextprotocol.io/schemas/2025-12-11/server.schema.json","title":"Almanac","description":"Traces, scores, prompts, datasets and experiments of LLM applications.","websiteUrl":"http://localhost:3000","remotes":[{"type":"streamable-http","url":"http://localhost:3000/api/public/mcp"}]}`,
		},
	})
}

func TestMCPHosts(t *testing.T) {
	for _, test := range []struct {
		name, public, allowed, host, origin string
		refused                             string // the header that is refused
	}{
		{name: "localhost", host: "localhost:3000"},
		{name: "an address", host: "192.0.2.1:3000"},
		{name: "an address of version 6", host: "[::1]:3000"},
		{name: "a name", host: "evil.test", refused: "Host"},
		{name: "a name that looks like an address", host: "127.0.0.1.evil.test", refused: "Host"},
		{name: "the page of this server", host: "192.0.2.1:3000", origin: "http://192.0.2.1:3000"},
		{name: "a page of another server", host: "localhost:3000", origin: "http://evil.test", refused: "Origin"},
		{name: "a page without a server", host: "localhost:3000", origin: "null", refused: "Origin"},
		{name: "the public host", public: "https://almanac.test", host: "almanac.test", origin: "https://almanac.test"},
		{name: "in other letters, with the usual port", public: "https://Almanac.test:443/", host: "ALMANAC.test"},
		{name: "the public host, another port", public: "https://almanac.test", host: "almanac.test:3000", refused: "Host"},
		{name: "localhost, with a public URL", public: "https://almanac.test", host: "localhost", refused: "Host"},
		{
			name: "a page, with a public URL", public: "https://almanac.test", host: "almanac.test", origin: "https://other.test",
			refused: "Origin",
		},
		{
			name: "an allowed host", public: "https://almanac.test", allowed: "other.test, Localhost", host: "localhost:1",
			origin: "http://other.test:5",
		},
		{name: "an allowed host with its port", allowed: "other.test:5", host: "other.test:5"},
		{name: "and another port", allowed: "other.test:5", host: "other.test:6", refused: "Host"},
		{name: "all", public: "https://almanac.test", allowed: "*", host: "evil.test", origin: "http://evil.test"},
		{name: "an empty list", allowed: " ,", host: "evil.test", refused: "Host"},
	} {
		t.Run(test.name, func(t *testing.T) {
			f := apitest.New(t, func(o *httpapi.Options) { o.Address.URL, o.MCPHosts = test.public, httpapi.ReadMCPHosts(test.allowed) })
			s := apitest.Message("", ping, 200, pinged)
			if test.refused != "" {
				s.Status, s.Want = 403,
					`{"error":"The header `+test.refused+` is not allowed: set --public-url or --mcp-allowed-hosts","code":-32600}`
			}
			s.Path = "http://" + test.host + "/api/public/mcp"
			if test.origin != "" {
				s = s.With("Origin", test.origin)
			}
			f.Run(t, s)
		})
	}
}

// call calls a tool and returns the text of its result and whether it failed.
func call(t *testing.T, f *apitest.Fixture, key, tool, arguments string) (text string, failed bool) {
	t.Helper()
	s := apitest.Message(tool, `{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"`+tool+`","arguments":`+arguments+`}}`, 200, "")
	s.Key = key
	w := httptest.NewRecorder()
	r := s.Request()
	f.ServeHTTP(w, r)
	answer := w.Result()
	raw, err := io.ReadAll(answer.Body)
	if err != nil || answer.StatusCode != http.StatusOK {
		t.Fatalf("%s: status %d, %v: %s", tool, answer.StatusCode, err, raw)
	}
	apitest.CheckDescribed(t, r, answer, raw)
	got := apitest.DecodeJSON[struct {
		Result struct {
			Content []struct{ Type, Text string }
			IsError bool
		}
	}](t, raw)
	if len(got.Result.Content) != 1 || got.Result.Content[0].Type != "text" {
		t.Fatalf("%s: %s", tool, raw)
	}
	return got.Result.Content[0].Text, got.Result.IsError
}

func TestMCPResults(t *testing.T) {
	f := apitest.New(t, nil)
	f.Keep(t, "project-a", []domain.Observation{
		{TraceID: "t/1", ID: "o", StartTime: 1, Name: "n", Environment: "e", Input: strings.Repeat("x", 3<<20)},
	}, nil)
	for _, test := range []struct {
		name, key, tool, arguments, want string
		failed                           bool
	}{
		{
			name: "in lines", tool: "getHealth", arguments: `{}`,
			want: "{\n  \"status\": \"OK\",\n  \"version\": \"4.55.0\",\n  \"build\": \"1.2.3-test\"\n}",
		},
		{
			name: "a list, a boolean, a number and conditions", tool: "listObservations",
			arguments: `{"environment":["d","e"],"isRootObservation":true,"limit":1,"filter":[{"type":"string","column":"name","operator":"=","value":"n"}],"level":null}`, want: "\"traceId\": \"t/1\"",
		},
		{
			name: "conditions that are not met", tool: "listObservations",
			arguments: `{"filter":[{"type":"string","column":"name","operator":"=","value":"m"}]}`,
			want:      "{\n  \"data\": [],\n  \"meta\": {}\n}",
		},
		{name: "a slash in the path", tool: "getTrace", arguments: `{"traceId":"t/1","fields":"core"}`, want: `"id": "t/1"`},
		{
			name: "a path that leads elsewhere", tool: "getTrace", arguments: `{"traceId":".."}`,
			want: "getTrace needs the argument traceId, a text that is not empty", failed: true,
		},
		{
			name: "no path", tool: "getTrace", arguments: `{}`, want: "getTrace needs the argument traceId, a text that is not empty",
			failed: true,
		},
		{
			name: "an unknown argument", tool: "getTrace", arguments: `{"id":"t"}`,
			want: "getTrace takes no argument \"id\". Its arguments: fields, traceId", failed: true,
		},
		{
			name: "an argument of none", tool: "getMetricsSchema", arguments: `{"view":"x"}`,
			want: "getMetricsSchema takes no arguments, not even \"view\"", failed: true,
		},
		{
			name: "what the route says", tool: "getTrace", arguments: `{"traceId":"nope"}`,
			want: "404 Not Found\n{\n  \"message\": \"Trace nope not found", failed: true,
		},
		{
			name: "a permission", key: "limited", tool: "listPrompts", arguments: `{}`,
			want: "403 Forbidden\n{\n  \"message\": \"Access denied - insufficient permissions for this endpoint: the key lacks the permission prompts:read\"", failed: true,
		},
		{
			name: "too large a body for the route", tool: "createComment", arguments: `{"content":"` + strings.Repeat("x", httpapi.DefaultMaxBody) +
				`"}`, want: "413 Request Entity Too Large\nThe request body is larger", failed: true,
		},
	} {
		t.Run(test.name, func(t *testing.T) {
			if test.key == "" {
				test.key = "project"
			}
			text, failed := call(t, f, test.key, test.tool, test.arguments)
			if failed != test.failed || !strings.Contains(text, test.want) {
				t.Errorf("failed: %v, %.500s", failed, text)
			}
		})
	}

	t.Run("too large an answer", func(t *testing.T) {
		f := apitest.New(t, func(o *httpapi.Options) { o.Memory = apitest.NewMemory(64 << 20) })
		free := f.Memory.Held()
		var rows []domain.Observation
		for _, id := range []string{"a", "b", "c"} {
			rows = append(rows, domain.Observation{TraceID: "t", ID: id, StartTime: 1, Input: strings.Repeat("x", 2<<20)})
		}
		f.Keep(t, "project-a", rows, nil)
		if text, failed := call(t, f, "project", "listObservations", `{"fields":"io","limit":1}`); failed || len(text) < 2<<20 {
			t.Errorf("%v %.200s", failed, text)
		}
		if text, failed := call(t, f, "project", "listObservations", `{"fields":"io"}`); !failed ||
			!strings.HasPrefix(text, "The answer is larger than 4 MB.") {
			t.Errorf("%v %.200s", failed, text)
		}
		if after := f.Memory.Held(); after != free {
			t.Errorf("%d bytes are lost", free-after)
		}
	})
	t.Run("no memory for the answer", func(t *testing.T) {
		f := apitest.New(t, func(o *httpapi.Options) { o.Memory = apitest.NewMemory(4 << 20) })
		f.Keep(t, "project-a", []domain.Observation{{TraceID: "t", ID: "o", StartTime: 1, Input: strings.Repeat("x", 2<<20)}}, nil)
		if text, failed := call(t, f, "project", "listObservations", `{"fields":"io"}`); !failed ||
			!strings.Contains(text, "as much data of requests as it can") {
			t.Errorf("%v %.200s", failed, text)
		}
	})
	t.Run("no memory for the answer when it is escaped", func(t *testing.T) {
		f := apitest.New(t, nil)
		for id, text := range map[string]string{"plain": "x", "tags": "<"} {
			f.Keep(t, "project-a", []domain.Observation{{TraceID: id, ID: id, StartTime: 1, Input: strings.Repeat(text, 300<<10)}}, nil)
			text, failed := call(t, f, "project", "listObservations", `{"fields":"io","traceId":"`+id+`"}`)
			if failed != (id == "tags") || failed && !strings.Contains(text, "as much data of requests as it can") {
				t.Errorf("%s: %v %.200s", id, failed, text)
			}
		}
	})
	t.Run("no time left", func(t *testing.T) {
		f := apitest.New(t, func(o *httpapi.Options) { o.Limits.Handling = time.Nanosecond })
		if text, failed := call(t, f, "project", "listDatasets", `{}`); !failed || !strings.Contains(text, "took too long") {
			t.Errorf("%v %s", failed, text)
		}
		if held := f.Memory.Held(); held != 0 {
			t.Errorf("%d bytes are held", held)
		}
	})
	t.Run("as many messages as turns", func(t *testing.T) {
		f := apitest.New(t, func(o *httpapi.Options) { o.Limits.Concurrent = 1 })
		if text, failed := call(t, f, "project", "listDatasets", `{}`); failed {
			t.Error(text)
		}
	})
	t.Run("a change is noted as the route's", func(t *testing.T) {
		f := apitest.New(t, nil)
		if text, failed := call(t, f, "project", "createTextPrompt", `{"name":"p","prompt":"x"}`); failed {
			t.Fatal(text)
		}
		own, err := f.Catalog.KeyByPublic(t.Context(), "pk-lf-a")
		if err != nil {
			t.Fatal(err)
		}
		log, err := apitest.OldestFirst(t.Context(), f.Catalog, domain.OfOrganization("org-a"))
		by := func(e domain.AuditEntry) bool {
			return e.ResourceKind == "prompt" && e.Action == "create" && e.ProjectID == "project-a" && e.Actor.ID == own.ID
		}
		if err != nil || !slices.ContainsFunc(log, by) {
			t.Errorf("%v %+v", err, log)
		}
	})
}
