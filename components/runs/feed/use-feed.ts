"use client";

import { useEffect, useState, useSyncExternalStore } from "react";
import type { NodeNames } from "@/components/runs/node-names";
import { makeFeed, type FeedState, type RecordSource, type SourcePage } from "./feed";
import { createWorkerParser } from "./server-source";

type Options = {
  /** Memoise it: a new source restarts loading. */
  readonly source: RecordSource;
  readonly total: number;
  readonly want: number;
  readonly names: NodeNames;
  readonly first?: SourcePage | undefined;
};

export const useFeed = ({ source, total, want, names, first }: Options): FeedState => {
  const [feed] = useState(() => makeFeed({ source, parser: createWorkerParser(), names, total, want, first }));

  useEffect(() => feed.start(), [feed]);
  useEffect(() => feed.grow(total), [feed, total]);
  useEffect(() => feed.want(want), [feed, want]);
  useEffect(() => feed.rename(names), [feed, names]);

  return useSyncExternalStore(feed.subscribe, feed.state, feed.state);
};
