package respond

import (
	"strconv"
	"strings"

	"almanac/internal/domain"
	"almanac/internal/jsontext"
)

// AppendObservationV1 appends an observation as the deprecated reads of observations return it: all fields at once,
// inputs and outputs as the JSON that they are, metadata as objects within objects, prices as numbers.
func AppendObservationV1(dst []byte, o *domain.Observation, projectID string, prices Prices, flush Flush) []byte {
	return appendObservationV1(dst, o, projectID, prices, "null", flush)
}

// AppendObservationOfTrace appends an observation as the deprecated read of a trace returns it. There a price that the
// model does not have is 0.
func AppendObservationOfTrace(dst []byte, o *domain.Observation, projectID string, prices Prices, flush Flush) []byte {
	return appendObservationV1(dst, o, projectID, prices, "0", flush)
}

const eventType = "EVENT"

func appendObservationV1(dst []byte, o *domain.Observation, projectID string, prices Prices, noPrice string, flush Flush) []byte {
	end := o.EndTime
	if o.Type == eventType {
		end = 0 // events of these reads are points in time
	}
	dst = append(dst, `{"id":`...)
	dst = jsontext.AppendString(dst, o.ID)
	dst = append(dst, `,"traceId":`...)
	dst = appendTextOrNull(dst, o.TraceID)
	dst = append(dst, `,"startTime":`...)
	dst = appendDate(dst, o.StartTime)
	dst = append(dst, `,"endTime":`...)
	dst = appendDateOrNull(dst, end)
	dst = append(dst, `,"projectId":`...)
	dst = jsontext.AppendString(dst, projectID)
	dst = append(dst, `,"parentObservationId":`...)
	dst = appendTextOrNull(dst, o.SentParentID())
	dst = append(dst, `,"type":`...)
	dst = jsontext.AppendString(dst, o.Type)
	dst = append(dst, `,"environment":`...)
	dst = appendTextOr(dst, o.Environment, defaultEnvironment)
	dst = append(dst, `,"name":`...)
	dst = appendTextOrNull(dst, o.Name)
	dst = append(dst, `,"level":`...)
	dst = appendTextOr(dst, o.Level, defaultLevel)
	dst = append(dst, `,"statusMessage":`...)
	dst = appendLongTextOrNull(dst, o.StatusMessage, flush)
	dst = append(dst, `,"version":`...)
	dst = appendTextOrNull(dst, o.Version)
	dst = append(dst, `,"createdAt":`...)
	dst = appendDate(dst, o.CreatedAt)
	dst = append(dst, `,"updatedAt":`...)
	dst = appendDate(dst, o.UpdatedAt)
	dst = append(dst, `,"input":`...)
	dst = appendParsed(dst, o.Input, flush)
	dst = append(dst, `,"output":`...)
	dst = appendParsed(dst, o.Output, flush)
	dst = append(dst, `,"metadata":`...)
	dst = appendNestedMetadata(dst, o.Metadata, flush)
	dst = append(dst, `,"model":`...)
	dst = appendTextOrNull(dst, o.Model)
	dst = append(dst, `,"modelParameters":`...)
	dst = appendParametersV1(dst, o, flush)
	dst = append(dst, `,"completionStartTime":`...)
	dst = appendDateOrNull(dst, o.CompletionStartTime)
	dst = append(dst, `,"promptId":`...)
	dst = appendTextOrNull(dst, o.PromptID)
	dst = append(dst, `,"promptName":`...)
	dst = appendTextOrNull(dst, o.PromptName)
	dst = append(dst, `,"promptVersion":`...)
	dst = appendIntOrNull(dst, o.PromptVersion)
	dst = append(dst, `,"latency":`...)
	dst = appendDuration(dst, o.StartTime, end)
	dst = append(dst, `,"timeToFirstToken":`...)
	dst = appendDuration(dst, o.StartTime, o.CompletionStartTime)
	usage, isUsage := readUsage(o.Usage, strings.HasPrefix)
	dst = append(dst, `,"usageDetails":`...)
	dst = appendDetails(dst, o.Usage, isUsage)
	cost, isCost := readCost(o.Cost, strings.HasPrefix)
	dst = append(dst, `,"costDetails":`...)
	dst = appendDetails(dst, o.Cost, isCost)
	dst = appendTier(dst, o)
	dst = appendPricesV1(dst, o, prices, noPrice)
	dst = appendCostV1(dst, &cost)
	dst = appendUsageV1(dst, &usage)
	return append(dst, '}')
}

// appendParametersV1 appends an empty object if there are none, but null for the types that never have any.
func appendParametersV1(dst []byte, o *domain.Observation, flush Flush) []byte {
	if o.ModelParameters == "" && o.Type != "SPAN" && o.Type != eventType {
		return append(dst, "{}"...)
	}
	return appendParsed(dst, o.ModelParameters, flush)
}

func appendCostV1(dst []byte, cost *costSums) []byte {
	dst = append(dst, `,"calculatedInputCost":`...)
	dst = cost.input.appendTo(dst, "null")
	dst = append(dst, `,"calculatedOutputCost":`...)
	dst = cost.output.appendTo(dst, "null")
	dst = append(dst, `,"calculatedTotalCost":`...)
	return cost.total.appendTo(dst, "0")
}

// appendUsageV1 appends the sums of usage in the two forms that were before usage by kind.
func appendUsageV1(dst []byte, usage *usageSums) []byte {
	dst = append(dst, `,"unit":"TOKENS","promptTokens":`...)
	dst = strconv.AppendInt(dst, usage.input, 10)
	dst = append(dst, `,"completionTokens":`...)
	dst = strconv.AppendInt(dst, usage.output, 10)
	dst = append(dst, `,"totalTokens":`...)
	dst = strconv.AppendInt(dst, usage.total, 10)
	dst = append(dst, `,"usage":{"unit":"TOKENS","input":`...)
	dst = strconv.AppendInt(dst, usage.input, 10)
	dst = append(dst, `,"output":`...)
	dst = strconv.AppendInt(dst, usage.output, 10)
	dst = append(dst, `,"total":`...)
	dst = strconv.AppendInt(dst, usage.total, 10)
	return append(dst, '}')
}

func appendPricesV1(dst []byte, o *domain.Observation, prices Prices, noPrice string) []byte {
	p := prices.of(o)
	dst = append(dst, `,"modelId":`...)
	dst = appendTextOrNull(dst, o.ModelID)
	dst = append(dst, `,"inputPrice":`...)
	dst = appendPriceV1(dst, p.input, noPrice)
	dst = append(dst, `,"outputPrice":`...)
	dst = appendPriceV1(dst, p.output, noPrice)
	dst = append(dst, `,"totalPrice":`...)
	return appendPriceV1(dst, p.total, noPrice)
}

func appendPriceV1(dst []byte, price, none string) []byte {
	if price == "" {
		price = none
	}
	return append(dst, price...)
}
