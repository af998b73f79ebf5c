/** Commits like the runner, in memory, with fake salts and signatures. */
import { digestOf } from "@/lib/hash";
import type { Json } from "@/lib/json";
import { buildApprovalView, computeViewDigest } from "@/lib/engine/approvals/approval-view";
import { commitWrites, recordDigest, recordOf, signReceipts, listWrites } from "@/lib/engine/ledger/chain";
import { decide } from "@/lib/engine/decide";
import type { Verdict } from "@/lib/engine/decide/verdict";
import { POLICY_HASH, getClearance, SERVICE_CLEARANCE } from "@/lib/engine/approvals/policy";
import type { Principal } from "@/lib/engine/principal";
import type { BodyOf, Proposal, ProposalBody } from "@/lib/engine/proposal";
import { signedRecordSchema, type SignedRecord } from "@/lib/engine/ledger/record";
import { applyRecord } from "@/lib/engine/reduce";
import { createRunState, type GateState, type RunState } from "@/lib/engine/state";
import type { PublishedGraph } from "@/lib/graph/document";
import { publishWith } from "./graph";

export const uuid = (number: number): string => `00000000-0000-4000-8000-${number.toString(16).padStart(12, "0")}`;

const WORKSPACE = uuid(1);
const RUN = uuid(2);
export const STARTER = uuid(10);
export const AUTHOR = uuid(11);
export const REVIEWER = uuid(12);
export const SECOND = uuid(13);

export const user = (id: string, role: "viewer" | "builder" | "reviewer" | "admin" = "reviewer", auditor = false): Principal => ({
  type: "user",
  id,
  role,
  auditor,
});
export const engine: Principal = { type: "engine", epoch: 1 };
export const executor = (node: string, epoch = 1): Principal => ({ type: "executor", node, agent: null, epoch });

const hashes = new WeakMap<PublishedGraph, string>();

/** Plain JSON, though its type does not say so. */
export const hashOf = (published: PublishedGraph): string => {
  const known = hashes.get(published) ?? digestOf("graph", JSON.parse(JSON.stringify(published)) as Json);
  hashes.set(published, known);

  return known;
};

/** The workspace's approval policy. */
type Approvals = BodyOf<"start">["approvals"];

export const startBody = (published: PublishedGraph, inputs: Json = { topic: "plans" }, approvals?: Approvals): BodyOf<"start"> => ({
  kind: "start",
  graph_hash: hashOf(published),
  goal: "Handle the mail",
  constraints: ["be brief"],
  inputs,
  model: "scripted",
  author: AUTHOR,
  ...(approvals ? { approvals } : {}),
});

export type TestRun = {
  readonly published: PublishedGraph;
  state(): RunState;
  records(): readonly SignedRecord[];
  values(): readonly (readonly Json[])[];
  salts(): readonly (readonly string[])[];
  underPolicy(policyHash: string): void;
  pass(ms: number): void;
  now(): number;
  propose(principal: Principal, body: ProposalBody, change?: Partial<Proposal>): Verdict;
  /** Fills in `activation`. */
  work(body: Record<string, unknown> & { kind: ProposalBody["kind"] }): Verdict;
};

const T0 = 1_800_000_000_000;
const SMALL = publishWith();

