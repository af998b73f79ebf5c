import fs from "node:fs";
import path from "node:path";
import pg from "pg";
import { e2eHome } from "./home.ts";

const asOwner = async <T>(work: (client: pg.Client) => Promise<T>): Promise<T> => {
  const { admin } = JSON.parse(fs.readFileSync(path.join(e2eHome(), "database.json"), "utf8")) as { readonly admin: string };
  const client = new pg.Client({ connectionString: admin });
  await client.connect();
  try {
    await client.query("begin");
    // The table owner can bypass the ledger's triggers.
    await client.query("set local session_replication_role = replica");
    const result = await work(client);
    await client.query("commit");

    return result;
  } finally {
    await client.end();
  }
};

type Head = { readonly version: number; readonly head: string };
type Rows = { readonly records: unknown; readonly cells: unknown; readonly before: Head };

const put = "insert into %t select * from jsonb_populate_recordset(null::%t, $1::jsonb)";

/** @returns a function that restores them */
export const rollBack = async (run: string, count: number): Promise<() => Promise<void>> => {
  const gone = await asOwner(async (client): Promise<Rows> => {
    const { rows } = await client.query<Head>("select version, head from run where id = $1", [run]);
    const [before] = rows;
    if (!before) throw new Error("there is no such run");
    const from = before.version - count;
    const taken = async (table: string): Promise<unknown> => {
      const answer = await client.query<{ rows: unknown }>(
        `with gone as (delete from ${table} where run_id = $1 and seq >= $2 returning *) select coalesce(jsonb_agg(gone), '[]') as rows from gone`,
        [run, from],
      );

      return answer.rows[0]?.rows;
    };
    const [cells, records] = [await taken("cell"), await taken("ledger_record")];
    await client.query(
      "update run set version = $2, head = (select digest from ledger_record where run_id = $1 and seq = $2 - 1) where id = $1",
      [run, from],
    );

    return { records, cells, before };
  });

  return () =>
    asOwner(async (client) => {
      await client.query(put.replaceAll("%t", "ledger_record"), [JSON.stringify(gone.records)]);
      await client.query(put.replaceAll("%t", "cell"), [JSON.stringify(gone.cells)]);
      await client.query("update run set version = $2, head = $3 where id = $1", [run, gone.before.version, gone.before.head]);
    });
};
