/** Runs the Action's steps in order, without GitHub. */
import { execFileSync, spawn } from "node:child_process";
import { once } from "node:events";
import fs from "node:fs";
import os from "node:os";
import path from "node:path";
import { afterAll, beforeAll, expect, inject, test, vi } from "vitest";
import { parse } from "yaml";
import { z } from "zod";
import { openStand, type Stand } from "@/server/outside/testing/fixture";
import { listGraphsNamed } from "@/server/store/graphs/document-ids";
import { listPublishRequests } from "@/server/store/graphs/publish-requests";
import { listVersions } from "@/server/store/graphs/versions";
import { openTestSession } from "@/server/testing/authority";
import { askToApprove } from "@/server/web/publishing";
import { pickEnvironment } from "../testing.ts";
import { ROOT } from "../start/settings.ts";

vi.setConfig({ testTimeout: 240_000, hookTimeout: 180_000 });

const stepSchema = z.strictObject({
  name: z.string(),
  id: z.string().optional(),
  if: z.string().optional(),
  shell: z.literal("bash"),
  env: z.record(z.string(), z.string()),
  run: z.string(),
});
const actionSchema = z.object({ runs: z.object({ using: z.literal("composite"), steps: z.array(stepSchema) }) });
const ACTION = actionSchema.parse(parse(fs.readFileSync(path.join(ROOT, ".github/actions/graphs/action.yml"), "utf8")));
const { steps } = ACTION.runs;

const folder = fs.mkdtempSync(path.join(os.tmpdir(), "countersign-action-"));
const { adminUrl } = inject("testServer");
const repository = path.join(folder, "repository");
const open = await openStand();
let stand: Stand;
let token = "";

const git = (...args: string[]): string =>
  execFileSync("git", ["-c", "user.name=t", "-c", "user.email=t@test.invalid", ...args], { cwd: repository, encoding: "utf8" }).trim();

const FIRST = fs.readFileSync(path.join(ROOT, "docs/tutorials/first.yaml"), "utf8");

const commit = (text: string): string => {
  fs.writeFileSync(path.join(repository, "graphs/first.yaml"), text);
  git("add", ".");
  git("commit", "-q", "-m", "Change the graph");

  return git("rev-parse", "HEAD");
};

beforeAll(async () => {
  stand = await open();
  token = (await stand.mint({ ownerId: stand.desk.people.builder, scopes: ["graphs:read", "graphs:write"] })).token;
  fs.mkdirSync(path.join(repository, "graphs/first.test"), { recursive: true });
  fs.writeFileSync(path.join(repository, "graphs/first.test/inputs.json"), '{"question":"How late is it?"}');
  fs.writeFileSync(path.join(repository, "graphs/first.test/decide.yaml"), "- decision: approve\n");
  git("init", "-q");
});
afterAll(async () => {
  await stand.close();
  fs.rmSync(folder, { recursive: true, force: true });
});

type Inputs = Partial<Record<"before" | "allow-wider" | "remote", string>>;

type Ran = { readonly name: string; readonly code: number | null; readonly output: string };

const runAction = async (inputs: Inputs): Promise<{ readonly ran: readonly Ran[]; readonly out: string; readonly outputs: string }> => {
  const temp = fs.mkdtempSync(path.join(folder, "runner-"));
  const [outputs, summary] = [path.join(temp, "output"), path.join(temp, "summary")];
  fs.writeFileSync(outputs, "");
  const given: Record<string, string> = {
    "inputs.files": "graphs/first.yaml\n",
    "inputs.command": `${process.execPath} ${path.join(ROOT, "bin/countersign.mjs")}`,
    "inputs.token": token,
    "inputs.allow-wider": "false",
    "inputs.remote": "",
    "runner.temp": temp,
    ...Object.fromEntries(Object.entries(inputs).map(([name, value]) => [`inputs.${name}`, value])),
  };
  const ran: Ran[] = [];
  for (const step of steps) {
    if (step.name === "Comment" || (step.if === "inputs.remote != ''" && given["inputs.remote"] === "")) continue;
    given["steps.diff.outputs.second-person"] = /second-person=(\w+)/u.exec(fs.readFileSync(outputs, "utf8"))?.[1] ?? "";
    const env = Object.entries(step.env).map(([name, value]) => [
      name,
      value.replaceAll(/\$\{\{ (.+?) \}\}/gu, (_, key: string) => given[key] ?? `missing ${key}`),
    ]);
    // The server is in this process.
    const child = spawn("bash", ["--noprofile", "--norc", "-eo", "pipefail", "-c", step.run], {
      cwd: repository,
      stdio: ["ignore", "pipe", "pipe"],
      env: {
        NODE_ENV: "test",
        ...pickEnvironment(["PATH", "HOME", "NODE_COMPILE_CACHE"]),
        COUNTERSIGN_HOME: "/nonexistent",
        DATABASE_URL: adminUrl,
        GITHUB_OUTPUT: outputs,
        GITHUB_STEP_SUMMARY: summary,
        ...(Object.fromEntries(env) as Record<string, string>),
      },
    });
    let output = "";
    for (const stream of [child.stdout, child.stderr]) stream.on("data", (chunk: Buffer) => (output += chunk.toString("utf8")));
    const [code] = (await once(child, "close")) as [number | null];
    ran.push({ name: step.name, code, output });
    if (code !== 0) break;
  }

  return { ran, out: path.join(temp, "countersign"), outputs: fs.readFileSync(outputs, "utf8") };
};

