package semconv

import "almanac/internal/domain"

// environment is that of the span or of its resource, by the first name of three that is used.
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
