package llm

import (
	"encoding/json"
	"time"
)

// Event is a piece of an answer, in the order in which the provider sends them.
type Event struct {
	Kind EventKind
	// Text is what is added: to the text, the refusal or the reasoning, or to the arguments of a tool call.
	Text string
	// Call is the index of a tool call, and ID and Name are of its first event.
	Call     int
	ID, Name string
}

// EventKind is a kind of events.
type EventKind string

// The kinds of events.
const (
	TextEvent      EventKind = "text"
	RefusalEvent   EventKind = "refusal"
	ReasoningEvent EventKind = "reasoning"
	ToolCallEvent  EventKind = "tool call"
	// RestartEvent means that what was sent before is void: the call is made again, for example to repair a structured
	// answer. Text says why.
	RestartEvent EventKind = "restart"
)

// Finish is why an answer ended.
type Finish string

// Why an answer ended.
const (
	FinishStop      Finish = "stop"
	FinishLength    Finish = "length"
	FinishToolCalls Finish = "tool_calls"
	FinishFiltered  Finish = "filtered"  // a refusal, or a filter of the provider
	FinishMalformed Finish = "malformed" // the model wrote a tool call that the provider could not read
	FinishUnknown   Finish = ""
)

// Result is an answer. With an error, it has what had arrived before.
type Result struct {
	Text      string
	Refusal   string
	Reasoning string
	ToolCalls []ToolCall
	// Structured is the answer as JSON that is valid for the schema of the request; nil without one.
	Structured json.RawMessage
	Rung       Rung // how the structured answer was asked for
	Repaired   bool // the first structured answer was invalid, and the model was asked again

	Finish       Finish
	FinishReason string // in the words of the provider
	Model        string // as the provider names it; "" if it does not
	ResponseID   string // of the provider, for its support

	// Usage has counts by the names that price lists know: input, input_cached_tokens, input_cache_creation, output,
	// output_reasoning_tokens, and others. It is of all attempts. It is nil if the provider did not say.
	Usage map[string]int64

	FirstToken time.Duration // until the first event of the last attempt, since the call began; 0 if there was none
	Duration   time.Duration // of everything, with waiting and retries
	Waited     time.Duration // for a turn, and between attempts
	Attempts   int           // calls that were made
	Dropped    []string      // parameters that the model does not take
}

// Rung is a way to ask for a structured answer; each is tried if the ones before do not work.
type Rung string

// The rungs of the ladder.
const (
	NoRung     Rung = ""
	NativeRung Rung = "schema" // the provider ensures the schema
	ToolRung   Rung = "tool"   // one tool that must be called
	ModeRung   Rung = "json"   // the JSON mode of the provider, and the schema in the prompt
	PromptRung Rung = "text"   // the schema in the prompt, and the JSON found in the text
)
