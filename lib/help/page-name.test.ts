import { expect, test } from "vitest";
import { listHelpFiles, resolveHelpLink } from "./page-name";

test("finds the file of an address, and none outside the documentation", () => {
  expect(listHelpFiles([])).toEqual(["README.md"]);
  expect(listHelpFiles(["glossary"])).toEqual(["glossary.md", "glossary/README.md"]);
  expect(listHelpFiles(["reference", "graph.schema.json"])).toEqual(["reference/graph.schema.json"]);
  expect(listHelpFiles(["reference", "openapi.json"])).toEqual(["reference/openapi.json"]);
  for (const segments of [["package.json"], [".."], ["..", "package"], ["a", "b", "c"], ["%2e%2e"], ["a/b"], ["decisions\\x"]])
    expect(listHelpFiles(segments)).toEqual([]);
});

test("resolves links between pages, and leaves others alone", () => {
  expect(resolveHelpLink("tutorials/first-graph.md", "../reference/nodes.md#approval")).toBe("/help/reference/nodes#approval");
  expect(resolveHelpLink("README.md", "reference/README.md")).toBe("/help/reference");
  expect(resolveHelpLink("README.md", "decisions/")).toBe(null);
  expect(resolveHelpLink("reference/nodes.md", "graph.schema.json")).toBe("/help/reference/graph.schema.json");
  expect(resolveHelpLink("tutorials/api.md", "../reference/openapi.json")).toBe("/help/reference/openapi.json");
  expect(resolveHelpLink("README.md", "#here")).toBe("#here");
  expect(resolveHelpLink("README.md", "../LICENSE")).toBe(null);
  expect(resolveHelpLink("README.md", "https://example.org/docs/x.md")).toBe(null);
});
