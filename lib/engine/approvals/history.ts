/** Compares a call with approved calls of its tool and graph. The result is a cell, so all judge the same facts and no other run's values leak. */
import { z } from "zod";
import { CLASSIFICATIONS, type Label } from "@/lib/graph/label";
import { isJsonObject, ownMember, type Json, type JsonObject } from "@/lib/json";
import { listLeaves, placeKey, type Place } from "@/lib/leaves";
import type { Gate } from "@/lib/engine/event";
import { classifyControl } from "@/lib/engine/labels/control-position";
import type { Accepted, Write } from "@/lib/engine/decide/verdict";
import type { HexDigest } from "@/lib/hash";

export const HISTORY_DAYS = 90;
/** Latest approved calls. */
export const MOST_PAST_CALLS = 200;

const MOST_FOUND = 20;

const nameSchema = z.string().max(1_200);

/** Values outside the history. `largest`: of a number or a list's length. */
export const historySchema = z.strictObject({
  days: z.number().int().positive(),
  calls: z.number().int().min(0),
  amounts: z.array(z.strictObject({ name: nameSchema, value: z.number(), largest: z.number() })).max(MOST_FOUND),
  counts: z.array(z.strictObject({ name: nameSchema, value: z.number(), largest: z.number() })).max(MOST_FOUND),
  /** Recipients that no approved call had; `domain`: nor its domain. */
  firsts: z.array(z.strictObject({ name: nameSchema, domain: z.boolean() })).max(MOST_FOUND),
});
export type History = z.infer<typeof historySchema>;

export const getHistoryPath = (approvalId: string): string => `$history.${approvalId}`;

export type PastCall = { readonly args: JsonObject; readonly label: Pick<Label, "confidentiality"> };

export type HistoryQuestion = { readonly gate: Gate; readonly args: JsonObject; readonly label: Label };

/** Facts with their call: proposals can be decided later than the lookup. */
export type KnownHistory = { readonly argumentsDigest: HexDigest; readonly history: History; readonly label: Label };

type Part = { readonly name: string; readonly place: Place; readonly value: Json };

/** A list's items share its place: order says nothing. */
const spotOf = (place: Place): string => placeKey(place.map((name) => (typeof name === "number" ? "*" : name)));

const partsOf = (args: JsonObject): readonly Part[] =>
  listLeaves(args).flatMap(({ place, value }) => {
    const [name] = place;

    return typeof name === "string" ? [{ name, place, value }] : [];
  });

const listsOf = (value: Json, place: Place = []): readonly { readonly place: Place; readonly length: number }[] => {
  if (Array.isArray(value)) {
    const items = value as readonly Json[];

    return [{ place, length: items.length }, ...items.flatMap((item, index) => listsOf(item, [...place, index]))];
  }

  return isJsonObject(value) ? Object.entries(value).flatMap(([name, member]) => listsOf(member, [...place, name])) : [];
};

const largestBy = (numbers: readonly (readonly [string, number])[]): ReadonlyMap<string, number> => {
  const largest = new Map<string, number>();
  for (const [spot, value] of numbers) largest.set(spot, Math.max(largest.get(spot) ?? 0, value));

  return largest;
};

const NEW_ADDRESS = new Set(["recipient", "url", "host"]);

const domainOf = (text: string): string => {
  const url = URL.parse(text);
  if (url && url.host !== "") return url.host.toLowerCase();

  return (text.split("@").at(-1) ?? text).trim().toLowerCase();
};

const addressesOf = (args: JsonObject): readonly (Part & { readonly value: string })[] =>
  partsOf(args).flatMap((part) => {
    const kind = typeof part.value === "string" ? classifyControl(part.place, part.value) : null;

    return typeof part.value === "string" && kind !== null && NEW_ADDRESS.has(kind) ? [{ ...part, value: part.value }] : [];
  });

const NUMBER = /^-?\d{1,15}(?:\.\d{1,9})?$/u;

