/** Two sides, each the draft or a version hash. */
import { buildPublishedGraph } from "@/lib/graph/publish";
import type { Graph, PublishedGraph } from "@/lib/graph/document";
import type { ValidationContext } from "@/lib/graph/facts/facts";
import { hexDigestSchema } from "@/lib/hash";

export const DRAFT = "draft";

export type Sides = { readonly before: string; readonly after: string };

const isSide = (text: string | undefined): text is string => text === DRAFT || hexDigestSchema.safeParse(text).success;

/** @returns null for invalid text */
export const parseSides = (text: string): Sides | null => {
  const [before, after, ...rest] = text.split("..");

  return rest.length === 0 && isSide(before) && isSide(after) ? { before, after } : null;
};

export const describeSides = ({ before, after }: Sides): string => `${before}..${after}`;

export type Side = {
  readonly name: string;
  readonly published: PublishedGraph;
};

export const toDraftSide = (draft: Graph, catalog: ValidationContext): Side => ({
  name: "the draft",
  published: buildPublishedGraph(draft, catalog),
});

/** Catalog frozen with a version. */
export const freezeCatalog = ({ agents, tools, subgraphs }: PublishedGraph, catalog: ValidationContext): ValidationContext => ({
  ...catalog,
  agents,
  tools,
  versions: subgraphs.map(({ version, ...parts }) => ({ version, published: { ...parts, subgraphs } })),
});
