package tokens

import "encoding/json"

// Method describes how to count the tokens of a model. The zero value is unknown.
type Method struct {
	known      bool
	encoding   encoding
	chat       bool // lists of messages are counted message by message
	perMessage int
	perName    int
}

// Known reports whether tokens can be counted at all.
func (m Method) Known() bool { return m.known }

// MethodOf reads the tokenizer of a model definition. The method is unknown for tokenizers other than "openai" (that of
// the first Claude models is not available), for models without a known encoding, and for an invalid configuration.
func MethodOf(tokenizerID string, config json.RawMessage) Method {
	if tokenizerID != "openai" || config == nil {
		return Method{}
	}
	var c struct {
		Model      string `json:"tokenizerModel"`
		PerMessage int    `json:"tokensPerMessage"`
		PerName    int    `json:"tokensPerName"`
	}
	if err := json.Unmarshal(config, &c); err != nil {
		return Method{}
	}
	e, ok := encodingOf(c.Model)
	if !ok {
		return Method{}
	}
	return Method{known: true, encoding: e, chat: isChat(c.Model), perMessage: c.PerMessage, perName: c.PerName}
}

// isChat reports whether the model takes messages rather than text.
func isChat(model string) bool {
	switch model {
	case "gpt-4", "gpt-4-0314", "gpt-4-0613", "gpt-4-32k", "gpt-4-32k-0314", "gpt-4-32k-0613",
		"gpt-4-1106-preview", "gpt-4-vision-preview", "gpt-4o", "gpt-4o-2024-05-13",
		"gpt-3.5-turbo", "gpt-35-turbo", "gpt-3.5-turbo-0301", "gpt-3.5-turbo-0613", "gpt-3.5-turbo-1106",
		"gpt-3.5-turbo-16k", "gpt-3.5-turbo-16k-0613":
		return true
	}
	return false
}
