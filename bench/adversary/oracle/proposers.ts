/** R1. */
import type { LedgerRecord } from "@/lib/engine/ledger/record";
import type { RunEvent } from "@/lib/engine/event";
import type { Principal, ServiceScope } from "@/lib/engine/principal";
import { placeOf, type Blame, type Seen } from "./visibility";

/** Kinds in which a service account stands in for a person, with the scope that it needs. */
const ACCOUNTS: Readonly<Record<string, ServiceScope>> = {
  start: "runs:start",
  cancel: "runs:control",
  comment: "approvals:comment",
  decision: "approvals:reject",
};
const PEOPLE = ["start", "decision", "comment", "edit", "cancel"];
const ENGINE = [
  "begin",
  "recover",
  "expire",
  "escalate",
  "void",
  "ask_again",
  "stop",
  "retry",
  "forfeit",
  "recall",
  "ascend",
  "undo",
  "unwound",
  "open_case",
  "close_case",
];
const BEGINS = ["node_result", "node_failure", "outage", "action", "model_intent", "effect_intent", "verdict"];
const HAPPENED = ["model_call", "model_failure", "task_failure", "compaction"];

const isRejection = (event: RunEvent): boolean => event.type !== "decision_made" || event.decision === "reject";

/** Its decisions only reject. */
const isAccountsOwn = (principal: Principal, { proposal_kind: kind, control }: LedgerRecord): boolean => {
  const scope = Object.hasOwn(ACCOUNTS, kind) ? ACCOUNTS[kind] : undefined;

  return principal.type === "agent" && scope !== undefined && principal.scopes.includes(scope) && control.every(isRejection);
};

export const checkProposer = (seen: Seen, record: LedgerRecord, waiting: boolean, blame: Blame): void => {
  const { principal, proposal_kind: kind } = record;
  if (seen.proposals.has(record.proposal_id)) blame("R1", "the same proposal counted twice");
  seen.proposals.add(record.proposal_id);
  if (seen.over) blame("R1", `${kind} counted after the end`);
  if (!seen.started && kind !== "start") blame("R1", `${kind} counted before the start`);
  if (kind === "start") seen.started = true;
  const { retryAt } = placeOf(seen);
  if (kind === "retry" && (retryAt === null || record.at < retryAt)) blame("R1", "an attempt was repeated before its time");
  const speaker = PEOPLE.includes(kind) ? "user" : ENGINE.includes(kind) ? "engine" : "executor";
  if (principal.type !== speaker && !isAccountsOwn(principal, record)) blame("R1", `${principal.type} spoke for ${speaker}`);
  if ("epoch" in principal && principal.epoch !== seen.world.leases[record.seq]) blame("R1", "a worker without the lease was heard");
  if (principal.type !== "executor" || !(BEGINS.includes(kind) || HAPPENED.includes(kind))) return;
  const { at } = placeOf(seen);
  if (principal.node !== at) blame("F1", `${principal.node} worked while the run was at ${at}`);
  if (waiting && BEGINS.includes(kind)) blame("F1", "a node worked while the run waited for a person");
};
