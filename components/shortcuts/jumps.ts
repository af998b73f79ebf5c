"use client";

import { useEffect } from "react";

export type Jump = { readonly id: string; readonly label: string; readonly about: string; readonly run: () => void };

/** Called on open, so nothing needs syncing. */
type Source = () => readonly Jump[];

let sources: readonly Source[] = [];

export const getCurrentJumps = (): readonly Jump[] => sources.flatMap((source) => source());

/** Offers jumps while mounted. @param source memoise it */
export const useJumps = (source: Source): void => {
  useEffect(() => {
    sources = [...sources, source];

    return () => {
      sources = sources.filter((each) => each !== source);
    };
  }, [source]);
};
