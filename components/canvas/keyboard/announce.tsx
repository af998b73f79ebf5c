"use client";

import { useEffect } from "react";
import { useCanvasStore } from "@/components/canvas/state/canvas-context";
import { describeChange } from "./announcement";

const ID = "canvas-says";

/** Announces a sentence to screen readers, politely. */
export const announce = (sentence: string): void => {
  const region = document.getElementById(ID);
  if (!region) return;
  // The same sentence again is a change only when it differs.
  region.textContent = region.textContent === sentence ? `${sentence}\u00A0` : sentence;
};

/** Live region for announcements, including every change of the graph. */
export const Announcer = () => {
  const store = useCanvasStore();
  // The text is set on the element directly, so nothing renders.
  useEffect(
    () =>
      store.subscribe(({ history }, before) => {
        const sentence = describeChange(before.history.document, history.document);
        if (sentence !== null) announce(sentence);
      }),
    [store],
  );

  return <p id={ID} aria-live="polite" className="sr-only" />;
};
