import { expect, test } from "vitest";
import { graphSchema } from "@/lib/graph/document";
import { ZOO, ZOO_CONTEXT } from "@/lib/graph/testing/zoo";
import { listMissing } from "./missing";

const zoo = graphSchema.parse(ZOO);

test("nothing is missing where everything is", () => {
  expect(listMissing(zoo, ZOO_CONTEXT)).toEqual([]);
});

test("agents, tools and graphs that are not here are named, each once", () => {
  const missing = listMissing(zoo, { ...ZOO_CONTEXT, agents: [], tools: [], versions: [] });

  expect(new Set(missing.map(({ what }) => what))).toEqual(new Set(["Agent", "Tool", "Graph"]));
  expect(new Set(missing.map(({ what, id }) => `${what} ${id}`)).size).toBe(missing.length);
});
