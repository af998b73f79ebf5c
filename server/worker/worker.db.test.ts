import { randomUUID } from "node:crypto";
import fs from "node:fs";
import path from "node:path";
import { afterAll, beforeAll, expect, it } from "vitest";
import { graphSchema } from "@/lib/graph/document";
import { bundleInto } from "@/server/mcp/testing/bundles";
import { testInstallation } from "@/server/mcp/testing/installation";
import { command, openDesk, publishAs, startRun, type Desk } from "@/server/runner/testing/desk";
import { allAre, prepareFleet, startRunner, until } from "@/server/runner/testing/fleet";
import { readRun } from "@/server/runner/testing/run";
import { landlockAbi } from "@/server/sandbox/launcher/native.mjs";
import { testDatabase } from "@/server/testing/database";
import { commandOf, listDescendants } from "@/server/testing/process-tree";

const isIsolating = process.platform === "linux" && landlockAbi() >= 4;
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

const code = (id: string, config: object, more: object = {}) => ({ id, kind: "code", read_keys: ["words"], config, ...more });

it.runIf(isIsolating)(
  "runs functions in processes of their own, on what their nodes may read, and records where one fails",
  async () => {
    await useWorker("./server/worker/main.ts");
    const graph = graphSchema.parse({
      format: "countersign/graph/v1",
      id: "computes",
      name: "Computes",
      inputs: { type: "object", properties: { words: {}, secret: {} }, additionalProperties: false },
      memory: [
        { key: "words", schema: { type: "array", items: { type: "string" } }, classification: "pii" },
        { key: "secret", schema: { type: "string" } },
        { key: "count", schema: { type: "integer" } },
        { key: "short", schema: { type: "string", maxLength: 3 } },
      ],
      nodes: [
        code("count", { source: "export default (memory: object) => Object.keys(memory).length;" }, { write_keys: ["count"] }),
        code("misfit", { source: "export default () => 'too long';" }, { write_keys: ["short"], failure_policy: { attempts: 1 } }),
        code(
          "fail",
          { language: "typescript", source: "\nexport default () => { throw new Error('no such word'); };" },
          { write_keys: ["short"] },
        ),
        { id: "end", kind: "router", config: {} },
      ],
      edges: [
        { id: "counted", source: "count", target: "misfit" },
        { id: "unfit", source: "misfit", target: "fail", kind: "error" },
        { id: "failed", source: "fail", target: "end", kind: "error" },
      ],
      start_node: "count",
      end_nodes: ["misfit", "fail", "end"],
    });
    const hash = await publishAs(desk, { graph, agents: [], tools: [], subgraphs: [] }, desk.people.builder);
    const runner = await startRunner(desk);
    const run = randomUUID();
    const inputs = { words: ["a", "b"], secret: "x" };
    await command(desk, run, desk.people.starter, {
      kind: "start",
      graph_hash: hash,
      goal: "",
      constraints: [],
      inputs,
      model: "scripted:honest",
    });
    await allAre(desk, [run], "completed", 60_000);
    const { records, state } = await readRun(desk, run);
    expect(state.cells.find(({ path: at }) => at === "count")).toMatchObject({ content: { value: 1 }, label: { confidentiality: "pii" } });
    expect(
      records.flatMap(({ record }) => record.control.flatMap((event) => (event.type === "attempt_failed" ? [event.code] : []))),
    ).toEqual(["value_invalid", "code_failed"]);
    expect(JSON.stringify(state.aside.findLast(({ path: at }) => at === "$error")?.content)).toContain("Line 2: no such word");
    expect(runner.said()).not.toContain("no such word");
  },
  150_000,
);

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
