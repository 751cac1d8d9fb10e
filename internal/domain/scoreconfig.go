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
	ID          string
	Name        string
	DataType    string // all but ScoreCorrection
	Archived    bool
	Description *string
	MinValue    *float64
	MaxValue    *float64
	Categories  []ScoreCategory // nil if there are none, as opposed to an empty list
	CreatedAt   time.Time
	UpdatedAt   time.Time
}

// ScoreCategory is one of the possible values of a categorical or boolean score.
type ScoreCategory struct {
	Label string  `json:"label"`
	Value float64 `json:"value"`
}
