"use client";

import { useMutation, useQueryClient } from "@tanstack/react-query";
import { useTRPC } from "@/components/trpc/trpc";
import { notify } from "@/components/ui/toast";
import type { ModelChange } from "@/lib/model-change";

/** Changes models; refetches once the runner answered. */
export const useModelChange = (onDone?: () => void) => {
  const trpc = useTRPC();
  const client = useQueryClient();
  const { mutate, mutateAsync, isPending, error, reset } = useMutation(
    trpc.models.change.mutationOptions({ onSettled: () => client.invalidateQueries({ queryKey: trpc.models.pathKey() }) }),
  );
  const send = (change: ModelChange, done: string) =>
    mutate(
      { change },
      {
        onSuccess: () => {
          notify({ title: done });
          onDone?.();
        },
      },
    );

  return { send, sendAndWait: (change: ModelChange) => mutateAsync({ change }), isPending, error, reset };
};
