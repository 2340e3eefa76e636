package tests

import (
	"go/ast"
	"go/parser"
	"go/token"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

// TestGoWritesNoPointersForTheCaller: where Go writes a pointer it has its collector look at what stood there before, and a
// caller's out parameter may hold anything. Such addresses cross as numbers.
func TestGoWritesNoPointersForTheCaller(t *testing.T) {
	files, err := filepath.Glob("../capi/*.go")
	require.NoError(t, err)
	exported := 0
	for _, file := range files {
		tree, err := parser.ParseFile(token.NewFileSet(), file, nil, parser.ParseComments)
		require.NoError(t, err)
		for _, d := range tree.Decls {
			f, ok := d.(*ast.FuncDecl)
			if !ok || !strings.HasPrefix(f.Name.Name, "gotolk_") {
				continue
			}
			exported++
			for _, p := range f.Type.Params.List {
				require.False(t, isPointerToPointer(p.Type), "%s takes a pointer to a pointer; let it be a *C.uintptr_t", f.Name.Name)
			}
		}
	}
	require.Greater(t, exported, 30)
}

func isPointerToPointer(e ast.Expr) bool {
	outer, ok := e.(*ast.StarExpr)
	if !ok {
		return false
	}
	_, ok = outer.X.(*ast.StarExpr)
	return ok
}
