/** Independent of the product. */
import type { GraphNode, PublishedGraph } from "@/lib/graph/document";
import { isCovered } from "./taint";
import { partyOf } from "./tasks";

const both = (own: readonly string[], ceiling: readonly string[] | undefined): string[] =>
  ceiling ? [...own.filter((path) => isCovered(ceiling, path)), ...ceiling.filter((path) => isCovered(own, path))] : [...own];

const permissionsOf = (published: PublishedGraph, agent: string | null) => published.agents.find(({ id }) => id === agent)?.permissions;

const ceilingOf = (published: PublishedGraph, node: GraphNode) => permissionsOf(published, partyOf(published, {}, node, "")?.agent ?? null);

export const effectiveReads = (published: PublishedGraph, node: GraphNode): string[] =>
  both(node.read_keys, ceilingOf(published, node)?.read_keys);

export const readsOfAgent = (published: PublishedGraph, node: GraphNode, agent: string | null): string[] =>
  both(node.read_keys, permissionsOf(published, agent)?.read_keys);

export const effectiveWrites = (published: PublishedGraph, node: GraphNode): string[] =>
  both(node.write_keys, ceilingOf(published, node)?.write_keys);
