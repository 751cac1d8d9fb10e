package sdk

import (
	"regexp"
	"slices"
	"strings"
	"testing"
	"time"

	"almanac/internal/domain"
)

// frameworksPython is the Python with the libraries in requirements-frameworks.txt.
const frameworksPython = "../../.tools/python-frameworks/bin/python"

// Scope names of the libraries.
const (
	applicationScope   = "the-application"
	openInferenceScope = "openinference.instrumentation.openai"
	openLLMetryScope   = "opentelemetry.instrumentation.openai.v1"
)

var scopeVersions = map[string]string{
	applicationScope: "1.0", openInferenceScope: "0.1.66", openLLMetryScope: "0.62.4", "langfuse-sdk": "5.0.4",
}

// TestFrameworks calls a model through libraries that trace such calls with their own conventions, exported by plain
// OpenTelemetry, and through the integrations of the Python client for LangChain and for OpenAI's library.
func TestFrameworks(t *testing.T) {
	t.Parallel()
	s, environment := startForTraces(t)
	model := modelServer(t)
	began := time.Now()
	output := run(t, append(environment, "MODEL_URL="+model.URL+"/v1"), frameworksPython, "frameworks_send.py")
	rows := storedRows(t, s)

	// Several rows have the same name and differ only by that of their parent.
	names := make(map[sentID]string)
	for i := range rows {
		names[sentID{rows[i].TraceID, rows[i].ID}] = rows[i].Name
	}
	madeUp := regexp.MustCompile(`lc_run--[0-9a-f-]+`)
	for i := range rows {
		row := &rows[i]
		if row.ParentID != "" {
			row.Name = names[sentID{row.TraceID, row.ParentID}] + ": " + row.Name
		}
		row.Metadata = strings.ReplaceAll(row.Metadata, model.URL, "http://model")
		row.Output = madeUp.ReplaceAllString(row.Output, "lc_run")
		slices.Sort(row.Tags) // the callback handler collects them in a set
		if row.Name == "langchain stream: ChatOpenAI" || row.Name == "replaced stream" {
			if first := row.CompletionStartTime; first < row.StartTime || first > row.EndTime {
				t.Errorf("the completion starts at %v, not between %v and %v", first.Time(), row.StartTime.Time(), row.EndTime.Time())
			}
			row.CompletionStartTime = 0
		}
	}
	e := expectation{program: frameworksPython, rows: frameworkRows(), ids: sentIDs(t, output), began: began, own: make(map[string]string)}
	for name, row := range e.rows {
		e.own[name] = sharedMetadata(row)
	}
	e.check(t, rows)
}

// sharedMetadata returns the metadata that describes the resource and scope of a row.
func sharedMetadata(row domain.Observation) string {
	text := `{"resourceAttributes.telemetry.sdk.language":"python","resourceAttributes.telemetry.sdk.name":"opentelemetry",` +
		`"resourceAttributes.telemetry.sdk.version":"1.45.2","resourceAttributes.service.instance.id":"here",` +
		`"resourceAttributes.service.version":"9.9","resourceAttributes.service.name":"` + row.ServiceName + `",` +
		`"scope.name":"` + row.ScopeName + `","scope.version":"` + row.ScopeVersion + `"`
	if row.ScopeName == "langfuse-sdk" {
		return text + `,"scope.attributes.public_key":"` + tracingKey + `"}`
	}
	return text + `,"resourceAttributes.deployment.environment.name":"Production"}`
}

// frameworkRows returns the expected rows, by name.
func frameworkRows() map[string]domain.Observation {
	rows := make(map[string]domain.Observation)
	// add completes a row: only what differs from the defaults has to be given.
	add := func(name string, row domain.Observation) {
		if row.Type == "" {
			row.Type = "SPAN"
		}
		if row.Level == "" {
			row.Level = "DEFAULT"
		}
		row.ParentID, _, _ = strings.Cut(name, ": ")
		if row.ParentID == name {
			row.ParentID = ""
		}
		row.Environment, row.Version, row.ServiceVersion = "production", "9.9", "9.9"
		row.Source, row.IngestionKey, row.SDKName, row.SDKVersion = "otel", tracingKey, "unknown", "unknown"
		row.ScopeVersion = scopeVersions[row.ScopeName]
		row.TelemetryLanguage, row.TelemetryName, row.TelemetryVersion = "python", "opentelemetry", "1.45.2"
		row.ServiceName, _, _ = strings.Cut(name, " ")
		if row.ScopeName == "langfuse-sdk" {
			row.Environment, row.SDKName, row.SDKVersion, row.ServiceName = "default", "python", row.ScopeVersion, "shop"
			row.IsAppRoot = row.ParentID == ""
		}
		rows[name] = row
	}
	for _, library := range []string{"openinference", "openllmetry"} {
		for _, call := range []string{"chat", "stream", "tools", "embedding", "error"} {
			add(library+" "+call, domain.Observation{ScopeName: applicationScope})
		}
	}
	addOpenInference(add)
	addOpenLLMetry(add)
	addLangChain(add)
	addReplacement(add)
	return rows
}

