import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { verifyLedger, type Verification } from "@/lib/engine/verify/verify";
import { testInstallation } from "@/server/mcp/testing/installation";
import { asAdmin } from "@/server/mcp/testing/registered";
import { openLedger } from "@/server/runner/load";
import { openDesk, query, startRun, type Desk } from "@/server/runner/testing/desk";
import { drive } from "@/server/runner/testing/run";
import { listPublicKeys } from "@/server/security/trust-anchor";
import { testDatabase } from "@/server/testing/database";

const urls = await testDatabase("runner");
const installation = await testInstallation();
let desk: Desk;
let run: string;
let records: number;

beforeAll(async () => {
  desk = await openDesk(urls, installation);
  run = await startRun(desk, "honest", "02-outage-credit.txt");
  await drive(desk, run);
  const [head] = await query<{ version: number }>(urls.admin, "select version from run where id = $1", [run]);
  records = head?.version ?? 0;
  for (const table of ["ledger_record", "cell"]) await asAdmin(urls.admin, `alter table ${table} disable trigger insert_only`);
}, 120_000);
afterAll(() => desk.mcp.close());

const verify = async (): Promise<Verification> => {
  const [head] = await query<{ version: number; head: string }>(urls.admin, "select version, head from run where id = $1", [run]);
  const place = { workspaceId: desk.workspace, runId: run, version: head?.version ?? 0, digest: head?.head ?? "" };

  return verifyLedger(await openLedger(desk.deps.vault, place), await listPublicKeys());
};

const withDamage = async (table: "ledger_record" | "cell", sql: string, values: unknown[]): Promise<Verification> => {
  await asAdmin(urls.admin, `create table kept as table ${table}`);
  try {
    await asAdmin(urls.admin, sql, values);

    return await verify();
  } finally {
    await asAdmin(urls.admin, `delete from ${table}`);
    await asAdmin(urls.admin, `insert into ${table} select * from kept`);
    await asAdmin(urls.admin, "drop table kept");
  }
};

const OTHER = "0".repeat(64);

describe("verify", () => {
  it("accepts the untouched ledger", async () => {
    expect(await verify()).toMatchObject({ ok: true, records });
  });

  it.each([
    { column: "body", set: "body = replace(body, '\"v\":1', '\"v\":1 ')", reason: "hash" },
    { column: "body, in a value", set: "body = replace(body, '\"at\":1', '\"at\":2')", reason: "hash" },
    { column: "digest", set: `digest = '${OTHER}'`, reason: "hash" },
    { column: "kid", set: "kid = 'other'", reason: "unknown_key" },
    { column: "signature", set: "signature = reverse(signature)", reason: "signature" },
    { column: "body, to nonsense", set: "body = '{'", reason: "malformed" },
  ])("finds a changed $column in every record, and names the record", async ({ set, reason }) => {
    for (let seq = 0; seq < records; seq += 1) {
      const found = await withDamage("ledger_record", `update ledger_record set ${set} where run_id = $1 and seq = $2`, [run, seq]);
      expect(found).toEqual({ ok: false, seq, reason });
    }
  });

  it("finds a deleted record, a swapped pair, and a missing tail", async () => {
    const deleted = await withDamage("ledger_record", "delete from ledger_record where run_id = $1 and seq = 3", [run]);
    expect(deleted).toEqual({ ok: false, seq: 3, reason: "seq_gap" });
    const swapped = await withDamage(
      "ledger_record",
      "update ledger_record a set body = b.body, digest = b.digest, signature = b.signature from ledger_record b where a.run_id = $1 and b.run_id = $1 and (a.seq, b.seq) in ((3, 4), (4, 3))",
      [run],
    );
    expect(swapped).toEqual({ ok: false, seq: 3, reason: "seq_gap" });
    const cut = await withDamage("ledger_record", "delete from ledger_record where run_id = $1 and seq = $2", [run, records - 1]);
    expect(cut).toEqual({ ok: false, seq: records - 1, reason: "truncated" });
  });

  it("finds any changed column of every cell, and names its record", async () => {
    const cells = await query<{ seq: number; index: number }>(urls.admin, "select seq, index from cell where run_id = $1 order by 1, 2", [
      run,
    ]);
    expect(cells.length).toBeGreaterThan(10);
    const damages = [
      { set: "sealed = set_byte(sealed, 15, get_byte(sealed, 15) # 1)", reason: "cell_unreadable" },
      { set: "wrapped_key = set_byte(wrapped_key, 15, get_byte(wrapped_key, 15) # 1)", reason: "cell_unreadable" },
      { set: `commitment = '${OTHER}'`, reason: "commitment" },
      { set: "path = path || 'x'", reason: "cell_label" },
      { set: "label = label || ' '", reason: "cell_unreadable" },
      { set: 'label = \'{"confidentiality":"public","integrity":"reviewed","provenance":[]}\'', reason: "cell_label" },
    ];
    for (const { seq, index } of cells) {
      for (const { set, reason } of damages) {
        const found = await withDamage("cell", `update cell set ${set} where run_id = $1 and seq = $2 and index = $3`, [run, seq, index]);
        expect(found, `${set} at ${seq}/${index}`).toEqual({ ok: false, seq, reason });
      }
      const deleted = await withDamage("cell", "delete from cell where run_id = $1 and seq = $2 and index = $3", [run, seq, index]);
      expect(deleted).toEqual({ ok: false, seq, reason: "cell_missing" });
    }
  }, 120_000);

  it("finds two swapped genuine cells", async () => {
    const swapped = await withDamage(
      "cell",
      `update cell a set sealed = b.sealed, wrapped_key = b.wrapped_key, commitment = b.commitment from cell b
       where a.run_id = $1 and b.run_id = $1 and a.seq = 0 and b.seq = 0 and (a.index, b.index) in ((0, 1), (1, 0))`,
      [run],
    );
    expect(swapped).toEqual({ ok: false, seq: 0, reason: "commitment" });
  });
});

describe("the database", () => {
  it("refuses to change or delete a ledger's rows, even for its owner", async () => {
    for (const table of ["ledger_record", "cell"]) {
      await asAdmin(urls.admin, `alter table ${table} enable trigger insert_only`);
      await expect(asAdmin(urls.admin, `update ${table} set seq = seq`)).rejects.toThrow("insert-only");
      await expect(asAdmin(urls.admin, `delete from ${table}`)).rejects.toThrow("insert-only");
      await expect(query(urls.runner, `delete from ${table}`)).rejects.toThrow("permission denied");
      await expect(query(urls.web, `insert into ${table} select * from ${table}`)).rejects.toThrow("permission denied");
    }
  });
});
