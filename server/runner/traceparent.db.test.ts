import { randomUUID } from "node:crypto";
import { afterAll, beforeAll, expect, it, vi } from "vitest";
import { useDatabase } from "@/server/db/client";
import { testInstallation } from "@/server/mcp/testing/installation";
import { startCollector } from "@/server/runner/testing/collector";
import { openDesk, publishAs, type Desk } from "@/server/runner/testing/desk";
import { quietChain, startChain } from "@/server/runner/testing/quiet-chain";
import { drive, readRun } from "@/server/runner/testing/run";
import { sealCommand } from "@/server/store/runs/command-envelope";
import { insertCommand } from "@/server/store/runs/commands";
import { openTestSession } from "@/server/testing/authority";
import { queryOn } from "@/server/testing/connections";
import { testDatabase } from "@/server/testing/database";
import { runInSpan } from "@/server/trace";
import { startTracing, type Tracing } from "@/server/trace-setup";

const collector = await startCollector();
vi.stubEnv("OTEL_EXPORTER_OTLP_ENDPOINT", collector.origin);
const urls = await testDatabase("runner");
const installation = await testInstallation();
let desk: Desk;
let tracing: Tracing | null;
let graphHash: string;

beforeAll(async () => {
  desk = await openDesk(urls, installation);
  tracing = await startTracing("countersign-runner");
  graphHash = await publishAs(desk, quietChain(2), desk.people.builder);
}, 120_000);
afterAll(async () => {
  await collector.close();
  await desk.mcp.close();
});

const insertStart = async (runId: string): Promise<void> => {
  const { starter } = desk.people;
  const author = { type: "user", id: starter, session: await openTestSession(urls.admin, starter) } as const;
  const body = { kind: "start", graph_hash: graphHash, goal: "", constraints: [], inputs: {}, model: "scripted:honest" } as const;
  const { deps, workspace: workspaceId } = desk;
  const sealed = sealCommand(deps.vault, { workspaceId, id: randomUUID(), runId, author, sentAt: deps.clock.now(), body });
  await useDatabase(urls.web);
  await insertCommand(workspaceId, sealed);
  await useDatabase(urls.runner);
};

it("a drive and its records belong to the trace of the request that started the run", async () => {
  const joined = randomUUID();
  await runInSpan("runs.start", {}, () => insertStart(joined), "answers");
  await drive(desk, joined);
  const alone = await startChain(desk, graphHash);
  await drive(desk, alone);
  // Written by a role that may write anything but must not break a run.
  const forged = await startChain(desk, graphHash);
  await expect(queryOn(urls.admin, "update command set traceparent = $1 where run_id = $2", ["00-x\n-y-01", forged])).rejects.toThrow(
    "command_traceparent_check",
  );
  await queryOn(urls.admin, "update command set traceparent = $1 where run_id = $2", [`00-${"0".repeat(32)}-${"0".repeat(16)}-01`, forged]);
  await drive(desk, forged);
  expect((await readRun(desk, forged)).state.status).toBe("completed");
  await tracing?.close();

  const spans = collector.spans();
  const driveOf = (run: string) => spans.find(({ name, said }) => name.startsWith("invoke_workflow") && said["countersign.run"] === run);
  const request = spans.find(({ name }) => name === "runs.start");
  expect(driveOf(joined)).toMatchObject({ trace: request?.trace, parent: request?.id });
  expect(spans.find(({ name }) => name === "decide_command")).toMatchObject({ trace: request?.trace, parent: request?.id, kind: 2 });
  const commits = spans.filter(({ name, trace }) => name === "commit" && trace === request?.trace);
  expect(commits).toHaveLength((await readRun(desk, joined)).records.length);
  expect([driveOf(alone), driveOf(forged)].map((span) => span?.parent)).toEqual([null, null]);
});