// modelTokens sets the usage reported by the model: some input was cached, some output was reasoning. The library
// decides whether reasoning is reported separately.
func modelTokens(usage, cost string, row domain.Observation) domain.Observation {
	row.Type, row.ProvidedUsage, row.Usage, row.Cost = "GENERATION", usage, usage, cost
	row.InputTokens, row.OutputTokens, row.TotalTokens = 100, 20, domain.IntOf(120)
	row.InputCost, row.OutputCost, row.TotalCost = 0.0002, 0.00015, domain.FloatOf(0.00035)
	if strings.Contains(usage, `"output":20`) {
		row.OutputCost, row.TotalCost = 0.0002, domain.FloatOf(0.0004)
	}
	return row
}

// weatherTool is the definition of the tool offered to the model, weatherCall its call.
const weatherTool = `{"get_weather":"{\"description\":\"The weather of a city.\",\"parameters\":` +
	`\"{\\\"type\\\":\\\"object\\\",\\\"properties\\\":{\\\"city\\\":{\\\"type\\\":\\\"string\\\"}}}\"}"}`

const weatherCall = `["{\"id\":\"call_1\",\"arguments\":\"{\\\"city\\\":\\\"Oslo\\\"}\",\"type\":\"function\",\"index\":0}"]`

func addOpenInference(add addRow) {
	call := func(invocation, finish string, row domain.Observation) domain.Observation {
		row.ScopeName, row.Model = openInferenceScope, "gpt-4o-2024-08-06"
		row.Metadata = attributes(`
			llm.system "openai"
			input.mime_type "application/json"
			output.mime_type "application/json"
			llm.invocation_parameters "` + strings.ReplaceAll(invocation, `"`, `\"`) + `"
			llm.model_name "gpt-4o-2024-08-06"
			llm.token_count.total 120
			llm.token_count.prompt 100
			llm.token_count.completion 20
			llm.token_count.prompt_details.cache_read 40
			llm.token_count.completion_details.reasoning 5
			llm.finish_reason "` + finish + `"
			openinference.span.kind "LLM"`)
		return modelTokens(`{"input":60,"output":15,"total":120,"input_cached_tokens":40,"output_reasoning_tokens":5}`,
			`{"input":0.00015,"output":0.00015,"input_cached_tokens":0.00005,"total":0.00035}`, priced(gpt4oAugust, row))
	}
	const (
		usage = `"usage":{"completion_tokens":20,"prompt_tokens":100,"total_tokens":120,` +
			`"completion_tokens_details":{"reasoning_tokens":5},"prompt_tokens_details":{"cached_tokens":40}}}`
		head = `"created":1767225600,"model":"gpt-4o-2024-08-06","object":"chat.completion",`
	)
	chat := domain.Observation{
		ModelParameters: `{"model":"gpt-4o","max_tokens":100,"temperature":0.5}`,
		Input: `{"model": "gpt-4o", "messages": [{"role": "system", "content": "Be brief."}, ` +
			`{"role": "user", "content": "Wie heißt 東京?"}], "max_tokens": 100, "temperature": 0.5}`,
		Output: `{"id":"chatcmpl-1","choices":[{"finish_reason":"stop","index":0,` +
			`"message":{"content":"Das ist 東京.","role":"assistant"}}],` + head + usage,
	}
	add("openinference chat: ChatCompletion", call(`{"model": "gpt-4o", "max_tokens": 100, "temperature": 0.5}`, "stop", chat))
	stream := domain.Observation{
		ModelParameters: `{"model":"gpt-4o","stream":"true","stream_options":"{\"include_usage\":true}"}`,
		Input: `{"model": "gpt-4o", "stream": true, "messages": [{"role": "user", "content": "Stream, please."}], ` +
			`"stream_options": {"include_usage": true}}`,
		Output: `{"choices": [{"message": {"content": "Das ist 東京.", "role": "assistant"}, "index": 0, "finish_reason": "stop"}], ` +
			`"id": "chatcmpl-1", "created": 1767225600, "model": "gpt-4o-2024-08-06", "object": "chat.completion.chunk", ` +
			`"usage": {"completion_tokens": 20, "prompt_tokens": 100, "total_tokens": 120, ` +
			`"completion_tokens_details": {"reasoning_tokens": 5}, "prompt_tokens_details": {"cached_tokens": 40}}}`,
	}
	add("openinference stream: ChatCompletion",
		call(`{"model": "gpt-4o", "stream": true, "stream_options": {"include_usage": true}}`, "stop", stream))
	tools := domain.Observation{
		ModelParameters: `{"model":"gpt-4o"}`,
		Input: `{"model":"gpt-4o","messages":[{"role":"user","content":"Weather in Oslo?"}],"tools":[{"type":"function",` +
			`"function":{"name":"get_weather","description":"The weather of a city.",` +
			`"parameters":{"type":"object","properties":{"city":{"type":"string"}}}}}]}`,
		Output: `{"id":"chatcmpl-1","choices":[{"finish_reason":"tool_calls","index":0,` +
			`"message":{"content":null,"role":"assistant","tool_calls":[{"id":"call_1",` +
			`"function":{"arguments":"{\"city\":\"Oslo\"}","name":"get_weather"},"type":"function"}]}}],` + head + usage,
		ToolDefinitions: weatherTool, ToolNames: []string{"get_weather"},
		ToolCalls: weatherCall, ToolCallNames: []string{"get_weather"},
	}
	add("openinference tools: ChatCompletion", call(`{"model": "gpt-4o"}`, "tool_calls", tools))
	add("openinference embedding: CreateEmbeddings", priced(textEmbedding3Small, domain.Observation{
		Type: "EMBEDDING", ScopeName: openInferenceScope, Model: "text-embedding-3-small",
		Input: `{"model": "text-embedding-3-small", "input": "to embed", "encoding_format": "base64"}`,
		Output: `{"data":[{"embedding":[0.25,-0.5],"index":0,"object":"embedding"}],"model":"text-embedding-3-small",` +
			`"object":"list","usage":{"prompt_tokens":2000,"total_tokens":2000}}`,
		Metadata: attributes(`
			llm.system "openai"
			input.mime_type "application/json"
			output.mime_type "application/json"
			embedding.invocation_parameters "{\"model\": \"text-embedding-3-small\", \"encoding_format\": \"base64\"}"
			embedding.embeddings.0.embedding.text "to embed"
			llm.token_count.total 2000
			llm.token_count.prompt 2000
			embedding.model_name "text-embedding-3-small"
			embedding.embeddings.0.embedding.vector [0.25,-0.5]
			openinference.span.kind "EMBEDDING"`),
		ProvidedUsage: `{"input":2000,"total":2000}`, Usage: `{"input":2000,"total":2000}`,
		InputTokens: 2000, TotalTokens: domain.IntOf(2000), Cost: `{"total":0.00004}`, TotalCost: domain.FloatOf(0.00004),
	}))
	add("openinference error: ChatCompletion", domain.Observation{
		Type: "GENERATION", ScopeName: openInferenceScope, Level: "ERROR",
		StatusMessage:   "NotFoundError: Error code: 404 - The model does not exist.",
		Input:           `{"model": "no-such-model", "messages": [{"role": "user", "content": "Hello?"}]}`,
		ModelParameters: `{"model":"no-such-model"}`,
		Metadata: attributes(`
			llm.system "openai"
			input.mime_type "application/json"
			llm.invocation_parameters "{\"model\": \"no-such-model\"}"
			openinference.span.kind "LLM"`),
	})
}

