/** The only write path of verdicts: chain, sign, store. */
import type { PublishedGraph } from "@/lib/graph/document";
import { digestOfText } from "@/lib/hash";
import { toCanonicalJson, type Json } from "@/lib/json";
import { commitWrites, recordOf, signReceipts, listWrites } from "@/lib/engine/ledger/chain";
import type { Verdict } from "@/lib/engine/decide/verdict";
import { getGateDueAt } from "@/lib/engine/plan";
import { findIdleUntil } from "@/lib/engine/limits";
import type { Proposal } from "@/lib/engine/proposal";
import type { Put } from "@/lib/engine/copy-on-write";
import type { SignedRecord } from "@/lib/engine/ledger/record";
import { applyRecord } from "@/lib/engine/reduce";
import { findOpenWait, heldBy, type RunState } from "@/lib/engine/state";
import { generateBytes } from "@/server/security/fresh-bytes";
import type { Signer } from "@/server/security/keyring";
import type { Vault } from "@/server/security/vault";
import { appendRecord, type Append, type Appended } from "@/server/store/ledger/ledger";

const SALT_BYTES = 32;

const later: Put = (table) => table;

export type Decided = {
  readonly verdict: Verdict;
  readonly state: RunState;
  readonly signed: SignedRecord;
  readonly append: Append;
};

export class LeaseLost extends Error {
  constructor() {
    super("the run's lease is lost");
    this.name = "LeaseLost";
  }
}

/** Next self-triggered check: a gate's escalation or expiry, the end of a wait or rest, or a retry. */
const wakeAtOf = (published: PublishedGraph, state: RunState): number | null => {
  const open = Object.values(state.gates).filter((gate) => gate.status === "open");
  if (state.status === "waiting" && open.length > 0) return Math.min(...open.map(getGateDueAt));
  const wait = findOpenWait(state);
  if (wait) return wait.until;
  const held = heldBy(state);
  if (held) return getGateDueAt(held);
  if (state.status === "waiting") return findIdleUntil(published, state);

  return state.status === "retrying" ? state.retryAt : null;
};

type Signing = {
  readonly published: PublishedGraph;
  readonly command: string | null;
  readonly signer: Signer;
  readonly vault: Vault;
};

/** Chains, signs and seals a verdict about a proposal. Publish nothing before the record is stored. */
export const signRecord = (
  before: RunState,
  proposal: Proposal,
  verdict: Verdict,
  { published, command, signer, vault }: Signing,
): Decided => {
  const writes = listWrites(before, proposal, verdict);
  const salts = writes.map(() => generateBytes(SALT_BYTES).toString("hex"));
  const control = signReceipts(verdict.ok ? verdict.events : [], (payload) => signer.signReceipt(payload));
  const record = recordOf(before, proposal, verdict, commitWrites(writes, salts), control);
  const text = toCanonicalJson(record);
  // Outside the garbage-collected heap.
  const body = Buffer.from(text);
  const digest = digestOfText("record", text);
  const signed: SignedRecord = { record, digest, kid: signer.kid, signature: signer.signDigest(digest) };
  const after = applyRecord(
    before,
    signed,
    writes.map((write) => write.value),
    later,
  );
  const { workspace, run, seq } = record;
  const cells = writes.map(({ path, label: made, value }, index) => {
    const label = toCanonicalJson(made);

    return { label, ...vault.sealCell({ workspace, run, seq, index, path, label }, { salt: salts[index] ?? "", value }) };
  });
  const outcome: Json = { seq: record.seq, refusal: record.refusal };

  return {
    verdict,
    state: after,
    signed,
    append: {
      published,
      before,
      after,
      signed,
      body,
      cells,
      epoch: proposal.epoch,
      wakeAt: wakeAtOf(published, after),
      command: command === null ? null : { id: command, outcome },
    },
  };
};

/** @throws LeaseLost when the compare-and-swap fails */
export const storeRecord = async ({ append }: Pick<Decided, "append">): Promise<Appended> => {
  const appended = await appendRecord(append);
  if (!appended) throw new LeaseLost();

  return appended;
};

/** Notes a stored proposal: an unstored one would report an answer that was never given. */
export const applyNote = (state: RunState, { record }: SignedRecord, note: Put): RunState => {
  if (Object.hasOwn(state.proposals, record.proposal_id)) return state;
  const proposals = note(state.proposals, record.proposal_id, record.seq);

  return proposals === state.proposals ? state : { ...state, proposals };
};
