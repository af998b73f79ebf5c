"use client";

import { useSubscription } from "@trpc/tanstack-react-query";
import { useState } from "react";
import { useTRPC } from "@/components/trpc/trpc";
import { isTerminal } from "@/lib/engine/event";
import { entriesOf, mergeEntries, type Entry } from "./entries";

export type RunLedger = {
  readonly entries: readonly Entry[];
  /** `live` while more can come; `ended` when the run has ended and everything is here. */
  readonly connection: "connecting" | "live" | "ended" | "broken";
};

/**
 * The records of a run as they are committed, from the first one on.
 * @param version how many records the run has, as far as is known: what is refused after the end is fetched too
 */
export const useRunLedger = (runId: string, version: number): RunLedger => {
  const trpc = useTRPC();
  const [entries, setEntries] = useState<readonly Entry[]>([]);
  /** How many records there were when the run had ended and all of them were here. */
  const [endedAt, setEndedAt] = useState<number | null>(null);
  const hasEnded = endedAt !== null && version <= endedAt;
  const subscription = useSubscription(
    trpc.runs.live.subscriptionOptions(
      { run_id: runId, after_seq: (endedAt ?? 0) - 1 },
      {
        enabled: !hasEnded,
        onData: ({ data }) => {
          setEntries((known) => mergeEntries(known, entriesOf(data)));
          if (isTerminal(data.status) && !data.more) setEndedAt(data.head.version);
        },
      },
    ),
  );
  const connection = hasEnded
    ? "ended"
    : subscription.status === "error"
      ? "broken"
      : subscription.status === "pending"
        ? "live"
        : "connecting";

  return { entries, connection };
};
