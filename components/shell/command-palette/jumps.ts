"use client";

/** What a page has to jump to by name, besides its commands: `@` and the name of a node. */
import { useEffect } from "react";

export type Jump = { readonly id: string; readonly label: string; readonly about: string; readonly run: () => void };

/** Asked for when the palette is opened, so that nothing is kept up to date for it. */
type Source = () => readonly Jump[];

let sources: readonly Source[] = [];

export const currentJumps = (): readonly Jump[] => sources.flatMap((source) => source());

/** Offers jumps while the component is mounted. @param source memoise it */
export const useJumps = (source: Source): void => {
  useEffect(() => {
    sources = [...sources, source];

    return () => {
      sources = sources.filter((each) => each !== source);
    };
  }, [source]);
};
