package semconv

import "strings"

// family is a set of attribute names with a common prefix, followed by a part chosen by the client.
type family uint8

const (
	noFamily family = iota
	observationMetadata
	traceMetadata
	plainMetadata
	vercelMetadata
	experimentMetadata
	itemMetadata
	usageCounts
	requestParameters
	promptParts
	completionParts
	inputMessageParts
	outputMessageParts
	toolSchemas
	toolFunctions
)

type familyRow struct {
	prefix string
	family family
	use    use
}

// serviceFamilies are the prefixes that follow a service prefix.
var serviceFamilies = [...]familyRow{
	{"observation.metadata.", observationMetadata, content},
	{"trace.metadata.", traceMetadata, content},
	{"metadata.", plainMetadata, kept},
	{"experiment.metadata.", experimentMetadata, kept},
	{"experiment.item.metadata.", itemMetadata, kept},
}

var otherFamilies = [...]familyRow{
	{"gen_ai.usage.", usageCounts, kept},
	{"gen_ai.request.", requestParameters, kept},
	{"gen_ai.prompt.", promptParts, content},
	{"gen_ai.completion.", completionParts, content},
	{"llm.token_count.", usageCounts, kept},
	{"llm.invocation_parameters.", requestParameters, kept},
	{"llm.input_messages.", inputMessageParts, content},
	{"llm.output_messages.", outputMessageParts, content},
	{"llm.tools.", toolSchemas, kept},
	{"llm.request.functions.", toolFunctions, kept},
	{"ai.telemetry.metadata.", vercelMetadata, content},
}

// meaningOf looks up a name: one map lookup, plus a few comparisons for names that are not in the map.
func meaningOf(name string) meaning {
	if m, ok := meanings[name]; ok {
		return m
	}
	return familyOf(name)
}

func familyOf(name string) meaning {
	if name == "" || name[0] != 'l' && name[0] != 'a' && name[0] != 'g' {
		return meaning{}
	}
	for i, service := range services {
		if rest, ok := strings.CutPrefix(name, service); ok {
			m := familyIn(rest, serviceFamilies[:])
			m.rest += uint8(len(service)) //nolint:gosec // Prefixes are short.
			m.alias = i > 0
			return m
		}
	}
	return familyIn(name, otherFamilies[:])
}

func familyIn(name string, rows []familyRow) meaning {
	for i := range rows {
		if strings.HasPrefix(name, rows[i].prefix) {
			return meaning{family: rows[i].family, use: rows[i].use, rest: uint8(len(rows[i].prefix))} //nolint:gosec // Short.
		}
	}
	return meaning{}
}
