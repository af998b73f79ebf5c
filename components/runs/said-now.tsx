"use client";

import { useSubscription } from "@trpc/tanstack-react-query";
import { useTRPC } from "@/components/trpc/trpc";
import { Mark } from "@/components/ui/marks/mark";
import { toVisibleText } from "@/components/values/visible-text";
import type { RunState } from "@/lib/engine/state";
import type { ShownSaid } from "@/server/reading/said-so-far";
import type { NodeNames } from "./node-names";

type Props = { readonly runId: string; readonly state: Pick<RunState, "reservations">; readonly names: NodeNames };

const Said = ({ said: { node, task, text, tool }, names }: { readonly said: ShownSaid } & Pick<Props, "names">) => (
  <li className="flex min-w-0 flex-col gap-1 px-6 py-2 text-sm max-sm:px-4">
    <span className="flex flex-wrap items-center gap-2 text-xs text-muted">
      <Mark kind="waiting">Not recorded yet</Mark>
      {names.at([])(node)}
      {task === "" ? null : <span className="font-mono">{task}</span>}
      {tool === null ? null : (
        <span>
          writes the arguments of <span className="font-mono break-all">{toVisibleText(tool)}</span>
        </span>
      )}
    </span>
    {text === null ? (
      <Mark kind="hidden">Hidden from your role</Mark>
    ) : (
      <p className="max-h-32 overflow-y-auto font-mono text-xs break-words whitespace-pre-wrap">{toVisibleText(text)}</p>
    )}
  </li>
);

const Stream = ({ runId, names }: Pick<Props, "runId" | "names">) => {
  const { data } = useSubscription(useTRPC().runs.said.subscriptionOptions({ runId }));
  if (!data || data.length === 0) return null;

  return (
    <ul aria-label="Models are writing" className="border-b">
      {data.map((said) => (
        <Said key={said.task} said={said} names={names} />
      ))}
    </ul>
  );
};

/** Shows model output; connected only during calls. */
export const SaidNow = ({ runId, state, names }: Props) =>
  Object.keys(state.reservations).length === 0 ? null : <Stream runId={runId} names={names} />;
