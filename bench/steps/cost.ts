/** Our step by phase, without a database. */
import { generateKeyPairSync, randomBytes, randomUUID } from "node:crypto";
import { z } from "zod";
import { median } from "@/bench/report";
import { must } from "@/bench/section";
import { toCanonicalJson } from "@/lib/json";
import { computeVersionHash } from "@/lib/graph/publish";
import { commitWrites, recordDigest, recordOf, signReceipts, listWrites } from "@/lib/engine/ledger/chain";
import { decide } from "@/lib/engine/decide";
import { buildExecutorInput } from "@/lib/engine/executor-input";
import { POLICY_HASH } from "@/lib/engine/approvals/policy";
import type { Principal } from "@/lib/engine/principal";
import type { Proposal, ProposalBody } from "@/lib/engine/proposal";
import { createCopyOnWrite } from "@/lib/engine/copy-on-write";
import { applyRecord } from "@/lib/engine/reduce";
import { createRunState } from "@/lib/engine/state";
import { play } from "@/lib/engine/testing/play";
import { transformNode } from "@/server/executors/transform";
import { loadSignerFromPem } from "@/server/security/keyring";
import { createVault } from "@/server/security/vault";
import { getText } from "./contestant";
import { countingGraph } from "./graph";

const PHASES = ["execute", "decide", "record", "digest", "signature", "state", "seal"] as const;
type Phase = (typeof PHASES)[number];

export const costSchema = z.record(z.enum(PHASES), z.number());
/** Microseconds per step. */
export type Cost = z.infer<typeof costSchema>;

const SAYS: Readonly<Record<Phase, string>> = {
  execute: "what comes next, what the node may see, the node's own work",
  decide: "all checks, labels and routing",
  record: "commitments to values and the digest of the proposal",
  digest: "canonical JSON of the record, SHA-256 over it",
  signature: "Ed25519 over the digest",
  state: "the state after the record",
  seal: "the values sealed for the database",
};

export const costRows = (cost: Cost): string[][] => PHASES.map((phase) => [phase, SAYS[phase], cost[phase].toFixed(1)]);

const orderSchema = z.object({ steps: z.number(), stateBytes: z.number() });

const startBodyOf = (graphHash: string, author: string, stateBytes: number): ProposalBody => ({
  kind: "start",
  graph_hash: graphHash,
  goal: "",
  constraints: [],
  inputs: { text: getText(stateBytes), count: 0 },
  model: "scripted:honest",
  author,
});

/** @returns µs */
const driveOnce = (steps: number, stateBytes: number): Record<Phase, number[]> => {
  const published = countingGraph(steps);
  const [workspace, run, person, graphHash] = [randomUUID(), randomUUID(), randomUUID(), computeVersionHash(published)];
  const signer = loadSignerFromPem(generateKeyPairSync("ed25519").privateKey.export({ type: "pkcs8", format: "pem" }).toString());
  const vault = createVault(randomBytes(32).toString("hex"));
  const spent: Record<Phase, number[]> = { execute: [], decide: [], record: [], digest: [], signature: [], state: [], seal: [] };
  const timed = <Value>(phase: Phase, work: () => Value): Value => {
    const startedAt = performance.now();
    const value = work();
    spent[phase].push((performance.now() - startedAt) * 1_000);

    return value;
  };
  let state = createRunState(workspace, run, graphHash, POLICY_HASH);
  // Like a session.
  const note = createCopyOnWrite();

  const commit = (principal: Principal, body: ProposalBody): boolean => {
    const before = state;
    const ids: [string, string] = [randomUUID(), randomUUID()];
    const proposal: Proposal = { id: randomUUID(), workspace, run, at: Date.now(), principal, epoch: 1, fresh: ids, body };
    const verdict = timed("decide", () => decide(published, before, proposal));
    must(verdict.ok, `a ${body.kind} was refused`);
    const [writes, salts, record] = timed("record", () => {
      const made = listWrites(before, proposal, verdict);
      const salted = made.map(() => randomBytes(32).toString("hex"));
      const control = signReceipts(verdict.ok ? verdict.events : [], (payload) => signer.signReceipt(payload));

      return [made, salted, recordOf(before, proposal, verdict, commitWrites(made, salted), control)] as const;
    });
    const digest = timed("digest", () => recordDigest(record));
    const signature = timed("signature", () => signer.signDigest(digest));
    const values = writes.map(({ value }) => value);
    state = timed("state", () => applyRecord(before, { record, digest, kid: signer.kid, signature }, values, note));
    timed("seal", () =>
      writes.map(({ path, label, value }, index) =>
        vault.sealCell(
          { workspace, run, seq: record.seq, index, path, label: toCanonicalJson(label) },
          { salt: salts[index] ?? "", value },
        ),
      ),
    );

    return verdict.ok;
  };

  commit({ type: "user", id: person, role: "builder", auditor: false }, startBodyOf(graphHash, person, stateBytes));
  commit({ type: "engine", epoch: 1 }, { kind: "begin" });
  for (const phase of PHASES) spent[phase].length = 0;
  let restedAt = performance.now();
  const work = ({ node: id, activation }: { readonly node: string; readonly activation: number }): boolean => {
    const node = published.graph.nodes.find((one) => one.id === id);
    if (!node) throw new Error(`the run of the bench is at ${id}`);
    const input = buildExecutorInput(published, state, node, activation);
    const end = node.kind === "transform" ? transformNode(node, input, input.view) : null;
    if (end?.type === "failure") throw new Error(end.detail);
    const actions = end ? [{ type: "update_memory", updates: end.updates }] : [];
    spent.execute.push((performance.now() - restedAt) * 1_000);
    const isOn = commit({ type: "executor", node: id, agent: null, epoch: 1 }, { kind: "node_result", activation, actions });
    restedAt = performance.now();

    return isOn;
  };
  play({ published, state: () => state, now: Date.now, propose: commit }, { work }, steps + 1);
  must(spent.decide.length === steps, `a run of ${steps} steps took ${spent.decide.length}`);

  return spent;
};

export const measureCost = (text: string): Cost => {
  const { steps, stateBytes } = orderSchema.parse(JSON.parse(text));
  // Warms up the compiler.
  driveOnce(steps, stateBytes);
  const spent = driveOnce(steps, stateBytes);

  return costSchema.parse(Object.fromEntries(PHASES.map((phase) => [phase, Number(median(spent[phase]).toFixed(2))])));
};
