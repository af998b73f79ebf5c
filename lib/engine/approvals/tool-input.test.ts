import * as fc from "fast-check";
import { describe, expect, test } from "vitest";
import {
  answersFit,
  findFieldFault,
  buildInputResponses,
  toolInputSchema,
  type InputField,
  type ToolInput,
} from "@/lib/engine/approvals/tool-input";
import { readToolInput } from "@/lib/engine/approvals/tool-input-read";
import { elicitation } from "@/lib/engine/testing/tool-input";
import type { Json } from "@/lib/json";

const faultOf = (request: unknown): string | null => {
  const read = readToolInput(request);

  return read.ok ? null : read.error;
};

const formOf = (request: Json): ToolInput => {
  const read = readToolInput(request);
  if (!read.ok) throw new Error(read.error);

  return read.value;
};

const FORMS: Readonly<Record<string, object>> = {
  text: { type: "string", title: "Text", description: "Any", minLength: 2, maxLength: 5, default: "abc" },
  email: { type: "string", format: "email" },
  whole: { type: "integer", minimum: 1, maximum: 9 },
  number: { type: "number" },
  yes: { type: "boolean", default: true },
  choice: { type: "string", enum: ["a", "b"], default: "a" },
  named: { type: "string", enum: ["a", "b"], enumNames: ["First", "Second"] },
  titled: { type: "string", oneOf: [{ const: "a", title: "First" }] },
  many: { type: "array", items: { type: "string", enum: ["a", "b", "c"] }, minItems: 1, maxItems: 2 },
  manyTitled: { type: "array", items: { anyOf: [{ const: "a", title: "First" }] } },
};

describe("a server's form", () => {
  test.each(Object.entries(FORMS))("may have a field of type %s", (name, field) => {
    const { requests } = formOf(elicitation({ [name]: field }, [name]));
    expect(requests[0]?.question.fields[0]).toMatchObject({ name, required: true });
  });

  test("keeps the server's text and adds nothing in its name", () => {
    expect(formOf(elicitation({ centre: { type: "string" } })).requests).toEqual([
      { key: "ask", question: { message: "Which cost centre?", fields: [{ name: "centre", required: false, kind: "text" }] } },
    ]);
    expect(formOf(elicitation({ named: FORMS["named"] })).requests[0]?.question.fields[0]).toEqual({
      name: "named",
      required: false,
      kind: "choice",
      options: [
        { value: "a", title: "First" },
        { value: "b", title: "Second" },
      ],
    });
  });

  test.each([
    ["nothing at all", {}, "input_nothing"],
    ["no object", "x", "input_form"],
    ["sampling", { ask: { method: "sampling/createMessage", params: {} } }, "input_not_a_form"],
    ["roots", { ask: { method: "roots/list" } }, "input_not_a_form"],
    [
      "an address to open",
      { ask: { method: "elicitation/create", params: { mode: "url", message: "Sign in", url: "https://evil.example" } } },
      "input_url",
    ],
    ["a nested object", elicitation({ a: { type: "object", properties: {} } }), "input_form"],
    ["a list of objects", elicitation({ a: { type: "array", items: { type: "object" } } }), "input_form"],
    ["a reference", elicitation({ a: { $ref: "#/x" } }), "input_form"],
    ["a keyword that the form cannot show", elicitation({ a: { type: "string", pattern: "(a+)+$" } }), "input_form"],
    ["a password field", elicitation({ a: { type: "string", format: "password" } }), "input_form"],
    ["two options of one value", elicitation({ a: { type: "string", enum: ["x", "x"] } }), "input_form"],
    ["no option", elicitation({ a: { type: "string", enum: [] } }), "input_form"],
    ["a required field that is missing", elicitation({ a: { type: "string" } }, ["b"]), "input_form"],
    ["a NUL character", elicitation({ a: { type: "string", title: "a\0b" } }), "input_form"],
    ["a member of prototypes", JSON.parse('{"ask":{"method":"elicitation/create","__proto__":{}}}'), "input_form"],
    ["too long a message", elicitation({}, [], "x".repeat(4_001)), "input_form"],
    [
      "too many fields",
      elicitation(Object.fromEntries(Array.from({ length: 21 }, (_, i) => [`f${i}`, { type: "boolean" }]))),
      "input_form",
    ],
    [
      "too many questions",
      Object.fromEntries(Array.from({ length: 6 }, (_, i) => [`q${i}`, { method: "elicitation/create", params: {} }])),
      "input_form",
    ],
  ])("is refused with %s", (_, request, fault) => {
    expect(faultOf(request)).toBe(fault);
  });

  test.each([
    ["password", ""],
    ["userPassword", ""],
    ["pass_word", ""],
    ["PASSWORD", ""],
    ["p\u0430ssword", ""],
    ["pass\u200bword", ""],
    ["a", "Your API key"],
    ["a", "Your Ａｐｉ－Ｋｅｙ"],
    ["github_token", ""],
    ["pin", ""],
    ["a", "Card number"],
    ["seedPhrase", ""],
    ["client_secret", ""],
    ["2fa", ""],
  ])("is refused when it asks for a secret: %s %s", (name, title) => {
    expect(faultOf(elicitation({ [name]: { type: "string", ...(title === "" ? {} : { title }) } }))).toBe("input_secret");
  });

  test("is refused when message or description ask for a secret, but not for similar words", () => {
    expect(faultOf(elicitation({ value: { type: "string" } }, [], "Please enter your password"))).toBe("input_secret");
    expect(faultOf(elicitation({ value: { type: "string", description: "The private key of the host" } }))).toBe("input_secret");
    for (const name of ["centre", "opinion", "spinach", "recipient", "compass", "keyboard", "passenger"]) {
      expect(faultOf(elicitation({ [name]: { type: "string" } }))).toBeNull();
    }
  });

  test("never throws, and always matches its own schema", () => {
    fc.assert(
      fc.property(fc.jsonValue(), fc.jsonValue(), (field, params) => {
        for (const request of [
          field,
          { ask: field },
          { ask: { method: "elicitation/create", params } },
          elicitation({ a: field as object }),
        ]) {
          const read = readToolInput(request);
          expect(!read.ok || toolInputSchema.safeParse(read.value).success).toBe(true);
        }
      }),
    );
  });
});

