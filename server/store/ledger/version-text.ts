import { z } from "zod";
import { publishedGraphSchema, type PublishedGraph } from "@/lib/graph/document";
import { digestOf, type HexDigest } from "@/lib/hash";
import type { Json } from "@/lib/json";

/** The stored text does not match the hash. */
export class VersionAltered extends Error {
  constructor(hash: string) {
    super(`the stored graph version ${hash} is not what its hash names`);
    this.name = "VersionAltered";
  }
}

export type ReadVersion = {
  readonly published: PublishedGraph;
  /** Parsing may add fields absent when hashed. */
  readonly document: Json;
};

type Stored = { readonly hash: HexDigest; readonly document: string };

const parse = ({ hash, document: text }: Stored): ReadVersion | null => {
  try {
    const document = z.json().parse(JSON.parse(text));
    if (digestOf("graph", document) !== hash) return null;

    return { published: publishedGraphSchema.parse(document), document };
  } catch {
    return null;
  }
};

/** Cached: every opening reads one of few versions. */
const KEPT = 64;
const kept = new Map<HexDigest, { readonly text: string; readonly read: ReadVersion }>();

/** Parses a row's graph, cached. @returns null when it does not match its hash */
export const readVersion = (stored: Stored): ReadVersion | null => {
  const before = kept.get(stored.hash);
  const read = before?.text === stored.document ? before.read : parse(stored);
  kept.delete(stored.hash);
  if (read) kept.set(stored.hash, { text: stored.document, read });
  const [oldest] = kept.keys();
  if (kept.size > KEPT && oldest !== undefined) kept.delete(oldest);

  return read;
};
