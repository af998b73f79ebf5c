import { isJsonObject, type Json } from "@/lib/json";
import { findSecrets, getLeftOutName } from "./find";
import { SECRET_NAME } from "./rules";

export type LeftOut = {
  /** Member names that are secrets are not repeated. */
  readonly path: readonly string[];
  readonly what: string;
};

const MAX_ROUNDS = 10;

/** Members named by the enclosing member. */
const NAMELESS = new Set(["value", "const", "default", "example", "examples", "enum", "schema"]);
const LITERAL = /^\s*(["'])[^"']*\1\s*$/;

type Naming = { readonly key?: unknown; readonly name?: unknown; readonly path?: unknown; readonly value?: unknown };

/** A path names constants only, not expressions. */
const nameOfObject = ({ key, name: own, path, value }: Naming, name: string): string => {
  const isFixed = typeof value === "string" && LITERAL.test(value);
  for (const text of [key, own, isFixed ? path : null]) if (typeof text === "string" && SECRET_NAME.test(text)) return text;

  return name;
};

const said = (member: string): string => (findSecrets(member).length > 0 ? "…" : member);

const nameBelow = (name: string, member: string): string => (NAMELESS.has(member) || /^[0-9]+$/.test(member) ? name : member);

type Visit = (text: string, name: string, path: readonly string[]) => void;

const eachText = (value: unknown, visit: Visit, name: string, path: readonly string[]): void => {
  if (typeof value === "string") visit(value, name, path);
  if (typeof value !== "object" || value === null) return;
  const isList = Array.isArray(value);
  const own = isList ? name : nameOfObject(value, name);
  for (const [member, item] of Object.entries(value)) {
    const here = [...path, said(member)];
    if (!isList) visit(member, "", here);
    eachText(item, visit, nameBelow(own, member), here);
  }
};

export const listSecrets = (value: unknown): readonly LeftOut[] => {
  const found: LeftOut[] = [];
  const visit: Visit = (text, name, path) => found.push(...findSecrets(text, name).map(({ what }) => ({ path, what })));
  eachText(value, visit, "", []);

  return found;
};

/** Earlier exports may have used some. */
const firstFree = (value: Json): number =>
  [...JSON.stringify(value).matchAll(/secret_left_out_([0-9]{1,9})/g)].reduce((most, [, digits]) => Math.max(most, Number(digits)), 0) + 1;

/** Replaces secrets; equal ones get equal names. */
export const stripSecrets = <T extends Json>(value: T): { readonly value: T; readonly leftOut: readonly LeftOut[] } => {
  const leftOut: LeftOut[] = [];
  const names = new Map<string, string>();
  const first = firstFree(value);
  const nameOf = (secret: string): string => {
    const known = names.get(secret) ?? getLeftOutName(first + names.size);
    names.set(secret, known);

    return known;
  };
  const once = (text: string, name: string, path: readonly string[]): string => {
    const parts: string[] = [];
    let end = 0;
    for (const found of findSecrets(text, name)) {
      parts.push(text.slice(end, found.start), nameOf(text.slice(found.start, found.end)));
      end = found.end;
      leftOut.push({ path, what: found.what });
    }

    return end === 0 ? text : [...parts, text.slice(end)].join("");
  };
  /** A removal can join parts. */
  const clean = (text: string, name: string, path: readonly string[], rounds = MAX_ROUNDS): string => {
    const cleaned = once(text, name, path);

    return cleaned === text || rounds === 0 ? cleaned : clean(cleaned, name, path, rounds - 1);
  };
  const copy = (item: Json, name: string, path: readonly string[]): Json => {
    if (typeof item === "string") return clean(item, name, path);
    if (Array.isArray(item)) return item.map((part: Json, index) => copy(part, name, [...path, String(index)]));
    if (!isJsonObject(item)) return item;
    const own = nameOfObject(item, name);

    return Object.fromEntries(
      Object.entries(item).map(([member, part]) => {
        const here = [...path, said(member)];

        return [clean(member, "", here), copy(part, nameBelow(own, member), here)];
      }),
    );
  };

  return { value: copy(value, "", []) as T, leftOut };
};
