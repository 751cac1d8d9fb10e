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

// texts is everything that people and models say, from the files in the directory of that name.
type texts struct {
	shop struct {
		Products, Clothes, Packs, Bags []string
		Names, Cities                  []string
	}
	support struct {
		Prompt    string
		Additions string // to the prompt of the new version
		Uses      map[string]step
		Closing   *turn // ends a conversation
		Scenarios []*scenario
	}
	tools    json.RawMessage // what the model is told about the tools
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

// scenario is what a conversation is about. Texts hold names in braces for which facts are put.
type scenario struct {
	Topic            string
	Language, Locale string
	Turns            []*turn
}

// turn is a question, what has to be looked up, and answers of which one is given.
type turn struct {
	Says     []string
	Uses     []string // names of steps
	Answers  []string
	Hostile  bool // the customer tries to make the agent do what it must not do
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

// question is what a colleague wants to know, in several wordings, and what the search makes of it.
type question struct {
	Asked    []string
	Passages []string // ids of documents, the best first
	Answer   string
}

// readTexts reads the files, which a test has read before.
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
