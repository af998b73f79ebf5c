import { z } from "zod";
import type { PublishedGraph } from "@/lib/graph/document";
import { CLEAN, integritySchema, joinLabels, createSourceLabel, type Integrity, type Label } from "@/lib/graph/label";
import { idSchema, uuidSchema } from "@/lib/ids";
import { isJsonObject, ownMember, type Json } from "@/lib/json";
import type { Refusal } from "@/lib/refusal";
import { ok, type Result } from "@/lib/result";
import { enter } from "@/lib/engine/decide/complete";
import { isDriven } from "@/lib/engine/decide/settle";
import type { Write } from "@/lib/engine/decide/verdict";
import { checkWrites } from "@/lib/engine/decide/writes";
import type { RunEvent } from "@/lib/engine/event";
import { findAside, getKnownValue, type GateState, type RunState } from "@/lib/engine/state";

const stepSchema = z.strictObject({
  action: idSchema,
  names: z.array(idSchema).max(50),
  token: uuidSchema,
  session: uuidSchema,
  integrity: integritySchema,
});

export type Step = z.infer<typeof stepSchema>;

export type Update = { readonly path: string; readonly value: Json };

type Taken = { readonly events: RunEvent[]; readonly writes: readonly Write[]; readonly protectedKeys: readonly string[] };

/** Labels an external agent's data by its token's integrity. */
export const labelFromAgent = (token: string, integrity: Integrity): Label => createSourceLabel(integrity, "internal", `external:${token}`);

/** Labels a step, with its chooser if alternatives existed. */
export const labelChoice = ({ position }: RunState, by: Label): Label =>
  joinLabels([...(position ? [position.label] : []), ...((position?.actions.length ?? 0) > 1 ? [by] : [])]);

/**
 * Returns a legal step's events and writes.
 * @param by label of inputs and choice
 */
export const takeStep = (
  published: PublishedGraph,
  state: RunState,
  { integrity: _integrity, names, ...step }: Step,
  updates: readonly Update[],
  by: Label,
): Result<Taken, Refusal> => {
  const grants = updates.map(({ path }) => path);
  const checked = checkWrites(published, state, grants, updates, by);
  if (!checked.ok) return checked;
  const { after = null, actions = [] } = state.position ?? {};
  const edge = actions.find(({ node }) => node === step.action)?.edge ?? null;
  const decision = after === null ? null : { at: after, label: labelChoice(state, by) };

  return ok({
    ...checked.value,
    events: [
      { type: "action_chosen", ...step, inputs: [...names] },
      { type: "status_changed", to: "running", reason: null },
      enter(published, state, step.action, edge, decision),
    ],
  });
};

export const describePendingStep = (step: Step, updates: readonly Update[]): Json => ({
  step: { ...step },
  updates: updates.map(({ path, value }) => ({ path, value })),
});

const updatesOf = (pending: Json): Update[] => {
  const updates = ownMember(pending, "updates");
  if (!Array.isArray(updates)) return [];

  return updates.flatMap((update: Json) => {
    const path = ownMember(update, "path");

    return isJsonObject(update) && typeof path === "string" ? [{ path, value: update["value"] ?? null }] : [];
  });
};

export const getHeldStep = (state: RunState, { gate }: GateState): { readonly step: Step; readonly updates: readonly Update[] } | null => {
  const pending = getKnownValue(findAside(state, `$pending.${gate.id}`).at(-1)) ?? null;
  const { data } = stepSchema.safeParse(ownMember(pending, "step"));

  return data ? { step: data, updates: updatesOf(pending) } : null;
};

/** Takes a held step: approved, or only released on its route. */
export const takeHeld = (
  published: PublishedGraph,
  state: RunState,
  gateState: GateState,
  approvers: Label,
): Pick<Taken, "events" | "writes"> | null => {
  const held = getHeldStep(state, gateState);
  const isLegal = state.position?.actions.some(({ node }) => node === held?.step.action) === true;
  if (!held || !isLegal || !isDriven(published, state)) return null;
  const { token, integrity } = held.step;
  const allowed = gateState.gate.reason === "requested";
  const reviewed = integrity === "untrusted" ? "reviewed" : integrity;
  const edited = gateState.gate.editors ? findAside(state, `$pending.${gateState.gate.id}`).slice(-1) : [];
  const shown = edited.map(({ label }): Label => ({ ...CLEAN, confidentiality: label.confidentiality }));
  const by = allowed ? joinLabels([labelFromAgent(token, reviewed), approvers, ...shown]) : labelFromAgent(token, integrity);
  const taken = takeStep(published, state, held.step, held.updates, by);

  return taken.ok ? taken.value : null;
};
