/** Lines of a call's arguments beside current values. */
import type { ShownValue, ViewLine } from "@/lib/engine/approvals/approval-view";
import { entityOf, getSchemaAt, nameEntity } from "@/lib/engine/approvals/argument-format";
import { findArgumentOrigin, type Origin } from "@/lib/engine/approvals/argument-origins";
import { describeCall } from "@/lib/engine/approvals/argument-text";
import { findGatedTool } from "@/lib/engine/approvals/authority-class";
import { listSubjects, type LookedUp, type Subject } from "@/lib/engine/approvals/looked-up";
import { buildLine, shown, withTexts } from "@/lib/engine/approvals/view-line";
import { findWithheld, type Reader } from "@/lib/engine/labels/reading";
import type { GateState, RunState } from "@/lib/engine/state";
import type { PublishedGraph } from "@/lib/graph/document";
import { isJsonObject, ownMember, type Json, type JsonObject } from "@/lib/json";
import { isSameValue, placeKey } from "@/lib/leaves";

const isReadable = (reader: Reader, { cell }: LookedUp): boolean => findWithheld(reader, { label: cell.label, from: [cell] }) === null;

/** Value in the call's record, or the identity read instead. */
const beforeOf = (subjects: readonly Subject[], name: string, schema: JsonObject, reader: Reader): ShownValue | null => {
  const subject = subjects.find((one) => one.name === name) ?? subjects.find(({ target }) => ownMember(target?.record, name) !== undefined);
  if (!subject) return null;
  const from = subject.name === name ? (subject.other ?? subject.target) : subject.target;
  const value = from && ownMember(from.record, subject.name === name ? subject.id : name);
  if (!from) return null;
  const withheld = findWithheld(reader, { label: from.cell.label, from: [from.cell] });

  return withEntity(shown(value, withheld, getSchemaAt(schema, [name])), schema, name, from);
};

const withEntity = (side: ShownValue | null, schema: JsonObject, name: string, of: LookedUp | null): ShownValue | null => {
  const entity = entityOf(schema, name);
  if (side === null || side.hidden || !entity || !of) return side;
  const text = nameEntity(entity, side.value, of.record);

  return text === null ? side : withTexts(side.value, { ...side.texts, [placeKey([])]: text });
};

export type Call = {
  readonly schema: JsonObject;
  readonly args: JsonObject;
  readonly subjects: readonly Subject[];
};

/** Returns the call of a gate, or null. @param pending the proposal that waits */
export const findCall = (published: PublishedGraph, state: RunState, { gate }: GateState, pending: Json | undefined): Call | null => {
  const args = ownMember(pending, "arguments");
  if (!gate.transition.effect || !isJsonObject(args)) return null;
  const schema = findGatedTool(published, gate)?.input_schema ?? {};

  return { schema, args, subjects: listSubjects(published, state, schema, args, gate.review_keys) };
};

/** Lists argument lines. @param proposal label and cells of the whole proposal */
export const listArgumentLines = (
  published: PublishedGraph,
  state: RunState,
  gate: GateState["gate"],
  { schema, args, subjects }: Call,
  proposal: Origin,
  reader: Reader,
): ViewLine[] => {
  const { effect } = gate.transition;
  const declared = ownMember(schema, "properties");

  return Object.entries(args).map(([name, value], index) => {
    const origin = findArgumentOrigin(published, state, gate, proposal, [name, value]);
    // Undeclared names are the model's text, so hide them with the value.
    const isNamed = findWithheld(reader, origin) === null || ownMember(declared, name) !== undefined;
    const path = `${effect?.server}.${effect?.tool}.${isNamed ? name : `argument ${index + 1}`}`;
    const sent = buildLine(path, "call", origin, reader, undefined, value, getSchemaAt(schema, [name]));
    const target = subjects.find((one) => one.name === name)?.target ?? null;
    const before = isNamed ? beforeOf(subjects, name, schema, reader) : null;
    const isKnown = before !== null && !before.hidden && sent.after?.hidden === false;

    return {
      ...sent,
      before,
      after: target && isReadable(reader, target) ? withEntity(sent.after, schema, name, target) : sent.after,
      changed: !isKnown || !isSameValue(before.value, value),
    };
  });
};

/** Describes the call as far as visible; null without one. */
export const summarizeCall = (
  gate: GateState["gate"],
  call: Call | null,
  lines: readonly ViewLine[],
  simulated: boolean,
): string | null => {
  const { effect } = gate.transition;
  if (!call || !effect) return null;
  const named = lines.map(({ path, after }) => ({
    name: path.slice(`${effect.server}.${effect.tool}.`.length),
    value: after?.hidden === false ? after.value : undefined,
    text: after?.hidden === false ? after.texts?.[placeKey([])] : undefined,
  }));

  return (simulated ? "Simulated: " : "") + describeCall(effect.tool, call.schema, named);
};
