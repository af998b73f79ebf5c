"use client";

import { useEffect, useState, useSyncExternalStore } from "react";
import type { NodeNames } from "@/components/runs/node-names";
import { makeFeed, type FeedState, type RecordSource, type SourcePage } from "./feed";
import { workerParser } from "./server-source";

type Options = {
  /** Memoise it: another one begins anew. */
  readonly source: RecordSource;
  /** How many records there are, as far as is known. */
  readonly total: number;
  /** The record that is looked at. */
  readonly want: number;
  readonly names: NodeNames;
  /** What came with the page itself. */
  readonly first?: SourcePage | undefined;
};

/** The records of one source, fetched as long as the component is there. */
export const useFeed = ({ source, total, want, names, first }: Options): FeedState => {
  const [feed] = useState(() => makeFeed({ source, parser: workerParser(), names, total, want, first }));

  // Server and worker are outside of React: they are asked here, and no more when nobody looks.
  useEffect(() => feed.start(), [feed]);
  useEffect(() => feed.grow(total), [feed, total]);
  useEffect(() => feed.want(want), [feed, want]);
  useEffect(() => feed.rename(names), [feed, names]);

  return useSyncExternalStore(feed.subscribe, feed.state, feed.state);
};
