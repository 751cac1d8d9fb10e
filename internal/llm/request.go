package llm

import (
	"encoding/json"
	"slices"
	"strconv"
	"strings"
	"time"
)

// Request is a call of a model.
type Request struct {
	Model    string // the name that the provider gave it; for Azure the name of the deployment
	Messages []Message
	Params   Params
	Tools    []Tool
	// ToolChoice says whether tools must be called; the zero value leaves it to the model.
	ToolChoice ToolChoice
	// Schema, if it is not nil, describes the JSON that the model must answer. Result.Structured has it then.
	Schema *Schema
	// Timeout bounds the call with all its attempts; 0 for DefaultTimeout, and at most MaxTimeout.
	Timeout time.Duration
	// Once makes one attempt only, for tests of connections.
	Once bool
	// Environment is that of the trace which will have this call. Routers that send traces themselves are told, so that a
	// trace of a call does not cause another call.
	Environment string
}

// Role says who speaks.
type Role string

// The roles. Providers without a role for developers get their messages as those of the system.
const (
	System    Role = "system"
	Developer Role = "developer"
	User      Role = "user"
	Assistant Role = "assistant"
	ToolRole  Role = "tool" // the result of a tool call
)

// Message is a message of a conversation.
type Message struct {
	Role  Role
	Parts []Part
	// ToolCalls are what the assistant asked for.
	ToolCalls []ToolCall
	// ToolCallID is the call that a message of a tool answers. Each must be of an earlier message.
	ToolCallID string
	ToolFailed bool // the tool answered with an error
}

// Text returns a message with one part, a text.
func Text(role Role, text string) Message {
	return Message{Role: role, Parts: []Part{{Kind: TextPart, Text: text}}}
}

// PartKind is a kind of content.
type PartKind string

// The kinds of content.
const (
	TextPart  PartKind = "text"
	ImagePart PartKind = "image"
	AudioPart PartKind = "audio"
	FilePart  PartKind = "file" // a PDF
)

// Part is a piece of the content of a message. Media have either data or an address that the provider fetches; this
// program never fetches them.
type Part struct {
	Kind      PartKind
	Text      string
	MediaType string // of data, such as image/png
	Data      []byte
	URL       string // https, or a data: URL, which is the same as MediaType and Data
	Name      string // of a file
	Detail    string // of an image: low, high, auto; for OpenAI
}

// Tool is a function that the model may ask for.
type Tool struct {
	Name        string
	Description string
	Parameters  json.RawMessage // a JSON Schema; nil for no parameters
	Strict      bool            // the arguments must follow the schema exactly, where the provider can ensure that
}

// ToolCall is a call that the model asks for.
type ToolCall struct {
	ID        string
	Name      string
	Arguments json.RawMessage // as the model wrote them: hostile, and not always JSON in a conversation of others
	Signature string          // of the provider, to be sent back with the call: Gemini's thoughtSignature
}

// ToolChoice says whether tools must be called.
type ToolChoice struct {
	Mode ToolMode
	Name string // with OneTool
	// OneAtATime forbids several calls in one answer, where the provider can be told.
	OneAtATime bool
}

// ToolMode is a way to choose tools.
type ToolMode string

// The ways to choose tools.
const (
	AutoTools ToolMode = ""
	NoTools   ToolMode = "none"
	SomeTool  ToolMode = "required"
	OneTool   ToolMode = "tool"
)

// Params are the parameters of a model. Those that are nil or empty are not sent. What a family of models is known to
// refuse is left out or renamed, and what a model refuses in its answer too; Result.Dropped names it.
type Params struct {
	Temperature      *float64
	TopP             *float64
	TopK             *int
	MaxTokens        *int // of the answer
	FrequencyPenalty *float64
	PresencePenalty  *float64
	Seed             *int64
	Stop             []string
	Effort           string // of reasoning: none, minimal, low, medium, high, xhigh, max
	ReasoningTokens  *int   // the budget for reasoning, for families that have one
	// Extra has other parameters by the names of the provider. They are sent as they are and win over those above. What
	// IsReserved is refused.
	Extra map[string]json.RawMessage
}

// reserved are the members of requests, of all dialects, that say which model is asked what, with which tools and how it
// answers.
var reserved = []string{
	"model", "modelId", "messages", "input", "prompt", "contents", "system", "instructions", "systemInstruction", "system_instruction",
	"stream", "stream_options", "tools", "tool_choice", "toolConfig", "tool_config", "functions", "function_call", "anthropic_version",
}

// IsReserved reports whether extra parameters cannot have a name since the rest of a request says it.
func IsReserved(name string) bool {
	// Some servers ignore case.
	return slices.ContainsFunc(reserved, func(each string) bool { return strings.EqualFold(each, name) })
}

// ReservedMessage says why an extra parameter is refused.
func ReservedMessage(name string) string {
	return "The extra parameter " + strconv.Quote(name) + " would replace what the request says: model, messages, tools and streaming are " +
		"not set by extra parameters."
}

// Schema describes a structured answer.
type Schema struct {
	Name        string // letters, digits, _ and -; "" for "answer"
	Description string
	JSON        json.RawMessage // a JSON Schema of an object
}
