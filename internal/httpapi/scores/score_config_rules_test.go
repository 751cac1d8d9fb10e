package scores

import (
	"testing"

	"almanac/internal/decode"
	"almanac/internal/domain"
)

// FuzzScoreConfig checks that no body makes the readers panic, and that accepted configs are consistent.
func FuzzScoreConfig(f *testing.F) {
	for _, seed := range []string{
		`{"name":"n","dataType":"NUMERIC","minValue":1,"maxValue":2}`,
		`{"name":"n","dataType":"CATEGORICAL","categories":[{"label":"a","value":1e308}]}`,
		`{"name":"n","dataType":"BOOLEAN"}`, `{"isArchived":true,"categories":[[]]}`, `[]`,
	} {
		f.Add([]byte(seed))
	}
	f.Fuzz(func(t *testing.T, text []byte) {
		if decode.CheckJSON(text) != nil {
			return
		}
		if config, err := readScoreConfig(decode.NewBody(text)); err == nil {
			if misfits := scoreConfigMisfits(config); len(misfits) > 0 || config.Name == "" {
				t.Errorf("accepted %s, which does not fit: %v", text, misfits)
			}
		}
		if change, err := readScoreConfigChange(decode.NewBody(text)); err == nil {
			var config domain.ScoreConfig
			change.apply(&config)
			_ = refuseMisfits(config)
		}
	})
}
