"use client";

import { useEffect } from "react";

/** Prefixes a title with the count. */
export const formatTitle = (count: number, title: string): string => {
  const plain = title.replace(/^\(\d+\) /, "");

  return count > 0 ? `(${count}) ${plain}` : plain;
};

export const TitleCount = ({ count }: { readonly count: number }) => {
  useEffect(() => {
    const apply = () => {
      const title = formatTitle(count, document.title);
      // The observer would loop otherwise.
      if (document.title !== title) document.title = title;
    };
    apply();
    // Next replaces the title on navigation and streaming.
    const observer = new MutationObserver(apply);
    observer.observe(document.head, { childList: true, subtree: true, characterData: true });

    return () => observer.disconnect();
  }, [count]);

  return null;
};
