"use client";

import { useQuery } from "@tanstack/react-query";
import { useTRPC } from "@/components/trpc/trpc";

const many = (count: number, one: string, more: string): string => `${count} ${count === 1 ? one : more}`;

/** In one sentence what a step out of use touches, before it is taken. */
export const ImpactLine = ({ id }: { readonly id: string }) => {
  const { data } = useQuery(useTRPC().mcp.impact.queryOptions({ id }));
  if (!data) return null;
  const open = data.approvals.filter(({ status }) => status === "open").length;
  const runs = data.runs.items.length + data.runs.more;
  const graphs = data.graphs.items.length + data.graphs.more;

  return (
    <p className="text-sm">
      {many(open, "waiting approval becomes", "waiting approvals become")} void; {many(runs, "run", "runs")} under way and{" "}
      {many(graphs, "graph", "graphs")} use it.
    </p>
  );
};
