"use client";

import { useQuery } from "@tanstack/react-query";
import type { Outputs } from "@/components/trpc/outputs";
import { AgentDialog } from "@/components/agents/agent-dialog";
import { useTRPC } from "@/components/trpc/trpc";
import { explainDenial, type Role } from "@/lib/roles";
import { UseMark } from "@/components/agents/use-mark";

export type AgentUse = Outputs["agents"]["usage"]["agents"][number];

type Props = { readonly agents: readonly AgentUse[]; readonly role: Role };

export const AgentGrants = ({ agents, role }: Props) => {
  const { data: catalog } = useQuery(useTRPC().graphs.catalog.queryOptions());
  const reason = explainDenial(role, "agent.edit");

  return (
    <ul className="divide-y">
      {agents.map(({ id, name, tools }) => {
        const unused = tools.filter(({ verdict }) => verdict === "unused");

        return (
          <li key={id} className="flex flex-wrap items-start gap-x-4 gap-y-2 px-3 py-2">
            <div className="min-w-0 flex-1 basis-64">
              <p className="text-sm font-medium">
                {name} <span className="font-mono text-xs font-normal text-muted">{id}</span>
              </p>
              <ul className="mt-1 flex flex-col gap-0.5">
                {tools.map((use) => (
                  <li key={`${use.server}/${use.tool}`} className="flex flex-wrap items-baseline gap-x-2">
                    <span className="font-mono text-xs break-all">
                      {use.server} / {use.tool}
                    </span>{" "}
                    <UseMark use={use} />
                  </li>
                ))}
              </ul>
            </div>
            {unused.length > 0 && catalog ? (
              <AgentDialog
                agentId={id}
                tools={catalog.tools}
                label={`Reduce tools of ${name}…`}
                without={unused}
                reason={reason}
                onSaved={() => undefined}
              />
            ) : null}
          </li>
        );
      })}
    </ul>
  );
};
