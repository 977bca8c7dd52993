// References by Go's own type checker: a program of its own, started with `go run go_references.go`.
//
// It reads one JSON object a line, {"path", "text", "line", "column"} (line from 1, column in characters), and answers
// each with the [line, column] of every name in that file that means the same object, or null. Packages that cannot be
// imported do not matter: what stands in the file is checked all the same.
package main

import (
	"bufio"
	"encoding/json"
	"errors"
	"fmt"
	"go/ast"
	"go/parser"
	"go/token"
	"go/types"
	"os"
	"unicode/utf8"
)

type question struct {
	Path   string `json:"path"`
	Text   string `json:"text"`
	Line   int    `json:"line"`
	Column int    `json:"column"`
}

type noPackages struct{}

func (noPackages) Import(path string) (*types.Package, error) { return nil, errors.New(path) }

func main() {
	rows := bufio.NewReader(os.Stdin)
	for {
		row, err := rows.ReadBytes('\n')
		if err != nil {
			return
		}
		var asked question
		answer := "null"
		if json.Unmarshal(row, &asked) == nil {
			if found, err := json.Marshal(references(asked)); err == nil {
				answer = string(found)
			}
		}
		fmt.Println(answer)
	}
}

func references(asked question) (places [][2]int) {
	defer func() {
		if recover() != nil {
			places = nil
		}
	}()
	files := token.NewFileSet()
	file, err := parser.ParseFile(files, asked.Path, asked.Text, 0)
	if err != nil {
		return nil
	}
	info := types.Info{Defs: map[*ast.Ident]types.Object{}, Uses: map[*ast.Ident]types.Object{}, Implicits: map[ast.Node]types.Object{}}
	config := types.Config{Importer: noPackages{}, Error: func(error) {}}
	config.Check(file.Name.Name, files, []*ast.File{file}, &info)
	where := func(name *ast.Ident) [2]int {
		at := files.Position(name.Pos())
		before := asked.Text[at.Offset-(at.Column-1) : at.Offset]
		return [2]int{at.Line, utf8.RuneCountInString(before)}
	}
	object := func(name *ast.Ident) types.Object {
		if found := info.Defs[name]; found != nil {
			return found
		}
		return info.Uses[name]
	}
	var wanted types.Object
	ast.Inspect(file, func(node ast.Node) bool {
		if name, ok := node.(*ast.Ident); ok && where(name) == [2]int{asked.Line, asked.Column} {
			wanted = object(name)
		}
		return true
	})
	if wanted == nil {
		return nil
	}
	ast.Inspect(file, func(node ast.Node) bool {
		if name, ok := node.(*ast.Ident); ok && object(name) == wanted {
			places = append(places, where(name))
		}
		return true
	})
	return places
}
