package directive_test

// on puts directive lines on a struct.
func on(lines string) string { return lines + "\ntype A struct{}" }

var badArguments = []findingsTest{
	{"unknown key", on("//capgen:capability a:b@1 rsk=read access=public colour=red"), []string{
		"a.go:2:27: //capgen:capability has no key rsk=: did you mean risk=?",
		"a.go:2:50: //capgen:capability has no key colour=: its keys are risk=, access=, scopes=, tool=, timeout=, idempotent, openworld, reviewed-by=",
	}},
	{"unknown words", on("//capgen:capability a:b@1 risk=read access=public idempotnet // read only"), []string{
		`a.go:2:51: unexpected word "idempotnet": did you mean idempotent?`,
		`a.go:2:62: unexpected word "//": write //capgen:capability ID risk=… access=public|scopes=… key=value…`,
		`a.go:2:65: unexpected word "read": write //capgen:capability ID risk=… access=public|scopes=… key=value…`,
		`a.go:2:70: unexpected word "only": write //capgen:capability ID risk=… access=public|scopes=… key=value…`,
	}},
	{"a text directive as a key", on("//capgen:capability a:b@1 risk=read access=public title=\"My title\""), []string{
		"a.go:2:51: //capgen:capability has no key title=: write a line of its own, //capgen:title TEXT",
	}},
	{"twice", on("//capgen:capability a:b@1 risk=read risk=write access=public openworld openworld"), []string{
		"a.go:2:37: risk= is written twice: keep one",
		"a.go:2:72: openworld is written twice: keep one",
	}},
	{"missing", on("//capgen:capability idempotent"), []string{
		"a.go:2:1: //capgen:capability lacks its ID: write //capgen:capability ID risk=… access=public|scopes=… key=value…",
		"a.go:2:1: //capgen:capability lacks one of access=public, scopes=SCOPE,…",
		"a.go:2:1: //capgen:capability lacks risk=: write risk=read|write|destructive",
	}},
	{"excluding", on("//capgen:capability a:b@1 scopes=a risk=read access=public"), []string{
		"a.go:2:46: access= and scopes= exclude each other: keep one",
	}},
	{"without value", on("//capgen:capability a:b@1 risk access= scopes"), []string{
		"a.go:2:27: risk= has no value: write risk=read|write|destructive",
		"a.go:2:32: access= has no value: write access=public, without a space after the =",
		"a.go:2:40: access= and scopes= exclude each other: keep one",
		"a.go:2:40: scopes= has no value: write scopes=SCOPE,…",
	}},
	{"flag with value", on("//capgen:capability a:b@1 risk=read access=public idempotent=true"), []string{
		"a.go:2:51: idempotent takes no value: write idempotent",
	}},
	{"spaces around =", on("//capgen:capability a:b@1 risk = read access=public"), []string{
		"a.go:2:27: risk= has no value: write risk=read|write|destructive",
		"a.go:2:32: nothing stands before =: write key=value, without spaces around the =",
		`a.go:2:34: unexpected word "read": write //capgen:capability ID risk=… access=public|scopes=… key=value…`,
	}},
	{"no symbol", on("//capgen:schema file=x.json\n//capgen:schema type=a.B unit=\"a b\""), []string{
		"a.go:3:1: //capgen:schema is written twice: keep one",
		`a.go:3:32: the value of unit is a symbol of at most 32 characters, without spaces and quotes, not "a b": write one such as unit=ms`,
	}},
	{"quotes", on("//capgen:schema title=\"a\\x\" b\n//capgen:schema title=`a b\n//capgen:schema \"a b\"c title=x\n//capgen:schema title=\"a\"b\n" +
		"//capgen:schema enum=[\"a\",\"b\"]\n//capgen:schema title='a b'"), []string{
		`a.go:2:23: the text after title= has no closing ", or an escape that Go does not know`,
		"a.go:3:1: //capgen:schema is written twice: keep one",
		"a.go:3:23: the text after title= has no closing `",
		"a.go:4:1: //capgen:schema is written twice: keep one",
		`a.go:4:17: a quoted text needs a key before it: write key="…"`,
		"a.go:5:1: //capgen:schema is written twice: keep one",
		`a.go:5:26: a closing quote ends the argument: write a space after it`,
		"a.go:6:1: //capgen:schema is written twice: keep one",
		"a.go:6:23: a value that holds quotes is quoted as a whole: write enum=`…` or enum=\"…\"",
		"a.go:7:1: //capgen:schema is written twice: keep one",
		"a.go:7:23: a value that holds quotes is quoted as a whole: write title=`…` or title=\"…\"",
		`a.go:7:26: unexpected word "b'": write //capgen:schema keyword=value…`,
	}},
	{"schema", on("//capgen:schema minLenght=1 deprecated x-mcp-header=Region maxLength=\"a\" minimum=01 pattern="), []string{
		"a.go:2:17: //capgen:schema has no key minLenght=: did you mean minLength=?",
		"a.go:2:29: deprecated= has no value: write deprecated=true",
		`a.go:2:40: x-mcp-header is about one parameter: write it in the tag of the field, x-mcp-header:"Region"`,
		`a.go:2:71: the value of maxLength is a whole number from 0, not "a": write one such as maxLength=1`,
		`a.go:2:82: the value of minimum is a number, not "01": write one such as minimum=1`,
		"a.go:2:85: pattern= has no value: write pattern=…, without a space after the =",
	}},
	{"nothing", on("//capgen:schema") + "\n//capgen:title\n//capgen:capability a:b@1 risk=read access=public\ntype B struct{}", []string{
		"a.go:2:1: //capgen:schema says nothing: write //capgen:schema keyword=value…",
		"a.go:4:1: //capgen:title has no text: write //capgen:title TEXT",
	}},
	{"of the package", "//capgen:namespace\n//capgen:names\npackage p", []string{
		"a.go:1:1: //capgen:namespace lacks its NS: write //capgen:namespace NS",
		"a.go:2:1: //capgen:names says nothing: write //capgen:names handlers=NAME bind=NAME pack=NAME",
	}},
	{"of the package, too many", "//capgen:namespace a b c=d\n//capgen:names Bind handlrs=X\npackage p", []string{
		`a.go:1:22: unexpected word "b": write //capgen:namespace NS`,
		"a.go:1:24: //capgen:namespace has no key c=: its keys are pack",
		`a.go:2:16: unexpected word "Bind": did you mean bind=?`,
		"a.go:2:21: //capgen:names has no key handlrs=: did you mean handlers=?",
	}},
}

