package harness

import (
	"reflect"
	"slices"
	"strings"

	"almanac/internal/domain"
)

// CopyRow copies a row whose strings belong to the store.
func CopyRow(row *domain.Observation) domain.Observation {
	c := *row
	for _, field := range reflect.ValueOf(&c).Elem().Fields() {
		switch value := field.Interface().(type) {
		case string:
			field.SetString(strings.Clone(value))
		case []string:
			list := slices.Clone(value)
			for n := range list {
				list[n] = strings.Clone(list[n])
			}
			field.Set(reflect.ValueOf(list))
		}
	}
	return c
}
