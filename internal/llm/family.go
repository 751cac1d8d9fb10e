package llm

import (
	"regexp"
	"strings"
)

// family is what is known about models by their names. Such tables age, so an unknown name has the rules of the newest,
// and what a model refuses in its answer is learned.
type family struct {
	completionTokens bool // OpenAI's newer limit, max_completion_tokens
	developer        bool // the system speaks as developer
	refused          []string
	maxTokens        int  // of the answer, if the request has no limit but needs one; 0 if it needs none
	adaptive         bool // Claude decides itself how long it thinks
	levels           bool // Gemini thinks at a level and has no budget
	noSystem         bool // Gemma has no system
	noTemperature    bool
}

// openAIFamily returns what is known about a model of OpenAI.
func openAIFamily(model string) family {
	sampling := []string{
		"temperature", "top_p", "frequency_penalty", "presence_penalty", "logprobs", "top_logprobs", "logit_bias", "stop",
	}
	switch {
	case hasPrefix(model, "gpt-5") && !hasPrefix(model, "gpt-5-chat"), hasPrefix(model, "o1", "o3", "o4-mini"):
		if hasPrefix(model, "gpt-5.") { // sampling is possible without reasoning, so that the answer says what is not
			return family{completionTokens: true, developer: true}
		}
		return family{completionTokens: true, developer: true, refused: sampling}
	case hasPrefix(model, "gpt-4o-search-preview", "gpt-4o-mini-search-preview"):
		return family{refused: []string{"temperature"}}
	case hasPrefix(model, "gpt-4", "gpt-3.5", "chatgpt"):
		return family{}
	}
	return family{completionTokens: hasPrefix(model, "gpt-")}
}

var claudeVersion = regexp.MustCompile(`claude-(?:[a-z]+-)?(\d+)(?:[-.](\d{1,2}))?(?:[^\d]|$)`)

// claudeFamily returns what is known about a Claude model, wherever it runs.
func claudeFamily(model string) family {
	f := family{maxTokens: 16384, adaptive: true}
	parts := claudeVersion.FindStringSubmatch(model)
	if parts == nil {
		return f
	}
	version := parts[1] + "." + firstOf(parts[2], "0")
	switch {
	case strings.HasPrefix(version, "2."), strings.HasPrefix(version, "3."):
		f.adaptive, f.maxTokens = false, 4096
		if version == "3.5" || version == "3.7" {
			f.maxTokens = 8192
		}
	case version == "4.0", version == "4.1", version == "4.5":
		f.adaptive = false
	case version == "4.6":
	default: // 4.7, 4.8, 5 and what comes
		f.noTemperature = true
	}
	return f
}

// followsSchemas reports whether a Claude model is known to follow schemas of its own accord.
func followsSchemas(model string) bool {
	parts := claudeVersion.FindStringSubmatch(model)
	if parts == nil {
		return true
	}
	version := parts[1] + "." + firstOf(parts[2], "0")
	return !strings.HasPrefix(version, "2.") && !strings.HasPrefix(version, "3.") && version != "4.0" &&
		(version != "4.1" || strings.Contains(model, "opus"))
}

// geminiFamily returns what is known about a model of Google.
func geminiFamily(model string) family {
	switch {
	case hasPrefix(model, "gemma"):
		return family{noSystem: true}
	case hasPrefix(model, "gemini-1", "gemini-2"):
		return family{}
	}
	return family{levels: true}
}
