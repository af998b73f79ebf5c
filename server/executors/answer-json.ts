import { toPlainJson, type Json } from "@/lib/json";
import { createFailure, type Failure } from "@/server/executors/written";

const LIMITS = { maxBytes: 1_048_576, maxDepth: 64 };

export const notJson = createFailure("answer_not_json", true, "The model's answer is not JSON of the expected form.");

const parsed = (text: string): { readonly value: unknown } | null => {
  try {
    return { value: JSON.parse(text) as unknown };
  } catch {
    return null;
  }
};

const between = (text: string, first: string, last: string): string => text.slice(text.indexOf(first), text.lastIndexOf(last) + 1);

const jsonIn = (text: string): { readonly value: unknown } | null => {
  const fenced = /```(?:json)?\s*\n(?<inner>[\s\S]*?)```/.exec(text)?.groups?.["inner"];

  return (
    parsed(text.trim()) ??
    (fenced === undefined ? null : parsed(fenced)) ??
    parsed(between(text, "{", "}")) ??
    parsed(between(text, "[", "]"))
  );
};

/** Parses JSON in the text; otherwise undefined. */
export const parseJsonAnswer = (text: string): Json | undefined => {
  const found = jsonIn(text);
  const plain = found && toPlainJson(found.value, LIMITS);

  return plain?.ok ? plain.value : undefined;
};

export type Value = { readonly type: "value"; readonly value: Json };

/** Converts a model's final answer to its value. */
export const answerValue = (text: string, answer: "text" | "json"): Value | Failure => {
  const value = answer === "json" ? parseJsonAnswer(text) : text;

  return value === undefined ? notJson : { type: "value", value };
};
