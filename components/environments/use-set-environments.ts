import { useMutation } from "@tanstack/react-query";
import { useAdminSignature } from "@/components/passkeys/use-admin-signature";
import { useTRPC, useTRPCClient } from "@/components/trpc/trpc";
import { useRefresh } from "@/components/trpc/use-refresh";
import type { Environment } from "@/lib/environments/environment";

export const useSetEnvironments = (shown: readonly Environment[]) => {
  const trpc = useTRPC();
  const api = useTRPCClient();
  const sign = useAdminSignature();

  return useMutation({
    mutationFn: async (environments: readonly Environment[]) => {
      const change = {
        was: shown.map(({ id, title }) => ({ id, title })),
        environments: environments.map(({ id, title }) => ({ id, title })),
      };

      return api.environments.set.mutate({ ...change, ...(await sign({ kind: "environments_set", ...change })) });
    },
    onSettled: useRefresh(trpc.environments.pathFilter()),
  });
};
