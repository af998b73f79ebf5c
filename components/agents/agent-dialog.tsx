"use client";

import { useQuery } from "@tanstack/react-query";
import { useState, type ReactNode } from "react";
import { useTRPC } from "@/components/trpc/trpc";
import { Button } from "@/components/ui/button";
import { Dialog } from "@/components/ui/dialog";
import { SkeletonRows } from "@/components/ui/skeleton";
import type { PinnedTool } from "@/lib/graph/document";
import { AgentForm } from "./agent-form";

type Props = {
  /** Null makes a new one. */
  readonly agentId: string | null;
  readonly tools: readonly PinnedTool[];
  readonly label: string;
  readonly onSaved: (id: string) => void;
  /** What is to be known about the agent as it was last saved, below its form. */
  readonly children?: ReactNode;
};

const Loaded = ({ agentId, tools, onSaved }: Omit<Props, "label" | "children">) => {
  const trpc = useTRPC();
  const agents = useQuery(trpc.agents.list.queryOptions(undefined, { staleTime: 0 }));
  if (!agents.data || agents.isFetching) return <SkeletonRows />;
  const row = agents.data.find((item) => item.agent.id === agentId);

  return <AgentForm agent={row?.agent ?? null} revision={row?.revision ?? null} tools={tools} onSaved={(agent) => onSaved(agent.id)} />;
};

/** Opens an agent of the registry where it is used. */
export const AgentDialog = ({ agentId, tools, label, onSaved, children }: Props) => {
  const [isOpen, setIsOpen] = useState(false);

  return (
    <>
      <Button size="sm" onClick={() => setIsOpen(true)}>
        {label}
      </Button>
      <Dialog open={isOpen} onOpenChange={setIsOpen} size="lg" title={label}>
        <Loaded
          agentId={agentId}
          tools={tools}
          onSaved={(id) => {
            setIsOpen(false);
            onSaved(id);
          }}
        />
        {children ? <div className="mt-4">{children}</div> : null}
      </Dialog>
    </>
  );
};
