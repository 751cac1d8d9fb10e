package domain

import (
	"cmp"
	"strings"
)

// DefaultEnvironment is the environment of data that does not name one.
const DefaultEnvironment = "default"

const (
	reservedEnvironment = "langfuse"
	longestEnvironment  = 40
)

// NormalEnvironment converts a name to a valid environment name: lower case, not reserved, not too long.
func NormalEnvironment(name string) string {
	name = strings.ToLower(name)
	for strings.HasPrefix(name, reservedEnvironment) {
		name = name[len(reservedEnvironment):]
		if name != "" && (name[0] == '-' || name[0] == '_') {
			name = name[1:]
		}
	}
	for i := range len(name) {
		if i == longestEnvironment {
			return name[:i]
		}
		if c := name[i]; (c < 'a' || c > 'z') && (c < '0' || c > '9') && c != '-' && c != '_' {
			return DefaultEnvironment
		}
	}
	return cmp.Or(name, DefaultEnvironment)
}
