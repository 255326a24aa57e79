package source

import (
	"fmt"
	"go/ast"
	"go/parser"
	"go/token"
	"go/types"
	"path/filepath"
	"slices"
	"strconv"
	"strings"

	"github.com/capgen/capgen/gen/internal/model"
)

// capabilitiesPath is the import path of the vocabulary.
const capabilitiesPath = "github.com/capgen/capgen/capabilities"

// stub declares what our output of a package will declare and others may refer to: the Capability methods, the interface of the
// handlers, Bind, Pack and the client. With it in place the code that uses these type-checks before they are generated, and so an error that
// remains is the user's own. It is made from the directives alone: whether they are right is for later stages to say.
type stub struct {
	pkg            *Package
	handlers, bind string
	client         bool // there is one
	pack           string
	isPack         bool
	partial        bool // a capability's result type is unknown
	methods        strings.Builder
	handlerMethods strings.Builder
	clientMethods  strings.Builder
	imports        map[*types.Package]string
	importLines    strings.Builder
}

// newStub makes the stub of a package that has been type-checked without it.
func newStub(pkg *Package) *stub {
	s := &stub{pkg: pkg, handlers: "Handlers", bind: "Bind", pack: "Pack", imports: make(map[*types.Package]string)}
	for _, file := range pkg.Files {
		for _, group := range file.Comments {
			s.rename(group)
			for range directives(group, "client") {
				s.client = true
			}
		}
		for _, decl := range file.Decls {
			if decl, ok := decl.(*ast.GenDecl); ok && decl.Tok == token.TYPE {
				s.declare(decl)
			}
		}
	}
	return s
}

// rename applies //capgen:names, and the pack of //capgen:namespace.
func (s *stub) rename(group *ast.CommentGroup) {
	for args := range directives(group, "namespace") {
		s.isPack = s.isPack || slices.Contains(strings.Fields(args), "pack")
	}
	for args := range directives(group, "names") {
		for _, arg := range strings.Fields(args) {
			key, name, _ := strings.Cut(arg, "=")
			if unquoted, err := strconv.Unquote(name); err == nil {
				name = unquoted
			}
			switch {
			case !token.IsIdentifier(name):
			case key == "handlers":
				s.handlers = name
			case key == "bind":
				s.bind = name
			case key == "pack":
				s.pack = name
			}
		}
	}
}

// declare adds the capabilities that a type declaration declares.
func (s *stub) declare(decl *ast.GenDecl) {
	for _, spec := range decl.Specs {
		spec := spec.(*ast.TypeSpec)
		for range directives(spec.Doc, "capability") {
			s.add(spec)
		}
		for range directives(decl.Doc, "capability") {
			if !decl.Lparen.IsValid() {
				s.add(spec)
			}
		}
	}
}

// add adds one capability, unless the type has a Capability of its own, which later stages refuse.
func (s *stub) add(spec *ast.TypeSpec) {
	name, ok := s.pkg.Types.Scope().Lookup(spec.Name.Name).(*types.TypeName)
	if !ok || spec.TypeParams != nil {
		return
	}
	named, ok := name.Type().(*types.Named)
	if !ok || name.IsAlias() {
		return
	}
	if _, index, _ := types.LookupFieldOrMethod(named, true, s.pkg.Types, "Capability"); len(index) == 1 {
		return
	}
	result := resultOf(named)
	if result == nil {
		return
	}
	out := types.TypeString(result, s.qualify)
	if strings.Contains(out, "invalid type") {
		s.partial = true
		return
	}
	in, method := spec.Name.Name, model.MethodName(spec.Name.Name)
	fmt.Fprintf(&s.methods, "func (%s) Capability() *capgen_capabilities.Capability[%s, %s]\n", in, in, out)
	signature := fmt.Sprintf("%s(capgen_context.Context, %s) (%s, error)\n", method, in, out)
	if isNamed(result, "Nothing") {
		signature = fmt.Sprintf("%s(capgen_context.Context, %s) error\n", method, in)
	}
	fmt.Fprintf(&s.handlerMethods, "\t%s", signature)
	fmt.Fprintf(&s.clientMethods, "func (*%s) %s", model.ClientType, signature)
}