func addOpenLLMetry(add addRow) {
	request := func(operation, model, parameters, streaming string) string {
		return `
			gen_ai.operation.name "` + operation + `"
			gen_ai.provider.name "openai"
			gen_ai.request.model "` + model + `"` + parameters + `
			gen_ai.is_streaming ` + streaming + `
			gen_ai.openai.api_base "http://model/v1/"`
	}
	answer := func(finish, rest string) string {
		return `
			gen_ai.response.model "gpt-4o-2024-08-06"
			gen_ai.response.id "chatcmpl-1"
			gen_ai.response.finish_reasons ["` + finish + `"]
			gen_ai.usage.total_tokens 120
			gen_ai.usage.output_tokens 20
			gen_ai.usage.input_tokens 100
			gen_ai.usage.cache_read.input_tokens 40` + rest
	}
	const (
		reasoning = "\ngen_ai.usage.reasoning_tokens 5"
		usage     = `"input":60,"output":20,"total":120,"input_cached_tokens":40}`
		cost      = `{"input":0.00015,"output":0.0002,"input_cached_tokens":0.00005,"total":0.0004}`
		said      = `[{"role": "assistant", "parts": [{"content": "Das ist \u6771\u4eac.", "type": "text"}], "finish_reason": "stop"}]`
	)
	call := func(usage string, row domain.Observation) domain.Observation {
		row.ScopeName, row.Model = openLLMetryScope, "gpt-4o-2024-08-06"
		return modelTokens(usage, cost, priced(gpt4oAugust, row))
	}
	add("openllmetry chat: openai.chat", call(`{`+usage, domain.Observation{
		ModelParameters: `{"max_tokens":100,"temperature":0.5}`,
		Input: `[{"role": "system", "parts": [{"content": "Be brief.", "type": "text"}]}, ` +
			`{"role": "user", "parts": [{"content": "Wie hei\u00dft \u6771\u4eac?", "type": "text"}]}]`,
		Output: said,
		Metadata: attributes(request("chat", "gpt-4o", `
			gen_ai.request.max_tokens 100
			gen_ai.request.temperature 0.5`, "false") + answer("stop", reasoning)),
	}))
	// Reasoning is part of the output. When streaming, the library does not report it.
	add("openllmetry stream: openai.chat", call(`{`+usage, domain.Observation{
		Input:    `[{"role": "user", "parts": [{"content": "Stream, please.", "type": "text"}]}]`,
		Output:   said,
		Metadata: attributes(request("chat", "gpt-4o", "", "true") + answer("stop", "")),
	}))
	add("openllmetry tools: openai.chat", call(`{`+usage, domain.Observation{
		Input: `{"messages":[{"role":"user","parts":[{"content":"Weather in Oslo?","type":"text"}]}],` +
			`"tools":[{"type":"function","name":"get_weather","description":"The weather of a city.",` +
			`"parameters":{"type":"object","properties":{"city":{"type":"string"}}}}]}`,
		Output: `[{"role": "assistant", "parts": [{"type": "tool_call", "name": "get_weather", "id": "call_1", ` +
			`"arguments": {"city": "Oslo"}}], "finish_reason": "tool_call"}]`,
		ToolDefinitions: weatherTool, ToolNames: []string{"get_weather"},
		ToolCalls: strings.Replace(weatherCall, `"function\"`, `"tool_call\"`, 1), ToolCallNames: []string{"get_weather"},
		Metadata: attributes(request("chat", "gpt-4o", "", "false") + answer("tool_call", reasoning)),
	}))
	add("openllmetry embedding: openai.embeddings", priced(textEmbedding3Small, domain.Observation{
		Type: "EMBEDDING", ScopeName: openLLMetryScope, Model: "text-embedding-3-small",
		Input: `[{"role": "user", "parts": [{"type": "text", "content": "to embed"}]}]`,
		Metadata: attributes(request("embeddings", "text-embedding-3-small", "", "false") + `
			gen_ai.response.model "text-embedding-3-small"
			gen_ai.usage.total_tokens 2000
			gen_ai.usage.input_tokens 2000
			gen_ai.usage.cache_read.input_tokens 0`),
		ProvidedUsage: `{"input":2000,"total":2000,"input_cached_tokens":0}`,
		Usage:         `{"input":2000,"total":2000,"input_cached_tokens":0}`,
		InputTokens:   2000, TotalTokens: domain.IntOf(2000), Cost: `{"total":0.00004}`, TotalCost: domain.FloatOf(0.00004),
	}))
	add("openllmetry error: openai.chat", domain.Observation{
		Type: "GENERATION", ScopeName: openLLMetryScope, Model: "no-such-model",
		Level: "ERROR", StatusMessage: "Error code: 404 - The model does not exist.",
		Input: `[{"role": "user", "parts": [{"content": "Hello?", "type": "text"}]}]`,
		Metadata: attributes(request("chat", "no-such-model", "", "false") + `
			error.type "NotFoundError"`),
	})
}

