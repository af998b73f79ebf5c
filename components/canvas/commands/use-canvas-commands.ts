"use client";

import { useReactFlow } from "@xyflow/react";
import { useMemo } from "react";
import { useClipboard } from "@/components/canvas/clipboard/use-clipboard";
import type { FlowNode } from "@/components/canvas/flow/to-flow";
import type { FlowEdge } from "@/components/canvas/flow/to-flow-edges";
import { listGoCommands } from "@/components/canvas/keyboard/go-commands";
import { placeCommands } from "@/components/canvas/keyboard/place-commands";
import { listOverlayCommands } from "@/components/canvas/overlay/overlay-commands";
import { useCanvasHere } from "@/components/canvas/state/canvas-context";
import type { SetPlace } from "@/components/canvas/state/use-canvas-url";
import { useCanvasViewStore } from "@/components/canvas/state/canvas-view";
import { useJumps } from "@/components/shortcuts/jumps";
import { useShortcuts } from "@/components/shortcuts/use-shortcuts";
import type { Role } from "@/lib/roles";
import { listNodeJumps } from "./node-jumps";
import type { CanvasCommand, CanvasCommands } from "./canvas-tools";
import { listClipboardCommands } from "./clipboard";
import { listEditingCommands } from "./editing";
import { listGraphCommands } from "./graph";
import { listHistoryCommands } from "./history";
import { listTidyCommands } from "./tidy";
import { listViewCommands } from "./view";

const FAMILIES: readonly CanvasCommands[] = [
  listHistoryCommands,
  listClipboardCommands,
  listEditingCommands,
  listTidyCommands,
  listViewCommands,
  listGraphCommands,
  listGoCommands,
  placeCommands,
  listOverlayCommands,
];

export const useCanvasCommands = (setPlace: SetPlace, role: Role): readonly CanvasCommand[] => {
  const canvas = useCanvasHere();
  const view = useCanvasViewStore();
  const flow = useReactFlow<FlowNode, FlowEdge>();
  const tools = useMemo(() => ({ ...canvas, view, flow, setPlace, role }), [canvas, view, flow, setPlace, role]);
  const commands = useMemo(() => FAMILIES.flatMap((family) => family(tools)), [tools]);
  useShortcuts(commands);
  useClipboard(tools);
  useJumps(useMemo(() => listNodeJumps(tools), [tools]));

  return commands;
};
