package scores

import (
	"encoding/json"
	"fmt"
	"math"
	"slices"
	"strings"
	"unicode"

	"almanac/internal/decode"
	"almanac/internal/domain"
)

// The limits of a score config.
const (
	maxScoreConfigName        = 35
	maxScoreConfigDescription = 10_000
	MaxCategories             = 500
	maxCategoryLabel          = 500
)

// BooleanCategories returns the categories of every config of boolean scores.
func BooleanCategories() []domain.ScoreCategory {
	return []domain.ScoreCategory{{Label: "True", Value: 1}, {Label: "False", Value: 0}}
}

// readScoreConfig reads a new config. Its data type decides which members it may have, so without a valid one nothing
// else is read.
func readScoreConfig(body decode.Value) (domain.ScoreConfig, error) {
	b := body.Object()
	dataType := b.Field("dataType")
	var config domain.ScoreConfig
	if dataType.Kind() == "string" {
		config.DataType = dataType.Text()
	}
	if !slices.Contains([]string{domain.ScoreNumeric, domain.ScoreCategorical, domain.ScoreBoolean, domain.ScoreText}, config.DataType) {
		dataType.Reject(decode.NoDiscriminator(dataType.Path(), "dataType"))
		return config, b.Err()
	}
	config.Name = readScoreConfigName(b.Field("name"))
	config.Description = decode.Nullish(b.Field("description"), readScoreConfigDescription)
	minimum, maximum, categories := b.Field("minValue"), b.Field("maxValue"), b.Field("categories")
	switch config.DataType {
	case domain.ScoreNumeric:
		config.MinValue = decode.Nullish(minimum, decode.Value.Number)
		config.MaxValue = decode.Nullish(maximum, decode.Value.Number)
		categories.RejectUnlessNull()
		if b.Err() == nil && rangeIsEmpty(config) {
			body.Reject(emptyRange())
		}
	case domain.ScoreCategorical:
		minimum.RejectUnlessNull()
		maximum.RejectUnlessNull()
		config.Categories = readCategories(categories)
	case domain.ScoreBoolean:
		categories.RejectPresent()
		config.Categories = BooleanCategories()
	case domain.ScoreText:
		minimum.RejectUnlessNull()
		maximum.RejectUnlessNull()
		categories.RejectPresent()
	}
	return config, b.Err()
}

func readScoreConfigDescription(v decode.Value) string {
	return v.TextLen(0, maxScoreConfigDescription)
}

func readScoreConfigName(v decode.Value) string {
	name := v.TextLen(1, maxScoreConfigName)
	if strings.ContainsFunc(name, func(r rune) bool { return !isNameCharacter(r) }) {
		v.Reject(decode.NotMatching(v.Path(), `/^[\p{L}\p{M}\p{N}_ .()-]+$/u`, "Name contains invalid characters"))
	}
	return name
}

// isNameCharacter reports whether a name may contain a character. Letters, digits and combining marks of every script
// are allowed.
func isNameCharacter(r rune) bool {
	return unicode.IsLetter(r) || unicode.IsNumber(r) || unicode.IsMark(r) || strings.ContainsRune("_ .()-", r)
}

// readCategories reads a list of categories. Malformed categories are reported as a single issue of the list, as
// clients expect.
func readCategories(v decode.Value) []domain.ScoreCategory {
	// A separate body, because its detailed issues are not reported.
	list := decode.NewBody(v.Raw())
	items := list.Array()
	if len(items) > MaxCategories {
		v.Reject(decode.TooLong(v.Path(), "array", MaxCategories))
		return nil
	}
	categories := make([]domain.ScoreCategory, len(items))
	for n, item := range items {
		category := item.Object()
		categories[n] = domain.ScoreCategory{
			Label: category.Field("label").TextLen(1, math.MaxInt), Value: category.Field("value").Number(),
		}
	}
	if list.Err() != nil {
		v.Reject(decode.Violation(v.Path(),
			"Category must be an array of objects with label value pairs, where labels and values are unique."))
		return nil
	}
	for _, item := range v.Array() {
		item.Object().Field("label").TextLen(1, maxCategoryLabel)
	}
	labels, values := make(map[string]bool), make(map[float64]bool)
	for _, category := range categories {
		if labels[category.Label] {
			v.Reject(decode.Violation(v.Path(), fmt.Sprintf("Duplicate category label: %s, category labels must be unique",
				category.Label)))
			return nil
		}
		if values[category.Value] {
			v.Reject(decode.Violation(v.Path(), fmt.Sprintf("Duplicate category value: %s, category values must be unique",
				numberText(category.Value))))
			return nil
		}
		labels[category.Label], values[category.Value] = true, true
	}
	return categories
}

// numberText returns a number as JSON writes it.
func numberText(f float64) string {
	text, _ := json.Marshal(f) // read from JSON, so it is finite
	return string(text)
}

// scoreConfigMisfits returns the issues of members that the data type of a changed config does not allow.
func scoreConfigMisfits(config domain.ScoreConfig) (issues []decode.Issue) {
	unset := func(name string, isSet bool, kind string) {
		if isSet {
			issues = append(issues, decode.WrongType([]any{name}, "undefined", kind))
		}
	}
	if config.DataType != domain.ScoreNumeric {
		unset("maxValue", config.MaxValue != nil, "number")
		unset("minValue", config.MinValue != nil, "number")
	}
	switch config.DataType {
	case domain.ScoreNumeric, domain.ScoreText:
		unset("categories", config.Categories != nil, "array")
	case domain.ScoreBoolean:
		if !slices.Equal(config.Categories, BooleanCategories()) {
			issues = append(issues,
				decode.Violation([]any{"categories"},
					"The categories of a boolean config are True with the value 1 and False with the value 0"))
		}
	}
	if rangeIsEmpty(config) && config.DataType == domain.ScoreNumeric {
		issues = append(issues, emptyRange())
	}
	return issues
}

func rangeIsEmpty(config domain.ScoreConfig) bool {
	return config.MinValue != nil && config.MaxValue != nil && *config.MaxValue <= *config.MinValue
}

func emptyRange() decode.Issue {
	return decode.Violation(nil, "Maximum value must be greater than Minimum value")
}
