package meter

import (
	"math"
	"strconv"
	"strings"
)

// ContentType is that of Text.
const ContentType = "text/plain; version=0.0.4; charset=utf-8"

// Text returns everything that is measured in the text format of Prometheus.
func (r *Registry) Text() []byte {
	var text []byte
	for _, f := range r.Families() {
		if len(f.Samples) == 0 {
			continue // nothing happened yet
		}
		text = append(text, "# HELP "+f.Name+" "+helpEscapes.Replace(f.Help)+"\n# TYPE "+f.Name+" "+string(f.Kind)+"\n"...)
		for _, s := range f.Samples {
			text = append(append(text, f.Name...), s.Suffix...)
			if s.Labels != "" {
				text = append(text, "{"+s.Labels+"}"...)
			}
			text = append(appendNumber(append(text, ' '), s.Value), '\n')
		}
	}
	return text
}

// What would end a text.
var (
	helpEscapes  = strings.NewReplacer(`\`, `\\`, "\n", `\n`)
	labelEscapes = strings.NewReplacer(`\`, `\\`, "\n", `\n`, `"`, `\"`)
)

// labelText writes labels with their values, without braces.
func labelText(names, values []string) string {
	var text []byte
	for n, name := range names {
		if n > 0 {
			text = append(text, ',')
		}
		text = appendLabel(text, name, values[n])
	}
	return string(text)
}

func appendLabel(to []byte, name, value string) []byte {
	to = append(append(to, name...), `="`...)
	return append(append(to, labelEscapes.Replace(strings.ToValidUTF8(value, "\uFFFD"))...), '"')
}

// appendNumber writes a number; infinity has a sign.
func appendNumber(to []byte, value float64) []byte {
	if math.IsInf(value, 1) {
		return append(to, "+Inf"...)
	}
	return strconv.AppendFloat(to, value, 'g', -1, 64)
}
