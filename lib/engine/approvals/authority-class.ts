/** Authority class: what an approval grants. Decisions never mix classes. */
import { z } from "zod";
import type { EffectClass, GraphNode, PinnedTool, PublishedGraph } from "@/lib/graph/document";
import { getEffectClass, pickStrictest } from "@/lib/engine/effect-class";
import type { Gate } from "@/lib/engine/event";
import { asksPerson, mapsItems } from "@/lib/graph/kind-of";

/** `protected`: guarded values inside the run. */
export const authorityClassSchema = z.enum(["none", "read", "write", "protected", "irreversible"]);
export type AuthorityClass = z.infer<typeof authorityClassSchema>;

export const riskSchema = z.enum(["low", "medium", "high"]);
export type Risk = z.infer<typeof riskSchema>;

const RISK = {
  none: "low",
  read: "low",
  write: "medium",
  protected: "high",
  irreversible: "high",
} as const satisfies Record<AuthorityClass, Risk>;

export const classifyRisk = (authority: AuthorityClass): Risk => RISK[authority];

export const findGatedTool = (published: PublishedGraph, gate: Pick<Gate, "transition">): PinnedTool | undefined =>
  published.tools.find(({ server, tool }) => server === gate.transition.effect?.server && tool === gate.transition.effect.tool);

const OF_EFFECT = {
  pure: "none",
  read: "read",
  write: "write",
  irreversible: "irreversible",
} as const satisfies Record<EffectClass, AuthorityClass>;

export const listActingNodes = (published: PublishedGraph, gate: Gate): readonly GraphNode[] => {
  const node = published.graph.nodes.find(({ id }) => id === gate.transition.node);
  const worker = mapsItems(node) ? published.graph.nodes.find(({ id }) => id === node.config.worker_node) : undefined;

  return [node, worker].flatMap((one) => one ?? []);
};

const callClass = (published: PublishedGraph, gate: Gate): AuthorityClass => {
  const pin = findGatedTool(published, gate);
  // The effect of an unknown tool is unknown.
  if (!pin) return "irreversible";
  if (gate.reason === "undo") return OF_EFFECT[pickStrictest([pin.effect, "write"])];
  const authority = OF_EFFECT[pickStrictest([pin.effect, ...listActingNodes(published, gate).map((node) => getEffectClass(node, pin))])];

  // Such a call discloses something, so it is more than a read.
  return (gate.reason === "tainted_effect" || gate.reason === "tool_input") && authority === "read" ? "write" : authority;
};

const nodeClass = (published: PublishedGraph, gate: Gate): AuthorityClass => {
  if (gate.transition.effect) return callClass(published, gate);
  const node = published.graph.nodes.find(({ id }) => id === gate.node);

  return asksPerson(node) && node.config.promote.length > 0 ? "protected" : "none";
};

/**
 * Classifies what the gate grants.
 * @param published see `getPublishedHere`
 */
export const classifyAuthority = (published: PublishedGraph, gate: Gate): AuthorityClass => {
  switch (gate.reason) {
    case "effect":
    case "tainted_effect":
    case "unclear_effect":
    case "undo":
    case "tool_input":
      return callClass(published, gate);
    case "approval_node":
      return nodeClass(published, gate);
    case "protected_key":
      return "protected";
    case "requested":
      return gate.transition.overwrites.length > 0 ? "protected" : "none";
    case "budget":
      return "write";
    case "tainted_route":
    case "review":
      return "none";
    default:
      return gate.reason satisfies never;
  }
};

const protectedLine = ({ reason }: Gate): string =>
  reason === "protected_key"
    ? "Authority may change: the memory below is protected."
    : "Authority may change: approved data counts as reviewed from then on.";

export const describeAuthority = (published: PublishedGraph, gate: Gate): string => {
  const pin = findGatedTool(published, gate);
  const authority = classifyAuthority(published, gate);
  switch (authority) {
    case "none":
      return "No authority change.";
    case "read":
      return `No authority change. Reads through ${pin?.server ?? "a server"}.`;
    case "write":
      if (gate.reason === "budget") return "No authority change. The run may spend more.";

      return pin?.effect === "read"
        ? `No authority change. Sends data to ${pin.server}.`
        : `No authority change. Writes outside the run through ${pin?.server ?? "a server"}.`;
    case "protected":
      return protectedLine(gate);
    case "irreversible":
      return pin ? `Irreversible: ${pin.server}.${pin.tool} cannot be undone.` : "Irreversible: this tool's effect is unknown.";
    default:
      return authority satisfies never;
  }
};
