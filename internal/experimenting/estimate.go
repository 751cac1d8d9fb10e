package experimenting

import (
	"iter"
	"time"

	"almanac/internal/domain"
	"almanac/internal/ingest/pricing"
	"almanac/internal/llm"
)

const (
	// bytesPerToken is how many bytes of a text are guessed to be a token.
	bytesPerToken = 4
	// tokensOfMessage is what a message takes besides its text.
	tokensOfMessage = 4
	// guessedAnswer is the guessed length, in tokens, of an answer to an item without an expected output.
	guessedAnswer = 250
	// maxProblems is how many different problems an estimate names.
	maxProblems = 20
)

// Estimate is what an experiment will probably take with one model.
type Estimate struct {
	Items, Calls              int64
	InputTokens, OutputTokens int64
	// Cost is in US dollars; it is not set if the price list does not have the model.
	Cost domain.OptFloat
	// Problems are why calls for items will fail without asking the model.
	Problems []Problem
}

// Problem is a problem of items.
type Problem struct {
	Message string
	Items   int64
	ItemID  string // of the first one
}

// Estimator adds up what the calls for items take.
type Estimator struct {
	Plan   *Plan
	Prices *pricing.List
	Models []string
}

// Estimate returns an estimate for each model.
func (e *Estimator) Estimate(items iter.Seq2[*domain.DatasetItem, error]) ([]Estimate, error) {
	estimates := make([]Estimate, len(e.Models))
	var common Estimate
	costs, now := make([]domain.OptFloat, len(e.Models)), time.Now()
	for n := range costs {
		costs[n].Set = true
	}
	repetitions := int64(e.Plan.Repetitions)
	for item, err := range items {
		if err != nil {
			return nil, err
		}
		common.Items++
		common.Calls += repetitions
		messages, err := e.Plan.fill(item)
		if err != nil {
			common.note(err.Error(), item.ID)
			continue
		}
		input, output := e.tokens(messages, item)
		common.InputTokens += repetitions * input
		common.OutputTokens += repetitions * output
		for n, model := range e.Models {
			row := llm.Priced(e.Prices, model, map[string]int64{"input": input, "output": output}, now)
			costs[n].Set = costs[n].Set && row.TotalCost.Set
			costs[n].Value += float64(repetitions) * row.TotalCost.Value
		}
	}
	for n := range estimates {
		estimates[n] = common
		if costs[n].Set {
			estimates[n].Cost = costs[n]
		}
	}
	return estimates, nil
}

// tokens returns the guessed tokens of a call.
func (e *Estimator) tokens(messages []llm.Message, item *domain.DatasetItem) (input, output int64) {
	for _, m := range messages {
		input += tokensOfMessage + tokensIn(len(m.Parts[0].Text))
	}
	output = guessedAnswer
	if item.ExpectedOutput != nil {
		output = tokensIn(len(plainText(item.ExpectedOutput)))
	}
	if most := e.Plan.Params.MaxTokens; most != nil {
		output = min(output, int64(*most))
	}
	return input, output
}

func tokensIn(bytes int) int64 { return int64(bytes+bytesPerToken-1) / bytesPerToken }

// note counts a problem of an item.
func (e *Estimate) note(message, itemID string) {
	for n := range e.Problems {
		if e.Problems[n].Message == message {
			e.Problems[n].Items++
			return
		}
	}
	if len(e.Problems) < maxProblems {
		e.Problems = append(e.Problems, Problem{message, 1, itemID})
	}
}
