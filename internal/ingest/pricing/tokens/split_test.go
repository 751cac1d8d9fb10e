package tokens

import (
	"strings"
	"testing"

	"github.com/dlclark/regexp2/v2"
	"github.com/google/go-cmp/cmp"
)

// expressions are the definitions of the encodings. They are wrapped in a group, since the library has compiled code
// for the plain expressions, which handles blank lines incorrectly.
var expressions = map[encoding]string{
	r50kBase: `(?:'s|'t|'re|'ve|'m|'ll|'d| ?\p{L}+| ?\p{N}+| ?[^\s\p{L}\p{N}]+|\s+(?!\S)|\s+)`,
	cl100kBase: `(?:(?i:'s|'t|'re|'ve|'m|'ll|'d)|[^\r\n\p{L}\p{N}]?\p{L}+|\p{N}{1,3}|` +
		` ?[^\s\p{L}\p{N}]+[\r\n]*|\s*[\r\n]+|\s+(?!\S)|\s+)`,
	o200kBase: `(?:[^\r\n\p{L}\p{N}]?[\p{Lu}\p{Lt}\p{Lm}\p{Lo}\p{M}]*[\p{Ll}\p{Lm}\p{Lo}\p{M}]+(?i:'s|'t|'re|'ve|'m|'ll|'d)?|` +
		`[^\r\n\p{L}\p{N}]?[\p{Lu}\p{Lt}\p{Lm}\p{Lo}\p{M}]+[\p{Ll}\p{Lm}\p{Lo}\p{M}]*(?i:'s|'t|'re|'ve|'m|'ll|'d)?|` +
		`\p{N}{1,3}| ?[^\s\p{L}\p{N}]+[\r\n/]*|\s*[\r\n]+|\s+(?!\S)|\s+)`,
}

// splitTexts contain every alternative of every expression, and their boundaries.
var splitTexts = []string{
	"a", " a", "  a", "   a", "\ta", "\n a", "a ", "a  ", " ", "\n", "\u3000x", "\u00a0\u00a0x",
	"The quick brown fox, 12345 of them: jumps!", "don't I'LL we've They'RE it'ſ 'sure '", "'s't're've'm'll'd", "x'S", "'T",
	"1234567", " 1234", "½²3", "a1b2", "...\n\n/x", " !?\r\n", "http://example.com/a//b?c=1&d=%20",
	"\n \n \n x", "\n\n  \n\tx", "a\n \n\n  b", "\r\n\r\n  x", "  \n", "}\n    \n    return", "x \n", " \r ",
	"HTTPServer XMLHttpRequest iPhone ABC abc ABCdef AbcDEF", "ÄÖÜäöü Ǆx ʰA", "日本語Aテスト", "日A!", "A日B日C", "한국어 텍스트",
	"e\u0301a", "\u0301A", "\u0301\u0301", "!\u0301A", " \u0301A", "\u0301'll", "A\u0301B", "\u0301 \u0301",
	"\U0001F600\U0001F601 x", "مرحبا", "नमस्ते", "a\xffb\xfe", "\xff", "func main() {\n\tfmt.Println(\"hi\")\n}\n",
	`{"role":"user","content":"Hello,\nworld"}`, "<|endoftext|>",
}

func TestPiecesAreThoseOfTheExpressions(t *testing.T) {
	for e, expression := range expressions {
		compiled := regexp2.MustCompile(expression, regexp2.None)
		for _, text := range splitTexts {
			text = strings.ToValidUTF8(text, "\uFFFD")
			if diff := cmp.Diff(piecesByExpression(t, compiled, text), piecesOf(e, text)); diff != "" {
				t.Errorf("encoding %d, pieces of %q (-want +got):\n%s", e, text, diff)
			}
		}
	}
}

// FuzzPieces compares with the expressions, and checks that nothing of invalid UTF-8 is lost.
func FuzzPieces(f *testing.F) {
	for _, text := range splitTexts {
		f.Add(text)
	}
	compiled := map[encoding]*regexp2.Regexp{}
	for e, expression := range expressions {
		compiled[e] = regexp2.MustCompile(expression, regexp2.None)
	}
	f.Fuzz(func(t *testing.T, text string) {
		if len(text) > 2000 {
			return
		}
		for e, expression := range compiled {
			if got := strings.Join(piecesOf(e, text), ""); got != text {
				t.Errorf("encoding %d: the pieces of %q are together %q", e, text, got)
			}
			valid := strings.ToValidUTF8(text, "\uFFFD")
			if diff := cmp.Diff(piecesByExpression(t, expression, valid), piecesOf(e, valid)); diff != "" {
				t.Errorf("encoding %d, pieces of %q (-want +got):\n%s", e, valid, diff)
			}
		}
	})
}

func piecesOf(e encoding, text string) []string {
	var pieces []string
	for text != "" {
		n := e.nextPiece(text)
		pieces = append(pieces, text[:n])
		text = text[n:]
	}
	return pieces
}

func piecesByExpression(t *testing.T, expression *regexp2.Regexp, text string) []string {
	t.Helper()
	var pieces []string
	match, err := expression.FindStringMatch(text)
	for match != nil {
		pieces = append(pieces, match.String())
		match, err = expression.FindNextMatch(match)
	}
	if err != nil {
		t.Fatal(err)
	}
	return pieces
}
