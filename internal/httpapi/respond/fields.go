package respond

import (
	"slices"
	"strings"

	"almanac/internal/decode"
)

// Fields is a set of field groups of observations. The core group is part of every set.
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

// ParseFields parses a comma-separated list of groups. Unknown names are ignored; the empty string means the default.
func ParseFields(text string) Fields {
	if text == "" {
		return defaultFields
	}
	return Fields(findGroups(text, fieldGroups)) | CoreFields
}

// ParseFieldList parses groups given as a repeated parameter. Here each name must exist.
func ParseFieldList(names []string) (Fields, *Error) {
	set, refused := parseGroups(names, fieldGroups)
	return Fields(set) | CoreFields, refused
}

// maxFieldIssues is the maximum number of unknown names that are reported.
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

// findGroups is like parseGroups for a comma-separated list, but ignores unknown names.
func findGroups(text string, known []string) (set uint16) {
	for name := range strings.SplitSeq(text, ",") {
		if n := slices.Index(known, strings.TrimSpace(name)); n >= 0 {
			set |= 1 << n
		}
	}
	return set
}

// parseGroups parses names of field groups, each of which must exist. It returns a set with bit n for the name
// known[n].
func parseGroups(names, known []string) (set uint16, refused *Error) {
	var issues []decode.Issue
	for i, name := range names {
		if n := slices.Index(known, name); n >= 0 {
			set |= 1 << n
		} else if len(issues) < maxFieldIssues {
			issues = append(issues, decode.NotInEnum([]any{"fields", i}, known))
		}
	}
	if len(issues) > 0 {
		return 0, InvalidData(issues)
	}
	return set, nil
}
