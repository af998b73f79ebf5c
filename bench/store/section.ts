/** The hot path by prepared SQL and Prisma in turns, on one database. */
import fs from "node:fs";
import os from "node:os";
import path from "node:path";
import { inboxFilterSchema } from "@/lib/engine/approvals/inbox";
import { GENESIS_PARENT } from "@/lib/engine/state";
import { freshPlace } from "@/bench/reads/place";
import { fillLists } from "@/bench/reads/rows";
import { figure, markdown, median, ratio } from "@/bench/report";
import { must, type Bench, type Section } from "@/bench/section";
import { closeDatabase, getCommitPool, getDatabase, inTransaction, useDatabase } from "@/server/db/client";
import { listInboxPage } from "@/server/store/approvals/inbox";
import { createRunHead, releaseLease, takeLease } from "@/server/store/ledger/run-heads";
import { APPEND_PLAIN } from "@/server/store/sql/append-records";
import { closeConnections } from "@/server/testing/connections";

const LOADS = { full: { repeats: 300, waiting: 1_000 }, quick: { repeats: 5, waiting: 20 } } as const;

const PAGE = 201;
const LEASE_MS = 10_000;
const BODY = JSON.stringify({ text: "x".repeat(1_000) });

type Way = (nth: number) => Promise<unknown>;
type Pair = { readonly name: string; readonly sql: Way; readonly prisma: Way };

export type StoreResult = readonly { readonly name: string; readonly sqlMs: number; readonly prismaMs: number }[];

const taken = async (way: Way, nth: number): Promise<number> => {
  const startedAt = performance.now();
  await way(nth);

  return performance.now() - startedAt;
};

const digestOf = (nth: number): string => nth.toString(16).padStart(64, "0");

/** Both runs are empty and at epoch 1. */
const appending = (workspaceId: string, bySql: string, byPrisma: string): Pair => {
  const recordOf = (nth: number) => ({ seq: nth, body: BODY, digest: digestOf(nth), kid: "measured", signature: "measured" });
  const parentOf = (nth: number) => (nth === 0 ? GENESIS_PARENT : digestOf(nth - 1));

  return {
    name: "append a record",
    sql: async (nth) => {
      const { seq, body, digest, kid, signature } = recordOf(nth);
      const counts = {
        refusals: 0,
        total_tokens: 0,
        total_micro_usd: 0,
        reserved_micro_usd: 0,
        budget_percent: 0,
        ended: false,
        wake_at: null,
      };
      const place = { ord: 0, workspace: workspaceId, run: bySql, version: nth, parent: parentOf(nth), epoch: 1, records: 1 };
      const head = { ...place, ...counts, digest, status: "running", current_node: "node", at: Date.now() };
      const values = [JSON.stringify([head]), [0], [seq], [body], [digest], [kid], [signature], [], [], [], [], [], [], [], []];
      must((await getCommitPool().query({ name: "measured-append", text: APPEND_PLAIN, values })).rowCount === 1, "nothing was appended");
    },
    prisma: (nth) =>
      inTransaction(async (tx) => {
        const { count } = await tx.run.updateMany({
          where: { workspaceId, id: byPrisma, version: nth, head: parentOf(nth), leaseEpoch: 1 },
          data: { version: nth + 1, head: digestOf(nth), status: "running", currentNode: "node", updatedAt: new Date() },
        });
        must(count === 1, "nothing was appended");
        await tx.ledgerRecord.createMany({ data: { workspaceId, runId: byPrisma, ...recordOf(nth) } });
        await tx.command.count({ where: { workspaceId, runId: byPrisma, status: "pending" } });
      }),
  };
};

