"use client";

import { useQuery } from "@tanstack/react-query";
import { useTRPC } from "@/components/trpc/trpc";

const many = (count: number, one: string, more: string): string => `${count} ${count === 1 ? one : more}`;

export const ImpactLine = ({ id }: { readonly id: string }) => {
  const { data } = useQuery(useTRPC().mcp.impact.queryOptions({ id }));
  if (!data) return null;
  const open = data.approvals.filter(({ status }) => status === "open").length;
  const runs = data.runs.items.length + data.runs.more;
  const graphs = data.graphs.items.length + data.graphs.more;

  return (
    <p className="text-sm">
      {many(open, "pending approval becomes", "pending approvals become")} void; {many(runs, "active run", "active runs")} and{" "}
      {many(graphs, "graph", "graphs")} use it.
    </p>
  );
};
