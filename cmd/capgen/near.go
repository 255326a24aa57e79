package main

import "github.com/modelcontextprotocol/go-sdk/mcp"

// checkTool reports that a server offers no tool of a name, with the nearest name that it does offer.
func checkTool(name string, tools []*mcp.Tool) error {
	nearest, least := "", 3 // two slips of the finger are a misspelling, three are another word
	for _, tool := range tools {
		if tool.Name == name {
			return nil
		}
		if d := distance(name, tool.Name); d < least {
			nearest, least = tool.Name, d
		}
	}
	if nearest == "" {
		return failedf("there is no tool %q: capgen tools lists those that there are", name)
	}
	return failedf("there is no tool %q: did you mean %q?", name, nearest)
}

// distance is the Levenshtein distance of two names.
func distance(a, b string) int {
	row := make([]int, len(b)+1)
	for j := range row {
		row[j] = j
	}
	for i := range len(a) {
		diagonal := row[0]
		row[0] = i + 1
		for j := range len(b) {
			cost := 1
			if a[i] == b[j] {
				cost = 0
			}
			diagonal, row[j+1] = row[j+1], min(diagonal+cost, row[j]+1, row[j+1]+1)
		}
	}
	return row[len(b)]
}
