package prompts

import (
	"regexp"
	"slices"
	"strconv"
	"strings"

	"almanac/internal/decode"
	"almanac/internal/domain"
	"almanac/internal/httpapi/endpoint"
	"almanac/internal/httpapi/respond"
	"almanac/internal/query/prompts"
)

// MaxPromptBody is the maximum size of a request with a new version, in bytes.
const MaxPromptBody = 4 << 20

// The limits of prompts. Names have the same limits as those of datasets.
const (
	maxPromptLabel         = 36  // characters in a label of a new version
	maxGivenLabel          = 255 // characters in a label added to an existing version
	maxPromptTags          = 100
	maxPromptTag           = 255
	maxPromptLabels        = 100
	maxCommitMessage       = 500
	maxPlaceholder         = 255
	createdWithKey         = "API"
	placeholderMessageType = "placeholder"
)

var (
	promptLabel     = regexp.MustCompile(`^[a-z0-9_\-.]+$`)
	placeholderName = regexp.MustCompile(`^[a-zA-Z][a-zA-Z0-9_]*$`)
	promptVariable  = regexp.MustCompile(`\{\{(\p{L}[\p{L}\p{N}_]*)\}\}`)
)

// readNewPrompt reads a new version of a text or chat prompt.
func readNewPrompt(body decode.Value) (domain.Prompt, error) {
	p := decode.Union(body, readTextPrompt, readChatPrompt)
	return withReferences(p, body.Err())
}

// withReferences adds the references to other prompts in the content, unless reading it failed with err.
func withReferences(p domain.Prompt, err error) (domain.Prompt, error) {
	if err != nil {
		return p, err
	}
	p.References = prompts.References(p)
	if len(p.References) > prompts.MaxReferences {
		return p, respond.InvalidRequest("A prompt can name at most " + strconv.Itoa(prompts.MaxReferences) + " other prompts")
	}
	return p, nil
}

func readTextPrompt(v decode.Value) domain.Prompt {
	b := v.Object()
	p := domain.Prompt{Type: domain.PromptText}
	readPromptHead(b, &p)
	decode.Nullish(b.Field("type"), func(v decode.Value) string { return v.Enum(domain.PromptText) })
	p.Text = b.Field("prompt").Text()
	readPromptRest(b, &p)
	return p
}

func readChatPrompt(v decode.Value) domain.Prompt {
	b := v.Object()
	p := domain.Prompt{Type: domain.PromptChat, Messages: []domain.PromptMessage{}}
	readPromptHead(b, &p)
	b.Field("type").Enum(domain.PromptChat)
	content := b.Field("prompt")
	for _, message := range content.Array() {
		p.Messages = append(p.Messages, decode.Union(message, readMessage, readPlaceholder))
	}
	if name, twice := usedTwice(p.Messages); twice {
		content.Reject(decode.Violation(content.Path(), "The name "+name+" is used both as a variable and as a placeholder"))
	}
	readPromptRest(b, &p)
	return p
}

func readPromptHead(b *decode.Object, p *domain.Prompt) {
	p.Name = readPromptName(b.Field("name"))
	decode.Set(&p.Labels, decode.Nullish(b.Field("labels"), readPromptLabels))
}

func readPromptRest(b *decode.Object, p *domain.Prompt) {
	p.CreatedBy = createdWithKey
	if p.Config = endpoint.ReadJSON(b.Field("config")); p.Config == nil {
		p.Config = []byte("{}")
	}
	decode.Set(&p.Tags, decode.Nullish(b.Field("tags"), readPromptTags))
	p.CommitMessage = decode.Nullish(b.Field("commitMessage"), func(v decode.Value) string {
		return endpoint.RejectNUL(v, v.TextLen(0, maxCommitMessage))
	})
}

// reservedPromptNames are the names of pages in the web interface.
var reservedPromptNames = []string{"new", "metrics", "prompt-detail"}

