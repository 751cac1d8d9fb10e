package media_test

import (
	"testing"

	"almanac/internal/catalog/pgtest"
)

func TestMain(m *testing.M) { pgtest.Main(m) }
