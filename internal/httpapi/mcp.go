package httpapi

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"net/http"
	"strings"

	"almanac/internal/domain"
	"almanac/internal/httpapi/datasets"
	"almanac/internal/httpapi/endpoint"
	"almanac/internal/httpapi/respond"
	"almanac/internal/mcp"
	"almanac/internal/memory"
)

const (
	// maxMessage is the largest message: the largest body that a tool takes, and some room around it.
	maxMessage = datasets.MaxItemBody
	// maxToolAnswer is how much a tool may answer. No assistant reads more at once.
	maxToolAnswer = 4 << 20
)

// answerMCP answers one message of the Model Context Protocol. Most of them call a tool, which is a request to a route of
// ours with the same credentials: permissions, limits, turns and audit entries are those of that route.
func (a *API) answerMCP(c *endpoint.Call, scope domain.ProjectScope) (any, error) {
	if err := a.acceptMCP(c); err != nil {
		return nil, err
	}
	body, _ := c.RawBody()
	message, err := mcp.Read(body)
	if err != nil {
		return nil, respond.InvalidRequest("The message cannot be read: " + err.Error())
	}
	answer := message.Answer(func(tool *mcp.Tool, arguments map[string]json.RawMessage) *mcp.Result {
		return a.callTool(c, scope, tool, arguments)
	})
	if answer == nil {
		return respond.Stream(func(w http.ResponseWriter, _ *http.Request) error {
			w.WriteHeader(http.StatusAccepted)
			return nil
		}), nil
	}
	return answer, nil
}

// acceptMCP refuses requests that are not of the protocol, or may come from a page that has no business here.
func (a *API) acceptMCP(c *endpoint.Call) error {
	if err := a.MCPHosts.check(a.Address.URL, c.Request()); err != nil {
		return err
	}
	accept := strings.Join(c.Request().Header.Values("Accept"), ",")
	if !strings.Contains(accept, "application/json") && !strings.Contains(accept, "text/event-stream") && !strings.Contains(accept, "*/*") {
		return &respond.Error{Status: http.StatusNotAcceptable, Message: "The header Accept must contain application/json, text/event-stream or */*"}
	}
	if _, isJSON := c.RawBody(); !isJSON {
		return &respond.Error{Status: http.StatusUnsupportedMediaType, Message: "The header Content-Type must be application/json"}
	}
	if version := c.Header("MCP-Protocol-Version"); version != "" && !mcp.Speaks(version) {
		return respond.InvalidRequest("The version of the protocol in the header MCP-Protocol-Version is not supported")
	}
	return nil
}

// callTool sends the request of a tool on its way through the route table and returns what comes back.
func (a *API) callTool(c *endpoint.Call, scope domain.ProjectScope, tool *mcp.Tool, arguments map[string]json.RawMessage) *mcp.Result {
	if answer := schemaFor(tool.Name); answer != nil {
		return schemaResult(answer)
	}
	request, err := tool.Request(arguments, scope.ProjectID())
	if err != nil {
		return mcp.Failure(err.Error())
	}
	ctx, cancel := context.WithCancel(c.Context())
	defer cancel()
	r, err := http.NewRequestWithContext(ctx, request.Method, request.Target, bytes.NewReader(request.Body)) //nolint:gosec // it never leaves this program
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

// serveTool serves a request. One that is cut off in the middle ends as it would for any other client, but the client's own
// request goes on: the answer says that it was cut off.
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

// toolAnswer keeps what a route answers to a tool, up to a limit.
type toolAnswer struct {
	ctx    context.Context //nolint:containedctx // of the one request that it answers
	header http.Header
	stop   context.CancelFunc
	status int
	body   []byte
	large  bool // more than a tool may answer
	full   bool // more than the server can hold now
	cut    bool // not whole for another reason
}

func (w *toolAnswer) Header() http.Header { return w.header }

func (w *toolAnswer) WriteHeader(status int) {
	if w.status == 0 {
		w.status = status
	}
}

// copies is how many times an answer is in memory until it is sent: as it came, with room to grow; in lines; and as the text of a
// result, which is escaped and written to memory that doubles.
const copies = 6

func (w *toolAnswer) Write(piece []byte) (int, error) {
	w.WriteHeader(http.StatusOK)
	size := len(w.body) + len(piece)
	w.large = w.large || size > maxToolAnswer
	if !w.large && !w.full {
		// It is given back with everything else, when the message is answered.
		w.full = memory.Of(w.ctx).Grow(w.ctx, copies*int64(len(piece))) != nil
	}
	if w.large || w.full {
		w.stop()
		return 0, http.ErrContentLength
	}
	w.body = append(w.body, piece...)
	return len(piece), nil
}

func (w *toolAnswer) result() *mcp.Result {
	switch {
	case w.large:
		return mcp.Failure(fmt.Sprintf("The answer is larger than %d MB. Ask for less: fewer rows, fewer fields or a shorter time range.", maxToolAnswer>>20))
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

// announceMCP tells clients that look for an MCP server where it is.
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
