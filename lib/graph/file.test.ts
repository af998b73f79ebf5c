import { assert, constantFrom, jsonValue, property, record, string, tuple } from "fast-check";
import { expect, test } from "vitest";
import { arbitraryGraph } from "@/lib/graph/arbitrary";
import { graphSchema, type Graph, type GraphInput } from "@/lib/graph/document";
import { toPlainJson } from "@/lib/json";
import { computeContentHash, FILE_FORMATS, formatGraphFileName, readGraphFile, writeGraphFile } from "./file";

const NASTY = [
  "yes",
  "~",
  "null",
  "0x1F",
  "1e3",
  ".inf",
  "- a",
  "a: b",
  "# no comment",
  " leading",
  "trailing ",
  "\ttab",
  "a\n\n\nb\n",
  "\r\n",
  "'",
  '"',
  "*a",
  "&a",
  "!!str x",
  "---",
  "...",
  "%YAML 1.1",
  "<<",
  "{}",
  "\u2028\u2029\u0085\ufeff",
  "\u001b[0m",
  "👩‍👩‍👧 ‏עברית",
  "x".repeat(300),
];

const text = string({ unit: "binary", maxLength: 30 });
const anyText = constantFrom(...NASTY).chain((nasty) => tuple(text, text).map(([before, after]) => `${before}${nasty}${after}`));

const withText = tuple(
  arbitraryGraph,
  record({ name: anyText, description: anyText, title: anyText, key: anyText, json: jsonValue({ maxDepth: 4, stringUnit: "binary" }) }),
)
  .map(([graph, { name, description, title, key, json }]): GraphInput => ({
    ...graph,
    name: `n${name}`.slice(0, 120),
    description: description.slice(0, 2_000),
    inputs: { type: "object", [key.slice(0, 200)]: json },
    nodes: graph.nodes.map((node, index) => (index === 0 ? { ...node, title: title.slice(0, 120), position: { x: -0, y: 1e21 } } : node)),
  }))
  .map((graph): Graph | null => {
    const plain = toPlainJson(JSON.parse(JSON.stringify(graph)), { maxBytes: 1_000_000, maxDepth: 60 });

    return plain.ok && !JSON.stringify(graph).includes("\\u0000") ? (graphSchema.safeParse(plain.value).data ?? null) : null;
  })
  .filter((graph) => graph !== null);

test.each(FILE_FORMATS)("any document has the same content hash after it was written as %s and read again", (format) => {
  assert(
    property(withText, (graph) => {
      const file = writeGraphFile(graph, format);
      const back = readGraphFile(file?.text ?? "");
      expect(back.ok && back.value.hash).toBe(file?.hash);
      expect(file?.hash === computeContentHash(graph)).toBe(file?.leftOut.length === 0);
    }),
    { numRuns: 120 },
  );
});

const graph = graphSchema.parse({
  format: "countersign/graph/v1",
  id: "desk",
  name: "Support: Über & Co",
  memory: [{ key: "question", schema: { type: "string" } }],
  nodes: [{ id: "end", kind: "router", config: {} }],
  edges: [],
  start_node: "end",
  end_nodes: ["end"],
});

test("the content hash names all that is drawn, and not which graph it is", () => {
  expect(computeContentHash({ ...graph, id: "other" })).toBe(computeContentHash(graph));
  expect(computeContentHash(graph)).toBe(computeContentHash(graphSchema.parse(JSON.parse(JSON.stringify(graph)))));
  expect(computeContentHash({ ...graph, description: "x" })).not.toBe(computeContentHash(graph));
  expect(computeContentHash({ ...graph, nodes: graph.nodes.map((node) => ({ ...node, position: { x: 1, y: 0 } })) })).not.toBe(
    computeContentHash(graph),
  );
});

const SECRET = `ghp_${"a1B2c3D4e5".repeat(4)}`;

test.each(FILE_FORMATS)("a file in %s has no secret: omitted values are named, and references to them remain", (format) => {
  const dirty = { ...graph, description: `Log in with ${SECRET}.`, id: SECRET, name: `Uses ${SECRET}` };
  const file = writeGraphFile(dirty, format);

  expect(file?.text).not.toContain(SECRET);
  expect(file?.text).not.toContain(SECRET.slice(4));
  expect(file?.leftOut).toEqual([
    { path: ["id"], what: "GitHub token" },
    { path: ["name"], what: "GitHub token" },
    { path: ["description"], what: "GitHub token" },
  ]);
  expect(file?.hash).not.toBe(computeContentHash(dirty));
  const back = readGraphFile(file?.text ?? "");
  expect(back.ok && [back.value.graph.id, back.value.graph.name, back.value.hash]).toEqual([
    "secret_left_out_1",
    "Uses secret_left_out_1",
    file?.hash,
  ]);
});

test("rejects an invalid graph as a whole and names the line of each fault", () => {
  const file = writeGraphFile(graph, "yaml")?.text ?? "";
  const read = readGraphFile(file.replace("kind: router", "kind: rooter").replace("key: question", "key: 9"));

  expect(read.ok ? [] : read.error.map(({ place }) => place?.line)).toEqual([
    file.split("\n").findIndex((line) => line.includes("key: question")) + 1,
    file.split("\n").findIndex((line) => line.includes("kind: router")) + 1,
  ]);
});

test.each([
  ["", "There is nothing in it."],
  ["just words", "Not a graph: it has neither a format nor nodes."],
  ["[]", "Not a graph: it has neither a format nor nodes."],
])("text that is no graph is said to be none: %j", (file, message) => {
  const read = readGraphFile(file);

  expect(read.ok ? [] : read.error.map((found) => found.message)).toEqual([message]);
});

test("a file of the command line is read with what it carries named", () => {
  const read = readGraphFile(JSON.stringify({ ...graph, agents: [], subgraphs: [] }));

  expect(read.ok && read.value.carried).toEqual(["agents", "subgraphs"]);
  expect(read.ok && read.value.hash).toBe(computeContentHash(graph));
});

test("a file is named after graph and content", () => {
  expect(formatGraphFileName(graph, computeContentHash(graph), "yaml")).toMatch(/^support-uber-co\.[0-9a-f]{8}\.yaml$/);
});

test("a file's name has no secret either", () => {
  const name = formatGraphFileName({ ...graph, name: `Deploy pul-${"a1b2c3d4e5".repeat(4)}` }, computeContentHash(graph), "json");

  expect(name).not.toContain("a1b2c3d4e5");
  expect(name).toMatch(/^deploy-secret-left-out-1\./);
});
