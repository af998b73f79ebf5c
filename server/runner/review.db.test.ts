import { randomUUID } from "node:crypto";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import type { SignedRecord } from "@/lib/engine/ledger/record";
import type { RunState } from "@/lib/engine/state";
import { testInstallation } from "@/server/mcp/testing/installation";
import { bundleChild, leaseOver, runRunner } from "@/server/runner/testing/runner-process";
import { command, openDesk, query, type Desk } from "@/server/runner/testing/desk";
import { decisionFor, drive, readRun } from "@/server/runner/testing/run";
import { startZone, zoneDesk } from "@/server/runner/testing/zone";
import { testDatabase } from "@/server/testing/database";

const LEASE_MS = 10_000;
const urls = await testDatabase("runner");
const installation = await testInstallation();
let desk: Desk;

beforeAll(async () => {
  desk = await zoneDesk(await openDesk(urls, installation));
  await bundleChild(installation);
}, 120_000);
afterAll(() => desk.mcp.close());

const speak = async (runId: string, decision: "approve" | "reject", by = desk.people.reviewer): Promise<void> => {
  const { state } = await readRun(desk, runId);
  if (state.status === "waiting") await command(desk, runId, by, decisionFor(desk, state, decision));
};

const verdictsOf = ({ cases }: RunState) => Object.values(cases).flatMap((found) => found.verdicts.map(({ by, verdict }) => [by, verdict]));
const raised = ({ cells }: RunState) => cells.filter(({ label }) => label.integrity === "reviewed").map(({ path }) => path);
const kinds = (records: readonly SignedRecord[], kind: string) => records.filter(({ record }) => record.proposal_kind === kind).length;

const rowsOf = (runId: string) =>
  query<{ status: string; principal: string; verdict: string }>(
    urls.admin,
    `select c.status, v.principal, v.verdict from review_case c join review_verdict v on v.case_id = c.id where c.run_id = $1 order by v.reviewer`,
    [runId],
  );

describe("a review by two models and a person", () => {
  it("raises what passes, with every verdict in ledger and tables", async () => {
    const runId = await startZone(desk);
    await drive(desk, runId);
    await speak(runId, "approve");
    await drive(desk, runId);
    const { state } = await readRun(desk, runId);
    const expected = [
      ["agent:first", "approve"],
      ["agent:second", "approve"],
      [`user:${desk.people.reviewer}`, "approve"],
    ];
    expect(state.status).toBe("completed");
    expect(raised(state)).toEqual(["good"]);
    expect(new Set(verdictsOf(state).map(String))).toEqual(new Set(expected.map(String)));
    expect((await rowsOf(runId)).map(({ status, principal, verdict }) => [status, principal, verdict])).toEqual(
      expected.map(([by, verdict]) => ["passed", by, verdict]),
    );
  });

  it("raises nothing after a person's rejection", async () => {
    const runId = await startZone(desk);
    await drive(desk, runId);
    await speak(runId, "reject");
    await drive(desk, runId);
    const { state } = await readRun(desk, runId);
    expect(state).toMatchObject({ status: "failed", lastError: { code: "judge_rejected" } });
    expect(raised(state)).toEqual([]);
    expect(new Set((await rowsOf(runId)).map(({ status }) => status))).toEqual(new Set(["rejected"]));
  });

  // The case, two reservations, two calls, two verdicts.
  it.each([8, 9, 10, 11, 12, 13, 14].map((afterRecord) => ({ afterRecord })))(
    "resumes when its runner is killed after record $afterRecord, with one verdict each",
    async ({ afterRecord }) => {
      const runId = await startZone(desk);
      expect(await runRunner({ desk, runId, leaseMs: LEASE_MS, dieAfterRecord: afterRecord, dieAfterCall: null })).toBe("SIGKILL");
      await leaseOver(desk, runId);
      await drive(desk, runId);
      await speak(runId, "approve");
      await drive(desk, runId);
      const { state, records } = await readRun(desk, runId);
      expect(state.status).toBe("completed");
      expect(verdictsOf(state)).toHaveLength(3);
      expect(kinds(records, "verdict")).toBe(2);
      expect(Object.keys(state.cases)).toHaveLength(1);
      expect(Object.keys(state.gates)).toHaveLength(1);
      expect(raised(state)).toEqual(["good"]);
    },
    60_000,
  );
});

