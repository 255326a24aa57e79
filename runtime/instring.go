package runtime

// What a byte of JSON needs in a JSON string.
const (
	needsBackslash = 1
	isControl      = 2
)

var inString = func() (table [256]byte) {
	table['"'], table['\\'] = needsBackslash, needsBackslash
	for c := range ' ' {
		table[c] = isControl
	}
	return table
}()

// appendInString appends a JSON text to a JSON string that is begun: what needs a backslash there gets one. The text is UTF-8, as JSON is, and its only control
// characters are the space between tokens.
func appendInString(dst, text []byte) []byte {
	start := len(dst)
	dst = grow(dst, 2*len(text)+1)
	out := dst[start:cap(dst)]
	n, met := 0, byte(0)
	// Every second token of JSON is a quote, in no order that a processor could foretell: so each byte is written behind a backslash or over it, without a branch.
	for _, c := range text {
		needs := inString[c]
		out[n] = '\\'
		n += int(needs & needsBackslash)
		out[n] = c
		n++
		met |= needs
	}
	if met&isControl != 0 {
		return appendWithControls(dst[:start], text)
	}
	return dst[:start+n]
}

// appendWithControls is appendInString for a text with line breaks or tabs between its tokens.
func appendWithControls(dst, text []byte) []byte {
	for _, c := range text {
		switch c {
		case '"', '\\':
			dst = append(dst, '\\', c)
		case '\n':
			dst = append(dst, `\n`...)
		case '\r':
			dst = append(dst, `\r`...)
		case '\t':
			dst = append(dst, `\t`...)
		default:
			dst = append(dst, c)
		}
	}
	return dst
}
