package semconv

import "almanac/internal/otlp"

// MLflow.

func mlflowIO(m *Mapper, a *attrs, _ []otlp.Event) (ioPair, bool) {
	return m.either(truthy, a.at(keyMLflowInputs), a.at(keyMLflowOutputs))
}
