"use client";

import { useQuery } from "@tanstack/react-query";
import Link from "next/link";
import { useTRPC } from "@/components/trpc/trpc";
import { Mark } from "@/components/ui/marks/mark";

export const WaitingLink = ({ graphId }: { readonly graphId: string }) => {
  const open = useQuery(useTRPC().graphs.publishRequestList.queryOptions({ graph: null }));
  if (!open.data?.some((request) => request.graphId === graphId)) return null;

  return (
    <Link href={`/graphs/${graphId}?dialog=publish`} className="ml-2 hover:underline">
      <Mark kind="waiting">Waiting for a second person</Mark>
    </Link>
  );
};