describe("the case tables, for any writer,", () => {
  const DIGEST = "a".repeat(64);
  const opened = async (): Promise<string> => {
    const id = randomUUID();
    await query(
      urls.runner,
      `insert into review_case (workspace_id, id, run_id, node, subject_digest, quorum, producers, opened_at, expires_at)
       values ($1, $2, $3, 'review', $4, 1, '{agent:maker,model:m,user:${desk.people.second}}', now(), now())`,
      [desk.workspace, id, randomUUID(), DIGEST],
    );
    for (const [reviewer, principal] of [
      [0, "agent:first"],
      [1, "role:reviewer"],
      [2, "agent:maker"],
    ]) {
      await query(
        urls.runner,
        "insert into review_designation (workspace_id, case_id, reviewer, principal, seats) values ($1, $2, $3, $4, 1)",
        [desk.workspace, id, reviewer, principal],
      );
    }

    return id;
  };
  type Spoken = { by: string; reviewer?: number; as?: string; about?: string; model?: string; verdict?: string };
  const said = (id: string, { by, reviewer = 0, as = by, about = DIGEST, model, verdict = "approve" }: Spoken) =>
    query(
      urls.runner,
      `insert into review_verdict (workspace_id, case_id, reviewer, designated, principal, model, subject_digest, verdict, at)
       values ($1, $2, $3, $4, $5, $6, $7, $8, now())`,
      [desk.workspace, id, reviewer, as, by, model ?? null, about, verdict],
    );

  it("accept a verdict by an asked reviewer", async () => {
    const id = await opened();
    await expect(said(id, { by: "agent:first" })).resolves.toEqual([]);
    await expect(said(id, { by: `user:${desk.people.reviewer}`, reviewer: 1, as: "role:reviewer" })).resolves.toEqual([]);
  });

  it("reject one by another person or in another name", async () => {
    const id = await opened();
    await expect(said(id, { by: "agent:other" })).rejects.toThrow(/reviewer_designated_fkey/);
    await expect(said(id, { by: "agent:other", as: "agent:first" })).rejects.toThrow(/by_the_designated/);
    await expect(said(id, { by: "agent:other", reviewer: 1, as: "role:reviewer" })).rejects.toThrow(
      /the role is another|by_the_designated/,
    );
    await expect(said(id, { by: `user:${desk.people.builder}`, reviewer: 1, as: "role:reviewer" })).rejects.toThrow(/the role is another/);
  });

  it("reject one about something else or without an open case", async () => {
    await expect(said(await opened(), { by: "agent:first", about: "b".repeat(64) })).rejects.toThrow(/subject_digest_fkey/);
    await expect(said(randomUUID(), { by: "agent:first" })).rejects.toThrow(/no such case/);
  });

  it("reject a second one by the same reviewer or without a seat left", async () => {
    const id = await opened();
    await said(id, { by: "agent:first" });
    await expect(said(id, { by: "agent:first", verdict: "reject" })).rejects.toThrow(/pkey|every seat/);
    await said(id, { by: `user:${desk.people.reviewer}`, reviewer: 1, as: "role:reviewer" });
    await expect(said(id, { by: `user:${desk.people.reviewer}`, reviewer: 1, as: "role:reviewer" })).rejects.toThrow(/pkey|every seat/);
  });

  it("reject one by a producer or a producer's model", async () => {
    const id = await opened();
    await expect(said(id, { by: "agent:maker", reviewer: 2 })).rejects.toThrow(/producer/);
    await expect(said(id, { by: `user:${desk.people.second}`, reviewer: 1, as: "role:reviewer" })).rejects.toThrow(/producer/);
    await expect(said(id, { by: "agent:first", model: "m" })).rejects.toThrow(/producer/);
  });

  it("know three verdicts and are immutable", async () => {
    const id = await opened();
    await expect(said(id, { by: "agent:first", verdict: "fine" })).rejects.toThrow(/one_of_three/);
    await said(id, { by: "agent:first" });
    await expect(query(urls.runner, "update review_verdict set verdict = 'reject' where case_id = $1", [id])).rejects.toThrow(
      /permission denied/,
    );
    await expect(query(urls.admin, "delete from review_verdict where case_id = $1", [id])).rejects.toThrow(/insert-only/);
    await expect(query(urls.web, "insert into review_case (id) values ($1)", [id])).rejects.toThrow(/permission denied/);
  });
});