// readPromptName reads a name. Slashes within it denote folders.
func readPromptName(v decode.Value) string {
	name := v.TrimmedLen(1, endpoint.MaxName)
	refuse := func(is bool, message string) {
		if is {
			v.Reject(decode.Violation(v.Path(), message))
		}
	}
	refuse(len(name) > endpoint.MaxNameBytes, "The text has more than 2000 bytes in UTF-8")
	refuse(endpoint.HTMLTag.MatchString(name), "The name contains an HTML tag")
	refuse(strings.Contains(name, "|"), "The name contains the character |")
	refuse(strings.HasPrefix(name, "/") || strings.HasSuffix(name, "/"), "The name begins or ends with a slash")
	refuse(strings.Contains(name, "//"), "The name contains two slashes in a row")
	refuse(slices.Contains(reservedPromptNames, name), "The name "+name+" is reserved")
	// Clients take such a part out of a path: a request about the prompt would become one about the project.
	refuse(name == "." || name == "..", "The name is . or .., which no URL can contain")
	return endpoint.RejectNUL(v, name)
}

func readPromptLabels(v decode.Value) []string {
	return readTexts(v, maxPromptLabels, func(v decode.Value) string {
		label := v.TextLen(1, maxPromptLabel)
		if label != "" && !promptLabel.MatchString(label) {
			v.Reject(decode.NotMatching(v.Path(), "/"+promptLabel.String()+"/",
				"A label consists of lower-case letters, digits, underscores, hyphens and dots"))
		}
		return label
	})
}

func readPromptTags(v decode.Value) []string {
	return readTexts(v, maxPromptTags, func(v decode.Value) string { return endpoint.RejectNUL(v, v.TextLen(0, maxPromptTag)) })
}

// readTexts reads a list of at most maximum strings and removes duplicates. The result is never nil.
func readTexts(v decode.Value, maximum int, read func(decode.Value) string) []string {
	texts := []string{}
	for _, item := range v.ArrayLen(0, maximum) {
		if text := read(item); !slices.Contains(texts, text) {
			texts = append(texts, text)
		}
	}
	return texts
}

// readMessage reads a message. Members other than role and content are dropped.
func readMessage(v decode.Value) domain.PromptMessage {
	b := v.Object()
	return domain.PromptMessage{Role: b.Field("role").Text(), Content: b.Field("content").Text()}
}

func readPlaceholder(v decode.Value) domain.PromptMessage {
	b := v.Object()
	b.Field("type").Enum(placeholderMessageType)
	field := b.Field("name")
	name := field.TextLen(0, maxPlaceholder)
	if field.Kind() == "string" && !placeholderName.MatchString(name) {
		field.Reject(decode.NotMatching(field.Path(), "/"+placeholderName.String()+"/",
			"The name of a placeholder begins with a letter and consists of letters, digits and underscores"))
	}
	return domain.PromptMessage{Placeholder: name}
}

// usedTwice returns a name that is used both as a variable and as a placeholder.
func usedTwice(messages []domain.PromptMessage) (name string, twice bool) {
	placeholders := make(map[string]bool)
	for _, message := range messages {
		if message.Placeholder != "" {
			placeholders[message.Placeholder] = true
		}
	}
	if len(placeholders) == 0 {
		return "", false
	}
	for _, message := range messages {
		for _, found := range promptVariable.FindAllStringSubmatch(message.Content, -1) {
			if placeholders[found[1]] {
				return found[1], true
			}
		}
	}
	return "", false
}

// readNewLabels reads the labels for a version.
func readNewLabels(body decode.Value) ([]string, error) {
	b := body.Object()
	labels := readTexts(b.Field("newLabels"), maxPromptLabels, func(v decode.Value) string {
		label := endpoint.RejectNUL(v, v.TextLen(0, maxGivenLabel))
		if label == domain.LatestLabel {
			v.Reject(decode.Violation(v.Path(), "The label latest always belongs to the newest version and cannot be given"))
		}
		return label
	})
	return labels, b.Err()
}
