"use client";

import { useMutation } from "@tanstack/react-query";
import { CircleAlert, Circle } from "lucide-react";
import { toApiError } from "@/components/trpc/api-error";
import { useTRPC } from "@/components/trpc/trpc";
import { Button } from "@/components/ui/button";
import { Callout } from "@/components/ui/callout";
import { Panel } from "@/components/ui/panel";
import { Spinner } from "@/components/ui/spinner";
import { describeAttempt } from "@/lib/architect/loop";
import type { Job } from "./types";

const problems = (count: number): string => `${count} ${count === 1 ? "problem" : "problems"}`;

export const Attempts = ({ job }: { readonly job: Job }) => {
  const isOver = job.status !== "queued" && job.status !== "working";

  return (
    <ol className="flex flex-col gap-3">
      {job.tried.map((found, index) => (
        <li key={`attempt ${index + 1}`} className="flex flex-col gap-1 text-sm">
          <p className="flex items-center gap-2">
            <CircleAlert aria-hidden className="size-3.5 text-tainted" />
            Attempt {index + 1} had {problems(found.length)}
          </p>
          <ul className="ml-5.5 flex list-disc flex-col gap-0.5 pl-3 text-xs text-muted">
            {found.map(({ code, message }) => (
              <li key={`${code} ${message}`} className="wrap-anywhere">
                {message}
              </li>
            ))}
          </ul>
        </li>
      ))}
      {isOver ? null : (
        <li className="flex items-center gap-2 text-sm">
          {job.status === "queued" ? <Circle aria-hidden className="size-3.5 text-faint" /> : <Spinner />}
          <output>{job.status === "queued" ? "Waiting for a runner" : describeAttempt(job.attempt, job.problems)}</output>
        </li>
      )}
    </ol>
  );
};

export const Progress = ({ job }: { readonly job: Job }) => {
  const stop = useMutation(useTRPC().architect.cancel.mutationOptions());

  return (
    <div className="mx-auto flex w-full max-w-2xl flex-col gap-3 p-4">
      {stop.error ? <Callout kind="refused" alert title={toApiError(stop.error).message} /> : null}
      <Panel
        title="The architect is working"
        bodyClassName="flex flex-col gap-4 p-3"
        actions={
          <Button size="sm" pending={stop.isPending || stop.isSuccess ? "Stopping…" : null} onClick={() => stop.mutate({ id: job.id })}>
            Stop
          </Button>
        }
      >
        <Attempts job={job} />
      </Panel>
    </div>
  );
};