// resultOf returns Out of the marker Returns[Out] that the struct embeds, nil without one. It is invalid if it doesn't type-check:
// then so is the marker.
func resultOf(named *types.Named) types.Type {
	fields, ok := named.Underlying().(*types.Struct)
	if !ok {
		return nil
	}
	for field := range fields.Fields() {
		if field.Embedded() && field.Type() == types.Typ[types.Invalid] {
			return field.Type()
		}
		marker, ok := types.Unalias(field.Type()).(*types.Named)
		if ok && field.Embedded() && isNamed(marker, "Returns") && marker.TypeArgs().Len() == 1 {
			return marker.TypeArgs().At(0)
		}
	}
	return nil
}

// isNamed reports whether t is the vocabulary's type of that name.
func isNamed(t types.Type, name string) bool {
	named, ok := types.Unalias(t).(*types.Named)
	if !ok {
		return false
	}
	obj := named.Obj()
	return obj.Name() == name && obj.Pkg() != nil && obj.Pkg().Path() == capabilitiesPath
}

func (s *stub) empty() bool { return s.methods.Len() == 0 }

// qualify gives every package that a result's type mentions an import that no declaration of the user clashes with.
func (s *stub) qualify(pkg *types.Package) string {
	if pkg == s.pkg.Types {
		return ""
	}
	name, ok := s.imports[pkg]
	if !ok {
		name = fmt.Sprintf("capgen_import_%d", len(s.imports))
		s.imports[pkg] = name
		fmt.Fprintf(&s.importLines, "import %s %q\n", name, pkg.Path())
	}
	return name
}

// parse returns the stub as a file. It bears the name that our output has.
func (s *stub) parse(fset *token.FileSet) *ast.File {
	var text strings.Builder
	fmt.Fprintf(&text, "package %s\n", s.pkg.Types.Name())
	fmt.Fprintf(&text, "import capgen_capabilities %q\n", capabilitiesPath)
	fmt.Fprintf(&text, "import capgen_context \"context\"\n")
	text.WriteString(s.importLines.String())
	text.WriteString(s.methods.String())
	scope := s.pkg.Types.Scope()
	if scope.Lookup(s.handlers) == nil {
		fmt.Fprintf(&text, "type %s interface {\n%s}\n", s.handlers, &s.handlerMethods)
	}
	if scope.Lookup(s.bind) == nil {
		fmt.Fprintf(&text, "func %s(%s, ...capgen_capabilities.BindOption) capgen_capabilities.Bindings\n", s.bind, s.handlers)
	}
	if s.client && scope.Lookup(model.ClientType) == nil && scope.Lookup(model.ClientConstructor) == nil {
		fmt.Fprintf(&text, "type %s struct{}\n%s", model.ClientType, &s.clientMethods)
		fmt.Fprintf(&text, "func (*%s) %s(capgen_context.Context) error\n", model.ClientType, model.ClientCheck)
		fmt.Fprintf(&text, "func %s(capgen_capabilities.Transport) *%s\n", model.ClientConstructor, model.ClientType)
	}
	if s.isPack && scope.Lookup(s.pack) == nil {
		fmt.Fprintf(&text, "func %s() capgen_capabilities.Pack\n", s.pack)
	}
	file, _ := parser.ParseFile(fset, filepath.Join(s.pkg.Dir, OutputName), text.String(), parser.SkipObjectResolution)
	return file
}

// inStub reports whether pos lies in the package's stub.
func (p *Package) inStub(pos token.Pos) bool {
	return p.stub != nil && p.stub.FileStart <= pos && pos <= p.stub.FileEnd
}

// Stub reports whether obj is one of the names that the package's output will declare, and so none of the user's. Such objects are
// among the package's types when somebody refers to them.
func (p *Package) Stub(obj types.Object) bool { return p.inStub(obj.Pos()) }

// Lookup returns what the user declares by that name at package level, nil for nothing.
func (p *Package) Lookup(name string) types.Object {
	if obj := p.Types.Scope().Lookup(name); obj != nil && !p.Stub(obj) {
		return obj
	}
	return nil
}

// aboutOutput reports whether a type error says that something lacks the method that we generate.
func aboutOutput(message string) bool {
	return strings.Contains(message, "missing method Capability") || strings.Contains(message, ".Capability undefined")
}
