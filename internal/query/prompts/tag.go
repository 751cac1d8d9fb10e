package prompts

import (
	"strconv"
	"strings"

	"almanac/internal/domain"
)

// A reference to another prompt is written between these marks, as name=<name>|version=<number> or
// name=<name>|label=<label>.
const (
	tagStart = "@@@langfusePrompt:"
	tagEnd   = "@@@"
)

// eachTag calls f for each tag, with the text before it, the tag itself and its reference. It returns the text after
// the last one. Malformed tags are treated as text.
func eachTag(text string, f func(before, tag string, ref domain.PromptReference)) (rest string) {
	begin, searched := 0, 0
	for {
		at := strings.Index(text[searched:], tagStart)
		if at < 0 {
			return text[begin:]
		}
		at += searched
		length := strings.Index(text[at+len(tagStart):], tagEnd)
		if length < 0 {
			return text[begin:]
		}
		inner := text[at+len(tagStart):][:length]
		searched = at + len(tagStart) + length + len(tagEnd)
		if ref, ok := parseTag(inner); ok {
			f(text[begin:at], text[at:searched], ref)
			begin = searched
		}
	}
}

// maxVersion is the highest version of a prompt.
const maxVersion = 1<<31 - 1

// parseTag parses the text between the marks of a tag.
func parseTag(inner string) (ref domain.PromptReference, ok bool) {
	first, second, two := strings.Cut(inner, "|")
	name, named := strings.CutPrefix(first, "name=")
	if !two || !named || name == "" || strings.Contains(second, "|") {
		return ref, false
	}
	if text, found := strings.CutPrefix(second, "version="); found {
		version, err := strconv.Atoi(text)
		if err != nil || version < 1 || version > maxVersion {
			return ref, false
		}
		return domain.PromptReference{Name: name, Version: version}, true
	}
	label, found := strings.CutPrefix(second, "label=")
	return domain.PromptReference{Name: name, Label: label}, found && label != ""
}

// References returns the references in the content of a prompt, without duplicates, in order of appearance.
func References(p domain.Prompt) []domain.PromptReference {
	var refs []domain.PromptReference
	seen := make(map[domain.PromptReference]bool)
	collect := func(_, _ string, ref domain.PromptReference) {
		if !seen[ref] {
			seen[ref] = true
			refs = append(refs, ref)
		}
	}
	eachTag(p.Text, collect)
	for _, message := range p.Messages {
		eachTag(message.Content, collect)
	}
	return refs
}

// Rewrite returns the content of a prompt with its references replaced by those that rewrite returns.
func Rewrite(p domain.Prompt, rewrite func(domain.PromptReference) domain.PromptReference) domain.Prompt {
	changed := func(content string) string {
		var b strings.Builder
		rest := eachTag(content, func(before, _ string, ref domain.PromptReference) {
			b.WriteString(before)
			b.WriteString(tagOf(rewrite(ref)))
		})
		b.WriteString(rest)
		return b.String()
	}
	p.Text = changed(p.Text)
	messages := p.Messages
	p.Messages = make([]domain.PromptMessage, len(messages))
	for n, message := range messages {
		message.Content = changed(message.Content)
		p.Messages[n] = message
	}
	p.References = References(p)
	return p
}

// tagOf returns the tag of a reference.
func tagOf(ref domain.PromptReference) string {
	if ref.Version != 0 {
		return tagStart + "name=" + ref.Name + "|version=" + strconv.Itoa(ref.Version) + tagEnd
	}
	return tagStart + "name=" + ref.Name + "|label=" + ref.Label + tagEnd
}
