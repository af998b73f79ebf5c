"use client";

import { useEffect } from "react";
import type { CanvasTools } from "@/components/canvas/commands/canvas-tools";
import { isOnCanvas } from "@/components/canvas/commands/selection";
import { isInPopup, isTyping } from "@/components/shortcuts/typing";
import { copyEntry, cut, paste } from "./clipboard";

/** Text, fields and dialogs have their own clipboard. */
const isElsewhere = ({ target, type }: ClipboardEvent): boolean =>
  isTyping(target) || isInPopup() || (type !== "paste" && document.getSelection()?.isCollapsed === false);

/** Browser clipboard events need no permission. */
export const useClipboard = (tools: CanvasTools): void => {
  useEffect(() => {
    const onCopy = (event: ClipboardEvent) => {
      // As with Delete, nothing is removed beside the canvas.
      if (isElsewhere(event) || (event.type === "cut" && !isOnCanvas())) return;
      const isCut = event.type === "cut" && tools.store.getState().readOnly === null;
      const text = isCut ? cut(tools) : copyEntry(tools);
      if (text === null) return;
      event.clipboardData?.setData("text/plain", text);
      event.preventDefault();
    };
    const onPaste = (event: ClipboardEvent) => {
      const text = event.clipboardData?.getData("text/plain") ?? "";
      if (isElsewhere(event) || text === "") return;
      event.preventDefault();
      paste(tools, text);
    };
    document.addEventListener("copy", onCopy);
    document.addEventListener("cut", onCopy);
    document.addEventListener("paste", onPaste);

    return () => {
      document.removeEventListener("copy", onCopy);
      document.removeEventListener("cut", onCopy);
      document.removeEventListener("paste", onPaste);
    };
  }, [tools]);
};
