package demo

import (
	"embed"
	"encoding/json"
	"fmt"
	"time"

	"go.yaml.in/yaml/v3"
)

//go:embed texts
var textFiles embed.FS

// texts are all texts by people and models, from the files in the directory of that name.
type texts struct {
	shop struct {
		Products, Clothes, Packs, Bags []string
		Names, Cities                  []string
	}
	support struct {
		Prompt    string
		Additions string // appended to the prompt in the new version
		Uses      map[string]step
		Closing   *turn // ends a conversation
		Scenarios []*scenario
	}
	tools    json.RawMessage // tool definitions for the model
	handbook struct {
		Prompt, Judge string
		Documents     map[string]document
		Questions     []*question
	}
	reviews struct {
		Prompt             string
		Reviews, Summaries []string
		Praise, Blame      []string
	}
}

// scenario is the subject of a conversation. Its texts contain placeholders for facts in braces.
type scenario struct {
	Topic            string
	Language, Locale string
	Turns            []*turn
}

// turn is a question, the lookups it needs, and alternative answers.
type turn struct {
	Says     []string
	Uses     []string // names of steps
	Answers  []string
	Hostile  bool // the customer attempts a prompt injection
	Handover bool // a person takes over
}

// step is the use of a tool. Arguments and result are JSON.
type step struct {
	Tool              string
	Takes             time.Duration
	Arguments, Result string
}

// document is a page of the handbook.
type document struct{ Title, Text string }

// question is a question of an employee, in several wordings, with the result of the search.
type question struct {
	Asked    []string
	Passages []string // ids of documents, the best first
	Answer   string
}

// readTexts reads the embedded files, which are verified by a test.
func readTexts() *texts {
	t := new(texts)
	for name, into := range map[string]any{"shop": &t.shop, "support": &t.support, "handbook": &t.handbook, "reviews": &t.reviews} {
		file, err := textFiles.ReadFile("texts/" + name + ".yaml")
		if err == nil {
			err = yaml.Unmarshal(file, into)
		}
		if err != nil {
			panic(fmt.Sprintf("BUG: the embedded texts of %s cannot be read: %v", name, err))
		}
	}
	var err error
	if t.tools, err = textFiles.ReadFile("texts/tools.json"); err != nil {
		panic(fmt.Sprintf("BUG: the embedded tools cannot be read: %v", err))
	}
	return t
}
