/** G1, C2 and E1. */
import { computeArgumentsDigest } from "@/lib/engine/ledger/transition";
import type { RunEvent } from "@/lib/engine/event";
import type { LedgerRecord } from "@/lib/engine/ledger/record";
import { CLASSIFICATIONS } from "@/lib/graph/label";
import { getValueAt } from "@/lib/graph/path";
import type { GraphNode, PinnedTool, PublishedGraph } from "@/lib/graph/document";
import { toCanonicalJson, isJsonObject, ownMember, type Json } from "@/lib/json";
import { isBenign, VALID_ARGUMENTS } from "@/bench/adversary/scenarios/outsider-view";
import type { Level } from "@/bench/adversary/taint";
import { partyOf, type Party } from "@/bench/adversary/tasks";
import { levelOfTask, findNode, placeOf, type Blame, type Seen } from "./visibility";

type Intended = Extract<RunEvent, { type: "effect_intended" }>;

const CLASSES = ["pure", "read", "write", "irreversible"];

const namesOf = (published: PublishedGraph, party: Party): readonly string[] => {
  if (party.judges) return [];
  if (party.acting.kind === "tool") return [`${party.acting.config.server}.${party.acting.config.tool}`];

  return published.agents.find(({ id }) => id === party.agent)?.tools.map(({ server, tool }) => `${server}.${tool}`) ?? [];
};

const isMapped = (memory: Json, party: Party, args: Json): boolean => {
  if (party.acting.kind !== "tool") return true;
  const mapped = Object.entries(party.acting.config.arguments).flatMap(([name, from]): [string, Json][] => {
    if ("value" in from) return [[name, from.value]];
    const item = "item" in from && from.item === "" ? party.item : undefined;
    const value = item ?? ("item" in from ? getValueAt(party.item, from.item.split(".")) : getValueAt(memory, from.from.split(".")));

    return value === undefined ? [] : [[name, value]];
  });

  return toCanonicalJson(args) === toCanonicalJson(Object.fromEntries(mapped));
};

const isWorded = (party: Party, pin: PinnedTool) => party.acting.kind !== "tool" && pin.input_schema["additionalProperties"] !== false;

/** Above `internal` (free text: `public`), after reading untrusted data. */
const couldLeak = (party: Party, pin: PinnedTool, level: Level) =>
  pin.outward && level.distrust === 2 && level.secrecy > CLASSIFICATIONS.indexOf(isWorded(party, pin) ? "public" : "internal");

const needsYes = (
  published: PublishedGraph,
  node: GraphNode,
  party: Party,
  pin: PinnedTool,
  effectClass: string,
  level: Level,
): boolean => {
  const standsFor = published.graph.nodes.some((other) => other.kind === "approval" && other.config.for_node === node.id);
  const asking = [node, party.acting].filter((one) => one.approval !== "by_rule" || (standsFor && one.id === node.id));
  if (effectClass === "irreversible" || couldLeak(party, pin, level)) return true;
  if (effectClass !== "write") return asking.some((one) => one.kind === "tool" || one.approval === "every_call");
  const isTrusted = published.agents.some(
    ({ id, tools }) =>
      id === party.agent && tools.some((one) => one.server === pin.server && one.tool === pin.tool && one.trusted === true),
  );
  const byModel = party.acting.kind !== "tool" && !isTrusted;

  return asking.length > 0 || level.distrust > 0 || byModel;
};

/** A model node's declared effect does not turn its reads into changes. */
const classOf = (party: Party, pin: PinnedTool): string =>
  party.acting.kind !== "tool" && (pin.effect === "read" || pin.effect === "pure")
    ? pin.effect
    : (CLASSES[Math.max(CLASSES.indexOf(party.acting.effect), CLASSES.indexOf(pin.effect))] ?? "irreversible");

export const checkReceipt = (seen: Seen, record: LedgerRecord, event: Intended, again: boolean, blame: Blame): void => {
  const known = seen.gates.get(event.approval_id ?? "");
  const receipt = known?.receipt;
  if (!known || known.status !== "approved" || !receipt) {
    blame("E1", `${event.effect.tool} was called on a receipt that does not exist`);

    return;
  }
  if (!again && record.at >= receipt.expires_at) blame("E1", "a receipt was used after it had expired");
  if (!again && receipt.policy_hash !== record.policy_hash) blame("E1", "a receipt was used under other rules");
  if (known.used !== undefined && known.used !== event.effect_id) blame("E1", "a receipt was used twice");
  if (toCanonicalJson(receipt.effect) !== toCanonicalJson(event.effect))
    blame("E1", "a receipt was used for another call than was approved");
  known.used = event.effect_id;
};

