package respond

import (
	"strings"

	"almanac/internal/decode"
)

// Fields is a set of groups of fields that rows of observations are written with. The core is part of every set.
type Fields uint16

// The groups.
const (
	CoreFields Fields = 1 << iota
	BasicFields
	TimeFields
	IOFields
	MetadataFields
	ModelFields
	UsageFields
	PromptFields
	MetricsFields
	TraceContextFields

	defaultFields = CoreFields | BasicFields
)

// fieldGroups are the names of the groups, each at the position of its bit.
var fieldGroups = []string{
	"core", "basic", "time", "io", "metadata", "model", "usage", "prompt", "metrics", "trace_context",
}

// fieldGroup returns the group of a name, or nothing.
func fieldGroup(name string) Fields {
	for i, known := range fieldGroups {
		if name == known {
			return 1 << i
		}
	}
	return 0
}

// ParseFields reads a comma list of groups. Unknown names are ignored; the empty text stands for the default.
func ParseFields(text string) Fields {
	if text == "" {
		return defaultFields
	}
	fields := CoreFields
	for name := range strings.SplitSeq(text, ",") {
		fields |= fieldGroup(strings.TrimSpace(name))
	}
	return fields
}

// ParseFieldList reads groups that were given one by one, by repeating the parameter. There each must exist.
func ParseFieldList(names []string) (Fields, *Error) {
	fields := CoreFields
	var issues []decode.Issue
	for i, name := range names {
		group := fieldGroup(name)
		if group == 0 && len(issues) < maxFieldIssues {
			issues = append(issues, decode.NotInEnum([]any{"fields", i}, fieldGroups))
		}
		fields |= group
	}
	if len(issues) > 0 {
		return 0, InvalidData(issues)
	}
	return fields, nil
}

// maxFieldIssues is how many wrong names are told one by one.
const maxFieldIssues = 10

// Has reports whether the set holds all of these groups.
func (f Fields) Has(groups Fields) bool { return f&groups == groups }

// NeedIO reports whether input and output are written.
func (f Fields) NeedIO() bool { return f.Has(IOFields) }

// NeedMetadata reports whether metadata are written.
func (f Fields) NeedMetadata() bool { return f.Has(MetadataFields) }

// NeedStatus reports whether the status message is written.
func (f Fields) NeedStatus() bool { return f.Has(BasicFields) }

// NeedUsage reports whether usage and cost by kind are written.
func (f Fields) NeedUsage() bool { return f.Has(UsageFields) }

// NeedDetails reports whether model parameters are written.
func (f Fields) NeedDetails() bool { return f.Has(ModelFields) }
