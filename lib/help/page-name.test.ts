import { expect, test } from "vitest";
import { helpFiles, helpHref } from "./page-name";

test("finds the file of an address, and none outside the documentation", () => {
  expect(helpFiles([])).toEqual(["README.md"]);
  expect(helpFiles(["glossary"])).toEqual(["glossary.md", "glossary/README.md"]);
  expect(helpFiles(["reference", "graph.schema.json"])).toEqual(["reference/graph.schema.json"]);
  for (const segments of [[".."], ["..", "package"], ["a", "b", "c"], ["%2e%2e"], ["a/b"], ["decisions\\x"]])
    expect(helpFiles(segments)).toEqual([]);
});

test("resolves links between pages, and leaves others alone", () => {
  expect(helpHref("tutorials/first-graph.md", "../reference/nodes.md#approval")).toBe("/help/reference/nodes#approval");
  expect(helpHref("README.md", "reference/README.md")).toBe("/help/reference");
  expect(helpHref("README.md", "decisions/")).toBe(null);
  expect(helpHref("reference/nodes.md", "graph.schema.json")).toBe("/help/reference/graph.schema.json");
  expect(helpHref("README.md", "#here")).toBe("#here");
  expect(helpHref("README.md", "../LICENSE")).toBe(null);
  expect(helpHref("README.md", "https://example.org/docs/x.md")).toBe(null);
});
