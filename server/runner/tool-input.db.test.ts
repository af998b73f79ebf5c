import { readFile } from "node:fs/promises";
import path from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { verifyLedger } from "@/lib/engine/verify/verify";
import { testInstallation } from "@/server/mcp/testing/installation";
import { listPublicKeys } from "@/server/security/trust-anchor";
import { openLedger } from "@/server/runner/load";
import { command, openDesk, query, type Desk } from "@/server/runner/testing/desk";
import { answerFor, BOOKING, startExpense, withExpenses } from "@/server/runner/testing/expenses";
import { ask, decisionFor, drive, openGateOf, readRun } from "@/server/runner/testing/run";
import { bundleChild, leaseOver, runRunner } from "@/server/runner/testing/runner-process";
import { testDatabase } from "@/server/testing/database";

const LEASE_MS = 10_000;
const urls = await testDatabase("runner");
const installation = await testInstallation();
let desk: Desk;

beforeAll(async () => {
  desk = await withExpenses(await openDesk(urls, installation));
  await bundleChild(installation);
}, 120_000);
afterAll(() => desk.mcp.close());

const filedAs = async (what: string): Promise<{ cost_centre: string | null }[]> => {
  const text = await readFile(path.join(installation.home, "expenses", "state.json"), "utf8").catch(() => '{"data":{"filed":{}}}');
  const { data } = JSON.parse(text) as { data: { filed: Record<string, { what: string; cost_centre: string | null }> } };

  return Object.values(data.filed).filter((filed) => filed.what === what);
};

const asked = async (what: string): Promise<string> => {
  const runId = await startExpense(desk, 25_000, what);
  await drive(desk, runId);

  return runId;
};

const verified = async (runId: string) => {
  const { state } = await readRun(desk, runId);
  const ledger = await openLedger(desk.deps.vault, { workspaceId: desk.workspace, runId, version: state.version, digest: state.head });

  return verifyLedger(ledger, await listPublicKeys());
};

describe("a call that asks", () => {
  it("does not wait when its server has no question", async () => {
    const runId = await startExpense(desk, 500, "Pencils");
    await drive(desk, runId);
    expect((await readRun(desk, runId)).state.status).toBe("completed");
    expect(await filedAs("Pencils")).toEqual([expect.objectContaining({ cost_centre: null })]);
  });

  it("waits with the server's form, continues with the answer, and happens once", async () => {
    const runId = await asked("A chair");
    const { state } = await readRun(desk, runId);
    expect(state.status).toBe("waiting");
    expect(openGateOf(state).gate).toMatchObject({ reason: "tool_input", node: "file", role: "reviewer" });
    expect(await filedAs("A chair")).toEqual([]);
    expect(await ask(desk, runId, desk.people.reviewer, answerFor(desk, state))).toMatchObject({ refusal: null });
    const { state: done } = await readRun(desk, runId);
    expect(done.status).toBe("completed");
    expect(Object.values(done.effects)).toEqual([expect.objectContaining({ outcome: "ok" })]);
    expect(await filedAs("A chair")).toEqual([expect.objectContaining({ cost_centre: "4711" })]);
    expect(await verified(runId)).toMatchObject({ ok: true });
  });

  it("forwards only the refusal when declined", async () => {
    const runId = await asked("A desk");
    const { state } = await readRun(desk, runId);
    const body = { ...decisionFor(desk, state, "reject"), reason: "private words" };
    expect(await ask(desk, runId, desk.people.reviewer, body)).toMatchObject({ refusal: null });
    const { state: done } = await readRun(desk, runId);
    expect(done.status).toBe("failed");
    const result = done.aside.findLast((cell) => cell.path.startsWith("$result."));
    expect(JSON.stringify(result?.content)).toContain("said where this belongs, so nothing was filed");
    expect(JSON.stringify(result?.content)).not.toContain("private words");
    expect(await filedAs("A desk")).toEqual([]);
  });

  it("rejects second answers, incomplete ones, and ones by the run's starter", async () => {
    const runId = await asked("A lamp");
    const { state } = await readRun(desk, runId);
    const answer = answerFor(desk, state);
    const codeOf = async (userId: string, body: typeof answer) => (await ask(desk, runId, userId, body)).refusal?.code ?? null;
    expect(await codeOf(desk.people.reviewer, { ...answer, answers: [{ cost_centre: "1", kind: "equipment" }] })).toBe("input_invalid");
    expect(await codeOf(desk.people.reviewer, { ...answer, answers: [{ cost_centre: "4711", kind: "bribes" }] })).toBe("input_invalid");
    expect(await codeOf(desk.people.starter, answer)).toBe("role_missing");
    expect(await codeOf(desk.people.reviewer, answer)).toBeNull();
    expect(await codeOf(desk.people.second, answer)).toBe("run_finished");
    expect(await filedAs("A lamp")).toHaveLength(1);
  });

  it("seals question, answer and the server's state as cells", async () => {
    const runId = await asked("A sealed chair");
    const { state } = await readRun(desk, runId);
    await ask(desk, runId, desk.people.reviewer, answerFor(desk, state, [{ ...BOOKING[0], note: "told-to-the-server" }]));
    const { records } = await readRun(desk, runId);
    const [stored] = await query<{ text: string }>(
      urls.admin,
      "select string_agg(encode(sealed, 'escape'), ' ') as text from cell where run_id = $1",
      [runId],
    );
    expect(stored?.text.length).toBeGreaterThan(0);
    for (const leaked of ["told-to-the-server", "Where does this belong"]) {
      expect(stored?.text).not.toContain(leaked);
      expect(JSON.stringify(records)).not.toContain(leaked);
    }
    const opaque = records.flatMap(({ record }) => record.writes).find(({ path: at }) => at.startsWith("$state."));
    expect(opaque?.label.confidentiality).toBe("secret");
  });
});

