/** Builds hashed, chained records. Salts and signatures come from callers. */
import { computeCommitment, digestOf, encodeWithDomain, type HexDigest } from "@/lib/hash";
import { toPlainJson, type Json } from "@/lib/json";
import type { RunEvent } from "@/lib/engine/event";
import type { ReceiptPayload } from "@/lib/engine/approvals/receipt";
import type { Proposal } from "@/lib/engine/proposal";
import { getKind } from "@/lib/engine/ledger/well-formed";
import type { CellWrite, LedgerRecord } from "@/lib/engine/ledger/record";
import type { RunState } from "@/lib/engine/state";
import { getFramePrefix } from "@/lib/engine/frame";
import type { Accepted, Verdict, Write } from "@/lib/engine/decide/verdict";

const ATTEMPT_LIMITS = { maxBytes: 65_536, maxDepth: 32 };

const proposalJson = (proposal: Proposal): Json => {
  const plain = toPlainJson(proposal.body, ATTEMPT_LIMITS);

  return plain.ok ? plain.value : { kind: getKind(proposal.body), unrepresentable: plain.error };
};

const proposalDigestOf = (proposal: Proposal): HexDigest => {
  const plain = toPlainJson(proposal.body, { maxBytes: 64 * 1_048_576, maxDepth: 256 });

  return digestOf("proposal", plain.ok ? plain.value : { kind: getKind(proposal.body), unrepresentable: plain.error });
};

const framesAfter = (state: RunState, events: readonly RunEvent[]): readonly { readonly activation: number }[] =>
  events.reduce<readonly { readonly activation: number }[]>((frames, event) => {
    if (event.type === "frame_entered") return [...frames, event];

    return event.type === "frame_left" ? frames.slice(0, -1) : frames;
  }, state.frames);

const placedPath = (prefix: string, path: string): string => (path.startsWith("$") ? path : `${prefix}${path}`);

const placed = (state: RunState, { events, writes }: Accepted): readonly Write[] => {
  const prefix = getFramePrefix(framesAfter(state, events));

  return writes.map((write) => ({ ...write, path: placedPath(prefix, write.path) }));
};

/** Lists writes under ledger paths, also a refusal's. */
export const listWrites = (state: RunState, proposal: Proposal, verdict: Verdict): readonly Write[] =>
  verdict.ok
    ? placed(state, verdict)
    : [
        {
          path: "$attempt",
          value: proposalJson(proposal),
          label: { integrity: "untrusted", confidentiality: "secret", provenance: [`proposal:${getKind(proposal.body)}`] },
        },
      ];

/**
 * Commits writes.
 * @param saltsHex fresh 32-byte salts
 */
export const commitWrites = (writes: readonly Write[], saltsHex: readonly string[]): CellWrite[] =>
  writes.map((write, index) => {
    const salt = saltsHex[index];
    if (salt === undefined) throw new RangeError("commitWrites: a salt is missing");

    return { commitment: computeCommitment(salt, write.value), label: write.label, path: write.path };
  });

export const signReceipts = (
  events: readonly RunEvent[],
  sign: (payload: ReceiptPayload) => { readonly kid: string; readonly signature: string },
): RunEvent[] =>
  events.map((event) =>
    event.type === "gate_resolved" && event.receipt
      ? { ...event, receipt: { payload: event.receipt.payload, ...sign(event.receipt.payload) } }
      : event,
  );

export const encodeReceipt = (payload: ReceiptPayload): Uint8Array => encodeWithDomain("receipt", payload);

/** Builds the next record. `control`: events with signed receipts. */
export const recordOf = (
  state: RunState,
  proposal: Proposal,
  verdict: Verdict,
  writes: readonly CellWrite[],
  control: readonly RunEvent[],
): LedgerRecord => ({
  at: proposal.at,
  control: [...control],
  graph_hash: state.graphHash,
  kind: verdict.ok ? "transition" : "refusal",
  node: verdict.node,
  parent: state.head,
  policy_hash: state.policyHash,
  principal: proposal.principal,
  proposal_digest: proposalDigestOf(proposal),
  proposal_id: proposal.id,
  proposal_kind: getKind(proposal.body),
  reads: verdict.ok ? verdict.reads.map((read) => ({ ...read, key: placedPath(getFramePrefix(state.frames), read.key) })) : [],
  refusal: verdict.ok ? null : verdict.refusal,
  run: state.run,
  seq: state.version,
  v: 1,
  workspace: state.workspace,
  writes: [...writes],
});

export const recordDigest = (record: LedgerRecord): HexDigest => digestOf("record", record);
