import { describe, expect, it } from "vitest";
import type { UnusableReason } from "@/lib/mcp/unusable-tool";
import { buildCatalog } from "./build-catalog";
import { MCP_LIMITS } from "./limits";

const inputSchema = { type: "object" };
const tool = (name: string, change: object = {}) => ({ name, description: "Answers.", inputSchema, ...change });

const listed = (said: readonly unknown[], secrets: readonly string[] = []) => {
  const built = buildCatalog(said, secrets);
  if (!built.ok) throw new Error(built.error);

  return { names: [...built.value.catalog.keys()], unusable: built.value.unusable, raw: [...built.value.raw.keys()] };
};

const withBytes = (bytes: number) => {
  const empty = { annotations: null, description: "", input_schema: inputSchema, name: "big", output_schema: null, title: null };

  return tool("big", { description: "x".repeat(bytes - JSON.stringify(empty).length) });
};

const RESERVED: unknown = JSON.parse('{"__proto__":{}}');

const nest = (depth: number): object => (depth === 0 ? {} : { items: nest(depth - 1) });

describe("a tool's definition", () => {
  it("may have 256 kB and not a byte more", () => {
    expect(listed([withBytes(262_144), tool("other")]).names).toEqual(["big", "other"]);
    expect(listed([withBytes(262_145), tool("other")])).toEqual({
      names: ["other"],
      unusable: [{ name: "big", reason: "too_large" }],
      raw: ["other"],
    });
  });

  it.each<[string, unknown, UnusableReason]>([
    ["a name with a space", tool("two words"), "name_invalid"],
    ["a name that is too long", tool("n".repeat(129)), "name_invalid"],
    ["no schema", { name: "bad" }, "schema_invalid"],
    ["a schema of a list", tool("bad", { inputSchema: { type: "array" } }), "schema_invalid"],
    ["no object at all", "bad", "schema_invalid"],
    ["a schema that is too deep", tool("bad", { inputSchema: { type: "object", properties: { a: nest(30) } } }), "too_deep"],
    ["a NUL", tool("bad", { description: "be\0fore" }), "not_plain_json"],
    ["a reserved name", tool("bad", { inputSchema: { type: "object", properties: RESERVED } }), "not_plain_json"],
    ["a title that is too long", tool("bad", { title: "t".repeat(501) }), "text_too_long"],
  ])("with %s is unusable and takes no other with it", (_what, bad, reason) => {
    const { names, unusable } = listed([tool("first"), bad, tool("last")]);
    expect([names, unusable.map((each) => each.reason)]).toEqual([["first", "last"], [reason]]);
  });
});

it("leaves out every tool of a name that is listed twice or more", () => {
  const { names, unusable, raw } = listed([tool("one"), tool("two"), tool("one"), tool("one")]);
  expect([names, unusable]).toEqual([["two"], [{ name: "one", reason: "listed_twice" }]]);
  expect(raw).not.toContain("missing");
});

it("keeps the tools before the 8 MB are full and names the others", () => {
  const large = Array.from({ length: 40 }, (_, index) => tool(`tool_${index}`, { description: "x".repeat(250_000) }));
  const { names, unusable } = listed(large);
  expect(names).toHaveLength(33);
  expect(unusable).toHaveLength(7);
  expect(new Set(unusable.map(({ reason }) => reason))).toEqual(new Set(["list_too_large"]));
});

it("refuses more tools than anybody reviews", () => {
  const many = Array.from({ length: MCP_LIMITS.maxTools + 1 }, (_, index) => tool(`tool_${index}`));
  expect(buildCatalog(many)).toEqual({ ok: false, error: "too_many_tools" });
});

it("quotes an unusable tool's name without control characters and secrets, cut", () => {
  const { unusable } = listed([tool(`\u001b[31mtop-secret-key ${"n".repeat(500)}`)], ["top-secret-key"]);
  for (const hidden of ["top-secret-key", "\u001b"]) expect(unusable[0]?.name).not.toContain(hidden);
  expect(unusable[0]?.name.length).toBeLessThanOrEqual(200);
  expect(listed([{ name: "\ud800", inputSchema }]).unusable).toEqual([{ name: "(no name)", reason: "name_invalid" }]);
});
