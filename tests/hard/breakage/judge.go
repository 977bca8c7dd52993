// Reads a name and a text in base64 a line; answers with "syntax" and the names that the type checker of Go cannot find.
package main

import (
	"bufio"
	"encoding/base64"
	"encoding/json"
	"errors"
	"fmt"
	"go/ast"
	"go/parser"
	"go/token"
	"go/types"
	"os"
	"regexp"
	"strings"
)

var unknown = regexp.MustCompile(`^(?:undeclared name|undefined): (\w+)$`)

// none imports no package: what a file takes from others is not judged.
type none struct{}

func (none) Import(path string) (*types.Package, error) { return nil, errors.New(path) }

func faults(name, text string) (names []string) {
	seen := map[string]bool{}
	add := func(fault string) {
		if !seen[fault] {
			seen[fault] = true
			names = append(names, fault)
		}
	}
	files := token.NewFileSet()
	file, err := parser.ParseFile(files, name, text, 0)
	if err != nil {
		add("syntax")
	}
	if file == nil {
		return
	}
	check := types.Config{Importer: none{}, FakeImportC: true, Error: func(err error) {
		var fault types.Error
		if errors.As(err, &fault) {
			if match := unknown.FindStringSubmatch(fault.Msg); match != nil {
				add(match[1])
			}
		}
	}}
	check.Check("main", files, []*ast.File{file}, nil)
	return
}

func main() {
	lines := bufio.NewReaderSize(os.Stdin, 1<<20)
	for {
		line, err := lines.ReadString('\n')
		if err != nil {
			return
		}
		name, encoded, _ := strings.Cut(strings.TrimSpace(line), " ")
		text, _ := base64.StdEncoding.DecodeString(encoded)
		answer, _ := json.Marshal(append([]string{}, faults(name, string(text))...))
		fmt.Println(string(answer))
	}
}
