"use client";

import { useMutation } from "@tanstack/react-query";
import { useTRPC } from "@/components/trpc/trpc";
import { useRefresh } from "@/components/trpc/use-refresh";
import type { SecretToPut } from "./header-rows";

export const useSecrets = () => {
  const trpc = useTRPC();
  const options = { onSettled: useRefresh(trpc.secrets.pathFilter()) };
  const put = useMutation(trpc.secrets.put.mutationOptions(options));
  const remove = useMutation(trpc.secrets.remove.mutationOptions(options));

  return {
    /** @throws the error of the first unstored secret */
    putAll: async (secrets: readonly SecretToPut[]): Promise<void> => {
      for (const { name, value, environment } of secrets) await put.mutateAsync({ name, value, ...(environment ? { environment } : {}) });
    },
    remove: (name: string, environment: string | null) => remove.mutateAsync({ name, ...(environment === null ? {} : { environment }) }),
  };
};
