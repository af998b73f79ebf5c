"use client";

import { useMutation, useQuery, useQueryClient } from "@tanstack/react-query";
import { useState } from "react";
import { pinAnchor } from "@/components/proof/memory/anchor-pin";
import { useTRPCClient } from "@/components/trpc/trpc";
import { getKeys as anchorKeys } from "@/lib/engine/ledger/trust-anchor";
import type { PublicKeys } from "@/lib/engine/ledger/signature";
import { keepBundle, listBundles, openBundle, removeBundle, type KeptBundle, type Trust } from "./bundle-store";
import { findPublishedIn } from "./bundle-source";
import type { BundleFault, BundleProgress, BundleResult } from "./read-bundle";
import { readInWorker } from "./read-in-worker";

/** Keys pinned in this browser. */
const useInstalledKeys = () => {
  const client = useTRPCClient();

  return useQuery({
    queryKey: ["installed-keys"],
    queryFn: async (): Promise<PublicKeys> => {
      const { workspace, anchor } = await client.session.trustAnchor.query();
      const { trusted } = await pinAnchor(workspace, anchor);

      return trusted ? anchorKeys(trusted) : {};
    },
  });
};

const keysOf = (trust: Trust, installed: PublicKeys): PublicKeys | null => {
  switch (trust.type) {
    case "installation":
      return installed;
    case "pasted":
      return trust.keys;
    case "file":
      return null;
    default:
      return trust satisfies never;
  }
};

const listKey = (userId: string) => ["bundles", userId];

/** Bundles saved here by this user. */
export const useKeptBundles = (userId: string) => {
  const client = useQueryClient();
  const kept = useQuery({ queryKey: listKey(userId), queryFn: () => listBundles(userId), staleTime: 0 });
  const remove = useMutation({
    mutationFn: (id: string) => removeBundle(userId, id),
    onSuccess: () => client.invalidateQueries({ queryKey: listKey(userId) }),
  });

  return { kept, remove };
};

export type Added = { readonly ok: true; readonly bundle: KeptBundle } | { readonly ok: false; readonly fault: BundleFault };

const keptOf = (file: File, trust: Trust, { bundle }: Extract<BundleResult, { ok: true }>): KeptBundle => ({
  id: crypto.randomUUID(),
  name: file.name,
  size: file.size,
  addedAt: Date.now(),
  run: bundle.document.ledger.run,
  graphName: findPublishedIn(bundle.document).graph.name,
  records: bundle.records,
  trust,
});

/** Verifies and saves a file. */
export const useAddBundle = (userId: string) => {
  const client = useQueryClient();
  const installed = useInstalledKeys();
  const [progress, setProgress] = useState<BundleProgress | null>(null);
  const add = useMutation({
    mutationFn: async ({ file, trust }: { readonly file: File; readonly trust: Trust }): Promise<Added> => {
      const result = await readInWorker({ file, keys: keysOf(trust, installed.data ?? {}) }, setProgress);
      if (!result.ok) return { ok: false, fault: result };
      const bundle = keptOf(file, trust, result);
      await keepBundle(userId, bundle, file);

      return { ok: true, bundle };
    },
    onSettled: () => {
      setProgress(null);

      return client.invalidateQueries({ queryKey: listKey(userId) });
    },
  });

  return { add, progress, isReady: installed.isSuccess };
};

export type Opened = { readonly kept: KeptBundle; readonly result: BundleResult } | null;

/** Verified again: browser storage can be modified. */
export const useOpenedBundle = (userId: string, id: string) => {
  const installed = useInstalledKeys();
  const [progress, setProgress] = useState<BundleProgress | null>(null);
  const opened = useQuery({
    queryKey: ["bundle", userId, id],
    enabled: installed.isSuccess,
    staleTime: Infinity,
    gcTime: 0,
    retry: false,
    queryFn: async ({ signal }): Promise<Opened> => {
      const found = await openBundle(userId, id);
      if (!found) return null;
      const { bundle: kept, file } = found;

      return { kept, result: await readInWorker({ file, keys: keysOf(kept.trust, installed.data ?? {}) }, setProgress, signal) };
    },
  });

  return { opened, progress };
};
