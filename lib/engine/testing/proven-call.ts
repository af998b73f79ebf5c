import type { CallProof, ProvenCall } from "@/lib/engine/outside/call-proof";
import type { RunEvent } from "@/lib/engine/event";
import { encodeIdempotencyKey } from "@/lib/engine/idempotency-key";
import type { Receipt, ReceiptPayload } from "@/lib/engine/approvals/receipt";
import { encodeReceipt } from "@/lib/engine/ledger/chain";
import { POLICY_HASH } from "@/lib/engine/approvals/policy";
import type { LedgerRecord } from "@/lib/engine/ledger/record";
import { GENESIS_PARENT } from "@/lib/engine/state";
import { computeArgumentsDigest } from "@/lib/engine/ledger/transition";
import { IDEMPOTENCY_KEY, RECEIPT } from "@/lib/mcp/meta";
import { chainOf, type TestKey } from "./ledger";

type Intent = Extract<RunEvent, { type: "effect_intended" }>;

export type ProofChange = {
  readonly intent?: Partial<Intent>;
  readonly receipt?: Partial<ReceiptPayload>;
  readonly run?: string;
};

export type Proven = { readonly proof: Extract<CallProof, { kind: "run" }>; readonly meta: ProvenCall["meta"] };

const HASH = "a".repeat(64);

const receiptOf = async (key: TestKey, payload: ReceiptPayload): Promise<Receipt> => ({
  payload,
  kid: key.kid,
  signature: await key.sign(encodeReceipt(payload)),
});

export const proveCall = async (key: TestKey, call: Omit<ProvenCall, "meta">, change: ProofChange = {}): Promise<Proven> => {
  const run = change.run ?? crypto.randomUUID();
  const approvalId = change.receipt ? crypto.randomUUID() : null;
  const effect = {
    server: call.server,
    tool: call.tool,
    definition_digest: call.definitionDigest,
    arguments_digest: computeArgumentsDigest(call.arguments),
  };
  const intent: Intent = {
    type: "effect_intended",
    effect_id: crypto.randomUUID(),
    node: "call",
    activation: 0,
    task: "",
    call_id: "call",
    undoes: null,
    frames: [],
    effect,
    effect_class: "write",
    idempotent: false,
    approval_id: approvalId,
    case_id: null,
    epoch: 1,
    ...change.intent,
  };
  const receipt = change.receipt
    ? await receiptOf(key, {
        v: 1,
        workspace: call.workspace,
        run,
        approval_id: approvalId ?? "",
        transition_digest: HASH,
        graph_hash: HASH,
        policy_hash: POLICY_HASH,
        effect,
        reviewers: [{ user: crypto.randomUUID(), view_digest: HASH, at: 1 }],
        nonce: crypto.randomUUID(),
        issued_at: 1,
        expires_at: Date.now() + 600_000,
        ...change.receipt,
      })
    : null;
  const record = (seq: number, control: LedgerRecord["control"]): LedgerRecord => ({
    v: 1,
    workspace: call.workspace,
    run,
    seq,
    kind: "transition",
    at: 1,
    principal: { type: "engine", epoch: 1 },
    node: null,
    graph_hash: HASH,
    policy_hash: POLICY_HASH,
    proposal_id: crypto.randomUUID(),
    proposal_kind: "effect_intent",
    proposal_digest: HASH,
    reads: [],
    writes: [],
    control,
    refusal: null,
    parent: GENESIS_PARENT,
  });
  const [first, signed] = await chainOf([record(0, []), record(1, [intent])], key);
  if (!first || !signed) throw new Error("nothing was signed");

  return {
    proof: { kind: "run", first, intent: signed, receipt },
    meta: { [IDEMPOTENCY_KEY]: encodeIdempotencyKey(intent), ...(receipt ? { [RECEIPT]: receipt } : {}) },
  };
};
