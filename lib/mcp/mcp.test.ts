import { describe, expect, it } from "vitest";
import { computeDefinitionDigest, type ToolDefinition } from "./definition";
import { diffDefinitions, markLines } from "./definition-diff";
import { findDrift } from "./drift";
import { canStep, STATUS_STEPS, type StatusStep } from "./status";

const tool: ToolDefinition = {
  name: "echo",
  title: null,
  description: "Repeats.",
  input_schema: { type: "object", properties: { text: { type: "string" } } },
  output_schema: null,
  annotations: { readOnlyHint: true },
};

describe("the digest of a definition", () => {
  it("does not depend on the order of members", () => {
    const reordered = { ...tool, input_schema: { properties: { text: { type: "string" } }, type: "object" } };
    expect(computeDefinitionDigest(reordered)).toBe(computeDefinitionDigest(tool));
  });

  it.each([
    { name: "echo2" },
    { title: "Echo" },
    { description: "Repeats.\u200b" },
    { input_schema: { type: "object" } },
    { output_schema: { type: "object" } },
    { annotations: null },
  ])("changes with %j", (change) => {
    expect(computeDefinitionDigest({ ...tool, ...change })).not.toBe(computeDefinitionDigest(tool));
  });
});

describe("drift", () => {
  const a = "a".repeat(64);
  const b = "b".repeat(64);

  it("is empty for equal sets, and names each difference otherwise", () => {
    expect(findDrift(new Map([["x", a]]), new Map([["x", a]]))).toEqual([]);
    expect(
      findDrift(
        new Map([
          ["x", a],
          ["y", a],
        ]),
        new Map([
          ["y", b],
          ["z", a],
        ]),
      ),
    ).toEqual([
      { tool: "x", kind: "removed" },
      { tool: "y", kind: "changed" },
      { tool: "z", kind: "added" },
    ]);
  });
});

describe("the diff of two definitions", () => {
  it("marks changed fields and lines, but not member order", () => {
    const after = { ...tool, input_schema: { properties: { text: { type: "string" } }, additionalProperties: true, type: "object" } };
    const changed = diffDefinitions(tool, after).filter((field) => field.changed);
    expect(changed.map(({ field }) => field)).toEqual(["input_schema"]);
    const lines = markLines(changed[0]?.before ?? null, changed[0]?.after ?? null);
    expect(lines.before.filter((line) => line.changed)).toEqual([]);
    expect(lines.after.filter((line) => line.changed).map(({ text }) => text.trim())).toEqual(['"additionalProperties": true,']);
  });

  it("of a removed tool shows its previous definition", () => {
    expect(diffDefinitions(tool, null).find(({ field }) => field === "description")).toMatchObject({
      before: "Repeats.",
      after: null,
      changed: true,
    });
  });
});

it("no step leaves revoked, and only activate and resume lead into use", () => {
  const steps = Object.keys(STATUS_STEPS) as StatusStep[];
  expect(steps.filter((step) => canStep("revoked", step))).toEqual([]);
  expect(steps.filter((step) => STATUS_STEPS[step].to === "active")).toEqual(["activate", "resume"]);
  expect(steps.filter((step) => STATUS_STEPS[step].to === "active" && canStep("quarantined", step))).toEqual([]);
});
