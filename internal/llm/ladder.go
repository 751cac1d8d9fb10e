package llm

import (
	"context"
	"encoding/json"
	"errors"
	"regexp"
	"slices"
	"strings"

	"almanac/internal/jsonschema"
)

const (
	// answerTool is the name of the tool that models call to give a structured answer.
	answerTool = "json"
	// maxSchema is the size of a schema, in bytes.
	maxSchema = 256 << 10
	// maxViolations is how many violations are told to the model and to people.
	maxViolations = 5
)

// name returns the name of a schema.
func (s *Schema) name() string { return firstOf(s.Name, "answer") }

var schemaName = regexp.MustCompile(`^[A-Za-z0-9_-]{1,64}$`)

// structured asks for a structured answer on one rung after the other, until one gives a valid one.
func (k *call) structured(ctx context.Context) error {
	if len(k.req.Schema.JSON) > maxSchema {
		return misconfigured("The schema of the answer has more than 256 KB.")
	}
	if !schemaName.MatchString(k.req.Schema.name()) {
		return misconfigured("The name of a schema has up to 64 letters, digits, _ and -.")
	}
	schema, err := jsonschema.Compile(k.req.Schema.JSON)
	if err != nil {
		return misconfigured("The schema of the answer cannot be used: " + err.Error() + ".")
	}
	rungs := k.usableRungs()
	for n, rung := range rungs {
		last := n == len(rungs)-1
		k.rung, k.asked = rung, k.req.Messages
		if rung == ModeRung || rung == PromptRung {
			k.asked = withSchema(k.req.Messages, k.req.Schema.JSON)
		}
		failed := k.attempts(ctx)
		if failed != nil {
			if !last && blames(failed) {
				continue
			}
			return failed
		}
		done, problem, err := k.accept(schema)
		if err != nil || done {
			return err
		}
		if !last && problem == noJSON { // the server does not know this way, and said nothing
			if err := k.restart("The answer has no JSON, so it is asked for in another way."); err != nil {
				return err
			}
			continue
		}
		return k.repair(ctx, schema, problem)
	}
	return misconfigured("The service has no way to ask for a structured answer.") // cannot happen: the last rung ends the loop
}

// usableRungs returns the rungs to try, beginning with the one that worked before.
func (k *call) usableRungs() []Rung {
	rungs := slices.Clone(k.service.rungs)
	if !isObjectSchema(k.req.Schema.JSON) {
		return []Rung{PromptRung} // all others take only objects
	}
	rungs = slices.DeleteFunc(rungs, func(r Rung) bool {
		_, isClaude := k.service.dialect(nil).(*claude)
		thinks := k.req.Params.Effort != "" && k.req.Params.Effort != "none" || k.req.Params.ReasoningTokens != nil
		return r == ToolRung && (len(k.req.Tools) > 0 || isClaude && thinks)
	})
	if n := slices.Index(rungs, k.known.rung); n > 0 {
		rungs = rungs[n:]
	}
	return rungs
}

// tools returns the tools of the request, or the one for a structured answer.
func (k *call) tools() ([]Tool, ToolChoice) {
	if k.rung != ToolRung {
		return k.req.Tools, k.req.ToolChoice
	}
	_, isBedrock := k.service.dialect(nil).(*converse)
	choice := ToolChoice{Mode: OneTool, Name: answerTool, OneAtATime: !isBedrock}
	if isBedrock {
		choice = ToolChoice{Mode: SomeTool}
	}
	return []Tool{{
		Name: answerTool, Description: firstOf(k.req.Schema.Description, "Answer with JSON."), Parameters: k.req.Schema.JSON,
	}}, choice
}

// withSchema returns messages that ask for JSON in words.
func withSchema(messages []Message, schema json.RawMessage) []Message {
	part := Part{
		Kind: TextPart,
		Text: "Answer only with JSON that follows this JSON Schema, without any other text:\n" + string(schema),
	}
	if messages[0].Role == System || messages[0].Role == Developer {
		messages = slices.Clone(messages)
		messages[0].Parts = append(slices.Clone(messages[0].Parts), part)
		return messages
	}
	return append([]Message{{Role: System, Parts: []Part{part}}}, messages...)
}

// blamed are the words of errors about the ways to ask for a structured answer.
var blamed = regexp.MustCompile(`(?i)response_?format|json_?schema|json_?object|json mode|schema|output_?config|text_?format|structured|` +
	`response_?mime|tool|function|grammar|guided`)

// blames reports whether an error is about how the structured answer was asked for.
func blames(err error) bool {
	e, ok := errors.AsType[*Error](err)
	if !ok {
		return false
	}
	switch {
	case e.Kind == InvalidRequest, e.Status == 404 && strings.Contains(e.said, "support"):
		return blamed.MatchString(e.said) || blamed.MatchString(e.param)
	case e.Status == 501:
		return true
	}
	return e.Status == 424 && blamed.MatchString(e.said)
}

// noJSON is the problem of an answer without any JSON.
const noJSON = "There is no JSON in the answer."

// accept looks for a valid answer in the result, and reports whether the call is done. Otherwise it says what is wrong.
func (k *call) accept(schema *jsonschema.Schema) (done bool, problem string, err error) {
	r := k.result
	r.Rung = k.rung
	if len(r.ToolCalls) > 0 {
		return true, "", nil // the model asks for more before it answers
	}
	value, problem := findAnswer(r.Text, schema, k.req.Schema.JSON)
	if problem == "" {
		r.Structured = value
		k.known = k.client.learned.put(k.conn.Key, k.req.Model, k.known, func(known *knowledge) { known.rung = k.rung })
		return true, "", nil
	}
	if r.Finish == FinishLength {
		return false, "", &Error{
			Kind: Cut, Code: r.FinishReason, Message: "The structured answer ended at the limit of output tokens before it was complete.",
		}
	}
	return false, problem, nil
}

// repair tells the model what is wrong with its answer, once.
func (k *call) repair(ctx context.Context, schema *jsonschema.Schema, problem string) error {
	if err := k.restart("The answer does not follow the schema, so the model is asked to repair it."); err != nil {
		return err
	}
	answer := k.result.Text
	if strings.TrimSpace(answer) == "" {
		answer = "(nothing)"
	}
	k.asked = append(slices.Clone(k.asked), Text(Assistant, answer), Text(User, "This answer does not follow the JSON Schema: "+problem+
		"\nAnswer again, completely, with JSON that follows the schema and without any other text."))
	if err := k.attempts(ctx); err != nil {
		return err
	}
	k.result.Repaired = true
	done, problem, err := k.accept(schema)
	if err != nil || done {
		return err
	}
	return &Error{Kind: Unstructured, Message: "The answer does not follow the schema, even after the model was asked to repair it: " +
		k.secrets.Short(problem, 500)}
}

// restart tells the caller that what it was handed is void.
func (k *call) restart(reason string) error {
	k.said = false
	if k.handle == nil {
		return nil
	}
	if err := k.handle(Event{Kind: RestartEvent, Text: reason}); err != nil {
		return &handlerError{err}
	}
	return nil
}
