import { randomUUID } from "node:crypto";
import { afterAll, beforeAll, expect, it, vi } from "vitest";
import { answerPlace, askPlace, type ConsoleAsk } from "@/lib/mcp/console";
import { refuse } from "@/lib/refusal";
import { askArchitect } from "@/server/architect/ask";
import { workArchitectJobs } from "@/server/architect/worker";
import { useDatabase } from "@/server/db/client";
import { holdUnfinished } from "@/server/db/restored";
import { workConsoleCalls } from "@/server/mcp/console-worker";
import { workRegistryCommands } from "@/server/mcp/registry-worker";
import { testInstallation } from "@/server/mcp/testing/installation";
import { asAdmin, serverRow } from "@/server/mcp/testing/registered";
import { command, openDesk, query, startRun, type Desk } from "@/server/runner/testing/desk";
import { ask, decisionFor, drive, readRun } from "@/server/runner/testing/run";
import { beginArchitectJob, cancelArchitectJob, getArchitectJob } from "@/server/store/agents/architect-jobs";
import { getConsoleCall, insertConsoleCall } from "@/server/store/mcp/console-calls";
import { loadFacts } from "@/server/store/runs/facts";
import { insertRegistryCommand, findRegistryOutcome } from "@/server/store/mcp/registry-commands";
import { listHeldRuns, releaseHeld } from "@/server/store/runs/restored";
import type { RegistryCommand } from "@/lib/mcp/registry-command";
import { readAskedByUser } from "@/server/runner/user-request";
import { sealedAsk } from "@/server/testing/authority";
import { testDatabase } from "@/server/testing/database";

const urls = await testDatabase("runner");
const installation = await testInstallation();
let desk: Desk;
const MAIL = "02-outage-credit.txt";

beforeAll(async () => {
  desk = await openDesk(urls, installation);
}, 120_000);
afterAll(() => desk.mcp.close());

const recordsOf = async (run: string): Promise<number> => {
  const [row] = await query<{ version: number }>(urls.admin, "select version from run where id = $1", [run]);

  return row?.version ?? 0;
};

it("after a restore no unfinished run continues or is decided until an operator releases it", async () => {
  const run = await startRun(desk, "honest", MAIL);
  await drive(desk, run);
  const waiting = await readRun(desk, run);
  expect(waiting.state.status).toBe("waiting");
  // Left by a runner that died mid-work; the sweep would drive it.
  const half = await startRun(desk, "honest", MAIL);
  await drive(desk, half);
  await asAdmin(urls.admin, "update run set status = 'running' where id = $1", [half]);
  const before = [await recordsOf(run), await recordsOf(half)];

  expect(await holdUnfinished(urls.admin, refuse("run_frozen"))).toEqual({ runs: 2, requests: 0 });
  expect((await listHeldRuns()).map((held) => held.run).toSorted()).toEqual([run, half].toSorted());
  await drive(desk, half);
  expect(await ask(desk, run, desk.people.reviewer, decisionFor(desk, waiting.state, "approve"))).toMatchObject({
    refusal: { code: "run_frozen" },
  });
  expect([await recordsOf(run), await recordsOf(half)]).toEqual(before);

  expect(await releaseHeld([run])).toEqual([run]);
  expect((await listHeldRuns()).map((held) => held.run)).toEqual([half]);
  expect(await ask(desk, run, desk.people.reviewer, decisionFor(desk, waiting.state, "approve"))).toMatchObject({ refusal: null });
  await drive(desk, run);
  expect((await readRun(desk, run)).state.status).toBe("completed");
  expect(await releaseHeld(null)).toEqual([half]);
});

it("requests pending at the backup are refused, starts included, and simulations continue", async () => {
  const started = await startRun(desk, "honest", MAIL);
  expect(await holdUnfinished(urls.admin, refuse("run_frozen"))).toMatchObject({ requests: 1 });
  await drive(desk, started);
  expect(await query(urls.admin, "select id from run where id = $1", [started])).toEqual([]);

  const simulated = await startRun(desk, "honest", MAIL);
  await drive(desk, simulated);
  await asAdmin(urls.admin, "update run set simulated = true where id = $1", [simulated]);
  expect(await holdUnfinished(urls.admin, refuse("run_frozen"))).toEqual({ runs: 0, requests: 0 });
});

it("a cancellation requested while runners were down is decided before a released run acts", async () => {
  const run = await startRun(desk, "honest", MAIL);
  await drive(desk, run);
  await holdUnfinished(urls.admin, refuse("run_frozen"));
  await releaseHeld([run]);
  const records = await recordsOf(run);
  await command(desk, run, desk.people.builder, { kind: "cancel" });
  await drive(desk, run);
  const { state } = await readRun(desk, run);
  expect(state.status).toBe("cancelled");
  const [first] = await query<{ body: string }>(urls.admin, "select body from ledger_record where run_id = $1 and seq = $2", [
    run,
    records,
  ]);
  expect(JSON.parse(first?.body ?? "")).toMatchObject({ proposal_kind: "cancel" });
});

