import { z } from "zod";
import type { PublishedGraph } from "@/lib/graph/document";
import type { Json, JsonObject } from "@/lib/json";
import { getPassedPercent, getReserved } from "@/lib/engine/budget";
import { isTerminal } from "@/lib/engine/event";
import type { CellWrite, SignedRecord } from "@/lib/engine/ledger/record";
import type { RunState } from "@/lib/engine/state";
import type { StoredRecord } from "@/lib/engine/ledger/stored-record";
import { getCommitPool, LONG_COMMIT_MS, MOST_COMMITS, runRead } from "@/server/db/client";
import { observeCommit, startStopwatch } from "@/server/metrics";
import type { SealedCell } from "@/server/security/vault";
import { appendQueue } from "@/server/store/ledger/append-queue";
import { toMentionRows, toMovedRows, toOpenedRow } from "@/server/store/approvals/rows";
import { toCaseRows } from "@/server/store/approvals/case-rows";
import { cellRow, recordRow } from "@/server/store/ledger/rows";
import { toToolRows, toUsageRows } from "@/server/store/ledger/usage-rows";
import { joinLines, toIntArray, toLines } from "@/server/store/sql/array-text";
import { columnsOf, queryRows, type Statement } from "@/server/store/sql/rows";
import { APPEND_PLAIN, APPEND_RECORDS } from "@/server/store/sql/append-records";
import { toTrustRows } from "@/server/store/trust/rows";

export type StoredCellRow = SealedCell & {
  /** Or a fork's ancestor. */
  readonly runId: string;
  readonly seq: number;
  readonly index: number;
  readonly path: string;
  readonly label: string;
  readonly commitment: string;
};

type LabelledCell = SealedCell & { readonly label: string };

export type Append = {
  readonly published: PublishedGraph;
  readonly before: RunState;
  readonly after: RunState;
  readonly signed: SignedRecord;
  /** Canonical JSON in UTF-8, which is digested. */
  readonly body: Uint8Array;
  readonly cells: readonly LabelledCell[];
  readonly epoch: number;
  /** ms since 1970 */
  readonly wakeAt: number | null;
  readonly command: { readonly id: string; readonly outcome: Json } | null;
};

export type Appended = {
  readonly asked: boolean;
};

const storedRow = z.object({ ord: z.number(), asked: z.boolean() });

type AppendRow = {
  readonly workspace: string;
  readonly run: string;
  readonly version: number;
  readonly parent: string;
  readonly epoch: number;
  readonly after: JsonObject;
  readonly seq: number;
  readonly body: Uint8Array;
  readonly digest: string;
  readonly kid: string;
  readonly signature: string;
  readonly cells: readonly (LabelledCell & Pick<CellWrite, "path" | "commitment">)[];
  readonly about: JsonObject | null;
};

const headOf = (rows: readonly AppendRow[], ord: number) => {
  const [first, last] = [rows[0], rows.at(-1)];
  if (!first || !last) throw new RangeError("headOf: there is no row");
  const { workspace, run, version, parent, epoch } = first;

  return { ord, workspace, run, version, parent, epoch, records: rows.length, digest: last.digest, ...last.after };
};

const toStatement = (runs: readonly (readonly AppendRow[])[]): Statement => {
  const records = runs.flat();
  const cells = records.flatMap((row) => row.cells);
  const values = [
    Buffer.from(JSON.stringify(runs.map(headOf))),
    toIntArray(runs.flatMap((rows, ord) => rows.map(() => ord))),
    toIntArray(records.map(({ seq }) => seq)),
    joinLines(records.map(({ body }) => body)),
    toLines(records.map(({ digest }) => digest)),
    toLines(records.map(({ kid }) => kid)),
    toLines(records.map(({ signature }) => signature)),
    toIntArray(runs.flatMap((rows, ord) => rows.flatMap((row) => row.cells.map(() => ord)))),
    toIntArray(records.flatMap((row) => row.cells.map(() => row.seq))),
    toIntArray(records.flatMap((row) => row.cells.map((_cell, index) => index))),
    cells.map(({ path }) => path),
    toLines(cells.map(({ label }) => label)),
    toLines(cells.map(({ commitment }) => commitment)),
    cells.map(({ sealed }) => sealed),
    cells.map(({ wrappedKey }) => wrappedKey),
  ];
  const abouts = runs.flatMap((rows, ord) => rows.flatMap(({ seq, about }) => (about ? [{ ord, seq, ...about }] : [])));

  return abouts.length === 0
    ? { name: "append-plain", text: APPEND_PLAIN, values }
    : { name: "append-records", text: APPEND_RECORDS, values: [...values, JSON.stringify(abouts)] };
};

