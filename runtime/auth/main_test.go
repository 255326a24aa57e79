package auth_test

import (
	"testing"

	"go.uber.org/goleak"
)

// Verifiers have nothing to close, so nothing may be left to end: no goroutine, and no idle connection, which is two.
func TestMain(m *testing.M) { goleak.VerifyTestMain(m) }
