// References by the Java compiler itself: a program of its own, started with `java JavacReferences.java`.
//
// It reads one JSON object a line, {"path", "text", "line", "column"} (line from 1, column in characters), and answers each
// with the [line, column] of every name in that file that means the same element, or null. Missing libraries do not matter:
// what stands in the file is resolved all the same.

import com.sun.source.tree.*;
import com.sun.source.util.*;
import java.io.*;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.util.*;
import javax.lang.model.element.*;
import javax.tools.*;

public class JavacReferences {
  public static void main(String[] arguments) throws IOException {
    BufferedReader in = new BufferedReader(new InputStreamReader(System.in, StandardCharsets.UTF_8));
    PrintStream out = new PrintStream(System.out, true, StandardCharsets.UTF_8);
    for (String row = in.readLine(); row != null; row = in.readLine()) {
      out.println(answer(row));
    }
  }

  private static String answer(String row) {
    try {
      String text = string(row, "text");
      List<int[]> found = references(string(row, "path"), text, number(row, "line"), number(row, "column"));
      if (found == null) {
        return "null";
      }
      StringJoiner places = new StringJoiner(",", "[", "]");
      found.forEach(place -> places.add("[" + place[0] + "," + place[1] + "]"));
      return places.toString();
    } catch (Throwable error) { // the compiler may fail on any file; that is no answer
      return "null";
    }
  }

  private static List<int[]> references(String path, String text, int line, int column) throws IOException {
    JavaCompiler compiler = ToolProvider.getSystemJavaCompiler();
    JavaFileObject file = new SimpleJavaFileObject(URI.create("string:///" + path), JavaFileObject.Kind.SOURCE) {
      @Override public CharSequence getCharContent(boolean ignore) {
        return text;
      }

      @Override public boolean isNameCompatible(String name, Kind kind) {
        return true;
      }
    };
    JavacTask task = (JavacTask) compiler.getTask(
        Writer.nullWriter(), null, problem -> { }, List.of("-proc:none", "-XDshould-stop.ifError=FLOW"), null, List.of(file));
    Iterable<? extends CompilationUnitTree> units = task.parse();
    task.analyze();
    Trees trees = Trees.instance(task);
    CompilationUnitTree unit = units.iterator().next();
    Map<Integer, Element> names = new TreeMap<>();
    new Names(trees, unit, text, names).scan(unit, null);
    LineMap lines = unit.getLineMap();
    Element wanted = null;
    for (Map.Entry<Integer, Element> one : names.entrySet()) {
      if (lines.getLineNumber(one.getKey()) == line && column(text, one.getKey()) == column) {
        wanted = one.getValue();
      }
    }
    if (wanted == null) {
      return null;
    }
    List<int[]> found = new ArrayList<>();
    for (Map.Entry<Integer, Element> one : names.entrySet()) {
      if (same(one.getValue(), wanted)) {
        found.add(new int[] {(int) lines.getLineNumber(one.getKey()), column(text, one.getKey())});
      }
    }
    return found;
  }

  // A constructor bears the name of its class, and a record's parameter that of its field.
  private static boolean same(Element one, Element other) {
    return meant(one).equals(meant(other));
  }

  private static Element meant(Element element) {
    return element.getKind() == ElementKind.CONSTRUCTOR ? element.getEnclosingElement() : element;
  }

  private static int column(String text, int at) { // in code points, as the asking program counts
    int start = text.lastIndexOf('\n', at - 1) + 1;
    return text.codePointCount(start, at);
  }

  private static class Names extends TreePathScanner<Void, Void> {
    private final Trees trees;
    private final CompilationUnitTree unit;
    private final String text;
    private final Map<Integer, Element> names;

    Names(Trees trees, CompilationUnitTree unit, String text, Map<Integer, Element> names) {
      this.trees = trees;
      this.unit = unit;
      this.text = text;
      this.names = names;
    }

    private void note(long from, String name, boolean last) {
      Element element = trees.getElement(getCurrentPath());
      long end = trees.getSourcePositions().getEndPosition(unit, getCurrentPath().getLeaf());
      if (element == null || from < 0 || end < 0 || element.asType() == null
          || element.asType().getKind() == javax.lang.model.type.TypeKind.ERROR && element.getKind().isClass()
              && trees.getTree(element) == null) {
        return;
      }
      int at = last ? text.lastIndexOf(name, (int) end - name.length()) : word(name, (int) from, (int) end);
      if (at >= from && at + name.length() <= end) {
        names.put(at, element);
      }
    }

