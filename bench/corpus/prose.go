package corpus

import (
	"math/rand/v2"
	"strconv"
	"strings"
)

// prose is a long text on one line without quotes and backslashes, so that any piece of it can be put into a JSON
// string.
type prose string

// vocabulary is the number of different words, phrases the number of fixed phrases.
const (
	vocabulary = 30_000
	phrases    = 12_000
)

// newProse writes a text whose word frequencies resemble those of English. Random sequences of words would compress
// worse than language does, so part of it consists of fixed phrases. It includes a few numbers, identifiers and
// accented words, which are hard for word indexes.
func newProse(seed uint64, size int) prose {
	rng := rand.New(rand.NewPCG(seed, 1)) //nolint:gosec // repeatable on purpose
	words := newVocabulary(rng)
	wordRank := rand.NewZipf(rng, 1.08, 2.7, vocabulary-1)
	fixed := make([]string, phrases)
	for i := range fixed {
		parts := make([]string, 2+rng.IntN(4))
		for j := range parts {
			parts[j] = words[wordRank.Uint64()]
		}
		fixed[i] = strings.Join(parts, " ")
	}
	phraseRank := rand.NewZipf(rng, 1.05, 80, phrases-1)

	out := make([]byte, 0, size+256)
	for len(out) < size {
		begin := len(out)
		for n := 3 + rng.IntN(12); n > 0; n-- {
			if len(out) > begin {
				out = append(out, ' ')
			}
			switch dice := rng.IntN(1000); {
			case dice < 250:
				out = append(out, fixed[phraseRank.Uint64()]...)
			case dice < 262:
				out = strconv.AppendInt(out, rng.Int64N(1<<(1+rng.Uint64N(20))), 10)
			case dice < 264:
				out = append(out, "ord_"...)
				out = appendHex(out, rng.Uint64())[:len(out)+8]
			default:
				out = append(out, words[wordRank.Uint64()]...)
				if dice >= 950 {
					out = append(out, ',')
				}
			}
		}
		if c := out[begin]; c >= 'a' && c <= 'z' {
			out[begin] = c - 'a' + 'A'
		}
		out = append(out, '.', ' ')
	}
	return prose(out[:size])
}

// common are the most frequent words of English. Made-up words follow them.
const common = "the of and to a in is that it for was on are as with be at by this have from or had not but what all were " +
	"when we there can an your which their if do will each how them then many some these would other into has more two like " +
	"him see time could no make than first been its who now people my made over did down only way find use may long user " +
	"request please answer data error model value result system order list file using should about because order"

// newVocabulary returns words, the most frequent first, which are also the shortest.
func newVocabulary(rng *rand.Rand) []string {
	onsets := strings.Fields("b c d f g h l m n p r s t v w st tr pr cl gr pl br ch sh th sp str fl")
	vowels := strings.Fields("a e i o u a e i o ea ou ai io")
	codas := strings.Fields("n r s t l d m ng nt st ck nd rs ss ll ment tion er ed ing al ly")
	words := make([]string, 0, vocabulary)
	seen := make(map[string]bool, vocabulary)
	add := func(word string) {
		if !seen[word] {
			seen[word] = true
			words = append(words, word)
		}
	}
	for word := range strings.FieldsSeq(common) {
		add(word)
	}
	pick := func(from []string) string { return from[rng.IntN(len(from))] }
	for len(words) < vocabulary {
		var b strings.Builder
		syllables := 1 + rng.IntN(2)
		if len(words) > 1000 {
			syllables += rng.IntN(3)
		}
		for range syllables {
			b.WriteString(pick(onsets))
			b.WriteString(pick(vowels))
		}
		if rng.IntN(3) > 0 {
			b.WriteString(pick(codas))
		}
		word := b.String()
		if rng.IntN(100) == 0 {
			word = strings.NewReplacer("a", "ä", "e", "é", "o", "ø").Replace(word)
		}
		add(word)
	}
	return words
}

// cut returns about n bytes of whole words from a random place.
func (p prose) cut(rng *rand.Rand, n int) string {
	n = min(n, len(p)/2)
	from := rng.IntN(len(p) - n)
	to := from + n
	for from > 0 && p[from-1] != ' ' {
		from--
	}
	for to > from && p[to] != ' ' {
		to--
	}
	return string(p[from:to])
}

// size returns a random length with the given minimum and average, rarely very long, like texts of users and models.
func size(rng *rand.Rand, least, average int) int {
	n := least + int(rng.ExpFloat64()*float64(average-least))
	return min(n, 12*average)
}
