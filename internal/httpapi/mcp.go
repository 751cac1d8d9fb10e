package httpapi

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"strings"

	sdk "github.com/modelcontextprotocol/go-sdk/mcp"

	"almanac/internal/domain"
	"almanac/internal/httpapi/datasets"
	"almanac/internal/httpapi/endpoint"
	"almanac/internal/httpapi/mcp"
	"almanac/internal/httpapi/respond"
	"almanac/internal/limits/memory"
)

const (
	// maxMessage is the maximum size of a message, in bytes: that of the largest body that a tool takes.
	maxMessage = datasets.MaxItemBody
	// maxToolAnswer is the maximum size of a tool's result, in bytes. No assistant can read more.
	maxToolAnswer = 4 << 20
	// messageCopies is the number of copies of a message that the SDK holds in memory while reading it.
	messageCopies = 5
)

// answerMCP handles one message of the Model Context Protocol. Most call a tool, which becomes a request to another
// route with the same credentials: permissions, limits, turns and audit entries are those of that route.
func (a *API) answerMCP(c *endpoint.Call, scope domain.ProjectScope) (any, error) {
	if err := a.acceptMCP(c); err != nil {
		return nil, err
	}
	body, _ := c.RawBody()
	if bytes.HasPrefix(bytes.TrimLeft(body, " \t\r\n"), []byte("[")) {
		return nil, respond.InvalidRequest("Batches are not supported, send one message at a time")
	}
	if err := memory.Of(c.Context()).Grow(c.Context(), messageCopies*int64(len(body))); err != nil {
		return nil, err
	}
	// The SDK returns without a response when its context ends. Tools end with the context of the call instead, and their
	// result says why.
	r := c.Request().Clone(context.WithValue(context.WithoutCancel(c.Context()), toolCallerKey{}, toolCaller{c, scope}))
	r.Header.Set("Accept", "application/json, text/event-stream") // clients that accept only one of them are served as well
	r.Body = io.NopCloser(bytes.NewReader(body))
	answer := &mcpAnswer{header: make(http.Header), status: http.StatusOK}
	a.mcp().ServeHTTP(answer, r)
	return answer.value()
}

// toolCaller identifies the caller of a tool: the call of the message and the project of its key.
type toolCaller struct {
	call  *endpoint.Call
	scope domain.ProjectScope
}

type toolCallerKey struct{}

func (a *API) newMCPHandler() http.Handler {
	return mcp.NewHandler(a.Log, maxMessage,
		func(ctx context.Context, tool *mcp.Tool, arguments map[string]json.RawMessage) *sdk.CallToolResult {
			caller, _ := ctx.Value(toolCallerKey{}).(toolCaller)
			return a.callTool(caller.call, caller.scope, tool, arguments)
		})
}

// mcpAnswer captures the SDK's response: JSON, or a plain-text refusal.
type mcpAnswer struct {
	header http.Header
	status int
	body   []byte
}

func (w *mcpAnswer) Header() http.Header { return w.header }

func (w *mcpAnswer) WriteHeader(status int) { w.status = status }

func (w *mcpAnswer) Write(piece []byte) (int, error) {
	w.body = append(w.body, piece...)
	return len(piece), nil
}

func (w *mcpAnswer) value() (any, error) {
	switch {
	case w.status == http.StatusAccepted: // the message expects no response
		return respond.Stream(func(w http.ResponseWriter, _ *http.Request) error {
			w.WriteHeader(http.StatusAccepted)
			return nil
		}), nil
	case endpoint.IsJSON(w.header.Get("Content-Type")):
		return respond.Status{Code: w.status, Body: json.RawMessage(w.body)}, nil
	}
	return nil, &respond.Error{Status: w.status, Message: "Invalid message: " + strings.TrimSpace(string(w.body))}
}

// acceptMCP rejects requests that do not follow the protocol or may come from an untrusted web page.
func (a *API) acceptMCP(c *endpoint.Call) error {
	if err := a.MCPHosts.check(a.Address.URL, c.Request()); err != nil {
		return err
	}
	accept := strings.Join(c.Request().Header.Values("Accept"), ",")
	if !strings.Contains(accept, "application/json") && !strings.Contains(accept, "text/event-stream") && !strings.Contains(accept, "*/*") {
		return &respond.Error{
			Status: http.StatusNotAcceptable, Message: "The header Accept must contain application/json, text/event-stream or */*",
		}
	}
	if _, isJSON := c.RawBody(); !isJSON {
		return &respond.Error{Status: http.StatusUnsupportedMediaType, Message: "The header Content-Type must be application/json"}
	}
	return nil
}

