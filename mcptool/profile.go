package mcptool

import (
	"fmt"
	"slices"
	"strings"
)

// Profile is a family of clients that refuse the same things.
type Profile string

// The profiles.
const (
	// All is what every family below but [OpenAIStrict] accepts, as declarations can give it: see [Rule.Default].
	All Profile = "all"
	// Claude is Anthropic's API, Claude Code and Claude Desktop.
	Claude Profile = "claude"
	// OpenAI is OpenAI's API, Codex and ChatGPT, without strict mode.
	OpenAI Profile = "openai"
	// OpenAIStrict is OpenAI's API with strict: true, also called Structured Outputs.
	OpenAIStrict Profile = "openai-strict"
	// Gemini is Google's API, Gemini CLI and what sends the schemas of tools as parameters of function declarations.
	Gemini Profile = "gemini"
	// Bedrock is the Converse API of Amazon Bedrock, with Claude and Nova behind it.
	Bedrock Profile = "bedrock"
	// Cursor is the editor.
	Cursor Profile = "cursor"
	// VSCode is Visual Studio Code with Copilot.
	VSCode Profile = "vscode"
)

// Profiles returns the profiles in the order in which they are listed.
func Profiles() []Profile {
	return []Profile{All, Claude, OpenAI, OpenAIStrict, Gemini, Bedrock, Cursor, VSCode}
}

// ParseProfile returns the profile of a name. The error names the closest and lists them all.
func ParseProfile(name string) (Profile, error) {
	if slices.Contains(Profiles(), Profile(name)) {
		return Profile(name), nil
	}
	return "", fmt.Errorf("there is no profile %q: %sthe profiles are %s", name, nearest(name), join(Profiles()))
}

// nearest suggests the profile that begins as a name does, for as long as any.
func nearest(name string) string {
	best, most := Profile(""), 0
	for _, p := range Profiles() {
		same := 0
		for same < min(len(p), len(name)) && p[same] == name[same]|0x20 {
			same++
		}
		if same > most || same == most && same > 0 && abs(len(p)-len(name)) < abs(len(best)-len(name)) {
			best, most = p, same
		}
	}
	if most == 0 {
		return ""
	}
	return fmt.Sprintf("did you mean %s? ", best)
}

func abs(n int) int { return max(n, -n) }

// join lists profiles with commas, and "and" before the last.
func join(profiles []Profile) string {
	var b strings.Builder
	for i, p := range profiles {
		switch {
		case i == 0:
		case i == len(profiles)-1:
			b.WriteString(" and ")
		default:
			b.WriteString(", ")
		}
		b.WriteString(string(p))
	}
	return b.String()
}
