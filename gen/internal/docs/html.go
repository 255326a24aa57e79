package docs

import (
	"bytes"
	"crypto/sha256"
	_ "embed"
	"encoding/base64"
	"html/template"
)

var (
	//go:embed page.html
	pageText string
	//go:embed style.css
	style string
	//go:embed search.js
	script string
)

var pageTemplate = template.Must(template.New("page").Funcs(template.FuncMap{"yes": yes}).Parse(pageText))

// policy lets a browser use the page's own style and script and nothing else, neither from elsewhere nor what somebody adds to the page. The icon is
// an empty one, since browsers would ask the server for another.
var policy = "default-src 'none'; style-src " + digest(style) + "; script-src " + digest(script) + "; img-src data:; base-uri 'none'; form-action 'none'"

// digest names a text as Content Security Policy does.
func digest(text string) string {
	sum := sha256.Sum256([]byte(text))
	return "'sha256-" + base64.StdEncoding.EncodeToString(sum[:]) + "'"
}

// html writes the page as HTML.
func (p *Page) html() ([]byte, error) {
	var b bytes.Buffer
	err := pageTemplate.Execute(&b, map[string]any{
		"Marker": template.HTML("<!-- " + Marker + " -->"), // a template leaves out comments of its own
		"Policy": policy,
		"Style":  template.CSS(style),
		"Script": template.JS(script),
		"Page":   p,
	})
	return b.Bytes(), err
}
