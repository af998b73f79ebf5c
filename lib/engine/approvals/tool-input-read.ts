/** Parses server input requests: bounded flat MCP forms only. */
import { z } from "zod";
import {
  inputQuestionSchema,
  MOST_INPUT_REQUESTS,
  TEXT_FORMATS,
  toolInputSchema,
  type InputField,
  type InputQuestion,
  type ToolInput,
} from "@/lib/engine/approvals/tool-input";
import { asksForSecret } from "@/lib/engine/approvals/tool-input-secrets";
import { isJsonObject, ownMember, toPlainJson, type Json } from "@/lib/json";
import { err, ok, type Result } from "@/lib/result";

const LIMITS = { maxBytes: 65_536, maxDepth: 12 };

/** Without the server's words. */
export const INPUT_FAULTS = {
  input_nothing: "The server paused the call without asking a question. That is not supported.",
  input_not_a_form: "The server asked for something other than a form.",
  input_url: "The server asked a person to open a URL. Countersign does not forward such requests.",
  input_secret: "The server seems to ask for a password or another secret. Countersign does not forward such requests.",
  input_form: "The server's form is too large or has nested fields.",
  input_rounds: "The server reached the limit of questions for one call.",
  input_nobody: "The server asked for input after the run had ended.",
  input_quorum: "This call needs the approval of more than one person, so one person cannot answer its questions.",
} as const;
export type InputFault = keyof typeof INPUT_FAULTS;

const about = { title: z.string().optional(), description: z.string().optional() };
const titled = z.array(z.strictObject({ const: z.string(), title: z.string() }));
const texts = z.array(z.string());

/** Strict: unknown keywords could carry hidden meaning. */
const rawFieldSchema = z.union([
  z.strictObject({ ...about, type: z.literal("string"), enum: texts, enumNames: texts.optional(), default: z.string().optional() }),
  z.strictObject({ ...about, type: z.literal("string"), oneOf: titled, default: z.string().optional() }),
  z.strictObject({
    ...about,
    type: z.literal("string"),
    format: z.enum(TEXT_FORMATS).optional(),
    minLength: z.number().optional(),
    maxLength: z.number().optional(),
    default: z.string().optional(),
  }),
  z.strictObject({
    ...about,
    type: z.enum(["number", "integer"]),
    minimum: z.number().optional(),
    maximum: z.number().optional(),
    default: z.number().optional(),
  }),
  z.strictObject({ ...about, type: z.literal("boolean"), default: z.boolean().optional() }),
  z.strictObject({
    ...about,
    type: z.literal("array"),
    items: z.union([z.strictObject({ type: z.literal("string"), enum: texts }), z.strictObject({ anyOf: titled })]),
    minItems: z.number().optional(),
    maxItems: z.number().optional(),
    default: texts.optional(),
  }),
]);
type RawField = z.infer<typeof rawFieldSchema>;

const formSchema = z.object({
  mode: z.literal("form").optional(),
  message: z.string(),
  requestedSchema: z.object({
    type: z.literal("object"),
    properties: z.record(z.string(), z.unknown()),
    required: texts.optional(),
  }),
});

const without = <T extends object>(value: T): T =>
  Object.fromEntries(Object.entries(value).filter(([, member]) => member !== undefined)) as T;

const named = (values: readonly string[], names: readonly string[] = []) =>
  values.map((value, index) => ({ value, title: names[index] ?? value }));
const fromTitled = (options: z.infer<typeof titled>) => options.map(({ const: value, title }) => ({ value, title }));

const kindOf = (raw: RawField): object => {
  const { default: suggested } = raw;
  switch (raw.type) {
    case "string":
      if ("enum" in raw) return { kind: "choice", options: named(raw.enum, raw.enumNames), suggested };
      if ("oneOf" in raw) return { kind: "choice", options: fromTitled(raw.oneOf), suggested };

      return {
        kind: "text",
        format: raw.format,
        min_length: raw.minLength,
        max_length: raw.maxLength && Math.min(raw.maxLength, 4_000),
        suggested,
      };
    case "number":
    case "integer":
      return { kind: "number", integer: raw.type === "integer", minimum: raw.minimum, maximum: raw.maximum, suggested };
    case "boolean":
      return { kind: "boolean", suggested };
    case "array":
      return {
        kind: "choices",
        options: "enum" in raw.items ? named(raw.items.enum) : fromTitled(raw.items.anyOf),
        min_items: raw.minItems,
        max_items: raw.maxItems,
        suggested,
      };
    default:
      return raw satisfies never;
  }
};

const hasDistinctOptions = (field: InputField): boolean =>
  !("options" in field) || new Set(field.options.map(({ value }) => value)).size === field.options.length;

const questionOf = (params: Json | undefined): Result<InputQuestion, InputFault> => {
  if (ownMember(params, "mode") === "url") return err("input_url");
  const form = formSchema.safeParse(params);
  if (!form.success) return err("input_form");
  const { message, requestedSchema } = form.data;
  const required = requestedSchema.required ?? [];
  const fields = Object.entries(requestedSchema.properties).map(([name, property]) => {
    const raw = rawFieldSchema.safeParse(property);
    const { title, description } = raw.success ? raw.data : {};

    return raw.success ? without({ name, title, description, required: required.includes(name), ...without(kindOf(raw.data)) }) : null;
  });
  const question = inputQuestionSchema.safeParse({ message, fields });
  if (!question.success) return err("input_form");
  const isWhole = required.every((name) => question.data.fields.some((field) => field.name === name));
  if (!isWhole || !question.data.fields.every(hasDistinctOptions)) return err("input_form");

  return asksForSecret(question.data) ? err("input_secret") : ok(question.data);
};

/** Postgres rejects NUL characters. */
const hasNul = (value: Json): boolean => JSON.stringify(value).includes(String.raw`\u0000`);

/** Parses the elicitations of `inputRequests`. */
export const readToolInput = (value: unknown): Result<ToolInput, InputFault> => {
  const plain = toPlainJson(value, LIMITS);
  if (!plain.ok || !isJsonObject(plain.value) || hasNul(plain.value)) return err("input_form");
  const entries = Object.entries(plain.value);
  if (entries.length === 0) return err("input_nothing");
  if (entries.length > MOST_INPUT_REQUESTS) return err("input_form");
  const requests: ToolInput["requests"] = [];
  for (const [key, request] of entries) {
    if (ownMember(request, "method") !== "elicitation/create") return err("input_not_a_form");
    const question = questionOf(ownMember(request, "params"));
    if (!question.ok) return question;
    requests.push({ key, question: question.value });
  }
  const input = toolInputSchema.safeParse({ requests });

  return input.success ? ok(input.data) : err("input_form");
};
