package ui

import (
	"bytes"
	"cmp"
	"encoding/json"
	"net/http"
	"strconv"
	"strings"
	"time"
	"unicode/utf8"

	"github.com/cespare/xxhash/v2"

	"almanac/internal/domain"
	"almanac/internal/httpapi/endpoint"
	"almanac/internal/httpapi/respond"
	"almanac/internal/jsontext"
	"almanac/internal/limits/memory"
	"almanac/internal/query/explore"
	"almanac/internal/store"
)

var errNoObservation = respond.NotFound("There is no such observation in this project")

// ObservationRequest is a request to read an observation.
type ObservationRequest struct {
	traceID string // "" for whichever trace has it
	id      string
	field   string // the name of one of its texts
}

// Opened returns the observation.
func (q ObservationRequest) Opened() (objectType, id string) { return domain.ObjectObservation, q.id }

// InTrace returns the id of the trace that the request names.
func (q ObservationRequest) InTrace() string { return q.traceID }

// ReadDetail reads a request for the details of an observation.
func ReadDetail(c *endpoint.Call) (ObservationRequest, error) {
	q := c.Query()
	return ObservationRequest{traceID: endpoint.ValueOr(q.String("traceId"), ""), id: c.Path("observationId")}, q.Err()
}

// ReadText reads a request for a text of an observation.
func ReadText(c *endpoint.Call) (ObservationRequest, error) {
	q, err := ReadDetail(c)
	q.field = c.Path("field")
	return q, err
}

// GetText sends one long string of an observation as stored, or the requested ranges of it.
func (h *Handlers) GetText(c *endpoint.Call, scope domain.ProjectScope, q ObservationRequest) (any, error) {
	field, known := explore.TextNamed(q.field)
	if !known {
		return nil, respond.NotFound("An observation has no text of this name")
	}
	text := ""
	found, err := h.explorer(scope).One(c.Context(), q.traceID, q.id, field.Want, func(o *domain.Observation) error {
		stored := field.Of(o)
		if err := memory.Of(c.Context()).Grow(c.Context(), int64(len(stored))); err != nil {
			return err
		}
		text = strings.Clone(stored)
		return nil
	})
	if err != nil {
		return nil, err
	}
	if !found {
		return nil, errNoObservation
	}
	return respond.Stream(func(w http.ResponseWriter, r *http.Request) error {
		header := w.Header()
		respond.SetUserContent(header, "text/plain; charset=utf-8")
		header.Set("Etag", `"`+strconv.FormatUint(xxhash.Sum64String(text), 36)+`"`)
		http.ServeContent(w, r, "", time.Time{}, strings.NewReader(text))
		return nil
	}), nil
}

// maxDetail is the length, in bytes, to which strings are truncated in the details of an observation.
const maxDetail = 64 << 10

type cutBody struct {
	Truncated bool `json:"truncated"`
	Bytes     int  `json:"bytes"`
}

type detailBody struct {
	rowBody
	HasRoot             bool               `json:"isRootObservation"`
	CompletionStartTime *respond.Time      `json:"completionStartTime"`
	CreatedAt           respond.Time       `json:"createdAt"`
	UpdatedAt           respond.Time       `json:"updatedAt"`
	Public              bool               `json:"public"`
	ModelID             *string            `json:"modelId"`
	PromptID            *string            `json:"promptId"`
	PricingTierID       *string            `json:"usagePricingTierId"`
	PricingTierName     *string            `json:"usagePricingTierName"`
	UsageDetails        json.RawMessage    `json:"usageDetails"`
	CostDetails         json.RawMessage    `json:"costDetails"`
	ProvidedUsage       json.RawMessage    `json:"providedUsageDetails"`
	ProvidedCost        json.RawMessage    `json:"providedCostDetails"`
	InputCost           float64            `json:"inputCost"`
	OutputCost          float64            `json:"outputCost"`
	ToolNames           []string           `json:"toolNames"`
	CalledToolNames     []string           `json:"calledToolNames"`
	Experiment          *experimentBody    `json:"experiment"`
	Source              sourceBody         `json:"source"`
	Texts               map[string]*string `json:"texts"`
	Cut                 map[string]cutBody `json:"cut"`
}

type experimentBody struct {
	ID             string  `json:"id"`
	Name           *string `json:"name"`
	DatasetID      *string `json:"datasetId"`
	ItemID         *string `json:"itemId"`
	ItemVersion    *string `json:"itemVersion"`
	ItemRootSpanID *string `json:"itemRootSpanId"`
	Description    *string `json:"description"`
}

