"use client";

import { openDB, type DBSchema, type IDBPDatabase } from "idb";
import { z } from "zod";
import { signedCheckpointSchema, type SignedCheckpoint } from "@/lib/engine/ledger/checkpoint";
import { trustAnchorSchema, type TrustAnchor } from "@/lib/engine/ledger/trust-anchor";
import { isNewerCheckpoint, isNewerHead, type RememberedHead } from "@/lib/engine/ledger/remembered";

const headSchema = z.strictObject({ version: z.number().int().min(1), digest: z.string().max(64), at: z.number().int().min(0) });

const NAME = "countersign.ledger";
const MOST_RUNS = 2_000;

interface Stores extends DBSchema {
  /** By run id. */
  runs: { key: string; value: unknown };
  /** By workspace id. */
  workspaces: { key: string; value: unknown };
  /** Public keys by workspace and kid. */
  keys: { key: string; value: unknown };
  /** By workspace id. */
  anchors: { key: string; value: unknown };
}

let opened: Promise<IDBPDatabase<Stores>> | null = null;

const store = (): Promise<IDBPDatabase<Stores>> =>
  (opened ??= openDB<Stores>(NAME, 2, {
    upgrade: (database) => {
      for (const name of ["runs", "workspaces", "keys", "anchors"] as const) {
        if (!database.objectStoreNames.contains(name)) database.createObjectStore(name);
      }
    },
  }));

const headIn = (value: unknown): RememberedHead | null => headSchema.safeParse(value).data ?? null;
const checkpointIn = (value: unknown): SignedCheckpoint | null => signedCheckpointSchema.safeParse(value).data ?? null;

/** One transaction, so that the newest value of several tabs wins. */
const replace = async (name: "runs" | "workspaces", key: string, value: unknown, isNewer: (known: unknown) => boolean): Promise<void> => {
  const write = (await store()).transaction(name, "readwrite");
  if (isNewer(await write.store.get(key))) await write.store.put(value, key);
  await write.done;
};

export const getRememberedRun = async (runId: string): Promise<RememberedHead | null> => headIn(await (await store()).get("runs", runId));

const makeRoom = async (database: IDBPDatabase<Stores>): Promise<void> => {
  const keys = await database.getAllKeys("runs");
  for (const key of keys.slice(0, Math.max(0, keys.length - MOST_RUNS))) await database.delete("runs", key);
};

export const rememberRun = async (runId: string, head: RememberedHead): Promise<void> => {
  await replace("runs", runId, head, (known) => isNewerHead(head, headIn(known)));
  await makeRoom(await store());
};

export const forgetRun = async (runId: string): Promise<void> => (await store()).delete("runs", runId);

export const getRememberedCheckpoint = async (workspaceId: string): Promise<SignedCheckpoint | null> =>
  checkpointIn(await (await store()).get("workspaces", workspaceId));

export const rememberCheckpoint = (workspaceId: string, signed: SignedCheckpoint): Promise<void> =>
  replace("workspaces", workspaceId, signed, (known) => isNewerCheckpoint(signed, checkpointIn(known)));

export const forgetCheckpoint = async (workspaceId: string): Promise<void> => (await store()).delete("workspaces", workspaceId);

export const getRememberedAnchor = async (workspaceId: string): Promise<TrustAnchor | null> =>
  trustAnchorSchema.safeParse(await (await store()).get("anchors", workspaceId)).data ?? null;

export const rememberAnchor = async (workspaceId: string, anchor: TrustAnchor): Promise<void> => {
  await (await store()).put("anchors", anchor, workspaceId);
};

export const forgetAnchor = async (workspaceId: string): Promise<void> => (await store()).delete("anchors", workspaceId);

const keyName = (workspaceId: string, kid: string): string => `${workspaceId} ${kid}`;

/** Confirmed public keys by kid. */
export const getRecognisedKeys = async (workspaceId: string): Promise<Readonly<Record<string, string>>> => {
  const database = await store();
  const names = (await database.getAllKeys("keys")).filter((name) => name.startsWith(`${workspaceId} `));
  const found = await Promise.all(
    names.map(async (name) => [name.slice(workspaceId.length + 1), await database.get("keys", name)] as const),
  );

  return Object.fromEntries(found.flatMap(([kid, key]) => (typeof key === "string" ? [[kid, key]] : [])));
};

export const recogniseKey = async (workspaceId: string, kid: string, publicKey: string): Promise<void> => {
  await (await store()).put("keys", publicKey, keyName(workspaceId, kid));
};
