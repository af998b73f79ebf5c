/** G1 and E1: which calls are made at all, and which only with a receipt for exactly them. */
import { argumentsDigest } from "@/lib/engine/transition";
import type { RunEvent } from "@/lib/engine/event";
import type { LedgerRecord } from "@/lib/engine/record";
import { valueAt } from "@/lib/graph/path";
import type { GraphNode } from "@/lib/graph/document";
import { canonicalJson, isJsonObject, type Json } from "@/lib/json";
import { effectiveReads } from "@/bench/adversary/grants";
import { isBenign, VALID_ARGUMENTS } from "@/bench/adversary/scenarios";
import { nodeOf, type Blame, type Seen } from "./seen";

type Intended = Extract<RunEvent, { type: "effect_intended" }>;

const CLASSES = ["pure", "read", "write", "irreversible"];

const namesOf = (seen: Seen, node: GraphNode): readonly string[] => {
  if (node.kind === "tool") return [`${node.config.server}.${node.config.tool}`];
  const agent = node.kind === "agent" ? seen.scenario.published.agents.find(({ id }) => id === node.config.agent_id) : undefined;

  return agent?.tools.map(({ server, tool }) => `${server}.${tool}`) ?? [];
};

/** A tool node's arguments are what the graph maps from memory. */
const isMapped = (seen: Seen, node: GraphNode, args: Json): boolean => {
  if (node.kind !== "tool") return true;
  const mapped = Object.entries(node.config.arguments).flatMap(([name, from]): [string, Json][] => {
    // No scenario has a map, so no argument of one comes from an item.
    if ("item" in from) return [];
    const value = "value" in from ? from.value : valueAt(seen.memory, from.from.split("."));

    return value === undefined ? [] : [[name, value]];
  });

  return canonicalJson(args) === canonicalJson(Object.fromEntries(mapped));
};

const needsYes = (seen: Seen, node: GraphNode, effectClass: string): boolean => {
  const { graph } = seen.scenario.published;
  const standsFor = graph.nodes.some((other) => other.kind === "approval" && other.config.for_node === node.id);
  if (effectClass === "irreversible" || node.approval === "always" || standsFor) return true;

  return effectClass === "write" && seen.taint.visit(effectiveReads(seen.scenario, node));
};

const checkReceipt = (seen: Seen, record: LedgerRecord, event: Intended, again: boolean, blame: Blame): void => {
  const known = seen.gates.get(event.approval_id ?? "");
  const receipt = known?.receipt;
  if (!known || known.status !== "approved" || !receipt) {
    blame("E1", `${event.effect.tool} was called on a receipt that does not exist`);

    return;
  }
  if (!again && record.at >= receipt.expires_at) blame("E1", "a receipt was used after it had expired");
  if (!again && receipt.policy_hash !== record.policy_hash) blame("E1", "a receipt was used under other rules");
  if (known.used !== undefined && known.used !== event.effect_id) blame("E1", "a receipt was used twice");
  if (canonicalJson(receipt.effect) !== canonicalJson(event.effect)) blame("E1", "a receipt was used for another call than was approved");
  known.used = event.effect_id;
};

export const checkEffect = (seen: Seen, record: LedgerRecord, event: Intended, blame: Blame): void => {
  const node = nodeOf(seen, event.node);
  const name = `${event.effect.server}.${event.effect.tool}`;
  const pin = seen.scenario.published.tools.find(({ server, tool }) => `${server}.${tool}` === name);
  const args = seen.arguments.get(event.effect_id) ?? null;
  const before = seen.effects.get(event.effect_id);
  const twin = [...seen.effects.values()].some(
    (other) => other.effect_id !== event.effect_id && other.activation === event.activation && other.call_id === event.call_id,
  );
  if (twin) blame("R1", "one call became two effects");
  if (before && (before.settled || record.principal.type === "executor")) blame("R1", "an effect was sent again");
  if (!node || !pin || !namesOf(seen, node).includes(name)) {
    blame("G1", `${event.node} called ${name} without a grant`);

    return;
  }
  if (event.effect.definition_digest !== pin.definition_digest) blame("G1", "the tool is not the one that was pinned");
  if (!VALID_ARGUMENTS[name]?.(args)) blame("G1", `${name} was called with arguments it does not take`);
  if (event.effect.arguments_digest !== argumentsDigest(args)) blame("G1", "the digest is not of the arguments");
  if (!before && !isMapped(seen, node, args)) blame("G1", "a tool node was called with other arguments than the graph says");
  const effectClass = CLASSES[Math.max(CLASSES.indexOf(node.effect), CLASSES.indexOf(pin.effect))] ?? "irreversible";
  const needed = !before && needsYes(seen, node, effectClass);
  if (needed && event.approval_id === null) blame("E1", `${name} (${effectClass}) was called without a receipt`);
  if (event.approval_id !== null) checkReceipt(seen, record, event, before !== undefined, blame);
  const benign = isJsonObject(args) && Object.entries(args).every(([member, value]) => isBenign(`${name}.${member}`, value));
  if (needed && !benign) blame("E1", `${name} was called with arguments that no honest person approves`);
};
