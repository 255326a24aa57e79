package codec

import "github.com/capgen/capgen/capabilities"

// Of joins generated functions to a capability's codec: one that reads the input, and those that write the input and the result.
func Of[In, Out any](read func(*Decoder, *In), writeInput func(*Encoder, *In), writeOutput func(*Encoder, *Out)) capabilities.Codec[In, Out] {
	return capabilities.Codec[In, Out]{
		Decode:       func(text []byte, into *In) capabilities.Problems { return Decode(text, into, read) },
		AppendInput:  func(dst []byte, value *In) ([]byte, error) { return Append(dst, value, writeInput) },
		AppendOutput: func(dst []byte, value *Out) ([]byte, error) { return Append(dst, value, writeOutput) },
	}
}

// Reader joins a generated function that reads a result to a client's call.
func Reader[Out any](read func(*Decoder, *Out)) func(text []byte, into *Out) capabilities.Problems {
	return func(text []byte, into *Out) capabilities.Problems { return Decode(text, into, read) }
}
