package ingest

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"regexp"
	"slices"

	"almanac/internal/domain"
)

// Masks replace parts of strings before they are stored. Nil and the zero value replace nothing.
//
// Rules come from a file, a JSON list of
//
//	{"projectId": "…", "fields": ["input", "output", "metadata"], "pattern": "…", "replacement": "…"}
//
// where projectId may be "*" for all projects, fields may be omitted for all fields, pattern is a regular expression in
// Go's syntax and replacement may refer to its groups as $1 or ${name}. Rules are applied in file order.
type Masks struct{ rules []maskRule }

type maskRule struct {
	project string // "*" for all
	fields  maskFields
	masker
}

// maskFields are the fields of a row that a rule applies to.
type maskFields struct{ input, output, metadata bool }

// LoadMasks reads rules from a file; an empty path means no rules.
func LoadMasks(path string) (*Masks, error) {
	if path == "" {
		return new(Masks), nil
	}
	content, err := os.ReadFile(path) //nolint:gosec // the operator names it
	if err != nil {
		return nil, fmt.Errorf("cannot read the masking rules: %w", err)
	}
	masks, err := parseMasks(content)
	if err != nil {
		return nil, fmt.Errorf("the masking rules in %s: %w", path, err)
	}
	return masks, nil
}

func parseMasks(content []byte) (*Masks, error) {
	var written []struct {
		ProjectID   *string  `json:"projectId"`
		Fields      []string `json:"fields"`
		Pattern     *string  `json:"pattern"`
		Replacement *string  `json:"replacement"`
	}
	d := json.NewDecoder(bytes.NewReader(content))
	d.DisallowUnknownFields()
	if err := d.Decode(&written); err != nil {
		return nil, fmt.Errorf("not a list of rules such as [{\"projectId\":\"*\",\"pattern\":\"…\",\"replacement\":\"…\"}]: %w", err)
	}
	if _, err := d.Token(); !errors.Is(err, io.EOF) {
		return nil, errors.New("something follows the list of rules")
	}
	masks := new(Masks)
	for n, w := range written {
		rule, err := newMaskRule(w.ProjectID, w.Fields, w.Pattern, w.Replacement)
		if err != nil {
			return nil, fmt.Errorf("rule %d: %w", n+1, err)
		}
		masks.rules = append(masks.rules, rule)
	}
	return masks, nil
}

func newMaskRule(project *string, fields []string, pattern, replacement *string) (maskRule, error) {
	switch {
	case project == nil || *project == "":
		return maskRule{}, errors.New("it has no projectId; \"*\" stands for all projects")
	case pattern == nil || *pattern == "":
		return maskRule{}, errors.New("it has no pattern")
	case replacement == nil:
		return maskRule{}, errors.New("it has no replacement; \"\" removes what matches")
	}
	expression, err := regexp.Compile(*pattern)
	if err != nil {
		return maskRule{}, fmt.Errorf("its pattern is no regular expression: %w", err)
	}
	if expression.MatchString("") {
		return maskRule{}, fmt.Errorf("its pattern %q matches the empty text, and so everywhere", *pattern)
	}
	rule := maskRule{project: *project, masker: masker{expression, *replacement}}
	if fields == nil {
		rule.fields = maskFields{true, true, true}
		return rule, nil
	}
	for _, field := range fields {
		switch field {
		case "input":
			rule.fields.input = true
		case "output":
			rule.fields.output = true
		case "metadata":
			rule.fields.metadata = true
		default:
			return maskRule{}, fmt.Errorf("there is no field %q; fields are input, output and metadata", field)
		}
	}
	if rule.fields == (maskFields{}) {
		return maskRule{}, errors.New("its list of fields is empty")
	}
	return rule, nil
}

// Rules returns the number of rules.
func (m *Masks) Rules() int { return len(m.rules) }

// of returns the rules for a project.
func (m *Masks) of(project string) []maskRule {
	if m == nil || len(m.rules) == 0 {
		return nil
	}
	return slices.DeleteFunc(slices.Clone(m.rules), func(r maskRule) bool { return r.project != "*" && r.project != project })
}

// Apply masks a row of a project.
func (m *Masks) Apply(project string, o *domain.Observation) {
	for _, rule := range m.of(project) {
		rule.apply(o)
	}
}

// apply masks a row. Fields derived from input or output, such as tool calls, are masked with it.
func (r *maskRule) apply(o *domain.Observation) {
	if r.fields.input {
		r.mask(&o.Input, &o.TraceInput, &o.ToolDefinitions)
	}
	if r.fields.output {
		r.mask(&o.Output, &o.TraceOutput, &o.ToolCalls, &o.ExperimentItemExpectedOutput, &o.StatusMessage)
	}
	if r.fields.metadata {
		r.mask(&o.Metadata, &o.TraceMetadata, &o.ExperimentMetadata, &o.ExperimentItemMetadata)
	}
}

// Score masks the free-text fields of a score: comment and text, which may quote outputs, and metadata.
func (m *Masks) Score(scope domain.ProjectScope, comment, text, metadata *string) {
	for _, r := range m.of(scope.ProjectID()) {
		if r.fields.output {
			r.mask(comment, text)
		}
		if r.fields.metadata {
			r.mask(metadata)
		}
	}
}

func (r *maskRule) mask(texts ...*string) {
	for _, text := range texts {
		if *text != "" {
			*text = r.text(*text)
		}
	}
}