/** Numbers, also those that a tool takes as text. */
const numbersOf = (args: JsonObject): readonly { readonly name: string; readonly place: Place; readonly value: number }[] =>
  partsOf(args).flatMap(({ name, place, value }) =>
    typeof value === "number" || (typeof value === "string" && NUMBER.test(value)) ? [{ name, place, value: Number(value) }] : [],
  );

const first = <T extends { readonly name: string }>(found: readonly T[]): T[] =>
  [...new Map(found.map((one) => [one.name, one])).values()].slice(0, MOST_FOUND);

/** Compares a call with approved ones. Numbers above the previous maximum are outside. */
export const compareWithHistory = (args: JsonObject, past: readonly PastCall[]): History => {
  const numbers = past.flatMap((call) => numbersOf(call.args));
  const amounts = largestBy(numbers.map(({ place, value }) => [spotOf(place), Math.abs(value)]));
  const lengths = largestBy(past.flatMap((call) => listsOf(call.args).map(({ place, length }) => [spotOf(place), length] as const)));
  const known = past.flatMap((call) => addressesOf(call.args).map(({ value }) => value.trim().toLowerCase()));
  const [addresses, domains] = [new Set(known), new Set(known.map(domainOf))];
  const isAmount = (place: Place) => classifyControl(place, undefined) === "amount";
  const beyond = (spot: string, of: ReadonlyMap<string, number>, value: number) => past.length > 0 && value > (of.get(spot) ?? 0);

  return {
    days: HISTORY_DAYS,
    calls: past.length,
    amounts: first(
      numbersOf(args)
        .filter(({ place, value }) => isAmount(place) && beyond(spotOf(place), amounts, Math.abs(value)))
        .toSorted((a, b) => Math.abs(a.value) - Math.abs(b.value))
        .map(({ name, place, value }) => ({ name, value, largest: amounts.get(spotOf(place)) ?? 0 })),
    ),
    counts: first(
      listsOf(args)
        .filter(({ place, length }) => place.length > 0 && length > 1 && beyond(spotOf(place), lengths, length))
        .map(({ place, length }) => ({ name: String(place[0]), value: length, largest: lengths.get(spotOf(place)) ?? 0 })),
    ),
    firsts: first(
      past.length === 0
        ? []
        : addressesOf(args)
            .filter(({ value }) => !addresses.has(value.trim().toLowerCase()))
            .map(({ name, value }) => ({ name, domain: !domains.has(domainOf(value)) }))
            // A new domain of one item speaks for its argument.
            .toSorted((a, b) => Number(a.domain) - Number(b.domain)),
    ),
  };
};

/** Labels the facts by the call and the compared calls. */
export const labelHistory = (label: Label, past: readonly PastCall[]): Label => ({
  ...label,
  confidentiality:
    CLASSIFICATIONS[
      Math.max(...[label, ...past.map((call) => call.label)].map(({ confidentiality }) => CLASSIFICATIONS.indexOf(confidentiality)))
    ] ?? "secret",
});

/** Returns the lookup for an opened gate, or null. */
export const findHistoryQuestion = ({ events, writes }: Pick<Accepted, "events" | "writes">): HistoryQuestion | null => {
  const opened = events.find((event) => event.type === "gate_opened");
  if (opened?.type !== "gate_opened" || opened.gate.transition.effect === null) return null;
  const pending = writes.find(({ path }) => path === `$pending.${opened.gate.id}`);
  const args = ownMember(pending?.value, "arguments");

  return pending && isJsonObject(args) ? { gate: opened.gate, args, label: pending.label } : null;
};

/** Lists an opened gate's history cell, if about this call. */
export const writeHistory = (accepted: Pick<Accepted, "events" | "writes">, known: KnownHistory | undefined): readonly Write[] => {
  const question = known && findHistoryQuestion(accepted);
  if (!known || question?.gate.transition.effect?.arguments_digest !== known.argumentsDigest) return [];

  return [{ path: getHistoryPath(question.gate.id), value: known.history, label: known.label }];
};