describe("an answer", () => {
  const form = formOf(elicitation(FORMS, ["text", "whole"]));
  const whole = { text: "abc", whole: 3 };

  test.each([
    [whole, true],
    [{ ...whole, email: "a@b.example", number: 0.5, yes: false, choice: "b", many: ["a", "c"] }, true],
    [{ text: "abc" }, false],
    [{ ...whole, other: 1 }, false],
    [{ ...whole, text: "a" }, false],
    [{ ...whole, text: "abcdef" }, false],
    [{ ...whole, text: "a\0b" }, false],
    [{ ...whole, whole: 0 }, false],
    [{ ...whole, whole: 1.5 }, false],
    [{ ...whole, whole: "3" }, false],
    [{ ...whole, number: Number.NaN }, false],
    [{ ...whole, email: "no address" }, false],
    [{ ...whole, yes: "true" }, false],
    [{ ...whole, choice: "c" }, false],
    [{ ...whole, many: [] }, false],
    [{ ...whole, many: ["a", "a"] }, false],
    [{ ...whole, many: ["a", "b", "c"] }, false],
    [{ ...whole, many: ["d"] }, false],
  ])("%j fits: %s", (answer, fits) => {
    expect(answersFit(form, [answer])).toBe(fits);
  });

  test("is needed for each question", () => {
    expect(answersFit(form, [whole, whole])).toBe(false);
    expect(answersFit({ requests: [...form.requests, ...form.requests] }, [whole])).toBe(false);
  });

  test("goes to the server under its own names; declining sends nothing else", () => {
    expect(buildInputResponses(form, [whole])).toEqual({ ask: { action: "accept", content: whole } });
    expect(buildInputResponses(form, null)).toEqual({ ask: { action: "decline" } });
  });

  test.each([
    ["uri", "https://a.example", "nowhere"],
    ["date", "2026-11-22", "2026-13-45"],
    ["date-time", "2026-11-22T10:00:00Z", "22.11.2026"],
  ] as const)("has the format %s", (format, good, bad) => {
    const field: InputField = { name: "a", required: true, kind: "text", format };
    expect(findFieldFault(field, good)).toBeNull();
    expect(findFieldFault(field, bad)).not.toBeNull();
    expect(findFieldFault(field, undefined)).not.toBeNull();
  });
});
