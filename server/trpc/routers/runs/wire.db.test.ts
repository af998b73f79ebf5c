import { mkdir, writeFile } from "node:fs/promises";
import path from "node:path";
import { randomUUID } from "node:crypto";
import { afterAll, beforeAll, describe, expect, test, vi } from "vitest";
import { computeViewDigest } from "@/lib/engine/approvals/approval-view";
import { getKeys } from "@/lib/engine/ledger/trust-anchor";
import { verifyLedger } from "@/lib/engine/verify/verify";
import { AppError } from "@/lib/errors";
import type { Role } from "@/lib/roles";
import { useDatabase } from "@/server/db/client";
import { closeRunBus } from "@/server/live/run-bus";
import { testInstallation } from "@/server/mcp/testing/installation";
import { openDesk, query, startRun, type Desk } from "@/server/runner/testing/desk";
import { ask, decisionFor, drive, readRun } from "@/server/runner/testing/run";
import { notifyRuns } from "@/server/store/notify";
import { openedSession } from "@/server/testing/caller";
import { testDatabase } from "@/server/testing/database";
import { createCaller } from "@/server/trpc/root";

/** Personal data. */
const PII_CANARY = "canary-Zwiebelfisch-4711";
/** Secret, in a refused attempt. */
const SECRET_CANARY = "canary-Rumpelstilz-0815";

/** Personal data that reviewers compare, in cents. */
const CREDIT_CANARY = 777_123;

const urls = await testDatabase("runner");
const installation = await testInstallation();
vi.stubEnv("COUNTERSIGN_HOME", installation.home);

let desk: Desk;
let run: string;

const callerOf = (role: Role, options: { auditor?: boolean; workspace?: string; userId?: string } = {}) =>
  createCaller({
    requestId: randomUUID(),
    address: "test",
    host: "localhost",
    signedIn: async () => ({
      user: { id: options.userId ?? desk.people[role], name: role, email: `${role}@test.invalid` },
      workspace: { id: options.workspace ?? desk.workspace, name: "Support", demo: false },
      role,
      auditor: options.auditor ?? false,
      session: await openedSession(urls.admin, options.userId ?? desk.people[role]),
    }),
  });

const spellings = (canary: string) => [
  canary,
  Buffer.from(canary).toString("base64").slice(2, -4),
  Buffer.from(canary).toString("hex"),
  encodeURIComponent(canary),
];
const holds = (value: unknown, canary: string) => spellings(canary).some((spelling) => JSON.stringify(value).includes(spelling));

const appErrorOf = async (call: Promise<unknown>): Promise<AppError> => {
  const error: unknown = await call.then(
    () => null,
    (reason: unknown) => reason,
  );
  // Stream errors are wrapped only when sent.
  if (error instanceof AppError) return error;
  if (error instanceof Error && error.cause instanceof AppError) return error.cause;
  throw new Error("expected an AppError", { cause: error });
};

const connectAs = async (role: keyof typeof urls): Promise<void> => {
  closeRunBus();
  await useDatabase(urls[role]);
};

const openApproval = async () => {
  const { rows: open } = await callerOf("viewer").approvals.queue({ filter: {} });
  const approval = open.find((row) => row.runId === run);
  if (!approval) throw new Error("nothing waits");

  return approval;
};

beforeAll(async () => {
  desk = await openDesk(urls, installation);
  await mkdir(path.join(installation.home, "keys"), { recursive: true });
  await writeFile(path.join(installation.home, "keys", "vault.key"), desk.keys.vault, { mode: 0o600 });
  await query(urls.customers, "update customers.customer set name = $1, credit_cents = $2", [PII_CANARY, CREDIT_CANARY]);
  run = await startRun(desk, "honest", "02-outage-credit.txt");
  await drive(desk, run);
  await ask(desk, run, desk.people.starter, {
    kind: "start",
    graph_hash: desk.graphHash,
    goal: SECRET_CANARY,
    constraints: [],
    inputs: {},
    model: "scripted:honest",
  });
  // From here on, row-level security applies.
  await connectAs("web");
}, 120_000);
afterAll(async () => {
  closeRunBus();
  await desk.mcp.close();
});

