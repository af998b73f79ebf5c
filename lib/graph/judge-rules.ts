import { RE2JS } from "@bufbuild/re2";
import { countCharacters, isDate, isFilePath, parseWebAddress } from "@/lib/graph/extract-form";
import type { JudgeRule } from "@/lib/graph/kinds/judge";
import type { Json } from "@/lib/json";

type RuleOf<T extends JudgeRule["type"]> = Extract<JudgeRule, { type: T }>;

const matchesWhole = (pattern: string, text: string): boolean => {
  try {
    return new RE2JS(pattern).testExact(text);
  } catch {
    return false;
  }
};

/** Some readers take `..;` for `..`. */
const isAmbiguous = (path: string): boolean =>
  /%(?:2e|2f|5c|25|00)|(?:^|\/)\.{1,2}(?:;|%3b)/i.test(path) || path.includes("\\") || path.includes("//");

/** Null above the root. */
const resolved = (path: string): readonly string[] | null => {
  const parts: string[] = [];
  for (const part of path.split("/")) {
    if (part === "" || part === ".") continue;
    if (part !== "..") parts.push(part);
    else if (parts.pop() === undefined) return null;
  }

  return parts;
};

const isBelow = (parts: readonly string[], root: readonly string[]): boolean => root.every((part, index) => parts[index] === part);

const originOf = (text: string): string | null => {
  const url = parseWebAddress(text);

  return url && url.origin !== "null" ? url.origin : null;
};

const matchesUrl = ({ origins, path }: RuleOf<"url">, text: string): boolean => {
  const url = parseWebAddress(text);
  // As written, before a parser resolved it.
  const written = /^https?:\/\/[^/?#]*(?<path>[^?#]*)/i.exec(text)?.groups?.["path"] ?? "";
  if (!url || url.username !== "" || url.password !== "" || isAmbiguous(written)) return false;
  const parts = resolved(url.pathname);
  const root = resolved(path);

  return parts !== null && root !== null && origins.some((origin) => originOf(origin) === url.origin) && isBelow(parts, root);
};

const isUnder = ({ root }: RuleOf<"path_under">, text: string): boolean => {
  if (!isFilePath(text) || isAmbiguous(text)) return false;
  // Relative paths are below the folder.
  const parts = resolved(text.startsWith("/") ? text : `${root}/${text}`);
  const folder = resolved(root);

  return parts !== null && folder !== null && isBelow(parts, folder);
};

/** No trailing dot, lower case. */
const domainOf = (text: string): string => text.trim().replace(/\.$/, "").toLowerCase();

const isMailOf = ({ domains }: RuleOf<"mail_domain">, text: string): boolean => {
  const at = text.indexOf("@");
  const domain = domainOf(text.slice(at + 1));
  // Excludes look-alike letters.
  if (at < 1 || /[\p{Cc}\p{Zl}\p{Zp}]/u.test(text) || /[\s"<>,;]/.test(text.trim()) || !/^[a-z0-9.-]+$/.test(domain)) return false;

  return domains.some((allowed) => domainOf(allowed) === domain);
};

const isLong = ({ min, max }: RuleOf<"length">, length: number): boolean => length >= min && length <= max;

export const passes = (rule: JudgeRule, value: Json): boolean => {
  switch (rule.type) {
    case "enum":
      return typeof value === "string" && rule.values.includes(value);
    case "range":
      return typeof value === "number" && Number.isFinite(value) && value >= rule.min && value <= rule.max;
    case "date":
      return typeof value === "string" && isDate(value) && value >= rule.from && value <= rule.to;
    case "length":
      if (typeof value === "string") return isLong(rule, countCharacters(value));

      return Array.isArray(value) && isLong(rule, value.length);
    case "boolean":
      return value === rule.value;
    case "pattern":
      return typeof value === "string" && matchesWhole(rule.pattern, value);
    case "url":
      return typeof value === "string" && matchesUrl(rule, value);
    case "path_under":
      return typeof value === "string" && isUnder(rule, value);
    case "mail_domain":
      return typeof value === "string" && isMailOf(rule, value);
    default:
      return rule satisfies never;
  }
};
