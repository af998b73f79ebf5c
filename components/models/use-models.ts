"use client";

import { useMutation } from "@tanstack/react-query";
import { useTRPC } from "@/components/trpc/trpc";
import { useRefresh } from "@/components/trpc/use-refresh";
import { notify } from "@/components/ui/toast";
import type { ModelChange } from "@/lib/model-change";

/** Changes models; refetches once the runner answered. */
export const useModelChange = () => {
  const trpc = useTRPC();
  const { mutate, mutateAsync, isPending, error, reset } = useMutation(
    trpc.models.change.mutationOptions({ onSettled: useRefresh(trpc.models.pathFilter()) }),
  );
  const send = (change: ModelChange, done: string, onDone?: () => void) =>
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
