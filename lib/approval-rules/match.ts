import type { Rule, When } from "@/lib/approval-rules/rule";
import type { EffectClass } from "@/lib/graph/document";
import { CLASSIFICATIONS, type Label } from "@/lib/graph/label";
import { ownMember, type Json, type JsonObject } from "@/lib/json";

const CLASSES: readonly EffectClass[] = ["pure", "read", "write", "irreversible"];

/** `graphs`: the run's and a subgraph's own. Null: the caller does not know. */
export type RuledCall = {
  readonly graphs: readonly string[];
  readonly server: string;
  readonly tool: string;
  readonly effect: EffectClass;
  readonly label: Pick<Label, "integrity" | "confidentiality"> | null;
  readonly args: JsonObject | null;
  /** Lists arguments of the run's earlier calls. */
  readonly listEarlier?: () => readonly (JsonObject | null)[];
};

/** Lists the values at a path. A missing one is `undefined`. */
const collectAt = (value: Json | undefined, [name, ...rest]: readonly string[]): readonly (Json | undefined)[] => {
  if (Array.isArray(value)) {
    const items = value as readonly Json[];

    return items.flatMap((item) => collectAt(item, name === undefined ? [] : [name, ...rest]));
  }

  return name === undefined ? [value] : collectAt(ownMember(value, name), rest);
};

const addUp = (sizes: readonly (number | null)[]): number | null =>
  sizes.reduce((sum, size) => (sum === null || size === null ? null : sum + size), 0);

const DECIMAL = /^-?\d{1,15}(?:\.\d{1,9})?$/u;

/** Returns a size without sign, or null. */
const toSize = (value: Json | undefined): number | null => {
  const amount = typeof value === "string" && DECIMAL.test(value) ? Number(value) : value;

  return typeof amount === "number" && Number.isFinite(amount) ? Math.abs(amount) : null;
};

/** Returns the amount without sign, a list's sum; null: missing or not comparable. */
const measure = ({ argument, currency }: NonNullable<When["amount"]>, args: JsonObject | null): number | null => {
  if (!args) return null;
  const sizes = collectAt(args, argument.split(".")).map(toSize);
  const codes = currency ? collectAt(args, currency.argument.split(".")) : [];
  const isOther = currency !== undefined && (codes.length === 0 || codes.some((code) => code !== currency.code));

  return isOther || sizes.length === 0 ? null : addUp(sizes);
};

/** Unknown: reached. */
const isReached = (amount: NonNullable<When["amount"]>, args: JsonObject, listEarlier: NonNullable<RuledCall["listEarlier"]>): boolean => {
  const isOver = (size: number | null): boolean => size === null || size >= amount.from;
  const own = measure(amount, args);

  return isOver(own) || (amount.total === true && isOver(addUp([own, ...listEarlier().map((one) => measure(amount, one))])));
};

/** False where the caller does not know. */
export const applies = ({ when }: Rule, { graphs, server, tool, effect, label, args, listEarlier = () => [] }: RuledCall): boolean => {
  const { confidentiality } = when;
  if (CLASSES.indexOf(effect) < CLASSES.indexOf(when.effect)) return false;
  if (when.graph !== undefined && !graphs.includes(when.graph)) return false;
  if (when.server !== undefined && when.server !== server) return false;
  if (when.tool !== undefined && when.tool !== tool) return false;
  if (when.untrusted && label?.integrity !== "untrusted") return false;
  if (confidentiality && (!label || CLASSIFICATIONS.indexOf(label.confidentiality) < CLASSIFICATIONS.indexOf(confidentiality)))
    return false;

  return when.amount === undefined || (args !== null && isReached(when.amount, args, listEarlier));
};
