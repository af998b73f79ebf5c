import type { ReactFlowInstance } from "@xyflow/react";
import type { FlowNode } from "@/components/canvas/flow/to-flow";
import type { FlowEdge } from "@/components/canvas/flow/to-flow-edges";
import type { Canvas } from "@/components/canvas/state/canvas-context";
import type { CanvasViewStore } from "@/components/canvas/state/canvas-view";
import type { SetPlace } from "@/components/canvas/state/use-canvas-url";
import type { Shortcut } from "@/components/shortcuts/registry";
import type { Role } from "@/lib/roles";

export type CanvasTools = Canvas & {
  readonly view: CanvasViewStore;
  readonly flow: ReactFlowInstance<FlowNode, FlowEdge>;
  readonly role: Role;
  readonly setPlace: SetPlace;
};

export type CommandMenu = "more" | "node" | "edge" | "canvas";

export type CanvasCommand = Shortcut & { readonly menus?: readonly CommandMenu[] };

export type CanvasCommands = (tools: CanvasTools) => readonly CanvasCommand[];

export const GROUP = "Graph editor";
