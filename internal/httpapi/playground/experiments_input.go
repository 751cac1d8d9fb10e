package playground

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"slices"
	"time"

	"almanac/internal/catalog"
	"almanac/internal/decode"
	"almanac/internal/domain"
	"almanac/internal/experimenting"
	"almanac/internal/httpapi/endpoint"
	"almanac/internal/jsonschema"
	"almanac/internal/llm"
)

// MaxExperimentBody is the maximum body size, in bytes, of experiments that are asked for.
const MaxExperimentBody = 1 << 20

// The limits of experiments that are asked for at once.
const (
	maxExperimentName = 200
	maxPrompts        = 10
	maxModels         = 10
	maxExperiments    = 20      // prompts × models
	maxPlan           = 2 << 20 // bytes of the messages of a prompt
	messageSize       = 256     // what a message takes besides its texts
	usualConcurrency  = 4
)

// readExperiments reads what somebody wants to run, and finds the dataset, the prompts and the connections.
func (h *Handlers) readExperiments(c *endpoint.Call, scope domain.ProjectScope) (*experiments, error) {
	body := c.Body()
	b := body.Object()
	in := &experiments{requestedAt: time.Now()}
	id := readShort(b.Field("datasetId"))
	asOf := decode.Nullish(b.Field("asOf"), decode.Value.Time)
	in.name = decode.NullishOr(b.Field("name"), func(v decode.Value) string {
		return endpoint.RejectNUL(v, v.TrimmedLen(1, maxExperimentName))
	}, "")
	in.common = experimenting.Plan{
		Params: decode.NullishOr(b.Field("params"), readParams, llm.Params{}),
		Repetitions: decode.NullishOr(b.Field("repetitions"), func(v decode.Value) int {
			return v.IntWithin(1, experimenting.MaxRepetitions)
		}, 1),
		Concurrency: decode.NullishOr(b.Field("concurrency"), func(v decode.Value) int {
			return v.IntWithin(1, experimenting.MaxConcurrency)
		}, usualConcurrency),
		Checks: decode.NullishOr(b.Field("checks"), readChecks, experimenting.Checks{}),
	}
	messages := decode.NullishOr(b.Field("messages"), readPlainMessages, nil)
	var refs []domain.PromptReference
	for _, each := range decode.NullishOr(b.Field("prompts"), func(v decode.Value) []decode.Value { return v.ArrayLen(1, maxPrompts) }, nil) {
		refs = append(refs, distinct(each, refs, readPrompt(each)))
	}
	for _, each := range b.Field("models").ArrayLen(1, maxModels) {
		in.models = append(in.models, distinct(each, in.models, readModel(each)))
	}
	b.Strict()
	if (messages == nil) == (refs == nil) {
		body.Reject(decode.Violation([]any{"prompts"}, "Choose prompts, or write messages"))
	}
	if len(refs)*len(in.models) > maxExperiments {
		body.Reject(decode.Violation([]any{"models"}, fmt.Sprintf("At most %d experiments are started at once: one for each prompt and model",
			maxExperiments)))
	}
	if err := b.Err(); err != nil {
		return nil, err
	}
	if err := h.findDatasetOf(c, scope, in, body, id, asOf); err != nil {
		return nil, err
	}
	if err := h.findPromptsOf(c, scope, in, body, refs, messages); err != nil {
		return nil, err
	}
	if err := h.checkConnections(c, scope, in, body); err != nil {
		return nil, err
	}
	return in, b.Err()
}

// distinct rejects a value that is there already.
func distinct[T comparable](v decode.Value, before []T, value T) T {
	if slices.Contains(before, value) {
		v.Reject(decode.Violation(v.Path(), "This is chosen twice"))
	}
	return value
}

func readModel(v decode.Value) domain.DefaultModel {
	o := v.Object()
	m := domain.DefaultModel{Provider: readShort(o.Field("connection")), Model: readShort(o.Field("model"))}
	o.Strict()
	return m
}

func readPlainMessages(v decode.Value) (list []domain.PromptMessage) {
	for _, each := range v.ArrayLen(1, maxMessages) {
		o := each.Object()
		list = append(list, domain.PromptMessage{
			Role:    o.Field("role").Enum(string(llm.System), string(llm.Developer), string(llm.User), string(llm.Assistant)),
			Content: readText(o.Field("content")),
		})
		o.Strict()
	}
	return list
}

