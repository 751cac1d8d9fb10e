package llm

import (
	"encoding/json"
	"maps"
	"strings"
	"time"

	"almanac/internal/access/redact"
)

// handlerError is an error of the caller's function, which ends a call.
type handlerError struct{ err error }

func (e *handlerError) Error() string { return e.err.Error() }

// collector puts an answer together from its pieces and hands them on. Secrets that a provider repeats are removed.
type collector struct {
	call                     *call
	text, refusal, reasoning passage
	calls                    []*callPassage
	usage                    map[string]int64
	blocked                  string // why a filter withheld something
	bytes                    int
}

// passage is a text that arrives in pieces.
type passage struct {
	text   strings.Builder
	hidden *redact.Stream
}

// callPassage is a tool call that arrives in pieces.
type callPassage struct {
	passage
	place     int // of the provider
	id, name  string
	signature string
	told      bool
}

// begin forgets what an earlier attempt collected.
func (c *collector) begin() {
	r := c.call.result
	r.Text, r.Refusal, r.Reasoning, r.ToolCalls, r.Structured = "", "", "", nil, nil
	r.Finish, r.FinishReason, r.FirstToken = FinishUnknown, "", 0
}

// say adds a piece of the text.
func (c *collector) say(piece string) error {
	return c.add(&c.text, Event{Kind: TextEvent, Text: piece})
}

// refuse adds a piece of a refusal.
func (c *collector) refuse(piece string) error {
	return c.add(&c.refusal, Event{Kind: RefusalEvent, Text: piece})
}

// think adds a piece of the reasoning.
func (c *collector) think(piece string) error {
	return c.add(&c.reasoning, Event{Kind: ReasoningEvent, Text: piece})
}

// tool adds a piece of a tool call, which the provider knows by its place.
func (c *collector) tool(place int, id, name, piece string) error {
	index, err := c.place(place)
	if err != nil {
		return err
	}
	p := c.calls[index]
	if id != "" {
		p.id = c.call.secrets.From(id)
	}
	if name != "" && p.name == "" {
		p.name = c.call.secrets.From(name)
	}
	if c.bytes += len(id) + len(name); c.bytes > maxAnswer {
		return errTooLong
	}
	if c.call.rung == ToolRung && p.name == answerTool {
		return c.add(&c.text, Event{Kind: TextEvent, Text: piece})
	}
	e := Event{Kind: ToolCallEvent, Text: piece, Call: index}
	if !p.told && p.name != "" {
		p.told, e.ID, e.Name = true, p.id, p.name
		return c.hand(&p.passage, e, true)
	}
	return c.add(&p.passage, e)
}

// sign keeps the signature of a tool call.
func (c *collector) sign(place int, signature string) error {
	index, err := c.place(place)
	if err != nil {
		return err
	}
	if c.bytes += len(signature); c.bytes > maxAnswer {
		return errTooLong
	}
	c.calls[index].signature = c.call.secrets.From(signature)
	return nil
}

// place returns the index of the tool call at a place of the provider.
func (c *collector) place(place int) (int, error) {
	for n, p := range c.calls {
		if p.place == place {
			return n, nil
		}
	}
	if len(c.calls) == maxToolCalls {
		return 0, errTooLong
	}
	c.calls = append(c.calls, &callPassage{place: place})
	return len(c.calls) - 1, nil
}

// add adds a piece to a passage, if it is not empty.
func (c *collector) add(p *passage, e Event) error {
	if e.Text == "" {
		return nil
	}
	return c.hand(p, e, false)
}

// hand adds a piece and hands it to the caller, even if it is empty if always.
func (c *collector) hand(p *passage, e Event, always bool) error {
	k := c.call
	if c.bytes += len(e.Text) + 1; c.bytes > maxAnswer {
		return errTooLong
	}
	if k.result.FirstToken == 0 {
		k.result.FirstToken = time.Since(k.started)
	}
	if p.hidden == nil {
		p.hidden = k.secrets.Stream()
	}
	e.Text = p.hidden.Add(e.Text)
	if e.Text == "" && !always {
		return nil
	}
	p.text.WriteString(e.Text)
	return c.tell(e)
}

func (c *collector) tell(e Event) error {
	if c.call.handle == nil {
		return nil
	}
	c.call.said = true
	if err := c.call.handle(e); err != nil {
		return &handlerError{err}
	}
	return nil
}

// flush hands on what was held back.
func (c *collector) flush(p *passage, e Event) error {
	if p.hidden == nil {
		return nil
	}
	e.Text = p.hidden.End()
	if e.Text == "" {
		return nil
	}
	p.text.WriteString(e.Text)
	return c.tell(e)
}

