import { vi } from "vitest";
import { recordSchema, type LedgerRecord } from "@/lib/engine/ledger/record";
import { getWorkspaceLedgerId } from "@/lib/engine/ledger/workspace-ledger";
import { query, type Desk } from "@/server/runner/testing/desk";

export const recordsOf = async ({ urls, workspace }: Desk, runId = getWorkspaceLedgerId(workspace)): Promise<readonly LedgerRecord[]> => {
  const rows = await query<{ body: string }>(urls.admin, "select body from ledger_record where run_id = $1 order by seq", [runId]);

  return rows.map(({ body }) => recordSchema.parse(JSON.parse(body)));
};

/** Waits until the runner has recorded all pending attempts. */
export const settlePlaces = (desk: Desk): Promise<void> =>
  vi.waitFor(
    async () => {
      const [row] = await query<{ count: string }>(desk.urls.admin, "select count(*) from command where status = 'pending'");
      if (row?.count !== "0") throw new Error("commands are still on their way");
    },
    { timeout: 20_000, interval: 50 },
  );

export const refusalsOf = async (desk: Desk, tokenId: string, runId?: string): Promise<readonly string[]> => {
  await settlePlaces(desk);
  const records = await recordsOf(desk, runId);

  return records.flatMap(({ principal, refusal, proposal_kind: kind }) =>
    principal.type === "agent" && principal.token === tokenId && refusal ? [`${kind}: ${refusal.code}`] : [],
  );
};

const spellings = (canary: string): readonly string[] => [
  canary,
  Buffer.from(canary).toString("base64").slice(2, -4),
  Buffer.from(canary).toString("hex"),
  encodeURIComponent(canary),
  JSON.stringify(canary).slice(1, -1),
  Array.from(canary).toReversed().join(""),
];

export const holds = (text: string, canary: string): boolean => spellings(canary).some((spelling) => text.includes(spelling));

/** Dumps every table as text. */
export const dumpOf = async ({ urls }: Desk): Promise<string> => {
  const tables = await query<{ name: string }>(
    urls.admin,
    "select quote_ident(table_schema) || '.' || quote_ident(table_name) as name from information_schema.tables where table_schema in ('public', 'pgboss') and table_type = 'BASE TABLE'",
  );
  const texts: string[] = [];
  for (const { name } of tables) {
    const rows = await query<{ row: string }>(urls.admin, `select t::text as row from ${name} t`);
    texts.push(...rows.map(({ row }) => row));
  }

  return texts.join("\n");
};
