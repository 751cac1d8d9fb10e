package jsonschema

import "testing"

const (
	typicalSchema = `{
		"type": "object",
		"properties": {
			"question": {"type": "string", "minLength": 1, "maxLength": 2000},
			"language": {"enum": ["en", "de", "fr"]},
			"messages": {
				"type": "array",
				"items": {
					"type": "object",
					"properties": {"role": {"enum": ["system", "user", "assistant"]}, "content": {"type": ["string", "null"]}},
					"required": ["role", "content"],
					"additionalProperties": false
				}
			},
			"score": {"type": "number", "minimum": 0, "maximum": 1}
		},
		"required": ["question", "messages"]
	}`
	typicalValue = `{"question": "What is the capital of France?", "language": "en", "messages": [
		{"role": "system", "content": "You are a helpful assistant that answers in one word."},
		{"role": "user", "content": "What is the capital of France?"},
		{"role": "assistant", "content": "Paris"}], "score": 0.93}`
)

func BenchmarkCompile(b *testing.B) {
	b.SetBytes(int64(len(typicalSchema)))
	for b.Loop() {
		if _, err := Compile([]byte(typicalSchema)); err != nil {
			b.Fatal(err)
		}
	}
}

func BenchmarkValidate(b *testing.B) {
	s := compiled(b, typicalSchema)
	value := []byte(typicalValue)
	b.SetBytes(int64(len(value)))
	for b.Loop() {
		if found := s.Validate(value); found != nil {
			b.Fatal(found)
		}
	}
}
