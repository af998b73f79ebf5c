"use client";

import type { Graph, GraphNode } from "@/lib/graph/document";
import { declaredPaths } from "./declared-paths";
import { notAGrant } from "./path-check";
import { PathList } from "./path-list";

type Props = { readonly node: GraphNode; readonly graph: Graph; readonly change: (node: GraphNode) => void };

/** What a node may read and write. */
export const GrantFields = ({ node, graph, change }: Props) => {
  const suggestions = declaredPaths(graph);

  return (
    <>
      <PathList
        label="May read"
        paths={node.read_keys}
        suggestions={suggestions}
        check={notAGrant}
        onChange={(paths) => change({ ...node, read_keys: [...paths] })}
      />
      {node.kind === "router" || node.kind === "approval" ? null : (
        <PathList
          label="May write"
          paths={node.write_keys}
          suggestions={suggestions}
          check={notAGrant}
          onChange={(paths) => change({ ...node, write_keys: [...paths] })}
        />
      )}
    </>
  );
};