var badValues = []findingsTest{
	{"ID", on("//capgen:capability b@1 risk=read access=public") + "\n//capgen:capability a:b risk=read access=public\ntype B struct{}\n" +
		"//capgen:capability A:b@1 risk=read access=public\ntype C struct{}\n//capgen:capability a:b@0 risk=read access=public\ntype D struct{}", []string{
		`a.go:2:21: capability ID "b@1" has no namespace: write namespace:name@major, such as example.catalog:album.lookup@1, or put //capgen:namespace NS on the package clause`,
		`a.go:4:21: capability ID "a:b" has no major version: write a:b@1`,
		`a.go:6:21: namespace "A" is not of the form [a-z][a-z0-9]*([.-][a-z0-9]+)*: write lower-case words joined by . or -`,
		`a.go:8:21: major version "0" is not a whole number from 1, such as 1`,
	}},
	{"ID in a namespace", "//capgen:namespace a\npackage p\n//capgen:capability b risk=read access=public\ntype A struct{}", []string{
		`a.go:3:21: capability ID "b" has no major version: write b@1`,
	}},
	{"namespace", "//capgen:namespace A_B\npackage p\n//capgen:capability b@1 risk=read access=public\ntype A struct{}", []string{
		`a.go:1:20: namespace "A_B" is not of the form [a-z][a-z0-9]*([.-][a-z0-9]+)*: write lower-case words joined by . or -`,
	}},
	{"names", "//capgen:names handlers=a-b bind=_\npackage p", []string{
		`a.go:1:25: handlers= "a-b" is not a Go name: write one such as CatalogHandlers`,
		`a.go:1:34: bind= "_" is not a Go name: write one such as CatalogBind`,
	}},
	{"names alike", "//capgen:names handlers=Bind\npackage p", []string{
		"a.go:1:1: //capgen:names gives handlers= and bind= the same name, Bind: write two",
	}},
	{"a pack's name", "//capgen:namespace a pack\n//capgen:names pack=Bind\npackage p", []string{
		"a.go:2:1: //capgen:names gives pack= a name that is handlers= or bind= too, Bind: write another",
	}},
	{"no pack's name", "//capgen:namespace a\n//capgen:names pack=Catalog\npackage p", []string{
		"a.go:2:21: pack= names what is generated for a pack, and the package is none: write //capgen:namespace NS pack, or leave it out",
	}},
	{"risk", on("//capgen:capability a:b@1 risk=raed access=public") + "\n//capgen:capability a:b@1 risk=\"high\" access=public\ntype B struct{}", []string{
		`a.go:2:32: risk "raed" is none of read, write, destructive: did you mean risk=read?`,
		`a.go:4:33: risk "high" is none of read, write, destructive: write one of them`,
	}},
	{"public write", on("//capgen:capability a:b@1 risk=write access=public"), []string{
		"a.go:2:38: access=public goes with risk=read only: write scopes=SCOPE,… for what a caller must hold",
	}},
	{"access", on("//capgen:capability a:b@1 risk=read access=album:read"), []string{
		`a.go:2:44: access "album:read" is not known: write access=public, or scopes=SCOPE,… for what a caller must hold`,
	}},
	{"scopes", on("//capgen:capability a:b@1 risk=read scopes=a,B,a,") + "\n//capgen:capability a:b@1 risk=read scopes=\"\\x61, b\"\ntype B struct{}", []string{
		`a.go:2:46: scope "B" is not of the form [a-z][a-z0-9:._-]{0,63}: write scopes=a,b`,
		`a.go:2:48: scope "a" is written twice: keep one`,
		`a.go:2:50: scope "" is not of the form [a-z][a-z0-9:._-]{0,63}: write scopes=a,b`,
		`a.go:4:50: scope " b" is not of the form [a-z][a-z0-9:._-]{0,63}: write scopes=a,b`,
	}},
	{"tool", on("//capgen:capability a:b@1 risk=read access=public tool=a.b"), []string{
		`a.go:2:56: tool name "a.b" is not of the form [A-Za-z][A-Za-z0-9_-]{0,63}`,
	}},
	{"timeout", on("//capgen:capability a:b@1 risk=read access=public timeout=30") + "\n//capgen:capability a:b@1 risk=read access=public timeout=6m\ntype B struct{}\n" +
		"//capgen:capability a:b@1 risk=read access=public timeout=0s\ntype C struct{}", []string{
		`a.go:2:59: timeout "30" is not a duration: write one such as 30s`,
		"a.go:4:59: timeout 6m is out of range: write more than 0s and at most 300s",
		"a.go:6:59: timeout 0s is out of range: write more than 0s and at most 300s",
	}},
}
