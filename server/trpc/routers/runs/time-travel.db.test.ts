import { mkdir, writeFile } from "node:fs/promises";
import path from "node:path";
import { randomUUID } from "node:crypto";
import { afterAll, beforeAll, describe, expect, test, vi } from "vitest";
import { getKeys } from "@/lib/engine/ledger/trust-anchor";
import { verifyLedger } from "@/lib/engine/verify/verify";
import { workflowStateSchema } from "@/lib/engine/workflow-state";
import { AppError } from "@/lib/errors";
import type { Role } from "@/lib/roles";
import { useDatabase } from "@/server/db/client";
import { closeRunBus } from "@/server/live/run-bus";
import { testInstallation } from "@/server/mcp/testing/installation";
import { asAdmin } from "@/server/mcp/testing/registered";
import { openDesk, query, startRun, type Desk } from "@/server/runner/testing/desk";
import { forkRun } from "@/server/runner/testing/fork";
import { drive } from "@/server/runner/testing/run";
import { openedSession } from "@/server/testing/caller";
import { testDatabase } from "@/server/testing/database";
import { createCaller } from "@/server/trpc/root";

const PII_CANARY = "canary-Zwiebelfisch-4711";

const urls = await testDatabase("runner");
const installation = await testInstallation();
vi.stubEnv("COUNTERSIGN_HOME", installation.home);

let desk: Desk;
let run: string;
let fork: string;

const callerOf = (role: Role, workspace = desk.workspace, userId = desk.people[role]) =>
  createCaller({
    requestId: randomUUID(),
    address: "test",
    host: "localhost",
    signedIn: async () => ({
      user: { id: userId, name: role, email: `${role}@test.invalid` },
      workspace: { id: workspace, name: "Support", demo: false },
      role,
      auditor: false,
      session: await openedSession(urls.admin, userId),
    }),
  }).runs;

const codeOf = async (call: Promise<unknown>): Promise<string> => {
  const error: unknown = await call.then(
    () => null,
    (reason: unknown) => reason,
  );
  const cause = error instanceof Error ? error.cause : null;

  return cause instanceof AppError ? (cause.refusal ?? cause.code) : "none";
};

const connectAs = async (role: keyof typeof urls): Promise<void> => {
  closeRunBus();
  await useDatabase(urls[role]);
};

beforeAll(async () => {
  desk = await openDesk(urls, installation);
  await mkdir(path.join(installation.home, "keys"), { recursive: true });
  await writeFile(path.join(installation.home, "keys", "vault.key"), desk.keys.vault, { mode: 0o600 });
  await query(urls.customers, "update customers.customer set name = $1", [PII_CANARY]);
  run = await startRun(desk, "honest", "02-outage-credit.txt");
  await drive(desk, run);
  ({ run: fork } = await forkRun(desk, run, 2, { type: "model", model: "scripted:compromised" }));
  await drive(desk, fork);
  // From here on, row-level security applies.
  await connectAs("web");
}, 120_000);
afterAll(async () => {
  closeRunBus();
  await desk.mcp.close();
});

describe("a fork's records on the wire", () => {
  test("are its parent's and its own by page, and verify at the lowest clearance", async () => {
    const runs = callerOf("viewer");
    const first = await runs.records({ runId: fork, limit: 3 });
    const rest = await runs.records({ runId: fork, afterSeq: 2 });
    const ledger = { ...rest, run: fork, records: [...first.records, ...rest.records], cells: [...first.cells, ...rest.cells] };

    expect(first.records.map(({ seq }) => seq)).toEqual([0, 1, 2]);
    expect(await verifyLedger(ledger, rest.anchor ? getKeys(rest.anchor) : {})).toMatchObject({ ok: true, records: rest.head.version });
    expect((await runs.get({ runId: fork })).run).toMatchObject({ parentRun: run, forkSeq: 2, simulated: true });
  });
});

describe("a run's state", () => {
  test.each<[Role, boolean]>([
    ["viewer", false],
    ["builder", false],
    ["reviewer", true],
  ])("has its schema, with personal data for a %s only if permitted", async (role, seesPersonal) => {
    const state = await callerOf(role).state({ runId: run });

    expect(workflowStateSchema.parse(JSON.parse(JSON.stringify(state)))).toMatchObject({
      run_id: run,
      status: "waiting",
      waiting_for: "human_approval",
    });
    expect(JSON.stringify(state).includes(PII_CANARY)).toBe(seesPersonal);
  });
});

