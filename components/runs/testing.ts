/** Unsigned test records with chained digests. */
import { POLICY_HASH } from "@/lib/engine/approvals/policy";
import type { LedgerRecord } from "@/lib/engine/ledger/record";
import { recordDigest } from "@/lib/engine/ledger/chain";
import { GENESIS_PARENT } from "@/lib/engine/state";
import type { StoredCell } from "@/lib/engine/verify/verify";
import { toCanonicalJson, type Json } from "@/lib/json";
import type { Label } from "@/lib/graph/label";
import type { LedgerBatch } from "./entries";

const WORKSPACE = "00000000-0000-4000-8000-000000000001";
const RUN = "00000000-0000-4000-8000-000000000002";

export type TestWrite = { readonly path: string; readonly value: Json; readonly label: Label; readonly isHidden?: boolean };
export type TestRecord = Partial<Pick<LedgerRecord, "control" | "refusal" | "node" | "proposal_kind" | "at">> & {
  readonly writes?: readonly TestWrite[];
};

/** Test batch from seq 0. */
export const toBatch = (records: readonly TestRecord[]): LedgerBatch => {
  let parent = GENESIS_PARENT;
  const cells: StoredCell[] = [];
  const stored = records.map(({ writes = [], ...given }, seq) => {
    const commitment = "c".repeat(64);
    const record: LedgerRecord = {
      v: 1,
      workspace: WORKSPACE,
      run: RUN,
      seq,
      kind: given.refusal ? "refusal" : "transition",
      at: 1_000 + seq,
      principal: { type: "engine", epoch: 1 },
      node: null,
      graph_hash: "a".repeat(64),
      policy_hash: POLICY_HASH,
      proposal_id: `00000000-0000-4000-8000-${String(seq + 16).padStart(12, "0")}`,
      proposal_kind: "node_result",
      proposal_digest: "b".repeat(64),
      reads: [],
      writes: writes.map(({ path, label }) => ({ path, commitment, label })),
      control: [],
      refusal: null,
      parent,
      ...given,
    };
    writes.forEach(({ path, value, label, isHidden }, index) =>
      cells.push({ seq, index, path, label, commitment, opened: isHidden ? null : { salt: "0".repeat(64), value } }),
    );
    parent = recordDigest(record);

    return { seq, body: toCanonicalJson(record), digest: parent, kid: "test", signature: "" };
  });

  return { records: stored, cells };
};
