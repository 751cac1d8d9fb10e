package playground_test

import (
	"testing"

	"almanac/internal/httpapi/apitest"
)

func TestMain(m *testing.M) { apitest.Main(m) }
