// Package browser tests the reference page that capgen docs writes, in a real Chromium without a window.
package browser
