"use client";

import { useEffect } from "react";
import { useCanvasStore } from "@/components/canvas/state/canvas-context";
import { describeChange } from "./announcement";

const ID = "canvas-says";

/** Announces a sentence politely. */
export const announce = (sentence: string): void => {
  const region = document.getElementById(ID);
  if (!region) return;
  // Repeated text must differ to be announced.
  region.textContent = region.textContent === sentence ? `${sentence}\u00A0` : sentence;
};

export const Announcer = () => {
  const store = useCanvasStore();
  // Sets the text without rendering.
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
