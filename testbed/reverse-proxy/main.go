// A reverse proxy on Go's library, as ingress controllers in front of stores are. It does what a proxy may do and others seldom do:
// interim answers come before every answer, and bodies come in chunks, without their length.
package main

import (
	"crypto/tls"
	"flag"
	"log"
	"net/http"
	"net/http/httputil"
	"net/url"
)

func main() {
	listen := flag.String("listen", "", "address to listen on")
	upstream := flag.String("upstream", "", "address of the store, with http://")
	certificate := flag.String("certificate", "", "certificate in PEM; none for plain HTTP")
	key := flag.String("key", "", "key of the certificate in PEM")
	version := flag.String("version", "TLSv1.3", "the one version of TLS to speak: TLSv1.2 or TLSv1.3")
	flag.Parse()

	store, err := url.Parse(*upstream)
	if err != nil {
		log.Fatal(err)
	}
	proxy := &httputil.ReverseProxy{
		Rewrite: func(request *httputil.ProxyRequest) {
			request.SetURL(store)
			// Requests are signed for the address that the client knows.
			request.Out.Host = request.In.Host
		},
		ModifyResponse: chunked,
		FlushInterval:  -1,
	}
	server := &http.Server{
		Addr:      *listen,
		Handler:   interim(proxy),
		TLSConfig: &tls.Config{MinVersion: tlsVersion(*version), MaxVersion: tlsVersion(*version)},
	}
	if *certificate == "" {
		log.Fatal(server.ListenAndServe())
	}
	log.Fatal(server.ListenAndServeTLS(*certificate, *key))
}

func tlsVersion(name string) uint16 {
	if name == "TLSv1.2" {
		return tls.VersionTLS12
	}
	return tls.VersionTLS13
}

func chunked(answer *http.Response) error {
	// The length is all that a HEAD says of a body.
	if answer.Request.Method != http.MethodHead {
		answer.Header.Del("Content-Length")
		answer.ContentLength = -1
	}
	return nil
}

func interim(next http.Handler) http.Handler {
	return http.HandlerFunc(func(answer http.ResponseWriter, request *http.Request) {
		answer.WriteHeader(http.StatusContinue)
		answer.WriteHeader(http.StatusEarlyHints)
		next.ServeHTTP(answer, request)
	})
}
