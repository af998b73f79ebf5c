/** Whether what a fork executes may do more than what its parent executes. */
import { readAuthority } from "@/lib/architect/authority";
import { diffAuthority, widens } from "@/lib/architect/authority-diff";
import type { PublishedGraph } from "@/lib/graph/document";

/** Compares two versions as publishing one over the other would; the same version is never wider. */
export const widensAuthority = (original: PublishedGraph, forked: PublishedGraph): boolean =>
  original !== forked && widens(diffAuthority(readAuthority(original), readAuthority(forked)));
