import { ownMember, toCanonicalJson, type Json, type JsonObject } from "@/lib/json";
import { stripUnseen } from "@/lib/visible-name";
import { isMoneyAt, quoteText, shorten } from "@/lib/engine/approvals/argument-format";
import { classifyControl } from "@/lib/engine/labels/control-position";

const MAX_NAMED = 4;

const CENTS_NAME = /(?:^|_)cents$/u;

const textOf = (value: Json | undefined): string => (typeof value === "string" ? value : "");

/** `value` undefined: hidden. `text`: see `listTexts`. */
export type NamedArgument = { readonly name: string; readonly value: Json | undefined; readonly text?: string | undefined };

type Shown = NamedArgument & { readonly value: Json };

/** One line: at most 60 visible characters and a display name. */
const formatArgument = ({ value, text }: Shown): string => {
  if (text !== undefined) return text;
  if (typeof value === "boolean") return value ? "yes" : "no";
  if (value === null) return "nothing";

  return typeof value === "string" ? quoteText(shorten(value)) : shorten(toCanonicalJson(value));
};

/** `creditCents` becomes `credit cents`. */
const toWords = (name: string): string =>
  shorten(name.replaceAll(/(?<=[a-z0-9])(?=[A-Z])/gu, " ").replaceAll(/[_\-.]+/gu, " ")).toLowerCase();

const isShown = (arg: NamedArgument): arg is Shown => arg.value !== undefined;

const PLACEHOLDER = /\{([^{}]{1,128})\}/gu;
/** A part that is left out when nothing is in it. */
const OPTIONAL = /\[([^[\]]{1,256})\]/gu;

const namesIn = (text: string): readonly string[] => [...text.matchAll(PLACEHOLDER)].map(([, name = ""]) => name);

const isNothing = (value: Json | undefined): boolean =>
  value === undefined || value === null || value === 0 || value === "" || value === false || (Array.isArray(value) && value.length === 0);

const fillTemplate = (template: string, args: readonly NamedArgument[]): string | null => {
  const byName = new Map(args.map((arg) => [arg.name, arg]));
  const isLeftOut = (name: string): boolean => {
    const arg = byName.get(name);

    return arg === undefined || (arg.value !== undefined && isNothing(arg.value));
  };
  const asked = template.replaceAll(OPTIONAL, (_whole, part: string) => (namesIn(part).some(isLeftOut) ? "" : part));
  const names = namesIn(asked);
  const shown = new Map(args.filter(isShown).map((arg) => [arg.name, formatArgument(arg)]));
  if (names.length === 0 || names.some((name) => !shown.has(name))) return null;

  return stripUnseen(asked).replaceAll(PLACEHOLDER, (_whole, name: string) => shown.get(name) ?? "");
};

const isControl = ({ name, value }: Shown): boolean => classifyControl([name], value) !== null;

/** Names an argument; a money unit is in its text. */
export const nameOfArgument = (schema: JsonObject, name: string): string =>
  toWords(isMoneyAt(schema, [name]) ? name.replace(CENTS_NAME, "") : name);

const nameArgument = (schema: JsonObject, arg: Shown): string =>
  isMoneyAt(schema, [arg.name]) && arg.value === 0
    ? `no ${nameOfArgument(schema, arg.name)}`
    : `${nameOfArgument(schema, arg.name)} ${formatArgument(arg)}`;

const listArguments = (schema: JsonObject, shown: readonly Shown[], hidden: number): string => {
  const ordered = [...shown.filter(isControl), ...shown.filter((arg) => !isControl(arg))];
  const more = ordered.length - MAX_NAMED;

  return [
    ...ordered.slice(0, MAX_NAMED).map((arg) => nameArgument(schema, arg)),
    ...(more > 0 ? [`${more} more`] : []),
    ...(hidden > 0 ? [`${hidden} hidden`] : []),
  ].join(", ");
};

/**
 * Describes a call by `x-effect` (`Move {customer_id} to {plan}[ with a {credit_cents} credit]`; brackets drop if zero, empty or absent) if all
 * names are readable arguments, else by tool and arguments, control positions first.
 */
export const describeCall = (tool: string, schema: JsonObject, args: readonly NamedArgument[]): string => {
  const filled = fillTemplate(textOf(ownMember(schema, "x-effect")), args);
  if (filled !== null) return filled;
  const shown = args.filter(isShown);
  const listed = listArguments(schema, shown, args.length - shown.length);
  const name = toWords(tool);

  return name.slice(0, 1).toUpperCase() + name.slice(1) + (listed === "" ? "" : `: ${listed}`);
};
