"use client";

import { useQuery, useQueryClient } from "@tanstack/react-query";
import { useTRPCClient } from "@/components/trpc/trpc";
import { findCheckpointFault, type SignedCheckpoint } from "@/lib/engine/ledger/checkpoint";
import { logMemory, type LogMemory } from "@/lib/engine/ledger/remembered";
import type { PublicKeys } from "@/lib/engine/ledger/signature";
import { getKeys } from "@/lib/engine/ledger/trust-anchor";
import type { PinnedAnchor } from "./anchor-pin";
import { forgetCheckpoint, recogniseKey, getRecognisedKeys, rememberCheckpoint, getRememberedCheckpoint } from "./store";

export type MemoryState =
  | { readonly state: "nothing" }
  | { readonly state: LogMemory; readonly remembered: SignedCheckpoint; readonly newest: SignedCheckpoint | null }
  /** Not signed by a known key. */
  | { readonly state: "unsigned"; readonly remembered: SignedCheckpoint | null; readonly newest: SignedCheckpoint };

type Client = ReturnType<typeof useTRPCClient>;

/** An empty proof does not count as an extension. */
const proofOf = (client: Client, from: number, to: number): Promise<readonly string[]> =>
  from === 0 || from >= to
    ? Promise.resolve([])
    : client.ledger.consistency.query({ from, to }).then(
        ({ proof }) => proof,
        () => [],
      );

/** Avoids false alarms from an outdated page. */
const newestNow = async (client: Client, shown: SignedCheckpoint | null, remembered: SignedCheckpoint | null) => {
  const isOlder = remembered !== null && (shown?.checkpoint.count ?? 0) < remembered.checkpoint.count;

  return isOlder ? ((await client.ledger.checkpoints.query({ limit: 1 })).checkpoints[0] ?? null) : shown;
};

const check = async (client: Client, workspaceId: string, shown: SignedCheckpoint | null, keys: PublicKeys): Promise<MemoryState> => {
  const remembered = await getRememberedCheckpoint(workspaceId);
  const newest = await newestNow(client, shown, remembered);
  if (newest && (await findCheckpointFault(newest, keys)) !== null) return { state: "unsigned", remembered, newest };
  if (!remembered) return { state: "nothing" };
  const proof = newest ? await proofOf(client, remembered.checkpoint.count, newest.checkpoint.count) : [];
  const state = logMemory(remembered, newest, proof);
  // It extends the verified checkpoint.
  if (state === "extends" && newest) await rememberCheckpoint(workspaceId, newest);

  return { state, remembered, newest };
};

const memoryKey = (workspaceId: string) => ["ledger-memory", workspaceId] as const;
const keysKey = (workspaceId: string) => ["ledger-keys", workspaceId] as const;

/** Compares each checkpoint with the last verified one. */
export const useLogMemory = (workspaceId: string, newest: SignedCheckpoint | null, pinned: PinnedAnchor | null) => {
  const client = useTRPCClient();
  const keys = pinned?.trusted ? getKeys(pinned.trusted) : {};

  return useQuery({
    queryKey: [...memoryKey(workspaceId), newest?.checkpoint.root ?? null, newest?.checkpoint.count ?? 0, Object.keys(keys)],
    enabled: pinned !== null,
    queryFn: () => check(client, workspaceId, newest, keys),
    retry: false,
  });
};

/** Keys confirmed in this browser, by kid. */
export const useRecognisedKeys = (workspaceId: string) =>
  useQuery({ queryKey: keysKey(workspaceId), queryFn: () => getRecognisedKeys(workspaceId), retry: false });

export const useMemoryActions = (workspaceId: string) => {
  const queries = useQueryClient();

  return {
    /** Verification works without browser storage. */
    remembered: (): Promise<SignedCheckpoint | null> => getRememberedCheckpoint(workspaceId).catch(() => null),
    remember: async (signed: SignedCheckpoint): Promise<void> => {
      await rememberCheckpoint(workspaceId, signed);
      await queries.invalidateQueries({ queryKey: memoryKey(workspaceId) });
    },
    forget: async (): Promise<void> => {
      await forgetCheckpoint(workspaceId);
      await queries.invalidateQueries({ queryKey: memoryKey(workspaceId) });
    },
    recognise: async (kid: string, publicKey: string): Promise<void> => {
      await recogniseKey(workspaceId, kid, publicKey);
      await queries.invalidateQueries({ queryKey: keysKey(workspaceId) });
    },
  };
};
