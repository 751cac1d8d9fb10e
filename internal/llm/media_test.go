package llm_test

import (
	"encoding/json"
	"errors"
	"slices"
	"strings"
	"testing"

	"almanac/internal/llm"
	"almanac/internal/llm/llmtest"
)

// TestMedia: images and files arrive at every provider in its form, and what one does not take is said before it is asked.
func TestMedia(t *testing.T) {
	parts := map[string]llm.Part{
		"image": {Kind: llm.ImagePart, URL: "data:image/png;base64,aW1hZ2U="}, // as people paste it
		"pdf":   {Kind: llm.FilePart, MediaType: "application/pdf", Data: []byte("file"), Name: "a b.pdf"},
		"audio": {Kind: llm.AudioPart, MediaType: "audio/wav", Data: []byte("sound")},
		"url":   {Kind: llm.ImagePart, URL: "https://example.org/a.png", MediaType: "image/png"},
	}
	chat := []llmtest.API{llmtest.OpenAI, llmtest.Compatible, llmtest.Azure}
	claude := []llmtest.API{llmtest.Anthropic, llmtest.VertexClaude}
	gemini := []llmtest.API{llmtest.VertexGemini, llmtest.Studio}
	in := func(api llmtest.API, apis []llmtest.API, form string) string {
		if slices.Contains(apis, api) {
			return form
		}
		return ""
	}
	for _, api := range llmtest.APIs() {
		p := llmtest.Start(t, api)
		c := newClient(t, nil)
		bedrock, responses := []llmtest.API{llmtest.Bedrock}, []llmtest.API{llmtest.Responses}
		for name, want := range map[string]string{
			"image": in(api, chat, `"image_url":{"url":"data:image/png;base64,aW1hZ2U="}`) +
				in(api, responses, `"image_url":"data:image/png;base64,aW1hZ2U="`) +
				in(api, claude, `"source":{"data":"aW1hZ2U=","media_type":"image/png","type":"base64"}`) +
				in(api, bedrock, `"image":{"format":"png","source":{"bytes":"aW1hZ2U="}}`) +
				in(api, gemini, `"inlineData":{"data":"aW1hZ2U=","mimeType":"image/png"}`),
			"pdf": in(api, chat, `"file_data":"data:application/pdf;base64,ZmlsZQ==","filename":"a b.pdf"`) +
				in(api, responses, `"file_data":"data:application/pdf;base64,ZmlsZQ==","filename":"a b.pdf"`) +
				in(api, claude, `"source":{"data":"ZmlsZQ==","media_type":"application/pdf","type":"base64"},"type":"document"`) +
				in(api, bedrock, `"document":{"format":"pdf","name":"a-b","source":{"bytes":"ZmlsZQ=="}}`) +
				in(api, gemini, `"inlineData":{"data":"ZmlsZQ==","mimeType":"application/pdf"}`),
			"audio": in(api, chat, `"input_audio":{"data":"c291bmQ=","format":"wav"}`) +
				in(api, bedrock, `"audio":{"format":"wav","source":{"bytes":"c291bmQ="}}`) +
				in(api, gemini, `"inlineData":{"data":"c291bmQ=","mimeType":"audio/wav"}`),
			"url": in(api, chat, `"image_url":{"url":"https://example.org/a.png"}`) + in(api, responses, `"image_url":"https://example.org/a.png"`) +
				in(api, claude, `"source":{"type":"url","url":"https://example.org/a.png"}`) +
				in(api, gemini, `"fileData":{"fileUri":"https://example.org/a.png","mimeType":"image/png"}`),
		} {
			req := ask(p, "What is this?")
			req.Messages[1].Parts = append(req.Messages[1].Parts, parts[name])
			before := len(p.Requests())
			_, err := c.Complete(t.Context(), p.Connection(), req)
			if want == "" {
				failed, ok := errors.AsType[*llm.Error](err)
				if !ok || failed.Kind != llm.Misconfigured || len(p.Requests()) != before || !strings.Contains(failed.Message, "takes no") {
					t.Errorf("%s, %s: %v", api, name, err)
				}
				continue
			}
			if err != nil {
				t.Errorf("%s, %s: %v", api, name, err)
				continue
			}
			sent, err := json.Marshal(p.Requests()[before].Body)
			if err != nil || !strings.Contains(string(sent), want) {
				t.Errorf("%s, %s: sent %s, want %s", api, name, sent, want)
			}
		}
	}
}
