package respond

import (
	"strconv"
	"strings"

	"almanac/internal/domain"
	"almanac/internal/jsontext"
)

// What rows say where clients said nothing.
const (
	defaultEnvironment = "default"
	defaultLevel       = "DEFAULT"
)

// AppendObservation appends an observation as rows are since version 2 of the API: an object of the fields of these
// groups. Prices may be nil if the group of the model is not among them. What is long is flushed on the way. It allocates nothing but the memory that the
// slice grows by.
func AppendObservation(
	dst []byte, o *domain.Observation, projectID string, fields Fields, expand *Expand, prices Prices, flush Flush,
) []byte {
	dst = appendCore(dst, o, projectID)
	if fields.Has(BasicFields) {
		dst = appendBasic(dst, o, flush)
	}
	if fields.Has(TimeFields) {
		dst = appendTimes(dst, o)
	}
	if fields.Has(IOFields) {
		dst = append(dst, `,"input":`...)
		dst = appendLongTextOrNull(dst, o.Input, flush)
		dst = append(dst, `,"output":`...)
		dst = appendLongTextOrNull(dst, o.Output, flush)
	}
	if fields.Has(MetadataFields) {
		dst = append(dst, `,"metadata":`...)
		dst = appendMetadata(dst, o.Metadata, expand, flush)
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
		dst = append(dst, `,"latency":`...)
		dst = appendDuration(dst, o.StartTime, o.EndTime)
		dst = append(dst, `,"timeToFirstToken":`...)
		dst = appendDuration(dst, o.StartTime, o.CompletionStartTime)
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
	dst = append(dst, `{"id":`...)
	dst = jsontext.AppendString(dst, o.ID)
	dst = append(dst, `,"traceId":`...)
	dst = jsontext.AppendString(dst, o.TraceID)
	dst = append(dst, `,"startTime":`...)
	dst = appendDate(dst, o.StartTime)
	dst = append(dst, `,"endTime":`...)
	dst = appendDateOrNull(dst, o.EndTime)
	dst = append(dst, `,"projectId":`...)
	dst = jsontext.AppendString(dst, projectID)
	dst = append(dst, `,"parentObservationId":`...)
	dst = appendTextOrNull(dst, o.ParentID)
	dst = append(dst, `,"type":`...)
	return jsontext.AppendString(dst, o.Type)
}

func appendBasic(dst []byte, o *domain.Observation, flush Flush) []byte {
	dst = append(dst, `,"name":`...)
	dst = jsontext.AppendString(dst, o.Name)
	dst = append(dst, `,"level":`...)
	dst = appendTextOr(dst, o.Level, defaultLevel)
	dst = append(dst, `,"statusMessage":`...)
	dst = jsontext.AppendLongString(dst, o.StatusMessage, flush)
	dst = append(dst, `,"version":`...)
	dst = jsontext.AppendString(dst, o.Version)
	dst = append(dst, `,"environment":`...)
	dst = appendTextOr(dst, o.Environment, defaultEnvironment)
	dst = append(dst, `,"bookmarked":`...)
	dst = strconv.AppendBool(dst, o.Bookmarked)
	dst = append(dst, `,"public":`...)
	dst = strconv.AppendBool(dst, o.Public)
	dst = append(dst, `,"userId":`...)
	dst = jsontext.AppendString(dst, o.UserID)
	dst = append(dst, `,"sessionId":`...)
	dst = jsontext.AppendString(dst, o.SessionID)
	dst = append(dst, `,"isRootObservation":`...)
	return strconv.AppendBool(dst, o.IsRoot())
}

func appendTimes(dst []byte, o *domain.Observation) []byte {
	dst = append(dst, `,"completionStartTime":`...)
	dst = appendDateOrNull(dst, o.CompletionStartTime)
	dst = append(dst, `,"createdAt":`...)
	dst = appendDate(dst, o.CreatedAt)
	dst = append(dst, `,"updatedAt":`...)
	return appendDate(dst, o.UpdatedAt)
}

// appendModel appends the name of the model twice: as the API says, and as the types of client libraries call it.
func appendModel(dst []byte, o *domain.Observation, flush Flush) []byte {
	dst = append(dst, `,"model":`...)
	dst = jsontext.AppendString(dst, o.Model)
	dst = append(dst, `,"providedModelName":`...)
	dst = jsontext.AppendString(dst, o.Model)
	dst = append(dst, `,"internalModelId":`...)
	dst = jsontext.AppendString(dst, o.ModelID)
	dst = append(dst, `,"modelParameters":`...)
	return appendParsed(dst, o.ModelParameters, flush)
}

func appendUsage(dst []byte, o *domain.Observation) []byte {
	usage, ok := readUsage(o.Usage, strings.Contains)
	dst = append(dst, `,"usageDetails":`...)
	dst = appendDetails(dst, o.Usage, ok)
	dst = append(dst, `,"inputUsage":`...)
	dst = strconv.AppendInt(dst, usage.input, 10)
	dst = append(dst, `,"outputUsage":`...)
	dst = strconv.AppendInt(dst, usage.output, 10)
	dst = append(dst, `,"totalUsage":`...)
	dst = strconv.AppendInt(dst, usage.total, 10)

	cost, ok := readCost(o.Cost, strings.Contains)
	dst = append(dst, `,"costDetails":`...)
	dst = appendDetails(dst, o.Cost, ok)
	dst = append(dst, `,"inputCost":`...)
	dst = cost.input.appendTo(dst, "null")
	dst = append(dst, `,"outputCost":`...)
	dst = cost.output.appendTo(dst, "null")
	dst = append(dst, `,"totalCost":`...)
	dst = cost.total.appendTo(dst, "0")

	return appendTier(dst, o)
}

func appendTier(dst []byte, o *domain.Observation) []byte {
	dst = append(dst, `,"usagePricingTierId":`...)
	dst = appendTextOrNull(dst, o.PricingTierID)
	dst = append(dst, `,"usagePricingTierName":`...)
	return appendTextOrNull(dst, o.PricingTierName)
}

func appendPrompt(dst []byte, o *domain.Observation) []byte {
	dst = append(dst, `,"promptId":`...)
	dst = jsontext.AppendString(dst, o.PromptID)
	dst = append(dst, `,"promptName":`...)
	dst = jsontext.AppendString(dst, o.PromptName)
	dst = append(dst, `,"promptVersion":`...)
	return appendIntOrNull(dst, o.PromptVersion)
}

func appendTraceContext(dst []byte, o *domain.Observation) []byte {
	dst = append(dst, `,"tags":`...)
	dst = appendTexts(dst, o.Tags)
	dst = append(dst, `,"release":`...)
	dst = jsontext.AppendString(dst, o.Release)
	dst = append(dst, `,"traceName":`...)
	switch {
	case o.TraceName != "":
		return jsontext.AppendString(dst, o.TraceName)
	case o.IsRoot(): // lends its name to a trace that has none
		return jsontext.AppendString(dst, o.Name)
	}
	return append(dst, "null"...)
}

func appendModelPrices(dst []byte, o *domain.Observation, prices Prices) []byte {
	p := prices.of(o)
	dst = append(dst, `,"modelId":`...)
	dst = appendTextOrNull(dst, o.ModelID)
	dst = append(dst, `,"inputPrice":`...)
	dst = appendTextOrNull(dst, p.input)
	dst = append(dst, `,"outputPrice":`...)
	dst = appendTextOrNull(dst, p.output)
	dst = append(dst, `,"totalPrice":`...)
	return appendTextOrNull(dst, p.total)
}