/** @param rules `decide`, or a variant without one guard */
export const newRun = (
  published: PublishedGraph,
  rules: typeof decide = decide,
  from: RunState = createRunState(WORKSPACE, RUN, hashOf(published), POLICY_HASH),
): TestRun => {
  let state = from;
  const records: SignedRecord[] = [];
  const values: Json[][] = [];
  const salts: string[][] = [];
  let at = T0;
  // Forks must not reuse shared ids.
  let next = 1_000 + from.version * 10_000;
  const fresh = () => uuid((next += 1));

  const propose = (principal: Principal, body: ProposalBody, change: Partial<Proposal> = {}): Verdict => {
    const proposal: Proposal = {
      id: fresh(),
      workspace: WORKSPACE,
      run: state.run,
      at,
      principal,
      epoch: 1,
      fresh: [fresh(), fresh()],
      body,
      ...change,
    };
    const verdict = rules(published, state, proposal);
    const writes = listWrites(state, proposal, verdict);
    const salt = writes.map((_write, index) => digestOf("request", [state.version, index]));
    const control = signReceipts(verdict.ok ? verdict.events : [], () => ({ kid: "test", signature: "test" }));
    const record = recordOf(state, proposal, verdict, commitWrites(writes, salt), control);
    // Unreadable records would block the run for good.
    const signed = signedRecordSchema.parse({ record, digest: recordDigest(record), kid: "test", signature: "test" });
    state = applyRecord(
      state,
      signed,
      writes.map((write) => write.value),
    );
    records.push(signed);
    values.push(writes.map((write) => write.value));
    salts.push(salt);

    return verdict;
  };

  return {
    published,
    state: () => state,
    records: () => records,
    values: () => values,
    salts: () => salts,
    underPolicy: (policyHash) => {
      state = { ...state, policyHash };
    },
    pass: (ms) => {
      at += ms;
    },
    now: () => at,
    propose,
    // Literals; `decide` reports faults.
    work: (body) =>
      propose(executor(state.currentNode ?? "fetch"), { activation: state.activation ?? 0, ...body } as unknown as ProposalBody),
  };
};

export const getCode = (verdict: Verdict): string => (verdict.ok ? "accepted" : verdict.refusal.code);

export const update = (path: string, value: unknown) => ({ type: "update_memory", updates: [{ path, value }] });
export const result = (...actions: unknown[]) => ({ kind: "node_result" as const, actions });
export const intent = (server: string, tool: string, args: unknown, call = "call") => ({
  kind: "effect_intent" as const,
  call_id: call,
  server,
  tool,
  arguments: args,
  availability: "ok" as const,
});

export const openGate = (run: TestRun): GateState => {
  const open = Object.values(run.state().gates).find((gate) => gate.status === "open");
  if (!open) throw new Error("no gate is open");

  return open;
};

export const decision = (run: TestRun, by: Principal, choice: "approve" | "reject" = "approve"): BodyOf<"decision"> => {
  const open = openGate(run);
  const clearance = by.type === "user" ? getClearance(by) : SERVICE_CLEARANCE;

  return {
    kind: "decision",
    approval_id: open.gate.id,
    transition_digest: open.gate.transition_digest,
    view_digest: computeViewDigest(buildApprovalView(run.published, run.state(), open, clearance)),
    decision: choice,
    ...(choice === "reject" ? { reason: "no" } : {}),
    nonce: open.gate.nonce,
  };
};

export const decideAs = (run: TestRun, by: Principal, choice: "approve" | "reject" = "approve"): Verdict =>
  run.propose(by, decision(run, by, choice));

export const started = (published: PublishedGraph, inputs?: Json, approvals?: Approvals): TestRun => {
  const run = newRun(published);
  run.propose(user(STARTER, "builder"), startBody(published, inputs, approvals));
  run.propose(engine, { kind: "begin" });

  return run;
};

export const settle = (run: TestRun, answer: Json, outcome: "ok" | "tool_error" = "ok"): Verdict => {
  const effect = Object.values(run.state().effects).at(-1);
  if (!effect) throw new Error("no effect is under way");

  return run.propose(executor(effect.node), { kind: "effect_outcome", effect_id: effect.effect_id, outcome, result: answer });
};

/** Makes one tool call with this answer. */
export const call = (run: TestRun, server: string, tool: string, args: unknown, answer: Json, id = "call"): void => {
  run.work(intent(server, tool, args, id));
  settle(run, answer);
};

export const atParse = (published: PublishedGraph = SMALL, inputs?: Json, approvals?: Approvals): TestRun => {
  const run = started(published, inputs, approvals);
  call(run, "docs", "read", { topic: "plans" }, { text: "hello" });
  run.work(result(update("mail", { text: "hello" })));

  return run;
};

export const atTriage = (published?: PublishedGraph, plan = "team", inputs?: Json, approvals?: Approvals): TestRun => {
  const run = atParse(published, inputs, approvals);
  run.work(result(update("request", { plan })));

  return run;
};

export const atGate = (published?: PublishedGraph, plan = "team", inputs?: Json, approvals?: Approvals): TestRun => {
  const run = atTriage(published, plan, inputs, approvals);
  run.work(result());
  run.work(result({ type: "request_human_input", prompt: "" }));

  return run;
};
