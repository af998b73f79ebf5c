"use client";

import type { Graph, GraphNode } from "@/lib/graph/document";
import { asksPerson, getKind } from "@/lib/graph/kind-of";
import { listDeclaredPaths } from "./declared-paths";
import { findGrantFault } from "./path-check";
import { NameList } from "./name-list";

type Props = { readonly node: GraphNode; readonly graph: Graph; readonly change: (node: GraphNode) => void };

const writes = (node: GraphNode): boolean => {
  if (node.write_keys.length > 0) return true;

  return asksPerson(node) ? node.config.promote.length > 0 : getKind(node).rights.writes !== "none";
};

export const GrantFields = ({ node, graph, change }: Props) => {
  const suggestions = listDeclaredPaths(graph);

  return (
    <>
      <NameList
        label="May read"
        names={node.read_keys}
        suggestions={suggestions}
        check={findGrantFault}
        onChange={(names) => change({ ...node, read_keys: [...names] })}
      />
      {writes(node) ? (
        <NameList
          label="May write"
          names={node.write_keys}
          suggestions={suggestions}
          check={findGrantFault}
          onChange={(names) => change({ ...node, write_keys: [...names] })}
        />
      ) : null}
    </>
  );
};