type sourceBody struct {
	Source            *string `json:"source"`
	SDKName           *string `json:"sdkName"`
	SDKVersion        *string `json:"sdkVersion"`
	ServiceName       *string `json:"serviceName"`
	ServiceVersion    *string `json:"serviceVersion"`
	ScopeName         *string `json:"scopeName"`
	ScopeVersion      *string `json:"scopeVersion"`
	TelemetryLanguage *string `json:"telemetryLanguage"`
	TelemetryName     *string `json:"telemetryName"`
	TelemetryVersion  *string `json:"telemetryVersion"`
}

// GetDetail returns everything about an observation, with long strings truncated.
func (h *Handlers) GetDetail(c *endpoint.Call, scope domain.ProjectScope, q ObservationRequest) (any, error) {
	var body *detailBody
	found, err := h.explorer(scope).One(c.Context(), q.traceID, q.id, store.WantAll, func(o *domain.Observation) error {
		if err := memory.Of(c.Context()).Grow(c.Context(), int64(len(explore.Texts))*maxDetail); err != nil {
			return err
		}
		body = newDetailBody(o)
		return nil
	})
	if err != nil {
		return nil, err
	}
	if !found {
		return nil, errNoObservation
	}
	return body, nil
}

func newDetailBody(stored *domain.Observation) *detailBody {
	short := *stored
	texts, cut := make(map[string]*string, len(explore.Texts)), make(map[string]cutBody)
	for _, t := range explore.Texts {
		text := t.Of(stored)
		if len(text) > maxDetail {
			cut[t.Name] = cutBody{true, len(text)}
		}
		texts[t.Name] = textOrNil(strings.Clone(beginning(text)))
	}
	previews := explore.Row{
		InputPreview:  strings.Clone(explore.Preview(stored.Input, "user")),
		OutputPreview: strings.Clone(explore.Preview(stored.Output, "assistant")),
	}
	for _, long := range []*string{
		&short.Input, &short.Output, &short.Metadata, &short.StatusMessage, &short.ModelParameters, &short.ToolDefinitions,
		&short.ToolCalls,
		&short.TraceInput, &short.TraceOutput, &short.TraceMetadata, &short.ExperimentItemExpectedOutput, &short.ExperimentMetadata,
		&short.ExperimentItemMetadata,
	} {
		*long = ""
	}
	o := short.Clone()
	previews.Observation = o
	previews.StatusMessage = beginning(stored.StatusMessage)
	body := &detailBody{
		rowBody: newRowBody(&previews), HasRoot: o.IsRoot(), CompletionStartTime: timeOrNil(o.CompletionStartTime),
		CreatedAt: respond.Time(o.CreatedAt.Time()), UpdatedAt: respond.Time(o.UpdatedAt.Time()), Public: o.Public,
		ModelID: textOrNil(o.ModelID), PromptID: textOrNil(o.PromptID),
		PricingTierID: textOrNil(o.PricingTierID), PricingTierName: textOrNil(o.PricingTierName),
		UsageDetails: object(o.Usage), CostDetails: object(o.Cost), ProvidedUsage: object(o.ProvidedUsage),
		ProvidedCost: object(o.ProvidedCost),
		InputCost:    o.InputCost, OutputCost: o.OutputCost, ToolNames: domain.NotNil(o.ToolNames),
		CalledToolNames: domain.NotNil(o.ToolCallNames),
		Texts:           texts, Cut: cut,
		Source: sourceBody{
			textOrNil(o.Source), textOrNil(o.SDKName), textOrNil(o.SDKVersion), textOrNil(o.ServiceName), textOrNil(o.ServiceVersion),
			textOrNil(o.ScopeName), textOrNil(o.ScopeVersion),
			textOrNil(o.TelemetryLanguage), textOrNil(o.TelemetryName), textOrNil(o.TelemetryVersion),
		},
	}
	if o.ExperimentID != "" {
		body.Experiment = &experimentBody{
			o.ExperimentID, textOrNil(o.ExperimentName), textOrNil(o.ExperimentDatasetID), textOrNil(o.ExperimentItemID),
			textOrNil(o.ExperimentItemVersion),
			textOrNil(o.ExperimentItemRootSpanID), textOrNil(cmp.Or(beginning(o.ExperimentDescription))),
		}
	}
	return body
}

// beginning truncates a string to maxDetail bytes, between characters.
func beginning(text string) string {
	if len(text) <= maxDetail {
		return text
	}
	end := maxDetail
	for end > 0 && !utf8.RuneStart(text[end]) {
		end--
	}
	return text[:end]
}

// object returns a stored JSON object, or an empty one if it is unset or not JSON.
func object(text string) json.RawMessage {
	if text == "" || !jsontext.Valid(text) {
		return json.RawMessage("{}")
	}
	return json.RawMessage(bytes.Clone([]byte(text)))
}
