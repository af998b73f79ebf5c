/** Authority changes as sentences; names are sanitized, since models may write them. */
import type { Facet, Right } from "@/lib/architect/rights";
import { CLASSIFICATIONS, INTEGRITIES } from "@/lib/graph/label";
import { EFFECTS } from "@/lib/architect/effects";
import { sanitizeText } from "@/lib/sanitize/text";

const MOST_ITEMS = 12;

/** Distinguishes two schemas of one name. */
const FORM = / \(form [0-9a-f]{8}\)$/;

const list = (items: readonly string[]): string => {
  const shown = items.slice(0, MOST_ITEMS).map((item) => sanitizeText(item.replace(FORM, "")));

  return items.length > MOST_ITEMS ? `${shown.join("; ")}; and ${items.length - MOST_ITEMS} more` : shown.join("; ");
};

/** Between "may" and the items. */
const MAY: Partial<Record<Facet, string>> = {
  works: "run as",
  reads: "read",
  writes: "write",
  calls: "call",
  tells: "use",
  speaks: "use the agent",
  chooses: "route the run to",
  computes: "compute",
  promotes: "promote",
  recalls: "recall facts of earlier runs about",
  keeps: "store facts for later runs about",
  hears: "take the answer of",
  reached: "be reached after",
  launch: "be started with",
  triggers: "be started without a person by",
  outside_reads: "show outside agents",
  outside_gives: "be driven by outside agents at",
  trusted: "choose, without approval, what it writes with",
};

/** Unit after "instead of". */
const UNITS: Partial<Record<Facet, string>> = {
  steps: "steps",
  time: "ms in total",
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
const people = (text: string): string => `${text} human ${text === "1" ? "decision" : "decisions"}`;

const turned =
  (on: string, off: string) =>
  (before: string, after: string): string =>
    number(after) > number(before) ? on : off;

const GUARDS: Partial<Record<Facet, (before: string, after: string) => string>> = {
  gates: (before, after) => `has ${people(after)} before it instead of ${before}`,
  quorum: (before, after) => `requires a quorum of ${after} instead of ${before}`,
  verdicts: (before, after) => `requires ${after} ${after === "1" ? "verdict" : "verdicts"} instead of ${before}`,
  exactly: turned("is approved with its exact arguments", "is no longer approved with its exact arguments"),
  asks: turned("always requires an approval", "no longer always requires an approval"),
  signed: (before, after) => `has ${people(after)} signed with a passkey before it instead of ${before}`,
  passkey_for: turned("requires passkeys for more approvals", "requires passkeys for fewer approvals"),
  protected: turned("is protected", "is no longer protected"),
  strict_taint: turned("waits at every untrusted decision (strict taint)", "no longer waits at untrusted decisions (strict taint)"),
  isolate_untrusted: turned("shows agents untrusted values only as handles", "no longer hides untrusted values from agents"),
  integrity: (before, after) => `accepts a minimum integrity of ${named(INTEGRITIES, after)} instead of ${named(INTEGRITIES, before)}`,
  class: (before, after) => `is classified ${named(CLASSIFICATIONS, after)} instead of ${named(CLASSIFICATIONS, before)}`,
  effect: (before, after) => `declares the effect ${named(EFFECTS, after)} instead of ${named(EFFECTS, before)}`,
  outside_shown: turned("shows outside agents less confidential data", "shows outside agents more confidential data"),
};

const isOf = (facet: Facet): string =>
  facet === "form" ? "has a different schema" : facet === "decider" ? "is decided by a different role" : "decides by a different rule";

const sentence = ({ facet, measure }: Right, direction: "wider" | "narrower", said: readonly string[], isNew: boolean): string => {
  const isWider = direction === "wider";
  if (isNew && facet === "works") return isWider ? `is new: ${list(said)}` : "is removed";
  switch (measure.type) {
    case "may":
    case "grants":
      return `may ${isWider ? "" : "no longer "}${MAY[facet] ?? "do"} ${list(said)}`;
    case "must":
      if (facet === "decided") return `${isWider ? "no longer requires" : "also requires"} the decisions at ${list(said)}`;

      return facet === "shown"
        ? `is approved ${isWider ? "without seeing" : "after seeing"} ${list(said)}`
        : `${isWider ? "loses" : "gains"} the check ${list(said)}`;
    case "most":
      return `may use ${said[1] ?? ""} ${UNITS[facet] ?? ""} instead of ${said[0] ?? ""}`;
    case "least":
      return GUARDS[facet]?.(said[0] ?? "", said[1] ?? "") ?? "has different safeguards";
    case "is":
      return isOf(facet);
    default:
      return measure satisfies never;
  }
};

/** Describes a facet. @param said the difference @param isNew added or removed */
export const describeFacet = (right: Right, direction: "wider" | "narrower", said: readonly string[], isNew: boolean): string => {
  const inside = right.subject.inside === "" ? "" : `In ${right.subject.inside}: `;

  return `${inside}${sanitizeText(right.name)} ${sentence(right, direction, said, isNew)}`;
};
