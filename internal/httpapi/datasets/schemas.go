package datasets

import (
	"encoding/json"
	"fmt"
	"iter"
	"strconv"
	"strings"

	"almanac/internal/catalog"
	"almanac/internal/decode"
	"almanac/internal/domain"
	"almanac/internal/httpapi/endpoint"
	"almanac/internal/httpapi/respond"
	"almanac/internal/jsonschema"
)

// readSchema reads the change of a schema: absent keeps it, null removes it.
func readSchema(v decode.Value) catalog.SchemaChange {
	change := catalog.SchemaChange{Given: v.Kind() != "undefined", Schema: endpoint.ReadJSON(v)}
	if change.Schema == nil {
		return change
	}
	if _, err := jsonschema.Compile(change.Schema); err != nil {
		v.Reject(decode.Violation(v.Path(), "Must be a valid JSON Schema"))
	}
	return change
}

// itemSchemas holds the schemas that items must match; a nil schema accepts everything.
type itemSchemas struct {
	input, expectedOutput *jsonschema.Schema
}

func compileSchemas(input, expectedOutput json.RawMessage) (schemas itemSchemas, err error) {
	if input != nil {
		if schemas.input, err = jsonschema.Compile(input); err != nil {
			return schemas, fmt.Errorf("cannot use the input schema: %w", err)
		}
	}
	if expectedOutput != nil {
		if schemas.expectedOutput, err = jsonschema.Compile(expectedOutput); err != nil {
			return schemas, fmt.Errorf("cannot use the schema of expected outputs: %w", err)
		}
	}
	return schemas, nil
}

// itemFailure describes how one value of an item violates its schema.
type itemFailure struct {
	DatasetItemID string            `json:"datasetItemId"`
	Field         string            `json:"field"`
	Errors        []schemaViolation `json:"errors"`
}

type schemaViolation struct {
	Path    string `json:"path"`
	Message string `json:"message"`
	Keyword string `json:"keyword"`
}

// failures returns the schema violations of an item.
func (s itemSchemas) failures(item *domain.DatasetItem) (found []itemFailure) {
	check := func(field string, schema *jsonschema.Schema, value json.RawMessage) {
		if schema == nil {
			return
		}
		if value == nil {
			value = json.RawMessage("null")
		}
		violations := schema.Validate(value)
		if len(violations) == 0 {
			return
		}
		failure := itemFailure{DatasetItemID: item.ID, Field: field}
		for _, v := range violations {
			failure.Errors = append(failure.Errors, schemaViolation{v.Path, v.Message, v.Keyword})
		}
		found = append(found, failure)
	}
	check("input", s.input, item.Input)
	check("expectedOutput", s.expectedOutput, item.ExpectedOutput)
	return found
}

// check returns an error if an item to be written violates the schemas.
func (s itemSchemas) check(item *domain.DatasetItem) error {
	var texts []string
	for _, failure := range s.failures(item) {
		what := map[string]string{"input": "Input", "expectedOutput": "Expected output"}[failure.Field]
		texts = append(texts, what+" validation failed: "+failure.Errors[0].Message)
	}
	if len(texts) == 0 {
		return nil
	}
	return refusedItem(strings.Join(texts, "; "))
}

func refusedItem(why string) error {
	return respond.InvalidRequest("Dataset item validation failed: " + why)
}

// maxItemFailures is the maximum number of failures reported for a new schema.
const maxItemFailures = 10

// checkAll returns an error if existing items of a dataset violate its new schemas.
func (s itemSchemas) checkAll(items iter.Seq2[*domain.DatasetItem, error]) error {
	var found []itemFailure
	for item, err := range items {
		if err != nil {
			return err
		}
		if found = append(found, s.failures(item)...); len(found) > maxItemFailures {
			break
		}
	}
	if len(found) == 0 {
		return nil
	}
	count := strconv.Itoa(len(found))
	if len(found) > maxItemFailures {
		count, found = "more than "+strconv.Itoa(maxItemFailures), found[:maxItemFailures]
	}
	details, err := respond.Marshal(found)
	if err != nil {
		return err
	}
	return respond.InvalidRequest("Schema validation failed for " + count + " item(s). Details: " + string(details))
}
