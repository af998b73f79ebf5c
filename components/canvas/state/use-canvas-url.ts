"use client";

import { parseAsInteger, parseAsString, parseAsStringLiteral, useQueryStates } from "nuqs";
import { useEffect } from "react";
import { VIEWS } from "@/components/canvas/outline/view-switch";
import { OVERLAYS } from "@/components/canvas/overlay/overlays";
import { useCanvasStore } from "./canvas-context";

export const PANELS = ["overlay", "inspector", "problems", "memory", "graph", "versions", "closed"] as const;
export type PanelName = (typeof PANELS)[number];

const DIALOGS = ["add", "change", "connect", "delete", "export", "import", "publish", "run"] as const;

export const canvasParams = {
  node: parseAsString,
  edge: parseAsString,
  problem: parseAsString,
  key: parseAsString,
  panel: parseAsStringLiteral(PANELS).withDefault("inspector"),
  dialog: parseAsStringLiteral(DIALOGS),
  version: parseAsString,
  /** `before..after`: version hashes or `draft`. */
  diff: parseAsString,
  find: parseAsString,
  view: parseAsStringLiteral(VIEWS).withDefault("canvas"),
  overlay: parseAsStringLiteral(OVERLAYS),
  flow: parseAsString,
  step: parseAsInteger,
  hostile: parseAsString,
};

export type SetPlace = ReturnType<typeof useQueryStates<typeof canvasParams>>[1];

/** Syncs selection and location with the URL. */
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
        // Overlays show the selection in their panel.
        void setPlace(({ overlay, hostile, panel }) => ({
          node,
          edge,
          problem: null,
          key: null,
          ...(isPlaced ? { panel: panel === "closed" ? panel : overlay === null ? "inspector" : "overlay", flow: null, step: null } : {}),
          ...(node !== null && overlay === "hostile" ? { hostile: `node:${node}` } : { hostile }),
        }));
      }),
    [store, setPlace],
  );

  return { place, setPlace };
};
