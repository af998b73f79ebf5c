"use client";

import { useRouter } from "next/navigation";
import Link from "next/link";
import { useCallback, useMemo } from "react";
import { GraphMap } from "@/components/graph-map/graph-map";
import { listTakenEdges, type MapEdge, type MapNode } from "@/components/graph-map/map-shape";
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
  const taken = listTakenEdges(visits);

  return edges.map((edge) => ({ ...edge, isTaken: taken.has(`${edge.source} ${edge.target}`) }));
};

const lastVisits = ({ visits }: Map): ReadonlyMap<string, number> => new Map(visits.map(({ node, seq }) => [node, seq]));

const MOST_STEPS = 12;

const Steps = ({ map, runId }: { readonly map: Map; readonly runId: string }) => {
  const titles = new Map(map.nodes.map(({ id, title }) => [id, title]));
  const shown = map.visits.slice(-MOST_STEPS);
  const left = map.visits.length - shown.length;

  return (
    <p className="border-t px-3 py-2 text-xs text-muted">
      Route: {left > 0 ? `${left} earlier ${left === 1 ? "step" : "steps"}, ` : ""}
      {shown.map(({ node, seq }, index) => (
        <span key={`${seq} ${node}`}>
          {index === 0 ? "" : " → "}
          <Link href={`/runs/${runId}?t=${seq}`} className="text-ink underline underline-offset-2">
            {titles.get(node) ?? node}
          </Link>
        </span>
      ))}
      . The run waits here.{map.leftOut > 0 ? ` ${map.leftOut} distant ${map.leftOut === 1 ? "node is" : "nodes are"} not drawn.` : ""}
    </p>
  );
};

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
        label="Position in the graph. Arrow keys move between nodes; Enter opens the record that entered the node"
        noteOf={noteOf}
        onOpen={open}
        className="h-52 bg-sunken p-2"
      />
      <Steps map={map} runId={runId} />
    </>
  );
};
