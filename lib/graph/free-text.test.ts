import { describe, expect, it } from "vitest";
import { nodeSchema, pinnedToolSchema } from "@/lib/graph/document";
import { describeAdmitsFree, describeTakesFree } from "@/lib/graph/free-text";
import { matchesSchema } from "@/lib/graph/json-schema";
import type { JsonObject } from "@/lib/json";

describe("a schema admits free text", () => {
  it.each<[string, JsonObject]>([
    ["without a type", {}],
    ["a string of any length", { type: "string" }],
    ["a string longer than a code", { type: "string", maxLength: 17 }],
    ["a string with a pattern", { type: "string", pattern: "^[a-z]+$" }],
    ["a URL", { type: "string", format: "uri" }],
    ["a time, whose fraction of a second has no end", { type: "string", format: "date-time" }],
    ["a nullable string", { type: ["string", "null"] }],
    ["a list of texts", { type: "array", items: { type: "string" }, maxItems: 3 }],
    ["a list of choices without an end, which spell", { type: "array", items: { enum: ["a", "b"] } }],
    ["a list of anything", { type: "array", maxItems: 3 }],
    ["a list whose first items are other ones", { type: "array", prefixItems: [{ type: "string" }], items: { enum: [1] }, maxItems: 3 }],
    ["an object with a text", { type: "object", properties: { q: { type: "string" } }, additionalProperties: false }],
    ["an object that takes other members", { type: "object", properties: { unit: { enum: ["c", "f"] } } }],
    ["an object with members by pattern", { type: "object", patternProperties: { "^x": {} }, additionalProperties: false }],
    ["one of several, of which one is a text", { anyOf: [{ enum: ["a"] }, { type: "string" }] }],
    ["a reference", { $ref: "#/$defs/q", $defs: { q: { enum: ["a"] } } }],
  ])("%s", (_what, schema) => {
    expect(describeAdmitsFree(schema)).toBe(true);
  });

  it.each<[string, JsonObject]>([
    ["a choice", { type: "string", enum: ["metric", "imperial"] }],
    ["a constant", { const: "celsius" }],
    ["a code", { type: "string", maxLength: 16 }],
    ["a date", { type: "string", format: "date" }],
    ["a UUID", { type: "string", format: "uuid" }],
    ["a number", { type: "number" }],
    ["a truth value or nothing", { type: ["boolean", "null"] }],
    ["a short list of choices", { type: "array", items: { enum: ["a", "b"] }, maxItems: 16 }],
    [
      "a closed object of these",
      { type: "object", properties: { unit: { enum: ["c"] }, days: { type: "integer" } }, additionalProperties: false },
    ],
    ["one of several, none of which is a text", { oneOf: [{ enum: ["a"] }, { type: "null" }] }],
  ])("unlike %s", (_what, schema) => {
    expect(describeAdmitsFree(schema)).toBe(false);
  });

  it.each(["date", "uuid", "ipv4"])("and the format %s, which bounds a text, is held against its values", (format) => {
    expect(matchesSchema({ type: "string", format }, "my colleague is ill", false)).toBe(false);
  });

  it("unless it is nested too deeply to tell", () => {
    const nested = Array.from({ length: 100 }).reduce<JsonObject>((inner) => ({ anyOf: [inner] }), { enum: ["a"] });
    expect(describeAdmitsFree(nested)).toBe(true);
  });
});

const tool = pinnedToolSchema.parse({
  server: "web",
  tool: "get_webpage",
  definition_digest: "0".repeat(64),
  description: "",
  input_schema: {
    type: "object",
    properties: { url: { type: "string" }, unit: { enum: ["c", "f"] } },
    additionalProperties: false,
  },
  effect: "read",
  idempotent: true,
});
const calling = (values: JsonObject) =>
  nodeSchema.parse({ id: "fetch", kind: "tool", config: { server: "web", tool: "get_webpage", arguments: values } });
const thinking = nodeSchema.parse({ id: "think", kind: "agent", config: { agent_id: "reader" } });

describe("a node that calls a tool", () => {
  it.each([
    ["an agent chooses every argument", thinking, true],
    ["a tool node takes a text from memory", calling({ url: { from: "page" }, unit: { value: "c" } }), true],
    ["a tool node takes a text from an item", calling({ url: { item: "" } }), true],
    ["a tool node takes an argument that the schema does not name", calling({ more: { from: "page" } }), true],
    ["a tool node with a fixed text takes only a choice", calling({ url: { value: "https://a.example" }, unit: { from: "unit" } }), false],
  ])("where %s", (_what, node, expected) => {
    expect(describeTakesFree(node, tool)).toBe(expected);
  });
});
