/** Uses the product's engine. */
import { randomUUID } from "node:crypto";
import { toCanonicalJson } from "@/lib/json";
import { commitWrites, recordOf, listWrites } from "@/lib/engine/ledger/chain";
import { decide } from "@/lib/engine/decide";
import type { Principal } from "@/lib/engine/principal";
import type { ProposalBody } from "@/lib/engine/proposal";
import type { LedgerRecord } from "@/lib/engine/ledger/record";
import { replay } from "@/lib/engine/ledger/replay";
import type { RunState } from "@/lib/engine/state";
import { chainOf, newKey, type TestKey } from "@/lib/engine/testing/ledger";
import { buildApprovalView, computeViewDigest } from "@/lib/engine/approvals/approval-view";
import { labelSchema } from "@/lib/graph/label";
import type { Version } from "./installation";
import { readRunRow, type World } from "./world";

type StoredRow = { seq: number; body: string; digest: string; kid: string; signature: string };
type CellRow = { seq: number; index: number; path: string; label: string; commitment: string };

/** Inserts a key where machines exchange them. */
export const insertOwnKey = async (world: World): Promise<TestKey> => {
  const key = await newKey("attacker00000000");
  await world.sql("insert into key_hint (kid, public_key) values ($1, $2)", [key.kid, key.public]);

  return key;
};

export const replayWithoutValues = async (world: World, run: string): Promise<RunState> => {
  const records = await world.sql<StoredRow>("select seq, body, digest, kid, signature from ledger_record where run_id = $1 order by seq", [
    run,
  ]);
  const cells = await world.sql<CellRow>("select seq, index, path, label, commitment from cell where run_id = $1 order by seq, index", [
    run,
  ]);
  const row = await readRunRow(world, run);

  return replay(
    {
      workspace: world.desk.workspace,
      run,
      records,
      cells: cells.map((cell) => ({ ...cell, label: labelSchema.parse(JSON.parse(cell.label)), opened: "unreadable" })),
      head: { version: row?.version ?? 0, digest: records.at(-1)?.digest ?? "" },
    },
    "0".repeat(64),
  ).state;
};

/** @throws Error on a refusal */
const buildRecord = (state: RunState, version: Version, principal: Principal, body: ProposalBody): LedgerRecord => {
  const proposal = {
    id: randomUUID(),
    workspace: state.workspace,
    run: state.run,
    at: Date.now(),
    principal,
    epoch: 1,
    fresh: [randomUUID(), randomUUID()] as [string, string],
    body,
  };
  const verdict = decide(version.published, state, proposal);
  if (!verdict.ok) throw new Error(`the engine refuses the forged record: ${verdict.refusal.code}`);
  const writes = listWrites(state, proposal, verdict);
  if (writes.length > 0) throw new Error("the forged record has values, which need the vault key to seal");

  return recordOf(state, proposal, verdict, commitWrites(writes, []), verdict.events);
};

export const forgeApproval = (state: RunState, version: Version, user: string): LedgerRecord => {
  const gate = Object.values(state.gates).find(({ status }) => status === "open");
  if (!gate) throw new Error("no gate is open");
  const view = buildApprovalView(version.published, state, gate, "pii");

  return buildRecord(
    state,
    version,
    { type: "user", id: user, role: "reviewer", auditor: false },
    {
      kind: "decision",
      approval_id: gate.gate.id,
      transition_digest: gate.gate.transition_digest,
      view_digest: computeViewDigest(view),
      decision: "approve",
      nonce: gate.gate.nonce,
    },
  );
};

/** Chains, signs and stores a record. */
export const appendForged = async (world: World, record: LedgerRecord, key: TestKey, status = "running"): Promise<void> => {
  const [signed] = await chainOf([record], key, record.parent);
  if (!signed) throw new Error("nothing was signed");
  await world.sql(
    "insert into ledger_record (workspace_id, run_id, seq, body, digest, kid, signature) values ($1, $2, $3, $4, $5, $6, $7)",
    [record.workspace, record.run, record.seq, toCanonicalJson(signed.record), signed.digest, signed.kid, signed.signature],
  );
  await world.sql("update run set version = $2, head = $3, status = $4, wake_at = now() where id = $1", [
    record.run,
    record.seq + 1,
    signed.digest,
    status,
  ]);
  await world.sql("update approval set status = 'approved', resolved_at = now() where run_id = $1 and status = 'open'", [record.run]);
};