// count sets numbers of the usage; a provider repeats them with growing totals.
func (c *collector) count(usage map[string]int64) {
	if c.usage == nil {
		c.usage = make(map[string]int64)
	}
	maps.Copy(c.usage, usage)
}

// end says why the answer ended.
func (c *collector) end(reason string) {
	if reason == "" {
		return
	}
	c.call.result.FinishReason = c.call.secrets.Short(reason, 100)
	c.call.result.Finish = finishOf(reason)
}

// block says that a filter withheld something.
func (c *collector) block(reason string) {
	c.blocked = reason
	c.call.result.Finish, c.call.result.FinishReason = FinishFiltered, c.call.secrets.Short(reason, 100)
}

// identify keeps who answered.
func (c *collector) identify(id, model string) {
	if id != "" {
		c.call.result.ResponseID = c.call.secrets.Short(id, 200)
	}
	if model != "" {
		c.call.result.Model = c.call.secrets.Short(model, 200)
	}
}

// finish completes the result with what was collected. The error says that the model or its provider did not want to answer.
func (c *collector) finish() error {
	r := c.call.result
	var failed error
	keep := func(err error) {
		if failed == nil {
			failed = err
		}
	}
	keep(c.flush(&c.text, Event{Kind: TextEvent}))
	keep(c.flush(&c.refusal, Event{Kind: RefusalEvent}))
	keep(c.flush(&c.reasoning, Event{Kind: ReasoningEvent}))
	r.Text, r.Refusal, r.Reasoning = c.text.text.String(), c.refusal.text.String(), c.reasoning.text.String()
	for n, p := range c.calls {
		if c.call.rung == ToolRung && p.name == answerTool {
			continue
		}
		keep(c.flush(&p.passage, Event{Kind: ToolCallEvent, Call: n}))
		arguments := p.text.String()
		if strings.TrimSpace(arguments) == "" {
			arguments = "{}"
		}
		r.ToolCalls = append(r.ToolCalls, ToolCall{ID: p.id, Name: p.name, Arguments: json.RawMessage(arguments), Signature: p.signature})
	}
	if len(r.ToolCalls) > 0 && r.Finish == FinishStop {
		r.Finish = FinishToolCalls
	}
	if len(r.ToolCalls) == 0 && r.Finish == FinishToolCalls {
		r.Finish = FinishStop
	}
	for kind, units := range c.usage {
		if r.Usage == nil {
			r.Usage = make(map[string]int64)
		}
		r.Usage[kind] += max(0, units)
	}
	if failed != nil {
		return failed
	}
	return c.unwanted()
}

// unwanted returns the error of an answer that was refused or withheld.
func (c *collector) unwanted() error {
	r, name := c.call.result, c.call.service.name
	switch {
	case r.Refusal != "":
		return &Error{Kind: Refused, Message: "The model refuses to answer: " + c.call.secrets.Short(r.Refusal, 500), Code: r.FinishReason}
	case r.FinishReason == "refusal":
		return &Error{
			Kind: Refused, Code: r.FinishReason, Message: "The model refuses to answer" + because(c.call.secrets.Short(c.blocked, 300)),
		}
	case r.Finish == FinishFiltered:
		return &Error{
			Kind: Blocked, Code: r.FinishReason,
			Message: "A safety filter of " + name + " withheld the answer" + because(c.call.secrets.Short(c.blocked, 300)),
		}
	case r.Finish == FinishMalformed && len(r.ToolCalls) == 0 && r.Text == "":
		return &Error{Kind: Malformed, Code: r.FinishReason, Message: "The model wrote a tool call that " + name + " could not read."}
	}
	return nil
}

func because(reason string) string {
	if reason == "" {
		return "."
	}
	return ": " + strings.TrimSuffix(reason, ".") + "."
}

// finishOf returns the reason of a provider in our words.
func finishOf(reason string) Finish {
	switch strings.ToLower(reason) {
	case "stop", "end_turn", "stop_sequence", "pause_turn", "completed", "eos", "complete":
		return FinishStop
	case "length", "max_tokens", "max_output_tokens", "model_context_window_exceeded", "incomplete":
		return FinishLength
	case "tool_calls", "function_call", "tool_use":
		return FinishToolCalls
	case "malformed_function_call", "unexpected_tool_call", "too_many_tool_calls", "malformed_model_output", "malformed_tool_use":
		return FinishMalformed
	case "content_filter", "refusal", "guardrail_intervened", "content_filtered", "safety", "recitation", "blocklist", "prohibited_content",
		"spii", "model_armor", "jailbreak", "language":
		return FinishFiltered
	}
	if strings.HasPrefix(strings.ToLower(reason), "image_") {
		return FinishFiltered
	}
	return FinishUnknown
}