describe("a run's records on the wire", () => {
  test.each<[Role, boolean]>([
    ["viewer", false],
    ["builder", false],
    ["admin", false],
    ["reviewer", true],
  ])("hold no secrets for a %s, and personal data only if permitted", async (role, seesPersonal) => {
    const page = await callerOf(role).runs.records({ runId: run });

    expect(holds(page, SECRET_CANARY)).toBe(false);
    expect(holds(page, PII_CANARY)).toBe(seesPersonal);
  });

  test("hold no more for an auditor than for their role: reveals are recorded one by one", async () => {
    const auditor = callerOf("viewer", { auditor: true });
    const approval = await openApproval();
    for (const shown of [await auditor.runs.records({ runId: run }), await auditor.approvals.get({ approvalId: approval.id })]) {
      expect([holds(shown, SECRET_CANARY), holds(shown, PII_CANARY)]).toEqual([false, false]);
      expect(JSON.stringify(shown)).not.toContain(String(CREDIT_CANARY));
    }
  });

  test("verify at the lowest clearance, page by page", async () => {
    const { runs } = callerOf("viewer");
    const first = await runs.records({ runId: run, limit: 3 });
    const rest = await runs.records({ runId: run, afterSeq: 2 });
    const ledger = { ...rest, run, records: [...first.records, ...rest.records], cells: [...first.cells, ...rest.cells] };

    expect([first.more, rest.more]).toEqual([true, false]);
    expect(await verifyLedger(ledger, rest.anchor ? getKeys(rest.anchor) : {})).toMatchObject({ ok: true });
  });

  test("are equal and equally hidden from any starting record", async () => {
    const { runs } = callerOf("viewer");
    const whole = await runs.records({ runId: run });
    const last = whole.head.version - 1;
    for (const from of [0, 3, last, last + 1]) {
      const page = await runs.records({ runId: run, afterSeq: from - 1, limit: 2 });

      expect(page.records).toEqual(whole.records.slice(from, from + 2));
      expect(page.cells).toEqual(whole.cells.filter(({ seq }) => seq >= from && seq < from + 2));
      expect([holds(page, SECRET_CANARY), holds(page, PII_CANARY)]).toEqual([false, false]);
    }
  });

  test("does not exist for another workspace", async () => {
    const stranger = callerOf("reviewer", { workspace: randomUUID(), auditor: true });
    const approval = await openApproval();
    const codes = await Promise.all(
      [
        stranger.runs.records({ runId: run }),
        stranger.runs.get({ runId: run }),
        stranger.approvals.get({ approvalId: approval.id }),
        stranger.runs.live({ runIds: [run] }).then((stream) => stream[Symbol.asyncIterator]().next()),
      ].map(async (call) => (await appErrorOf(call)).code),
    );

    expect(codes).toEqual(["not_found", "not_found", "not_found", "not_found"]);
    expect((await stranger.runs.list({})).runs).toEqual([]);
    expect((await stranger.approvals.queue({ filter: {} })).rows).toEqual([]);
  });
});

describe("the list of runs", () => {
  test("pages newest first without duplicates or gaps, as the client's paging does", async () => {
    await connectAs("runner");
    const others = [await startRun(desk, "honest", "01-upgrade.txt"), await startRun(desk, "honest", "01-upgrade.txt")];
    for (const other of others) await drive(desk, other);
    await connectAs("web");
    const { runs } = callerOf("viewer");
    const first = await runs.list({ limit: 2, direction: "forward" });
    const second = await runs.list({ limit: 2, cursor: first.nextCursor, direction: "forward" });
    const failed = await runs.list({ status: "failed" });

    expect([...first.runs, ...second.runs].map((row) => row.id)).toEqual([...others.toReversed(), run]);
    expect([second.nextCursor, failed.runs]).toEqual([null, []]);
  });
});

