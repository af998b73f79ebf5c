/** From the stored text of a version to the graph that its hash names. */
import { z } from "zod";
import { publishedGraphSchema, type PublishedGraph } from "@/lib/graph/document";
import { digestOf, type HexDigest } from "@/lib/hash";
import type { Json } from "@/lib/json";

/** What is stored under this name is not what it names. */
export class VersionAltered extends Error {
  constructor(hash: string) {
    super(`the stored graph version ${hash} is not what its hash names`);
    this.name = "VersionAltered";
  }
}

export type ReadVersion = {
  readonly published: PublishedGraph;
  /** What the hash names, as it is stored: parsed, an old version may have fields that were not there when it was published. */
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

/** Every opening of a run reads its version, and most runs have one of few. */
const KEPT = 64;
const kept = new Map<HexDigest, { readonly text: string; readonly read: ReadVersion }>();

/**
 * The graph that a row is. What was read before is not parsed again as long as the text is the same, byte for byte.
 * @returns null when what is stored is not what its hash names
 */
export const readVersion = (stored: Stored): ReadVersion | null => {
  const before = kept.get(stored.hash);
  const read = before?.text === stored.document ? before.read : parse(stored);
  kept.delete(stored.hash);
  if (read) kept.set(stored.hash, { text: stored.document, read });
  // The least recently used one goes.
  const [oldest] = kept.keys();
  if (kept.size > KEPT && oldest !== undefined) kept.delete(oldest);

  return read;
};
