// Package lambda declares capabilities over the events that AWS Lambda's functions receive.
//
//capgen:namespace real.lambda
//capgen:schema type=github.com/aws/aws-lambda-go/events.S3Object file=s3object.schema.json
package lambda

import (
	"github.com/aws/aws-lambda-go/events"

	"github.com/capgen/capgen/capabilities"
)

// Notify takes a notification of a change in a bucket and returns it.
//
//capgen:capability s3.notify@1 risk=write scopes=events
type Notify struct {
	capabilities.Returns[events.S3Event]

	// Value is the notification.
	Value events.S3Event `json:"value"`
}

// Proxy takes an HTTP request that a gateway passes on and returns it.
//
//capgen:capability gateway.proxy@1 risk=write scopes=events
type Proxy struct {
	capabilities.Returns[events.APIGatewayV2HTTPRequest]

	// Value is the request.
	Value events.APIGatewayV2HTTPRequest `json:"value"`
}
