"use client";

import { useMemo } from "react";
import { useDocument } from "@/components/canvas/state/canvas-context";
import { getNodeName } from "@/lib/graph/facts/facts";
import type { NameOf } from "@/lib/graph/analyse/labels";

export const useNodeNames = (): NameOf => {
  const { nodes } = useDocument();
  const names = useMemo(() => new Map(nodes.map((node) => [node.id, getNodeName(node)])), [nodes]);

  return (id) => names.get(id) ?? id;
};
