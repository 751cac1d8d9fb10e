package dashboards

import (
	"testing"

	"almanac/internal/decode"
	"almanac/internal/domain"
	"almanac/internal/domain/wire"
	"almanac/internal/httpapi/respond"
)

// FuzzDashboards reads arbitrary JSON as each of the dashboard bodies: accepted input can be encoded again.
func FuzzDashboards(f *testing.F) {
	for _, seed := range []string{
		`{"name":"w","view":"observations","dimensions":[{"field":"name"}],"metrics":[{"measure":"count","agg":"count"}],"filters":[],"chartType":"NUMBER"}`,
		`{"widgets":[{"type":"preset","id":"b","presetId":"home-traces","x":6,"y":0,"width":6,"height":4}]}`, "[]", "{}", `""`,
	} {
		f.Add(seed)
	}
	f.Fuzz(func(t *testing.T, text string) {
		if decode.CheckJSON([]byte(text)) != nil {
			return
		}
		show := func(body any) {
			if _, err := respond.Marshal(body); err != nil {
				t.Errorf("%s is accepted and cannot be shown: %v", text, err)
			}
		}
		if w, err := readWidget(decode.NewBody([]byte(text))); err == nil {
			show(wire.FromWidget(w))
		}
		v := decode.NewBody([]byte(text))
		if placements := readDefinition(v); v.Err() == nil {
			show(wire.FromDashboard(domain.Dashboard{Placements: placements}))
		}
	})
}
