import { expect, test } from "vitest";
import { readLabels, mcpFileSchema } from "./mcp-file";

const labels = (effects: unknown) => readLabels(mcpFileSchema.parse({ mcpServers: {}, effects }));

test("what the operator says about a tool is carried whole, and nothing is said in the operator's place", () => {
  const said = { effect: "write", idempotent: true, output: "pii", outward: false, clearance: "secret" };
  expect(labels({ a__b: said, a__c: "read", a__d: { effect: "read", outward: false } })).toEqual({
    a__b: said,
    a__c: { effect: "read" },
    a__d: { effect: "read", outward: false },
  });
});

test.each([{ effect: "read", clearance: "everything" }, { effect: "read", outward: "no" }, { outward: false }, "harmless"])(
  "%j is no label",
  (said) => {
    expect(mcpFileSchema.safeParse({ mcpServers: {}, effects: { a__b: said } }).success).toBe(false);
  },
);