const storeRows = async (runs: readonly (readonly AppendRow[])[]): Promise<ReadonlyMap<number, Appended>> => {
  const statement = toStatement(runs);
  const elapsed = startStopwatch();
  const stored = await queryRows(getCommitPool(), storedRow, statement);
  observeCommit(
    elapsed(),
    stored.reduce((sum, { ord }) => sum + (runs[ord]?.length ?? 0), 0),
  );

  return new Map(stored.map(({ ord, asked }) => [ord, { asked }]));
};

/** Successors under one lease share a statement. */
const follows = (before: AppendRow, row: AppendRow): boolean =>
  before.about === null &&
  row.about === null &&
  row.version === before.version + 1 &&
  row.parent === before.digest &&
  row.epoch === before.epoch &&
  row.workspace === before.workspace;

const enqueue = appendQueue(storeRows, {
  atOnce: MOST_COMMITS,
  longMs: LONG_COMMIT_MS,
  charsOf: ({ body, cells, about }) =>
    // Bytes are sent as hex.
    cells.reduce((sum, { sealed }) => sum + 2 * sealed.length, body.length) + (about === null ? 0 : JSON.stringify(about).length),
  keyOf: ({ run }) => run,
  follows,
});

/** Null: only the record and its cells. */
const aboutOf = ({ published, before, after, signed: { record }, command }: Append): JsonObject | null => {
  const about = {
    opened: toOpenedRow(published, record, after),
    moved: toMovedRows(record, after),
    command: command?.id ?? null,
    trust: toTrustRows(record, after),
    cases: toCaseRows(record, after),
    mentions: toMentionRows(record),
    usage: toUsageRows(published, record, before),
    tools: toToolRows(record, before),
  };
  if (Object.values(about).every((part) => part === null)) return null;

  return {
    ...about,
    moment: record.at,
    command_status: record.kind === "transition" ? "accepted" : "refused",
    outcome: command?.outcome ?? null,
  };
};

const rowOf = (append: Append): AppendRow => {
  const { before, after, signed, body, cells, epoch, wakeAt } = append;
  const { record, digest, kid, signature } = signed;

  return {
    workspace: record.workspace,
    run: record.run,
    version: before.version,
    parent: before.head,
    epoch,
    after: {
      status: after.status,
      current_node: after.currentNode,
      refusals: after.refusals,
      total_tokens: after.totalTokens,
      total_micro_usd: after.costMicroUsd,
      reserved_micro_usd: getReserved(after, null).costMicroUsd,
      budget_percent: getPassedPercent(after),
      ended: isTerminal(after.status),
      wake_at: wakeAt,
      at: record.at,
    },
    seq: record.seq,
    body,
    digest,
    kid,
    signature,
    cells: record.writes.map(({ path, commitment }, index) => {
      const cell = cells[index];
      if (!cell) throw new RangeError("rowOf: a cell is missing");

      return { path, commitment, ...cell };
    }),
    about: aboutOf(append),
  };
};

/** @returns null, unchanged, when version, head or lease moved */
export const appendRecord = (append: Append): Promise<Appended | null> => enqueue(rowOf(append));

export const LINEAGE = `
with recursive lineage as (
  select id, parent_run, coalesce(fork_seq, 0) as from_seq, 2147483647 as to_seq, 0 as depth
  from run where workspace_id = $1 and id = $2
  union all
  select parent.id, parent.parent_run, coalesce(parent.fork_seq, 0), least(lineage.from_seq, lineage.to_seq), lineage.depth + 1
  from lineage join run parent on parent.workspace_id = $1 and parent.id = lineage.parent_run
  where lineage.depth < 32
)`;

export const loadLedger = (workspaceId: string, runId: string, fromSeq = 0): Promise<{ records: StoredRecord[]; cells: StoredCellRow[] }> =>
  runRead(
    workspaceId,
    async (client) => {
      const of = [workspaceId, runId, fromSeq];
      const records = await queryRows(client, recordRow, {
        name: "ledger-records",
        text: `${LINEAGE} select ${columnsOf(recordRow)} from lineage join ledger_record on run_id = id and seq >= from_seq and seq < to_seq
       where workspace_id = $1 and seq >= $3 order by seq`,
        values: of,
      });
      const cells = await queryRows(client, cellRow, {
        name: "ledger-cells",
        text: `${LINEAGE} select ${columnsOf(cellRow)}
       from lineage join cell on run_id = id and seq >= from_seq and seq < to_seq
       where workspace_id = $1 and seq >= $3 order by seq, index`,
        values: of,
      });

      return { records, cells };
    },
    "indexed",
  );