func addLangChain(add addRow) {
	// What the configuration of the first call sets on its trace.
	configured := func(row domain.Observation) domain.Observation {
		row.UserID, row.SessionID, row.Tags = "user-1", "session-1", []string{"blue", "from-config"}
		row.TraceMetadata = `{"order":7}`
		return row
	}
	model := func(row domain.Observation) domain.Observation {
		row.ScopeName, row.ModelParameters = "langfuse-sdk", `{"temperature":0.5}`
		return modelTokens(`{"input":60,"output":15,"total":120,"input_cache_read":40,"output_reasoning":5}`,
			`{"input":0.00015,"output":0.00015,"input_cache_read":0.00005,"total":0.00035}`, row)
	}
	chain := func(input, output, metadata string) domain.Observation {
		return domain.Observation{Type: "CHAIN", ScopeName: "langfuse-sdk", Input: input, Output: output, Metadata: metadata}
	}
	message := func(kind, content string) string {
		return `{"content": "` + content + `", "additional_kwargs": {}, "response_metadata": {}, ` +
			`"type": "` + kind + `", "name": null, "id": null}`
	}
	prompt := func(question string) string {
		return `{"messages": [` + message("system", "Be brief.") + `, ` + message("human", question) + `]}`
	}
	const (
		modelMetadata = `"ls_provider":"openai","ls_model_name":"gpt-4o","ls_model_type":"chat","ls_temperature":0.5,` +
			`"ls_integration":"langchain_chat_model","lc_versions.langchain-core":"1.7.2","lc_versions.langchain-openai":"1.7.3"}`
		tokens = `"usage_metadata": {"input_tokens": 100, "output_tokens": 20, "total_tokens": 120, ` +
			`"input_token_details": {"cache_read": 40}, "output_token_details": {"reasoning": 5}}`
		noCalls = `"tool_calls": [], "invalid_tool_calls": [], `
	)
	add("langchain chain", configured(chain(`{"city": "\u6771\u4eac"}`,
		`{"content": "Das ist \u6771\u4eac.", "additional_kwargs": {"refusal": null}, "response_metadata": `+
			`{"token_usage": {"completion_tokens": 20, "prompt_tokens": 100, "total_tokens": 120, "completion_tokens_details": `+
			`{"accepted_prediction_tokens": null, "audio_tokens": null, "reasoning_tokens": 5, `+
			`"rejected_prediction_tokens": null, "text_tokens": null}, "prompt_tokens_details": {"audio_tokens": null, `+
			`"cache_write_tokens": null, "cached_tokens": 40, "image_tokens": null, "text_tokens": null}}, `+
			`"model_provider": "openai", "model_name": "gpt-4o-2024-08-06", "system_fingerprint": null, "id": "chatcmpl-1", `+
			`"finish_reason": "stop", "logprobs": null}, "type": "ai", "name": null, "id": "lc_run", `+noCalls+tokens+`}`,
		`{"tags":["from-config"],"order":7,"is_langchain_root":true}`)))
	add("langchain chain: ChatPromptTemplate", configured(chain(`{"city": "\u6771\u4eac"}`, prompt(`Wie hei\u00dft \u6771\u4eac?`),
		`{"tags":["seq:step:1","from-config"],"order":7}`)))
	add("langchain chain: ChatOpenAI", configured(model(priced(gpt4oAugust, domain.Observation{
		Model: "gpt-4o-2024-08-06", Metadata: `{"tags":["seq:step:2","from-config"],"order":7,` + modelMetadata,
		Input:  `[{"role": "system", "content": "Be brief."}, {"role": "user", "content": "Wie hei\u00dft \u6771\u4eac?"}]`,
		Output: `{"role": "assistant", "content": "Das ist \u6771\u4eac.", "additional_kwargs": {"refusal": null}}`,
	}))))
	add("langchain stream", chain(`{"city": "Oslo"}`,
		`{"content": "Das ist \u6771\u4eac.", "additional_kwargs": {}, "response_metadata": {"model_provider": "openai", `+
			`"finish_reason": "stop", "model_name": "gpt-4o-2024-08-06"}, "type": "AIMessageChunk", "name": null, "id": "lc_run", `+
			noCalls+tokens+`, "tool_call_chunks": [], "chunk_position": "last"}`, `{"is_langchain_root":true}`))
	add("langchain stream: ChatPromptTemplate", chain(`{"city": "Oslo"}`, prompt(`Wie hei\u00dft Oslo?`), `{"tags":["seq:step:1"]}`))
	// When streaming, the client knows the model that was requested, not the one that responded.
	add("langchain stream: ChatOpenAI", model(priced(gpt4o, domain.Observation{
		Model: "gpt-4o", Metadata: `{"tags":["seq:step:2"],` + modelMetadata,
		Input:  `[{"role": "system", "content": "Be brief."}, {"role": "user", "content": "Wie hei\u00dft Oslo?"}]`,
		Output: `{"role": "assistant", "content": "Das ist \u6771\u4eac."}`,
	})))
}

