"use client";

import { useQuery } from "@tanstack/react-query";
import Link from "next/link";
import { useTRPC } from "@/components/trpc/trpc";
import { Callout } from "@/components/ui/callout";

const MOST_NAMED = 3;

export const BudgetNotice = () => {
  const trpc = useTRPC();
  const near = useQuery(
    trpc.runs.list.queryOptions({ active: true, nearBudget: true, limit: MOST_NAMED + 1 }, { refetchInterval: 30_000 }),
  );
  const runs = near.data?.runs ?? [];
  if (runs.length === 0) return null;

  return (
    <div className="px-6 pt-3 max-sm:px-4">
      <Callout kind="waiting" title={runs.length === 1 ? "A run is near its budget" : "Runs are near their budgets"}>
        {runs.slice(0, MOST_NAMED).map(({ id, graphName, budgetPercent }, index) => (
          <span key={id}>
            {index === 0 ? "" : ", "}
            <Link className="underline" href={`/runs/${id}`}>
              {graphName}
            </Link>{" "}
            ({budgetPercent} %)
          </span>
        ))}
        {runs.length > MOST_NAMED ? (
          <>
            {" and "}
            <Link className="underline" href="/runs?active=true&nearBudget=true">
              more
            </Link>
          </>
        ) : null}
        .
      </Callout>
    </div>
  );
};
