/** Rights in the words that people read before they publish. Names come from documents that a model may have written: they are shown as text. */
import type { Facet, Right } from "@/lib/architect/rights";
import { CLASSIFICATIONS, INTEGRITIES } from "@/lib/graph/label";
import { EFFECTS } from "@/lib/architect/effects";
import { sanitizeText } from "@/lib/sanitize/text";

const MOST_ITEMS = 12;

/** What tells two forms of one name apart says nothing to people. */
const FORM = / \(form [0-9a-f]{8}\)$/;

const list = (items: readonly string[]): string => {
  const shown = items.slice(0, MOST_ITEMS).map((item) => sanitizeText(item.replace(FORM, "")));

  return items.length > MOST_ITEMS ? `${shown.join("; ")}; and ${items.length - MOST_ITEMS} more` : shown.join("; ");
};

/** What may be done, after "may" and before the items. */
const MAY: Partial<Record<Facet, string>> = {
  works: "work as",
  reads: "read",
  writes: "write",
  calls: "call",
  tells: "use",
  speaks: "speak through the agent",
  chooses: "send the run to",
  computes: "compute",
  promotes: "raise what is reviewed from",
  recalls: "recall what earlier runs left about",
  keeps: "leave facts for later runs about",
  reached: "be reached after",
  launch: "be started with",
  outside_reads: "show outside agents",
  outside_gives: "be driven by outside agents at",
};

/** A limit, after "instead of": what the number counts. */
const UNITS: Partial<Record<Facet, string>> = {
  steps: "steps",
  time: "ms in all",
  tokens: "tokens",
  money: "USD",
  attempts: "attempts",
  attempt_time: "ms per attempt",
  rounds: "rounds",
  items: "items",
  together: "at a time",
  size: "bytes",
  depth: "levels",
  outside_waits: "ms of waiting for an outside agent",
};

const number = (text: string): number => Number(text.replaceAll(",", ""));
const named = (names: readonly string[], at: string): string => names[number(at)] ?? "unknown";
const people = (text: string): string => `${text} ${text === "1" ? "decision" : "decisions"} of people`;

const turned =
  (on: string, off: string) =>
  (before: string, after: string): string =>
    number(after) > number(before) ? on : off;

/** Guards with numbers: what stood there before, and what stands there now. */
const GUARDS: Partial<Record<Facet, (before: string, after: string) => string>> = {
  gates: (before, after) => `has ${people(after)} before it instead of ${before}`,
  quorum: (before, after) => `needs ${after} to agree instead of ${before}`,
  verdicts: (before, after) => `needs ${after} verdicts instead of ${before}`,
  exactly: turned("is approved with exactly its own arguments", "is no longer approved with exactly its own arguments"),
  asks: turned("always asks a person", "no longer always asks a person"),
  signed: (before, after) => `has ${people(after)} signed with a passkey before it instead of ${before}`,
  passkey_for: turned("demands passkeys for more approvals", "demands passkeys for fewer approvals"),
  protected: turned("is protected", "is no longer protected"),
  strict_taint: turned("holds at every untrusted decision (strict taint)", "no longer holds at untrusted decisions (strict taint)"),
  isolate_untrusted: turned("shows agents untrusted values only as handles", "no longer keeps untrusted values away from agents"),
  integrity: (before, after) => `takes values from ${named(INTEGRITIES, after)} up instead of ${named(INTEGRITIES, before)}`,
  class: (before, after) => `counts as ${named(CLASSIFICATIONS, after)} instead of ${named(CLASSIFICATIONS, before)}`,
  effect: (before, after) => `says of itself that it is ${named(EFFECTS, after)} instead of ${named(EFFECTS, before)}`,
  outside_shown: turned("shows outside agents less", "shows outside agents more confidential data"),
};

const isOf = (facet: Facet): string =>
  facet === "form"
    ? "has another form than before"
    : facet === "decider"
      ? "is decided by another role"
      : "decides by another rule than before";

const sentence = ({ facet, measure }: Right, direction: "wider" | "narrower", said: readonly string[], isNew: boolean): string => {
  const isWider = direction === "wider";
  if (isNew && facet === "works") return isWider ? `is new: ${list(said)}` : "is gone";
  switch (measure.type) {
    case "may":
    case "grants":
      return `may ${isWider ? "" : "no longer "}${MAY[facet] ?? "do"} ${list(said)}`;
    case "must":
      if (facet === "decided")
        return `is reached only after ${isWider ? "fewer decisions, not those" : "more decisions, those"} at ${list(said)}`;

      return facet === "shown"
        ? `is decided about ${isWider ? "without" : "with"} a look at ${list(said)}`
        : `${isWider ? "loses" : "gains"} the check ${list(said)}`;
    case "most":
      return `may use ${said[1] ?? ""} ${UNITS[facet] ?? ""} instead of ${said[0] ?? ""}`;
    case "least":
      return GUARDS[facet]?.(said[0] ?? "", said[1] ?? "") ?? "is guarded by other numbers";
    case "is":
      return isOf(facet);
    default:
      return measure satisfies never;
  }
};

/** One sentence without its full stop. @param said what the difference is made of @param isNew the subject itself came or went */
export const facetText = (right: Right, direction: "wider" | "narrower", said: readonly string[], isNew: boolean): string => {
  const inside = right.subject.inside === "" ? "" : `In ${right.subject.inside}: `;

  return `${inside}${sanitizeText(right.name)} ${sentence(right, direction, said, isNew)}`;
};