export const checkPinned = (event: Intended, pin: PinnedTool, args: Json, secrecy: number, blame: Blame): void => {
  const name = `${pin.server}.${pin.tool}`;
  if (event.effect.definition_digest !== pin.definition_digest) blame("G1", "the tool is not the one that was pinned");
  if (!VALID_ARGUMENTS[name]?.(args)) blame("G1", `${name} was called with arguments it does not take`);
  if (event.effect.arguments_digest !== computeArgumentsDigest(args)) blame("G1", "the digest is not of the arguments");
  if (secrecy > CLASSIFICATIONS.indexOf(pin.clearance)) blame("C2", `${name} was told more than it is cleared for`);
};

export const isHarmless = (name: string, args: Json): boolean =>
  isJsonObject(args) && Object.entries(args).every(([member, value]) => isBenign(`${name}.${member}`, value));

/** Only the engine repeats an intent, under a newer lease, if safe or approved. */
const checkAgain = (seen: Seen, record: LedgerRecord, event: Intended, before: Intended & { settled: boolean }, blame: Blame): void => {
  if (before.settled || record.principal.type === "executor") blame("R1", "an effect was sent again");
  if (record.principal.type === "engine" && before.epoch >= (seen.world.leases[record.seq] ?? 0))
    blame("R1", "an effect was sent again while its worker lived");
  // The original approval still covers the call.
  const declined = record.control.some(
    (other) =>
      other.type === "gate_resolved" && other.outcome === "rejected" && seen.gates.get(other.approval_id)?.gate.reason === "tool_input",
  );
  const safe = declined || (event.idempotent && (event.effect_class === "read" || event.effect_class === "pure"));
  if (!safe && event.approval_id === before.approval_id) blame("E1", "a call with an unknown outcome was repeated without approval");
};

/** Checks that gates concern the requester's granted calls. */
export const checkAsked = (seen: Seen, record: LedgerRecord, { gate }: Extract<RunEvent, { type: "gate_opened" }>, blame: Blame): void => {
  const body = seen.world.spoken[record.seq]?.body;
  const node = findNode(seen, gate.node);
  if (body?.kind !== "effect_intent" || !node || !gate.transition.effect) return;
  const { published, memory } = placeOf(seen);
  const party = partyOf(published, memory, node, body.task ?? "");
  const { server, tool } = gate.transition.effect;
  const isRepeated = [...seen.gates.values()].some(
    (other) =>
      other.status === "rejected" &&
      toCanonicalJson(other.gate.transition.effect ?? null) === toCanonicalJson(gate.transition.effect) &&
      other.gate.reason !== "undo" &&
      other.gate.reason !== "tool_input",
  );
  if (isRepeated && party?.acting.kind !== "tool") blame("R1", `${gate.node} has people asked again about a call that they rejected`);
  if (!party || !namesOf(published, party).includes(`${server}.${tool}`))
    blame("G1", `${gate.node} has people asked about ${server}.${tool} as ${body.task ?? "itself"} without a grant`);
};

export const checkEffect = (seen: Seen, record: LedgerRecord, event: Intended, blame: Blame): void => {
  const { published, memory } = placeOf(seen);
  const node = findNode(seen, event.node);
  const party = node && partyOf(published, memory, node, event.task);
  const name = `${event.effect.server}.${event.effect.tool}`;
  const pin = published.tools.find(({ server, tool }) => `${server}.${tool}` === name);
  const args = seen.arguments.get(event.effect_id) ?? null;
  const before = seen.effects.get(event.effect_id);
  const twin = [...seen.effects.values()].some(
    (other) => other.effect_id !== event.effect_id && other.activation === event.activation && other.call_id === event.call_id,
  );
  if (twin) blame("R1", "one call became two effects");
  if (before) {
    checkAgain(seen, record, event, before, blame);
    if (event.approval_id !== null) checkReceipt(seen, record, event, true, blame);

    return;
  }
  if (!node || !party || !pin || !namesOf(published, party).includes(name)) {
    blame("G1", `${event.node} called ${name} as ${event.task === "" ? "itself" : event.task} without a grant`);

    return;
  }
  const level = levelOfTask(seen, node, event.task);
  checkPinned(event, pin, args, level.secrecy, blame);
  const edited = seen.gates.get(event.approval_id ?? "");
  const isEdited = edited?.gate.editors !== undefined;
  if (isEdited && toCanonicalJson(ownMember(edited.pending, "arguments") ?? null) !== toCanonicalJson(args))
    blame("E1", "the call differs from the edited and approved one");
  if (!isEdited && !isMapped(memory, party, args)) blame("G1", "a tool node was called with other arguments than the graph says");
  const effectClass = classOf(party, pin);
  const needed = needsYes(published, node, party, pin, effectClass, level);
  if (needed && event.approval_id === null) blame("E1", `${name} (${effectClass}) was called without a receipt`);
  if (event.approval_id !== null) checkReceipt(seen, record, event, false, blame);
  if (needed && !isHarmless(name, args)) blame("E1", `${name} was called with arguments that no honest person approves`);
};
