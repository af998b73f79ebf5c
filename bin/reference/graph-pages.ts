import { env } from "@/lib/graph/cel/environment";
import { graphSchema, nodeSchema } from "@/lib/graph/document";
import { NODE_KINDS, type NodeKind } from "@/lib/graph/kinds";
import { PROBLEMS, type ProblemCode } from "@/lib/graph/problems/problem";
import type { JsonObject } from "@/lib/json";
import type { DescribeField } from "./comments";
import { EXAMPLES } from "./examples";
import { renderFieldTable, convertSchema, renderTable } from "./fields";
import { formatJson, renderJson, renderPage, type Page } from "./page";
import { PROBLEM_TEXTS } from "./problems";

const kinds = Object.keys(NODE_KINDS) as NodeKind[];

const without = (schema: JsonObject, ...names: readonly string[]): JsonObject => ({
  ...schema,
  properties: Object.fromEntries(Object.entries(schema["properties"] as JsonObject).filter(([name]) => !names.includes(name))),
});

const graphPage = (describe: DescribeField): Page => {
  const schema = convertSchema(graphSchema, describe);
  const about = "Every field of the graph document.";

  return {
    file: "graph.md",
    title: "Graph document",
    about,
    text: renderPage(
      "Graph document",
      `${about} Unknown fields are errors. Documents travel as JSON or YAML; [graph.schema.json](graph.schema.json) lets editors check them. Fields of nodes are under [Node kinds](nodes.md).`,
      renderFieldTable({
        ...schema,
        properties: { ...(without(schema, "nodes")["properties"] as JsonObject), nodes: { type: "array", description: "See Node kinds." } },
      }),
    ),
  };
};

const nodesPage = (describe: DescribeField): Page => {
  const [first] = nodeSchema.options;
  const about = "Fields that all nodes share, and the configuration of each kind with an example.";
  const sections = kinds.map((kind) => {
    const { title, about: summary, config } = NODE_KINDS[kind];
    const schema = convertSchema(config, describe);
    const isEmpty = Object.keys((schema["properties"] ?? {}) as JsonObject).length === 0;

    return [
      `## ${kind}`,
      `${title}. ${summary}.`,
      isEmpty ? "No configuration." : renderFieldTable(schema),
      renderJson(EXAMPLES[kind]),
    ].join("\n\n");
  });

  return {
    file: "nodes.md",
    title: "Node kinds",
    about,
    text: renderPage(
      "Node kinds",
      `${about} The examples pass the validator in a workspace that has the agents \`writer\`, \`critic\` and \`third\`, the tool \`desk/find\`, and the first example as a published graph.`,
      "## All kinds",
      renderFieldTable(without(convertSchema(first, describe), "kind", "config")),
      ...sections,
    ),
  };
};

const OPERATORS: Readonly<Record<string, string>> = { "_[_]": "a[b]", "_?_:_": "a ? b : c", "@in": "a in b", "!_": "!a", "-_": "-a" };
const syntaxOf = (name: string): string => OPERATORS[name] ?? (/^_(\W+)_$/u.test(name) ? `a ${name.slice(1, -1)} b` : name);

const VARIABLES = [
  [
    "memory",
    "Memory keys that the node may read, as `memory.key.member`. Numbers whose schema says `integer` are integers, others doubles; both mix in `+ - * /`.",
  ],
  ["goal", "Goal of the run, a string."],
  ["constraints", "Constraints of the run, a list of strings."],
  ["run", "`run.iteration_count` and `run.retry_count`, integers."],
  [
    "env",
    "Variables of the run's environment, as `env.REGION`: text, numbers and booleans. A run starts only if it has all that its version names.",
  ],
  ["item", "Item of a map's worker, or candidate of an evolution. Elsewhere an error."],
] as const;

const MACROS = [
  ["has(a.b)", "True when the member exists."],
  ["list.all(x, test)", "True when every item passes."],
  ["list.exists(x, test)", "True when an item passes."],
  ["list.exists_one(x, test)", "True when exactly one item passes."],
  ["list.filter(x, test)", "Items that pass."],
  ["list.map(x, value)", "A list of the values."],
  ["tainted(memory.a.b)", "True when the value at the path is untrusted. The decision is labelled as if it had read the value."],
  ["label(memory.a.b)", "`integrity`, `confidentiality` and `provenance` (a list) of the value at the path."],
] as const;

const expressionsPage = (): Page => {
  const functions = Map.groupBy([...env.funcs], ({ name }) => name);
  const about = "CEL in conditions, transforms, verifiers and fitness functions: variables, macros and functions.";
  const typed = (type: unknown) => String(type).replaceAll("google.protobuf.", "");
  const rows = [...functions]
    .toSorted(([a], [b]) => (a < b ? -1 : 1))
    .map(([name, overloads]) => [
      `\`${syntaxOf(name)}\``,
      overloads
        .map(
          (one) =>
            `\`${one.target === undefined ? "" : `${typed(one.target)}.`}(${one.arguments.map(typed).join(", ")}) → ${typed(one.result)}\``,
        )
        .join("<br>"),
    ]);

  return {
    file: "expressions.md",
    title: "Expressions",
    about,
    text: renderPage(
      "Expressions",
      `${about} Expressions are pure. A macro inside a macro is an error, because it would be quadratic in the data. Regular expressions are RE2. Types are checked by the declared schemas when a graph is saved. An integer beyond 2^53 is refused as a result, because JSON would round it.`,
      "## Variables",
      renderTable(
        ["variable", "value"],
        VARIABLES.map(([name, value]) => [`\`${name}\``, value]),
      ),
      "## Macros",
      renderTable(
        ["macro", "value"],
        MACROS.map(([name, value]) => [`\`${name}\``, value]),
      ),
      "## Functions and operators",
      renderTable(["function", "types"], rows),
    ),
  };
};

const problemsPage = (): Page => {
  const about = "Codes that the validator reports about a graph, with cause and remedy.";

  return {
    file: "problems.md",
    title: "Problems",
    about,
    text: renderPage(
      "Problems",
      `${about} A graph with errors cannot be published.`,
      renderTable(
        ["code", "severity", "cause", "remedy"],
        (Object.keys(PROBLEMS) as ProblemCode[]).map((code) => [`\`${code}\``, PROBLEMS[code], ...PROBLEM_TEXTS[code]]),
      ),
    ),
  };
};

const schemaFile = (describe: DescribeField): Page => ({
  file: "graph.schema.json",
  title: "JSON Schema of the graph document",
  about: "For editors and other programs.",
  text: formatJson({ title: "Countersign graph document", ...convertSchema(graphSchema, describe) }),
});

export const buildGraphPages = (describe: DescribeField): readonly Page[] => [
  graphPage(describe),
  nodesPage(describe),
  expressionsPage(),
  problemsPage(),
  schemaFile(describe),
];
