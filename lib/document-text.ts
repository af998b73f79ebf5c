/** Strict JSON and YAML reader. */
import { isAlias, isMap, isScalar, isSeq, LineCounter, parseAllDocuments, type Document, type Node, type Pair } from "yaml";
import { FORBIDDEN_KEYS, toPlainJson, type Json, type JsonLimits } from "@/lib/json";
import { err, ok, type Result } from "@/lib/result";

/** From 1. */
export type TextPlace = { readonly line: number; readonly column: number };

export type TextFault = { readonly message: string; readonly place: TextPlace | null };

export type DocumentText = {
  readonly value: Json;
  /** Returns the place of a value or its nearest ancestor. */
  readonly placeOf: (path: readonly PropertyKey[]) => TextPlace | null;
};

export const DOCUMENT_LIMITS: JsonLimits = { maxBytes: 8 * 1_048_576, maxDepth: 64 };

class Refused extends Error {
  readonly offset: number | null;

  constructor(message: string, offset: number | null) {
    super(message);
    this.offset = offset;
  }
}

const TAGS = new Set(["str", "int", "float", "bool", "null", "map", "seq"].map((name) => `tag:yaml.org,2002:${name}`));

const startOf = (node: Node | null): number | null => node?.range?.[0] ?? null;

type Reading = {
  readonly maxDepth: number;
  /** Excludes an anchor inside itself. */
  readonly anchors: Map<string, { readonly value: Json; readonly count: number }>;
  /** Counts aliases in full, so few lines cannot expand to many values. */
  count: number;
};

const MAX_VALUES = 1_000_000;

const numberOf = (value: number, source: string | undefined, at: number | null): number => {
  if (!Number.isFinite(value)) throw new Refused("This number is too large.", at);
  const digits = /^[-+]?0*([0-9]+)$/.exec(source ?? "")?.[1];
  const isOther = digits === undefined ? /^0[ox]/.test(source ?? "") && !Number.isSafeInteger(value) : String(Math.abs(value)) !== digits;
  if (isOther) throw new Refused("This number has more digits than can be kept.", at);

  return value;
};

const textOf = (text: string, at: number | null): string => {
  if (!text.isWellFormed()) throw new Refused("This text has half of a character.", at);
  // Postgres rejects NUL.
  if (text.includes("\0")) throw new Refused("This text has the character U+0000.", at);

  return text;
};

const scalarOf = (value: unknown, source: string | undefined, at: number | null): Json => {
  if (typeof value === "string") return textOf(value, at);
  if (typeof value === "number") return numberOf(value, source, at);
  if (typeof value === "boolean" || value === null) return value;
  throw new Refused("This value does not exist in JSON.", at);
};

const nameOf = (key: unknown, at: number | null): string => {
  if (!isScalar(key)) throw new Refused("A property name must be a string.", at);
  const { value, source } = key;
  const name = textOf(typeof value === "string" ? value : (source ?? ""), startOf(key));
  if (name === "" && typeof value !== "string") throw new Refused("A property has no name.", at);
  if ((FORBIDDEN_KEYS as readonly string[]).includes(name)) throw new Refused(`A property must not be called ${name}.`, startOf(key));

  return name;
};

const membersOf = (pairs: readonly Pair[], at: number | null, depth: number, reading: Reading): Json => {
  const members = new Map<string, Json>();
  for (const { key, value } of pairs) {
    const name = nameOf(key, at);
    if (members.has(name)) throw new Refused(`The property ${JSON.stringify(name.slice(0, 80))} appears twice.`, startOf(key as Node));
    members.set(name, valueOf((value ?? null) as Node | null, depth + 1, reading));
  }

  return Object.fromEntries(members);
};

const plainOf = (node: Node | null, depth: number, reading: Reading): Json => {
  const at = startOf(node);
  if (depth > reading.maxDepth) throw new Refused("The document is nested too deeply.", at);
  if (isMap(node)) return membersOf(node.items, at, depth, reading);
  if (isSeq(node)) return node.items.map((item) => valueOf(item as Node | null, depth + 1, reading));
  if (isScalar(node)) return scalarOf(node.value, node.source, at);

  return null;
};

