/** Formats values by the tool's schema. */
import { isJsonObject, ownMember, type Json, type JsonObject } from "@/lib/json";
import { listLeaves, placeKey, type Place } from "@/lib/leaves";
import { stripUnseen } from "@/lib/visible-name";

const MAX_TEXT = 60;

/** One line of at most 60 visible characters. */
export const shorten = (text: string): string => {
  const line = stripUnseen(text.replaceAll(/\s+/gu, " "));

  return line.length <= MAX_TEXT ? line : `${line.slice(0, MAX_TEXT - 1)}…`;
};

const textOf = (value: Json | undefined): string => (typeof value === "string" ? value : "");

/** Returns the schema of an argument or part; empty if undeclared. */
export const getSchemaAt = (schema: Json | undefined, place: Place): JsonObject => {
  const found = place.reduce<Json | undefined>((around, name) => {
    if (typeof name === "number") return ownMember(around, "items");

    return ownMember(ownMember(around, "properties"), name) ?? ownMember(around, "additionalProperties");
  }, schema);

  return isJsonObject(found) ? found : {};
};

const isMoney = (property: JsonObject): boolean => property["format"] === "money-cents";

export const isMoneyAt = (schema: JsonObject, place: Place): boolean => isMoney(getSchemaAt(schema, place));

const formatCents = (cents: number, currency: string): string => {
  try {
    return new Intl.NumberFormat("en-US", { style: "currency", currency }).format(cents / 100);
  } catch {
    return `${cents / 100} ${shorten(currency)}`;
  }
};

/** @param cents whole; others have no format, because rounding would hide them */
export const formatMoneyAt = (schema: JsonObject, place: Place, cents: number): string =>
  formatCents(cents, textOf(getSchemaAt(schema, place)["x-currency"]) || "USD");

const RFC3339 = /^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}(?::\d{2}(?:\.\d+)?)?(?:Z|[+-]\d{2}:\d{2})$/iu;
const ADDRESS = /^[\w.!#$%&'*+/=?^`{|}~-]{1,64}@[A-Za-z0-9.-]{1,253}$/u;

const formatDateTime = (text: string): string | null => {
  const atMs = RFC3339.test(text) ? Date.parse(text) : Number.NaN;

  return Number.isNaN(atMs) ? null : `${new Date(atMs).toISOString().slice(0, 19).replace("T", " ")} UTC`;
};

/** Returns a leaf's text, or null where the raw form is best. */
const formatLeaf = (property: JsonObject, value: Json): string | null => {
  if (isMoney(property)) return Number.isSafeInteger(value) ? formatCents(Number(value), textOf(property["x-currency"]) || "USD") : null;
  if (typeof value !== "string") return null;
  if (property["format"] === "date-time") return formatDateTime(value);

  return property["format"] === "email" && ADDRESS.test(value) ? value : null;
};

export type Entity = {
  /** Record member with its identity. */
  readonly id: string;
  /** Members that may hold its display name, best first. */
  readonly names: readonly string[];
};

const NAMES = ["display_name", "name", "full_name", "title", "email"];

/** Returns how an `x-entity` argument's records are identified and named (`{ id, name }` or a word), or null. */
export const entityOf = (schema: JsonObject, name: string): Entity | null => {
  const entity = getSchemaAt(schema, [name])["x-entity"];
  if (typeof entity === "string") return { id: name, names: NAMES };
  if (!isJsonObject(entity)) return null;
  const [id, display] = [textOf(entity["id"]), textOf(entity["name"])];

  return { id: id || name, names: display === "" ? NAMES : [display] };
};

const WORD = /^[\p{L}\p{N}_.:/@+#-]+$/u;
const NAME = /^[\p{L}\p{M}\p{N} .,'’&-]+$/u;

const quote = (text: string): string => `“${text.replaceAll(/[“”]/gu, "'")}”`;

/** Quotes all but single words: values must not pass for the sentence. */
export const quoteText = (text: string): string => (WORD.test(text) ? text : quote(text));

/** Formats `cus_1002 (Tunde Okafor)`; null without a name. @param record of this identity */
export const nameEntity = ({ names }: Entity, identity: Json, record: JsonObject): string | null => {
  const found = names.map((name) => shorten(textOf(ownMember(record, name)))).find((name) => name !== "");
  if (found === undefined || (typeof identity !== "string" && typeof identity !== "number")) return null;

  return `${quoteText(shorten(String(identity)))} (${NAME.test(found) ? found : quote(found)})`;
};

const MOST_TEXTS = 200;

/** Texts by `placeKey`; only values with a format have one. */
export type Texts = Readonly<Record<string, string>>;

/** @param schema of the value itself */
export const listTexts = (schema: Json | undefined, value: Json): Texts =>
  Object.fromEntries(
    listLeaves(value)
      .slice(0, MOST_TEXTS)
      .flatMap(({ place, value: leaf }) => {
        const text = formatLeaf(getSchemaAt(schema, place), leaf);

        return text === null ? [] : [[placeKey(place), text]];
      }),
  );
