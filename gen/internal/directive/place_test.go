package directive_test

const good = "//capgen:capability a:b@1 risk=read access=public"

var misplaced = []findingsTest{
	{"on a group", good + "\ntype (\n\tA struct{}\n\tB struct{}\n)", []string{
		"a.go:2:1: //capgen:capability is on a group of types: write it in the doc comment of the one it means",
	}},
	{"on a group of one", good + "\ntype (\n\tA struct{}\n)", []string{
		"a.go:2:1: //capgen:capability is on a group of types: write it in the doc comment of the one it means",
	}},
	{"trailing a type", "type A struct{} " + good, []string{
		"a.go:2:17: //capgen:capability trails the code on its line: write it in the doc comment of a struct type",
	}},
	{"trailing a brace", "type A struct { " + good + "\n\tF int " + good + "\n} " + good, []string{
		"a.go:2:17: //capgen:capability trails the code on its line: write it in the doc comment of a struct type",
		"a.go:3:8: //capgen:capability trails the code on its line: write it in the doc comment of a struct type",
		"a.go:4:3: //capgen:capability trails the code on its line: write it in the doc comment of a struct type",
	}},
	{"trailing the package clause", "package p //capgen:namespace a", []string{
		"a.go:1:11: //capgen:namespace trails the code on its line: write it in the doc comment of the package clause",
	}},
	{"apart from the type", good + "\n\n// A is one.\ntype A struct{}", []string{
		"a.go:2:1: //capgen:capability stands apart from the type A: leave no blank line between them",
	}},
	{"apart from a type in a group", "type (\n\t" + good + "\n\n\tA struct{}\n)", []string{
		"a.go:3:2: //capgen:capability stands apart from the type A: leave no blank line between them",
	}},
	{"apart from the package clause", "//capgen:namespace a\n\npackage p", []string{
		"a.go:1:1: //capgen:namespace stands apart from the package clause: leave no blank line between them",
	}},
	{"at the end", "type A struct{}\n\n" + good, []string{
		"a.go:4:1: //capgen:capability is on no declaration: write it in the doc comment of a struct type",
	}},
	{"in a struct", "type A struct {\n\tF int\n\t" + good + "\n}", []string{
		"a.go:4:2: //capgen:capability is inside a type: write it in the doc comment of a struct type",
	}},
	{"on a field", "type A struct {\n\t" + good + "\n\tF int\n}", []string{
		"a.go:3:2: //capgen:capability is on a field: write it in the doc comment of a struct type",
	}},
	{"on an interface's method", "type A interface {\n\t//capgen:title x\n\tF()\n}", []string{
		"a.go:3:2: //capgen:title is on a method of an interface: write it in the doc comment of a struct type",
	}},
	{"on a function, method, variable, constant, import", "//capgen:title a\nimport \"fmt\"\n//capgen:title a\nfunc f()\n//capgen:title a\nfunc (A) f()\n" +
		"//capgen:title a\nvar x int\nconst (\n\t//capgen:title a\n\ty = 1\n)", []string{
		"a.go:2:1: //capgen:title is on an import: write it in the doc comment of a struct type",
		"a.go:4:1: //capgen:title is on a function: write it in the doc comment of a struct type",
		"a.go:6:1: //capgen:title is on a method: write it in the doc comment of a struct type",
		"a.go:8:1: //capgen:title is on a var: write it in the doc comment of a struct type",
		"a.go:11:2: //capgen:title is on a const: write it in the doc comment of a struct type",
	}},
	{"in a function", "func f() {\n\t" + good + "\n\ttype A struct{}\n}", []string{
		"a.go:3:2: //capgen:capability is inside a function: write it in the doc comment of a struct type",
	}},
	{"in a function literal", "var f = func() {\n\t" + good + "\n\ttype A struct{}\n}", []string{
		"a.go:3:2: //capgen:capability is inside a function: write it in the doc comment of a struct type",
	}},
	{"on other types", good + "\ntype A interface{}\n" + good + "\ntype B = C\n" + good + "\ntype C[T any] struct{}\n" + good + "\ntype D []int", []string{
		"a.go:2:1: //capgen:capability is on an interface type: write it in the doc comment of a struct type",
		"a.go:4:1: //capgen:capability is on an alias: write type B … without the =",
		"a.go:6:1: //capgen:capability is on a generic type: declare a type for each instance, and write it there",
		"a.go:8:1: //capgen:capability is on a type that is neither struct nor interface: write it in the doc comment of a struct type",
	}},
	{"of the package on a type", "//capgen:namespace a\ntype A struct{}", []string{
		"a.go:2:1: //capgen:namespace is on a struct type: write it in the doc comment of the package clause",
	}},
	{"of a type on the package", good + "\n//capgen:schema title=a\npackage p", []string{
		"a.go:1:1: //capgen:capability is on the package clause: write it in the doc comment of a struct type",
		"a.go:2:1: //capgen:schema on the package clause declares the schema of another package's type: write //capgen:schema type=PATH.NAME file=FILE",
	}},
	{"twice", good + "\n" + good + "\n//capgen:title a\n//capgen:title b\ntype A struct{}", []string{
		"a.go:3:1: //capgen:capability is written twice: keep one",
		"a.go:5:1: //capgen:title is written twice: keep one",
	}},
	{"title of what is no capability", "//capgen:title a\n//capgen:deprecated use b\ntype A struct{}", []string{
		"a.go:2:1: //capgen:title says more about a capability, which this type is not: add //capgen:capability ID risk=… access=public|scopes=… key=value…",
		"a.go:3:1: //capgen:deprecated says more about a capability, which this type is not: add //capgen:capability ID risk=… access=public|scopes=… key=value…",
	}},
	{"unknown", "//capgen:capabilty a:b@1\n//capgen:foo\n//capgen:kapability x\ntype A struct{}", []string{
		"a.go:2:10: unknown directive //capgen:capabilty: did you mean //capgen:capability?",
		"a.go:3:10: unknown directive //capgen:foo: the directives are capability, title, deprecated, migrates, removed, namespace, names, client, docs, schema, union, variant",
		"a.go:4:10: unknown directive //capgen:kapability: did you mean //capgen:capability?",
	}},
	{"beside nothing", "//capgen:union discriminator=kind\ntype A interface{}\n//capgen:variant x\n//capgen:migrates what\n//capgen:removed note\ntype B struct{}", []string{
		"a.go:5:1: //capgen:migrates says more about a capability, which this type is not: add //capgen:capability ID risk=… access=public|scopes=… key=value…",
		"a.go:6:1: //capgen:removed says more about a capability, which this type is not: add //capgen:capability ID risk=… access=public|scopes=… key=value…",
	}},
}