const counted = (count: number, at: number | null, reading: Reading): void => {
  reading.count += count;
  if (reading.count > MAX_VALUES) throw new Refused("This is too large.", at);
};

const valueOf = (node: Node | null, depth: number, reading: Reading): Json => {
  const at = startOf(node);
  if (isAlias(node)) {
    const found = reading.anchors.get(node.source);
    if (!found) throw new Refused(`*${node.source.slice(0, 80)} names nothing that stands before it.`, at);
    counted(found.count, at, reading);

    return found.value;
  }
  if (node?.tag !== undefined && !TAGS.has(node.tag)) throw new Refused("Tags are not read.", at);
  const before = reading.count;
  counted(1, at, reading);
  const value = plainOf(node, depth, reading);
  const anchor = node && "anchor" in node ? node.anchor : undefined;
  if (anchor !== undefined) reading.anchors.set(anchor, { value, count: reading.count - before });

  return value;
};

const FAULTS: Record<string, string> = {
  value_too_deep: "The document is nested too deeply.",
  value_too_large: "This is too large.",
  not_plain_json: "This is no plain JSON data.",
};

const firstLine = (text: string): string => text.split("\n")[0] ?? "";

const nodeAt = (document: Document.Parsed, path: readonly PropertyKey[]): Node | null => {
  let node: Node | null = document.contents;
  for (const segment of path) {
    const name = String(segment);
    const next: unknown = isMap(node)
      ? node.items.find(({ key }) => isScalar(key) && String(key.value) === name)?.value
      : isSeq(node)
        ? node.items[Number(name)]
        : undefined;
    if (!isMap(next) && !isSeq(next) && !isScalar(next)) return node;
    node = next;
  }

  return node;
};

const parsed = (text: string, counter: LineCounter): Document.Parsed => {
  const [document, second] = parseAllDocuments(text, {
    schema: "core",
    version: "1.2",
    merge: false,
    // Our set of names does this in linear time.
    uniqueKeys: false,
    prettyErrors: false,
    stringKeys: false,
    logLevel: "error",
    lineCounter: counter,
  });
  if (document === undefined || (document.contents === null && document.errors.length === 0))
    throw new Refused("There is nothing in it.", null);
  const [error] = document.errors;
  if (error?.message.startsWith("Maximum call stack") === true) throw new Refused("The document is nested too deeply.", null);
  if (error) throw new Refused(`${firstLine(error.message)}.`.replace(/\.\.$/, "."), error.pos[0]);
  if (document.directives?.yaml.explicit === true && document.directives.yaml.version !== "1.2") {
    throw new Refused("Only YAML 1.2 is read.", 0);
  }
  if (second) throw new Refused("There is a second document.", second.range[0]);

  return document;
};

/** Reads JSON or YAML 1.2 core schema; never throws. */
export const readDocumentText = (text: string, limits: JsonLimits = DOCUMENT_LIMITS): Result<DocumentText, TextFault> => {
  if (text.length > limits.maxBytes) return err({ message: "This is too large.", place: null });
  const counter = new LineCounter();
  const placeAt = (offset: number | null): TextPlace | null => {
    if (offset === null) return null;
    const { line, col } = counter.linePos(offset);

    return { line: Math.max(line, 1), column: Math.max(col, 1) };
  };
  try {
    const document = parsed(text.replace(/^\uFEFF/, ""), counter);
    const value = toPlainJson(valueOf(document.contents, 0, { maxDepth: limits.maxDepth, anchors: new Map(), count: 0 }), limits);
    if (!value.ok) return err({ message: FAULTS[value.error] ?? "", place: null });

    return ok({ value: value.value, placeOf: (path) => placeAt(startOf(nodeAt(document, path))) });
  } catch (error) {
    if (error instanceof Refused) return err({ message: error.message, place: placeAt(error.offset) });
    // Nested brackets overflow the recursive parser's stack.
    if (error instanceof RangeError) return err({ message: "The document is nested too deeply.", place: null });

    return err({ message: "This cannot be read.", place: null });
  }
};
