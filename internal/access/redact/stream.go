package redact

import "strings"

// Stream removes secrets from a text that arrives in pieces, wherever it is cut.
type Stream struct {
	secrets Secrets
	passed  string // the end of what was returned: shorter than anything that would have been held back
	held    string // may be the beginning of a secret
}

// Stream returns a stream without the secrets.
func (s Secrets) Stream() *Stream { return &Stream{secrets: s} }

// Add adds a piece and returns what can be shown. It holds back an end that may be the beginning of a secret.
func (s *Stream) Add(piece string) string {
	if len(s.secrets) == 0 {
		return piece
	}
	text := s.passed + s.held + piece
	shown, tail, rest := s.shown(text, len(s.passed))
	hold := min(s.beginning(tail), len(rest))
	s.held = rest[len(rest)-hold:]
	shown += rest[:len(rest)-hold]
	s.passed += shown
	s.passed = s.passed[max(0, len(s.passed)-shortest+1):]
	return shown
}

// End returns what was held back.
func (s *Stream) End() string {
	rest := s.secrets.FromStart(s.held)
	s.held, s.passed = "", ""
	return rest
}

// shown returns the text up to the end of the last secret in it, without the bytes to skip and the secrets; what follows,
// and the same without the bytes to skip.
func (s *Stream) shown(text string, skip int) (shown, tail, rest string) {
	var b strings.Builder
	at := 0
	for {
		first, length := -1, 0
		for _, secret := range s.secrets { // the longest first
			if len(secret) > len(text)-at {
				continue
			}
			if n := strings.Index(text[at:], secret); n >= 0 && (first < 0 || n < first) {
				first, length = n, len(secret)
			}
		}
		if first < 0 {
			break
		}
		b.WriteString(text[max(at, skip):max(at+first, at, skip)])
		b.WriteString(mark)
		at += first + length
	}
	return b.String(), text[at:], text[max(at, skip):]
}

// beginning returns the length of the end of a text that may be the beginning of a secret.
func (s *Stream) beginning(text string) int {
	longest := 0
	for _, secret := range s.secrets {
		for n := min(len(secret)-1, len(text)); n >= max(shortest, longest+1); n-- {
			if strings.HasSuffix(text, secret[:n]) {
				longest = n
				break
			}
		}
	}
	return longest
}
