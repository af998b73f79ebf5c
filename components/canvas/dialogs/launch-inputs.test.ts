import { expect, test } from "vitest";
import { initialText, launchFields, launchInputs } from "./launch-inputs";

const fields = launchFields({
  type: "object",
  required: ["mail", "urgent"],
  properties: {
    mail: { type: "string", title: "Mail", enum: ["a.eml", "b.eml"] },
    urgent: { type: "boolean" },
    count: { type: "integer" },
    note: { type: "string", description: "For the reviewer" },
    extra: { type: "object" },
  },
});

test("each property becomes the field that its schema describes", () => {
  expect(fields.map((field) => [field.label, field.type, field.required])).toEqual([
    ["Mail", "choice", true],
    ["urgent", "boolean", true],
    ["count", "integer", false],
    ["note", "text", false],
    ["extra", "json", false],
  ]);
  expect(fields.map(initialText)).toEqual(["a.eml", "false", "", "", ""]);
});

test("what is left empty is left out, and everything else has its own type", () => {
  expect(launchInputs(fields, {})).toEqual({ mail: "a.eml", urgent: false });
  expect(launchInputs(fields, { mail: "b.eml", urgent: "true", count: "3", note: "7", extra: '{"a":[1]}' })).toEqual({
    mail: "b.eml",
    urgent: true,
    count: 3,
    note: "7",
    extra: { a: [1] },
  });
});

test("a text that is no number goes as it is, so that the schema refuses it and not we guess", () => {
  expect(launchInputs(fields, { count: "many", extra: "{" })).toMatchObject({ count: "many", extra: "{" });
});
