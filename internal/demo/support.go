package demo

import (
	"fmt"
	"slices"
	"strconv"
	"time"
)

// The support agent talks to customers of the shop, with tools, over several turns. Each turn is a trace; a
// conversation is a session. It is instrumented with the Python SDK.
var support = &application{
	oldVersion: "3.4.2", newVersion: "3.5.0",
	service: service{
		name: "support-agent", language: "python", sdkName: "opentelemetry", sdkVersion: "1.38.0",
		scopeName: "langfuse-sdk", scopeVersion: "5.0.4",
	},
}

// mostTurns is the maximum number of turns of a conversation.
const mostTurns = 6

// supportVisit is one conversation.
type supportVisit struct {
	chance   chance
	texts    *texts
	customer person
	about    about
	scenario *scenario
	turns    []*turn // still to come
	number   int     // of the next turn, from 1
	history  []message
	system   string
	theme    uint64 // seed for the facts, which are the same throughout the conversation
}

func (w *Workload) newSupportVisit(c chance, p *plan) *supportVisit {
	v := &supportVisit{chance: c, texts: w.texts, customer: w.customer(c), number: 1, theme: c.Uint64()}
	v.scenario = pick(c, w.texts.support.Scenarios)
	v.turns = v.scenario.Turns[:c.between(1, len(v.scenario.Turns))]
	if len(v.turns) == len(v.scenario.Turns) && v.scenario.Language == "en" && c.happens(0.5) {
		v.turns = append(slices.Clip(v.turns), w.texts.support.Closing)
	}
	v.turns = v.turns[:min(len(v.turns), p.most, mostTurns)]
	v.about = about{
		service: &support.service, name: "support-chat", user: v.customer.id,
		session: fmt.Sprintf("chat-%08x", c.Uint32()), stage: p.stage.at(support, p.end),
		tags: []string{"support", v.scenario.Topic, "lang:" + v.scenario.Language},
		metadata: []member{
			{"channel", pick(c, []string{"web", "web", "web", "app", "app", "email"})},
			{"region", "eu-west-1"},
			{"campaign", campaign(c)},
		},
		public: c.happens(0.02),
	}
	if v.customer.tier != "none" {
		v.about.tags = append(v.about.tags, "tier:"+v.customer.tier)
	}
	v.system = w.texts.support.Prompt
	if v.about.stage.renewed {
		v.system += "\n" + w.texts.support.Additions
	}
	return v
}

// campaign returns what brought a customer to the shop, usually unknown.
func campaign(c chance) any {
	if c.happens(0.7) {
		return nil
	}
	return pick(c, []string{"autumn-sale", "newsletter-41", "trail-club"})
}

func (v *supportVisit) left() int { return len(v.turns) }

// promptVersion returns the version of the prompt that the agent uses.
func (v *supportVisit) promptVersion() int64 {
	if v.about.stage.renewed {
		return 12
	}
	return 11
}

func (v *supportVisit) next(end time.Time) *Trace {
	t := v.turns[0]
	v.turns = v.turns[1:]
	f := v.newFacts(end)
	question := f.in(pick(v.chance, t.Says))

	r := record(v.chance, &v.about)
	root := r.begin(nil, kindAgent, "support-agent")
	root.metadata(
		member{"turn", v.number}, member{"locale", v.scenario.Locale}, member{"signed_in", v.customer.signedIn},
		member{"cart_value", float64(v.chance.between(0, 40000)) / 100}, member{"order_id", f["order"]},
		member{"experiments", []string{"greeting-b", "short-answers"}[:v.chance.between(0, 2)]},
		member{"customer", map[string]any{"tier": v.customer.tier, "orders": v.customer.orders, "city": v.customer.city}},
	)
	v.number++
	r.work(3 * time.Millisecond)
	v.history = append(v.history, message{Role: "user", Content: question})

	answer := v.reply(r, root, t, f, question)
	if answer == "" {
		root.io(question, nil)
	} else {
		root.io(question, answer)
		v.history = append(v.history, message{Role: "assistant", Content: answer})
	}
	r.work(2 * time.Millisecond)
	r.end(root)
	return r.finish(end)
}

// reply records how the agent handles a question, and returns the answer.
func (v *supportVisit) reply(r *recorder, root *Span, t *turn, f facts, question string) string {
	if !v.checkInput(r, root, t, question) {
		const refusal = "I can't help with that, but I'm happy to answer questions about your orders and our products."
		root.level(levelWarning, "blocked by check-input")
		return refusal
	}
	steps := append([]message{{Role: "system", Content: v.system}}, v.history...)
	for _, name := range t.Uses {
		use := v.texts.support.Uses[name]
		var ok bool
		if steps, ok = v.useTool(r, root, &use, f, steps); !ok {
			root.level(levelWarning, "answered without "+use.Tool)
			r.event(root, "handover-to-human", levelWarning, "a tool failed twice", member{"queue", "second-level"}, member{"wait_minutes", r.between(2, 20)})
			return "I'm sorry, I can't reach our order system at the moment. I've passed your question on to a colleague, who will write to you shortly."
		}
	}
	if t.Handover {
		r.event(root, "handover-to-human", "DEFAULT", "", member{"queue", "first-level"}, member{"wait_minutes", r.between(1, 12)})
	}
	answer, ok := v.answer(r, root, t, f, steps)
	if !ok {
		return ""
	}
	v.checkOutput(r, root, answer)
	return answer
}

