"use client";

import { useEffect } from "react";
import { useCanvasStore } from "@/components/canvas/state/canvas-context";
import { saidOfChange } from "./said";

const ID = "canvas-says";

/** Says a sentence to who hears the page, when there is time. */
export const announce = (sentence: string): void => {
  const region = document.getElementById(ID);
  if (!region) return;
  // The same sentence again is a change only when it differs.
  region.textContent = region.textContent === sentence ? `${sentence}\u00A0` : sentence;
};

/** What is announced: what somebody asked for, and every change of what is drawn, whoever made it. */
export const Announcer = () => {
  const store = useCanvasStore();
  // The live region belongs to the browser: it is told what changed, and nothing is rendered.
  useEffect(
    () =>
      store.subscribe(({ history }, before) => {
        const sentence = saidOfChange(before.history.document, history.document);
        if (sentence !== null) announce(sentence);
      }),
    [store],
  );

  return <p id={ID} aria-live="polite" className="sr-only" />;
};
