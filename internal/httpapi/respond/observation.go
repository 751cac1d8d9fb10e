package respond

import (
	"cmp"
	"strings"

	"almanac/internal/domain"
	"almanac/internal/jsontext"
)

// Defaults for fields that clients did not set.
const (
	defaultEnvironment = "default"
	defaultLevel       = "DEFAULT"
)

// AppendObservation appends an observation as version 2 of the API returns it, with the fields of the given groups.
// Prices may be nil if ModelFields is not among them. Long strings are flushed as they are written. What the client did not
// send with the observation is left out, even if the observation has inherited it from its trace. Nothing is allocated
// except to grow dst, and for observations that have inherited something.
func AppendObservation(
	dst []byte, o *domain.Observation, projectID string, fields Fields, expand *Expand, prices Prices, flush Flush,
) []byte {
	o = o.Sent()
	dst = appendCore(dst, o, projectID)
	if fields.Has(BasicFields) {
		dst = appendBasic(dst, o, flush)
	}
	if fields.Has(TimeFields) {
		dst = appendTimes(dst, o)
	}
	if fields.Has(IOFields) {
		dst = appendLongTextOrNull(dst, `,"input":`, o.Input, flush)
		dst = appendLongTextOrNull(dst, `,"output":`, o.Output, flush)
	}
	if fields.Has(MetadataFields) {
		dst = appendMetadata(dst, `,"metadata":`, o.Metadata, expand, flush)
	}
	if fields.Has(ModelFields) {
		dst = appendModel(dst, o, flush)
	}
	if fields.Has(UsageFields) {
		dst = appendUsage(dst, o)
	}
	if fields.Has(PromptFields) {
		dst = appendPrompt(dst, o)
	}
	if fields.Has(MetricsFields) {
		dst = appendDuration(dst, `,"latency":`, o.StartTime, o.EndTime)
		dst = appendDuration(dst, `,"timeToFirstToken":`, o.StartTime, o.CompletionStartTime)
	}
	if fields.Has(TraceContextFields) {
		dst = appendTraceContext(dst, o)
	}
	if fields.Has(ModelFields) {
		dst = appendModelPrices(dst, o, prices)
	} else {
		dst = append(dst, `,"modelId":null,"inputPrice":null,"outputPrice":null,"totalPrice":null`...)
	}
	return append(dst, '}')
}

func appendCore(dst []byte, o *domain.Observation, projectID string) []byte {
	dst = appendText(dst, `{"id":`, o.ID)
	dst = appendText(dst, `,"traceId":`, o.TraceID)
	dst = appendDate(dst, `,"startTime":`, o.StartTime)
	dst = appendDateOrNull(dst, `,"endTime":`, o.EndTime)
	dst = appendText(dst, `,"projectId":`, projectID)
	dst = appendTextOrNull(dst, `,"parentObservationId":`, o.ParentID)
	return appendText(dst, `,"type":`, o.Type)
}

func appendBasic(dst []byte, o *domain.Observation, flush Flush) []byte {
	dst = appendText(dst, `,"name":`, o.Name)
	dst = appendText(dst, `,"level":`, cmp.Or(o.Level, defaultLevel))
	dst = appendLongText(dst, `,"statusMessage":`, o.StatusMessage, flush)
	dst = appendText(dst, `,"version":`, o.Version)
	dst = appendText(dst, `,"environment":`, cmp.Or(o.Environment, defaultEnvironment))
	dst = appendBool(dst, `,"bookmarked":`, o.Bookmarked)
	dst = appendBool(dst, `,"public":`, o.Public)
	dst = appendText(dst, `,"userId":`, o.UserID)
	dst = appendText(dst, `,"sessionId":`, o.SessionID)
	return appendBool(dst, `,"isRootObservation":`, o.IsRoot())
}

func appendTimes(dst []byte, o *domain.Observation) []byte {
	dst = appendDateOrNull(dst, `,"completionStartTime":`, o.CompletionStartTime)
	dst = appendDate(dst, `,"createdAt":`, o.CreatedAt)
	return appendDate(dst, `,"updatedAt":`, o.UpdatedAt)
}

// appendModel appends the model's name twice: under the API's name and under the one in client libraries.
func appendModel(dst []byte, o *domain.Observation, flush Flush) []byte {
	dst = appendText(dst, `,"model":`, o.Model)
	dst = appendText(dst, `,"providedModelName":`, o.Model)
	dst = appendText(dst, `,"internalModelId":`, o.ModelID)
	return appendParsed(dst, `,"modelParameters":`, o.ModelParameters, flush)
}

func appendUsage(dst []byte, o *domain.Observation) []byte {
	usage, ok := readUsage(o.Usage, strings.Contains)
	dst = appendDetails(dst, `,"usageDetails":`, o.Usage, ok)
	dst = appendInt(dst, `,"inputUsage":`, usage.input)
	dst = appendInt(dst, `,"outputUsage":`, usage.output)
	dst = appendInt(dst, `,"totalUsage":`, usage.total)

	cost, ok := readCost(o.Cost, strings.Contains)
	dst = appendDetails(dst, `,"costDetails":`, o.Cost, ok)
	dst = cost.input.appendTo(dst, `,"inputCost":`, "null")
	dst = cost.output.appendTo(dst, `,"outputCost":`, "null")
	dst = cost.total.appendTo(dst, `,"totalCost":`, "0")

	return appendTier(dst, o)
}

func appendTier(dst []byte, o *domain.Observation) []byte {
	dst = appendTextOrNull(dst, `,"usagePricingTierId":`, o.PricingTierID)
	return appendTextOrNull(dst, `,"usagePricingTierName":`, o.PricingTierName)
}

func appendPrompt(dst []byte, o *domain.Observation) []byte {
	dst = appendText(dst, `,"promptId":`, o.PromptID)
	dst = appendText(dst, `,"promptName":`, o.PromptName)
	return appendIntOrNull(dst, `,"promptVersion":`, o.PromptVersion)
}

func appendTraceContext(dst []byte, o *domain.Observation) []byte {
	dst = appendTexts(dst, `,"tags":`, o.Tags)
	dst = appendText(dst, `,"release":`, o.Release)
	dst = append(dst, `,"traceName":`...)
	switch {
	case o.TraceName != "":
		return jsontext.AppendString(dst, o.TraceName)
	case o.IsRoot(): // the root names a trace without a name
		return jsontext.AppendString(dst, o.Name)
	}
	return append(dst, "null"...)
}

func appendModelPrices(dst []byte, o *domain.Observation, prices Prices) []byte {
	p := prices.of(o)
	dst = appendTextOrNull(dst, `,"modelId":`, o.ModelID)
	dst = appendTextOrNull(dst, `,"inputPrice":`, p.input)
	dst = appendTextOrNull(dst, `,"outputPrice":`, p.output)
	return appendTextOrNull(dst, `,"totalPrice":`, p.total)
}
