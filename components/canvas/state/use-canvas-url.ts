"use client";

import { parseAsInteger, parseAsString, parseAsStringLiteral, useQueryStates } from "nuqs";
import { useEffect } from "react";
import { VIEWS } from "@/components/canvas/outline/view-switch";
import { OVERLAYS } from "@/components/canvas/overlay/overlays";
import { useCanvasStore } from "./canvas-context";

export const PANELS = ["overlay", "inspector", "problems", "memory", "graph", "versions"] as const;
export type PanelName = (typeof PANELS)[number];

const DIALOGS = ["add", "change", "connect", "export", "import", "publish", "run"] as const;

export const canvasParams = {
  node: parseAsString,
  edge: parseAsString,
  problem: parseAsString,
  /** The expanded memory key in its panel. */
  key: parseAsString,
  panel: parseAsStringLiteral(PANELS).withDefault("inspector"),
  dialog: parseAsStringLiteral(DIALOGS),
  /** The version shown instead of the draft. */
  version: parseAsString,
  /** What is compared: `before..after`, each the hash of a version or `draft`. */
  diff: parseAsString,
  /** What is looked for in the graph; absent: nothing is. */
  find: parseAsString,
  view: parseAsStringLiteral(VIEWS).withDefault("canvas"),
  /** The overlay, its selected flow and step, and what is assumed compromised. */
  overlay: parseAsStringLiteral(OVERLAYS),
  flow: parseAsString,
  step: parseAsInteger,
  hostile: parseAsString,
};

export type SetPlace = ReturnType<typeof useQueryStates<typeof canvasParams>>[1];

/** Where one is, in the address: the selection is written there, and read from it when the page opens. */
export const useCanvasUrl = () => {
  const store = useCanvasStore();
  const [place, setPlace] = useQueryStates(canvasParams, { history: "replace" });

  useEffect(
    () =>
      store.subscribe(({ selection }, before) => {
        if (selection === before.selection) return;
        const [node = null] = selection.nodes.length === 1 ? selection.nodes : [];
        const [edge = null] = selection.nodes.length === 0 && selection.edges.length === 1 ? selection.edges : [];
        const isPlaced = node !== null || edge !== null;
        // With an overlay on, the selection is shown in its panel.
        void setPlace(({ overlay, hostile }) => ({
          node,
          edge,
          problem: null,
          key: null,
          ...(isPlaced ? { panel: overlay === null ? "inspector" : "overlay", flow: null, step: null } : {}),
          ...(node !== null && overlay === "hostile" ? { hostile: `node:${node}` } : { hostile }),
        }));
      }),
    [store, setPlace],
  );

  return { place, setPlace };
};
