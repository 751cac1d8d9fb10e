package corpus

import "almanac/internal/domain"

const (
	turns = 20 // of a conversation
	// openConversations is the number of concurrent conversations in a project.
	openConversations = 24
	leastRows         = 8 // of a turn
	mostRows          = 40
)

// conversation is a dialog between a user and an agent.
type conversation struct {
	session, user string
	turn          int
	// history holds the messages of finished turns, steps those of the current one: JSON objects, each followed by a
	// comma.
	history, steps   []byte
	question, answer string // of the current turn
	model            *model
	tool             string // called last by the agent
	arguments        string
}

// conversationRow makes the next row of the conversations mode. A turn is a row of the agent, then alternating calls of
// the model and of tools, and finally the answer of the model.
func (g *Generator) conversationRow(s *stream, o *domain.Observation) {
	if s.trace.left == 0 {
		g.beginTurn(s)
	}
	t := &s.trace
	position := t.length - t.left
	switch {
	case position == 0:
		g.agentRow(s, o)
	case t.left == 1 || position%5 == 1 || position%5 == 4:
		g.generationRow(s, o, t.left == 1)
	case position%5 == 0:
		g.row(s, o, pick(g.rng, []string{"SPAN", "RETRIEVER", "GUARDRAIL"}))
		o.Input = t.conversation.question
		o.Output = g.text.cut(g.rng, size(g.rng, 60, 500))
	default:
		if position%5 == 3 { // a second tool call, without another call of the model
			g.callTool(t.conversation)
			t.conversation.steps = appendCall(t.conversation.steps, t.conversation)
		}
		g.toolRow(s, o)
	}
	g.metadata(s, o)
	g.arrive(s, o)
}

// beginTurn continues one of the open conversations in a new trace.
func (g *Generator) beginTurn(s *stream) {
	t := g.beginTrace(s, leastRows+g.rng.IntN(mostRows-leastRows+1))
	c := g.openConversation(s, t, 1500)
	t.conversation, t.session, t.user = c, c.session, c.user
	c.question = g.text.cut(g.rng, size(g.rng, 40, 250))
	c.answer = g.text.cut(g.rng, size(g.rng, 150, 700))
	c.history = appendMessage(c.history, "user", c.question)
	c.steps = c.steps[:0]
	g.callTool(c)
}

// openConversation picks one of the open conversations. If it is over, it begins a new one in its place, with the given
// number of bytes of instructions.
func (g *Generator) openConversation(s *stream, t *trace, instructions int) *conversation {
	if s.open == nil {
		s.open = make([]conversation, openConversations)
		for i := range s.open {
			s.open[i].turn = turns
		}
	}
	c := &s.open[g.rng.IntN(len(s.open))]
	if c.turn == turns {
		g.beginConversation(c, t, instructions)
	}
	c.turn++
	return c
}

// beginConversation begins a conversation with the given number of bytes of instructions, reusing the memory of c.
func (g *Generator) beginConversation(c *conversation, t *trace, instructions int) {
	*c = conversation{
		session: "session-" + string(appendHex(nil, mix(^t.key))), user: t.user,
		history: c.history[:0], steps: c.steps[:0],
		model: &g.values.models[g.rng.IntN(len(g.values.models)-1)],
	}
	c.history = appendMessage(c.history, "system", g.text.cut(g.rng, instructions))
}

// callTool chooses the next tool call of the agent.
func (g *Generator) callTool(c *conversation) {
	c.tool, c.arguments = pick(g.rng, g.values.tools), g.text.cut(g.rng, size(g.rng, 20, 90))
}

func (g *Generator) agentRow(s *stream, o *domain.Observation) {
	c := s.trace.conversation
	g.row(s, o, "AGENT")
	o.IsAppRoot = true
	o.EndTime = o.StartTime + domain.Micros(s.trace.length)*350_000
	o.Input, o.Output = c.question, c.answer
	o.TraceInput, o.TraceOutput = c.question, c.answer
	f, start := &g.fields, len(g.fields.buf)
	f.text(`{"channel":"web","turn":`)
	f.integer(int64(c.turn))
	f.text(`}`)
	f.end(&o.TraceMetadata, start)
}

func (g *Generator) generationRow(s *stream, o *domain.Observation, last bool) {
	c, f := s.trace.conversation, &g.fields
	g.row(s, o, "GENERATION")
	start := len(f.buf)
	f.text("[")
	f.buf = append(f.buf, c.history...)
	f.buf = append(f.buf, c.steps...)
	f.replaceLast(']')
	f.end(&o.Input, start)
	input := len(f.buf) - start

	before := len(c.steps)
	if last {
		c.history = appendMessage(c.history, "assistant", c.answer)
		start = len(f.buf)
		f.buf = appendMessage(f.buf, "assistant", c.answer)
	} else {
		g.callTool(c)
		c.steps = appendCall(c.steps, c)
		start = len(f.buf)
		f.buf = append(f.buf, c.steps[before:]...)
		o.ToolCallNames = g.values.toolLists[c.tool]
	}
	f.buf = f.buf[:len(f.buf)-1] // the comma
	f.end(&o.Output, start)
	output := len(f.buf) - start
	o.ToolDefinitions, o.ToolNames = g.values.definitions, g.values.tools
	if !last {
		start = len(f.buf)
		f.text(`[{"name":"` + c.tool + `","arguments":{"query":"`)
		f.text(c.arguments)
		f.text(`"}}]`)
		f.end(&o.ToolCalls, start)
	}
	g.usage(o, c.model, int64(input/4), int64(output/4+1))
}

func (g *Generator) toolRow(s *stream, o *domain.Observation) {
	c, f := s.trace.conversation, &g.fields
	g.row(s, o, "TOOL")
	o.Name = c.tool
	start := len(f.buf)
	f.text(`{"query":"`)
	f.text(c.arguments)
	// Not into the arguments: they are repeated in the history, and the word must be in one row only.
	if g.plant.word(s, g.rows) {
		f.text(`","hint":"` + RareWord)
	}
	f.text(`"}`)
	f.end(&o.Input, start)
	o.Output = g.text.cut(g.rng, size(g.rng, 100, 800))
	c.steps = appendMessage(c.steps, "tool", o.Output)
}

// appendMessage appends a message and a comma.
func appendMessage(b []byte, role, content string) []byte {
	b = append(b, `{"role":"`...)
	b = append(b, role...)
	b = append(b, `","content":"`...)
	b = append(b, content...)
	return append(b, `"},`...)
}

// appendCall appends the message with which the model calls a tool, and a comma.
func appendCall(b []byte, c *conversation) []byte {
	b = append(b, `{"role":"assistant","content":null,"tool_calls":[{"type":"function","function":{"name":"`...)
	b = append(b, c.tool...)
	b = append(b, `","arguments":"{\"query\":\"`...)
	b = append(b, c.arguments...)
	return append(b, `\"}"}}]},`...)
}