// callTool sends the request of a tool through the route table and returns the result.
func (a *API) callTool(
	c *endpoint.Call, scope domain.ProjectScope, tool *mcp.Tool, arguments map[string]json.RawMessage,
) *sdk.CallToolResult {
	if answer := schemaFor(tool.Name); answer != nil {
		return schemaResult(answer)
	}
	request, err := tool.Request(arguments, scope.ProjectID())
	if err != nil {
		return mcp.Failure(err.Error())
	}
	ctx, cancel := context.WithCancel(c.Context())
	defer cancel()
	r, err := http.NewRequestWithContext(ctx, request.Method, request.Target, bytes.NewReader(request.Body))
	if err != nil {
		return mcp.Failure("The arguments make no request: " + err.Error())
	}
	r.Host, r.TLS, r.RemoteAddr = c.Request().Host, c.Request().TLS, c.Request().RemoteAddr
	for _, name := range []string{"Authorization", "X-Forwarded-Proto", "X-Forwarded-For", "User-Agent"} {
		r.Header[name] = c.Request().Header[name]
	}
	r.Header.Set("X-Request-Id", c.RequestID())
	if request.Body != nil {
		r.Header.Set("Content-Type", "application/json")
	}
	answer := &toolAnswer{ctx: ctx, header: make(http.Header), stop: cancel}
	a.serveTool(answer, r)
	return answer.result()
}

// serveTool serves the request of a tool. If its response is aborted, the client's own request continues, and the
// result says that the response was cut off.
func (a *API) serveTool(answer *toolAnswer, r *http.Request) {
	defer func() {
		if p := recover(); p != nil {
			if p != http.ErrAbortHandler { //nolint:errorlint // compared by identity, as net/http does
				panic(p)
			}
			answer.cut = true
		}
	}()
	a.serveBelow(answer, r, "")
}

// toolAnswer captures the response of a route to a tool, up to maxToolAnswer bytes.
type toolAnswer struct {
	ctx    context.Context //nolint:containedctx // of the one request that it answers
	header http.Header
	stop   context.CancelFunc
	status int
	body   []byte
	large  bool // larger than a tool's result may be
	full   bool // larger than the server can hold at the moment
	cut    bool // incomplete for another reason
}

func (w *toolAnswer) Header() http.Header { return w.header }

func (w *toolAnswer) WriteHeader(status int) {
	if w.status == 0 {
		w.status = status
	}
}

// copies is the number of copies of a response in memory until it is sent: as received, with room to grow; indented;
// and as the string of a result, which the SDK escapes and writes several times to buffers that double.
const copies = 6

func (w *toolAnswer) Write(piece []byte) (int, error) {
	w.WriteHeader(http.StatusOK)
	size := len(w.body) + len(piece)
	w.large = w.large || size > maxToolAnswer
	if !w.large && !w.full {
		// Released with everything else when the message has been handled.
		w.full = memory.Of(w.ctx).Grow(w.ctx, copies*escapedSize(piece)) != nil
	}
	if w.large || w.full {
		w.stop()
		return 0, http.ErrContentLength
	}
	w.body = append(w.body, piece...)
	return len(piece), nil
}

// escapedSize returns the length of a piece of a response after the SDK has escaped <, > and & as \u003c and so on.
func escapedSize(piece []byte) int64 {
	escaped := bytes.Count(piece, []byte("<")) + bytes.Count(piece, []byte(">")) + bytes.Count(piece, []byte("&"))
	return int64(len(piece) + escaped*len(`u003c`))
}

func (w *toolAnswer) result() *sdk.CallToolResult {
	switch {
	case w.large:
		return mcp.Failure(fmt.Sprintf("The answer is larger than %d MB. Ask for less: fewer rows, fewer fields or a shorter time range.",
			maxToolAnswer>>20))
	case w.full:
		return mcp.Failure(errMemory.Message)
	case w.cut:
		return mcp.Failure("The answer was cut off. Ask for less: fewer rows, fewer fields or a shorter time range.")
	case w.status < http.StatusOK || w.status >= http.StatusMultipleChoices:
		return mcp.Failure(fmt.Sprintf("%d %s\n%s", w.status, http.StatusText(w.status), mcp.Pretty(w.body, maxToolAnswer)))
	case len(w.body) == 0:
		return mcp.Success(`{"message": "OK"}`)
	}
	return mcp.Success(mcp.Pretty(w.body, 2*maxToolAnswer))
}

// announceMCP serves the document by which clients discover the MCP server.
func (a *API) announceMCP(c *endpoint.Call) (any, error) {
	base := c.BaseURL()
	type remote struct {
		Type string `json:"type"`
		URL  string `json:"url"`
	}
	return struct {
		Schema      string   `json:"$schema"`
		Title       string   `json:"title"`
		Description string   `json:"description"`
		Website     string   `json:"websiteUrl"`
		Remotes     []remote `json:"remotes"`
	}{
		Schema:      "https://static.modelcontextprotocol.io/schemas/2025-12-11/server.schema.json",
		Title:       "Almanac",
		Description: "Traces, scores, prompts, datasets and experiments of LLM applications.",
		Website:     base,
		Remotes:     []remote{{"streamable-http", base + "/api/public/mcp"}},
	}, nil
}
