"use client";

import { useMutation, useQueryClient } from "@tanstack/react-query";
import { useRouter } from "next/navigation";
import { useTRPC } from "@/components/trpc/trpc";

export const useImport = () => {
  const router = useRouter();
  const trpc = useTRPC();
  const queries = useQueryClient();

  return useMutation(
    trpc.graphs.import.mutationOptions({
      onSuccess: ({ id }) => {
        void queries.invalidateQueries({ queryKey: trpc.graphs.list.queryKey() });
        router.push(`/graphs/${id}`);
      },
    }),
  );
};

export const NOTHING_READ = "Add a valid graph first";
