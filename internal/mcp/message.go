// Package mcp speaks the Model Context Protocol, by which assistants call tools: its messages, and the tools that there
// are. It is stateless: every message is answered on its own, without sessions and without streams. A tool is a request
// to the API in another form; whoever uses this package makes it.
package mcp

import (
	"bytes"
	"encoding/json"
	"errors"
	"slices"
)

// The codes of errors, as JSON-RPC 2.0 has them.
const (
	codeNoMethod      = -32601
	codeInvalidParams = -32602
)

// versions are those of the protocol that we speak, the newest first. What they differ in is of no concern to a server
// with tools alone, except for batches, which one of them has and no client sends.
var versions = []string{"2025-11-25", "2025-06-18", "2025-03-26", "2024-11-05"}

// Speaks reports whether we speak a version of the protocol.
func Speaks(version string) bool { return slices.Contains(versions, version) }

// Message is what a client sends: a request, or, without an id, something that it wants no answer to.
type Message struct {
	ID     json.RawMessage
	Method string
	Params json.RawMessage
}

// Error is what a client is told about a request that has no result.
type Error struct {
	Code    int    `json:"code"`
	Message string `json:"message"`
}

// Read reads a message, which must have been checked to be JSON. Clients are told its errors.
func Read(body []byte) (*Message, error) {
	if bytes.HasPrefix(bytes.TrimLeft(body, " \t\r\n"), []byte("[")) {
		return nil, errors.New("batches are not supported, send one message at a time")
	}
	var sent struct {
		Version string          `json:"jsonrpc"`
		ID      json.RawMessage `json:"id"`
		Method  *string         `json:"method"`
		Params  json.RawMessage `json:"params"`
		Result  json.RawMessage `json:"result"`
		Error   json.RawMessage `json:"error"`
	}
	if err := json.Unmarshal(body, &sent); err != nil || sent.Version != "2.0" {
		return nil, errors.New(`it must be an object with "jsonrpc": "2.0" and a "method"`)
	}
	if sent.Method == nil {
		if sent.Result != nil || sent.Error != nil {
			return &Message{}, nil // the answer to a question that was never asked
		}
		return nil, errors.New("it has no method")
	}
	if len(sent.ID) > 0 && !isID(sent.ID) {
		return nil, errors.New("its id must be a string or a number")
	}
	return &Message{ID: sent.ID, Method: *sent.Method, Params: sent.Params}, nil
}

// isID reports whether a JSON value can be the id of a request.
func isID(id json.RawMessage) bool {
	return id[0] == '"' || id[0] == '-' || id[0] >= '0' && id[0] <= '9'
}

// Answer is what a client gets for a request: a result or an error.
type Answer struct {
	Version string          `json:"jsonrpc"`
	ID      json.RawMessage `json:"id"`
	Result  any             `json:"result,omitempty"`
	Error   *Error          `json:"error,omitempty"`
}

// Result is what became of a call of a tool.
type Result struct {
	Content []Text `json:"content"`
	// Failed says that the text tells what went wrong, so that an assistant can do better.
	Failed bool `json:"isError,omitempty"`
}

// Text is a part of a result.
type Text struct {
	Type string `json:"type"` // always "text"
	Text string `json:"text"`
}

// Failure is the result of a call that failed.
func Failure(text string) *Result {
	return &Result{Content: []Text{{"text", text}}, Failed: true}
}

// Success is the result of a call that did not.
func Success(text string) *Result { return &Result{Content: []Text{{"text", text}}} }

// Answer answers a message; nil if it asks for no answer. Tools are called with call.
func (m *Message) Answer(call func(tool *Tool, arguments map[string]json.RawMessage) *Result) *Answer {
	if len(m.ID) == 0 {
		return nil
	}
	result, err := m.result(call)
	if err != nil {
		return &Answer{Version: "2.0", ID: m.ID, Error: err}
	}
	return &Answer{Version: "2.0", ID: m.ID, Result: result}
}

func (m *Message) result(call func(*Tool, map[string]json.RawMessage) *Result) (any, *Error) {
	switch m.Method {
	case "initialize":
		return m.initialize()
	case "ping":
		return struct{}{}, nil
	case "tools/list":
		return json.RawMessage(list()), nil
	case "tools/call":
		return m.call(call)
	}
	return nil, &Error{codeNoMethod, "There is no method " + shorten(m.Method)}
}

// instructions are what assistants are told about the whole.
const instructions = "Tools over the traces, observations, scores, prompts, datasets and experiments of one project of an LLM " +
	"observability server. Lists come in pages: ask for few rows and few fields first. Times are UTC, such as 2026-03-04T05:06:07Z."

func (m *Message) initialize() (any, *Error) {
	var params struct {
		Version string `json:"protocolVersion"`
	}
	if len(m.Params) == 0 || json.Unmarshal(m.Params, &params) != nil || params.Version == "" {
		return nil, &Error{codeInvalidParams, "initialize needs the parameter protocolVersion"}
	}
	if !Speaks(params.Version) {
		params.Version = versions[0] // the client decides whether that will do
	}
	type server struct {
		Name    string `json:"name"`
		Version string `json:"version"`
	}
	type capabilities struct {
		Tools struct{} `json:"tools"`
	}
	return struct {
		Version      string       `json:"protocolVersion"`
		Capabilities capabilities `json:"capabilities"`
		Server       server       `json:"serverInfo"`
		Instructions string       `json:"instructions"`
	}{params.Version, capabilities{}, server{"langfuse", "0.3.0-unstable"}, instructions}, nil
}

func (m *Message) call(call func(*Tool, map[string]json.RawMessage) *Result) (any, *Error) {
	var params struct {
		Name      string                     `json:"name"`
		Arguments map[string]json.RawMessage `json:"arguments"`
	}
	if len(m.Params) == 0 || json.Unmarshal(m.Params, &params) != nil {
		return nil, &Error{codeInvalidParams, "tools/call needs the parameters name, a text, and arguments, an object"}
	}
	tool := find(params.Name)
	if tool == nil {
		return nil, &Error{codeInvalidParams, "There is no tool " + shorten(params.Name)}
	}
	if err := tool.known(params.Arguments); err != nil {
		return Failure(err.Error()), nil
	}
	return call(tool, params.Arguments), nil
}

// shorten returns a text of a client as it is repeated to it.
func shorten(text string) string {
	const most = 100
	if runes := []rune(text); len(runes) > most {
		return string(runes[:most]) + "…"
	}
	return text
}
