"use client";

import { useQuery } from "@tanstack/react-query";
import { CircleCheck, CircleDashed } from "lucide-react";
import Link from "next/link";
import { useTRPC } from "@/components/trpc/trpc";
import { cn } from "@/components/ui/cn";
import { Panel } from "@/components/ui/panel";
import { QueryState } from "@/components/ui/query-state";
import type { Role } from "@/lib/roles";
import { listDemoSteps, listOwnSteps, type Step } from "./first-steps";
import { useVerifiedRuns } from "@/components/proof/verified-runs";

const StepLine = ({ step: { title, how, href, isDone, who } }: { readonly step: Step }) => (
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
      <span className="block text-xs text-muted">
        {who === null || isDone ? null : `For ${who}. `}
        {how}
      </span>
    </span>
  </Link>
);

const PeopleNote = () => (
  <div className="border-t px-3 py-2.5 text-xs text-muted">
    <p>
      A first approved write takes three accounts: an admin, a builder and a reviewer. A later version that may do more takes a second
      builder.
    </p>
    <p className="mt-1">
      Alone? Invite yourself twice under other addresses, and confirm such a version as the operator with{" "}
      <span className="font-mono break-all">npx countersign publish-requests confirm</span>.
    </p>
  </div>
);

type Props = { readonly role: Role; readonly isDemo: boolean };

export const FirstStepsPanel = ({ role, isDemo }: Props) => {
  const query = useQuery(useTRPC().home.firstDay.queryOptions());
  const verified = useVerifiedRuns();
  const steps = query.data && (isDemo ? listDemoSteps : listOwnSteps)({ ...query.data, verified }, role);

  return (
    <Panel
      title="First steps"
      actions={
        steps ? (
          <span className="tabular text-xs text-muted">
            {steps.filter(({ isDone }) => isDone).length} of {steps.length}
          </span>
        ) : null
      }
    >
      <QueryState query={query} rows={7}>
        {() => (
          <>
            <ol className="divide-y">
              {steps?.map((step) => (
                <li key={step.id}>
                  <StepLine step={step} />
                </li>
              ))}
            </ol>
            {isDemo ? null : <PeopleNote />}
          </>
        )}
      </QueryState>
    </Panel>
  );
};