describe("an approval", () => {
  test.each<[Role, boolean]>([
    ["viewer", false],
    ["builder", false],
    ["admin", false],
    ["reviewer", true],
  ])("is shown to a %s with personal data only if permitted", async (role, seesPersonal) => {
    const { id } = await openApproval();
    const shown = await callerOf(role).approvals.get({ approvalId: id });

    expect(JSON.stringify(shown).includes(String(CREDIT_CANARY))).toBe(seesPersonal);
    expect(shown.view.lines.some((line) => line.after?.hidden)).toBe(!seesPersonal);
  });

  test("is shown to a reviewer as the runner computes it", async () => {
    const { id } = await openApproval();
    const shown = await callerOf("reviewer").approvals.get({ approvalId: id });
    const expected = decisionFor(desk, (await readRun(desk, run)).state, "approve");

    expect(computeViewDigest(shown.view)).toBe(expected.view_digest);
    expect([shown.view.transition_digest, shown.gate.nonce]).toEqual([expected.transition_digest, expected.nonce]);
  });

  test.each<[Role, RegExp]>([
    ["viewer", /Needs reviewer; you are viewer/],
    ["builder", /Needs reviewer; you are builder/],
    ["admin", /Needs reviewer; you are admin/],
  ])("tells a %s why they cannot decide", async (role, reason) => {
    const { id } = await openApproval();
    const { canDecide } = await callerOf(role).approvals.get({ approvalId: id });

    expect(canDecide.ok ? "" : canDecide.reason).toMatch(reason);
  });

  test("is counted while open", async () => {
    const { rows: open } = await callerOf("viewer").approvals.queue({ filter: {} });

    expect((await callerOf("viewer").approvals.count()).open).toBe(open.length);
  });
});

describe("the live stream", () => {
  test("has runs' progress only, at once and on announcements", async () => {
    await connectAs("admin");
    const { head, status } = await callerOf("viewer").runs.records({ runId: run });
    const live = await callerOf("viewer").runs.live({ runIds: [run, randomUUID()] });
    const stream = live[Symbol.asyncIterator]();
    const first = await stream.next();
    const second = stream.next();
    const { state } = await readRun(desk, run);
    await ask(desk, run, desk.people.reviewer, { ...decisionFor(desk, state, "approve"), view_digest: "0".repeat(64) });
    await notifyRuns([run]);
    const announced = await second;
    await stream.return?.(undefined);

    expect(first.value).toEqual({ runId: run, status, version: head.version, frozen: null });
    expect(announced.value).toEqual({ runId: run, status, version: head.version + 1, frozen: null });
  });
});

describe("a decision through the API", () => {
  test("is refused for another view, accepted once for this one, and ends the stream with the run", async () => {
    await connectAs("admin");
    const reviewer = callerOf("reviewer");
    const { id } = await openApproval();
    const { view, gate } = await reviewer.approvals.get({ approvalId: id });
    const decision = { approvalId: id, transitionDigest: view.transition_digest, decision: "approve", nonce: gate.nonce } as const;
    const decide = async (viewDigestHex: string) => {
      const [answer] = await Promise.allSettled([reviewer.approvals.decide({ ...decision, viewDigest: viewDigestHex }), driveWhenAsked()]);

      return answer;
    };
    const mismatched = await decide("1".repeat(64));
    const accepted = await decide(computeViewDigest(view));
    const late = await decide(computeViewDigest(view));

    expect(mismatched).toMatchObject({ status: "rejected", reason: { cause: { code: "refused", refusal: "view_mismatch" } } });
    expect(accepted).toMatchObject({ status: "fulfilled" });
    expect(late).toMatchObject({ status: "rejected", reason: { cause: { refusal: "run_finished" } } });
    const versions: number[] = [];
    for await (const { version } of await callerOf("viewer").runs.live({ runIds: [run] })) versions.push(version);
    expect(versions).toEqual([(await callerOf("viewer").runs.get({ runId: run })).run.version]);
  });
});

const driveWhenAsked = async (): Promise<void> => {
  await expect.poll(() => query(urls.admin, "select 1 from command where run_id = $1 and status = 'pending'", [run])).toHaveLength(1);
  await drive(desk, run);
};
