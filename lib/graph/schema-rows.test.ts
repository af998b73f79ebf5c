import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { isUsableSchema } from "@/lib/graph/json-schema";
import {
  addRow,
  findNameFault,
  getExample,
  getLabel,
  getRowType,
  readRows,
  ROW_TYPES,
  withExample,
  withLabel,
  withType,
  writeRow,
} from "@/lib/graph/schema-rows";
import { isJsonObject, type Json, type JsonObject } from "@/lib/json";

const json = fc.jsonValue({ maxDepth: 2 }).map((value) => value as Json);
const word = fc.stringMatching(/^[a-z]{1,6}$/u);

/** Shown members with hidden keywords, and arbitrary JSON. */
const member: fc.Arbitrary<Json> = fc.oneof(
  fc
    .tuple(fc.constantFrom(...ROW_TYPES), fc.dictionary(fc.constantFrom("title", "examples", "default", "x-unit"), json))
    .map(([type, more]) => ({ ...withType({}, type), ...more })),
  json,
);

const objects: fc.Arbitrary<JsonObject> = fc
  .tuple(
    fc.dictionary(word, member),
    fc.uniqueArray(word, { maxLength: 4 }),
    fc.dictionary(fc.constantFrom("$defs", "description", "maxProperties"), json),
  )
  .map(([properties, required, more]) => ({ ...more, type: "object", properties, required }));

const rowsOf = (schema: JsonObject) => readRows(schema) ?? [];

describe("rows of a schema", () => {
  test("written back, leave every keyword as it was", () => {
    fc.assert(
      fc.property(objects, (schema) => {
        const written = rowsOf(schema).reduce<JsonObject>((before, row) => writeRow(before, row.name, row), schema);
        expect(written).toEqual(schema);
      }),
    );
  });

  test("read as written, and leave the others alone", () => {
    fc.assert(
      fc.property(objects, word, fc.boolean(), member, (schema, name, required, value) => {
        const [first, ...others] = rowsOf(schema);
        fc.pre(first !== undefined && others.every((row) => row.name !== name));
        const after = writeRow(schema, first?.name ?? "", { name, required, schema: value });
        expect(readRows(after)).toEqual([{ name, required, schema: value, type: getRowType(value) }, ...others]);
      }),
    );
  });

  test("are not required because a name without a member was", () => {
    const schema = { type: "object", properties: { a: {} }, required: ["b"] };
    expect(writeRow(schema, "a", { name: "b", required: false, schema: {} })).toEqual({ type: "object", properties: { b: {} } });
    expect(addRow({ type: "object", required: ["field"] })).toMatchObject({ required: ["field"] });
  });

  test("keep what no row shows when one is removed", () => {
    const schema = { type: "object", properties: { a: { $ref: "#/$defs/x" }, b: {} }, required: ["b", "absent"], $defs: { x: {} } };
    expect(writeRow(schema, "b", null)).toEqual({ ...schema, properties: { a: { $ref: "#/$defs/x" } }, required: ["absent"] });
  });

  test.each<Json>([
    {},
    { type: "string" },
    { type: "object", properties: [] },
    { type: "object", required: [1] },
    { type: "object", anyOf: [] },
    true,
  ])("%j is left to JSON", (schema) => {
    expect(readRows(schema)).toBeNull();
  });
});

test.each(ROW_TYPES)("a row of type %s reads as that type and is a usable schema", (type) => {
  const schema = withType({ title: "Plan", description: "Kept", maxLength: 3 }, type);
  expect(getRowType(schema)).toBe(type);
  expect(schema).toMatchObject({ title: "Plan", description: "Kept" });
  expect(schema).not.toHaveProperty("maxLength");
  expect(isUsableSchema(schema)).toBe(true);
});

test.each<Json>([
  { type: ["string", "null"] },
  { enum: ["a", 1] },
  { type: "string", enum: [1] },
  { type: "array" },
  { type: "array", items: {}, prefixItems: [] },
  { type: "string", anyOf: [] },
  { const: 1 },
  false,
])("%j can only be edited as JSON", (schema) => {
  expect(getRowType(schema)).toBeNull();
});

test("adds a required text, named like the first suggestion that is free", () => {
  const once = addRow({ type: "object" }, ["order"]);
  expect(once).toEqual({ type: "object", properties: { order: { type: "string" } }, required: ["order"] });
  const thrice = addRow(addRow(once, ["order"]), ["order"]);
  expect(rowsOf(thrice).map(({ name }) => name)).toEqual(["order", "field", "field_2"]);
});

test("labels and examples replace only themselves", () => {
  fc.assert(
    fc.property(fc.dictionary(word, json), fc.string(), json, (schema, label, example) => {
      const changed = withExample(withLabel(schema, label), example);
      expect([getLabel(changed), getExample(changed)]).toEqual([label, example]);
      const others = (value: Json) => (isJsonObject(value) ? { ...value, title: null, examples: null } : value);
      expect(others(changed)).toEqual(others(schema));
    }),
  );
  expect(withExample({ examples: [1, 2] }, 3)).toEqual({ examples: [3, 2] });
  expect(withExample({ type: "string", examples: [1] }, undefined)).toEqual({ type: "string" });
  expect(withLabel({ title: "Old" }, "")).toEqual({});
});

test("a name is not empty, not reserved and not another field's", () => {
  const schema = { type: "object", properties: { a: {}, b: {} } };
  expect(["", "__proto__", "b"].map((name) => findNameFault(schema, "a", name))).toEqual([
    "1 to 200 characters.",
    "This name is reserved.",
    "Another field already has this name.",
  ]);
  expect(["a", "c"].map((name) => findNameFault(schema, "a", name))).toEqual([null, null]);
});
