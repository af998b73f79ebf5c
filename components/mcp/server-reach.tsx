"use client";

import { useQuery } from "@tanstack/react-query";
import Link from "next/link";
import { ReachList } from "@/components/analysis/reach-list";
import type { Outputs } from "@/components/trpc/outputs";
import { useTRPC } from "@/components/trpc/trpc";
import { EmptyState } from "@/components/ui/empty-state";
import { Panel } from "@/components/ui/panel";
import { QueryState } from "@/components/ui/query-state";
import type { ServerView } from "@/server/trpc/routers/mcp/view";
import { describeTold } from "@/lib/graph/analyse/labels";
import { describeBetween, describeCaller } from "./caller-text";

type GraphReach = Outputs["mcp"]["reach"]["graphs"][number];

const Line = ({ name, children }: { readonly name: string; readonly children: string }) => (
  <p className="text-sm">
    <span className="text-xs text-muted">{name} </span>
    {children}
  </p>
);

const GraphItem = ({ reach, allowed }: { readonly reach: GraphReach; readonly allowed: readonly string[] }) => {
  const nameOf = (id: string) => reach.titles[id] ?? id;

  return (
    <li className="flex flex-col gap-2 px-3 py-3">
      <h3 className="flex items-center gap-2 text-sm font-medium">
        <Link href={`/graphs/${reach.graphId}`} className="text-accent underline underline-offset-2">
          {reach.graphName}
        </Link>
        <span className="text-xs font-normal text-muted">version {reach.versionNumber}</span>
      </h3>
      {reach.callers.length === 0 ? (
        <p className="text-sm">No reachable node calls it, so it can&apos;t affect anything outside the run.</p>
      ) : (
        <>
          <p className="text-sm font-medium">{reach.sentence}</p>
          <Line name="Callers:">{`${reach.callers.map((caller) => describeCaller(caller, allowed, nameOf)).join(". ")}.`}</Line>
          <Line name="Data it could receive:">
            {reach.told.length === 0
              ? "none: its tools aren't cleared for any of it."
              : `${describeTold(reach.told).join("; ")}${reach.moreTold > 0 ? `; and ${reach.moreTold} more` : ""}.`}
          </Line>
          <Line name="Its output is stored in:">{reach.keys.length === 0 ? "no memory key." : `${reach.keys.join(", ")}.`}</Line>
          <Line name="First approvals:">{reach.firstGates.length === 0 ? "none." : `${reach.firstGates.map(nameOf).join(", ")}.`}</Line>
          <Line name="Approvals on the way:">{describeBetween(reach.waits, nameOf)}</Line>
          <ReachList reachable={reach.reachable} nameOf={nameOf} />
          {reach.more > 0 ? <p className="text-xs text-muted">And {reach.more} more.</p> : null}
        </>
      )}
    </li>
  );
};

/** Blast radius in the newest version of each graph. */
export const ServerReach = ({ server }: { readonly server: ServerView }) => (
  <Panel title="Blast radius">
    {server.status === "active" ? null : (
      <p className="border-b px-3 py-2 text-sm">The server isn&apos;t active, so it can&apos;t be called now.</p>
    )}
    <QueryState query={useQuery(useTRPC().mcp.reach.queryOptions({ id: server.id }))} what="the blast radius" rows={4}>
      {({ credential, graphs, more }) => (
        <>
          {credential ? (
            <p className="border-b px-3 py-2 text-sm">
              It holds one of our credentials and could use it freely. Data it receives can leave with it.
            </p>
          ) : null}
          {graphs.length === 0 ? (
            <EmptyState kind="nothing_yet" title="No published graph uses it">
              It can&apos;t affect anything outside a run.
            </EmptyState>
          ) : (
            <ul className="divide-y">
              {graphs.map((each) => (
                <GraphItem key={each.graphId} reach={each} allowed={server.allowedAgents} />
              ))}
            </ul>
          )}
          {more > 0 ? (
            <p className="border-t px-3 py-2 text-xs text-muted">
              Showing the most recently published of {graphs.length + more} graphs that use it.
            </p>
          ) : null}
        </>
      )}
    </QueryState>
  </Panel>
);
