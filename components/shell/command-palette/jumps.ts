"use client";

/** Registry of the places of a page that the palette can jump to with `@` and a name. */
import { useEffect } from "react";

export type Jump = { readonly id: string; readonly label: string; readonly about: string; readonly run: () => void };

/** Called when the palette opens, so that nothing is kept in sync. */
type Source = () => readonly Jump[];

let sources: readonly Source[] = [];

export const getCurrentJumps = (): readonly Jump[] => sources.flatMap((source) => source());

/** Offers jumps while the component is mounted. @param source memoise it */
export const useJumps = (source: Source): void => {
  useEffect(() => {
    sources = [...sources, source];

    return () => {
      sources = sources.filter((each) => each !== source);
    };
  }, [source]);
};
