/** The one write path: decide, chain, sign, store. Nothing else in this program moves a run. */
import { randomBytes } from "node:crypto";
import type { PublishedGraph } from "@/lib/graph/document";
import { canonicalJson, type Json } from "@/lib/json";
import { commitWrites, recordDigest, recordOf, signReceipts, writesOf } from "@/lib/engine/chain";
import { decide } from "@/lib/engine/decide";
import type { Verdict } from "@/lib/engine/decide/verdict";
import { idleUntil } from "@/lib/engine/limits";
import type { Proposal } from "@/lib/engine/proposal";
import type { SignedRecord } from "@/lib/engine/record";
import { applyRecord } from "@/lib/engine/reduce";
import { heldBy, type RunState } from "@/lib/engine/state";
import type { Signer } from "@/server/security/keyring";
import type { Vault } from "@/server/security/vault";
import { appendRecord } from "@/server/store/ledger";

const SALT_BYTES = 32;

export type Committed = { readonly verdict: Verdict; readonly state: RunState; readonly signed: SignedRecord };

/** The lease or the head has moved: somebody else drives this run now. */
export class LeaseLost extends Error {
  constructor() {
    super("the run's lease is lost");
    this.name = "LeaseLost";
  }
}

/** When the runner must look again by itself: an open gate's expiry, the end of a rest, or a retry. */
const wakeAtOf = (published: PublishedGraph, state: RunState): number | null => {
  const open = Object.values(state.gates).find((gate) => gate.status === "open");
  if (state.status === "waiting" && open) return open.gate.expires_at;
  const held = heldBy(state);
  if (held) return held.gate.expires_at;
  if (state.status === "waiting") return idleUntil(published, state);

  return state.status === "retrying" ? state.retryAt : null;
};

/**
 * Decides one proposal and stores what came of it, refusals included, before anybody is told.
 * @throws LeaseLost when the compare-and-swap finds another head or epoch: then nothing was written
 */
export const commitProposal = async (
  published: PublishedGraph,
  before: RunState,
  proposal: Proposal,
  command: string | null,
  signer: Signer,
  vault: Vault,
): Promise<Committed> => {
  const verdict = decide(published, before, proposal);
  const writes = writesOf(before, proposal, verdict);
  const salts = writes.map(() => randomBytes(SALT_BYTES).toString("hex"));
  const control = signReceipts(verdict.ok ? verdict.events : [], (payload) => signer.signReceipt(payload));
  const record = recordOf(before, proposal, verdict, commitWrites(writes, salts), control);
  const digest = recordDigest(record);
  const signed: SignedRecord = { record, digest, kid: signer.kid, signature: signer.signDigest(digest) };
  const after = applyRecord(
    before,
    signed,
    writes.map((write) => write.value),
  );
  const cells = writes.map((write, index) =>
    vault.sealCell(
      { workspace: record.workspace, run: record.run, seq: record.seq, index, path: write.path, label: canonicalJson(write.label) },
      { salt: salts[index] ?? "", value: write.value },
    ),
  );
  const outcome: Json = { seq: record.seq, refusal: record.refusal };
  const moved = await appendRecord({
    published,
    before,
    after,
    signed,
    cells,
    epoch: proposal.epoch,
    wakeAt: wakeAtOf(published, after),
    command: command === null ? null : { id: command, outcome },
  });
  if (!moved) throw new LeaseLost();

  return { verdict, state: after, signed };
};
