import java.io.BufferedReader;
import java.io.InputStreamReader;
import java.net.URI;
import java.util.Base64;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import javax.tools.Diagnostic;
import javax.tools.DiagnosticCollector;
import javax.tools.JavaCompiler;
import javax.tools.JavaFileObject;
import javax.tools.SimpleJavaFileObject;
import javax.tools.ToolProvider;

/**
 * Reads a name and a text in base64 a line; answers with "syntax" and the symbols that javac cannot resolve. The argument
 * holds the folders of the sources beside it.
 */
public class Judge {
  private static final Pattern SYMBOL = Pattern.compile("symbol:\\s+\\w+ ([\\w$]+)");

  record Source(String name, String text) {}

  public static void main(String[] arguments) throws Exception {
    JavaCompiler compiler = ToolProvider.getSystemJavaCompiler();
    var files = compiler.getStandardFileManager(null, Locale.ENGLISH, null);
    BufferedReader lines = new BufferedReader(new InputStreamReader(System.in, "UTF-8"));
    for (String line = lines.readLine(); line != null; line = lines.readLine()) {
      Source source = read(line);
      String name = source.name().replaceAll(".*/", "");
      var file =
          new SimpleJavaFileObject(URI.create("string:///" + name), JavaFileObject.Kind.SOURCE) {
            @Override
            public CharSequence getCharContent(boolean ignoring) {
              return source.text();
            }
          };
      DiagnosticCollector<JavaFileObject> found = new DiagnosticCollector<>();
      List<String> options =
          List.of("-proc:none", "-implicit:none", "-Xmaxerrs", "2000", "-XDshould-stop.ifError=FLOW", "-sourcepath",
              arguments[0]);
      var task = (com.sun.source.util.JavacTask) compiler.getTask(null, files, found, options, null, List.of(file));
      Set<String> faults = new LinkedHashSet<>();
      try {
        task.analyze();
      } catch (RuntimeException | AssertionError error) {
        faults.add("crash");
      }
      for (Diagnostic<? extends JavaFileObject> row : found.getDiagnostics()) {
        if (row.getKind() != Diagnostic.Kind.ERROR) continue;
        if (row.getSource() != null && !row.getSource().toUri().equals(file.toUri())) continue;
        String code = row.getCode();
        if (code.startsWith("compiler.err.cant.resolve")) {
          Matcher symbol = SYMBOL.matcher(row.getMessage(Locale.ENGLISH));
          if (symbol.find()) faults.add(symbol.group(1));
        } else if (code.contains("expected") || code.contains("illegal.start") || code.contains("premature")) {
          faults.add("syntax");
        }
      }
      StringBuilder answer = new StringBuilder("[");
      for (String fault : faults) answer.append(answer.length() > 1 ? "," : "").append('"').append(fault).append('"');
      System.out.println(answer.append(']'));
      System.out.flush();
    }
  }

  private static Source read(String line) throws Exception {
    String[] parts = line.split(" ");
    return new Source(parts[0], new String(Base64.getDecoder().decode(parts[1]), "UTF-8"));
  }
}
