import type { GraphInput, PublishedGraph } from "@/lib/graph/document";
import type { Json } from "@/lib/json";
import type { Verdict } from "@/lib/engine/decide/verdict";
import { AGENT_SCOPES, type Principal } from "@/lib/engine/principal";
import { isResting } from "@/lib/engine/state";
import { version } from "@/lib/engine/testing/kinds";
import { newRun, result, startBody, update, uuid, type TestRun } from "@/lib/engine/testing/run";
import { drive } from "@/lib/engine/testing/work";

export const TOKEN = uuid(40);
export const SESSION = uuid(41);
export const OWNER = uuid(42);
export const SOURCE = `external:${TOKEN}`;

type Agent = Extract<Principal, { type: "agent" }>;

export const agent = (change: Partial<Agent> = {}): Agent => ({
  type: "agent",
  token: TOKEN,
  session: SESSION,
  owner: OWNER,
  integrity: "untrusted",
  scopes: [...AGENT_SCOPES],
  ...change,
});

type NodeInput = GraphInput["nodes"][number];

export const IDLE_MS = 60_000;

/** Chained unless `graph` says otherwise. */
export const driven = (
  nodes: readonly NodeInput[],
  graph: Partial<GraphInput> = {},
  parts: Parameters<typeof version>[2] = {},
): PublishedGraph => version(nodes, { external: { idle_timeout_ms: IDLE_MS }, ...graph }, parts);

export const atRest = (published: PublishedGraph, inputs: Json = {}, by: Principal = agent()): TestRun => {
  const run = newRun(published);
  run.propose(by, startBody(published, inputs));
  drive(run);

  return run;
};

export const step = (
  run: TestRun,
  action: string,
  inputs: Json = null,
  by: Principal = agent(),
  change: { expected_seq?: number } = {},
): Verdict => run.propose(by, { kind: "step", action, inputs, ...change });

export const request = (run: TestRun, action: string, inputs: Json = null, by: Principal = agent()): Verdict =>
  run.propose(by, { kind: "request_approval", action, inputs });

export const does = (run: TestRun, path = "out", value: unknown = 1): Verdict => run.work(result(update(path, value)));

export const passes = (run: TestRun): Verdict => run.work(result());

export const legal = (run: TestRun): string[] =>
  isResting(run.state()) ? (run.state().position?.actions ?? []).map(({ node }) => node) : [];
