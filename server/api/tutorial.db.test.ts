/** Runs the programs of docs/tutorials/api.md as they are printed. */
import { execFile, spawn, spawnSync, type ChildProcess } from "node:child_process";
import { randomUUID } from "node:crypto";
import { once } from "node:events";
import { mkdir, mkdtemp, readFile, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";
import { promisify } from "node:util";
import { build } from "esbuild";
import { afterAll, beforeAll, expect, test, vi } from "vitest";
import { pickEnvironment } from "@/bin/testing";
import { graphSchema } from "@/lib/graph/document";
import { createClient } from "@/lib/public/client";
import { useDatabase } from "@/server/db/client";
import { publishAs, query } from "@/server/runner/testing/desk";
import { PERSONAL_SCOPES } from "@/lib/engine/principal";
import { openStand, type Stand } from "@/server/outside/testing/fixture";
import { PYTHON } from "./testing/python";

vi.setConfig({ testTimeout: 120_000, hookTimeout: 120_000 });

const execute = promisify(execFile);
const page = await readFile("docs/tutorials/api.md", "utf8");
const programsIn = (language: string): string[] =>
  [...page.matchAll(new RegExp(`\`\`\`${language}\\n(.*?)\`\`\``, "gsu"))].map(([, program = ""]) => program);

const open = await openStand();
let stand: Stand;
let folder: string;
let env: NodeJS.ProcessEnv;

beforeAll(async () => {
  stand = await open();
  folder = await mkdtemp(path.join(tmpdir(), "countersign-tutorial-"));
  const account = await stand.mint({ ownerId: stand.desk.people.admin, scopes: ["graphs:read", "runs:read", "runs:start"] });
  const own = await stand.mint({ ownerId: stand.desk.people.reviewer, scopes: [...PERSONAL_SCOPES] });
  env = {
    NODE_ENV: "test",
    ...pickEnvironment(["PATH", "HOME"]),
    COUNTERSIGN_URL: stand.origin,
    COUNTERSIGN_TOKEN: account.token,
    PERSONAL_TOKEN: own.token,
    ...PYTHON,
  };
});
afterAll(() => stand.close());

const runUntilEnd = async (child: ChildProcess, decide: () => Promise<unknown>): Promise<string[]> => {
  let [output, errors] = ["", ""];
  const ended = once(child, "close");
  child.stderr?.on("data", (chunk: Buffer) => (errors += chunk.toString()));
  const decided = new Promise((resolve, reject) => {
    child.once("close", resolve);
    child.stdout?.on("data", (chunk: Buffer) => {
      const isNew = !output.includes("waiting");
      output += chunk.toString();
      if (isNew && output.includes("waiting")) decide().then(resolve, reject);
    });
  });
  await decided;
  const [code] = (await ended) as [number];
  expect([code, errors]).toEqual([0, ""]);

  return output.trim().split("\n");
};

test("curl starts a run, waits for its approval and reads the result", async () => {
  const [find = "", start = "", wait = "", follow = "", read = "", ...others] = programsIn("sh");
  expect(others).toEqual([]);
  const answered = async (command: string): Promise<unknown> => JSON.parse((await execute("sh", ["-c", command], { env })).stdout);
  const { items } = (await answered(find)) as { items: { id: string; name: string }[] };
  env["GRAPH"] = items.find(({ name }) => name === "Support desk under attack")?.id;
  const started = (await answered(start)) as { runId: string };
  expect(await answered(start)).toEqual(started);
  env["RUN"] = started.runId;
  expect(await answered(wait)).toMatchObject({ id: started.runId, status: "waiting", waitingFor: [{}] });
  const events = await runUntilEnd(spawn("sh", ["-c", follow], { env }), () => runProgram("decide.py", programsIn("python")[1]));
  expect(events.at(-1)).toContain('"status":"completed"');
  expect(await answered(read)).toMatchObject({ status: "completed", memory: { request: { wish: "change_plan" } } });
});

const runProgram = async (name: string, program = ""): Promise<string> => {
  await writeFile(path.join(folder, name), program);

  return (await execute(name.endsWith(".py") ? "python3" : process.execPath, [path.join(folder, name)], { env })).stdout;
};

const startListening = async (): Promise<{ runId: string; token: string }> => {
  const graph = graphSchema.parse({
    format: "countersign/graph/v1",
    id: "delivers",
    name: `Delivers ${randomUUID()}`,
    memory: [{ key: "news", schema: { type: "object", properties: { parcel: { type: "string" } } } }],
    nodes: [{ id: "listen", kind: "wait", write_keys: ["news"], config: { until: { type: "event" } } }],
    edges: [],
    start_node: "listen",
    end_nodes: ["listen"],
  });
  const { urls, people } = stand.desk;
  await useDatabase(urls.runner);
  const graphHash = await publishAs(stand.desk, { graph, agents: [], tools: [], subgraphs: [] }, people.builder);
  await useDatabase(urls.web);
  const [row] = await query<{ id: string }>(urls.admin, "select id from graph where name = $1", [graph.name]);
  const { token } = await stand.mint({ ownerId: people.admin, scopes: ["runs:start", "runs:read", "runs:control"] });
  const client = createClient({ url: stand.origin, token });
  const { runId } = await client.startRun({ graphId: row?.id ?? "", graphHash, model: "scripted:honest" });
  expect(await client.getRun({ runId, wait: 60 })).toMatchObject({ status: "waiting" });

  return { runId, token };
};
const readNews = async ({ runId, token }: { readonly runId: string; readonly token: string }): Promise<unknown> => {
  const client = createClient({ url: stand.origin, token });
  expect(await client.getRun({ runId, wait: 60 })).toMatchObject({ status: "completed" });

  return (await client.getRunState({ runId })).memory;
};

test("an outside system answers a wait in TypeScript and Python", async () => {
  const first = await startListening();
  await installClient();
  const run = { ...env, COUNTERSIGN_TOKEN: first.token, RUN: first.runId };
  await writeFile(path.join(folder, "wait.mts"), programsIn("ts")[2] ?? "");
  expect((await execute(process.execPath, [path.join(folder, "wait.mts")], { env: run })).stdout).toBe("200\n");
  expect(await readNews(first)).toEqual({ news: { parcel: "delivered" } });

  const second = await startListening();
  const { token: waitToken } = await createClient({ url: stand.origin, token: second.token }).takeWaitToken({ runId: second.runId });
  await writeFile(path.join(folder, "wait.py"), programsIn("python")[2] ?? "");
  await execute("python3", [path.join(folder, "wait.py")], { env: { ...env, WAIT_TOKEN: waitToken } });
  expect(await readNews(second)).toEqual({ news: { parcel: "delivered" } });
});

const installClient = async (): Promise<void> => {
  const installed = path.join(folder, "node_modules", "countersign");
  await mkdir(installed, { recursive: true });
  await writeFile(path.join(installed, "package.json"), JSON.stringify({ type: "module", exports: { "./client": "./client.js" } }));
  await build({ entryPoints: ["lib/public/client.ts"], bundle: true, format: "esm", outfile: path.join(installed, "client.js") });
};

test("TypeScript does so", async () => {
  await installClient();
  const [start = "", decide = "", _wait, ...others] = programsIn("ts");
  expect(others).toEqual([]);
  await writeFile(path.join(folder, "start.mts"), start);
  const child = spawn(process.execPath, [path.join(folder, "start.mts")], { env });
  const lines = await runUntilEnd(child, () => runProgram("decide.mts", decide));
  expect(lines.slice(0, 2)).toEqual(["waiting", "waiting"]);
  expect(lines.slice(-2)).toEqual(["completed", expect.stringContaining('"wish":"credit"')]);
});

test("Python does so", async () => {
  const [start = "", decide = "", _wait, ...others] = programsIn("python");
  expect(others).toEqual([]);
  await writeFile(path.join(folder, "start.py"), start);
  const child = spawn("python3", [path.join(folder, "start.py")], { env });
  const lines = await runUntilEnd(child, () => runProgram("decide.py", decide));
  expect(lines.slice(0, 2)).toEqual(["waiting", "waiting"]);
  expect(lines.slice(-2)).toEqual(["completed", expect.stringContaining("Downgrade")]);
});

test("the package of Python has the version of ours and no dependency", () => {
  const read = 'import json, tomllib; print(json.dumps(tomllib.load(open("clients/python/pyproject.toml", "rb"))["project"]))';
  const project: unknown = JSON.parse(spawnSync("python3", ["-c", read], { env, encoding: "utf8" }).stdout);
  expect(project).toMatchObject({ version: "0.1.0", license: "Apache-2.0", dependencies: [] });
});
