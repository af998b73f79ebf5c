/** Signs of an attack or mistake, by rules over run and view. */
import { z } from "zod";
import type { ApprovalView, ViewLine } from "@/lib/engine/approvals/approval-view";
import { riskSchema, type Risk } from "@/lib/engine/approvals/authority-class";
import { formatMoneyAt, isMoneyAt, shorten } from "@/lib/engine/approvals/argument-format";
import { nameOfArgument } from "@/lib/engine/approvals/argument-text";
import type { History } from "@/lib/engine/approvals/history";
import type { Subject } from "@/lib/engine/approvals/looked-up";
import { listAttempts, type Attempt } from "@/lib/engine/ledger/attempt";
import { CONTROL_TEXT, getLineName, listControlKinds } from "@/lib/engine/labels/control-position";
import type { RunState } from "@/lib/engine/state";
import { ownMember, type Json, type JsonObject } from "@/lib/json";
import { listLeaves, placeKey } from "@/lib/leaves";
import { stripPhrases } from "@/lib/sanitize/phrases";
import type { RefusalCode } from "@/lib/refusal";
import { toSkeleton } from "@/lib/sanitize/skeleton";
import { isVisibleName } from "@/lib/visible-name";

export const signalCodeSchema = z.enum([
  "different_record",
  "lookalike",
  "invisible",
  "instructions",
  "attempts",
  "amount_history",
  "count_history",
  "first_tool",
  "first_recipient",
  "steered",
]);
export type SignalCode = z.infer<typeof signalCodeSchema>;

export type Signal = { readonly code: SignalCode; readonly risk: Risk; readonly text: string };

type Lines = ApprovalView["lines"];

const namesWith = (lines: Lines, isFound: (text: string) => boolean): readonly string[] =>
  lines.flatMap((line) => {
    const { op, after } = line;
    if ((op !== "call" && op !== "set") || after === null || after.hidden) return [];
    const texts = listLeaves(after.value).flatMap(({ place, value }) => [
      ...place.filter((name) => typeof name === "string"),
      ...(typeof value === "string" ? [value] : []),
    ]);

    return [getLineName(line), ...texts].some(isFound) ? [shorten(getLineName(line))] : [];
  });

const ofNames = (code: SignalCode, names: readonly string[], says: string): readonly Signal[] =>
  names.length === 0 ? [] : [{ code, risk: "high", text: `${names.join(", ")} ${says}` }];

const WORDS = /[\p{L}\p{M}\p{N}._@-]+/gu;
const ASCII = /^[\u0021-\u007e]+$/u;
const ASCII_LETTER = /[A-Za-z]/u;

/** ASCII letters with look-alikes. */
const hasLookalike = (text: string): boolean =>
  (text.match(WORDS) ?? []).some((word) => !ASCII.test(word) && ASCII_LETTER.test(word) && ASCII.test(toSkeleton(word)));

const hasInstructions = (text: string): boolean => stripPhrases(text) !== text;

const spell = (value: Json): string => JSON.stringify(value);

/** Visible argument, its text first; null: hidden or not sent. */
const shownAt = (lines: Lines, name: string, side: "before" | "after"): string | null => {
  const shown = lines.find((line) => line.op === "call" && getLineName(line) === name)?.[side];

  return shown && !shown.hidden ? (shown.texts?.[placeKey([])] ?? spell(shown.value)) : null;
};

const ofSubjects = (subjects: readonly Subject[], lines: Lines): readonly Signal[] =>
  subjects.flatMap(({ name, target, other }): Signal[] => {
    if (other === null) return [];
    const [was, is] = [shownAt(lines, name, "before"), shownAt(lines, name, "after")];
    const chosen = target === null ? "" : " An agent looked that up.";
    const text =
      was !== null && is !== null
        ? `Different ${name}: the run looked up ${was}, this call names ${is}.${chosen}`
        : `Different ${name}: this call names a record that the run did not look up.`;

    return [{ code: "different_record", risk: "high", text }];
  });

/** Looks like the value before or an identity read. */
const ofTwins = (subjects: readonly Subject[], lines: Lines): readonly string[] =>
  lines.flatMap((line) => {
    const after = line.after?.hidden === false ? line.after.value : null;
    if (typeof after !== "string" || (line.op !== "call" && line.op !== "set")) return [];
    const subject = subjects.find(({ name }) => line.op === "call" && name === getLineName(line));
    const before = line.before?.hidden === false ? [line.before.value] : [];
    const other = subject?.other ? [ownMember(subject.other.record, subject.id)] : [];
    const isTwin = (value: Json | undefined) => typeof value === "string" && value !== after && toSkeleton(value) === toSkeleton(after);

    return [...before, ...other].some(isTwin) ? [shorten(getLineName(line))] : [];
  });

const MANY_ATTEMPTS = 3;
const MOST_TOLD = 4;

const describeKey = (named: string): string => (named === "" ? "set an undeclared key" : `set ${named}`);
const describeTool = (named: string): string => (named === "" ? "called a tool that it may not call" : `called ${named}`);

const PHRASES: Partial<Record<RefusalCode, (named: string) => string>> = {
  write_not_granted: describeKey,
  key_undeclared: describeKey,
  key_protected: describeKey,
  integrity_too_low: describeKey,
  tool_not_granted: describeTool,
  sink_not_cleared: describeTool,
  arguments_invalid: describeTool,
  action_not_granted: (named) => `took the action ${named}`,
  principal_not_allowed: () => "acted as a person",
};

