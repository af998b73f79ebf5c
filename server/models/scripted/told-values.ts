import { isJsonObject, toPlainJson, type Json } from "@/lib/json";
import { readWords } from "./honest-zones";

const LIMITS = { maxBytes: 65_536, maxDepth: 16 };
const MOST_FOUND = 50;

const escaped = (text: string): string => text.replaceAll(/[.*+?^${}()|[\]\\]/g, String.raw`\$&`);

/** `credit_cents` is also written "credit cents". */
const spelled = (name: string): string => escaped(name).replaceAll(/[_-]/g, "[ _-]");

const VALUE = String.raw`"([^"\n]{1,500})"|“([^”\n]{1,500})”|'([^'\n]{1,500})'|\x60([^\x60\n]{1,500})\x60|(-?[\w@+-]+(?:[.:/][\w@+-]+)*)`;
/** Between a name and its value. */
const LINK = String.raw`\s*["'\x60]?(?:\s*(?:[:=]|is|to|as|of|be)\s|\s*[:=]|\s)\s*`;

/** Words that begin a description, not a value: "email": the sender's address. */
const DESCRIBES = /^(?:a|an|any|the|its|his|her|their|one|what|how|if|in|for|of|from)$/iu;

const groupOf = (match: RegExpMatchArray, from: number): string | undefined =>
  match.slice(from, from + 5).find((group): group is string => group !== undefined);

/** Lists what the text states about a name, such as `plan "team"`, `plan = team` or `use team as plan`. */
export const listStated = (text: string, name: string): readonly string[] => {
  const after = new RegExp(String.raw`(?<![\w-])["'\x60]?${spelled(name)}(?![\w])${LINK}(?:${VALUE})`, "giu");
  const before = new RegExp(String.raw`(?:${VALUE})\s+(?:as|for)\s+(?:the\s+)?${spelled(name)}(?![\w])`, "giu");

  return [...text.matchAll(after), ...text.matchAll(before)]
    .slice(0, MOST_FOUND)
    .flatMap((match) => groupOf(match, 1) ?? [])
    .filter((word) => !DESCRIBES.test(word));
};

/** JSON inside a text, as most MCP servers answer. */
const parsedText = (text: string): Json | undefined => {
  if (!/^\s*[[{]/u.test(text)) return undefined;
  try {
    const plain = toPlainJson(JSON.parse(text), LIMITS);

    return plain.ok ? plain.value : undefined;
  } catch {
    return undefined;
  }
};

export const listNamed = (value: Json, name: string): readonly Json[] => {
  const found: Json[] = [];
  const waiting: Json[] = [value];
  for (const item of waiting) {
    if (found.length >= MOST_FOUND) break;
    const inner = typeof item === "string" ? parsedText(item) : item;
    if (Array.isArray(inner)) waiting.push(...(inner as readonly Json[]));
    else if (isJsonObject(inner)) {
      if (Object.hasOwn(inner, name)) found.push(inner[name] ?? null);
      waiting.push(...Object.values(inner));
    }
  }

  return found;
};

const SAYS = new RegExp(
  String.raw`\b(?:say|answer|reply|return|write|respond)(?:\s+(?:with|only|exactly|the\s+text))*\s*:?\s*(?:"([^"]{1,4000})"|“([^”]{1,4000})”|'([^'\n]{1,4000})')`,
  "iu",
);
const SAYS_BARE = /\bsay\s*:?\s+([^\n.]{1,500})/iu;

/** Returns the text that the instructions want said, or null. */
export const findSaid = (instructions: string): string | null => {
  const quoted = SAYS.exec(instructions);
  const found = (quoted && groupOf(quoted, 1)) ?? SAYS_BARE.exec(instructions)?.[1];

  return found === undefined ? null : found.trim();
};

const DESCRIBED = /"(\w{1,64})"\s*:/gu;

/** Lists the fields of an object that the instructions describe, such as `{"email": the sender's address}`. */
export const listDescribed = (instructions: string): readonly string[] => [
  ...new Set([...instructions.matchAll(DESCRIBED)].flatMap((match) => match[1] ?? [])),
];

export const readAllWords = (inputs: Json): string => readWords(inputs).slice(0, LIMITS.maxBytes);
