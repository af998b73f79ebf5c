import fs from "node:fs";
import { z } from "zod";
import type { PublishedGraph } from "@/lib/graph/document";
import type { SignedCheckpoint } from "@/lib/engine/ledger/checkpoint";
import { getPublished } from "@/lib/engine/forks/fork";
import { plan } from "@/lib/engine/plan";
import { recordSchema } from "@/lib/engine/ledger/record";
import { replay } from "@/lib/engine/ledger/replay";
import { RUN_STATUSES, runStatusSchema } from "@/lib/engine/event";
import { verifyLedger } from "@/lib/engine/verify/verify";
import type { PublicKeys } from "@/lib/engine/ledger/signature";
import { auditWorkspace } from "@/server/runner/audit";
import { openLedger } from "@/server/runner/load";
import { listTrustFaults } from "@/server/runner/trust-audit";
import type { Vault } from "@/server/security/vault";
import type { Ask } from "@/bench/chaos/ask";
import { effectFacts } from "@/bench/chaos/end/facts";
import type { Workspace } from "@/bench/chaos/load/workspace";
import type { CommandEnd, Counts, Fault, RecordFact, RunEnd } from "@/bench/chaos/oracle/end";

const rowSchema = z.object({
  id: z.string(),
  graph_hash: z.string(),
  status: z.string(),
  version: z.number(),
  head: z.string(),
  lease_epoch: z.number(),
  leased: z.boolean(),
  frozen: z.string().nullable(),
});
type Row = z.infer<typeof rowSchema>;

type Reading = { readonly ask: Ask; readonly workspace: Workspace; readonly vault: Vault; readonly keys: PublicKeys };

const factOf = (body: string, digest: string): RecordFact & { readonly run: string } => {
  const { seq, parent, principal, proposal_id: proposal, run } = recordSchema.parse(JSON.parse(body));

  return { run, seq, digest, parent, proposal, epoch: "epoch" in principal ? principal.epoch : null };
};

const readRun = async ({ workspace, vault, keys }: Reading, row: Row, published: PublishedGraph | undefined): Promise<RunEnd> => {
  const { id, version, head, leased, frozen } = row;
  const status: RunEnd["status"] = RUN_STATUSES.find((known) => known === row.status) ?? "unknown";
  const base = { id, status, version, head, leased, frozen };
  const ledger = await openLedger(vault, { workspaceId: workspace.id, runId: id, version, digest: head });
  const verified = await verifyLedger(ledger, keys);
  if (!verified.ok || !published) {
    const fault = verified.ok ? "its version is unknown" : `${verified.reason} at record ${verified.seq}`;

    return { ...base, replayed: null, next: null, reason: null, fault, records: [], effects: [] };
  }
  const { state, records } = replay(ledger, row.graph_hash);
  const own = records.filter(({ record }) => record.run === id);

  return {
    ...base,
    replayed: { status: state.status, version: state.version, head: state.head },
    next: plan(getPublished(published, state), state, Date.now(), row.lease_epoch).type,
    reason: own.flatMap(({ record }) => record.control).findLast((event) => event.type === "status_changed")?.reason ?? null,
    fault: null,
    records: ledger.records.map(({ body, digest }) => factOf(body, digest)).filter(({ run }) => run === id),
    effects: effectFacts(
      id,
      own.map(({ record }) => record),
    ),
  };
};

const RUNS = `select id, graph_hash, status, version, head, lease_epoch, frozen,
  coalesce(lease_until > now(), false) as leased from run where workspace_id = $1 order by id`;

export const readRuns = async (reading: Reading, say: (done: number, of: number) => void): Promise<RunEnd[]> => {
  const rows = z.array(rowSchema).parse(await reading.ask(RUNS, [reading.workspace.id]));
  const versions = new Map(Object.values(reading.workspace.versions).map(({ hash, published }) => [hash, published]));
  const runs: RunEnd[] = [];
  for (const row of rows) {
    runs.push(await readRun(reading, row, versions.get(row.graph_hash)));
    if (runs.length % 100 === 0) say(runs.length, rows.length);
  }

  return runs;
};

/** `<key>.<what>` or `<key>.<what>.<once>`. */
export const readCounts = (folder: string): Counts => {
  const counts = new Map<string, number>();
  for (const name of fs.readdirSync(folder)) {
    const key = name.split(".")[0] ?? "";
    counts.set(key, (counts.get(key) ?? 0) + 1);
  }

  return counts;
};

const commandSchema = z.object({
  id: z.string(),
  run: z.string(),
  kind: z.string(),
  status: z.string(),
  outcome: z.object({ seq: z.number() }).nullable(),
});

export const readCommands = async ({ ask, workspace }: Pick<Reading, "ask" | "workspace">): Promise<CommandEnd[]> =>
  z
    .array(commandSchema)
    .parse(await ask("select id, run_id as run, kind, status, outcome from command where workspace_id = $1", [workspace.id]))
    .map(({ outcome, ...command }) => ({ ...command, seq: outcome === null || outcome.seq < 0 ? null : outcome.seq }));

/** @param kept checkpoints copied on the way */
export const readAudit = async ({ vault, keys }: Reading, kept: readonly SignedCheckpoint[]): Promise<readonly Fault[]> => {
  const faults: Fault[] = [];
  for (const checkpoint of kept) {
    const audit = await auditWorkspace(vault, checkpoint, keys);
    if (!audit.ok) faults.push({ what: `checkpoint of ${checkpoint.checkpoint.count} records: ${audit.reason}`, run: audit.run });
  }

  return faults;
};

export const readTrust = async (workspace: string): Promise<readonly Fault[]> =>
  (await listTrustFaults(workspace)).map(({ reason, run, seq, index }) => ({ what: `${reason} at ${seq}.${index}`, run }));

const countSchema = z.object({ n: z.number() });

export const countConnections = async (ask: Ask): Promise<number> =>
  countSchema.parse(
    (await ask("select count(*)::int as n from pg_stat_activity where usename = 'countersign_runner' and application_name <> 'chaos'"))[0],
  ).n;

const statusSchema = z.object({ status: runStatusSchema, n: z.number() });

export const countStatuses = async (ask: Ask, workspace: string): Promise<Readonly<Record<string, number>>> =>
  Object.fromEntries(
    z
      .array(statusSchema)
      .parse(await ask("select status, count(*)::int as n from run where workspace_id = $1 group by status order by status", [workspace]))
      .map(({ status, n }) => [status, n]),
  );
