package domain

import "time"

// The data types of scores.
const (
	ScoreNumeric     = "NUMERIC"
	ScoreBoolean     = "BOOLEAN"
	ScoreCategorical = "CATEGORICAL"
	ScoreText        = "TEXT"
	ScoreCorrection  = "CORRECTION"
)

// ScoreConfig defines which scores with one name are valid. Configs are archived, never deleted, since scores refer to
// them.
type ScoreConfig struct {
	ID          string          `json:"-"`
	Name        string          `json:"name"`
	DataType    string          `json:"dataType"` // all but ScoreCorrection
	Archived    bool            `json:"isArchived"`
	Description *string         `json:"description"`
	MinValue    *float64        `json:"minValue"`
	MaxValue    *float64        `json:"maxValue"`
	Categories  []ScoreCategory `json:"categories"` // nil if there are none, as opposed to an empty list
	CreatedAt   time.Time       `json:"-"`
	UpdatedAt   time.Time       `json:"-"`
}

// ScoreCategory is one of the possible values of a categorical or boolean score.
type ScoreCategory struct {
	Label string  `json:"label"`
	Value float64 `json:"value"`
}
