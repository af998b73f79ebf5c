/** RFC 7644, sections 3.4.2.2 and 3.5.2, as identity providers use it. */
import { badRequest, type ScimType } from "./error";

export type Equality = { readonly path: string; readonly value: string | number | boolean | null };

/** `emails[type eq "work"].value`; names in lower case. */
export type Path = { readonly name: string; readonly where: readonly Equality[] | null; readonly sub: string | null };

const MOST_CHARACTERS = 2_000;
const MOST_TERMS = 10;

type Token = { readonly kind: "word" | "text" | "mark"; readonly text: string };

const TOKEN = /\s*(?:(?<text>"(?:[^"\\]|\\.)*")|(?<mark>[[\]()])|(?<word>[^\s"[\]()]+))/uy;

const tokenize = (source: string, fault: ScimType): readonly Token[] => {
  if (source.length > MOST_CHARACTERS) throw badRequest(fault, `Use at most ${MOST_CHARACTERS} characters.`);
  const text = source.trimEnd();
  const tokens: Token[] = [];
  TOKEN.lastIndex = 0;
  while (TOKEN.lastIndex < text.length) {
    const { groups } = TOKEN.exec(text) ?? {};
    if (!groups) throw badRequest(fault, "The text ends within a string.");
    const [kind, found] = Object.entries(groups).find(([, value]) => value !== undefined) ?? ["word", ""];
    tokens.push({ kind: kind as Token["kind"], text: found ?? "" });
  }

  return tokens;
};

const URN = /^urn:ietf:params:scim:schemas:core:2\.0:(?:user|group):/u;

export const toName = (text: string): string => text.toLowerCase().replace(URN, "");

const NAME = /^[a-z$][\w$-]*(?:\.[a-z$][\w$-]*)*$/u;
const EXTENSION = /^urn:[\w:.-]+$/u;

const readName = (text: string, fault: ScimType): string => {
  const name = toName(text);
  if (!NAME.test(name) && !EXTENSION.test(name)) throw badRequest(fault, "An attribute name is malformed.");

  return name;
};

const readValue = (token: Token | undefined, fault: ScimType): Equality["value"] => {
  if (!token || token.kind === "mark") throw badRequest(fault, "A comparison lacks its value.");
  try {
    const value: unknown = JSON.parse(token.text);
    if (value === null || typeof value === "string" || typeof value === "number" || typeof value === "boolean") return value;
  } catch {
    // Some providers send True, and ids without quotes.
  }
  if (/^(?:true|false)$/iu.test(token.text)) return token.text.toLowerCase() === "true";
  throw badRequest(fault, "A value must be a JSON string, number, boolean or null.");
};

type Cursor = { readonly tokens: readonly Token[]; at: number };

const take = (cursor: Cursor): Token | undefined => cursor.tokens[cursor.at++];
const isNext = ({ tokens, at }: Cursor, text: string): boolean => tokens[at]?.kind !== "text" && tokens[at]?.text.toLowerCase() === text;

const readComparison = (cursor: Cursor, path: string, fault: ScimType): Equality => {
  const operator = take(cursor);
  if (operator?.kind !== "word" || operator.text.toLowerCase() !== "eq")
    throw badRequest(fault, 'Only the operators "eq" and "and" are supported.');

  return { path, value: readValue(take(cursor), fault) };
};

const readTerms = (cursor: Cursor, prefix: string, fault: ScimType): readonly Equality[] => {
  const terms: Equality[] = [];
  do {
    if (isNext(cursor, "(")) {
      take(cursor);
      terms.push(...readTerms(cursor, prefix, fault));
      if (take(cursor)?.text !== ")") throw badRequest(fault, "A parenthesis is not closed.");
    } else {
      const token = take(cursor);
      if (token?.kind !== "word") throw badRequest(fault, "An attribute name is missing.");
      const name = `${prefix}${readName(token.text, fault)}`;
      if (isNext(cursor, "[")) {
        if (prefix !== "") throw badRequest(fault, "Brackets are nested.");
        const where = readWhere(cursor, `${name}.`, fault);
        terms.push(...where);
        if (cursor.tokens[cursor.at]?.text.startsWith(".")) {
          terms.push(readComparison(cursor, `${name}.${readName((take(cursor)?.text ?? "").slice(1), fault)}`, fault));
        }
      } else terms.push(readComparison(cursor, name, fault));
    }
    if (terms.length > MOST_TERMS) throw badRequest(fault, `Use at most ${MOST_TERMS} comparisons.`);
  } while (isNext(cursor, "and") && take(cursor));

  return terms;
};

const readWhere = (cursor: Cursor, prefix: string, fault: ScimType): readonly Equality[] => {
  take(cursor);
  const where = readTerms(cursor, prefix, fault);
  if (take(cursor)?.text !== "]") throw badRequest(fault, "A bracket is not closed.");

  return where;
};

export const parseFilter = (source: string): readonly Equality[] => {
  const cursor: Cursor = { tokens: tokenize(source, "invalidFilter"), at: 0 };
  const terms = readTerms(cursor, "", "invalidFilter");
  if (cursor.at < cursor.tokens.length) throw badRequest("invalidFilter", 'Only the operators "eq" and "and" are supported.');

  return terms;
};

export const parsePath = (source: string): Path => {
  const cursor: Cursor = { tokens: tokenize(source, "invalidPath"), at: 0 };
  const first = take(cursor);
  if (first?.kind !== "word") throw badRequest("invalidPath", "A path begins with an attribute name.");
  const name = readName(first.text, "invalidPath");
  const where = isNext(cursor, "[") ? readWhere(cursor, "", "invalidPath") : null;
  const rest = where === null ? undefined : take(cursor);
  if (cursor.at < cursor.tokens.length || (rest && !rest.text.startsWith(".")))
    throw badRequest("invalidPath", "The path has more than one part.");
  if (where !== null) return { name, where, sub: rest ? readName(rest.text.slice(1), "invalidPath") : null };
  const [parent = "", ...subs] = name.startsWith("urn:") ? [name] : name.split(".");

  return { name: parent, where, sub: subs.length === 0 ? null : subs.join(".") };
};
