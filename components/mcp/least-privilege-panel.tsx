"use client";

import { useQuery } from "@tanstack/react-query";
import type { ReactNode } from "react";
import { useTRPC } from "@/components/trpc/trpc";
import { EmptyState } from "@/components/ui/empty-state";
import { LoadFailed } from "@/components/ui/load-failed";
import { Panel } from "@/components/ui/panel";
import { SkeletonRows } from "@/components/ui/skeleton";
import { FEWEST_RUNS, MOST_RUNS } from "@/lib/mcp/tool-use";
import type { Role } from "@/lib/roles";
import type { ServerView } from "@/server/trpc/routers/mcp/view";
import { AgentGrants } from "./least-privilege-agents";
import { CallerGrants } from "./least-privilege-callers";
import { restsOn } from "@/components/agents/grant-text";

const TITLE = "Grants and usage";

/** Basis of the suggestions. */
const Rests = ({ runs }: { readonly runs: number }) => (
  <p className="border-t px-3 py-2 text-xs text-muted">
    {restsOn(runs)} Up to {MOST_RUNS} runs in which a tool could be called count; with fewer than {FEWEST_RUNS}, nothing is suggested.
  </p>
);

const Heading = ({ children }: { readonly children: ReactNode }) => (
  <h3 className="px-3 pt-2 text-xs font-medium text-muted">{children}</h3>
);

export const LeastPrivilegePanel = ({ server, role }: { readonly server: ServerView; readonly role: Role }) => {
  const trpc = useTRPC();
  const callers = useQuery(trpc.mcp.usage.queryOptions({ id: server.id }));
  const agents = useQuery(trpc.agents.usage.queryOptions());
  const failed = callers.error ? callers : agents.error ? agents : null;
  if (!callers.data || !agents.data) {
    return (
      <Panel title={TITLE}>
        {failed ? <LoadFailed what="usage" error={failed.error} retry={failed.refetch} /> : <SkeletonRows rows={3} />}
      </Panel>
    );
  }
  const holding = agents.data.agents
    .map((agent) => ({ ...agent, tools: agent.tools.filter((tool) => tool.server === server.id) }))
    .filter(({ tools }) => tools.length > 0);
  if (callers.data.callers.length === 0 && holding.length === 0) {
    return (
      <Panel title={TITLE}>
        <EmptyState kind="nothing_yet" title="No grants">
          Nothing can call this server, and no agent has one of its tools.
        </EmptyState>
      </Panel>
    );
  }

  return (
    <Panel title={TITLE}>
      {callers.data.callers.length > 0 ? (
        <>
          <Heading>Allowed callers</Heading>
          <CallerGrants server={server} callers={callers.data.callers} role={role} />
        </>
      ) : null}
      {holding.length > 0 ? (
        <>
          <Heading>Agents with its tools</Heading>
          <AgentGrants agents={holding} role={role} />
        </>
      ) : null}
      <Rests runs={callers.data.runs} />
    </Panel>
  );
};

/** Agents with unused tools first. */
export const AgentGrantsPanel = ({ role }: { readonly role: Role }) => {
  const usage = useQuery(useTRPC().agents.usage.queryOptions());
  if (usage.error) {
    return (
      <Panel title="Agents: grants and usage">
        <LoadFailed what="usage" error={usage.error} retry={usage.refetch} />
      </Panel>
    );
  }
  if (!usage.data || usage.data.agents.length === 0) return null;
  const hasUnused = ({ tools }: (typeof usage.data.agents)[number]) => tools.some(({ verdict }) => verdict === "unused");

  return (
    <Panel title="Agents: grants and usage">
      <AgentGrants
        agents={[...usage.data.agents.filter(hasUnused), ...usage.data.agents.filter((agent) => !hasUnused(agent))]}
        role={role}
      />
      <Rests runs={usage.data.runs} />
    </Panel>
  );
};
