// Package fidelity holds the generator to cases from public bug reports of its kind: each declaration is really generated, built and
// run, and its schema, its decoder and its encoder are held against what the case says and against the reference validator.
//
// The cases are testdata/fidelity.jsonl, one JSON object a line:
//   - go is one file, or several in txtar form, of the package fid.test/ID; type names the type in it that the case is about, and
//     direction says which way it goes. The type is a value: the test declares capabilities around it.
//   - facts are JSON Pointers into the type's schema with the value expected there; absent says that there is no such member.
//   - accept and reject are texts of the type; rejected_by says who refuses: schema, decode (one of the documented exceptions, which
//     the schema alone would accept), both, syntax, policy, or validator-panic (a text on which the reference validator crashes).
//     An output schema is open, so it need not refuse the texts in needs_closed.
//   - values are Go expressions with the text that is sent for them; decodes are texts with the value they stand for.
//   - constraints are keywords to put on fields, by their JSON Pointers.
//   - error says that the declaration must be refused, and why.
package fidelity
