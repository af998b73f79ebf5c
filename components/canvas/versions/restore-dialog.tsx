"use client";

import { useMutation, useQueryClient } from "@tanstack/react-query";
import type { ReactNode } from "react";
import { toApiError } from "@/components/trpc/api-error";
import { useTRPC, useTRPCClient } from "@/components/trpc/trpc";
import { Button } from "@/components/ui/button";
import { Callout } from "@/components/ui/callout";
import { Dialog } from "@/components/ui/dialog";
import type { Agent } from "@/lib/graph/document";
import type { Difference, RegistryDiff } from "@/lib/graph/registry-diff";
import { FieldChanges } from "./field-changes";

type GroupProps = { readonly title: string; readonly about: string; readonly children: ReactNode };

const Group = ({ title, about, children }: GroupProps) => (
  <section aria-label={title} className="flex flex-col gap-1">
    <h3 className="text-sm font-medium">{title}</h3>
    <p className="text-xs text-muted">{about}</p>
    <ul className="flex flex-col gap-1">{children}</ul>
  </section>
);

const Row = <T extends object>({ name, pair: { now, frozen } }: { readonly name: string; readonly pair: Difference<T> }) => (
  <li className="text-sm">
    <span className="font-mono text-xs">{name}</span>
    {now === null ? <span className="text-muted"> no longer exists</span> : <FieldChanges before={now} after={frozen} />}
  </li>
);

/** Saves former agents against their present revisions. */
const useRestoreAgents = () => {
  const trpc = useTRPC();
  const client = useTRPCClient();
  const queries = useQueryClient();

  return useMutation({
    mutationFn: async (agents: readonly Agent[]) => {
      const rows = await client.agents.list.query();
      for (const agent of agents) {
        const revision = rows.find((row) => row.agent.id === agent.id)?.revision ?? null;
        await client.agents.save.mutate({ agent, revision });
      }
    },
    // Some may be saved when a later one fails.
    onSettled: () =>
      Promise.all([
        queries.invalidateQueries({ queryKey: trpc.agents.pathKey() }),
        queries.invalidateQueries({ queryKey: trpc.graphs.catalog.queryKey() }),
      ]),
  });
};

type Props = {
  readonly open: boolean;
  readonly onClose: () => void;
  /** Such as "version 3". */
  readonly name: string;
  readonly differences: RegistryDiff;
  /** Why the drawing cannot be restored, such as no change. */
  readonly whyNotDrawing: string | null;
  readonly onRestore: () => void;
};

export const RestoreDialog = ({ open, onClose, name, differences: { agents, tools }, whyNotDrawing, onRestore }: Props) => {
  const restoreAgents = useRestoreAgents();
  const finish = () => {
    if (whyNotDrawing === null) onRestore();
    onClose();
  };

  return (
    <Dialog
      open={open}
      onOpenChange={(next) => (next ? undefined : onClose())}
      title={`Restore ${name}`}
      description="Agents and tools belong to the workspace, not to the drawing. Some differ from this version."
      size="lg"
    >
      <div className="flex flex-col gap-4">
        {restoreAgents.error ? <Callout kind="refused" alert title={toApiError(restoreAgents.error).message} /> : null}
        {agents.length === 0 ? null : (
          <Group
            title="Agents that differ"
            about="Before: now. After: in the version. Other graphs use these agents too, from their next publish."
          >
            {agents.map((pair) => (
              <Row key={pair.frozen.id} name={pair.frozen.name} pair={pair} />
            ))}
          </Group>
        )}
        {tools.length === 0 ? null : (
          <Group title="Tools that differ" about="They are not restored: an admin reviews and labels tools under MCP servers.">
            {tools.map((pair) => (
              <Row key={`${pair.frozen.server} ${pair.frozen.tool}`} name={`${pair.frozen.server} / ${pair.frozen.tool}`} pair={pair} />
            ))}
          </Group>
        )}
        <div className="flex flex-wrap justify-end gap-2 border-t pt-3">
          <Button onClick={onClose}>Cancel</Button>
          <Button disabledReason={whyNotDrawing} onClick={finish}>
            Restore the drawing only
          </Button>
          {agents.length === 0 ? null : (
            <Button
              variant="primary"
              pending={restoreAgents.isPending ? "Restoring…" : null}
              onClick={() =>
                restoreAgents.mutate(
                  agents.map(({ frozen }) => frozen),
                  { onSuccess: finish },
                )
              }
            >
              {whyNotDrawing === null ? "Restore drawing and agents" : "Restore the agents"}
            </Button>
          )}
        </div>
      </div>
    </Dialog>
  );
};