const PULL_REQUEST = ["Validate", "Run with scripted models", "Verify offline", "Compare authority", "Fail on wider authority"];

test("no step puts an expression of GitHub into its script", () => {
  expect(steps.filter(({ run }) => run.includes("${{"))).toEqual([]);
  expect(steps.map(({ name }) => name)).toEqual([
    ...PULL_REQUEST.slice(0, 4),
    "Comment",
    "Fail on wider authority",
    "Push and ask for publication",
  ]);
});

test("a pull request passes, with a verified run and a comparison, until authority widens", async () => {
  const before = commit(FIRST);
  commit(FIRST.replace("name: My first graph", "name: My own graph"));
  const same = await runAction({ before });
  expect(same.ran.map(({ name, code }) => [name, code])).toEqual(PULL_REQUEST.map((name) => [name, 0]));
  expect(JSON.parse(fs.readFileSync(path.join(same.out, "runs/graphs/first.yaml.result.json"), "utf8"))).toMatchObject({
    status: "completed",
  });
  expect(same.ran[2]?.output).toContain('"ok": true');
  expect(fs.readFileSync(path.join(same.out, "diff.md"), "utf8")).toContain("No authority change");

  commit(FIRST.replace("start_node: draft", "max_iterations: 400\nstart_node: draft"));
  const wider = await runAction({ before });
  expect(wider.ran.at(-1)).toMatchObject({ name: "Fail on wider authority", code: 1 });
  expect(wider.outputs).toBe("second-person=true\n");
  expect((await runAction({ before, "allow-wider": "true" })).ran.at(-1)).toMatchObject({ name: "Fail on wider authority", code: 0 });
});

test("an unfetched commit fails instead of making the file new", async () => {
  const { ran } = await runAction({ before: "0".repeat(40) });
  expect([ran.at(-1)?.name, ran.at(-1)?.code === 0]).toEqual(["Compare authority", false]);
});

test("a file that is invalid or a run that fails stops the action", async () => {
  const before = commit(FIRST);
  commit(FIRST.replace("start_node: draft", "start_node: nowhere"));
  expect((await runAction({ before })).ran.at(-1)).toMatchObject({ name: "Validate", code: 1 });
  commit(FIRST);
  const decide = path.join(repository, "graphs/first.test/decide.yaml");
  fs.writeFileSync(decide, "[]\n");
  expect((await runAction({ before })).ran.at(-1)).toMatchObject({ name: "Run with scripted models", code: 3 });
  fs.writeFileSync(decide, "- decision: approve\n");
});

test("a merge pushes drafts and asks; a second person publishes", async () => {
  git("checkout", "-q", "--orphan", `merged-${Date.now()}`);
  fs.writeFileSync(path.join(repository, "README.md"), "Graphs");
  git("rm", "-q", "--cached", "graphs/first.yaml");
  git("commit", "-q", "-m", "Begin");
  const empty = git("rev-parse", "HEAD");
  const first = commit(FIRST);
  const merged = { "allow-wider": "true", remote: stand.origin };
  const created = await runAction({ ...merged, before: empty });
  expect(created.ran.at(-1)).toMatchObject({ name: "Push and ask for publication", code: 0 });
  expect(created.ran.at(-1)?.output).toContain("::notice::");

  commit(FIRST.replace("name: My first graph", "name: My own graph"));
  expect((await runAction({ ...merged, before: first })).ran.at(-1)).toMatchObject({ code: 0 });
  const { workspace, people, urls } = stand.desk;
  const [graphId = ""] = await listGraphsNamed(workspace, "first");
  expect(await listVersions(workspace, graphId)).toEqual([]);
  const request = (await listPublishRequests(workspace, graphId)).find(({ status }) => status === "open");
  const second = { type: "user", id: people.starter, session: await openTestSession(urls.admin, people.starter) } as const;
  await askToApprove(workspace, second, String(request?.id), String(request?.hash));
  const done = await runAction({ ...merged, before: first });
  expect([done.ran.at(-1)?.code, done.ran.at(-1)?.output]).toEqual([0, expect.stringContaining('"status": "published"')]);

  // A draft that no merge knows is not overwritten.
  const old = commit(FIRST.replace("name: My first graph", "name: Older"));
  commit(FIRST.replace("name: My first graph", "name: Newest"));
  expect((await runAction({ ...merged, before: old })).ran.at(-1)).toMatchObject({ name: "Push and ask for publication", code: 2 });
});
