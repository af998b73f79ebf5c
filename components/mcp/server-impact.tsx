"use client";

import { useQuery } from "@tanstack/react-query";
import Link from "next/link";
import type { ReactNode } from "react";
import type { Outputs } from "@/components/trpc/outputs";
import { useTRPC } from "@/components/trpc/trpc";
import { Mark } from "@/components/ui/marks/mark";
import { Panel } from "@/components/ui/panel";
import { QueryState } from "@/components/ui/query-state";

type Impact = Outputs["mcp"]["impact"];

const SHOWN_OF_ID = 8;
const LINK = "inline-flex min-h-6 items-center text-accent underline underline-offset-2";

const Group = ({ title, none, more, children }: { title: string; none: string; more: number; children: readonly ReactNode[] }) => (
  <div className="px-3 py-2">
    <h3 className="mb-1 text-xs text-muted">{title}</h3>
    {children.length === 0 ? (
      <p className="text-sm text-muted">{none}</p>
    ) : (
      <ul aria-label={title} className="flex flex-col gap-1 text-sm">
        {children}
      </ul>
    )}
    {more > 0 ? <p className="text-xs text-muted">And {more} more.</p> : null}
  </div>
);

const Approvals = ({ approvals }: Pick<Impact, "approvals">) => (
  <Group title="Approvals" none="No approvals are pending for its tools." more={0}>
    {approvals.map(({ id, tool, node, status }) => (
      <li key={id} className="flex flex-wrap items-center gap-2">
        <Link href={`/approvals/${id}`} className={LINK}>
          {tool}
        </Link>
        <span className="text-xs text-muted">requested by {node}</span>
        {status === "open" ? <Mark kind="waiting">Pending</Mark> : <Mark kind="refused">Void; requested again when the tool is back</Mark>}
      </li>
    ))}
  </Group>
);

const Depending = ({ impact }: { readonly impact: Impact }) => (
  <div className="divide-y divide-line">
    <Approvals approvals={impact.approvals} />
    <Group title="Active runs" none="No active run uses it." more={impact.runs.more}>
      {impact.runs.items.map(({ id, status }) => (
        <li key={id} className="flex items-center gap-2">
          <Link href={`/runs/${id}`} className={`font-mono text-xs ${LINK}`}>
            {id.slice(0, SHOWN_OF_ID)}
          </Link>
          <span className="text-xs text-muted">{status}</span>
        </li>
      ))}
    </Group>
    <Group title="Agents with its tools" none="No agent has one of its tools." more={impact.agents.more}>
      {impact.agents.items.map(({ id, name, tools }) => (
        <li key={id}>
          {name} <span className="text-xs text-muted">{tools.join(", ")}</span>
        </li>
      ))}
    </Group>
    <Group title="Graphs that use it" none="No published graph uses it." more={impact.graphs.more}>
      {impact.graphs.items.map(({ id, name }) => (
        <li key={id}>
          <Link href={`/graphs/${id}`} className={LINK}>
            {name}
          </Link>
        </li>
      ))}
    </Group>
  </div>
);

export const ServerImpact = ({ id }: { readonly id: string }) => (
  <Panel title="Dependents">
    <QueryState query={useQuery(useTRPC().mcp.impact.queryOptions({ id }))} what="dependents">
      {(impact) => <Depending impact={impact} />}
    </QueryState>
  </Panel>
);
