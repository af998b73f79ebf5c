import fs from "node:fs";
import path from "node:path";
import { expect, test } from "vitest";
import { parse } from "yaml";
import { ROOT } from "@/bin/start/settings";
import { graphSchema } from "@/lib/graph/document";
import { NODE_KINDS, type NodeKind } from "@/lib/graph/kinds";
import { hasErrors, validateGraph } from "@/lib/graph/validate";
import { EXAMPLE_CONTEXT, EXAMPLES } from "./examples";
import { buildFiles, PYTHON_CLIENT } from "./pages";

const folder = path.join(ROOT, "docs", "reference");

const builtFiles = buildFiles(ROOT);

test("docs/reference and the Python client match the code (update them with npm run reference)", async () => {
  const files = await builtFiles;
  const pages = fs.readdirSync(folder).map((name) => `docs/reference/${name}`);
  expect([...pages, PYTHON_CLIENT].toSorted()).toEqual([...files.keys()].toSorted());
  const stale = [...files].filter(([name, text]) => fs.readFileSync(path.join(ROOT, name), "utf8") !== text);
  expect(stale.map(([name]) => name)).toEqual([]);
}, 120_000);

test.each(Object.keys(NODE_KINDS) as NodeKind[])("the example of %s has the node and no errors", (kind) => {
  const example = EXAMPLES[kind];
  expect(example.nodes.map((node) => node.kind)).toContain(kind);
  const problems = validateGraph(example, EXAMPLE_CONTEXT);
  expect({ problems: hasErrors(problems) ? problems : [] }).toEqual({ problems: [] });
});

test("the graph of the first tutorial has no problems", () => {
  const document: unknown = parse(fs.readFileSync(path.join(ROOT, "docs", "tutorials", "first.yaml"), "utf8"));
  expect(validateGraph(document, EXAMPLE_CONTEXT)).toEqual([]);
});

test("prints each example as a document that parses", async () => {
  const text = (await builtFiles).get("docs/reference/nodes.md") ?? "";
  const blocks = [...text.matchAll(/^```json\n([\s\S]*?)\n```$/gmu)].map(([, block = ""]) => graphSchema.parse(JSON.parse(block)).id);
  expect(blocks).toEqual(Object.keys(NODE_KINDS));
}, 120_000);
