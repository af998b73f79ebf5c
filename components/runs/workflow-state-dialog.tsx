"use client";

import { useQuery } from "@tanstack/react-query";
import { parseAsBoolean, useQueryState } from "nuqs";
import { CopyBlock } from "@/components/ui/copy-block";
import { Dialog } from "@/components/ui/dialog";
import { QueryState } from "@/components/ui/query-state";
import { useTRPC } from "@/components/trpc/trpc";
import { displayJson } from "@/components/values/json-display";

/** Stored in the URL (`?state=true`). */
export const useStateOpen = () => {
  const [isOpen, setOpen] = useQueryState("state", parseAsBoolean.withDefault(false).withOptions({ history: "push" }));

  return { isOpen, setOpen: (next: boolean) => void setOpen(next ? true : null) };
};

const Fields = ({ runId, version }: { readonly runId: string; readonly version: number }) => {
  const trpc = useTRPC();
  const query = useQuery(trpc.runs.state.queryOptions({ runId: runId, ...(version === 0 ? {} : { seq: version - 1 }) }));

  return (
    <QueryState query={query} rows={10}>
      {(state) => (
        <div className="flex flex-col gap-3">
          <table className="w-full text-sm">
            <caption className="sr-only">Fields of the workflow state</caption>
            <tbody>
              {Object.entries(state).map(([name, value]) => (
                <tr key={name} className="border-b align-top last:border-b-0">
                  <th scope="row" className="w-52 py-1 pr-3 text-left font-mono text-xs font-normal text-muted max-sm:w-32">
                    {name}
                  </th>
                  <td className="py-1 font-mono text-xs wrap-anywhere whitespace-pre-wrap">{displayJson(value)}</td>
                </tr>
              ))}
            </tbody>
          </table>
          <CopyBlock label="command" text={`npx countersign state ${runId}`} />
        </div>
      )}
    </QueryState>
  );
};

/** WorkflowState after a run's newest record. @param version number of records */
export const WorkflowStateDialog = ({ runId, version }: { readonly runId: string; readonly version: number }) => {
  const { isOpen, setOpen } = useStateOpen();

  return (
    <Dialog
      open={isOpen}
      onOpenChange={setOpen}
      size="lg"
      title="Workflow state"
      description="Computed from the run's records. Values that your role may not see are left out."
    >
      {isOpen ? <Fields runId={runId} version={version} /> : null}
    </Dialog>
  );
};
