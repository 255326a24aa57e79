package directive

import (
	"go/ast"
	"go/token"
)

// site is where a comment stands.
type site struct {
	// is holds the places that it can be; which of them a name stands for only the type checker knows.
	is Place
	// spec is the type, when it is one.
	spec *ast.TypeSpec
	// what says where it stands when that is no good, as in "is on a field".
	what string
	// remedy is what to do about it, for a directive that goes with what is near.
	remedy string
	near   Place
}

// sites are the places of a file where a comment can be. They are looked for when the first is asked for.
type sites struct {
	fset *token.FileSet
	file *ast.File
	// docs holds what the doc comments belong to.
	docs map[*ast.CommentGroup]site
	// bodies are the outermost function bodies.
	bodies []*ast.BlockStmt
	// code holds where code begins, for each line that has any.
	code map[int]token.Pos
}

// of returns where a comment stands. A doc comment never trails code: the parser sees to that.
func (s *sites) of(group *ast.CommentGroup, comment *ast.Comment) site {
	if s.docs == nil {
		s.findDocs()
	}
	if at, found := s.docs[group]; found {
		return at
	}
	if s.trails(comment) {
		return site{what: "trails the code on its line"}
	}
	for _, body := range s.bodies {
		if body.Pos() < comment.Slash && comment.Slash < body.End() {
			return site{what: "is inside a function"}
		}
	}
	return s.apart(group)
}

func (s *sites) findDocs() {
	s.docs = map[*ast.CommentGroup]site{}
	ast.Inspect(s.file, func(n ast.Node) bool {
		switch n := n.(type) {
		case *ast.FuncDecl:
			what := "is on a function"
			if n.Recv != nil {
				what = "is on a method"
			}
			s.doc(n.Doc, site{what: what})
		case *ast.BlockStmt:
			s.bodies = append(s.bodies, n)
			return false
		case *ast.StructType:
			s.fields(n.Fields, "is on a field")
		case *ast.InterfaceType:
			s.fields(n.Methods, "is on a method of an interface")
		case *ast.GenDecl:
			s.declaration(n)
		}
		return true
	})
	s.doc(s.file.Doc, site{is: OnPackage, what: "is on the package clause"})
}

func (s *sites) doc(group *ast.CommentGroup, at site) {
	if group != nil {
		s.docs[group] = at
	}
}

func (s *sites) fields(list *ast.FieldList, what string) {
	for _, field := range list.List {
		s.doc(field.Doc, site{what: what})
	}
}

// trails reports whether code stands before a comment on its line.
func (s *sites) trails(comment *ast.Comment) bool {
	if s.code == nil {
		s.code = map[int]token.Pos{}
		s.note(s.file.Package)
		ast.Inspect(s.file, func(n ast.Node) bool {
			switch n.(type) {
			case nil, *ast.CommentGroup:
				return false
			case *ast.File:
				return true
			}
			s.note(n.Pos())
			s.note(n.End() - 1)
			return true
		})
	}
	code, found := s.code[s.line(comment.Slash)]
	return found && code < comment.Slash
}

// note remembers that code stands at pos.
func (s *sites) note(pos token.Pos) {
	line := s.line(pos)
	if first, found := s.code[line]; !found || pos < first {
		s.code[line] = pos
	}
}

func (s *sites) line(pos token.Pos) int { return s.fset.PositionFor(pos, false).Line }

// declaration notes the doc comments of a type, var, const or import declaration.
func (s *sites) declaration(decl *ast.GenDecl) {
	for _, spec := range decl.Specs {
		switch spec := spec.(type) {
		case *ast.TypeSpec:
			at := typeSite(spec)
			s.doc(spec.Doc, at)
			s.doc(decl.Doc, at)
		case *ast.ValueSpec:
			s.doc(spec.Doc, site{what: "is on a " + decl.Tok.String()})
		case *ast.ImportSpec:
			s.doc(spec.Doc, site{what: "is on an import"})
		}
	}
	switch {
	case decl.Tok == token.IMPORT:
		s.doc(decl.Doc, site{what: "is on an import"})
	case decl.Tok != token.TYPE:
		s.doc(decl.Doc, site{what: "is on a " + decl.Tok.String()})
	case decl.Lparen.IsValid():
		s.doc(decl.Doc, site{what: "is on a group of types", near: onType, remedy: "write it in the doc comment of the one it means"})
	}
}

// typeSite says what a type declaration can be, by its syntax.
func typeSite(spec *ast.TypeSpec) site {
	at := site{is: OnType, spec: spec, what: "is on a type that is neither struct nor interface"}
	switch {
	case spec.Assign.IsValid():
		at.is, at.what, at.near, at.remedy = 0, "is on an alias", onType, "write type "+spec.Name.Name+" … without the ="
		return at
	case spec.TypeParams != nil:
		at.what, at.near, at.remedy = "is on a generic type", OnStruct|OnInterface, "declare a type for each instance, and write it there"
		return at
	}
	switch ast.Unparen(spec.Type).(type) {
	case *ast.StructType:
		at.is, at.what = OnType|OnStruct, "is on a struct type"
	case *ast.InterfaceType:
		at.is, at.what = OnType|OnInterface, "is on an interface type"
	case *ast.Ident, *ast.SelectorExpr, *ast.IndexExpr, *ast.IndexListExpr:
		at.is = OnType | OnStruct | OnInterface
	}
	return at
}

// apart returns the site of a comment that is nobody's doc comment.
func (s *sites) apart(group *ast.CommentGroup) site {
	if group.Pos() < s.file.Package {
		return site{
			what: "stands apart from the package clause", near: OnPackage,
			remedy: "leave no blank line between them",
		}
	}
	for _, decl := range s.file.Decls {
		types, ok := decl.(*ast.GenDecl)
		if !ok || types.Tok != token.TYPE {
			if group.Pos() < decl.End() {
				break
			}
			continue
		}
		for _, spec := range types.Specs {
			if spec := spec.(*ast.TypeSpec); group.Pos() < spec.Pos() {
				return site{
					what: "stands apart from the type " + spec.Name.Name, near: onType,
					remedy: "leave no blank line between them",
				}
			} else if group.Pos() < spec.End() {
				return site{what: "is inside a type"}
			}
		}
	}
	return site{what: "is on no declaration"}
}
