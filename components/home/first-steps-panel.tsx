"use client";

import { useQuery } from "@tanstack/react-query";
import { CircleCheck, CircleDashed } from "lucide-react";
import Link from "next/link";
import { useTRPC } from "@/components/trpc/trpc";
import { cn } from "@/components/ui/cn";
import { Panel } from "@/components/ui/panel";
import { listFirstSteps } from "./first-steps";
import { useVerifiedRuns } from "@/components/proof/verified-runs";

export const FirstStepsPanel = () => {
  const trpc = useTRPC();
  const runs = useQuery(trpc.runs.list.queryOptions({ limit: 50 }));
  const decided = useQuery(trpc.approvals.list.queryOptions({ status: "resolved" }));
  const verified = useVerifiedRuns();
  const steps = listFirstSteps({ runs: runs.data?.runs ?? [], decided: decided.data ?? [], verified });
  const doneCount = steps.filter(({ isDone }) => isDone).length;

  return (
    <Panel
      title="First steps"
      actions={
        <span className="tabular text-xs text-muted">
          {doneCount} of {steps.length}
        </span>
      }
    >
      <ol className="divide-y">
        {steps.map(({ id, title, how, href, isDone }) => (
          <li key={id}>
            <Link href={href} className="flex gap-3 px-3 py-2.5 transition-colors hover:bg-hover focus-visible:-outline-offset-2">
              {isDone ? (
                <CircleCheck aria-hidden className="mt-0.5 size-4 shrink-0 text-accent" />
              ) : (
                <CircleDashed aria-hidden className="mt-0.5 size-4 shrink-0 text-faint" />
              )}
              <span>
                <span className={cn("block font-medium", isDone && "text-muted")}>
                  {title}
                  {isDone ? <span className="sr-only"> (done)</span> : null}
                </span>
                <span className="block text-xs text-muted">{how}</span>
              </span>
            </Link>
          </li>
        ))}
      </ol>
    </Panel>
  );
};