const phrase = ({ code, names }: Attempt): string => PHRASES[code]?.(names.join(", ")) ?? `was refused with ${code}`;

const timesText = (attempt: Attempt): string => `${phrase(attempt)}${attempt.times === 1 ? "" : ` ${attempt.times} times`}`;

const ofAttempts = (state: RunState): readonly Signal[] => {
  const { attempts } = state;
  if (attempts === 0) return [];
  const kinds = listAttempts(state);
  const rest = kinds.slice(MOST_TOLD).reduce((sum, { times }) => sum + times, 0);
  const told = [...kinds.slice(0, MOST_TOLD).map(timesText), ...(rest > 0 ? [`${rest} more`] : [])].join("; ");
  const text = `${attempts} refused ${attempts === 1 ? "attempt" : "attempts"} in this run: ${told}.`;

  return [{ code: "attempts", risk: attempts >= MANY_ATTEMPTS ? "high" : "medium", text }];
};

const FAR_BEYOND = 10;

const times = (value: number, largest: number): string => {
  const ratio = largest === 0 ? 0 : Math.abs(value) / largest;

  return ratio >= 2 ? `${Math.floor(ratio).toLocaleString("en-US")} times` : "above";
};

/** History facts; values only where the reader sees the call's and the history's. */
const ofHistory = ({ history, isReadable, schema }: Called, lines: Lines): readonly Signal[] => {
  if (history === null) return [];
  const isTold = (name: string) => isReadable && shownAt(lines, name, "after") !== null;
  const nameOf = (name: string): string => {
    const words = nameOfArgument(schema, name);

    return words.slice(0, 1).toUpperCase() + words.slice(1);
  };
  const numberOf = (name: string, value: number): string =>
    Number.isSafeInteger(value) && isMoneyAt(schema, [name]) ? formatMoneyAt(schema, [name], value) : value.toLocaleString("en-US");
  const within = `${history.days} days`;

  return [
    ...history.amounts.map(({ name, value, largest }): Signal => ({
      code: "amount_history",
      risk: largest > 0 && Math.abs(value) >= FAR_BEYOND * largest ? "high" : "medium",
      text: isTold(name)
        ? `${nameOf(name)} is ${times(value, largest)} the largest approved in this graph (${numberOf(name, largest)} in ${within}).`
        : `An amount is above the largest approved in this graph in ${within}.`,
    })),
    ...history.counts.map(({ name, value, largest }): Signal => ({
      code: "count_history",
      risk: value >= FAR_BEYOND * Math.max(1, largest) ? "high" : "medium",
      text: isTold(name)
        ? `${nameOf(name)} has ${value} entries; the most approved in this graph were ${largest} in ${within}.`
        : `A list is longer than any approved in this graph in ${within}.`,
    })),
    ...(history.calls === 0
      ? [{ code: "first_tool", risk: "low", text: `First use of this tool in this graph: no approved call in ${within}.` } as const]
      : []),
    ...history.firsts.map(({ name, domain }): Signal => ({
      code: "first_recipient",
      risk: domain ? "medium" : "low",
      text: isTold(name)
        ? `${nameOf(name)} has ${domain ? "an address in a domain" : "an address"} that no approved call of this graph had in ${within}.`
        : `An address is new to this graph in ${within}.`,
    })),
  ];
};

const ofControls = (lines: readonly ViewLine[]): readonly Signal[] => {
  const steered = lines.flatMap((line) => listControlKinds(line).map((kind) => `${shorten(getLineName(line))} ${CONTROL_TEXT[kind]}`));

  return steered.length === 0 ? [] : [{ code: "steered", risk: "medium", text: `Untrusted: ${[...new Set(steered)].join("; ")}.` }];
};

const RISKS = riskSchema.options;

/** Raises a risk to that of the signals. */
export const raiseRisk = (risk: Risk, signals: readonly Pick<Signal, "risk">[]): Risk =>
  RISKS[Math.max(RISKS.indexOf(risk), ...signals.map((signal) => RISKS.indexOf(signal.risk)))] ?? risk;

/** Without a waiting call, all are empty. */
export type Called = {
  readonly schema: JsonObject;
  readonly subjects: readonly Subject[];
  readonly history: History | null;
  /** True if the reader may know the history's values. */
  readonly isReadable: boolean;
};

/** Lists signals, high ones first; texts hold visible values only. */
export const listSignals = (state: RunState, called: Called, lines: Lines): readonly Signal[] =>
  [
    ...ofSubjects(called.subjects, lines),
    ...ofNames(
      "lookalike",
      [...new Set([...namesWith(lines, hasLookalike), ...ofTwins(called.subjects, lines)])],
      "has characters that look like others.",
    ),
    ...ofNames(
      "invisible",
      namesWith(lines, (text) => !isVisibleName(text.replaceAll(/[\n\r\t]/gu, ""))),
      "has invisible characters.",
    ),
    ...ofNames("instructions", namesWith(lines, hasInstructions), "contains instructions to a model."),
    ...ofAttempts(state),
    ...ofHistory(called, lines),
    ...ofControls(lines),
  ].toSorted((a, b) => RISKS.indexOf(b.risk) - RISKS.indexOf(a.risk));
