import type { RunEvent } from "@/lib/engine/event";
import { recordSchema, type LedgerRecord } from "@/lib/engine/ledger/record";
import { verifyLedger, type Verification } from "@/lib/engine/verify/verify";
import { openLedger } from "@/server/runner/load";
import { queryOn } from "@/server/testing/connections";
import { readRunRow, type World } from "./world";

export const verifyRun = async (world: World, run: string): Promise<Verification | null> => {
  const row = await readRunRow(world, run);
  if (!row) return null;
  const place = { workspaceId: world.desk.workspace, runId: run, version: row.version, digest: row.head };

  return verifyLedger(await openLedger(world.desk.deps.vault, place), await world.desk.deps.publicKeys());
};

const parsed = (body: string): LedgerRecord | null => {
  try {
    return recordSchema.safeParse(JSON.parse(body)).data ?? null;
  } catch {
    return null;
  }
};

const readRecords = async ({ desk }: World): Promise<LedgerRecord[]> => {
  const rows = await queryOn<{ body: string }>(
    desk.urls.admin,
    "select body from ledger_record where workspace_id = $1 order by run_id, seq",
    [desk.workspace],
  );

  return rows.flatMap(({ body }) => parsed(body) ?? []);
};

type Decision = Extract<RunEvent, { type: "decision_made" }>;

/** Reads verified, unfrozen ledgers only. */
export const findForgedDecisions = async (world: World): Promise<Decision[]> => {
  const found: Decision[] = [];
  const records = await readRecords(world);
  for (const [run, of] of Map.groupBy(records, (record) => record.run)) {
    const made = of.flatMap(({ control }) => control.flatMap((event) => (event.type === "decision_made" ? [event] : [])));
    const wrong = made.filter(({ user }) => !world.requests.some((one) => one.run === run && one.user === user && one.kind === "decision"));
    if (wrong.length === 0) continue;
    const isBelieved = (await readRunRow(world, run))?.frozen === null && (await verifyRun(world, run))?.ok === true;
    if (isBelieved) found.push(...wrong);
  }

  return found;
};

/** Finds accepted records of people who did not ask. */
export const findForgedRecords = async (world: World, kind: string): Promise<LedgerRecord[]> =>
  (await readRecords(world)).filter(
    ({ kind: verdict, proposal_kind: proposed, principal, run }) =>
      verdict === "transition" &&
      proposed === kind &&
      principal.type === "user" &&
      !world.requests.some((one) => one.run === run && one.user === principal.id && one.kind === kind),
  );
