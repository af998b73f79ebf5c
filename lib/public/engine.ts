/** `countersign/engine`: the pure core, without IO, clock or randomness. */
import { hexToBytes } from "@noble/hashes/utils.js";
import type { Verdict } from "@/lib/engine/decide/verdict";
import { POLICY_HASH } from "@/lib/engine/approvals/policy";
import { commitWrites, encodeReceipt, listWrites, recordDigest, recordOf, signReceipts } from "@/lib/engine/ledger/chain";
import type { SignedRecord } from "@/lib/engine/ledger/record";
import type { Proposal } from "@/lib/engine/proposal";
import { applyRecord } from "@/lib/engine/reduce";
import { createRunState, type RunState } from "@/lib/engine/state";
import { graphSchema, type Agent, type PinnedTool, type PublishedGraph } from "@/lib/graph/document";
import type { Problem } from "@/lib/graph/problems/problem";
import { buildPublishedGraph, computeVersionHash } from "@/lib/graph/publish";
import { hasErrors, validateGraph } from "@/lib/graph/validate";
import type { HexDigest } from "@/lib/hash";
import type { Json } from "@/lib/json";
import { err, ok, type Result } from "@/lib/result";

/** Applies every rule: returns events and writes, or a refusal. */
export { decide } from "@/lib/engine/decide";
/** Returns a run's next work: propose, execute, verify, undo, wait or none. */
export { plan, type Work } from "@/lib/engine/plan";
/** Schema (zod) of the graph document. */
export { graphSchema, type PublishedGraph } from "@/lib/graph/document";
export type { Problem, Proposal, RunState, SignedRecord, Verdict };

/** Agents and tools that a graph may name. */
export type Registry = { readonly agents?: readonly Agent[]; readonly tools?: readonly PinnedTool[] };

/** Builds an executable version, named by its hash; else returns the document's problems. */
export const publishGraph = (
  document: unknown,
  { agents = [], tools = [] }: Registry = {},
): Result<{ readonly graph: PublishedGraph; readonly hash: HexDigest; readonly warnings: readonly Problem[] }, readonly Problem[]> => {
  const context = { agents, tools, versions: [] };
  const problems = validateGraph(document, context);
  if (hasErrors(problems)) return err(problems);
  const graph = buildPublishedGraph(graphSchema.parse(document), context);

  return ok({ graph, hash: computeVersionHash(graph), warnings: problems });
};

/** Creates the state of a run without records. Ids are UUIDs. */
export const createRun = (workspace: string, run: string, hash: HexDigest): RunState => createRunState(workspace, run, hash, POLICY_HASH);

export type Sealing = {
  /** Returns a fresh 32-byte salt in hex, once per written value. */
  readonly salt: () => string;
  /** Signs bytes with Ed25519. `kid` names the key; the signature is base64url. */
  readonly sign: (bytes: Uint8Array) => { readonly kid: string; readonly signature: string };
};

/** `cells`: what opens each commitment of the record. */
export type Committed = {
  readonly state: RunState;
  readonly signed: SignedRecord;
  readonly cells: readonly { readonly salt: string; readonly value: Json }[];
};

/** Seals a verdict, or refusal, as the run's next signed record and applies it. */
export const commit = (before: RunState, proposal: Proposal, verdict: Verdict, { salt, sign }: Sealing): Committed => {
  const writes = listWrites(before, proposal, verdict);
  const cells = writes.map(({ value }) => ({ salt: salt(), value }));
  const commitments = commitWrites(
    writes,
    cells.map((cell) => cell.salt),
  );
  const control = signReceipts(verdict.ok ? verdict.events : [], (payload) => sign(encodeReceipt(payload)));
  const record = recordOf(before, proposal, verdict, commitments, control);
  const digest = recordDigest(record);
  const signed = { record, digest, ...sign(hexToBytes(digest)) };

  return {
    state: reduce(
      before,
      signed,
      writes.map(({ value }) => value),
    ),
    signed,
    cells,
  };
};

/** Folds a record into the state. @param values of the record's writes; undefined: hidden */
export const reduce = (state: RunState, signed: SignedRecord, values: readonly (Json | undefined)[]): RunState =>
  applyRecord(state, signed, values);
