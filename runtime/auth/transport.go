package auth

import (
	"fmt"
	"io"
	"net/http"
	"net/url"
)

// maxDocumentBytes is the largest discovery document or key set that is read. Large ones have some 50 KiB.
const maxDocumentBytes = 1 << 20

// boundClient returns a copy of an application's client that reads no more than it should, from where it should.
func boundClient(client *http.Client, issuer *url.URL) *http.Client {
	bound := *client
	next := client.Transport
	if next == nil {
		next = http.DefaultTransport
	}
	bound.Transport = boundTransport{next: next, plain: issuer.Scheme == "http"}
	return &bound
}

// boundTransport sees every request, redirected ones too.
type boundTransport struct {
	next  http.RoundTripper
	plain bool // http is allowed on the loopback
}

func (t boundTransport) RoundTrip(request *http.Request) (*http.Response, error) {
	if u := request.URL; u.Scheme != "https" && !(t.plain && u.Scheme == "http" && isLoopback(u)) {
		return nil, fmt.Errorf("%s is not https, so that anybody on the way could replace the keys", u.Redacted())
	}
	request = request.Clone(request.Context())
	request.Close = true // there is a fetch every few minutes, and a connection that waits for it costs two goroutines
	response, err := t.next.RoundTrip(request)
	if err != nil {
		return nil, err
	}
	if response.StatusCode != http.StatusOK {
		_ = response.Body.Close()
		response.Body = http.NoBody // go-oidc would put all of it into the error
		return response, nil
	}
	response.Body = &boundBody{ReadCloser: response.Body, left: maxDocumentBytes}
	return response, nil
}

// boundBody is a body that fails when it is too long, where io.LimitReader would cut it.
type boundBody struct {
	io.ReadCloser
	left int
}

func (b *boundBody) Read(p []byte) (int, error) {
	n, err := b.ReadCloser.Read(p)
	if b.left -= n; b.left < 0 {
		return 0, fmt.Errorf("the document has more than %d bytes", maxDocumentBytes)
	}
	return n, err
}
