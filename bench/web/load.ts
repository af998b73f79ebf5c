/** Same mix from different positions, while runs go on. */
import { setTimeout as wait } from "node:timers/promises";
import { z } from "zod";
import { median, quantile } from "@/bench/report";
import type { Client } from "./client";

type Step = { readonly name: string; readonly do: (client: Client) => Promise<unknown> };

export type Asked = {
  readonly name: string;
  readonly requests: number;
  /** Milliseconds. */
  readonly p50: number;
  readonly p95: number;
  readonly max: number;
};

export type Loaded = {
  readonly asked: readonly Asked[];
  readonly perSecond: number;
  readonly started: number;
  readonly errors: readonly string[];
};

const runsSchema = z.object({ runs: z.array(z.object({ graphName: z.string(), graphHash: z.string() })) });
const queueSchema = z.object({ rows: z.array(z.object({ id: z.string(), runId: z.string() })) });
const graphsSchema = z.array(z.object({ id: z.string(), name: z.string() }));

/** Has runs, approvals and a draft. */
const DESK = "Support";

/** @param run a long one */
export const mixOf = async (client: Client, run: string, records: number): Promise<readonly Step[]> => {
  const filter = {};
  const { rows } = queueSchema.parse(await client.query("approvals.queue", { filter }));
  const approval = rows[0]?.id;
  const graph = graphsSchema.parse(await client.query("graphs.list")).find(({ name }) => name.startsWith(DESK))?.id;
  if (approval === undefined || graph === undefined) throw new Error("the demo has no approval or no graph");
  const page = (path: string, name = path): Step => ({ name, do: (of) => of.page(path) });
  const query = (procedure: string, input: object = {}): Step => ({ name: procedure, do: (of) => of.query(procedure, input) });

  return [
    page("/runs"),
    query("runs.list", { limit: 50 }),
    page(`/runs/${run}`, "/runs/<long run>"),
    query("runs.get", { runId: run }),
    query("runs.records", { runId: run, afterSeq: Math.floor(records / 2), limit: 500 }),
    query("runs.state", { runId: run, seq: Math.floor(records / 2) }),
    page("/approvals"),
    query("approvals.queue", { filter }),
    query("approvals.count"),
    page(`/approvals/${approval}`, "/approvals/<approval>"),
    query("approvals.get", { approvalId: approval }),
    page("/graphs"),
    query("graphs.list"),
    page(`/graphs/${graph}`, "/graphs/<graph>"),
    query("graphs.get", { id: graph }),
    page("/ledger"),
    query("ledger.overview"),
    page("/admin/mcp"),
    query("mcp.list"),
  ];
};

/** @throws Error when the demo's support desk never ran */
export const starterOf = async (client: Client): Promise<() => Promise<unknown>> => {
  const { runs } = runsSchema.parse(await client.query("runs.list", { limit: 50 }));
  const found = runs.find(({ graphName }) => graphName.startsWith(DESK));
  if (!found) throw new Error("the demo has no run of its support desk");
  const inputs = { mail_file: "02-outage-credit.txt" };
  const wanted = { graphHash: found.graphHash, goal: "Handle the mail", inputs, model: "scripted:honest" };

  return () => client.mutate("runs.start", wanted);
};

type Options = {
  readonly clients: readonly Client[];
  readonly steps: readonly Step[];
  readonly start: () => Promise<unknown>;
  readonly seconds: number;
};

const START_EVERY_MS = 1_000;
const APART = 5;

/** Failures are errors in the result, never its end. */
export const putUnderLoad = async ({ clients, steps, start, seconds }: Options): Promise<Loaded> => {
  const taken = new Map<string, number[]>(steps.map(({ name }) => [name, []]));
  const errors: string[] = [];
  const beganAt = performance.now();
  const isOver = () => performance.now() - beganAt > seconds * 1_000;
  const ask = async (client: Client, { name, do: work }: Step): Promise<void> => {
    const startedAt = performance.now();
    try {
      await work(client);
      taken.get(name)?.push(performance.now() - startedAt);
    } catch (error) {
      errors.push(`${name}: ${String(error)}`);
    }
  };
  const goThrough = async (client: Client, first: number): Promise<void> => {
    for (let at = first; !isOver(); at += 1) {
      const step = steps[at % steps.length];
      if (step) await ask(client, step);
    }
  };
  let started = 0;
  const startRuns = async (): Promise<void> => {
    while (!isOver()) {
      try {
        await start();
        started += 1;
      } catch (error) {
        errors.push(`runs.start: ${String(error)}`);
      }
      await wait(START_EVERY_MS);
    }
  };
  await Promise.all([...clients.map((client, index) => goThrough(client, index * APART)), startRuns()]);
  const tookSeconds = (performance.now() - beganAt) / 1_000;
  const asked = [...taken].map(([name, all]) => ({
    name,
    requests: all.length,
    p50: median(all),
    p95: quantile(all, 0.95),
    max: Math.max(...all),
  }));

  return { asked, perSecond: asked.reduce((sum, { requests }) => sum + requests, 0) / tookSeconds, started, errors };
};