it("a run frozen before is held too, keeps its reason on release, and its facts are not recalled", async () => {
  const run = await startRun(desk, "honest", MAIL);
  await drive(desk, run);
  const reason = async () => (await query<{ frozen: string | null }>(urls.admin, "select frozen from run where id = $1", [run]))[0]?.frozen;
  const [left] = await query<{ path: string }>(urls.admin, "select path from cell where run_id = $1 limit 1", [run]);
  const recalled = async () =>
    (await loadFacts(desk.workspace, randomUUID(), [left?.path ?? ""], 100)).filter((fact) => fact.runId === run).length;
  expect(await recalled()).toBeGreaterThan(0);
  await asAdmin(urls.admin, "update run set frozen = 'hash at record 7' where id = $1", [run]);

  expect(await holdUnfinished(urls.admin, refuse("run_frozen"))).toMatchObject({ runs: 1 });
  expect(await holdUnfinished(urls.admin, refuse("run_frozen"))).toMatchObject({ runs: 0 });
  expect((await listHeldRuns()).map((held) => held.run)).toContain(run);
  // Its ledger verifies, yet commands do not resume it.
  expect(await ask(desk, run, desk.people.builder, { kind: "cancel" })).toMatchObject({ refusal: { code: "run_frozen" } });
  expect(await releaseHeld([run])).toEqual([run]);
  expect([await reason(), await recalled()]).toEqual(["hash at record 7", 0]);
});

const askRegistry = async (wanted: RegistryCommand): Promise<string> => {
  const id = randomUUID();
  const { workspace, people, deps } = desk;
  const body = await sealedAsk(urls.admin, deps, { workspace, userId: people.admin, place: id, body: wanted });
  await insertRegistryCommand(workspace, { id, userId: people.admin, body });

  return id;
};

it("pending registry, architect and console requests of the backup are never carried out", async () => {
  const { workspace, people, mcp, deps } = desk;
  const before = await serverRow(workspace, "customers", mcp);
  const wish = { description: "Answer a question", pasted: "", model: "scripted:honest" };
  const asker = { userId: people.builder, tokenId: null };
  const call = { id: randomUUID(), userId: people.admin, serverId: "customers", tool: "find_customer" };
  const consoleAsk: ConsoleAsk = { id: "customers", tool: call.tool, definition_digest: "0".repeat(64), arguments: {}, typed: null };
  await useDatabase(urls.admin);
  const suspended = await askRegistry({ type: "suspend", id: "customers", revision: before.revision });
  const queued = await askArchitect(deps.vault, workspace, asker, wish);
  const working = await askArchitect(deps.vault, workspace, asker, wish);
  await beginArchitectJob(working, deps.clock.now());
  const asked = await sealedAsk(urls.admin, deps, { workspace, userId: people.admin, place: askPlace(call.id), body: consoleAsk });
  await insertConsoleCall(workspace, call, asked);

  expect(await holdUnfinished(urls.admin, refuse("run_frozen"))).toMatchObject({ requests: 4 });
  expect(await holdUnfinished(urls.admin, refuse("run_frozen"))).toMatchObject({ requests: 0 });

  // Queued last: once answered, the others were skipped.
  const later = await askRegistry({ type: "inspect", id: "nowhere", revision: 1 });
  const unwanted = await askArchitect(deps.vault, workspace, asker, wish);
  await cancelArchitectJob(workspace, unwanted);
  await useDatabase(urls.runner);
  const done: string[] = [];
  const stop = new AbortController();
  const workers = [
    workRegistryCommands(mcp, readAskedByUser(deps), stop.signal),
    workArchitectJobs(
      {
        vault: deps.vault,
        clock: deps.clock,
        modelsFor: async () => {
          done.push("model");

          return deps.modelsFor(workspace);
        },
      },
      stop.signal,
    ),
    workConsoleCalls(
      {
        vault: deps.vault,
        readAsked: readAskedByUser(deps),
        spend: async () => true,
        record: () => Promise.reject(new Error("nothing is called")),
        tryOut: async () => {
          done.push("tool");

          return { status: "refused", code: "busy" };
        },
      },
      stop.signal,
    ),
  ];
  const resultOf = async () => (await getConsoleCall(workspace, people.admin, call.id))?.result ?? null;
  const stateOf = async (id: string) => (await getArchitectJob(workspace, id))?.status;
  try {
    await vi.waitFor(
      async () => {
        expect(await findRegistryOutcome(workspace, later)).toMatchObject({ code: "not_found" });
        expect(await stateOf(unwanted)).toBe("cancelled");
        expect(await resultOf()).not.toBeNull();
      },
      { timeout: 15_000, interval: 50 },
    );
  } finally {
    stop.abort();
    await Promise.all(workers);
  }

  expect(done).toEqual([]);
  expect((await serverRow(workspace, "customers", mcp)).status).toBe("active");
  expect(await findRegistryOutcome(workspace, suspended)).toMatchObject({ ok: false, code: "conflict" });
  expect([await stateOf(queued), await stateOf(working)]).toEqual(["cancelled", "cancelled"]);
  const answer = await resultOf();
  expect(answer && deps.vault.openCommand(workspace, answerPlace(call.id), answer)).toEqual({ status: "refused", code: "interrupted" });
});
