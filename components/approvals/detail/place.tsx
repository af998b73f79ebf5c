"use client";

import { useRouter } from "next/navigation";
import Link from "next/link";
import { useCallback, useMemo } from "react";
import { GraphMap } from "@/components/graph-map/graph-map";
import { takenEdges, type MapEdge, type MapNode } from "@/components/graph-map/map-shape";
import type { ApprovalAround } from "@/components/approvals/types";

type Map = ApprovalAround["map"];

const nodesOf = ({ nodes, visits, waiting }: Map): readonly MapNode[] => {
  const visited = new Set(visits.map(({ node }) => node));

  return nodes.map(({ id, title, kind, x, y }) => ({
    id,
    title,
    kind,
    at: { x, y },
    state: id === waiting ? "waiting" : visited.has(id) ? "passed" : "idle",
  }));
};

const edgesOf = ({ edges, visits }: Map): readonly MapEdge[] => {
  const taken = takenEdges(visits);

  return edges.map((edge) => ({ ...edge, isTaken: taken.has(`${edge.source} ${edge.target}`) }));
};

/** The last visit of each node. */
const lastVisits = ({ visits }: Map): ReadonlyMap<string, number> => new Map(visits.map(({ node, seq }) => [node, seq]));

const MOST_STEPS = 12;

/** The same in words: every step is a link to the record that took it. */
const Steps = ({ map, runId }: { readonly map: Map; readonly runId: string }) => {
  const titles = new Map(map.nodes.map(({ id, title }) => [id, title]));
  const shown = map.visits.slice(-MOST_STEPS);
  const left = map.visits.length - shown.length;

  return (
    <p className="border-t px-3 py-2 text-xs text-muted">
      The run came by {left > 0 ? `${left} earlier steps, ` : ""}
      {shown.map(({ node, seq }, index) => (
        <span key={`${seq} ${node}`}>
          {index === 0 ? "" : " → "}
          <Link href={`/runs/${runId}?t=${seq}`} className="text-ink underline underline-offset-2">
            {titles.get(node) ?? node}
          </Link>
        </span>
      ))}{" "}
      and waits here.{map.leftOut > 0 ? ` ${map.leftOut} nodes further away are not drawn.` : ""}
    </p>
  );
};

/** Where in the version that runs somebody is asked, and how the run came there. */
export const Place = ({ around, runId }: { readonly around: ApprovalAround; readonly runId: string }) => {
  const { map } = around;
  const router = useRouter();
  const nodes = useMemo(() => nodesOf(map), [map]);
  const edges = useMemo(() => edgesOf(map), [map]);
  const last = useMemo(() => lastVisits(map), [map]);
  const noteOf = useCallback((id: string) => (last.has(id) ? `entered by record ${last.get(id)}` : null), [last]);
  const open = useCallback(
    (id: string) => {
      const seq = last.get(id);
      if (seq !== undefined) router.push(`/runs/${runId}?t=${seq}`);
    },
    [last, router, runId],
  );

  return (
    <>
      <GraphMap
        nodes={nodes}
        edges={edges}
        label="Place in the graph: arrows go from node to node, Enter opens the record that entered it"
        noteOf={noteOf}
        onOpen={open}
        className="h-52 bg-sunken p-2"
      />
      <Steps map={map} runId={runId} />
    </>
  );
};
