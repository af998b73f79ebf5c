import { readAuthority } from "@/lib/architect/authority";
import { diffAuthority, widens } from "@/lib/architect/authority-diff";
import type { PublishedGraph } from "@/lib/graph/document";

/** Returns whether a fork widens its parent's authority. */
export const widensAuthority = (original: PublishedGraph, forked: PublishedGraph): boolean =>
  original !== forked && widens(diffAuthority(readAuthority(original), readAuthority(forked)));
