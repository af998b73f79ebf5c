/** What a command of the editor can work with. Commands are plain functions: they read and change, and render nothing. */
import type { ReactFlowInstance } from "@xyflow/react";
import type { FlowNode } from "@/components/canvas/flow/to-flow";
import type { FlowEdge } from "@/components/canvas/flow/to-flow-edges";
import type { Canvas } from "@/components/canvas/state/canvas-context";
import type { CanvasViewStore } from "@/components/canvas/state/canvas-view";
import type { SetPlace } from "@/components/canvas/state/use-canvas-url";
import type { Shortcut } from "@/components/shell/shortcuts/registry";
import type { Role } from "@/lib/roles";

export type CanvasTools = Canvas & {
  readonly view: CanvasViewStore;
  readonly flow: ReactFlowInstance<FlowNode, FlowEdge>;
  readonly role: Role;
  /** Goes elsewhere in the editor: another panel, a dialog. */
  readonly setPlace: SetPlace;
};

/** Where a command is offered besides the palette: behind More in the toolbar, or in the context menu of what is under the pointer. */
export type CommandMenu = "more" | "node" | "edge" | "canvas";

export type CanvasCommand = Shortcut & { readonly menus?: readonly CommandMenu[] };

/** One family of commands, made once per canvas. */
export type CanvasCommands = (tools: CanvasTools) => readonly CanvasCommand[];

export const GROUP = "Graph editor";
