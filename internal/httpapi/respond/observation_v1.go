package respond

import (
	"cmp"
	"strings"

	"almanac/internal/domain"
)

// AppendObservationV1 appends an observation as the deprecated observation routes return it: with all fields, input and
// output as JSON if they are, metadata as nested objects, and prices as numbers.
func AppendObservationV1(dst []byte, o *domain.Observation, projectID string, prices Prices, flush Flush) []byte {
	return appendObservationV1(dst, o, projectID, prices, "null", flush)
}

// AppendObservationOfTrace appends an observation as the deprecated trace route returns it, where a missing price is 0.
func AppendObservationOfTrace(dst []byte, o *domain.Observation, projectID string, prices Prices, flush Flush) []byte {
	return appendObservationV1(dst, o, projectID, prices, "0", flush)
}

const eventType = "EVENT"

func appendObservationV1(dst []byte, o *domain.Observation, projectID string, prices Prices, noPrice string, flush Flush) []byte {
	o = o.Sent()
	end := o.EndTime
	if o.Type == eventType {
		end = 0 // on these routes, events are points in time
	}
	dst = appendText(dst, `{"id":`, o.ID)
	dst = appendTextOrNull(dst, `,"traceId":`, o.TraceID)
	dst = appendDate(dst, `,"startTime":`, o.StartTime)
	dst = appendDateOrNull(dst, `,"endTime":`, end)
	dst = appendText(dst, `,"projectId":`, projectID)
	dst = appendTextOrNull(dst, `,"parentObservationId":`, o.SentParentID())
	dst = appendText(dst, `,"type":`, o.Type)
	dst = appendText(dst, `,"environment":`, cmp.Or(o.Environment, defaultEnvironment))
	dst = appendTextOrNull(dst, `,"name":`, o.Name)
	dst = appendText(dst, `,"level":`, cmp.Or(o.Level, defaultLevel))
	dst = appendLongTextOrNull(dst, `,"statusMessage":`, o.StatusMessage, flush)
	dst = appendTextOrNull(dst, `,"version":`, o.Version)
	dst = appendDate(dst, `,"createdAt":`, o.CreatedAt)
	dst = appendDate(dst, `,"updatedAt":`, o.UpdatedAt)
	dst = appendParsed(dst, `,"input":`, o.Input, flush)
	dst = appendParsed(dst, `,"output":`, o.Output, flush)
	dst = appendNestedMetadata(dst, `,"metadata":`, o.Metadata, flush)
	dst = appendTextOrNull(dst, `,"model":`, o.Model)
	dst = appendParametersV1(dst, `,"modelParameters":`, o, flush)
	dst = appendDateOrNull(dst, `,"completionStartTime":`, o.CompletionStartTime)
	dst = appendTextOrNull(dst, `,"promptId":`, o.PromptID)
	dst = appendTextOrNull(dst, `,"promptName":`, o.PromptName)
	dst = appendIntOrNull(dst, `,"promptVersion":`, o.PromptVersion)
	dst = appendDuration(dst, `,"latency":`, o.StartTime, end)
	dst = appendDuration(dst, `,"timeToFirstToken":`, o.StartTime, o.CompletionStartTime)
	usage, isUsage := readUsage(o.Usage, strings.HasPrefix)
	dst = appendDetails(dst, `,"usageDetails":`, o.Usage, isUsage)
	cost, isCost := readCost(o.Cost, strings.HasPrefix)
	dst = appendDetails(dst, `,"costDetails":`, o.Cost, isCost)
	dst = appendTier(dst, o)
	dst = appendPricesV1(dst, o, prices, noPrice)
	dst = appendCostV1(dst, &cost)
	dst = appendUsageV1(dst, &usage)
	return append(dst, '}')
}

// appendParametersV1 appends an empty object if there are no model parameters, but null for types that never have any.
func appendParametersV1(dst []byte, name string, o *domain.Observation, flush Flush) []byte {
	if o.ModelParameters == "" && o.Type != "SPAN" && o.Type != eventType {
		return append(append(dst, name...), "{}"...)
	}
	return appendParsed(dst, name, o.ModelParameters, flush)
}

func appendCostV1(dst []byte, cost *costSums) []byte {
	dst = cost.input.appendTo(dst, `,"calculatedInputCost":`, "null")
	dst = cost.output.appendTo(dst, `,"calculatedOutputCost":`, "null")
	return cost.total.appendTo(dst, `,"calculatedTotalCost":`, "0")
}

// appendUsageV1 appends the sums of usage in the two formats that preceded usage by kind.
func appendUsageV1(dst []byte, usage *usageSums) []byte {
	dst = appendInt(dst, `,"unit":"TOKENS","promptTokens":`, usage.input)
	dst = appendInt(dst, `,"completionTokens":`, usage.output)
	dst = appendInt(dst, `,"totalTokens":`, usage.total)
	dst = appendInt(dst, `,"usage":{"unit":"TOKENS","input":`, usage.input)
	dst = appendInt(dst, `,"output":`, usage.output)
	dst = appendInt(dst, `,"total":`, usage.total)
	return append(dst, '}')
}

func appendPricesV1(dst []byte, o *domain.Observation, prices Prices, noPrice string) []byte {
	p := prices.of(o)
	dst = appendTextOrNull(dst, `,"modelId":`, o.ModelID)
	dst = appendPriceV1(dst, `,"inputPrice":`, p.input, noPrice)
	dst = appendPriceV1(dst, `,"outputPrice":`, p.output, noPrice)
	return appendPriceV1(dst, `,"totalPrice":`, p.total, noPrice)
}

func appendPriceV1(dst []byte, name, price, none string) []byte {
	return append(append(dst, name...), cmp.Or(price, none)...)
}
