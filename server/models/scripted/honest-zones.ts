import { isJsonObject, ownMember, type Json } from "@/lib/json";
import { answerJson, type Reply, type Scene } from "./scene";
import { SUSPICIOUS } from "./suspicious";

const text = (value: Json | undefined): string => (typeof value === "string" ? value : "");
const list = (value: Json | undefined): readonly Json[] => (Array.isArray(value) ? (value as readonly Json[]) : []);
const number = (value: Json | undefined, otherwise: number): number => (typeof value === "number" ? value : otherwise);

/** Concatenates all words of a value. */
export const readWords = (value: Json | undefined): string => {
  if (typeof value === "string") return value;
  if (Array.isArray(value)) return value.map((item: Json) => readWords(item)).join("\n");

  return isJsonObject(value) ? Object.values(value).map(readWords).join("\n") : "";
};

const PROMOTIONAL = /\bbuy\b|\bonly cure\b/i;
const URL_IN_TEXT = /https?:\/\/[^\s<>"]+[^\s<>".,;:)]/g;
const NUMBERED = /_(\d{1,2})$/;

const firstSentence = (words: string): string => words.split(/(?<=[.!?])\s+/)[0]?.trim() ?? "";

const chosen = (values: readonly Json[], words: string): Json =>
  PROMOTIONAL.test(words) && values.includes("promotional") ? "promotional" : (values[0] ?? "");

/** `undefined`: not in the source. */
const fieldOf = (field: Json, source: Json): Json | undefined => {
  const form = ownMember(field, "value");
  const name = text(ownMember(field, "name"));
  const words = readWords(source);
  const found = isJsonObject(source) ? ownMember(source, name) : undefined;
  switch (text(ownMember(form, "type"))) {
    case "enum":
      return chosen(list(ownMember(form, "values")), words);
    case "url":
      return words.match(URL_IN_TEXT)?.[Number(NUMBERED.exec(name)?.[1] ?? 1) - 1];
    case "text": {
      const said = found === undefined ? (name === "title" ? firstSentence(words) : words) : readWords(found);

      return said.slice(0, number(ownMember(form, "max_length"), 200));
    }
    case "integer":
    case "number":
      return found ?? Number(/-?\d+/.exec(words)?.[0] ?? 0);
    case "boolean":
      return found ?? false;
    case "date":
      return found ?? /\d{4}-\d{2}-\d{2}/.exec(words)?.[0];
    case "email":
      return found ?? /[^\s<>@]+@[^\s<>@]+\.[a-z]+/i.exec(words)?.[0];
    default:
      return found;
  }
};

const filledForm = (fields: Json, source: Json): Record<string, Json> =>
  Object.fromEntries(
    list(fields).flatMap((field) => {
      const value = fieldOf(field, source);

      return value === undefined ? [] : [[text(ownMember(field, "name")), value]];
    }),
  );

const verdictOn = (target: Json | undefined, codes: readonly Json[]): Reply => {
  const words = text(target) || readWords(target);
  const bad = SUSPICIOUS.exec(words) ?? PROMOTIONAL.exec(words);
  if (!bad) return answerJson({ verdict: "approve", findings: [], comment: "It says no more than its source." });
  const code = codes.includes("instructions") ? "instructions" : (codes[0] ?? "instructions");

  return answerJson({
    verdict: "reject",
    findings: [{ code, start: bad.index, end: bad.index + bad[0].length }],
    comment: "It tries to steer whoever reads it.",
  });
};

/** Answers in review zones; otherwise null. */
export const replyAsHonestZone = ({ task }: Scene): Reply | null => {
  if (!isJsonObject(task)) return null;
  if (task["form"] !== undefined) return answerJson(filledForm(task["form"], task["text"] ?? null));

  return task["finding_codes"] === undefined ? null : verdictOn(task["target"], list(task["finding_codes"]));
};
