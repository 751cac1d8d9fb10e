package semconv

import "strings"

const (
	defaultEnvironment = "default"
	reservedPrefix     = "langfuse"
	longestEnvironment = 40
)

// environment is that of the span or of its resource, by the first name of three that is used.
func (m *Mapper) environment() string {
	for _, k := range [...]key{keyEnvironment, keyDeploymentEnvironmentName, keyDeploymentEnvironment} {
		if v := m.span.at(k); truthy(v) {
			return normalEnvironment(textOf(v))
		}
		if v := m.resource.at(k); truthy(v) {
			return normalEnvironment(textOf(v))
		}
	}
	return defaultEnvironment
}

// normalEnvironment returns a name that can be an environment: lower case, not reserved, not too long.
func normalEnvironment(name string) string {
	name = strings.ToLower(name)
	for strings.HasPrefix(name, reservedPrefix) {
		name = name[len(reservedPrefix):]
		if name != "" && (name[0] == '-' || name[0] == '_') {
			name = name[1:]
		}
	}
	for i := range len(name) {
		if i == longestEnvironment {
			return name[:i]
		}
		if c := name[i]; (c < 'a' || c > 'z') && !isDigit(c) && c != '-' && c != '_' {
			return defaultEnvironment
		}
	}
	if name == "" {
		return defaultEnvironment
	}
	return name
}
