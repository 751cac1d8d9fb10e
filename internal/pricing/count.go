package pricing

import "almanac/internal/domain"

// count returns how many tokens the row's texts have, if that can be found out. A row of which one text cannot be
// counted gets no usage at all, since a cost of one half would look like that of the whole.
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
