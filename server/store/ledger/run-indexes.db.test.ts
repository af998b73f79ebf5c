import { expect, test } from "vitest";
import { withClient } from "@/server/db/connect";
import { testDatabase } from "@/server/testing/database";

const urls = await testDatabase("admin");

/** Index entries of these would be written, with all others of the row, at each record. BRIN summaries are exempt. */
const EVERY_RECORD = ["version", "head", "current_node", "refusals", "total_tokens", "total_micro_usd", "reserved_micro_usd", "updated_at"];

test("no index of runs covers a column that every record changes", async () => {
  const columns = await withClient(
    urls.admin,
    async (client) =>
      (
        await client.query<{ name: string; method: string }>(`
          select a.attname as name, m.amname as method from pg_index i
          join pg_class c on c.oid = i.indexrelid join pg_am m on m.oid = c.relam
          join pg_attribute a on a.attrelid = i.indrelid and a.attnum = any (i.indkey::int2[])
          where i.indrelid = 'run'::regclass`)
      ).rows,
  );

  expect(columns).toEqual(expect.arrayContaining([{ name: "lease_until", method: "btree" }]));
  expect(columns.filter(({ name, method }) => method !== "brin" && EVERY_RECORD.includes(name))).toEqual([]);
});
