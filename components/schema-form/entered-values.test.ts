import { describe, expect, it, test } from "vitest";
import type { JsonObject } from "@/lib/json";
import { listSchemaFields } from "./schema-field";
import { listLeaves, readForm, UPLOADING } from "./entered-values";

const objectOf = (properties: JsonObject, more: JsonObject = {}): JsonObject => ({ type: "object", properties, ...more });

const filled = (schema: JsonObject, entered: Record<string, string>) => {
  const { value, problems, misfit } = readForm(schema, entered);

  return { value, problems: Object.fromEntries(problems), misfit };
};

test.each([
  ["a text", { type: "string" }, { type: "text", long: true, format: null }],
  ["a short text", { type: "string", maxLength: 80 }, { type: "text", long: false, format: null }],
  ["a date", { type: "string", format: "date" }, { type: "text", long: false, format: "date" }],
  ["a URI", { type: "string", format: "uri" }, { type: "text", long: false, format: "uri" }],
  ["a number", { type: "number" }, { type: "number" }],
  ["an integer", { type: "integer" }, { type: "integer" }],
  ["a boolean", { type: "boolean" }, { type: "boolean" }],
  ["a choice", { enum: ["a", 2, null] }, { type: "choice", options: ["a", 2, null], labels: [null, null, null] }],
  ["one value only", { const: "v1" }, { type: "choice", options: ["v1"], labels: [null] }],
  [
    "a choice with titles",
    { type: "string", oneOf: [{ const: "a", title: "First" }, { const: "b" }] },
    { type: "choice", options: ["a", "b"], labels: ["First", null] },
  ],
  ["a union of schemas", { oneOf: [{ const: "a" }, { type: "string" }] }, { type: "json" }],
  ["a list", { type: "array", items: { type: "integer" } }, { type: "list", item: { type: "integer" } }],
  ["a list of lists", { type: "array", items: { type: "array" } }, { type: "json" }],
  ["an object of any names", { type: "object", additionalProperties: { type: "string" } }, { type: "json" }],
  ["what refers elsewhere", { $ref: "#/$defs/x" }, { type: "json" }],
  ["one of several types", { oneOf: [{ type: "string" }] }, { type: "json" }],
  ["anything", {}, { type: "json" }],
] as const)("%s gets the control that fits it", (_what, schema, control) => {
  expect(listSchemaFields(objectOf({ it: schema }))?.[0]?.control).toEqual(control);
});

test("lists required fields first", () => {
  const fields = listSchemaFields(objectOf({ a: {}, b: {}, c: {} }, { required: ["c", "b"] }));
  expect(fields?.map(({ name }) => name)).toEqual(["b", "c", "a"]);
});

test("objects become groups, as deep as one can still fill them in", () => {
  const deep = (levels: number): JsonObject => (levels === 0 ? { type: "string" } : objectOf({ in: deep(levels - 1) }));
  const leaves = listLeaves(listSchemaFields(objectOf({ out: deep(9) })) ?? []);
  expect(leaves.map(({ place, control }) => [place, control.type])).toEqual([["#/out/in/in/in/in", "json"]]);
});

test("inputs without named properties are one JSON object, and a form that takes nothing has no fields", () => {
  expect(listSchemaFields({ type: "object" })).toBeNull();
  expect(listSchemaFields({ type: "object", additionalProperties: true })).toBeNull();
  expect(listSchemaFields(objectOf({}))).toEqual([]);
  const counted = { type: "object", additionalProperties: { type: "integer" } };
  expect(filled(counted, {})).toMatchObject({ value: {}, problems: {} });
  expect(filled(counted, { "#": '{"a":1}' })).toMatchObject({ value: { a: 1 }, problems: {} });
  expect(filled(counted, { "#": '{"a":"x"}' }).problems).toEqual({ "#": "Does not match the form." });
  expect(filled(counted, { "#": "[1]" }).problems).toEqual({ "#": "Enter a JSON object." });
});

