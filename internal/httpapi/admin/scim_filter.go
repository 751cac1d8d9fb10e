package admin

import (
	"encoding/json"
	"strings"
)

// parseSCIMFilter parses the only supported filter, userName eq "x", and returns x. Names and operators are
// case-insensitive, as RFC 7644 says; the value is a JSON string.
func parseSCIMFilter(filter string) (userName string, ok bool) {
	attribute, rest, _ := strings.Cut(strings.TrimSpace(filter), " ")
	operator, value, _ := strings.Cut(strings.TrimSpace(rest), " ")
	if !strings.EqualFold(attribute, "userName") || !strings.EqualFold(operator, "eq") {
		return "", false
	}
	value = strings.TrimSpace(value)
	if !strings.HasPrefix(value, `"`) || json.Unmarshal([]byte(value), &userName) != nil {
		return "", false
	}
	return userName, true
}
