import { randomUUID } from "node:crypto";
import { mkdir, rm, writeFile } from "node:fs/promises";
import path from "node:path";
import { afterAll, beforeAll, beforeEach, describe, expect, it, vi } from "vitest";
import { z } from "zod";
import { RUG_PULL, testInstallation } from "@/server/mcp/testing/installation";
import { callOf } from "@/server/mcp/testing/calling";
import { makeProgramFolder, offerFile, offerInPlace } from "@/server/mcp/testing/programs";
import { activeServer } from "@/server/mcp/testing/registered";
import { useSameModels } from "@/server/models/contract";
import { createModels } from "@/server/models/sdk/in-process";
import { startFake, type Fake } from "@/server/models/testing/fake";
import { addEndpoint, movedClock, notifyDeps, sendDue } from "@/server/notify/testing/fixture";
import { command, openDesk, publishAs, type Desk } from "@/server/runner/testing/desk";
import { CANARIES, observedGraph, spellings } from "@/server/runner/testing/observed";
import { drive, readRun } from "@/server/runner/testing/run";
import { addMcpServer } from "@/server/store/mcp/servers";
import { testDatabase } from "@/server/testing/database";

const SECRET = "canary-secret-51c7e0";
const FORGED = '{"level":60,"msg":"forged"}';
const HOSTILE = `${SECRET} \u001b]0;${SECRET}\u0007\u001b[2J\n${FORGED}\n`;
const CODE = "canary_code_90ab";

const urls = await testDatabase("runner");
const installation = await testInstallation();
const lineSchema = z.looseObject({ event: z.string().optional() });

let desk: Desk;
let fake: Fake;
let graphHash: string;
const written: string[] = [];

const failures = (event: string) =>
  written
    .join("")
    .split("\n")
    .filter((line) => line.startsWith("{"))
    .map((line) => lineSchema.parse(JSON.parse(line)))
    .filter((line) => line.event === event);

const runOf = async (at: Desk): Promise<string> => {
  const runId = randomUUID();
  await command(at, runId, at.people.starter, {
    kind: "start",
    graph_hash: graphHash,
    goal: CANARIES.goal,
    constraints: [],
    inputs: { file: CANARIES.input },
    model: "openai-compatible:fake",
  });
  await drive(at, runId);

  return runId;
};

beforeAll(async () => {
  const opened = await openDesk(urls, installation);
  fake = await startFake(() => ({ status: 400, body: { error: { message: HOSTILE, type: HOSTILE, code: HOSTILE } } }));
  const models = createModels({ OPENAI_BASE_URL: fake.url, OPENAI_MODEL: "fake", OPENAI_API_KEY: CANARIES.key });
  desk = { ...opened, deps: { ...opened.deps, modelsFor: useSameModels(models) } };
  await writeFile(path.join(installation.home, "inbox", CANARIES.input), `${CANARIES.result}\n`);
  graphHash = await publishAs(desk, observedGraph(desk), desk.people.builder);
  const write = process.stdout.write.bind(process.stdout);
  vi.spyOn(process.stdout, "write").mockImplementation((text: string | Uint8Array) => {
    written.push(text.toString());

    return write(text);
  });
}, 120_000);
beforeEach(() => void written.splice(0));
afterAll(async () => {
  vi.restoreAllMocks();
  await fake.close();
  await desk.mcp.close();
});

const listLeaks = (): readonly string[] => {
  const seen = written.join("\n");

  return [...Object.values(CANARIES), SECRET, CODE, FORGED, "\u001b", "\u0007"].filter((canary) =>
    spellings(canary).some((form) => (form.length > 3 || form === canary) && seen.includes(form)),
  );
};

describe("the log", () => {
  it("has one line of a failed model call and one of its run, without the provider's words", async () => {
    const run = await runOf(desk);
    expect((await readRun(desk, run)).state.status).toBe("failed");
    const place = { workspace: desk.workspace, run, node: "clerk" };
    expect(failures("model_call_failed")).toMatchObject([{ ...place, code: "model_failed", cause: null, provider: "openai-compatible" }]);
    expect(failures("run_failed")).toMatchObject([{ ...place, code: "model_failed", cause: null }]);
    expect(listLeaks()).toEqual([]);
  });

  it("names the cause of an outage", async () => {
    const gone = await startFake(() => ({ hang: true }));
    await gone.close();
    const models = createModels({ OPENAI_BASE_URL: gone.url, OPENAI_MODEL: "fake" });
    const run = await runOf({ ...desk, deps: { ...desk.deps, modelsFor: useSameModels(models) } });
    expect(failures("model_call_failed")).toMatchObject([{ run, code: "model_failed", cause: "unreachable" }]);
  });

  it("replaces the code that a compromised worker makes up", async () => {
    const execute = async () => ({ type: "failure", code: CODE, retryable: false, detail: HOSTILE }) as const;
    const run = await runOf({ ...desk, deps: { ...desk.deps, execute } });
    expect((await readRun(desk, run)).state.endReason).toBe(CODE);
    expect(failures("run_failed")).toMatchObject([{ run, code: "unlisted", node: "read" }]);
    expect(listLeaks()).toEqual([]);
  });

  it("has one line of a server that does not start, without its output", async () => {
    const file = path.join(await makeProgramFolder(), "hostile.mjs");
    await writeFile(file, `process.stderr.write(${JSON.stringify(HOSTILE)}, () => process.exit(3));\n`);
    await mkdir(path.join(installation.home, "keys"), { recursive: true });
    const manifest = await offerInPlace(installation, "hostile", file);
    await addMcpServer(desk.workspace, { id: "hostile", name: "hostile", transport: { type: "stdio", manifest } });
    await expect(desk.mcp.inspect(desk.workspace, "hostile")).rejects.toThrow("exited with code 3");
    expect(failures("server_failed")).toMatchObject([
      { workspace: desk.workspace, run: null, server: "hostile", code: "server_unreachable", cause: null, exitCode: 3 },
    ]);
    expect(listLeaks()).toEqual([]);
  });

  it("names the run whose call did not reach its server", async () => {
    const manifest = await offerFile(installation, "changed", RUG_PULL);
    await activeServer(desk.workspace, desk.mcp, { id: "changed", manifest, agents: ["node"] });
    const run = randomUUID();
    const call = await callOf(desk.mcp, desk.workspace, "changed", "echo", { text: SECRET }, { run });
    await rm(path.join(installation.home, "keys", "programs.json"));
    expect(await desk.mcp.call(call, AbortSignal.timeout(20_000))).toMatchObject({ status: "unavailable" });
    expect(failures("server_failed")).toMatchObject([{ run, server: "changed", code: "manifest_invalid" }]);
    expect(listLeaks()).toEqual([]);
  });

  it("has one line of a webhook that did not arrive, with its run", async () => {
    const receiver = await startFake(() => ({ status: 500, body: HOSTILE }));
    const endpoint = await addEndpoint(urls.admin, desk.workspace, desk.deps.vault, {
      url: `${receiver.url}/${SECRET}`,
      types: ["run.ended"],
    });
    const run = await runOf(desk);
    await sendDue(notifyDeps(desk.deps.vault, movedClock(), [new URL(receiver.url).origin]));
    await receiver.close();
    expect(failures("webhook_failed")).toMatchObject([
      { workspace: desk.workspace, run, endpoint: endpoint.id, code: "refused", cause: 500, attempt: 1 },
    ]);
    expect(listLeaks()).toEqual([]);
  });
});
