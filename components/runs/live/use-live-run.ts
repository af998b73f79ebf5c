"use client";

import { useEffect, useState } from "react";
import { goToSignIn } from "@/components/trpc/query-client";
import { useTRPCClient } from "@/components/trpc/trpc";
import type { Moved } from "@/server/trpc/routers/runs/live";
import { makeHub, type Connect, type Hub, type LinkState } from "./hub";
import { readSurroundings } from "./surroundings";

type Client = ReturnType<typeof useTRPCClient>;

const RETRY_MS = 5_000;

const connectBy =
  (client: Client): Connect =>
  (runIds, { onMoved, onLink }) => {
    let timer: ReturnType<typeof setTimeout> | null = null;
    const open = () =>
      client.runs.live.subscribe(
        { runIds: [...runIds] },
        {
          onData: onMoved,
          onConnectionStateChange: ({ state }) => onLink(state === "pending" ? "open" : "connecting"),
          onError: (error) => {
            goToSignIn(error);
            onLink("broken");
            timer = setTimeout(() => {
              subscription = open();
            }, RETRY_MS);
          },
        },
      );
    let subscription = open();

    return () => {
      if (timer !== null) clearTimeout(timer);
      subscription.unsubscribe();
    };
  };

/** One per tab. */
let hub: Hub | null = null;

export type LiveRun = { readonly moved: Moved | null; readonly link: LinkState };

/** Follows a run's version. @param enabled false for ended runs */
export const useLiveRun = (runId: string, enabled: boolean): LiveRun => {
  const client = useTRPCClient();
  const [moved, setMoved] = useState<Moved | null>(null);
  const [link, setLink] = useState<LinkState>("connecting");

  useEffect(() => {
    if (!enabled) return undefined;
    hub ??= makeHub(connectBy(client), readSurroundings());

    return hub.follow(runId, { onMoved: setMoved, onLink: setLink });
  }, [client, runId, enabled]);

  return { moved, link };
};
