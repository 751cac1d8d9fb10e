package pricing

import "almanac/internal/domain"

// count returns the token counts of the row's input and output, if they can be determined. If one of them cannot be
// counted, there is no usage at all, since a partial cost would look like the full cost.
func (l *List) count(m *model, row *domain.Observation) []domain.UsageEntry {
	if !l.Tokenize || !m.tokenizer.Known() {
		return nil
	}
	var usage []domain.UsageEntry
	for _, part := range [...]struct{ kind, text string }{{"input", row.Input}, {"output", row.Output}} {
		if part.text == "" {
			continue
		}
		n, ok := l.counter.Count(m.tokenizer, part.text)
		if !ok {
			return nil
		}
		usage = append(usage, domain.UsageEntry{Kind: part.kind, Units: int64(n)})
	}
	return usage
}
