import { describe, expect, test } from "vitest";
import { passkeyLabelSchema } from "@/lib/engine/ledger/passkey-ledger";
import { firstAdminSchema, newAccountSchema } from "@/lib/first-admin";
import { providerFieldsSchema, providerSchema } from "@/lib/model-provider";
import { registryCommandSchema } from "@/lib/mcp/registry-command";
import { isVisibleName, visibleNameSchema, stripUnseen } from "./visible-name";

const HIDDEN = [
  ["a zero width space", "Ad\u200ba"],
  ["a joiner", "Ad\u200da"],
  ["a right-to-left override", "Ada\u202emarsh"],
  ["an isolate", "\u2066Ada\u2069"],
  ["a soft hyphen", "A\u00adda"],
  ["a tag", "Ada\u{e0041}"],
  ["a Hangul filler", "\u3164"],
  ["a blank of Braille", "Ada\u2800"],
  ["a control", "Ada\u001b[2J"],
  ["a new line", "Ada\nMarsh"],
  ["half a character", "Ada\ud800"],
  ["a variation of no emoji", "A\ufe0f"],
] as const;

describe("a name", () => {
  test.each(HIDDEN)("has no %s", (_name, text) => {
    expect(visibleNameSchema(100).safeParse(text).success).toBe(false);
    expect(isVisibleName(stripUnseen(text))).toBe(true);
  });

  test.each(["Ada Marsh", "Zoë", "Ποσειδών", "王小明", "محمد", "שרה", "Support ❤️ desk", "👩‍🚀 crew", "1️ of".replace("\ufe0f", "")])(
    "may be %s",
    (text) => {
      expect(visibleNameSchema(100).parse(` ${text} `)).toBe(text);
      expect(stripUnseen(text)).toBe(text);
    },
  );

  test("is read unchecked once stored", () => {
    expect(providerSchema.shape.name.safeParse("Lo\u200bcal").success).toBe(true);
  });
});

test.each([
  ["people", newAccountSchema.shape.name],
  ["workspaces", firstAdminSchema.shape.workspaceName],
  ["passkeys", passkeyLabelSchema],
  ["providers of models", providerFieldsSchema.shape.name],
  ["servers", registryCommandSchema.options[0].shape.name],
])("names of %s are valid", (_what, schema) => {
  expect([schema.safeParse("Ad\u200ba").success, schema.safeParse("Ada").success]).toEqual([false, true]);
});
