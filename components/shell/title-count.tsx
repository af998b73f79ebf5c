"use client";

import { useEffect } from "react";

/** The title with the count in front; an older count is taken away. */
export const titleWith = (count: number, title: string): string => {
  const plain = title.replace(/^\(\d+\) /, "");

  return count > 0 ? `(${count}) ${plain}` : plain;
};

/** Puts the number of waiting approvals into the title of the window, whatever page sets it. */
export const TitleCount = ({ count }: { readonly count: number }) => {
  useEffect(() => {
    const apply = () => {
      const title = titleWith(count, document.title);
      // Writing only what differs ends the loop with the observer.
      if (document.title !== title) document.title = title;
    };
    apply();
    // Next replaces the title on each navigation, also while it streams.
    const observer = new MutationObserver(apply);
    observer.observe(document.head, { childList: true, subtree: true, characterData: true });

    return () => observer.disconnect();
  }, [count]);

  return null;
};
