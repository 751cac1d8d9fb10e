package demo

import (
	"encoding/json"
	"time"
)

// model is a model used by the applications.
type model struct {
	name       string
	provider   string
	firstToken time.Duration // usual time to first token
	perSecond  int           // output tokens per second
	parameters map[string]any
	reasons    bool // it uses reasoning tokens, which are billed
	// Price in dollars per million tokens of input and output, for a model run by the shop itself, which is in no price
	// list.
	ownPrice [2]float64
}

var (
	modelRouter = &model{
		name: "gpt-5-mini", provider: "openai", firstToken: 420 * time.Millisecond, perSecond: 130, reasons: true,
		parameters: map[string]any{"reasoning_effort": "low", "max_completion_tokens": 800, "parallel_tool_calls": false},
	}
	modelAnswer = &model{
		name: "claude-sonnet-4-5", provider: "anthropic", firstToken: 900 * time.Millisecond, perSecond: 75,
		parameters: map[string]any{"temperature": 0.3, "max_tokens": 1024, "stop_sequences": []string{"</answer>"}},
	}
	modelNewAnswer = &model{
		name: "claude-sonnet-4-6", provider: "anthropic", firstToken: 620 * time.Millisecond, perSecond: 95,
		parameters: map[string]any{"temperature": 0.3, "max_tokens": 1024, "stop_sequences": []string{"</answer>"}},
	}
	modelFallback = &model{
		name: "gpt-4.1-mini", provider: "openai", firstToken: 380 * time.Millisecond, perSecond: 110,
		parameters: map[string]any{"temperature": 0.3, "max_tokens": 1024},
	}
	modelSearch = &model{
		name: "gemini-2.5-flash", provider: "gcp.gemini", firstToken: 450 * time.Millisecond, perSecond: 180,
		parameters: map[string]any{"temperature": 0.1, "max_tokens": 600},
	}
	modelJudge  = &model{name: "gpt-4o-mini", provider: "openai", firstToken: 350 * time.Millisecond, perSecond: 90, parameters: map[string]any{"temperature": 0}}
	modelEmbed  = &model{name: "text-embedding-3-small", provider: "openai", firstToken: 90 * time.Millisecond}
	modelDigest = &model{
		name: "llama-3.3-70b-instruct", provider: "vllm", firstToken: 300 * time.Millisecond, perSecond: 60, ownPrice: [2]float64{0.23, 0.40},
		parameters: map[string]any{"temperature": 0.2, "top_p": 0.9, "max_tokens": 400, "seed": 7},
	}
)

// tokens estimates the number of tokens of a text.
func tokens(text string) int64 { return int64(len(text)/4 + 1) }

// message is one message of a chat.
type message struct {
	Role      string     `json:"role"`
	Content   string     `json:"content"`
	ToolCalls []toolCall `json:"tool_calls,omitempty"`
	CallID    string     `json:"tool_call_id,omitempty"`
}

// toolCall is a model's request to call a tool.
type toolCall struct {
	ID       string   `json:"id"`
	Type     string   `json:"type"`
	Function function `json:"function"`
}

type function struct {
	Name      string `json:"name"`
	Arguments string `json:"arguments"`
}

// call is a model call.
type call struct {
	name          string
	model         *model
	prompt        string // name of the prompt, empty for none
	promptVersion int64
	messages      []message
	tools         json.RawMessage // available tools; nil for none
	answer        message
	cached        float64 // fraction of the input that was in the provider's cache
	streamed      bool
}

// input returns the input of the model.
func (c *call) input() string {
	if c.tools == nil {
		return jsonOf(c.messages)
	}
	return jsonOf(map[string]any{"messages": c.messages, "tools": c.tools})
}

// generate records a model call.
func (r *recorder) generate(parent *Span, c *call) {
	input, output := c.input(), jsonOf(c.answer)
	s := r.beginCall(parent, c)
	s.io(input, output)
	usage := r.usageOf(c, input, output)
	s.set("langfuse.observation.usage_details", jsonOf(usage))
	if own := c.model.ownPrice; own != [2]float64{} {
		const million = 1e6
		in, out := float64(usage["input"])*own[0]/million, float64(usage["output"])*own[1]/million
		s.set("langfuse.observation.cost_details", jsonOf(map[string]float64{"input": in, "output": out}))
	}
	r.work(c.model.firstToken)
	if c.streamed {
		s.set("langfuse.observation.completion_start_time", r.now)
	}
	r.pass(c.model.writes(usage["output"] + usage["output_reasoning_tokens"]))
	r.end(s)
}

// generateInVain records a model call refused by the provider.
func (r *recorder) generateInVain(parent *Span, c *call, reason string) {
	s := r.beginCall(parent, c)
	s.io(c.input(), nil)
	r.work(c.model.firstToken / 2)
	s.fail(reason)
	r.end(s)
}

func (r *recorder) beginCall(parent *Span, c *call) *Span {
	s := r.begin(parent, kindGeneration, c.name)
	s.set("langfuse.observation.model.name", c.model.name)
	s.set("langfuse.observation.model.parameters", jsonOf(c.model.parameters))
	if c.prompt != "" {
		s.set("langfuse.observation.prompt.name", c.prompt)
		s.set("langfuse.observation.prompt.version", c.promptVersion)
	}
	return s
}

// usageOf counts tokens. Cached and reasoning tokens are counted separately.
func (r *recorder) usageOf(c *call, input, output string) map[string]int64 {
	all := tokens(input)
	cached := int64(c.cached * float64(all))
	usage := map[string]int64{"input": all - cached, "output": tokens(output)}
	if cached > 0 {
		usage["input_cached_tokens"] = cached
	}
	if c.model.reasons {
		usage["output_reasoning_tokens"] = int64(r.between(1, 5)) * 64
	}
	return usage
}

// writes returns how long a model takes to generate the given number of tokens.
func (m *model) writes(tokens int64) time.Duration {
	return time.Duration(tokens) * time.Second / time.Duration(max(1, m.perSecond))
}
