import * as fc from "fast-check";
import { expect, test } from "vitest";
import { computeEnvelope } from "@/lib/engine/envelope/envelope";
import { anyVersion } from "@/lib/engine/testing/any-graph";
import { agentSchema, type GraphInput, type PublishedGraph } from "@/lib/graph/document";
import { cameTo, exceeded, MEASURES } from "@/lib/engine/testing/measured-run";
import { version as versionOf } from "@/lib/engine/testing/kinds";
import { engine, newRun, startBody, STARTER, user } from "@/lib/engine/testing/run";
import type { ModelRequest } from "@/server/executors/contract";
import { playOut, type Cast, type Turn } from "@/server/executors/testing/play-run";

/** Micro-USD per token. */
const RATE = 3;
const RATES = new Map([["scripted", { input_usd_per_million: RATE, output_usd_per_million: 1, source: "test", read_at: 0 }]]);

const castOf = (tape: readonly number[]): Cast => {
  let at = 0;
  const next = (of: number): number => (tape[(at += 1) % tape.length] ?? 0) % of;
  const turn = ({ tools }: ModelRequest): Turn => {
    const tokens = 1 + next(4);
    const some = tools[next(Math.max(1, tools.length))]?.name ?? "crm__write";
    const name = tools.length > 0 && next(2) === 0 ? "crm__erase" : some;
    const calls = next(3) === 0 ? [] : Array.from({ length: 1 + next(2) }, () => ({ id: `c${(at += 1)}`, name, input: { what: "it" } }));
    const text = JSON.stringify({ vote: next(2), choice: next(2), score: next(2), next: `n${next(5)}` });

    return { tokens, costMicroUsd: tokens * RATE, said: next(6) === 0 ? null : { text, calls } };
  };

  const outcome = () => (next(5) === 0 ? "tool_error" : "ok");

  return {
    model: turn,
    tool: () => ({ status: outcome(), result: { text: "x" } }),
    undo: outcome,
    person: () => (next(4) === 0 ? "reject" : "approve"),
  };
};

const brief = (published: PublishedGraph, maxSteps: number): PublishedGraph => ({
  ...published,
  agents: published.agents.map((agent) => agentSchema.parse({ ...agent, max_steps: maxSteps })),
});

const limits = fc.record({ max_token_budget: fc.nat(400), budget_micro_usd: fc.nat(1_000) }, { requiredKeys: [] });

const SEED = 4;

test("no run exceeds its predicted envelope", async () => {
  const most = { modelCalls: 0, tokens: 0, costMicroUsd: 0, changes: 0, irreversible: 0, unattended: 0 };
  const ends = new Set<string>();
  const property = fc.asyncProperty(
    anyVersion,
    fc.integer({ min: 1, max: 3 }),
    limits,
    fc.array(fc.nat(999), { minLength: 20, maxLength: 60, size: "max" }),
    async (any, steps, asked, tape) => {
      const published = brief(any, steps);
      const version = published.graph.max_token_budget;
      // Exceeding the version's limits is refused, and nothing runs.
      const own =
        asked.max_token_budget === undefined
          ? asked
          : { ...asked, max_token_budget: Math.min(asked.max_token_budget, version ?? Infinity) };
      const envelope = computeEnvelope(published, { model: "scripted", rates: RATES, limits: own });
      const run = newRun(published);
      run.propose(user(STARTER, "builder"), {
        ...startBody(published, { topic: "plans", mail: "a", items: [1, 2], salary: 9, person: "Ada" }),
        limits: own,
      });
      run.propose(engine, { kind: "begin" });
      await playOut(run, castOf(tape));
      const came = cameTo(run.state(), run.records());
      expect({ exceeded: exceeded(came, envelope), came, envelope }).toMatchObject({ exceeded: [] });
      for (const field of MEASURES) most[field] = Math.max(most[field], came[field]);
      ends.add(run.state().status);
    },
  );
  await fc.assert(property, { numRuns: 50 });
  // Guards against vacuous success.
  await fc.assert(property, { numRuns: 50, seed: SEED });
  for (const field of MEASURES) expect([field, most[field] > 0]).toEqual([field, true]);
  expect([...ends].toSorted()).toEqual(expect.arrayContaining(["completed", "failed"]));
});

const atOnce = (work: object): PublishedGraph =>
  versionOf(
    [
      {
        id: "n",
        read_keys: ["mail"],
        write_keys: ["out"],
        approval: "always",
        failure_policy: { attempts: 1 },
        ...work,
      } as GraphInput["nodes"][number],
      { id: "end", kind: "router", config: {} },
    ],
    { edges: [{ id: "on", source: "n", target: "end" }], start_node: "n", end_nodes: ["end"] },
  );

const handy = { agent_id: "handy" };

test.each([
  { kind: "voting", config: { voters: [handy, handy, handy] } },
  { kind: "evolution", config: { candidate_id: "handy", fitness: { agent_id: "plain" }, population_size: 3, max_generations: 2 } },
])("parallel tasks stay within the envelope when some fail during approvals: $kind", async (work) => {
  let most = 0;
  await fc.assert(
    fc.asyncProperty(
      fc.integer({ min: 1, max: 2 }),
      fc.array(fc.nat(999), { minLength: 20, maxLength: 60, size: "max" }),
      async (steps, tape) => {
        const published = brief(atOnce(work), steps);
        const envelope = computeEnvelope(published, { model: "scripted", rates: RATES, limits: {} });
        const run = newRun(published);
        run.propose(user(STARTER, "builder"), startBody(published, { topic: "plans", mail: "a", items: [1, 2], salary: 9, person: "Ada" }));
        run.propose(engine, { kind: "begin" });
        await playOut(run, castOf(tape));
        const came = cameTo(run.state(), run.records());
        expect({ exceeded: exceeded(came, envelope), came, envelope }).toMatchObject({ exceeded: [] });
        most = Math.max(most, came.modelCalls);
      },
    ),
    { numRuns: 60 },
  );
  expect(most).toBeGreaterThan(3);
});
