import fs from "node:fs";
import os from "node:os";
import path from "node:path";
import { startInstallation } from "@/bench/canvas/installation";
import { ownChild, startChild } from "@/bench/child";
import { freshPlace } from "@/bench/reads/place";
import { figure, markdown, median } from "@/bench/report";
import { buildRunner, startRunner } from "@/bench/runner-process";
import { seedRun } from "@/bench/runs/seed";
import type { Bench, Section } from "@/bench/section";
import { closeDatabase } from "@/server/db/client";
import { openedSchema, type OpenOrder } from "./open";

const LOADS = { full: { times: 3, records: 1_000 }, quick: { times: 1, records: 60 } } as const;
const PORT = 3_974;
const BEGAN_AT = Date.UTC(2026, 0, 5, 9);

const SMALL_GRAPH = {
  format: "countersign/graph/v1",
  id: "small",
  name: "Small",
  memory: [{ key: "answer", schema: { type: "string" } }],
  nodes: [
    { id: "one", title: "One", kind: "transform", write_keys: ["answer"], config: { set: [{ path: "answer", value: '"one"' }] } },
    { id: "two", title: "Two", kind: "transform", write_keys: ["answer"], config: { set: [{ path: "answer", value: '"two"' }] } },
  ],
  edges: [{ id: "on", source: "one", target: "two" }],
  start_node: "one",
  end_nodes: ["two"],
};

export type StartResult = {
  /** Creates and migrates the database, bundles the runner. */
  readonly first_start: number;
  /** Medians, to output. */
  readonly npm_start: number;
  readonly runner: number;
  readonly cli_run: number;
  /** Reads, verifies and replays all records. */
  readonly open_run: number;
  readonly records: number;
};

const taken = async <T>(work: () => Promise<T>): Promise<{ readonly ms: number; readonly value: T }> => {
  const startedAt = performance.now();
  const value = await work();

  return { ms: performance.now() - startedAt, value };
};

type Progress = (text: string) => void;

const startProduct = async (times: number, progress: Progress): Promise<{ first: number; again: number }> => {
  // Builds first, unmeasured.
  await (await startInstallation(PORT, () => undefined)).stop();
  const home = fs.mkdtempSync(path.join(os.tmpdir(), "countersign-start-"));
  fs.chmodSync(home, 0o711);
  const all: number[] = [];
  try {
    while (all.length <= times) {
      const { ms, value } = await taken(() => startInstallation(PORT, () => undefined, home));
      all.push(ms);
      await value.stop();
      progress(`the product was there after ${Math.round(ms)} ms`);
    }
  } finally {
    fs.rmSync(home, { recursive: true, force: true });
  }

  return { first: all[0] ?? Number.NaN, again: median(all.slice(1)) };
};

const runCli = async (folder: string): Promise<void> => {
  const file = path.join(folder, "small.json");
  fs.writeFileSync(file, JSON.stringify(SMALL_GRAPH));
  await startChild(["bin/countersign.mjs", "run", file]).answer;
};

const repeated = async (times: number, work: () => Promise<number>): Promise<number> => {
  const all: number[] = [];
  while (all.length < times) all.push(await work());

  return median(all);
};

const run = async (bench: Bench): Promise<StartResult> => {
  const { times, records: wanted } = LOADS[bench.scale];
  const progress = bench.counted(times + 4);
  const { first, again } = await startProduct(times, progress);
  const { admin, runner } = await (await bench.server()).migrated();
  const home = fs.mkdtempSync(path.join(os.tmpdir(), "countersign-start-"));
  try {
    const place = await freshPlace({ admin, runner }, home);
    progress("a runner, and a run by the command line");
    const program = await buildRunner(home);
    const runnerMs = await repeated(times, async () => {
      const { ms, value } = await taken(() => startRunner(program, { home, runnerUrl: runner, adminUrl: admin }));
      value.kill();

      return ms;
    });
    const cliMs = await repeated(times, async () => (await taken(() => runCli(home))).ms);
    progress(`a stored run of ${wanted} records`);
    const seeded = await seedRun(place, { seed: "start", records: wanted, startedAt: BEGAN_AT });
    const records = await seeded.goOnTo(Number.MAX_SAFE_INTEGER);
    await seeded.close();
    await closeDatabase();
    const order: OpenOrder = { url: runner, home, workspace: place.builder.workspace, run: seeded.runId };
    const openMs = await repeated(times, async () => openedSchema.parse(JSON.parse(await startChild(ownChild("open", order)).answer)).ms);

    return { first_start: first, npm_start: again, runner: runnerMs, cli_run: cliMs, open_run: openMs, records };
  } finally {
    fs.rmSync(home, { recursive: true, force: true });
  }
};

const ms = (value: number) => figure(value, "ms");

const table = (result: StartResult): string =>
  markdown(
    ["until it is there", ""],
    [
      ["the product with a new state folder, the web application built", ms(result.first_start)],
      ["the product, from then on", ms(result.npm_start)],
      ["a runner", ms(result.runner)],
      ["`countersign run` of a small graph, from the beginning to the end of the command", ms(result.cli_run)],
      [`a stored run of ${figure(result.records)} records in a process that has just begun`, ms(result.open_run)],
    ],
  );

export const START: Section<StartResult> = {
  name: "start",
  says: "how long until the product, a runner, a run by the command line and a stored run are there",
  run,
  table,
};