// checkInput records the check of a customer's message. It reports whether the agent may answer.
func (v *supportVisit) checkInput(r *recorder, root *Span, t *turn, question string) bool {
	s := r.begin(root, kindGuardrail, "check-input")
	r.work(60 * time.Millisecond)
	injection := float64(r.between(0, 40)) / 1000
	if t.Hostile {
		injection = 0.9 + float64(r.between(0, 99))/1000
	}
	s.io(question, map[string]any{
		"blocked": t.Hostile, "scores": map[string]float64{"injection": injection, "abuse": float64(r.between(0, 30)) / 1000},
	})
	s.metadata(member{"policy", "customer-input"}, member{"threshold", 0.8}, member{"blocked", t.Hostile})
	if t.Hostile {
		s.level(levelWarning, "prompt injection")
	}
	r.end(s)
	return !t.Hostile
}

// checkOutput records the check of the agent's answer.
func (v *supportVisit) checkOutput(r *recorder, root *Span, answer string) {
	s := r.begin(root, kindGuardrail, "check-output")
	r.work(35 * time.Millisecond)
	s.io(answer, map[string]any{"blocked": false, "findings": []string{}})
	s.metadata(member{"policy", "no-personal-data"}, member{"blocked", false})
	s.level(levelDebug, "")
	r.end(s)
}

// useTool records the model asking for a tool and receiving its result. It reports whether the tool eventually worked.
func (v *supportVisit) useTool(r *recorder, root *Span, st *step, f facts, steps []message) ([]message, bool) {
	arguments, result := f.in(st.Arguments), f.in(st.Result)
	wish := message{Role: "assistant", ToolCalls: []toolCall{{
		ID: fmt.Sprintf("call_%012x", r.Uint64()>>16), Type: "function", Function: function{Name: st.Tool, Arguments: arguments},
	}}}
	r.generate(root, &call{
		name: "choose-tool", model: modelRouter, prompt: "support-router", promptVersion: 4,
		messages: steps, tools: v.texts.tools, answer: wish, cached: v.cached(r),
	})
	const tries = 2
	for try := 1; try <= tries; try++ {
		s := r.begin(root, kindTool, st.Tool)
		s.metadata(member{"attempt", try}, member{"cached", false})
		if !r.happens(0.04) {
			r.work(st.Takes)
			s.io(arguments, result)
			r.end(s)
			return append(steps, wish, message{Role: "tool", Content: result, CallID: wish.ToolCalls[0].ID}), true
		}
		r.pass(4 * time.Second)
		s.io(arguments, nil)
		s.fail(st.Tool + ": no answer within 4 s")
		r.end(s)
		if try < tries && r.happens(0.7) {
			r.event(root, "tool-retry", levelWarning, st.Tool+" is tried again", member{"delay_ms", 250})
			r.pass(250 * time.Millisecond)
			continue
		}
		break
	}
	return steps, false
}

// answer records a model writing the answer, possibly a fallback model. Without an answer the whole turn has failed.
func (v *supportVisit) answer(r *recorder, root *Span, t *turn, f facts, steps []message) (string, bool) {
	text := f.in(pick(r.chance, t.Answers))
	c := &call{
		name: "write-answer", model: modelAnswer, prompt: "support-answer", promptVersion: v.promptVersion(),
		messages: steps, answer: message{Role: "assistant", Content: text}, cached: v.cached(r), streamed: true,
	}
	if v.about.stage.renewed {
		c.model = modelNewAnswer
	}
	if r.happens(0.05) {
		r.generateInVain(root, c, "429 rate_limit_error: the rate limit of the organization is used up")
		if r.happens(0.15) {
			root.fail("no model could answer")
			return "", false
		}
		r.event(root, "model-fallback", levelWarning, "", member{"from", c.model.name}, member{"to", modelFallback.name})
		c.model = modelFallback
		c.cached = 0
	}
	r.generate(root, c)
	return text, true
}

// cached returns the fraction of the input in the provider's cache: from the second turn on, most of it.
func (v *supportVisit) cached(r *recorder) float64 {
	if len(v.history) == 1 {
		return 0
	}
	return 0.5 + 0.3*r.Float64()
}

// newFacts returns the facts about this customer and order.
func (v *supportVisit) newFacts(end time.Time) facts {
	c := newChance(v.theme, 0)
	two := func(of []string) (string, string) {
		first := c.IntN(len(of))
		return of[first], of[(first+1)%len(of)]
	}
	product, other := two(v.texts.shop.Products)
	clothing, otherClothing := two(v.texts.shop.Clothes)
	bag, otherBag := two(v.texts.shop.Bags)
	day := func(days int) string { return end.AddDate(0, 0, days).Format("2 January") }
	return facts{
		"order": strconv.Itoa(40_000_000 + c.IntN(9_999_999)), "ticket": fmt.Sprintf("T-%05d", c.IntN(99_999)),
		"product": product, "other": other, "clothes": clothing, "otherclothes": otherClothing, "bag": bag, "otherbag": otherBag,
		"pack": pick(c, v.texts.shop.Packs), "city": v.customer.city, "name": v.customer.name,
		"carrier": pick(c, []string{"DHL", "PostNL", "DPD", "Posten"}), "tracking": fmt.Sprintf("TW%010d", c.IntN(1e9)),
		"amount":    fmt.Sprintf("%d.%02d", c.between(19, 380), c.between(0, 99)),
		"yesterday": day(-1), "lastweek": day(-6), "tomorrow": day(1), "soon": day(3), "later": day(9),
		"isodate": end.AddDate(0, 0, 3).Format(time.DateOnly),
	}
}
