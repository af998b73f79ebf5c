/** I1 of promotions. */
import type { RunEvent } from "@/lib/engine/event";
import type { LedgerRecord } from "@/lib/engine/ledger/record";
import { getValueAt } from "@/lib/graph/path";
import { toCanonicalJson, isJsonObject, type Json } from "@/lib/json";
import { findNode, placeOf, type Blame, type Seen, type SeenCase } from "./visibility";

type EventOf<T extends RunEvent["type"]> = Extract<RunEvent, { type: T }>;

const valueHere = (seen: Seen, path: string): Json => getValueAt(placeOf(seen).memory, path.split(".")) ?? null;

type Asking = Extract<NonNullable<ReturnType<typeof findNode>>, { kind: "review" }>["config"];

/** Once the graph's reviewers failed, people may review. */
const checkAsked = (seen: Seen, { reviewers, quorum }: Asking, opened: SeenCase["opened"], blame: Blame): void => {
  const named = reviewers.map((reviewer) => (reviewer.type === "agent" ? reviewer.agent_id : reviewer.role));
  const asked = opened.reviewers.map((reviewer) => (reviewer.type === "agent" ? reviewer.agent : reviewer.role));
  const isLast = asked.every((who) => who === "reviewer") && [...seen.cases.values()].some(({ status }) => status !== "open");
  if (opened.quorum < quorum) blame("I1", "a case asks for less than its node says");
  if (!isLast && toCanonicalJson(asked) !== toCanonicalJson(named)) blame("I1", "a case asks another reviewer than its node names");
};

export const takeCase = (seen: Seen, { case: opened }: EventOf<"case_opened">, blame: Blame): void => {
  const { activation, at } = placeOf(seen);
  const node = findNode(seen, at);
  const { subject } = opened;
  if (seen.cases.has(opened.id)) blame("R1", "a case was opened twice");
  if (opened.activation !== activation || opened.node !== at) blame("F1", "a case was opened where the run is not");
  if (node?.kind !== "review" || subject.type !== "cell" || subject.path !== node.config.target)
    blame("I1", "a case is about an unnamed path");
  if (opened.quorum < 1) blame("I1", "a case asks for no approval");
  if (node?.kind === "review") checkAsked(seen, node.config, opened, blame);
  const value = subject.type === "cell" ? valueHere(seen, subject.path) : null;
  seen.cases.set(opened.id, { opened, value, verdicts: [], status: "open" });
};

export const takeVerdict = (seen: Seen, record: LedgerRecord, event: EventOf<"verdict_given">, blame: Blame): void => {
  const known = seen.cases.get(event.case_id);
  const seat = known?.opened.reviewers[event.reviewer];
  if (!known || known.status !== "open") {
    blame("I1", "a verdict was given in no open case");

    return;
  }
  const person = record.principal.type === "user" ? `user:${record.principal.id}` : null;
  const asked = seat?.type === "agent" ? event.by === `agent:${seat.agent}` : event.by === person && seat?.role === "reviewer";
  if (!asked) blame("I1", "a verdict came from a reviewer who was not asked");
  if (known.opened.producers.includes(event.by)) blame("I1", "a producer reviewed their own value");
  if (event.by === `user:${seen.initiator}`) blame("I1", "who started the run reviewed");
  if (known.verdicts.some(({ by }) => by === event.by)) blame("I1", "a reviewer gave two verdicts");
  known.verdicts.push(event);
};

export const takeClosed = (seen: Seen, event: EventOf<"case_closed">, blame: Blame): void => {
  const known = seen.cases.get(event.case_id);
  if (!known || known.status !== "open") blame("R1", "a case was closed that was not open");
  if (known) known.status = event.outcome;
};

const isPassed = ({ opened, verdicts, status }: SeenCase): boolean => {
  const approvals = new Set(verdicts.filter(({ verdict }) => verdict === "approve").map(({ by }) => by));
  const spoke = opened.reviewers.every((_reviewer, index) => verdicts.some(({ reviewer }) => reviewer === index));

  return status === "passed" && spoke && approvals.size >= opened.quorum && verdicts.every(({ verdict }) => verdict !== "reject");
};

const isAllowed = (value: Json): boolean =>
  isJsonObject(value) &&
  value["plan"] === "team" &&
  (value["credit"] === undefined || value["credit"] === 0) &&
  Object.keys(value).every((name) => name === "plan" || name === "credit");

export const checkRaised = (seen: Seen, record: LedgerRecord, event: EventOf<"promoted">, blame: Blame): void => {
  const node = findNode(seen, placeOf(seen).at);
  const known = seen.cases.get(event.case_id ?? "");
  const judged = record.control.some((other) => other.type === "judged" && other.outcome === "approved" && other.case_id === event.case_id);
  const declared = node?.kind === "judge" && node.config.from === event.from && node.config.to === event.to;
  const { subject, node: reviewedAt } = known?.opened ?? {};
  if (!declared) blame("I1", `${event.from} was promoted without a declaration`);
  if (!judged) blame("I1", "something was raised that was not judged");
  if (!known || !isPassed(known)) blame("I1", "something was raised on a case that did not pass");
  if (node?.kind !== "judge" || reviewedAt !== node.config.review || subject?.type !== "cell" || subject.path !== event.from)
    blame("I1", "something was raised on a case about something else");
  const written = valueHere(seen, event.to);
  if (toCanonicalJson(known?.value ?? null) !== toCanonicalJson(written)) blame("I1", `${event.to} is not the reviewed value`);
  if (!isAllowed(written)) blame("I1", `${event.to} is not what the rules allow`);
};
