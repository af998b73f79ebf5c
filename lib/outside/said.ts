import type { PublishedGraph } from "@/lib/graph/document";
import { isGranted, parsePath } from "@/lib/graph/path";
import { toCanonicalJson } from "@/lib/json";
import { findWithheld, NOTHING_SEALED } from "@/lib/engine/labels/reading";
import type { KeptSaid } from "@/lib/engine/said-so-far";
import { expandGrants } from "@/lib/engine/view";
import { quoteUntrusted } from "./project";

/** Shows only words that become memory which the agent is shown. */
export const projectSaid = ({ graph }: PublishedGraph, { node: id, task, isInner, label, text }: KeptSaid): string | null => {
  const node = graph.nodes.find((one) => one.id === id);
  if (!graph.external || !node || isInner || task !== "" || text === "") return null;
  const shown = expandGrants(graph, graph.external.read_keys);
  const written = expandGrants(graph, node.write_keys);
  if (written.length === 0 || !written.every((path) => isGranted(shown, parsePath(path) ?? []))) return null;
  // The runner streams nothing while a case is open.
  if (findWithheld({ clearance: graph.external.clearance, sealed: NOTHING_SEALED }, { label, from: [] }) !== null) return null;

  return label.integrity === "untrusted" ? toCanonicalJson(quoteUntrusted(text, label)) : text;
};
