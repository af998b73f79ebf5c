"use client";

import { useReactFlow } from "@xyflow/react";
import { useMemo } from "react";
import { useClipboard } from "@/components/canvas/clipboard/use-clipboard";
import type { FlowNode } from "@/components/canvas/flow/to-flow";
import type { FlowEdge } from "@/components/canvas/flow/to-flow-edges";
import { goCommands } from "@/components/canvas/keyboard/go-commands";
import { placeCommands } from "@/components/canvas/keyboard/place-commands";
import { overlayCommands } from "@/components/canvas/overlay/overlay-commands";
import { useCanvasHere } from "@/components/canvas/state/canvas-context";
import type { SetPlace } from "@/components/canvas/state/use-canvas-url";
import { useCanvasViewStore } from "@/components/canvas/state/canvas-view";
import { useJumps } from "@/components/shell/command-palette/jumps";
import { useShortcuts } from "@/components/shell/shortcuts/use-shortcuts";
import type { Role } from "@/lib/roles";
import { nodeJumps } from "./node-jumps";
import type { CanvasCommand, CanvasCommands } from "./canvas-tools";
import { clipboardCommands } from "./clipboard";
import { editingCommands } from "./editing";
import { graphCommands } from "./graph";
import { historyCommands } from "./history";
import { tidyCommands } from "./tidy";
import { viewCommands } from "./view";

const FAMILIES: readonly CanvasCommands[] = [
  historyCommands,
  clipboardCommands,
  editingCommands,
  tidyCommands,
  viewCommands,
  graphCommands,
  goCommands,
  placeCommands,
  overlayCommands,
];

/** Registers all that can be done in the editor; keys, menus and the palette offer the same list. */
export const useCanvasCommands = (setPlace: SetPlace, role: Role): readonly CanvasCommand[] => {
  const canvas = useCanvasHere();
  const view = useCanvasViewStore();
  const flow = useReactFlow<FlowNode, FlowEdge>();
  const tools = useMemo(() => ({ ...canvas, view, flow, setPlace, role }), [canvas, view, flow, setPlace, role]);
  const commands = useMemo(() => FAMILIES.flatMap((family) => family(tools)), [tools]);
  useShortcuts(commands);
  useClipboard(tools);
  useJumps(useMemo(() => nodeJumps(tools), [tools]));

  return commands;
};
