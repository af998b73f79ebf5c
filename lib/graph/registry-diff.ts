/** Agents and tools that differ from a version's. */
import type { Agent, PinnedTool, PublishedGraph } from "@/lib/graph/document";
import type { ValidationContext } from "@/lib/graph/facts/facts";
import { getToolId } from "@/lib/graph/tool-ref";
import { toCanonicalJson, type Json } from "@/lib/json";

/** `frozen`: in the version; `now`: null if it is gone. */
export type Difference<T> = { readonly now: T | null; readonly frozen: T };

export type RegistryDiff = { readonly agents: readonly Difference<Agent>[]; readonly tools: readonly Difference<PinnedTool>[] };

const textOf = (value: object | null): string => toCanonicalJson(JSON.parse(JSON.stringify(value)) as Json);

const differences = <T extends object>(frozen: readonly T[], now: readonly T[], idOf: (item: T) => string): readonly Difference<T>[] => {
  const byId = new Map(now.map((item) => [idOf(item), item]));

  return frozen
    .map((item): Difference<T> => ({ frozen: item, now: byId.get(idOf(item)) ?? null }))
    .filter((pair) => textOf(pair.frozen) !== textOf(pair.now));
};

/** Compares a version's registry with the workspace. */
export const diffRegistry = (version: Pick<PublishedGraph, "agents" | "tools">, catalog: ValidationContext): RegistryDiff => ({
  agents: differences(version.agents, catalog.agents, ({ id }) => id),
  tools: differences(version.tools, catalog.tools, ({ server, tool }) => getToolId(server, tool)),
});
