import { z } from "zod";
import { isJsonObject, ownMember, toPlainJson, type Json } from "@/lib/json";
import { verdictSchema, type Finding, type ReviewVerdict } from "@/lib/engine/approvals/case";

const MOST_FINDINGS = 100;
const MAX_COMMENT = 10_000;
const LIMITS = { maxBytes: 1_048_576, maxDepth: 8 };
const FIELDS = ["verdict", "findings", "comment"];

export type Spoken = { readonly verdict: ReviewVerdict; readonly findings: readonly Finding[]; readonly comment: string };

const unclear = (text: string): Spoken => ({
  verdict: "abstain",
  findings: [{ code: "malformed", start: null, end: null }],
  comment: text.slice(0, MAX_COMMENT).toWellFormed(),
});

const offset = z.number().int().min(0).nullish();
const noted = z.strictObject({ code: z.string().max(64), start: offset, end: offset });

/** Keeps declared codes and valid ranges. */
export const limitFindings = (found: readonly unknown[], codes: readonly string[], length: number): readonly Finding[] =>
  found.slice(0, MOST_FINDINGS).flatMap((one) => {
    const { data } = noted.safeParse(one);
    if (!data || !codes.includes(data.code)) return [];
    const { code, start, end } = data;
    const isPlace = typeof start === "number" && typeof end === "number" && start < end && end <= length;

    return [isPlace ? { code, start, end } : { code, start: null, end: null }];
  });

const inside = (text: string): string => /^```(?:json)?\n(?<inner>[\s\S]*)\n```$/.exec(text.trim())?.groups?.["inner"] ?? text.trim();

const membersWritten = (text: string): number =>
  [...text.matchAll(/"(?:[^"\\]|\\.)*"(?<colon>\s*:)?/g)].filter(({ groups }) => groups?.["colon"] !== undefined).length;

const membersIn = (value: Json): number => {
  if (typeof value !== "object" || value === null) return 0;
  const nested = Object.values(value).reduce<number>((count, member) => count + membersIn(member), 0);

  return Array.isArray(value) ? nested : nested + Object.keys(value).length;
};

/** `JSON.parse` keeps the last duplicate; two answers are none. */
const repeats = (text: string, value: Json): boolean => membersWritten(text) > membersIn(value);

const parsed = (text: string): Json | undefined => {
  try {
    const plain = toPlainJson(JSON.parse(text) as unknown, LIMITS);

    return plain.ok && !repeats(text, plain.value) ? plain.value : undefined;
  } catch {
    return undefined;
  }
};

/** Returns whether a text is exactly one verdict. */
export const isClearVerdict = (text: string): boolean => readVerdict(text) !== null;

const readVerdict = (text: string) => {
  const value = parsed(inside(text));
  if (!isJsonObject(value) || Object.keys(value).some((key) => !FIELDS.includes(key))) return null;
  const { data: verdict } = verdictSchema.safeParse(ownMember(value, "verdict"));
  const findings = ownMember(value, "findings") ?? [];
  const comment = ownMember(value, "comment") ?? "";
  if (verdict === undefined || !Array.isArray(findings) || typeof comment !== "string") return null;

  return { verdict, findings: findings as readonly Json[], comment };
};

/**
 * Parses a verdict.
 * @param codes declared findings
 * @param length UTF-16 code units
 */
export const parseVerdict = (text: string, codes: readonly string[], length: number): Spoken => {
  const read = readVerdict(text);
  if (read === null) return unclear(text);
  const { verdict, findings, comment } = read;

  return {
    verdict,
    findings: limitFindings(findings, codes, length),
    comment: comment.slice(0, MAX_COMMENT).toWellFormed(),
  };
};
