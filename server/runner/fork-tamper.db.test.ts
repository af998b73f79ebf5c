import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { verifyLedger } from "@/lib/engine/verify/verify";
import { testInstallation } from "@/server/mcp/testing/installation";
import { asAdmin } from "@/server/mcp/testing/registered";
import { openLedger } from "@/server/runner/load";
import { openDesk, publishAs, query, startRun, type Desk } from "@/server/runner/testing/desk";
import { forkRun } from "@/server/runner/testing/fork";
import { ask, drive, readRun } from "@/server/runner/testing/run";
import { listPublicKeys } from "@/server/security/trust-anchor";
import { testDatabase } from "@/server/testing/database";

const urls = await testDatabase("runner");
const installation = await testInstallation();
let desk: Desk;
let parent: string;
let fork: string;

beforeAll(async () => {
  desk = await openDesk(urls, installation);
  parent = await startRun(desk, "honest", "02-outage-credit.txt");
  await drive(desk, parent);
  const { state } = await readRun(desk, parent);
  ({ run: fork } = await forkRun(desk, parent, state.version, { type: "none" }));
  await drive(desk, fork);
  for (const table of ["ledger_record", "cell"]) await asAdmin(urls.admin, `alter table ${table} disable trigger insert_only`);
}, 120_000);
afterAll(() => desk.mcp.close());

const verify = async () => {
  const [head] = await query<{ version: number; head: string }>(urls.admin, "select version, head from run where id = $1", [fork]);
  const place = { workspaceId: desk.workspace, runId: fork, version: head?.version ?? 0, digest: head?.head ?? "" };

  return verifyLedger(await openLedger(desk.deps.vault, place), await listPublicKeys());
};

const withDamage = async <T>(table: string, sql: string, values: unknown[], look: () => Promise<T>): Promise<T> => {
  await asAdmin(urls.admin, `create table kept as table ${table}`);
  try {
    await asAdmin(urls.admin, sql, values);

    return await look();
  } finally {
    await asAdmin(urls.admin, `delete from ${table}`);
    await asAdmin(urls.admin, `insert into ${table} select * from kept`);
    await asAdmin(urls.admin, "drop table kept");
  }
};

describe("a fork of a tampered parent", () => {
  it("verifies before any change", async () => {
    expect(await verify()).toMatchObject({ ok: true });
  });

  it.each([
    [
      "a record",
      "ledger_record",
      "update ledger_record set body = replace(body, '\"v\":1', '\"v\":1 ') where run_id = $1 and seq = 3",
      "hash",
    ],
    [
      "a value",
      "cell",
      "update cell set sealed = set_byte(sealed, 15, get_byte(sealed, 15) # 1) where run_id = $1 and seq = 0 and index = 0",
      "cell_unreadable",
    ],
    ["a missing record", "ledger_record", "delete from ledger_record where run_id = $1 and seq = 2", "seq_gap"],
  ])("fails to verify, naming %s of the parent", async (_what, table, sql, reason) => {
    expect(await withDamage(table, sql, [parent], verify)).toMatchObject({ ok: false, reason });
  });

  it("fails to verify as another run's fork, or at another place", async () => {
    const other = await startRun(desk, "honest", "01-upgrade.txt");
    await drive(desk, other);
    const changed = (column: string, value: unknown) =>
      withDamage("run", `update run set ${column} = $2 where id = $1`, [fork, value], verify);

    expect(await changed("parent_run", other)).toMatchObject({ ok: false, reason: "fork_parent" });
    expect(await changed("parent_run", null)).toMatchObject({ ok: false, reason: "seq_gap" });
    expect(await changed("fork_seq", 2)).toMatchObject({ ok: false, reason: "seq_gap" });
  });

  it("gets no simulated answers from an unverified record", async () => {
    const { run } = await forkRun(desk, parent, 2, { type: "none" });
    const sql = "update ledger_record set signature = reverse(signature) where run_id = $1 and seq = 4";
    // Applied twice it restores itself.
    await asAdmin(urls.admin, sql, [parent]);
    await drive(desk, run);
    await asAdmin(urls.admin, sql, [parent]);
    const results = (await readRun(desk, run)).state.aside.filter(({ path }) => path.startsWith("$result."));

    expect(results.length).toBeGreaterThan(0);
    for (const { content } of results) expect(content).toMatchObject({ known: true, value: { code: "not_in_record" } });
  });

  it("is frozen when its row names another version than its records", async () => {
    const other = await publishAs(desk, { ...desk.published, agents: [] }, desk.people.builder);
    const found = await withDamage("run", "update run set graph_hash = $2 where id = $1", [fork, other], async () => {
      const { refusal } = await ask(desk, fork, desk.people.viewer, { kind: "cancel" });

      return [
        refusal?.code,
        ...(await query<{ frozen: string }>(urls.admin, "select frozen from run where id = $1", [fork])).map((row) => row.frozen),
      ];
    });

    expect(found).toEqual(["run_frozen", "graph at record 0"]);
  });

  it("is frozen: it does not continue, and its parent cannot be forked", async () => {
    const sql = "update ledger_record set signature = reverse(signature) where run_id = $1 and seq = 3";
    const codes = await withDamage("ledger_record", sql, [parent], async () => [
      (await ask(desk, fork, desk.people.starter, { kind: "cancel" })).refusal?.code,
      (await forkRun(desk, parent, 4, { type: "none" })).outcome.refusal?.code,
    ]);

    expect(codes).toEqual(["run_frozen", "run_frozen"]);
    expect((await ask(desk, fork, desk.people.starter, { kind: "cancel" })).refusal).toBeNull();
  });
});
