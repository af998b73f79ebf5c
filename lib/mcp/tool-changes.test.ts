import { describe, expect, it } from "vitest";
import type { ToolDefinition } from "./definition";
import { UNLABELLED } from "./label-proposal";
import { findLabelOutcome, findToolChanges } from "./tool-changes";

const tool = (name: string, change: Partial<ToolDefinition> = {}): ToolDefinition => ({
  name,
  title: null,
  description: "Finds orders.",
  input_schema: { type: "object", properties: { days: { type: "integer", maximum: 7 } }, required: ["days"] },
  output_schema: null,
  annotations: { readOnlyHint: true },
  ...change,
});

describe("findToolChanges", () => {
  it("names added, removed and renamed tools, and none that stayed", () => {
    const changes = findToolChanges([tool("find"), tool("old"), tool("gone")], [tool("find"), tool("new"), tool("old")]);
    expect(changes.map(({ tool: name, kind }) => [name, kind])).toEqual([
      ["gone", "removed"],
      ["new", "added"],
    ]);
  });

  it("names each changed member of description, schemas and annotations with both values", () => {
    const after = tool("find", {
      description: "Finds and closes orders.",
      input_schema: { type: "object", properties: { days: { type: "integer", maximum: 30 }, close: { type: "boolean" } } },
      output_schema: { type: "object" },
      annotations: { destructiveHint: true },
    });
    const [change] = findToolChanges([tool("find")], [after]);
    expect(change?.members).toEqual([
      { at: "annotations.destructiveHint", before: null, after: true },
      { at: "annotations.readOnlyHint", before: true, after: null },
      { at: "description", before: "Finds orders.", after: "Finds and closes orders." },
      { at: "input_schema.properties.close", before: null, after: { type: "boolean" } },
      { at: "input_schema.properties.days.maximum", before: 7, after: 30 },
      { at: "input_schema.required", before: ["days"], after: null },
      { at: "output_schema", before: null, after: { type: "object" } },
    ]);
    expect(change?.widenings).toContain("days has maximum 30 instead of 7");
  });

  it("ignores the order of members", () => {
    expect(findToolChanges([tool("find", { annotations: { a: 1, b: 2 } })], [tool("find", { annotations: { b: 2, a: 1 } })])).toEqual([]);
  });

  it("reads members with names of prototypes as members", () => {
    const [change] = findToolChanges([tool("find", { annotations: {} })], [tool("find", { annotations: { constructor: 1, toString: 2 } })]);
    expect(change?.members.map(({ at, before }) => [at, before])).toEqual([
      ["annotations.constructor", null],
      ["annotations.toString", null],
    ]);
  });

  it("lists at most 50 members and counts the others", () => {
    const annotations = Object.fromEntries(Array.from({ length: 60 }, (_, index) => [`a${index}`, index]));
    const [change] = findToolChanges([tool("find", { annotations: {} })], [tool("find", { annotations })]);
    expect([change?.members.length, change?.unlisted]).toEqual([50, 10]);
  });
});

describe("findLabelOutcome", () => {
  it("keeps labels by name, and reads new tools as not labelled yet", () => {
    const row = (name: string, labelledAt: Date | null = new Date(0), change = {}) => ({ name, ...UNLABELLED, labelledAt, ...change });
    const rows = [row("find"), row("open", null), row("gone"), row("early", null, { effect: "read" as const })];
    expect(findLabelOutcome(rows, [tool("open"), tool("new"), tool("find"), tool("early")])).toEqual({
      kept: ["early", "find"],
      unlabelled: ["new", "open"],
      lost: ["gone"],
    });
  });
});
