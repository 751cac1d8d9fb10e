package corpus

import (
	"strconv"

	"almanac/internal/domain"
)

// fields collects the strings of one row, so that they take one allocation instead of a dozen.
type fields struct {
	buf   []byte
	parts []part
}

// part assigns a piece of the buffer to a string of the row.
type part struct {
	to         *string
	start, end int
}

// end marks what was appended since start as the value of to. It is assigned by finish.
func (f *fields) end(to *string, start int) {
	f.parts = append(f.parts, part{to, start, len(f.buf)})
}

// finish assigns the strings.
func (f *fields) finish() {
	all := string(f.buf)
	for _, p := range f.parts {
		*p.to = all[p.start:p.end]
	}
	f.buf, f.parts = f.buf[:0], f.parts[:0]
}

func (f *fields) text(s string)       { f.buf = append(f.buf, s...) }
func (f *fields) hex(x uint64)        { f.buf = appendHex(f.buf, x) }
func (f *fields) integer(n int64)     { f.buf = strconv.AppendInt(f.buf, n, 10) }
func (f *fields) decimal(x float64)   { f.buf = strconv.AppendFloat(f.buf, x, 'g', -1, 64) }
func (f *fields) pair(key, v string)  { f.text(`"` + key + `":"`); f.text(v); f.text(`",`) }
func (f *fields) replaceLast(by byte) { f.buf[len(f.buf)-1] = by }

// metadata writes eight keys, such as a web application adds to everything it does.
func (g *Generator) metadata(s *stream, o *domain.Observation) {
	f, v, start := &g.fields, g.values, len(g.fields.buf)
	f.text(`{"` + RareKey + `":"`)
	if g.plant.value(s, g.rows) {
		f.text(RareValue)
	} else {
		f.text("req_")
		f.hex(g.rng.Uint64())
	}
	f.text(`",`)
	f.pair(TenantKey, skewed(g.rng, v.tenants))
	f.pair("region", pick(g.rng, v.regions))
	f.pair("http.route", pick(g.rng, v.routes))
	f.pair("http.user_agent", pick(g.rng, v.agents))
	f.pair("instance", pick(g.rng, v.instances))
	f.pair("flags", pick(g.rng, v.flags))
	f.pair("note", g.text.cut(g.rng, 40+g.rng.IntN(40)))
	f.replaceLast('}')
	f.end(&o.Metadata, start)
}

// usage fills in the tokens and costs of a model call, and the times that follow from them.
func (g *Generator) usage(o *domain.Observation, m *model, input, output int64) {
	f := &g.fields
	o.Model, o.ModelID = m.name, m.id
	o.PricingTierID, o.PricingTierName = m.id+"-standard", "Standard"
	o.InputTokens, o.OutputTokens, o.TotalTokens = input, output, domain.IntOf(input+output)
	o.InputCost, o.OutputCost = float64(input)*m.input, float64(output)*m.output
	o.TotalCost = domain.FloatOf(o.InputCost + o.OutputCost)

	start := len(f.buf)
	f.text(`{"input":`)
	f.integer(input)
	f.text(`,"output":`)
	f.integer(output)
	f.text(`,"total":`)
	f.integer(input + output)
	f.text(`}`)
	f.end(&o.Usage, start)
	if g.rng.IntN(4) > 0 {
		f.end(&o.ProvidedUsage, start)
	}
	start = len(f.buf)
	f.text(`{"input":`)
	f.decimal(o.InputCost)
	f.text(`,"output":`)
	f.decimal(o.OutputCost)
	f.text(`,"total":`)
	f.decimal(o.TotalCost.Value)
	f.text(`}`)
	f.end(&o.Cost, start)

	wait := 120_000 + g.rng.ExpFloat64()*400_000
	o.EndTime = o.StartTime + domain.Micros(wait+float64(output)/m.perSecond*1e6)
	if o.Type == "GENERATION" {
		o.ModelParameters = pick(g.rng, g.values.parameters)
		if g.rng.IntN(10) < 7 {
			o.CompletionStartTime = o.StartTime + domain.Micros(wait)
		}
		if g.rng.IntN(10) < 3 {
			o.PromptName = pick(g.rng, g.values.traceNames)
			o.PromptID, o.PromptVersion = "prompt-"+o.PromptName, domain.IntOf(1+g.rng.Int64N(12))
		}
	}
}
