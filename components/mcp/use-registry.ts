"use client";

import { useMutation } from "@tanstack/react-query";
import { useState } from "react";
import { useAdminSignature } from "@/components/passkeys/use-admin-signature";
import { toApiError } from "@/components/trpc/api-error";
import { useTRPC, useTRPCClient } from "@/components/trpc/trpc";
import { useRefresh } from "@/components/trpc/use-refresh";
import { notify } from "@/components/ui/toast";
import { useAttempt } from "@/components/ui/use-attempt";
import { toRegistryChange } from "@/lib/admin-change";
import { findLoosening, registryCommandSchema, type RegistryCommandInput, type TrustedServer } from "@/lib/mcp/registry-command";
import type { SecretToPut } from "./header-rows";
import { useSecrets } from "./use-secrets";

const UNKNOWN: TrustedServer = { allowedAgents: [], tools: [] };

/** Sends registry commands; refetches once the runner answered. @param server tells whether a command loosens something */
export const useRegistry = (server: TrustedServer = UNKNOWN) => {
  const api = useTRPCClient();
  const sign = useAdminSignature();
  const { mutateAsync, isPending, variables } = useMutation({
    mutationFn: async (command: RegistryCommandInput) => {
      const loosening = findLoosening(registryCommandSchema.parse(command), server);
      const signature = loosening ? await sign(toRegistryChange(loosening).change) : {};

      return api.mcp.command.mutate({ ...command, ...signature });
    },
    onSettled: useRefresh(useTRPC().mcp.pathFilter()),
  });

  /** @throws the server's error */
  const act = async (command: RegistryCommandInput, done?: string): Promise<void> => {
    await mutateAsync(command);
    if (done) notify({ title: done });
  };

  /** @returns success; a toast has the reason otherwise */
  const send = async (command: RegistryCommandInput, done: string): Promise<boolean> => {
    try {
      await act(command, done);

      return true;
    } catch (fault) {
      const { message, requestId } = toApiError(fault);
      notify({ tone: "error", title: message, ...(requestId ? { description: `Request ${requestId}` } : {}) });

      return false;
    }
  };

  return { act, send, pending: isPending ? (variables?.type ?? null) : null };
};

type Draft = {
  /** Null: not complete, as `problem` says. */
  readonly command: RegistryCommandInput | null;
  /** Which the command names. */
  readonly secrets: readonly SecretToPut[];
  readonly problem: string | null;
};

/** Submits a form that stores secrets before its command. */
export const useRegistryForm = () => {
  const { act } = useRegistry();
  const { putAll } = useSecrets();
  const { attempt, isPending, error } = useAttempt();
  const [problem, setProblem] = useState<string | null>(null);

  /** @returns success */
  const submit = async ({ command, secrets, problem: found }: Draft, done?: string): Promise<boolean> => {
    setProblem(found);
    if (command === null) return false;

    return attempt(async () => {
      // The server is not contacted without its secrets.
      await putAll(secrets);
      await act(command, done);
    });
  };

  return { submit, isPending, error, problem };
};