const claiming = (workspaceId: string, id: string): Pair => ({
  name: "claim a run and release it",
  sql: async () => {
    const taking = await takeLease(workspaceId, id, LEASE_MS);
    await releaseLease(workspaceId, id, taking?.leaseEpoch ?? 0);
  },
  prisma: async () => {
    const { run } = getDatabase();
    const now = new Date();
    await run.updateMany({
      where: { workspaceId, id, OR: [{ leaseUntil: null }, { leaseUntil: { lt: now } }] },
      data: { leaseEpoch: { increment: 1 }, leaseUntil: new Date(now.getTime() + LEASE_MS) },
    });
    const { leaseEpoch } = await run.findUniqueOrThrow({ where: { id } });
    await run.updateMany({ where: { workspaceId, id, leaseEpoch }, data: { leaseUntil: null, driveAfter: null } });
  },
});

const listing = (workspaceId: string, userId: string): Pair => {
  const filter = inboxFilterSchema.parse({});

  return {
    name: "first page of the inbox with counts",
    sql: () => {
      const nowMs = Date.now();

      return listInboxPage(
        { workspaceId, filter, userId, role: "reviewer", seats: [{ for: [], groups: [] }], nowMs, sinceMs: nowMs },
        null,
      );
    },
    prisma: () =>
      inTransaction(async (tx) => {
        const open = { workspaceId, status: "open" };
        const rows = await tx.approval.findMany({ where: open, orderBy: [{ expiresAt: "asc" }, { id: "asc" }], take: PAGE });
        const runs = await tx.run.findMany({
          where: { workspaceId, id: { in: rows.map(({ runId }) => runId) } },
          select: { id: true, graphId: true },
        });
        await tx.graph.findMany({
          where: { workspaceId, id: { in: runs.map(({ graphId }) => graphId) } },
          select: { id: true, name: true },
        });
        await tx.approval.groupBy({ by: ["authority"], where: open, _count: true });
      }),
  };
};

const compare = async ({ name, sql, prisma }: Pair, repeats: number): Promise<StoreResult[number]> => {
  const [bySql, byPrisma]: [number[], number[]] = [[], []];
  for (let nth = 0; nth < repeats; nth += 1) {
    bySql.push(await taken(sql, nth));
    byPrisma.push(await taken(prisma, nth));
  }

  return { name, sqlMs: median(bySql), prismaMs: median(byPrisma) };
};

const run = async (bench: Bench): Promise<StoreResult> => {
  const { repeats, waiting } = LOADS[bench.scale];
  const progress = bench.counted(3);
  const urls = await (await bench.server()).migrated();
  const home = fs.mkdtempSync(path.join(os.tmpdir(), "countersign-store-"));
  try {
    const place = await freshPlace(urls, home);
    const { workspace, id: userId } = place.reviewer;
    const graphId = await fillLists(place, waiting, waiting);
    await useDatabase(urls.runner);
    const fresh = async (): Promise<string> => {
      const runId = crypto.randomUUID();
      await createRunHead({ workspaceId: workspace, runId, graphId, graphHash: digestOf(0), initiatorId: userId, at: Date.now() });

      return runId;
    };
    const [bySql, byPrisma, claimed] = [await fresh(), await fresh(), await fresh()];
    for (const id of [bySql, byPrisma]) await takeLease(workspace, id, 3_600_000);
    const results: StoreResult[number][] = [];
    for (const pair of [appending(workspace, bySql, byPrisma), claiming(workspace, claimed), listing(workspace, userId)]) {
      progress(pair.name);
      results.push(await compare(pair, repeats));
    }

    return results;
  } finally {
    await closeDatabase();
    await closeConnections();
    fs.rmSync(home, { recursive: true, force: true });
  }
};

const ms = (value: number): string => figure(value, "ms");

export const STORE: Section<StoreResult> = {
  name: "store",
  says: "The hot path by prepared SQL and by Prisma.",
  run,
  table: (results) =>
    markdown(
      ["median of", "prepared SQL", "Prisma", "ratio"],
      results.map(({ name, sqlMs, prismaMs }) => [name, ms(sqlMs), ms(prismaMs), ratio(prismaMs, sqlMs)]),
    ),
};
