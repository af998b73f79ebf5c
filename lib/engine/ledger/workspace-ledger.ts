import { digestOf, type HexDigest } from "@/lib/hash";
import { recordOf } from "@/lib/engine/ledger/chain";
import { reject } from "@/lib/engine/decide/verdict";
import type { RunEvent } from "@/lib/engine/event";
import { POLICY_HASH } from "@/lib/engine/approvals/policy";
import type { CommandBody, Proposal, ProposalBody } from "@/lib/engine/proposal";
import type { LedgerRecord } from "@/lib/engine/ledger/record";
import { createRunState, GENESIS_PARENT } from "@/lib/engine/state";
import type { JsonObject } from "@/lib/json";
import { refuse, type Refusal, type RefusalCode } from "@/lib/refusal";

/** Derives the ledger's id, a UUID version 8. */
export const getWorkspaceLedgerId = (workspace: string): string => {
  const hex = digestOf("workspace", { workspace });

  return [hex.slice(0, 8), hex.slice(8, 12), `8${hex.slice(13, 16)}`, `8${hex.slice(17, 20)}`, hex.slice(20, 32)].join("-");
};

const proposed = (body: CommandBody): ProposalBody => {
  switch (body.kind) {
    case "start":
      return { ...body, author: "" };
    case "fork":
      return { ...body, author: "", start: null, widens: false, refused: "not_found" };
    case "decision":
    case "comment":
    case "edit":
    case "cancel":
    case "retry_now":
    case "take_wait_token":
    case "answer_wait":
    case "step":
    case "request_approval":
    case "read":
    case "open_cell":
      return body;
    default:
      return body satisfies never;
  }
};

export type Attempt = Omit<Proposal, "body" | "run" | "epoch"> & { readonly body: CommandBody };

/** Builds an attempt's record with the body's digest only. */
export const buildAttemptRecord = (
  attempt: Attempt,
  refusal: Refusal,
  end: { readonly version: number; readonly head: HexDigest } | null,
): LedgerRecord => {
  const run = getWorkspaceLedgerId(attempt.workspace);
  const state = { ...createRunState(attempt.workspace, run, GENESIS_PARENT, POLICY_HASH), ...end };

  return recordOf(state, { ...attempt, run, epoch: 1, body: proposed(attempt.body) }, reject(refusal, null), [], []);
};

type OwnProposal = Pick<Attempt, "id" | "workspace" | "at" | "principal"> & { readonly body: JsonObject & { readonly kind: string } };

/**
 * Builds a step's record.
 * @param ids subjects of a refusal
 */
export const ownRecord = (
  { id, workspace, at, principal, body }: OwnProposal,
  outcome: RunEvent | readonly RunEvent[] | RefusalCode,
  end: { readonly version: number; readonly head: HexDigest } | null,
  ids: readonly string[] = [],
): LedgerRecord => {
  const isRefused = typeof outcome === "string";

  return {
    v: 1,
    workspace,
    run: getWorkspaceLedgerId(workspace),
    seq: end?.version ?? 0,
    kind: isRefused ? "refusal" : "transition",
    at,
    principal,
    node: null,
    graph_hash: GENESIS_PARENT,
    policy_hash: POLICY_HASH,
    proposal_id: id,
    proposal_kind: body.kind,
    proposal_digest: digestOf("proposal", body),
    reads: [],
    writes: [],
    control: isRefused ? [] : [outcome].flat(),
    refusal: isRefused ? refuse(outcome, ids) : null,
    parent: end?.head ?? GENESIS_PARENT,
  };
};
