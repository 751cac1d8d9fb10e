// Package mcp provides the tools that assistants call over the Model Context Protocol. The official SDK implements the
// protocol, used here statelessly: each message is answered on its own, without sessions or streams. A tool is an API
// request in another form, which the user of this package sends.
package mcp

import (
	"context"
	_ "embed"
	"encoding/json"
	"fmt"
	"log/slog"
	"maps"
	"net/http"
	"runtime/debug"
	"slices"

	"github.com/modelcontextprotocol/go-sdk/jsonrpc"
	sdk "github.com/modelcontextprotocol/go-sdk/mcp"
)

// instructions describe the server as a whole to assistants.
const instructions = "Tools over the traces, observations, scores, prompts, datasets and experiments of one project of an LLM " +
	"observability server. Lists come in pages: ask for few rows and few fields first. Times are UTC, such as 2026-03-04T05:06:07Z."

// Caller calls a tool with arguments that have been checked.
type Caller func(ctx context.Context, tool *Tool, arguments map[string]json.RawMessage) *sdk.CallToolResult

// NewHandler returns a handler for messages of at most maxBody bytes. The caller must check hosts, origins and
// credentials. The context of a call has the values of the request context but is not canceled with it.
func NewHandler(log *slog.Logger, maxBody int64, call Caller) http.Handler {
	server := sdk.NewServer(&sdk.Implementation{Name: "langfuse", Version: "0.3.0-unstable"}, &sdk.ServerOptions{
		Instructions: instructions, Capabilities: &sdk.ServerCapabilities{Tools: &sdk.ToolCapabilities{}},
	})
	server.AddReceivingMiddleware(recovering(log), toolsOnly)
	for i, listed := range listedTools() {
		listed.InputSchema = listed.Schema
		server.AddTool(&listed.Tool, table[i].handler(listed.arguments(), call))
	}
	return sdk.NewStreamableHTTPHandler(func(*http.Request) *sdk.Server { return server }, &sdk.StreamableHTTPOptions{
		Stateless: true, JSONResponse: true, MaxRequestBodyBytes: maxBody, DisableLocalhostProtection: true,
	})
}

//go:embed tools.json
var toolsJSON []byte

// listedTool is a tool as it is described to clients. Its schema is kept as it was written.
type listedTool struct {
	sdk.Tool
	Schema json.RawMessage `json:"inputSchema"`
}

// listedTools returns the tools in the order of the table that the list is generated from.
func listedTools() []*listedTool {
	var list struct{ Tools []*listedTool }
	if err := json.Unmarshal(toolsJSON, &list); err != nil {
		panic("BUG: the embedded list of tools is not JSON: " + err.Error())
	}
	return list.Tools
}

// arguments returns the sorted names of the arguments that a tool takes.
func (l *listedTool) arguments() []string {
	var schema struct{ Properties map[string]json.RawMessage }
	if err := json.Unmarshal(l.Schema, &schema); err != nil {
		panic("BUG: the schema of an embedded tool is not JSON: " + err.Error())
	}
	return slices.Sorted(maps.Keys(schema.Properties))
}

// handler returns the handler for calls of a tool.
func (t *Tool) handler(takes []string, call Caller) sdk.ToolHandler {
	return func(ctx context.Context, request *sdk.CallToolRequest) (*sdk.CallToolResult, error) {
		var arguments map[string]json.RawMessage
		if sent := request.Params.Arguments; len(sent) > 0 && json.Unmarshal(sent, &arguments) != nil {
			return nil, &jsonrpc.Error{Code: jsonrpc.CodeInvalidParams, Message: "The arguments of a tool must be an object"}
		}
		if err := t.checkArguments(arguments, takes); err != nil {
			return Failure(err.Error()), nil
		}
		return call(ctx, t, arguments), nil
	}
}

// toolsOnly refuses the methods of features that this server does not have. The SDK would respond with empty lists or,
// for subscriptions, with a stream that stays open.
func toolsOnly(next sdk.MethodHandler) sdk.MethodHandler {
	return func(ctx context.Context, method string, request sdk.Request) (sdk.Result, error) {
		switch method {
		case "initialize", "server/discover", "ping", "tools/list", "tools/call",
			"notifications/initialized", "notifications/cancelled", "notifications/progress", "notifications/roots/list_changed":
			return next(ctx, method, request)
		}
		return nil, &jsonrpc.Error{Code: jsonrpc.CodeMethodNotFound, Message: "There is no method " + method}
	}
}

// recovering turns a panic into an error response. The SDK handles messages in its own goroutines, where a panic would
// end the program.
func recovering(log *slog.Logger) sdk.Middleware {
	return func(next sdk.MethodHandler) sdk.MethodHandler {
		return func(ctx context.Context, method string, request sdk.Request) (_ sdk.Result, err error) {
			defer func() {
				if p := recover(); p != nil {
					log.Error("panic while serving MCP message", "method", method, "panic", fmt.Sprint(p), "stack", string(debug.Stack()))
					err = &jsonrpc.Error{Code: jsonrpc.CodeInternalError, Message: "Internal Server Error"}
				}
			}()
			return next(ctx, method, request)
		}
	}
}

// Failure returns the result of a call that failed. The text says what went wrong, so that an assistant can correct it.
func Failure(text string) *sdk.CallToolResult {
	result := Success(text)
	result.IsError = true
	return result
}

// Success returns the result of a call that succeeded.
func Success(text string) *sdk.CallToolResult {
	return &sdk.CallToolResult{Content: []sdk.Content{&sdk.TextContent{Text: text}}}
}
