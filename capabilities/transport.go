package capabilities

import "context"

// Transport carries the calls of a generated client to wherever the capabilities are: package mcpclient has one over MCP, [InProcess] is
// one. It is safe for concurrent use.
type Transport interface {
	// Call runs the capability of a contract with an input's JSON and returns the result's. The error is a *[Failure] when the call was
	// answered and did not succeed, a *[ContractMismatch] when the other side has another contract, and else of the transport's own.
	Call(ctx context.Context, contract *Definition, input []byte) (result []byte, err error)
	// Check asks what the other side has now. The error is a *[ContractMismatch] of the first contract that calls cannot lean on any
	// more, and else of the transport's own.
	Check(ctx context.Context, contracts ...*Definition) error
}

// CallOver calls a capability over a transport, typed. Generated clients call it; read is the generated code that reads a result. The input is
// held against its schema before it is sent, and the result against its own. Where the other side finds fault with the input, or its result
// cannot be read, it is asked once for its contract, and a *[ContractMismatch] that this finds is the error. Otherwise the errors are those of
// [Transport], and an input or result that breaks its schema is a *[Failure].
func CallOver[In Declared[In, Out], Out any](ctx context.Context, transport Transport, in In, read func(result []byte, into *Out) Problems) (Out, error) {
	var none, out Out
	capability := in.Capability()
	input, err := capability.encodeInput(in)
	if err != nil {
		return none, inputFailure(err)
	}
	contract := capability.Definition()
	result, err := transport.Call(ctx, contract, input)
	if err != nil {
		if failure, ok := err.(*Failure); ok && failure.Kind == InvalidInput {
			return none, explained(ctx, transport, contract, failure)
		}
		return none, err
	}
	if problems := read(result, &out); len(problems) > 0 {
		return none, explained(ctx, transport, contract, &Failure{Kind: InvalidOutput, Problems: problems})
	}
	return out, nil
}

// explained is the error of a call that failed as it would if the contract had changed after the first call.
func explained(ctx context.Context, transport Transport, contract *Definition, failure *Failure) error {
	if mismatch, ok := transport.Check(ctx, contract).(*ContractMismatch); ok {
		return mismatch.With(failure)
	}
	return failure
}

// InProcess returns a transport to what runs in this process, such as a [Registry] or an executor. It calls as [Call] does, so the error of a
// call is a *[Failure]; client and handler are of one program and so of one contract, and Check finds nothing.
func InProcess(caller Caller) Transport { return inProcess{caller} }

type inProcess struct{ caller Caller }

func (p inProcess) Call(ctx context.Context, contract *Definition, input []byte) ([]byte, error) {
	outcome, err := p.caller.Invoke(ctx, Request{ID: contract.ID, Input: input})
	if err != nil {
		return nil, err
	}
	return outcome.JSON, nil
}

func (inProcess) Check(context.Context, ...*Definition) error { return nil }
