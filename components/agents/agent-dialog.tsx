"use client";

import { useQuery } from "@tanstack/react-query";
import type { ReactNode } from "react";
import { useTRPC } from "@/components/trpc/trpc";
import { DialogButton } from "@/components/ui/dialog-button";
import { SkeletonRows } from "@/components/ui/skeleton";
import type { PinnedTool } from "@/lib/graph/document";
import type { ToolName } from "@/lib/mcp/tool-use";
import type { AddedPath } from "./agent-draft";
import { AgentForm } from "./agent-form";

type Props = {
  readonly agentId: string | null;
  readonly tools: readonly PinnedTool[];
  readonly label: string;
  readonly suggestedName?: string;
  readonly without?: readonly ToolName[];
  readonly adds?: AddedPath;
  readonly reason?: string | null;
  readonly onSaved: (id: string) => void;
  readonly children?: ReactNode;
};

const Loaded = ({ agentId, tools, suggestedName = "", without, adds, onSaved }: Omit<Props, "label" | "reason" | "children">) => {
  const trpc = useTRPC();
  const agents = useQuery(trpc.agents.list.queryOptions(undefined, { staleTime: 0 }));
  if (!agents.data || agents.isFetching) return <SkeletonRows />;
  const row = agents.data.find((item) => item.agent.id === agentId);

  return (
    <AgentForm
      agent={row?.agent ?? null}
      revision={row?.revision ?? null}
      tools={tools}
      suggestedName={suggestedName}
      taken={agents.data.map((item) => item.agent.id)}
      without={without}
      {...(adds ? { adds } : {})}
      onSaved={(agent) => onSaved(agent.id)}
    />
  );
};

export const AgentDialog = ({ agentId, tools, label, suggestedName = "", without = [], adds, reason = null, onSaved, children }: Props) => (
  <DialogButton label={label} buttonSize="sm" disabledReason={reason} size="lg" title={label}>
    {(close) => (
      <>
        <Loaded
          agentId={agentId}
          tools={tools}
          suggestedName={suggestedName}
          without={without}
          {...(adds ? { adds } : {})}
          onSaved={(id) => {
            close();
            onSaved(id);
          }}
        />
        {children ? <div className="mt-4">{children}</div> : null}
      </>
    )}
  </DialogButton>
);
