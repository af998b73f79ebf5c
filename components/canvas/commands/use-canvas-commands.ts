"use client";

import { useReactFlow } from "@xyflow/react";
import { useMemo } from "react";
import type { FlowNode } from "@/components/canvas/flow/to-flow";
import type { FlowEdge } from "@/components/canvas/flow/to-flow-edges";
import { useCanvasHere } from "@/components/canvas/state/canvas-context";
import type { SetPlace } from "@/components/canvas/state/use-canvas-url";
import { useShortcuts } from "@/components/shell/shortcuts/use-shortcuts";
import type { CanvasCommands } from "./canvas-tools";
import { editingCommands } from "./editing";
import { historyCommands } from "./history";

const FAMILIES: readonly CanvasCommands[] = [historyCommands, editingCommands];

/** Registers all that can be done in the editor; keys, menus and the palette offer the same list. */
export const useCanvasCommands = (setPlace: SetPlace) => {
  const canvas = useCanvasHere();
  const flow = useReactFlow<FlowNode, FlowEdge>();
  const commands = useMemo(() => FAMILIES.flatMap((family) => family({ ...canvas, flow, setPlace })), [canvas, flow, setPlace]);
  useShortcuts(commands);

  return commands;
};