describe("a runner killed with -9 around a question", () => {
  const WHOLE = { before: 4, after: 4 };
  const range = (count: number) => Array.from({ length: count }, (_, index) => index + 1);
  type Cut = { readonly answered: boolean; readonly afterRecord: number | null; readonly afterCall: number | null };

  const answerIfAsked = async (runId: string): Promise<void> => {
    const { state } = await readRun(desk, runId);
    if (state.status === "waiting") await command(desk, runId, desk.people.reviewer, answerFor(desk, state));
  };

  it("is tested at every record of such a run", async () => {
    const runId = await asked("Counted");
    const { records } = await readRun(desk, runId);
    expect(records).toHaveLength(WHOLE.before);
    await answerIfAsked(runId);
    await drive(desk, runId);
    expect((await readRun(desk, runId)).records).toHaveLength(WHOLE.before + WHOLE.after);
  });

  it.each<Cut & { readonly name: string }>([
    ...range(WHOLE.before).map((n) => ({ name: `after record ${n}`, answered: false, afterRecord: n, afterCall: null })),
    { name: "after the question, before it is recorded", answered: false, afterRecord: null, afterCall: 1 },
    ...range(WHOLE.after - 1).map((n) => ({ name: `after record ${WHOLE.before + n}`, answered: true, afterRecord: n, afterCall: null })),
    { name: "after the answer, before it is recorded", answered: true, afterRecord: null, afterCall: 1 },
  ])(
    "$name: the run continues, asks once, files once, and verifies",
    async ({ name, answered, afterRecord, afterCall }) => {
      const what = `Killed ${name}`;
      const runId = await startExpense(desk, 25_000, what);
      if (answered) {
        await drive(desk, runId);
        await answerIfAsked(runId);
      }
      expect(await runRunner({ desk, runId, leaseMs: LEASE_MS, dieAfterRecord: afterRecord, dieAfterCall: afterCall })).toBe("SIGKILL");
      await leaseOver(desk, runId);
      await drive(desk, runId);
      await answerIfAsked(runId);
      await drive(desk, runId);
      const { state } = await readRun(desk, runId);
      expect(state.status).toBe("completed");
      expect(Object.keys(state.gates)).toHaveLength(1);
      expect(Object.keys(state.effects)).toHaveLength(1);
      expect(await filedAs(what)).toEqual([expect.objectContaining({ cost_centre: "4711" })]);
      expect(await verified(runId)).toMatchObject({ ok: true });
    },
    60_000,
  );
});