    private int word(String name, int from, int end) {
      for (int at = text.indexOf(name, from); at >= 0 && at < end; at = text.indexOf(name, at + 1)) {
        boolean before = at == 0 || !Character.isJavaIdentifierPart(text.charAt(at - 1));
        int after = at + name.length();
        if (before && (after == text.length() || !Character.isJavaIdentifierPart(text.charAt(after)))) {
          return at;
        }
      }
      return -1;
    }

    private long start(Tree tree) {
      return trees.getSourcePositions().getStartPosition(unit, tree);
    }

    private long end(Tree tree) {
      return tree == null ? -1 : trees.getSourcePositions().getEndPosition(unit, tree);
    }

    @Override public Void visitIdentifier(IdentifierTree tree, Void none) {
      if (!tree.getName().contentEquals("super") && !tree.getName().contentEquals("this")) { // those mean constructors
        note(start(tree), tree.getName().toString(), false);
      }
      return super.visitIdentifier(tree, none);
    }

    @Override public Void visitMemberSelect(MemberSelectTree tree, Void none) {
      note(end(tree.getExpression()), tree.getIdentifier().toString(), true);
      return super.visitMemberSelect(tree, none);
    }

    // The compiler gives no element to the last name of a static import: it is a member of the type before it.
    @Override public Void visitImport(ImportTree tree, Void none) {
      Void result = super.visitImport(tree, none);
      if (tree.isStatic() && tree.getQualifiedIdentifier() instanceof MemberSelectTree select) {
        Element owner = trees.getElement(new TreePath(new TreePath(getCurrentPath(), select), select.getExpression()));
        List<? extends Element> members = owner == null ? List.of() : owner.getEnclosedElements().stream()
            .filter(one -> one.getSimpleName().equals(select.getIdentifier())).toList();
        if (members.size() == 1) {
          names.put((int) end(select) - select.getIdentifier().length(), members.get(0));
        }
      }
      return result;
    }

    @Override public Void visitMemberReference(MemberReferenceTree tree, Void none) {
      note(end(tree.getQualifierExpression()), tree.getName().toString(), true);
      return super.visitMemberReference(tree, none);
    }

    @Override public Void visitVariable(VariableTree tree, Void none) {
      long from = Math.max(start(tree), Math.max(end(tree.getModifiers()), end(tree.getType())));
      note(from, tree.getName().toString(), false);
      return super.visitVariable(tree, none);
    }

    @Override public Void visitMethod(MethodTree tree, Void none) {
      boolean constructor = tree.getReturnType() == null;
      String name = constructor ? enclosing() : tree.getName().toString();
      long from = Math.max(start(tree), Math.max(end(tree.getModifiers()), end(tree.getReturnType())));
      note(from, name, false);
      return super.visitMethod(tree, none);
    }

    private String enclosing() {
      Tree parent = getCurrentPath().getParentPath().getLeaf();
      return parent instanceof ClassTree owner ? owner.getSimpleName().toString() : "";
    }

    @Override public Void visitClass(ClassTree tree, Void none) {
      if (!tree.getSimpleName().isEmpty()) {
        note(Math.max(start(tree), end(tree.getModifiers())), tree.getSimpleName().toString(), false);
      }
      return super.visitClass(tree, none);
    }

    @Override public Void visitTypeParameter(TypeParameterTree tree, Void none) {
      note(start(tree), tree.getName().toString(), false);
      return super.visitTypeParameter(tree, none);
    }
  }

  private static int number(String row, String key) {
    int at = row.indexOf("\"" + key + "\": ") + key.length() + 4;
    int end = at;
    while (end < row.length() && Character.isDigit(row.charAt(end))) {
      end++;
    }
    return Integer.parseInt(row.substring(at, end));
  }

  private static String string(String row, String key) {
    int at = row.indexOf("\"" + key + "\": \"") + key.length() + 5;
    StringBuilder made = new StringBuilder();
    for (; row.charAt(at) != '"'; at++) {
      if (row.charAt(at) != '\\') {
        made.append(row.charAt(at));
        continue;
      }
      char sign = row.charAt(++at);
      switch (sign) {
        case 'n' -> made.append('\n');
        case 't' -> made.append('\t');
        case 'r' -> made.append('\r');
        case 'b' -> made.append('\b');
        case 'f' -> made.append('\f');
        case 'u' -> {
          made.append((char) Integer.parseInt(row.substring(at + 1, at + 5), 16));
          at += 4;
        }
        default -> made.append(sign);
      }
    }
    return made.toString();
  }
}
