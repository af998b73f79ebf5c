/** Shared facts of the current document. */
import type { Graph } from "@/lib/graph/document";
import { collectFacts, type Facts, type ValidationContext } from "@/lib/graph/facts/facts";

const known = new WeakMap<Graph, { readonly catalog: ValidationContext; readonly facts: Facts }>();

/** Documents and catalogs are immutable. */
export const getFactsHere = (document: Graph, catalog: ValidationContext): Facts => {
  const found = known.get(document);
  if (found?.catalog === catalog) return found.facts;
  const facts = collectFacts(document, catalog);
  known.set(document, { catalog, facts });

  return facts;
};
