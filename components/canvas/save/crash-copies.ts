import { z } from "zod";
import { graphSchema } from "@/lib/graph/document";

const DATABASE = "countersign";
const STORE = "unsaved_drafts";
const DAY_MS = 86_400_000;
const MAX_AGE_MS = 30 * DAY_MS;
const MAX_COPIES = 20;

const copySchema = z.object({
  id: z.string().min(1).max(64),
  owner: z.string().min(1).max(200),
  graphId: z.string().min(1).max(64),
  /** Milliseconds since 1970. */
  atMs: z.number(),
  /** Last known server revision. */
  base: z.object({ revision: z.number().int(), hash: z.string().max(64).nullable(), document: graphSchema }),
  document: graphSchema,
});
export type CrashCopy = z.infer<typeof copySchema>;

const answerOf = <T>(request: IDBRequest<T>): Promise<T> =>
  new Promise((resolve, reject) => {
    request.addEventListener("success", () => resolve(request.result), { once: true });
    request.addEventListener("error", () => reject(request.error ?? new Error("the browser's store failed")), { once: true });
  });

const open = (): Promise<IDBDatabase> => {
  const request = indexedDB.open(DATABASE, 1);
  request.addEventListener("upgradeneeded", () => {
    const store = request.result.createObjectStore(STORE, { keyPath: "id" });
    store.createIndex("graph", ["owner", "graphId"]);
    store.createIndex("age", "atMs");
  });

  return answerOf(request);
};

let opened: Promise<IDBDatabase> | null = null;

const storeFor = async (mode: IDBTransactionMode): Promise<IDBObjectStore> => {
  opened ??= open().catch((error: unknown) => {
    opened = null;
    throw error;
  });

  return (await opened).transaction(STORE, mode, { durability: "strict" }).objectStore(STORE);
};

export const keepCopy = async (copy: CrashCopy): Promise<void> => {
  await answerOf((await storeFor("readwrite")).put(copy));
};

export const removeCopy = async (id: string): Promise<void> => {
  await answerOf((await storeFor("readwrite")).delete(id));
};

const prune = async (nowMs: number): Promise<void> => {
  const store = await storeFor("readwrite");
  const oldestFirst = await answerOf(store.index("age").getAllKeys());
  const tooOld = new Set(await answerOf(store.index("age").getAllKeys(IDBKeyRange.upperBound(nowMs - MAX_AGE_MS))));
  const tooMany = oldestFirst.slice(0, Math.max(0, oldestFirst.length - MAX_COPIES));
  await Promise.all([...new Set([...tooOld, ...tooMany])].map((id) => answerOf(store.delete(id))));
};

const lockName = (id: string): string => `countersign draft ${id}`;

/** Hides a copy from other pages while open. @returns a release function */
export const holdCopy = (id: string): (() => void) => {
  let release = () => {};
  const held = new Promise<void>((resolve) => {
    release = resolve;
  });
  // Without HTTPS (no locks), copies of open pages are offered too.
  if ("locks" in navigator) void navigator.locks.request(lockName(id), () => held);

  return () => release();
};

const heldNames = async (): Promise<ReadonlySet<string>> => {
  if (!("locks" in navigator)) return new Set();
  const { held = [] } = await navigator.locks.query();

  return new Set(held.flatMap(({ name }) => (name === undefined ? [] : [name])));
};

export const listCopiesLeft = async (owner: string, graphId: string): Promise<readonly CrashCopy[]> => {
  await prune(Date.now());
  const found = await answerOf((await storeFor("readonly")).index("graph").getAll([owner, graphId]));
  const held = await heldNames();

  return found
    .flatMap((copy) => {
      const parsed = copySchema.safeParse(copy);

      return parsed.success && !held.has(lockName(parsed.data.id)) ? [parsed.data] : [];
    })
    .toSorted((one, other) => other.atMs - one.atMs);
};
