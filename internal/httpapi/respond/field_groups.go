package respond

import (
	"encoding/json"
	"maps"
	"slices"

	"almanac/internal/domain"
)

// FieldGroup describes a field group of observations.
type FieldGroup struct {
	Group   string   `json:"group"`
	Default bool     `json:"default"`
	Fields  []string `json:"fields"`
}

// FieldGroups returns all groups with their fields, which it derives from an empty row.
func FieldGroups() []FieldGroup {
	fieldsOf := func(fields Fields) []string {
		var members map[string]json.RawMessage
		row := AppendObservation(nil, new(domain.Observation), "", fields, nil, nil, nil)
		if err := json.Unmarshal(row, &members); err != nil {
			panic("BUG: an empty row is not JSON: " + err.Error())
		}
		return slices.Sorted(maps.Keys(members))
	}
	core := fieldsOf(CoreFields)
	groups := []FieldGroup{{fieldGroups[0], true, core}}
	for i, name := range fieldGroups[1:] {
		group := Fields(1) << (i + 1)
		own := slices.DeleteFunc(fieldsOf(CoreFields|group), func(field string) bool { return slices.Contains(core, field) })
		groups = append(groups, FieldGroup{name, defaultFields.Has(group), own})
	}
	return groups
}
