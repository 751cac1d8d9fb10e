package filtertest

import (
	"encoding/json"
	"slices"

	"almanac/internal/domain"
)

// textsOfKey returns the distinct texts of an entry.
func textsOfKey(column, key string, rows []domain.Observation) []string {
	var texts []string
	for n := range rows {
		entries, _ := Value(column, &rows[n]).(Entries)
		for _, e := range entries {
			if e.Key == key && !slices.Contains(texts, e.Text) {
				texts = append(texts, e.Text)
			}
		}
	}
	return texts
}

func withKey[T any](key string, values ...T) []arguments {
	made := plain(values...)
	for n := range made {
		made[n].keyed, made[n].key = true, key
	}
	return made
}

func entryTexts(column, operator string, rows []domain.Observation) []arguments {
	keys := []string{
		"plan", "attempt", "ok", "note", "user.plan", "tags", "nested", `quote"d`, "ünï", "", "missing", "nested.plan", "Plan",
	}
	var all []arguments
	for _, key := range keys {
		values := []string{nowhere, "needle", "Enterprise"}
		for _, text := range sample(textsOfKey(column, key, rows), 2) {
			values = append(values, parts(text)...)
		}
		if operator == "matches" {
			values = slices.DeleteFunc(values, func(v string) bool { return len(words(v)) == 0 })
		} else {
			values = append(values, "")
		}
		slices.Sort(values)
		all = append(all, withKey(key, slices.Compact(values)...)...)
	}
	return all
}

func entryNumbers(_, _ string, _ []domain.Observation) []arguments {
	var all []arguments
	for _, key := range []string{"attempt", "num", "exp", "hex", "plan", "ok", "nested", "missing"} {
		all = append(all, withKey[json.Number](key, "1", "2.5", "42", "-3", "1000", "0")...)
	}
	return all
}

func entryBools(_, _ string, _ []domain.Observation) []arguments {
	var all []arguments
	for _, key := range []string{"ok", "attempt", "plan", "missing"} {
		all = append(all, withKey(key, true, false)...)
	}
	return all
}
