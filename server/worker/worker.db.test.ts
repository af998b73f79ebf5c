import { randomUUID } from "node:crypto";
import fs from "node:fs";
import path from "node:path";
import { afterAll, beforeAll, expect, it } from "vitest";
import { bundleInto } from "@/server/mcp/testing/bundles";
import { testInstallation } from "@/server/mcp/testing/installation";
import { command, openDesk, startRun, type Desk } from "@/server/runner/testing/desk";
import { allAre, prepareFleet, startRunner, until } from "@/server/runner/testing/fleet";
import { readRun } from "@/server/runner/testing/run";
import { testDatabase } from "@/server/testing/database";
import { commandOf, listDescendants } from "@/server/testing/process-tree";

const urls = await testDatabase("runner");
const installation = await testInstallation();
let desk: Desk;
beforeAll(async () => {
  desk = await openDesk(urls, installation);
  await prepareFleet(desk);
}, 120_000);
afterAll(() => desk.mcp.close());

const useWorker = (file: string): Promise<void> => bundleInto(installation, { worker: file });

const workersOf = (pid: number): readonly number[] =>
  listDescendants(pid).filter((each) => commandOf(each).includes(path.join("build", "worker.mjs")));

const isAlive = (pid: number): boolean => {
  try {
    return !/^State:\s+Z/mu.test(fs.readFileSync(`/proc/${pid}/status`, "utf8"));
  } catch {
    return false;
  }
};

const startWith = async (goal: string): Promise<string> => {
  const run = randomUUID();
  await command(desk, run, desk.people.starter, {
    kind: "start",
    graph_hash: desk.graphHash,
    goal,
    constraints: [],
    inputs: { mail_file: "01-upgrade.txt" },
    model: "scripted:honest",
  });

  return run;
};

it("runs in a worker without the runner's variables", async () => {
  await useWorker("./server/worker/main.ts");
  const runner = await startRunner(desk, { ANTHROPIC_API_KEY: "sk-canary" });
  const run = await startRun(desk, "honest", "01-upgrade.txt");
  await allAre(desk, [run], "waiting", 60_000);
  const workers = workersOf(runner.pid);
  expect(workers.length).toBeGreaterThan(0);
  for (const pid of workers) {
    const variables = fs.readFileSync(`/proc/${pid}/environ`, "utf8");
    expect(variables).not.toMatch(/sk-canary|postgres|COUNTERSIGN|PATH=/u);
  }
}, 120_000);

it("records a lost worker as a failed attempt", async () => {
  await useWorker("./server/worker/testing/misbehaving.ts");
  await startRunner(desk);
  const run = await startWith("crash");
  await allAre(desk, [run], "failed", 90_000);
  const { records } = await readRun(desk, run);
  const codes = records.flatMap(({ record }) => record.control.flatMap((event) => ("code" in event ? [event.code] : [])));
  expect(codes).toContain("worker_lost");
}, 150_000);

it("ends workers within ten seconds of the runner's SIGKILL, even with a blocked main thread", async () => {
  await useWorker("./server/worker/testing/misbehaving.ts");
  const runner = await startRunner(desk);
  await startWith("hang");
  const pid = await until("a worker is busy", async () => workersOf(runner.pid).find((each) => processorTicks(each) > 0), 60_000);
  const before = processorTicks(pid);
  // Its main thread is busy computing.
  await until("the worker hangs", async () => processorTicks(pid) > before + 50, 30_000);
  runner.kill("SIGKILL");
  await runner.ended;
  await expect.poll(() => isAlive(pid), { timeout: 10_000 }).toBe(false);
}, 150_000);

const processorTicks = (pid: number): number => {
  try {
    const fields = fs.readFileSync(`/proc/${pid}/stat`, "utf8").replace(/^.*\)/u, "").trim().split(" ");

    return Number(fields[11]);
  } catch {
    return 0;
  }
};
