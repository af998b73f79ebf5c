"use client";

import { useMutation, useQueryClient } from "@tanstack/react-query";
import { useAdminSignature } from "@/components/passkeys/use-admin-signature";
import { toApiError } from "@/components/trpc/api-error";
import { useTRPC, useTRPCClient } from "@/components/trpc/trpc";
import { notify } from "@/components/ui/toast";
import { toRegistryChange } from "@/lib/admin-change";
import { findLoosening, registryCommandSchema, type RegistryCommandInput, type TrustedServer } from "@/lib/mcp/registry-command";

type Options = {
  /** The caller shows it inline, without a toast. */
  readonly showsFailure?: boolean;
  readonly server?: TrustedServer;
};

const UNKNOWN: TrustedServer = { allowedAgents: [], tools: [] };

/** Sends registry commands; refetches once the runner answered. */
export const useRegistry = ({ showsFailure = false, server = UNKNOWN }: Options = {}) => {
  const trpc = useTRPC();
  const client = useQueryClient();
  const api = useTRPCClient();
  const sign = useAdminSignature();
  const { mutateAsync, isPending, variables, error } = useMutation({
    mutationFn: async (command: RegistryCommandInput) => {
      const loosening = findLoosening(registryCommandSchema.parse(command), server);
      const signature = loosening ? await sign(toRegistryChange(loosening).change) : {};

      return api.mcp.command.mutate({ ...command, ...signature });
    },
    onSettled: () => client.invalidateQueries({ queryKey: trpc.mcp.pathKey() }),
  });

  /** @returns success; shows the reason otherwise */
  const send = async (command: RegistryCommandInput, done?: string): Promise<boolean> => {
    try {
      await mutateAsync(command);
      if (done) notify({ title: done });

      return true;
    } catch (fault) {
      const { message, requestId } = toApiError(fault);
      if (!showsFailure) notify({ tone: "error", title: message, ...(requestId ? { description: `Request ${requestId}` } : {}) });

      return false;
    }
  };

  return { send, pending: isPending ? (variables?.type ?? null) : null, failure: error ? toApiError(error) : null };
};
