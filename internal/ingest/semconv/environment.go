package semconv

import "almanac/internal/domain"

// environment returns the environment of the span or its resource, from the first of three attributes that is set.
func (m *Mapper) environment() string {
	for _, k := range [...]key{keyEnvironment, keyDeploymentEnvironmentName, keyDeploymentEnvironment} {
		if v := m.span.at(k); truthy(v) {
			return domain.NormalEnvironment(textOf(v))
		}
		if v := m.resource.at(k); truthy(v) {
			return domain.NormalEnvironment(textOf(v))
		}
	}
	return domain.DefaultEnvironment
}
