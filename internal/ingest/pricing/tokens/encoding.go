package tokens

import "strings"

// encoding is a tokenization scheme, named as by OpenAI.
type encoding uint8

const (
	r50kBase encoding = iota
	p50kBase
	cl100kBase
	o200kBase

	encodings
)

// encodingOf returns the encoding used by an OpenAI model.
func encodingOf(model string) (encoding, bool) {
	switch model {
	case "gpt-4", "text-embedding-ada-002", "text-embedding-3-small", "text-embedding-3-large", "babbage-002", "davinci-002":
		return cl100kBase, true
	case "text-davinci-002", "text-davinci-003":
		return p50kBase, true
	case "text-davinci-001", "text-curie-001", "text-babbage-001", "text-ada-001", "davinci", "curie", "babbage", "ada":
		return r50kBase, true
	}
	// Longer prefixes come first: gpt-4o is not gpt-4.
	for _, family := range [...]struct {
		prefix   string
		encoding encoding
	}{
		{"gpt-4o", o200kBase},
		{"gpt-4.", o200kBase},
		{"gpt-5", o200kBase},
		{"chatgpt-4o", o200kBase},
		{"o1", o200kBase},
		{"o3", o200kBase},
		{"o4", o200kBase},
		{"gpt-4-", cl100kBase},
		{"gpt-3.5", cl100kBase},
		{"gpt-35", cl100kBase},
	} {
		if strings.HasPrefix(model, family.prefix) {
			return family.encoding, true
		}
	}
	return 0, false
}

// specialTokens returns the strings that are a single token each and never part of another.
func (e encoding) specialTokens() []string {
	switch e {
	case o200kBase:
		return []string{"<|endoftext|>", "<|endofprompt|>"}
	case cl100kBase:
		return []string{"<|endoftext|>", "<|fim_prefix|>", "<|fim_middle|>", "<|fim_suffix|>", "<|endofprompt|>"}
	}
	return []string{"<|endoftext|>"}
}

// files returns the names of the files with the tokens of the encoding, in order of token id.
func (e encoding) files() []string {
	switch e {
	case o200kBase:
		return []string{"o200k"}
	case cl100kBase:
		return []string{"cl100k"}
	case p50kBase:
		return []string{"r50k", "p50k"}
	}
	return []string{"r50k"}
}
