"use client";

import { useReactFlow } from "@xyflow/react";
import { useEffect, useMemo, useRef, type FocusEvent, type KeyboardEvent } from "react";
import { useShortcuts } from "@/components/shortcuts/use-shortcuts";
import { useCanvasStore } from "@/components/canvas/state/canvas-context";
import type { Graph } from "@/lib/graph/document";
import { runOrder } from "@/lib/graph/run-order";
import { buildTopology } from "@/lib/graph/topology";
import { findEntrance, focusPlace } from "./go-to";
import { placeOf, type Place } from "./place";
import { walkCommands } from "./walk-commands";

const isIn = ({ nodes, edges }: Graph, { type, id }: Place): boolean => (type === "node" ? nodes : edges).some((item) => item.id === id);

/** Place that takes the focus of a removed one. */
const neighbourOf = (before: Graph, after: Graph, gone: Place): Place | null => {
  const { predecessors, successors } = buildTopology(before);
  const source = before.edges.find(({ id }) => gone.type === "edge" && id === gone.id)?.source;
  const near = source === undefined ? [...(predecessors.get(gone.id) ?? []), ...(successors.get(gone.id) ?? [])] : [source];
  const next = near.find((id) => after.nodes.some((node) => node.id === id)) ?? runOrder(after).nodes[0]?.id;

  return next === undefined ? null : { type: "node", id: next };
};

/** Makes the canvas one Tab stop without rendering; Shift+Tab on a node skips the frame. */
export const useRovingFocus = () => {
  const store = useCanvasStore();
  const flow = useReactFlow();
  const last = useRef<Place | null>(null);
  useShortcuts(useMemo(() => walkCommands({ store, flow }), [store, flow]));

  // Anything may remove the focused element.
  useEffect(
    () =>
      store.subscribe(({ history }, before) => {
        const gone = last.current;
        if (!gone || history.document === before.history.document || isIn(history.document, gone)) return;
        const next = neighbourOf(before.history.document, history.document, gone);
        last.current = next;
        requestAnimationFrame(() => {
          if (next && document.activeElement === document.body) focusPlace({ store, flow }, next);
        });
      }),
    [store, flow],
  );

  return useMemo(
    () => ({
      tabIndex: 0,
      onFocus: ({ target, currentTarget }: FocusEvent<HTMLElement>) => {
        if (target !== currentTarget) {
          last.current = placeOf(target) ?? last.current;

          return;
        }
        // A click focuses too, but must not move anything.
        const place = currentTarget.matches(":focus-visible") ? findEntrance(store, last.current) : null;
        if (place) focusPlace({ store, flow }, place);
      },
      onKeyDown: ({ key, shiftKey, target, currentTarget }: KeyboardEvent<HTMLElement>) => {
        if (key !== "Tab" || !shiftKey || !(target instanceof Element) || !placeOf(target)) return;
        currentTarget.tabIndex = -1;
        requestAnimationFrame(() => {
          currentTarget.tabIndex = 0;
        });
      },
      // The next key may come before the next frame.
      onBlur: ({ currentTarget }: FocusEvent<HTMLElement>) => {
        currentTarget.tabIndex = 0;
      },
    }),
    [store, flow],
  );
};