var nearMisses = []findingsTest{
	{"a space first", "// capgen:capability a:b@1 risk=read\ntype A struct{}", []string{
		"a.go:2:1: this comment is no directive: write //capgen:capability a:b@1 …",
	}},
	{"a space after the colon", "//capgen: capability a:b@1\ntype A struct{}", []string{
		"a.go:2:1: this comment is no directive: write //capgen:capability a:b@1",
	}},
	{"letter case", "//Capgen:capability a:b@1\n//capgen:Capability a:b@1\n//capgen:TITLE two words\ntype A struct{}", []string{
		"a.go:2:1: this comment is no directive: write //capgen:capability a:b@1",
		"a.go:3:1: this comment is no directive: write //capgen:capability a:b@1",
		"a.go:4:1: this comment is no directive: write //capgen:title two …",
	}},
	{"another tool's name", "//cagpen:capability a:b@1\n//capgem:title x\n//go:generate x\n//apigen:schema x\ntype A struct{}", []string{
		"a.go:2:1: this comment is no directive: write //capgen:capability a:b@1",
		"a.go:3:1: this comment is no directive: write //capgen:title x",
	}},
	{"no colon", "//capgen capability a:b@1\n//capgen.schema x=1\ntype A struct{}", []string{
		"a.go:2:1: this comment is no directive: write //capgen:capability a:b@1",
		"a.go:3:1: this comment is no directive: write //capgen:schema x=1",
	}},
	{"other markers", "// +capgen:schema x=1\n//capgen::schema x=1\n//capgen:\ntype A struct{}", []string{
		"a.go:2:1: this comment is no directive: write //capgen:schema x=1",
		"a.go:3:1: this comment is no directive: write //capgen:schema x=1",
		"a.go:4:1: this comment is no directive: write //capgen:NAME, where NAME is one of capability, title, deprecated, migrates, removed, namespace, names, client, docs, schema, union, variant",
	}},
	{"misspelt too", "// capgen:capabilty a:b@1\n//capgen: capabilty a:b@1\ntype A struct{}", []string{
		"a.go:2:1: this comment is no directive: write //capgen:capability a:b@1",
		"a.go:3:1: this comment is no directive: write //capgen:capability a:b@1",
	}},
	{"a block", "/*capgen:capability a:b@1*/\ntype A struct{}\n/*\ncapgen:schema title=x\nmore\n*/\ntype B struct{}", []string{
		"a.go:2:1: this comment is no directive: write //capgen:capability a:b@1",
		"a.go:4:1: this comment is no directive: write //capgen:schema title=x",
	}},
	{"spaces and arguments", "// capgen: capability a:b@1 risk=read\n// capgen: namespace a\ntype A struct{}", []string{
		"a.go:2:1: this comment is no directive: write //capgen:capability a:b@1 …",
		"a.go:3:1: this comment is no directive: write //capgen:namespace a",
	}},
	{"prose", "// capgen: names are chosen here.\n// capgen: the tool.\n// capgen is a tool. capgen:capability is a line.\n// Write //capgen:capability on it.\n" +
		"// capgen:ignore\n//\t//capgen:capability a:b@1\n//capgen is good\n/* capgen: title = x */\ntype A struct{}", nil},
}