func readChecks(v decode.Value) experimenting.Checks {
	o := v.Object()
	checks := experimenting.Checks{
		Equal: decode.NullishOr(o.Field("equal"), decode.Value.Bool, false), JSON: decode.NullishOr(o.Field("json"), decode.Value.Bool, false),
		Schema: decode.NullishOr(o.Field("schema"), readCheckedSchema, nil),
	}
	o.Strict()
	return checks
}

func readCheckedSchema(v decode.Value) json.RawMessage {
	schema := readSchemaText(v)
	if schema == nil {
		return nil
	}
	if _, err := jsonschema.Compile(schema); err != nil {
		v.Reject(decode.Violation(v.Path(), "This is not a JSON Schema: "+err.Error()))
	}
	return bytes.Clone(schema)
}

// findDatasetOf finds the dataset and its items at a time: that of their last write, unless another is given.
func (h *Handlers) findDatasetOf(
	c *endpoint.Call, scope domain.ProjectScope, in *experiments, body decode.Value, id string, asOf *time.Time,
) (err error) {
	reject := func(member, message string) { body.Reject(decode.Violation([]any{member}, message)) }
	in.dataset, err = h.Catalog.DatasetByID(c.Context(), scope, id)
	if errors.Is(err, domain.ErrNotFound) {
		reject("datasetId", "There is no such dataset in this project")
		return body.Err()
	}
	if err != nil {
		return err
	}
	if asOf != nil {
		if asOf.After(in.requestedAt) && asOf.After(in.dataset.LastWrite) { // by the clock of another server
			reject("asOf", "This time is in the future")
			return body.Err()
		}
		if asOf.Before(in.dataset.LastWrite) { // after it, items may still be written with this time
			in.dataset.LastWrite = *asOf
		}
	}
	_, in.items, err = h.Catalog.DatasetItems(c.Context(), scope,
		catalog.DatasetItemQuery{DatasetID: in.dataset.ID, At: &in.dataset.LastWrite}, 0, 1)
	switch {
	case err != nil:
		return err
	case in.items == 0:
		reject("datasetId", "The dataset has no active items at this time")
	case in.items*in.common.Repetitions > experimenting.MaxCalls:
		reject("datasetId", fmt.Sprintf("An experiment calls a model at most %d times; these would be %d × %d", experimenting.MaxCalls, in.items,
			in.common.Repetitions))
	}
	return body.Err()
}

// findPromptsOf resolves the prompts, or takes messages as they are.
func (h *Handlers) findPromptsOf(
	c *endpoint.Call, scope domain.ProjectScope, in *experiments, body decode.Value, refs []domain.PromptReference,
	messages []domain.PromptMessage,
) error {
	if refs == nil {
		in.prompts = []askedPrompt{{messages: messages}}
		return nil
	}
	for n, ref := range refs {
		found, wrong, err := h.resolved(c.Context(), scope, ref)
		if err != nil {
			return err
		}
		size := 0
		for _, m := range found {
			size += messageSize + len(m.Role) + len(m.Content) + len(m.Placeholder)
		}
		if size > maxPlan {
			wrong = fmt.Sprintf("The prompt is longer than %d MB", maxPlan>>20)
		}
		if wrong != "" {
			body.Reject(decode.Violation([]any{"prompts", n}, wrong))
		}
		in.prompts = append(in.prompts, askedPrompt{ref, found})
	}
	return body.Err()
}

// checkConnections rejects models of connections that the project does not have.
func (h *Handlers) checkConnections(c *endpoint.Call, scope domain.ProjectScope, in *experiments, body decode.Value) error {
	missing, err := h.Catalog.MissingLLMConnections(c.Context(), scope,
		endpoint.Map(in.models, func(m domain.DefaultModel) string { return m.Provider }))
	if err != nil {
		return err
	}
	for n, m := range in.models {
		if slices.Contains(missing, m.Provider) {
			body.Reject(decode.Violation([]any{"models", n, "connection"}, noConnection))
		}
	}
	return nil
}
