package sdk

import (
	"time"

	"almanac/internal/domain"
)

// Ids of definitions in the built-in price list.
const (
	gpt4o               = "pp3a3kl3ewy6l3marw3uprsbxx"
	gpt4oAugust         = "rz6r6t6e4zbjjisnv74np44upo"
	gpt4oMini           = "vcbfkh77dqa6hkvvcy4ck47awe"
	gpt4oMiniJuly       = "yi6b4zkcmcg3yo7hliluanmbxb"
	textEmbedding3Small = "pcposl6gigjpw3bxfaxy5npbkj"
)

// priced sets the definition that the model of a row was matched with, and that its default prices apply.
func priced(definition string, row domain.Observation) domain.Observation {
	row.ModelID, row.PricingTierID, row.PricingTierName = definition, definition+"_tier_default", "Standard"
	return row
}

// openAIUsage sets usage in OpenAI's terms: of 100 input tokens 40 were cached, of 20 output tokens 5 were spent on
// reasoning.
func openAIUsage(row domain.Observation) domain.Observation {
	row.Type, row.Model = "GENERATION", "gpt-4o-2024-08-06"
	row.ProvidedUsage = `{"input":60,"output":15,"total":120,"input_cached_tokens":40,"input_audio_tokens":0,"output_reasoning_tokens":5}`
	row.Usage = row.ProvidedUsage
	row.InputTokens, row.OutputTokens, row.TotalTokens = 100, 20, domain.IntOf(120)
	row.Cost = `{"input":0.00015,"output":0.00015,"input_cached_tokens":0.00005,"total":0.00035}`
	row.InputCost, row.OutputCost, row.TotalCost = 0.0002, 0.00015, domain.FloatOf(0.00035)
	return priced(gpt4oAugust, row)
}

// miniUsage sets a small model, its usage and its cost.
func miniUsage(row domain.Observation) domain.Observation {
	row.Model = "gpt-4o-mini"
	row.ProvidedUsage, row.Usage = `{"input":10,"output":20}`, `{"input":10,"output":20,"total":30}`
	row.InputTokens, row.OutputTokens, row.TotalTokens = 10, 20, domain.IntOf(30)
	row.Cost = `{"input":0.0000015,"output":0.000012,"total":0.0000135}`
	row.InputCost, row.OutputCost, row.TotalCost = 0.0000015, 0.000012, domain.FloatOf(0.0000135)
	return priced(gpt4oMini, row)
}

// politeGeneration returns what both clients send as "generation", except input and output.
func politeGeneration(input, output string) domain.Observation {
	return priced(gpt4o, domain.Observation{
		ParentID: "root", Type: "GENERATION", Input: input, Output: output, Model: "gpt-4o",
		ModelParameters:     `{"temperature":0.2,"max_tokens":1000,"stream":"true","stop":"[\"a\",\"b\"]","user":"u"}`,
		CompletionStartTime: domain.MicrosOf(time.Date(2026, 1, 2, 3, 4, 5, 678_000_000, time.UTC)),
		PromptName:          "answer-politely", PromptVersion: domain.IntOf(3),
		ProvidedUsage: `{"input":1000,"output":500,"total":1500}`, Usage: `{"input":1000,"output":500,"total":1500}`,
		InputTokens: 1000, OutputTokens: 500, TotalTokens: domain.IntOf(1500),
		Cost:      `{"input":0.0025,"output":0.005,"total":0.0075}`,
		InputCost: 0.0025, OutputCost: 0.005, TotalCost: domain.FloatOf(0.0075),
	})
}

// givenCost returns what both clients send as "cost given": the cost given by the client takes precedence over the
// price list.
func givenCost() domain.Observation {
	return priced(gpt4o, domain.Observation{
		Type: "GENERATION", Model: "gpt-4o",
		ProvidedUsage: `{"input":51,"output":0,"total":100}`, Usage: `{"input":51,"output":0,"total":100}`,
		InputTokens: 51, TotalTokens: domain.IntOf(100),
		ProvidedCost: `{"input":111,"output":222,"total":444}`, Cost: `{"input":111,"output":222,"total":444}`,
		InputCost: 111, OutputCost: 222, TotalCost: domain.FloatOf(444),
	})
}
