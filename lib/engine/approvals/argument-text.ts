/** Short texts of a call's arguments and effect, for titles, rows and messages. */
import { ownMember, toCanonicalJson, type Json, type JsonObject } from "@/lib/json";
import { stripUnseen } from "@/lib/visible-name";
import { classifyControl } from "@/lib/engine/labels/control-position";

const MAX_VALUE = 60;
const MAX_NAMED = 4;

const MONEY = "money-cents";
const CENTS_NAME = /(?:^|_)cents$/u;

const shorten = (text: string): string => {
  const line = stripUnseen(text.replaceAll(/\s+/gu, " "));

  return line.length <= MAX_VALUE ? line : `${line.slice(0, MAX_VALUE - 1)}…`;
};

const WORD = /^[\p{L}\p{N}_.:/@+#-]+$/u;

/** Quotes all but single words, so that a value cannot pass for the sentence around it. */
const quoteText = (text: string): string => (WORD.test(text) ? text : `“${text.replaceAll(/[“”]/gu, "'")}”`);

const formatCents = (cents: number, currency: string): string => {
  try {
    return new Intl.NumberFormat("en-US", { style: "currency", currency }).format(cents / 100);
  } catch {
    return `${cents / 100} ${shorten(currency)}`;
  }
};

const propertyOf = (schema: JsonObject, name: string): Json => ownMember(ownMember(schema, "properties"), name) ?? null;

const textOf = (value: Json | undefined): string => (typeof value === "string" ? value : "");

const isMoney = (property: Json): boolean => ownMember(property, "format") === MONEY;

/**
 * Formats an argument by its schema: `format: "money-cents"` with `x-currency` (default USD).
 * @returns one line of at most 60 characters, without invisible characters
 */
const formatArgument = (schema: JsonObject, name: string, value: Json): string => {
  const property = propertyOf(schema, name);
  if (typeof value === "number" && isMoney(property)) return formatCents(value, textOf(ownMember(property, "x-currency")) || "USD");
  if (typeof value === "boolean") return value ? "yes" : "no";
  if (value === null) return "nothing";

  return typeof value === "string" ? quoteText(shorten(value)) : shorten(toCanonicalJson(value));
};

const toWords = (name: string): string =>
  shorten(name.replaceAll(/(?<=[a-z0-9])(?=[A-Z])/gu, " ").replaceAll(/[_\-.]+/gu, " ")).toLowerCase();

/** Undefined: hidden from the reader. */
export type NamedArguments = readonly (readonly [name: string, value: Json | undefined])[];

type Shown = readonly (readonly [name: string, value: Json])[];

const PLACEHOLDER = /\{([^{}]{1,128})\}/gu;

const fillTemplate = (template: string, schema: JsonObject, args: Shown): string | null => {
  const values = new Map(args.map(([name, value]) => [name, formatArgument(schema, name, value)]));
  const names = [...template.matchAll(PLACEHOLDER)].map(([, name = ""]) => name);
  if (names.length === 0 || names.some((name) => !values.has(name))) return null;

  return stripUnseen(template).replaceAll(PLACEHOLDER, (_whole, name: string) => values.get(name) ?? "");
};

const isControl = ([name, value]: Shown[number]): boolean => classifyControl([name], value) !== null;

const nameArgument = (schema: JsonObject, [name, value]: Shown[number]): string => {
  const isCents = isMoney(propertyOf(schema, name));

  return `${toWords(isCents ? name.replace(CENTS_NAME, "") : name)} ${formatArgument(schema, name, value)}`;
};

const listArguments = (schema: JsonObject, shown: Shown, hidden: number): string => {
  const ordered = [...shown.filter(isControl), ...shown.filter((arg) => !isControl(arg))];
  const more = ordered.length - MAX_NAMED;

  return [
    ...ordered.slice(0, MAX_NAMED).map((arg) => nameArgument(schema, arg)),
    ...(more > 0 ? [`${more} more`] : []),
    ...(hidden > 0 ? [`${hidden} hidden from you`] : []),
  ].join(", ");
};

/**
 * Describes a call in one sentence: by the schema's `x-effect` (`Give {customer_id} a {credit_cents} credit`) if all its names are
 * arguments that the reader may see, else by the tool's name and arguments, those in control positions first.
 */
export const describeCall = (tool: string, schema: JsonObject, args: NamedArguments): string => {
  const shown = args.flatMap(([name, value]): Shown => (value === undefined ? [] : [[name, value]]));
  const filled = fillTemplate(textOf(ownMember(schema, "x-effect")), schema, shown);
  if (filled !== null) return filled;
  const listed = listArguments(schema, shown, args.length - shown.length);
  const name = toWords(tool);

  return name.slice(0, 1).toUpperCase() + name.slice(1) + (listed === "" ? "" : `: ${listed}`);
};