describe("two compared runs", () => {
  test("differ from the fork's change on, without revealing hidden values", async () => {
    const seen = await callerOf("viewer").compare({ a: run, b: fork });
    const both = await callerOf("reviewer").compare({ a: run, b: fork });

    expect(both.divergence?.a).toBeGreaterThanOrEqual(2);
    expect([both.a.run, both.b.run]).toEqual([run, fork]);
    expect(both.a.refusals).toEqual([]);
    expect(both.b.refusals.length).toBeGreaterThan(0);
    expect(JSON.stringify(seen)).not.toContain(PII_CANARY);
  });
});

describe("why a path is tainted", () => {
  test("is answered without values: by the source tool", async () => {
    const { taint, writes, slice } = await callerOf("viewer").blame({ runId: run, path: "mail" });

    expect(taint?.chains.map(({ source }) => source)).toEqual(["mcp:filesystem/read_text_file"]);
    expect(writes).toHaveLength(1);
    expect(slice.inputs[0]).toBe(0);
    expect((await callerOf("viewer").blame({ runId: run, path: "mail", seq: 1 })).writes).toEqual([]);
  });
});

describe("a server replay", () => {
  test("confirms a run and its fork, and states what that does not prove", async () => {
    for (const id of [run, fork]) {
      const verified = await callerOf("viewer").verifyReplay({ runId: id });
      expect(verified).toMatchObject({ ok: true, cellsHidden: 0 });
      expect(verified.ok && verified.notProved.length).toBeGreaterThan(2);
    }
  });

  test("finds a row whose state differs from the records", async () => {
    await asAdmin(urls.admin, "update run set status = 'completed' where id = $1", [fork]);
    expect(await callerOf("viewer").verifyReplay({ runId: fork })).toMatchObject({ ok: false, reason: "state" });
    await asAdmin(urls.admin, "update run set status = $2 where id = $1", [fork, (await callerOf("viewer").state({ runId: fork })).status]);

    expect(await callerOf("viewer").verifyReplay({ runId: fork })).toMatchObject({ ok: true });
  });
});

describe("a run of another workspace", () => {
  test("does not exist for any procedure", async () => {
    const stranger = callerOf("builder", randomUUID());

    expect(
      await Promise.all([
        codeOf(stranger.fork({ runId: run, seq: 2, change: { type: "none" } })),
        codeOf(stranger.state({ runId: run })),
        codeOf(stranger.compare({ a: run, b: fork })),
        codeOf(stranger.blame({ runId: run, path: "mail" })),
        codeOf(stranger.verifyReplay({ runId: run })),
      ]),
    ).toEqual(Array.from({ length: 5 }, () => "not_found"));
  });
});

describe("a fork through the API", () => {
  const driveWhenAsked = async (): Promise<void> => {
    const text = "select 1 from command where workspace_id = $1 and run_id = $2 and status = 'pending'";
    const pending = () => query(urls.admin, text, [desk.workspace, run]);
    await expect.poll(pending, { timeout: 10_000 }).toHaveLength(1);
    await drive(desk, run);
  };
  const driven = async <T>(asked: Promise<T>): Promise<PromiseSettledResult<T>> => {
    const [answer, driving] = await Promise.allSettled([asked, driveWhenAsked()]);
    if (driving.status === "rejected") throw driving.reason;

    return answer;
  };

  test("is a run, or refused with its code", async () => {
    await connectAs("admin");
    const builder = callerOf("builder");
    const made = await driven(builder.fork({ runId: run, seq: 2, change: { type: "none" } }));
    const refused = await driven(builder.fork({ runId: run, seq: 2, change: { type: "route", edge: "nowhere" } }));

    expect(made.status).toBe("fulfilled");
    const id = made.status === "fulfilled" ? made.value.runId : "";
    expect((await builder.get({ runId: id })).run).toMatchObject({ parentRun: run, forkSeq: 2, simulated: true, version: 3 });
    expect(refused).toMatchObject({ status: "rejected", reason: { cause: { code: "refused", refusal: "fork_change" } } });
  }, 60_000);
});
