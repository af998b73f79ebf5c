/** What is compared, as the address says it: two sides, each the draft or a version by its hash. */
import { buildPublishedGraph } from "@/lib/graph/publish";
import type { Graph, PublishedGraph } from "@/lib/graph/document";
import type { ValidationContext } from "@/lib/graph/problems/facts";
import { hexDigestSchema } from "@/lib/hash";

export const DRAFT = "draft";

export type Sides = { readonly before: string; readonly after: string };

const isSide = (text: string | undefined): text is string => text === DRAFT || hexDigestSchema.safeParse(text).success;

/** @returns null for what is no comparison */
export const parseSides = (text: string): Sides | null => {
  const [before, after, ...rest] = text.split("..");

  return rest.length === 0 && isSide(before) && isSide(after) ? { before, after } : null;
};

export const describeSides = ({ before, after }: Sides): string => `${before}..${after}`;

export type Side = {
  readonly name: string;
  readonly published: PublishedGraph;
};

/** The draft as it would be published now. */
export const toDraftSide = (draft: Graph, catalog: ValidationContext): Side => ({
  name: "the draft",
  published: buildPublishedGraph(draft, catalog),
});

/** What a version was frozen with, as the registry that it is checked against. */
export const freezeCatalog = ({ agents, tools, subgraphs }: PublishedGraph, catalog: ValidationContext): ValidationContext => ({
  ...catalog,
  agents,
  tools,
  versions: subgraphs.map(({ version, ...parts }) => ({ version, published: { ...parts, subgraphs } })),
});
