/** What a command of the editor can work with. Commands are plain functions: they read and change, and render nothing. */
import type { ReactFlowInstance } from "@xyflow/react";
import type { FlowNode } from "@/components/canvas/flow/to-flow";
import type { FlowEdge } from "@/components/canvas/flow/to-flow-edges";
import type { Canvas } from "@/components/canvas/state/canvas-context";
import type { SetPlace } from "@/components/canvas/state/use-canvas-url";
import type { Shortcut } from "@/components/shell/shortcuts/registry";

export type CanvasTools = Canvas & {
  readonly flow: ReactFlowInstance<FlowNode, FlowEdge>;
  /** Goes elsewhere in the editor: another panel, a dialog. */
  readonly setPlace: SetPlace;
};

/** One family of commands, made once per canvas. */
export type CanvasCommands = (tools: CanvasTools) => readonly Shortcut[];

export const GROUP = "Graph editor";

/** Fields have an undo, a clipboard and a Delete of their own. */
export const outsideFields = (run: () => void) => () => {
  if (!(document.activeElement?.matches("input, textarea, select, [contenteditable]") ?? false)) run();
};
