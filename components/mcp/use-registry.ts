"use client";

import { useMutation, useQueryClient } from "@tanstack/react-query";
import { apiError } from "@/components/trpc/api-error";
import { useTRPC } from "@/components/trpc/trpc";
import { notify } from "@/components/ui/toast";
import type { RegistryCommandInput } from "@/lib/mcp/registry-command";

type Options = {
  /** The caller shows `failure` beside what it is about, where it stays; no notice then. */
  readonly showsFailure?: boolean;
};

/** Sends registry commands. Nothing is shown as done before the runner has answered; then everything on screen is asked again. */
export const useRegistry = ({ showsFailure = false }: Options = {}) => {
  const trpc = useTRPC();
  const client = useQueryClient();
  const { mutateAsync, isPending, variables, error } = useMutation(
    trpc.mcp.command.mutationOptions({
      onSettled: () => client.invalidateQueries({ queryKey: trpc.mcp.pathKey() }),
    }),
  );

  /** @returns whether the runner did it; if not, the reason is shown */
  const send = async (command: RegistryCommandInput, done?: string): Promise<boolean> => {
    try {
      await mutateAsync(command);
      if (done) notify({ title: done });

      return true;
    } catch (fault) {
      const { message, requestId } = apiError(fault);
      if (!showsFailure) notify({ tone: "error", title: message, ...(requestId ? { description: `Request ${requestId}` } : {}) });

      return false;
    }
  };

  return { send, pending: isPending ? (variables?.type ?? null) : null, failure: error ? apiError(error) : null };
};
