"use client";

import { useMutation, useQuery } from "@tanstack/react-query";
import { useState } from "react";
import { useTRPC } from "@/components/trpc/trpc";
import type { ConsoleAsk } from "@/lib/mcp/console";

const POLL_MS = 500;

/** Calls a tool and polls for the result. */
export const useConsole = () => {
  const trpc = useTRPC();
  const [call, setCall] = useState<string | null>(null);
  const ask = useMutation(trpc.mcp.console.mutationOptions({ onSuccess: (made) => setCall(made.call) }));
  const answer = useQuery({
    ...trpc.mcp.consoleAnswer.queryOptions({ call: call ?? "" }),
    enabled: call !== null,
    refetchInterval: ({ state }) => (state.data?.answer || state.error ? false : POLL_MS),
    // A result never changes.
    staleTime: Infinity,
  });
  const error = ask.error ?? answer.error;

  return {
    send: (asked: ConsoleAsk) => {
      setCall(null);
      ask.mutate(asked);
    },
    isPending: ask.isPending || (call !== null && !answer.data?.answer && !answer.error),
    answer: call === null ? null : (answer.data?.answer ?? null),
    error,
  };
};
