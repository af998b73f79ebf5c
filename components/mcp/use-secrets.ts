"use client";

import { useMutation, useQueryClient } from "@tanstack/react-query";
import { useTRPC } from "@/components/trpc/trpc";
import type { SecretToPut } from "./header-rows";

/** Write-only secret store. */
export const useSecrets = () => {
  const trpc = useTRPC();
  const client = useQueryClient();
  const options = { onSettled: () => client.invalidateQueries({ queryKey: trpc.secrets.pathKey() }) };
  const put = useMutation(trpc.secrets.put.mutationOptions(options));
  const remove = useMutation(trpc.secrets.remove.mutationOptions(options));

  return {
    /** @throws the error of the first unstored secret */
    putAll: async (secrets: readonly SecretToPut[]): Promise<void> => {
      for (const { name, value } of secrets) await put.mutateAsync({ name, value });
    },
    remove,
    isPending: put.isPending || remove.isPending,
  };
};
