/** R1: everybody speaks for themselves, about the visit that is going on, and nothing counts twice. */
import type { LedgerRecord } from "@/lib/engine/record";
import type { Blame, Seen } from "./seen";

const PEOPLE = ["start", "decision", "cancel"];
const ENGINE = ["begin", "recover", "expire", "void", "stop"];
const WORK = ["node_result", "node_failure", "action", "model_intent", "model_call", "effect_intent"];

export const checkProposer = (seen: Seen, record: LedgerRecord, waiting: boolean, blame: Blame): void => {
  const { principal, proposal_kind: kind } = record;
  if (seen.proposals.has(record.proposal_id)) blame("R1", "the same proposal counted twice");
  seen.proposals.add(record.proposal_id);
  const speaker = PEOPLE.includes(kind) ? "user" : ENGINE.includes(kind) ? "engine" : "executor";
  if (principal.type !== speaker) blame("R1", `${principal.type} spoke for ${speaker}`);
  if (principal.type !== "user" && principal.epoch !== seen.world.leases[record.seq]) blame("R1", "a worker without the lease was heard");
  if (!WORK.includes(kind) || principal.type !== "executor") return;
  if (principal.node !== seen.at) blame("F1", `${principal.node} worked while the run was at ${seen.at}`);
  if (waiting) blame("F1", "a node worked while the run waited for a person");
};
