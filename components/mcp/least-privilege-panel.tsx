"use client";

import { useQuery } from "@tanstack/react-query";
import type { ReactNode } from "react";
import { apiError } from "@/components/trpc/api-error";
import { useTRPC } from "@/components/trpc/trpc";
import { Button } from "@/components/ui/button";
import { EmptyState } from "@/components/ui/empty-state";
import { Panel } from "@/components/ui/panel";
import { SkeletonRows } from "@/components/ui/skeleton";
import { FEWEST_RUNS, MOST_RUNS } from "@/lib/mcp/tool-use";
import type { Role } from "@/lib/roles";
import type { ServerView } from "@/server/trpc/routers/mcp/view";
import { AgentGrants } from "./least-privilege-agents";
import { CallerGrants } from "./least-privilege-callers";
import { restsOn } from "./grant-text";

const TITLE = "Granted and used";

const Failed = ({ error, again }: { readonly error: Parameters<typeof apiError>[0]; readonly again: () => unknown }) => {
  const { message, requestId } = apiError(error);

  return (
    <EmptyState
      kind="failed"
      title="It could not be worked out"
      requestId={requestId}
      action={<Button onClick={() => void again()}>Try again</Button>}
    >
      {message}
    </EmptyState>
  );
};

/** What all of it rests on, and from when on something is proposed. */
const Rests = ({ runs }: { readonly runs: number }) => (
  <p className="border-t px-3 py-2 text-xs text-muted">
    {restsOn(runs)} Of the runs in which it could be called, the newest {MOST_RUNS} count; with fewer than {FEWEST_RUNS} nothing is
    proposed.
  </p>
);

const Heading = ({ children }: { readonly children: ReactNode }) => (
  <h3 className="px-3 pt-2 text-xs font-medium text-muted">{children}</h3>
);

/** One server: who may call it beside who did, and the agents that hold its tools beside what they called. */
export const LeastPrivilegePanel = ({ server, role }: { readonly server: ServerView; readonly role: Role }) => {
  const trpc = useTRPC();
  const callers = useQuery(trpc.mcp.usage.queryOptions({ id: server.id }));
  const agents = useQuery(trpc.agents.usage.queryOptions());
  const failed = callers.error ? callers : agents.error ? agents : null;
  if (failed?.error) {
    return (
      <Panel title={TITLE}>
        <Failed error={failed.error} again={failed.refetch} />
      </Panel>
    );
  }
  if (!callers.data || !agents.data) {
    return (
      <Panel title={TITLE}>
        <SkeletonRows rows={3} />
      </Panel>
    );
  }
  const holding = agents.data.agents
    .map((agent) => ({ ...agent, tools: agent.tools.filter((tool) => tool.server === server.id) }))
    .filter(({ tools }) => tools.length > 0);
  if (callers.data.callers.length === 0 && holding.length === 0) {
    return (
      <Panel title={TITLE}>
        <EmptyState kind="nothing_yet" title="Nothing is granted">
          Nobody may call this server, and no agent holds one of its tools.
        </EmptyState>
      </Panel>
    );
  }

  return (
    <Panel title={TITLE}>
      {callers.data.callers.length > 0 ? (
        <>
          <Heading>Allowed to call</Heading>
          <CallerGrants server={server} callers={callers.data.callers} role={role} />
        </>
      ) : null}
      {holding.length > 0 ? (
        <>
          <Heading>Agents that hold its tools</Heading>
          <AgentGrants agents={holding} role={role} />
        </>
      ) : null}
      <Rests runs={callers.data.runs} />
    </Panel>
  );
};

/** The agents of the workspace that hold tools, those with something to leave out first; nothing at all while there are none. */
export const AgentGrantsPanel = ({ role }: { readonly role: Role }) => {
  const usage = useQuery(useTRPC().agents.usage.queryOptions());
  if (usage.error) {
    return (
      <Panel title="Agents: granted and used">
        <Failed error={usage.error} again={usage.refetch} />
      </Panel>
    );
  }
  if (!usage.data || usage.data.agents.length === 0) return null;
  const hasUnused = ({ tools }: (typeof usage.data.agents)[number]) => tools.some(({ verdict }) => verdict === "unused");

  return (
    <Panel title="Agents: granted and used">
      <AgentGrants
        agents={[...usage.data.agents.filter(hasUnused), ...usage.data.agents.filter((agent) => !hasUnused(agent))]}
        role={role}
      />
      <Rests runs={usage.data.runs} />
    </Panel>
  );
};
