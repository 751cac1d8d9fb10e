package scores

import (
	"context"
	"errors"
	"fmt"
	"strconv"
	"unicode/utf16"

	"almanac/internal/decode"
	"almanac/internal/domain"
)

// configs caches the score configs that a batch refers to, each looked up once.
type configs struct {
	lookUp func(id string) (domain.ScoreConfig, error)
	known  map[string]*domain.ScoreConfig // nil if it does not exist
}

func (w *Writer) configsOf(ctx context.Context, scope domain.ProjectScope) *configs {
	return &configs{
		lookUp: func(id string) (domain.ScoreConfig, error) { return w.Config(ctx, scope, id) },
		known:  make(map[string]*domain.ScoreConfig),
	}
}

// find returns a config, or nil if there is none.
func (c *configs) find(id string) (*domain.ScoreConfig, error) {
	if config, ok := c.known[id]; ok {
		return config, nil
	}
	config, err := c.lookUp(id)
	switch {
	case errors.Is(err, domain.ErrNotFound):
		c.known[id] = nil
	case err != nil:
		return nil, fmt.Errorf("cannot look up the score config %q: %w", id, err)
	default:
		c.known[id] = &config
	}
	return c.known[id], nil
}

// settle checks a draft against its config and determines its data type. The refusal says what is wrong with the draft;
// the error means that the config could not be looked up.
func (c *configs) settle(d *Draft) (refusal, err error) {
	if d.ConfigID.Text == "" {
		d.settleAlone()
		return nil, nil
	}
	config, err := c.find(d.ConfigID.Text)
	if err != nil {
		return nil, err
	}
	if issue, wrong := d.violates(config); wrong {
		return &decode.Invalid{Issues: []decode.Issue{issue}}, nil
	}
	d.Name, d.DataType = config.Name, config.DataType
	return nil, nil
}

// settleAlone determines the data type and the name of a score without a config.
func (d *Draft) settleAlone() {
	switch {
	case d.DataType == "" && d.IsText:
		d.DataType = domain.ScoreCategorical
	case d.DataType == "":
		d.DataType = domain.ScoreNumeric
	case d.DataType == domain.ScoreCorrection:
		d.Name = "output"
	}
}

// violates reports how a draft violates its config, if it does. For a categorical score it also sets the number of the
// category.
func (d *Draft) violates(config *domain.ScoreConfig) (issue decode.Issue, wrong bool) {
	violation := func(member, message string) (decode.Issue, bool) {
		return decode.Violation(d.in(member), message), true
	}
	switch {
	case config == nil:
		return violation("configId", fmt.Sprintf("Score config %q not found within authorized project", d.ConfigID.Text))
	case config.Archived:
		return violation("configId", fmt.Sprintf("Score config %q is archived: no new scores can be created with it", config.Name))
	case d.DataType != "" && d.DataType != config.DataType:
		return violation("dataType", fmt.Sprintf("Data type %s does not match data type %s of score config %q", d.DataType, config.DataType,
			config.Name))
	}
	wantsText := config.DataType == domain.ScoreCategorical || config.DataType == domain.ScoreText
	switch {
	case wantsText && !d.IsText:
		return decode.WrongType(d.in("value"), "string", "number"), true
	case !wantsText && d.IsText:
		return decode.WrongType(d.in("value"), "number", "string"), true
	}
	switch config.DataType {
	case domain.ScoreNumeric:
		switch {
		case config.MinValue != nil && d.Number < *config.MinValue:
			return violation("value", fmt.Sprintf("Value %s is below minimum value %s of score config %q", number(d.Number),
				number(*config.MinValue), config.Name))
		case config.MaxValue != nil && d.Number > *config.MaxValue:
			return violation("value", fmt.Sprintf("Value %s exceeds maximum value %s of score config %q", number(d.Number),
				number(*config.MaxValue), config.Name))
		}
	case domain.ScoreBoolean:
		if d.Number != 0 && d.Number != 1 {
			return violation("value", zeroOrOne)
		}
	case domain.ScoreText:
		if longerThan(d.Text, maxText) {
			return decode.TooLong(d.in("value"), "string", maxText), true
		}
	case domain.ScoreCategorical:
		for _, category := range config.Categories {
			if category.Label == d.Text {
				d.category = domain.FloatOf(category.Value)
				return issue, false
			}
		}
		return violation("value", fmt.Sprintf("Value %q is no category of score config %q", shortened(d.Text), config.Name))
	}
	return issue, false
}

func number(f float64) string { return strconv.FormatFloat(f, 'g', -1, 64) }

// longerThan reports whether a string has more than limit characters, counted in UTF-16 code units as in JavaScript.
func longerThan(text string, limit int) bool {
	length := 0
	for _, r := range text {
		if length += utf16.RuneLen(r); length > limit {
			return true
		}
	}
	return false
}

// shortened returns enough of a string to recognise it in a message.
func shortened(text string) string {
	const limit = 100
	n := 0
	for at := range text {
		if n++; n > limit {
			return text[:at] + "…"
		}
	}
	return text
}
