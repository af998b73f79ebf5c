/** Tool questions and answers. All texts are untrusted. */
import { z } from "zod";
import type { Json, JsonObject } from "@/lib/json";

export const MOST_INPUT_ROUNDS = 5;
export const MOST_INPUT_REQUESTS = 5;
const MOST_FIELDS = 20;
const MOST_OPTIONS = 100;
export const MOST_INPUT_CHARACTERS = 4_000;

/** Returned to the server byte for byte. */
export const inputStateSchema = z.string().max(16_384);

const name = z.string().min(1).max(100);
const bound = z.number().int().min(0).max(MOST_INPUT_CHARACTERS);
const optionsSchema = z
  .array(z.strictObject({ value: z.string().max(200), title: z.string().max(200) }))
  .min(1)
  .max(MOST_OPTIONS);

/** `suggested`: by the server. */
const about = {
  name,
  title: z.string().max(200).exactOptional(),
  description: z.string().max(1_000).exactOptional(),
  required: z.boolean(),
};

export const TEXT_FORMATS = ["email", "uri", "date", "date-time"] as const;

export const inputFieldSchema = z.discriminatedUnion("kind", [
  z.strictObject({
    ...about,
    kind: z.literal("text"),
    format: z.enum(TEXT_FORMATS).exactOptional(),
    min_length: bound.exactOptional(),
    max_length: bound.exactOptional(),
    suggested: z.string().max(MOST_INPUT_CHARACTERS).exactOptional(),
  }),
  z.strictObject({
    ...about,
    kind: z.literal("number"),
    integer: z.boolean(),
    minimum: z.number().exactOptional(),
    maximum: z.number().exactOptional(),
    suggested: z.number().exactOptional(),
  }),
  z.strictObject({ ...about, kind: z.literal("boolean"), suggested: z.boolean().exactOptional() }),
  z.strictObject({ ...about, kind: z.literal("choice"), options: optionsSchema, suggested: z.string().max(200).exactOptional() }),
  z.strictObject({
    ...about,
    kind: z.literal("choices"),
    options: optionsSchema,
    min_items: z.number().int().min(0).max(MOST_OPTIONS).exactOptional(),
    max_items: z.number().int().min(0).max(MOST_OPTIONS).exactOptional(),
    suggested: z.array(z.string().max(200)).max(MOST_OPTIONS).exactOptional(),
  }),
]);
export type InputField = z.infer<typeof inputFieldSchema>;

export const inputQuestionSchema = z.strictObject({
  message: z.string().max(4_000),
  fields: z.array(inputFieldSchema).max(MOST_FIELDS),
});
export type InputQuestion = z.infer<typeof inputQuestionSchema>;

/** `key`: the server's name, sent only back to it. */
export const toolInputSchema = z.strictObject({
  requests: z
    .array(z.strictObject({ key: name, question: inputQuestionSchema }))
    .min(1)
    .max(MOST_INPUT_REQUESTS),
});
export type ToolInput = z.infer<typeof toolInputSchema>;

/** Keyed by question and field. Validated by `decide`. */
export const inputAnswersSchema = z
  .array(
    z.record(
      name,
      z.union([z.string().max(MOST_INPUT_CHARACTERS), z.number(), z.boolean(), z.array(z.string().max(200)).max(MOST_OPTIONS)]),
    ),
  )
  .min(1)
  .max(MOST_INPUT_REQUESTS);
export type InputAnswers = z.infer<typeof inputAnswersSchema>;
export type InputValue = InputAnswers[number][string];

const EMAIL = /^[^\s@]{1,64}@[^\s@]{1,190}$/u;
const DATE = /^\d{4}-\d{2}-\d{2}$/u;
const DATE_TIME = /^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}(?::\d{2}(?:\.\d{1,9})?)?(?:Z|[+-]\d{2}:\d{2})$/u;

const isDate = (text: string): boolean => !Number.isNaN(Date.parse(text));

