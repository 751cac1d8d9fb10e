package analytics

import (
	"strconv"
	"strings"

	"almanac/internal/jsontext"
)

// entry is a member of an object of numbers: a kind of usage or cost, and its amount.
type entry struct {
	kind   string
	amount float64
}

// entriesOf returns the members of a JSON object of numbers, or nil if text is not one.
func entriesOf(text string) []entry {
	var list []entry
	members := jsontext.CheckedMembersOf(text)
	for members.Next() {
		if !jsontext.StartsNumber(members.Value[0]) {
			return nil
		}
		if amount, err := strconv.ParseFloat(members.Value, 64); err == nil {
			list = append(list, entry{strings.ToValidUTF8(members.Key(), "\uFFFD"), amount})
		}
	}
	if !members.Whole {
		return nil
	}
	return list
}
