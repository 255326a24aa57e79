package directive

import "strings"

// Nearest returns the candidate that a word was probably meant to be, or "" when none is near: a third of the letters may
// differ, letter case counts for nothing, and of equally near ones the first wins.
func Nearest(word string, candidates []string) string {
	best, least := "", 0
	for _, candidate := range candidates {
		distance := edits(strings.ToLower(word), strings.ToLower(candidate))
		if distance > max(len(word), len(candidate))/3 {
			continue
		}
		if best == "" || distance < least {
			best, least = candidate, distance
		}
	}
	return best
}

// edits counts the letters to insert, delete or replace, and the neighbours to swap, that lead from a to b.
func edits(a, b string) int {
	before, last, row := make([]int, len(b)+1), make([]int, len(b)+1), make([]int, len(b)+1)
	for j := range last {
		last[j] = j
	}
	for i := range len(a) {
		row[0] = i + 1
		for j := range len(b) {
			same := last[j]
			if a[i] != b[j] {
				same++
			}
			row[j+1] = min(same, last[j+1]+1, row[j]+1)
			if i > 0 && j > 0 && a[i] == b[j-1] && a[i-1] == b[j] {
				row[j+1] = min(row[j+1], before[j-1]+1)
			}
		}
		before, last, row = last, row, before
	}
	return last[len(b)]
}
