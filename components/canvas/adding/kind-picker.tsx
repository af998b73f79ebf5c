"use client";

import { Popover } from "@base-ui/react/popover";
import { useReactFlow } from "@xyflow/react";
import { ChoiceList } from "@/components/canvas/dialogs/choice-list";
import type { FlowNode } from "@/components/canvas/flow/to-flow";
import type { FlowEdge } from "@/components/canvas/flow/to-flow-edges";
import { focusPlace } from "@/components/canvas/keyboard/go-to";
import { KIND_CHOICES } from "@/components/canvas/kinds/kind-choices";
import { KINDS } from "@/components/canvas/kinds/kind-uis";
import { useCanvasStore } from "@/components/canvas/state/canvas-context";
import { useCanvasView, useCanvasViewStore } from "@/components/canvas/state/canvas-view";
import { cn } from "@/components/ui/cn";
import { popupStyle } from "@/components/ui/popup-style";
import { addKind } from "./add-kind";

export const KindPicker = () => {
  const store = useCanvasStore();
  const view = useCanvasViewStore();
  const flow = useReactFlow<FlowNode, FlowEdge>();
  const adding = useCanvasView((state) => state.adding);
  const close = () => view.getState().set({ adding: null });
  const choose = (value: string) => {
    const kind = KINDS.find((known) => known === value);
    if (kind && adding) addKind({ store, flow }, kind, adding.at, adding.join);
    close();
    const [id] = store.getState().selection.nodes;
    if (id !== undefined) focusPlace({ store, flow }, { type: "node", id });
  };
  const { x, y } = adding?.shownAt ?? { x: 0, y: 0 };

  return (
    <Popover.Root open={adding !== null} onOpenChange={(open) => (open ? undefined : close())}>
      <Popover.Portal>
        <Popover.Positioner anchor={{ getBoundingClientRect: () => new DOMRect(x, y, 0, 0) }} side="right" align="start" className="z-50">
          <Popover.Popup className={cn(popupStyle, "w-80 p-3")} finalFocus={false}>
            <Popover.Title className="sr-only">Add a node {adding?.join?.as === "target" ? "before" : "after"} it</Popover.Title>
            <ChoiceList label="Find a kind" noun="Kinds" choices={KIND_CHOICES} onChoose={choose} />
          </Popover.Popup>
        </Popover.Positioner>
      </Popover.Portal>
    </Popover.Root>
  );
};
