package redact

import (
	"math/rand/v2"
	"strings"
	"testing"
)

// TestStreamInPieces cuts texts with secrets everywhere: at most three bytes of a secret, too few to be of use, may pass
// before it is recognized.
func TestStreamInPieces(t *testing.T) {
	const secret = "sk-0123456789abcd"
	secrets := New(secret, "other-secret-value")
	texts := []string{
		"the key is " + secret + ", keep it", secret + secret, "sk-sk-sk-" + secret, "nothing here but sk-0123 and sk-", secret, "",
		"other-secret-valu and other-secret-value and " + secret[:9] + secret,
	}
	random := rand.New(rand.NewPCG(1, 2))
	for _, text := range texts {
		for range 300 {
			stream, pieces := secrets.Stream(), new(strings.Builder)
			for left := text; left != ""; {
				n := 1 + random.IntN(min(len(left), 20))
				pieces.WriteString(stream.Add(left[:n]))
				left = left[n:]
			}
			pieces.WriteString(stream.End())
			shown := pieces.String()
			for n := range len(secret) - shortest {
				if part := secret[n:]; strings.Contains(shown, part) && !strings.Contains("the end of "+strings.ReplaceAll(text, secret, ""), part) {
					t.Fatalf("%q shows %q", shown, part)
				}
			}
			if clean := secrets.FromStart(text); strings.Count(clean, mark) != strings.Count(shown, mark) {
				t.Fatalf("%q is shown as %q, want as many marks as in %q", text, shown, clean)
			}
		}
	}
}

// TestStreamWithoutSecrets: what holds no secret arrives complete, and nothing is held back that cannot be one.
func TestStreamWithoutSecrets(t *testing.T) {
	stream := New("sk-0123456789abcd").Stream()
	if got := stream.Add("Hello s") + stream.Add("k"); got != "Hello sk" {
		t.Errorf("got %q", got)
	}
	if got := stream.Add("-0123"); got != "-0123" && got != "" {
		t.Errorf("got %q", got)
	}
	if got := stream.Add(" is no secret") + stream.End(); !strings.HasSuffix(got, " is no secret") {
		t.Errorf("got %q", got)
	}
	if got := Secrets(nil).Stream().Add("sk-0123456789abcd"); got != "sk-0123456789abcd" {
		t.Errorf("without secrets: %q", got)
	}
}