const hasFormat = {
  email: (text: string) => EMAIL.test(text),
  uri: (text: string) => URL.canParse(text),
  date: (text: string) => DATE.test(text) && isDate(text),
  "date-time": (text: string) => DATE_TIME.test(text) && isDate(text),
} as const satisfies Record<(typeof TEXT_FORMATS)[number], (text: string) => boolean>;

const FORMAT_FAULTS = {
  email: "Enter a valid email address.",
  uri: "Enter a valid URI.",
  date: "Enter a date as YYYY-MM-DD.",
  "date-time": "Enter a date and time with time zone, such as 2026-01-31T09:30:00Z.",
} as const satisfies Record<(typeof TEXT_FORMATS)[number], string>;

const textFault = (field: Extract<InputField, { kind: "text" }>, value: InputValue): string | null => {
  if (typeof value !== "string" || !value.isWellFormed() || value.includes("\0")) return "Enter text.";
  const least = field.min_length ?? 0;
  const most = Math.min(field.max_length ?? MOST_INPUT_CHARACTERS, MOST_INPUT_CHARACTERS);
  if (value.length < least) return `Enter at least ${least} ${least === 1 ? "character" : "characters"}.`;
  if (value.length > most) return `Enter at most ${most} ${most === 1 ? "character" : "characters"}.`;

  return field.format && !hasFormat[field.format](value) ? FORMAT_FAULTS[field.format] : null;
};

const numberFault = ({ integer, minimum, maximum }: Extract<InputField, { kind: "number" }>, value: InputValue): string | null => {
  if (typeof value !== "number" || !Number.isFinite(value)) return "Enter a number.";
  if (integer && !Number.isSafeInteger(value)) return "Enter a whole number.";
  if (minimum !== undefined && value < minimum) return `Enter ${minimum} or more.`;

  return maximum !== undefined && value > maximum ? `Enter ${maximum} or less.` : null;
};

const choicesFault = (field: Extract<InputField, { kind: "choices" }>, value: InputValue): string | null => {
  const known = field.options.map((option) => option.value);
  if (!Array.isArray(value) || new Set(value).size !== value.length || !value.every((one) => known.includes(one))) {
    return "Choose from the options.";
  }
  if (value.length < (field.min_items ?? 0)) return `Choose at least ${field.min_items}.`;

  return value.length > (field.max_items ?? MOST_OPTIONS) ? `Choose at most ${field.max_items}.` : null;
};

/** Describes a value's fault; null: valid. */
export const findFieldFault = (field: InputField, value: InputValue | undefined): string | null => {
  if (value === undefined) return field.required ? "Required." : null;
  switch (field.kind) {
    case "text":
      return textFault(field, value);
    case "number":
      return numberFault(field, value);
    case "boolean":
      return typeof value === "boolean" ? null : "Choose yes or no.";
    case "choice":
      return field.options.some((option) => option.value === value) ? null : "Choose from the options.";
    case "choices":
      return choicesFault(field, value);
    default:
      return field satisfies never;
  }
};

const fits = ({ fields }: InputQuestion, answer: InputAnswers[number]): boolean =>
  Object.keys(answer).every((given) => fields.some((field) => field.name === given)) &&
  fields.every((field) => findFieldFault(field, Object.hasOwn(answer, field.name) ? answer[field.name] : undefined) === null);

/** Returns whether the answers fit the form exactly. */
export const answersFit = ({ requests }: ToolInput, answers: InputAnswers): boolean =>
  answers.length === requests.length &&
  requests.every(({ question }, index) => {
    const answer = answers[index];

    return answer !== undefined && fits(question, answer);
  });

/** Builds the server's answer; null: declined. */
export const buildInputResponses = ({ requests }: ToolInput, answers: InputAnswers | null): JsonObject =>
  Object.fromEntries(
    requests.map(({ key }, index): [string, Json] => [
      key,
      answers === null ? { action: "decline" } : { action: "accept", content: answers[index] ?? {} },
    ]),
  );
