package corpus

import "almanac/internal/domain"

// chatRow makes the next row of the chats mode: a turn is one model call, whose input is everything said before.
func (g *Generator) chatRow(s *stream, o *domain.Observation) {
	g.callModel(s, o, g.beginChatTurn(s))
}

// threadRow makes the next row of the threads mode.
func (g *Generator) threadRow(s *stream, o *domain.Observation) {
	if s.trace.left == 0 {
		t := g.beginTrace(s, turns)
		t.conversation = &s.thread
		g.beginConversation(t.conversation, t, chatInstructions)
		t.session = t.conversation.session
	}
	g.callModel(s, o, s.trace.conversation)
}

// chatInstructions is the length, in bytes, of the instructions that a chat begins with.
const chatInstructions = 200

// callModel makes the row of a model call, whose input is everything said before and a new message of the user.
func (g *Generator) callModel(s *stream, o *domain.Observation, c *conversation) {
	f := &g.fields
	g.row(s, o, "GENERATION")
	c.history = appendMessage(c.history, "user", g.text.cut(g.rng, size(g.rng, 20, 50)))
	start := len(f.buf)
	f.text("[")
	f.buf = append(f.buf, c.history...)
	if g.plant.word(s, g.rows) { // not into the history, which is repeated: the word must be in one row only
		f.buf = appendMessage(f.buf, "system", RareWord)
	}
	f.replaceLast(']')
	f.end(&o.Input, start)
	input := len(f.buf) - start
	o.Output = g.text.cut(g.rng, size(g.rng, 20, 70))
	c.history = appendMessage(c.history, "assistant", o.Output)
	g.usage(o, c.model, int64(input/4), int64(len(o.Output)/4+1))
	g.metadata(s, o)
	g.arrive(s, o)
}

// beginChatTurn continues one of the open chats in a new trace.
func (g *Generator) beginChatTurn(s *stream) *conversation {
	t := g.beginTrace(s, 1)
	c := g.openConversation(s, t, chatInstructions)
	t.conversation, t.session, t.user = c, c.session, c.user
	return c
}
