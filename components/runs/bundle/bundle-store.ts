/** IndexedDB storage per user. */
import { openDB, type DBSchema, type IDBPDatabase } from "idb";
import { z } from "zod";

/** `file`: own keys, which don't prove the author. */
export const trustSchema = z.discriminatedUnion("type", [
  z.strictObject({ type: z.literal("installation") }),
  z.strictObject({ type: z.literal("pasted"), keys: z.record(z.string().max(64), z.string().max(128)) }),
  z.strictObject({ type: z.literal("file") }),
]);
export type Trust = z.infer<typeof trustSchema>;

export type KeptBundle = {
  readonly id: string;
  readonly name: string;
  readonly size: number;
  readonly addedAt: number;
  readonly run: string;
  readonly graphName: string;
  readonly records: number;
  readonly trust: Trust;
};

interface Schema extends DBSchema {
  listed: { key: string; value: KeptBundle };
  files: { key: string; value: Blob };
}

/** Limits storage; browsers may evict more. */
const MOST_KEPT = 50;

const databaseOf = (userId: string): Promise<IDBPDatabase<Schema>> =>
  openDB<Schema>(`countersign-bundles-${userId}`, 1, {
    upgrade: (database) => {
      database.createObjectStore("listed", { keyPath: "id" });
      database.createObjectStore("files");
    },
  });

const inDatabase = async <T>(userId: string, work: (database: IDBPDatabase<Schema>) => Promise<T>): Promise<T> => {
  const database = await databaseOf(userId);
  try {
    return await work(database);
  } finally {
    database.close();
  }
};

/** Newest first. */
export const listBundles = (userId: string): Promise<KeptBundle[]> =>
  inDatabase(userId, async (database) => (await database.getAll("listed")).toSorted((a, b) => b.addedAt - a.addedAt));

/** @throws Error when the limit or quota is reached */
export const keepBundle = (userId: string, bundle: KeptBundle, file: Blob): Promise<void> =>
  inDatabase(userId, async (database) => {
    if ((await database.count("listed")) >= MOST_KEPT) throw new Error("full");
    const write = database.transaction(["listed", "files"], "readwrite");
    await Promise.all([write.objectStore("listed").put(bundle), write.objectStore("files").put(file, bundle.id), write.done]);
  });

export const removeBundle = (userId: string, id: string): Promise<void> =>
  inDatabase(userId, async (database) => {
    const write = database.transaction(["listed", "files"], "readwrite");
    await Promise.all([write.objectStore("listed").delete(id), write.objectStore("files").delete(id), write.done]);
  });

export const openBundle = (userId: string, id: string): Promise<{ readonly bundle: KeptBundle; readonly file: Blob } | null> =>
  inDatabase(userId, async (database) => {
    const [bundle, file] = await Promise.all([database.get("listed", id), database.get("files", id)]);

    return bundle && file ? { bundle, file } : null;
  });