func addReplacement(add addRow) {
	const (
		messages = `[{"role": "user", "content": "Wie hei\u00dft \u6771\u4eac?"}]`
		// OpenAI's defaults.
		parameters = `{"temperature":1,"max_tokens":"Infinity","top_p":1,"frequency_penalty":0,"presence_penalty":0}`
	)
	call := func(row domain.Observation) domain.Observation {
		row.ScopeName, row.Model = "langfuse-sdk", "gpt-4o-2024-08-06"
		return modelTokens(`{"input":60,"output":15,"total":120,"input_cached_tokens":40,"output_reasoning_tokens":5}`,
			`{"input":0.00015,"output":0.00015,"input_cached_tokens":0.00005,"total":0.00035}`, priced(gpt4oAugust, row))
	}
	add("replaced chat", call(domain.Observation{
		Input: messages, Output: `{"role": "assistant", "content": "Das ist \u6771\u4eac."}`, Metadata: `{"order":7}`,
		ModelParameters: `{"temperature":0.5,"max_tokens":"Infinity","top_p":1,"frequency_penalty":0,"presence_penalty":0}`,
	}))
	add("replaced stream", call(domain.Observation{
		Input: messages, Output: "Das ist 東京.", Metadata: `{"finish_reason":"stop"}`, ModelParameters: parameters,
	}))
	add("replaced tools", call(domain.Observation{
		Input: `{"tools": [{"type": "function", "function": {"name": "get_weather", "description": "The weather of a city.", ` +
			`"parameters": {"type": "object", "properties": {"city": {"type": "string"}}}}}], "messages": ` + messages + `}`,
		Output: `{"role": "assistant", "tool_calls": [{"id": "call_1", "function": {"arguments": "{\"city\":\"Oslo\"}", ` +
			`"name": "get_weather"}, "type": "function"}], "content": null}`,
		ModelParameters: parameters, ToolDefinitions: weatherTool, ToolNames: []string{"get_weather"},
		ToolCalls: weatherCall, ToolCallNames: []string{"get_weather"},
	}))
	add("replaced embedding", priced(textEmbedding3Small, domain.Observation{
		Type: "EMBEDDING", ScopeName: "langfuse-sdk", Input: "to embed", Output: `{"dimensions": 2, "count": 1}`,
		Model: "text-embedding-3-small", ModelParameters: "{}",
		ProvidedUsage: `{"input":2000}`, Usage: `{"input":2000,"total":2000}`, InputTokens: 2000, TotalTokens: domain.IntOf(2000),
		Cost: `{"total":0.00004}`, TotalCost: domain.FloatOf(0.00004),
	}))
	add("replaced error", domain.Observation{
		Type: "GENERATION", ScopeName: "langfuse-sdk", Input: messages, Model: "no-such-model", ModelParameters: parameters,
		Level: "ERROR", StatusMessage: "Error code: 404 - The model does not exist.",
		ProvidedCost: `{"input":0,"output":0,"total":0}`, Cost: `{"input":0,"output":0,"total":0}`, TotalCost: domain.FloatOf(0),
	})
}

// TestJavaScriptFrameworks calls a model through the integrations of the JavaScript client for OpenAI's library and for
// LangChain.
func TestJavaScriptFrameworks(t *testing.T) {
	t.Parallel()
	model := modelServer(t)
	if out := run(t, append(environment(t), "MODEL_URL="+model.URL+"/v1"), "node", "frameworks_check.mjs"); !strings.HasSuffix(out,
		"ok\n") {
		t.Error(out)
	}
}
