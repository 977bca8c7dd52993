// References in C# by NRefactory, which MonoDevelop used before Roslyn: a program of its own. With Debian's packages
// mono-mcs and libicsharpcode-nrefactory-cil-dev: `mcs -pkg:nrefactory -r:System.Runtime.Serialization
// -out:NRefactoryReferences.exe NRefactoryReferences.cs`, then `mono NRefactoryReferences.exe`.
//
// It reads one JSON object a line, {"path", "text", "line", "column"} (line from 1, column in characters), and answers
// each with the [line, column] of every name in that file that means the same, or null. It knows C# 5: of a file with
// newer syntax nothing is said, but for nullable types, `?.` and `namespace N;`. Nor of what another file may tie to a
// name (overrides, members of interfaces), and of a name that also stands where its meaning is not known.

using System;
using System.Collections.Generic;
using System.IO;
using System.Linq;
using System.Runtime.Serialization;
using System.Runtime.Serialization.Json;
using System.Text;
using System.Text.RegularExpressions;
using ICSharpCode.NRefactory;
using ICSharpCode.NRefactory.CSharp;
using ICSharpCode.NRefactory.CSharp.Resolver;
using ICSharpCode.NRefactory.CSharp.TypeSystem;
using ICSharpCode.NRefactory.Semantics;
using ICSharpCode.NRefactory.TypeSystem;

[DataContract]
class Question
{
    [DataMember(Name = "path")] public string Path;
    [DataMember(Name = "text")] public string Text;
    [DataMember(Name = "line")] public int Line;
    [DataMember(Name = "column")] public int Column;
}

// A file with what its names mean; nothing of one that cannot be read.
class Source
{
    static readonly IUnresolvedAssembly[] Library =
        new[] { typeof(object), typeof(Uri), typeof(Enumerable) }.Select(Load).ToArray();

    public readonly string Text;
    readonly CSharpAstResolver resolver;
    readonly ILookup<string, Identifier> names;

    public Source(string path, string text)
    {
        Text = text;
        var parser = new CSharpParser();
        SyntaxTree tree = parser.Parse(Older(text), path);
        if (parser.HasErrors)
            return;
        CSharpUnresolvedFile file = tree.ToTypeSystem();
        var project = new CSharpProjectContent().AddAssemblyReferences(Library).AddOrUpdateFiles(file);
        resolver = new CSharpAstResolver(project.CreateCompilation(), tree, file);
        names = tree.Descendants.OfType<Identifier>().ToLookup(one => one.Name);
    }

    static IUnresolvedAssembly Load(Type type)
    {
        return new CecilLoader().LoadAssemblyFile(type.Assembly.Location);
    }

    // The text with some newer syntax written in an older way, each name where it was.
    static string Older(string text)
    {
        const string nullable = @"(?<=\b(string|object|[A-Z]\w*)(<[\w, <>]*>)?(\[\])?)\?";
        text = Regex.Replace(text, @"^[ \t]*#nullable.*$", row => new string(' ', row.Length), RegexOptions.Multiline);
        text = Regex.Replace(text, @"(?<=[\w>\])])\?(?=\.|\[)", " ");
        text = Regex.Replace(text, nullable + @"(?=( \w+ *[;,=){]| \w+\(|[>,)]))", " ");
        string scoped = Regex.Replace(text, @"^(namespace [\w.]+) *;", "$1{", RegexOptions.Multiline);
        return scoped == text ? text : scoped + "}";
    }

    // Lines from 1 and columns in units of UTF-16 from 1; null where there is no answer.
    public List<Tuple<int, int>> References(string word, int line, int column)
    {
        if (names == null)
            return null;
        Identifier here = names[word].FirstOrDefault(one => one.StartLocation == new TextLocation(line, column));
        object meant = here == null ? null : Meaning(here);
        var found = new List<Tuple<int, int>>();
        foreach (Identifier one in names[word])
        {
            object other = Meaning(one);
            if (meant == null || other == null)
                return null;
            if (other.Equals(meant))
                found.Add(Tuple.Create(one.StartLocation.Line, one.StartLocation.Column));
        }
        return found;
    }

    // Where that is declared what a name means, or its full name if elsewhere; null where it is not known.
    object Meaning(Identifier name)
    {
        AstNode node = name.Parent;
        if (node is NamedArgumentExpression || node is NamedExpression || node is UsingAliasDeclaration)
            return null;
        ResolveResult result = resolver.Resolve(node);
        if (result is LocalResolveResult)
            return ((LocalResolveResult)result).Variable.Region.Begin;
        if (result is MethodGroupResolveResult)
            result = node.Parent is InvocationExpression ? resolver.Resolve(node.Parent) : null;
        if (result == null || result.IsError)
            return null;
        if (result is MemberResolveResult)
            return Place(((MemberResolveResult)result).Member);
        if (result is NamespaceResolveResult)
            return ((NamespaceResolveResult)result).NamespaceName;
        if (!(result is TypeResolveResult))
            return null;
        if (result.Type is ITypeParameter)
            return ((ITypeParameter)result.Type).Region.Begin;
        return Place(result.Type.GetDefinition());
    }

    static object Place(IMember member)
    {
        if (member.IsOverride || member.IsVirtual || member.IsAbstract || member.ImplementedInterfaceMembers.Any())
            return null;
        bool creates = member is IMethod && ((IMethod)member).IsConstructor;
        return creates ? Place(member.DeclaringTypeDefinition) : Place((IEntity)member.MemberDefinition);
    }

    static object Place(IEntity entity)
    {
        return entity == null ? null : entity.Region.IsEmpty ? (object)entity.FullName : entity.Region.Begin;
    }
}

static class NRefactoryReferences
{
    static void Main()
    {
        Console.InputEncoding = Console.OutputEncoding = new UTF8Encoding(false);
        var form = new DataContractJsonSerializer(typeof(Question));
        Source source = null;
        for (string row = Console.ReadLine(); row != null; row = Console.ReadLine())
        {
            var asked = (Question)form.ReadObject(new MemoryStream(Encoding.UTF8.GetBytes(row)));
            string answer = "null";
            try
            {
                source = source != null && source.Text == asked.Text ? source : new Source(asked.Path, asked.Text);
                answer = Answer(asked, source);
            }
            catch (Exception)
            {
                // the resolver may fail on any file; that is no answer
            }
            Console.WriteLine(answer);
            Console.Out.Flush();
        }
    }

    static string Answer(Question asked, Source source)
    {
        string[] rows = asked.Text.Split('\n');
        string row = rows[asked.Line - 1];
        int units = Units(row, asked.Column);
        string word = Regex.Match(row.Substring(units), @"^\w+").Value;
        List<Tuple<int, int>> found = source.References(word, asked.Line, units + 1);
        if (found == null)
            return "null";
        var places = found.Select(at => "[" + at.Item1 + ", " + Characters(rows[at.Item1 - 1], at.Item2 - 1) + "]");
        return "[" + string.Join(", ", places) + "]";
    }

    static int Units(string row, int characters)
    {
        int at = 0;
        for (; characters > 0 && at < row.Length; characters--)
            at += char.IsSurrogatePair(row, at) ? 2 : 1;
        return at;
    }

    static int Characters(string row, int units)
    {
        int count = 0;
        for (int at = 0; at < units && at < row.Length; count++)
            at += char.IsSurrogatePair(row, at) ? 2 : 1;
        return count;
    }
}