describe("a typed form", () => {
  const schema = objectOf(
    {
      mail: { type: "string", enum: ["a.eml", "b.eml"] },
      urgent: { type: "boolean" },
      count: { type: "integer", minimum: 1, default: 3 },
      note: { type: "string" },
      tags: { type: "array", items: { type: "string", maxLength: 3 }, maxItems: 2 },
      customer: objectOf({ name: { type: "string" }, age: { type: "number" } }, { required: ["name"] }),
      extra: { type: "object" },
    },
    { required: ["mail", "urgent"] },
  );

  it("parses values by type, omits empty ones and keeps defaults", () => {
    expect(filled(schema, {})).toEqual({ value: { mail: "a.eml", urgent: false, count: 3 }, problems: {}, misfit: false });
    const entered = {
      "#/mail": '"b.eml"',
      "#/urgent": "true",
      "#/count": "7",
      "#/note": " spaces stay ",
      "#/tags": "one\n two \n",
      "#/customer/name": "Ada",
      "#/extra": '{"a":[1]}',
    };
    expect(filled(schema, entered)).toEqual({
      value: {
        mail: "b.eml",
        urgent: true,
        count: 7,
        note: " spaces stay ",
        tags: ["one", "two"],
        customer: { name: "Ada" },
        extra: { a: [1] },
      },
      problems: {},
      misfit: false,
    });
    expect(filled(schema, { "#/count": "" }).value).not.toHaveProperty("count");
  });

  it("reports a value of the wrong type at its field", () => {
    const entered = { "#/count": "many", "#/extra": "{", "#/tags": "a\nb" };
    expect(filled(schema, entered).problems).toEqual({ "#/count": "Enter a number.", "#/extra": "Enter valid JSON." });
    expect(filled(schema, { "#/count": "1.5" }).problems).toEqual({ "#/count": "Enter a whole number." });
    expect(filled(schema, { "#/count": "0x10" }).problems).toEqual({ "#/count": "Enter a number." });
  });

  it("reports the schema rule that a value breaks", () => {
    expect(filled(schema, { "#/count": "0" }).problems).toEqual({ "#/count": "At least 1." });
    // Also with an invalid value.
    const both = { "#/count": "0", "#/extra": "{" };
    expect(filled(schema, both).problems).toEqual({ "#/count": "At least 1.", "#/extra": "Enter valid JSON." });
    expect(filled(schema, { "#/tags": "a\nb\nc" }).problems).toEqual({ "#/tags": "At most 2 lines." });
    expect(filled(schema, { "#/tags": "a\nlonger" }).problems).toEqual({ "#/tags": "Line 2: At most 3 characters." });
    const dated = objectOf({
      day: { type: "string", format: "date" },
      page: { type: "string", format: "uri" },
      code: { type: "string", pattern: "^[A-Z]+$" },
    });
    expect(filled(dated, { "#/day": "tomorrow", "#/page": "here", "#/code": "abc" }).problems).toEqual({
      "#/day": "Enter a date like 2026-11-22.",
      "#/page": "Enter a URL like https://example.org/page.",
      "#/code": "Must match ^[A-Z]+$.",
    });
  });

  it("requires fields of an optional group once it is started", () => {
    expect(filled(schema, {}).problems).toEqual({});
    expect(filled(schema, { "#/customer/age": "4" }).problems).toEqual({ "#/customer/name": "Required." });
    const needed = objectOf({ customer: objectOf({ name: { type: "string" } }, { required: ["name"] }) }, { required: ["customer"] });
    expect(filled(needed, {}).problems).toEqual({ "#/customer/name": "Required." });
  });

  it("reports inputs that are only invalid in combination", () => {
    const either = objectOf({ a: { type: "string" }, b: { type: "string" } }, { anyOf: [{ required: ["a"] }, { required: ["b"] }] });
    expect(filled(either, {})).toMatchObject({ problems: {}, misfit: true });
    expect(filled(either, { "#/b": "x" })).toMatchObject({ problems: {}, misfit: false });
  });

  it("is found under names that a place writes differently", () => {
    const odd = objectOf({ "a/b ü": { type: "integer", minimum: 5 } }, { required: ["a/b ü"] });
    const place = listSchemaFields(odd)?.[0]?.place ?? "";
    expect(filled(odd, { [place]: "1" }).problems).toEqual({ [place]: "At least 5." });
    expect(filled(odd, { [place]: "6" })).toMatchObject({ value: { "a/b ü": 6 }, problems: {}, misfit: false });
  });
});

describe("a file field", () => {
  const form = objectOf({ scan: { format: "artifact", "x-media-types": ["image/*"] } }, { required: ["scan"] });
  const reference = {
    $artifact: "a".repeat(64),
    id: "00000000-0000-4000-8000-000000000001",
    mediaType: "image/png",
    size: 3,
    name: "a.png",
  };

  it("is a picker that holds a reference", () => {
    expect(listSchemaFields(form)?.[0]?.control).toEqual({ type: "file", mediaTypes: ["image/*"] });
    expect(filled(form, { "#/scan": JSON.stringify(reference) })).toEqual({ value: { scan: reference }, problems: {}, misfit: false });
  });

  it("is not complete while the file is on its way, and takes only the allowed types", () => {
    expect(filled(form, { "#/scan": UPLOADING }).problems).toEqual({ "#/scan": "The upload is not complete." });
    const page = JSON.stringify({ ...reference, mediaType: "text/html" });
    expect(filled(form, { "#/scan": page }).problems).toEqual({ "#/scan": "Choose a file of an allowed type." });
    expect(filled(form, {}).problems).toEqual({ "#/scan": "Required." });
  });
});
