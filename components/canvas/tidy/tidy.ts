import type { CanvasTools } from "@/components/canvas/commands/canvas-tools";
import { FIT } from "@/components/canvas/flow/first-view";
import { LAYOUT_MEASURES } from "@/components/canvas/flow/geometry";
import { notify } from "@/components/ui/toast";
import { layoutTask, settlePlaces } from "@/lib/graph/layout";
import { tidyInWorker } from "./tidy-in-worker";

/** Tidies the selection or all nodes in one edit; none if aborted. */
export const tidy = async ({ store, view, flow }: Pick<CanvasTools, "store" | "view" | "flow">): Promise<void> => {
  const { selection, history } = store.getState();
  const only = selection.nodes.length > 1 ? new Set(selection.nodes) : null;
  const task = layoutTask(history.document, LAYOUT_MEASURES, only);
  const stop = new AbortController();
  view.getState().set({ work: { word: `Arranging ${task.nodes.length} nodes…`, cancel: () => stop.abort() } });
  try {
    const places = await tidyInWorker(task, stop.signal);
    const { edit, history: now } = store.getState();
    // Nodes added meanwhile stay uncovered.
    edit([{ op: "move_nodes", positions: settlePlaces(now.document, places, LAYOUT_MEASURES) }]);
    if (only === null) requestAnimationFrame(() => void flow.fitView(FIT));
  } catch {
    if (!stop.signal.aborted) notify({ title: "Auto-layout failed", description: "Nothing was changed.", tone: "error" });
  } finally {
    view.getState().set({ work: null });
  }
};
