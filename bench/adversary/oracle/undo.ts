/** E1 and R1 of undos: newest first, as fixed with the effect. */
import type { RunEvent } from "@/lib/engine/event";
import type { LedgerRecord } from "@/lib/engine/ledger/record";
import type { PublishedGraph } from "@/lib/graph/document";
import { getValueAt } from "@/lib/graph/path";
import { toCanonicalJson, isJsonObject, type Json } from "@/lib/json";
import { partyOf } from "@/bench/adversary/tasks";
import { checkPinned, checkReceipt, isHarmless } from "./effects";
import { placeOf, type Blame, type Seen } from "./visibility";

type EventOf<T extends RunEvent["type"]> = Extract<RunEvent, { type: T }>;

const inside = (root: PublishedGraph, frames: readonly string[]): PublishedGraph =>
  frames.reduce<PublishedGraph>((published, name) => {
    const node = published.graph.nodes.find(({ id }) => id === name);
    const child = node?.kind === "subgraph" ? root.subgraphs.find(({ version }) => version === node.config.version) : undefined;

    return child ? { ...child, subgraphs: root.subgraphs } : published;
  }, root);

const compensationOf = (seen: Seen, effectId: string) => {
  const effect = seen.effects.get(effectId);
  const { published, memory } = placeOf(seen);
  const node = published.graph.nodes.find(({ id }) => id === effect?.node);

  return node && effect ? partyOf(published, memory, node, effect.task)?.acting.compensation : undefined;
};

/** Checks that undos match settled effects and the graph. */
export const checkPushed = (seen: Seen, event: EventOf<"compensation_pushed">, args: Json, blame: Blame): void => {
  const effect = seen.effects.get(event.effect_id);
  const compensation = compensationOf(seen, event.effect_id);
  const changed = effect?.effect_class === "write" || effect?.effect_class === "irreversible";
  if (!effect || !changed || !compensation) blame("E1", "an undo was kept for what needs none");
  if (event.server !== compensation?.server || event.tool !== compensation.tool) blame("E1", "an undo names another tool than the graph");
  const [asked, result] = [seen.arguments.get(event.effect_id), seen.results.get(event.effect_id)];
  const expected = Object.entries(compensation?.arguments ?? {}).flatMap(([name, from]): [string, Json][] => {
    if ("value" in from) return [[name, from.value]];
    if ("from" in from) return [];
    const value =
      "argument" in from ? getValueAt(asked, [from.argument]) : from.result === "" ? result : getValueAt(result, from.result.split("."));

    return value === undefined ? [] : [[name, value]];
  });
  if (toCanonicalJson(args) !== toCanonicalJson(Object.fromEntries(expected)))
    blame("E1", "an undo has other arguments than the call it reverses");
};

const newest = (seen: Seen) => seen.undo.findLast(({ settled }) => !settled);

export const checkUndo = (seen: Seen, record: LedgerRecord, event: EventOf<"effect_intended">, blame: Blame): void => {
  const undo = seen.undo.find(({ effect_id: id }) => id === event.undoes);
  const args = seen.arguments.get(event.effect_id) ?? null;
  if (!undo || !seen.unwinding || newest(seen) !== undo) {
    blame("R1", "something was undone out of turn");

    return;
  }
  const again = seen.effects.get(event.effect_id);
  const twice = [...seen.effects.values()].some(({ undoes, effect_id: id }) => undoes === event.undoes && id !== event.effect_id);
  if (twice) blame("R1", "something was undone twice");
  if (again?.settled) blame("R1", "an undo was sent again");
  if (again && event.approval_id === again.approval_id) blame("E1", "an undo with an unknown outcome was repeated without approval");
  if (event.effect.server !== undo.server || event.effect.tool !== undo.tool) blame("E1", "another tool undid it");
  if (toCanonicalJson(args) !== toCanonicalJson(undo.arguments)) blame("E1", "an undo was called with other arguments than were kept");
  const { tools } = inside(seen.world.scenario.published, undo.frames);
  const pin = tools.find(({ server, tool }) => server === undo.server && tool === undo.tool);
  if (pin) checkPinned(event, pin, args, 0, blame);
  const trusted = undo.arguments !== null && isJsonObject(undo.arguments) && undo.arguments["ticket"] === undefined;
  if (event.approval_id === null && !trusted) blame("E1", "an undo with untrusted arguments was called without a receipt");
  if (event.approval_id !== null) checkReceipt(seen, record, event, again !== undefined, blame);
  if (!trusted && !isHarmless(`${undo.server}.${undo.tool}`, args))
    blame("E1", "an undo was called with arguments that no honest person approves");
};

/** A cancel leaves them in place in any order. */
const isLeftInPlace = (seen: Seen, record: LedgerRecord, event: EventOf<"compensation_settled">): boolean =>
  event.outcome === "declined" &&
  record.control.some((other) => other.type === "status_changed" && other.to === "cancelled") &&
  seen.undo.some(({ effect_id: id, settled }) => id === event.effect_id && !settled);

export const checkUndone = (seen: Seen, record: LedgerRecord, event: EventOf<"compensation_settled">, blame: Blame): void => {
  const isInTurn = newest(seen)?.effect_id === event.effect_id || isLeftInPlace(seen, record, event);
  if (!seen.unwinding || !isInTurn) blame("R1", "an undo was settled out of turn");
  const called = [...seen.effects.values()].some(({ undoes, settled }) => undoes === event.effect_id && settled);
  if (event.outcome === "done" && !called) blame("R1", "something counts as undone that was never called");
};
