import { toCanonicalJson } from "@/lib/json";
import { getClearance } from "@/lib/engine/approvals/policy";
import { buildApprovalView, computeViewDigest } from "@/lib/engine/approvals/approval-view";
import type { CommandBody } from "@/lib/engine/proposal";
import type { SignedRecord } from "@/lib/engine/ledger/record";
import type { GateState, RunState } from "@/lib/engine/state";
import { listPublicKeys } from "@/server/security/trust-anchor";
import { outcomeSchema, type CommandOutcome } from "@/server/store/runs/commands";
import { driveRun, type Wakeups } from "@/server/runner/drive";
import { loadRunAt, RunFrozen } from "@/server/runner/load";
import { query, command, type Desk } from "@/server/runner/testing/desk";

const asleep: Wakeups = { onWake: () => () => undefined };

type Row = {
  status: string;
  current_node: string | null;
  version: number;
  refusals: number;
  total_tokens: number;
  total_micro_usd: string;
};

/** Replaying the records must match the live row. */
const rowOf = async (desk: Desk, runId: string): Promise<Row | undefined> => {
  const [row] = await query<Row>(
    desk.urls.admin,
    `select status, current_node, version, refusals, total_tokens, total_micro_usd from run
     where id = $1 and version > 0 and frozen is null and parent_run is null`,
    [runId],
  );

  return row;
};

const checkReplay = async (desk: Desk, runId: string): Promise<void> => {
  const row = await rowOf(desk, runId);
  const replayed = row && (await readRun(desk, runId).catch(ifFrozen));
  // Another driver checks its own result.
  if (!row || !replayed || (await rowOf(desk, runId))?.version !== row.version) return;
  const { state } = replayed;
  const replay = {
    status: state.status,
    current_node: state.currentNode,
    version: state.version,
    refusals: state.refusals,
    total_tokens: state.totalTokens,
    total_micro_usd: String(state.costMicroUsd),
  };
  if (toCanonicalJson(replay) !== toCanonicalJson(row))
    throw new Error(`replayed: ${toCanonicalJson(replay)}, live: ${toCanonicalJson(row)}`);
};

/** A tampered ledger has no replay. */
const ifFrozen = (error: unknown): null => {
  if (error instanceof RunFrozen) return null;
  throw error;
};

export const drive = async (desk: Desk, runId: string): Promise<void> => {
  await driveRun(desk.deps, asleep, desk.workspace, runId);
  await checkReplay(desk, runId);
};

export const readRun = async (desk: Desk, runId: string): Promise<{ state: RunState; records: SignedRecord[] }> => {
  const [head] = await query<{ version: number; head: string; graph_hash: string }>(
    desk.urls.admin,
    "select version, head, graph_hash from run where id = $1",
    [runId],
  );
  if (!head) {
    const outcomes = await query(desk.urls.admin, "select outcome from command where run_id = $1", [runId]);
    throw new Error(`the run does not exist; its commands were answered ${JSON.stringify(outcomes)}`);
  }
  const place = { workspaceId: desk.workspace, runId, version: head.version, digest: head.head };

  return loadRunAt(desk.deps.vault, await listPublicKeys(), place, head.graph_hash);
};

export const openGateOf = (state: RunState): GateState => {
  const open = Object.values(state.gates).find((gate) => gate.status === "open");
  if (!open) throw new Error("no gate is open");

  return open;
};

export const decisionFor = (
  desk: Desk,
  state: RunState,
  decision: "approve" | "reject",
  gate = openGateOf(state),
): Extract<CommandBody, { kind: "decision" }> => {
  const view = buildApprovalView(desk.published, state, gate, getClearance({ role: "reviewer", auditor: false }));

  return {
    kind: "decision",
    approval_id: gate.gate.id,
    transition_digest: gate.gate.transition_digest,
    view_digest: computeViewDigest(view),
    decision,
    ...(decision === "reject" ? { reason: "No." } : {}),
    nonce: gate.gate.nonce,
  };
};

export const awaitAnswer = async (desk: Desk, commandId: string): Promise<CommandOutcome> => {
  const [row] = await query<{ outcome: unknown }>(desk.urls.admin, "select outcome from command where id = $1", [commandId]);

  return outcomeSchema.parse(row?.outcome);
};

export const ask = async (desk: Desk, runId: string, userId: string, body: CommandBody): Promise<CommandOutcome> => {
  const id = await command(desk, runId, userId, body);
  await drive(desk, runId);

  return awaitAnswer(desk, id);
};

export const refusalCodes = (records: readonly SignedRecord[]): string[] =>
  records.flatMap(({ record }) => (record.refusal ? [record.refusal.code] : []));

export const customersOf = async (desk: Desk): Promise<{ customers: unknown[]; applied: number }> => {
  const customers = await query(desk.urls.customers, "select * from customers.customer order by 1");
  const [applied] = await query<{ n: number }>(desk.urls.customers, "select count(*)::int as n from customers.applied_change");

  return { customers, applied: applied?.n ?? -1 };
};
