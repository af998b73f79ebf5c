import type { PublishedGraph } from "@/lib/graph/document";
import { getKind } from "@/lib/graph/kind-of";
import { joinLabels, createSourceLabel, type Label } from "@/lib/graph/label";
import { ownMember, type Json } from "@/lib/json";
import type { Seat } from "@/lib/people/approvers";
import { refuse, type Refusal, type RefusalCode } from "@/lib/refusal";
import { err, ok, type Result } from "@/lib/result";
import { buildApprovalView } from "@/lib/engine/approvals/approval-view";
import { checkArguments, findToolRefusal } from "@/lib/engine/decide/call-rules";
import { findNodeById, type DecideContext } from "@/lib/engine/decide/context";
import { sayObjection } from "@/lib/engine/decide/decider";
import { checkGivenInputs } from "@/lib/engine/decide/inputs";
import { labelFromAgent, getHeldStep, describePendingStep } from "@/lib/engine/decide/step";
import { accept, reject, type Verdict, type Write } from "@/lib/engine/decide/verdict";
import { checkWrites } from "@/lib/engine/decide/writes";
import { listEdits } from "@/lib/engine/approvals/edited";
import { MOST_EDITORS, type Gate, type Transition } from "@/lib/engine/event";
import { getClearance, canBeShown } from "@/lib/engine/approvals/policy";
import type { Principal } from "@/lib/engine/principal";
import type { Edited } from "@/lib/engine/approvals/edited-form";
import { findAside, findCellsAt, getKnownValue, ownEntry, type Cell, type GateState, type RunState } from "@/lib/engine/state";
import { buildEffectTransition, isStale, listOverwritten, computeTransitionDigest, buildTransition } from "@/lib/engine/ledger/transition";
import { getEffectiveGrants } from "@/lib/engine/view";

type Person = Extract<Principal, { type: "user" }>;

type Editing = {
  readonly published: PublishedGraph;
  readonly state: RunState;
  readonly gateState: GateState;
  readonly person: Person;
  readonly pending: Cell;
};

type Replaced = { readonly transition: Transition; readonly pending: Json; readonly label: Label };

type Editable = "arguments" | "updates";

const editableAt = (published: PublishedGraph, state: RunState, gateState: GateState): Editable | null => {
  const { gate } = gateState;
  const pending = getKnownValue(findAside(state, `$pending.${gate.id}`).at(-1));
  switch (gate.reason) {
    case "approval_node":
    case "effect":
    case "tainted_effect":
      return gate.transition.effect && typeof ownMember(pending, "call") === "string" ? "arguments" : null;
    case "protected_key": {
      const node = findNodeById(published, gate.node);

      return node && getKind(node).editable ? "updates" : null;
    }
    case "requested":
      return getHeldStep(state, gateState) ? "updates" : null;
    case "tainted_route":
    case "unclear_effect":
    case "undo":
    case "review":
    case "tool_input":
    case "budget":
      return null;
    default:
      return gate.reason satisfies never;
  }
};

const editLabel = ({ state, gateState, person, pending }: Editing, paths: readonly string[]): Label => {
  const clearance = getClearance(person);
  const shown = [...gateState.gate.review_keys, ...paths].flatMap((path) => findCellsAt(state.cells, path));

  return joinLabels([
    pending.label,
    ...shown.map(({ label }) => label).filter((label) => canBeShown(label, clearance)),
    createSourceLabel("trusted", "internal", `user:${person.id}`),
  ]);
};

const editedCall = (editing: Editing, value: Json): Result<Replaced, Refusal> => {
  const { published, state, gateState, pending } = editing;
  const { transition } = gateState.gate;
  const node = findNodeById(published, transition.node);
  const tool = published.tools.find(({ server, tool: name }) => server === transition.effect?.server && name === transition.effect.tool);
  const waits = getKnownValue(pending);
  const [call, task] = [ownMember(waits, "call"), ownMember(waits, "task")];
  if (!node || !tool || typeof call !== "string" || typeof task !== "string") return err(refuse("edit_unsupported"));
  const label = editLabel(editing, []);
  const args = checkArguments(tool, value);
  const code = findToolRefusal(tool, "ok", args, label);
  if (code || !args) return err(refuse(code ?? "arguments_invalid", [node.id]));

  return ok({
    transition: buildEffectTransition(published, state, node, tool, args, call, task),
    pending: { server: tool.server, tool: tool.tool, arguments: args, call, task },
    label,
  });
};

type Updates = Extract<Edited, { updates: unknown }>["updates"];

const editedWrites = (editing: Editing, updates: Updates): Result<Replaced, Refusal> => {
  const { published, state, gateState, pending } = editing;
  const node = findNodeById(published, gateState.gate.node);
  if (!node) return err(refuse("edit_unsupported"));
  const paths = updates.map(({ path }) => path);
  const checked = checkWrites(published, state, getEffectiveGrants(published, node).write, updates, editLabel(editing, paths));
  if (!checked.ok) return checked;
  const { writes } = checked.value;
  const choice = ownMember(getKnownValue(pending), "choice");
  const value: Json = {
    updates: writes.map((write) => ({ path: write.path, value: write.value })),
    ...(choice === undefined ? {} : { choice }),
  };

  return ok({
    transition: buildTransition(
      published,
      state,
      node,
      { kind: "write", value, call: String(state.activation) },
      { overwrites: listOverwritten(state, paths) },
    ),
    pending: value,
    label: joinLabels(writes.map(({ label }) => label)),
  });
};

const editedStep = (editing: Editing, updates: Updates): Result<Replaced, Refusal> => {
  const { published, state, gateState, person } = editing;
  const node = findNodeById(published, gateState.gate.node);
  const held = getHeldStep(state, gateState);
  const declared = node?.action?.inputs ?? [];
  const nameOf = (path: string) => declared.find((input) => input.path === path && held?.step.names.includes(input.name))?.name;
  if (!node || !held || updates.some(({ path }) => nameOf(path) === undefined) || updates.length !== held.updates.length)
    return err(refuse("validation_failed"));
  const { token, integrity } = held.step;
  const by = labelFromAgent(token, integrity === "untrusted" ? "reviewed" : integrity);
  const inputs = Object.fromEntries(updates.map(({ path, value }) => [nameOf(path) ?? "", value]));
  const given = checkGivenInputs(published, state, node, inputs, by);
  if (!given.ok) return given;
  const pending = describePendingStep(held.step, given.value.updates);
  const paths = given.value.updates.map(({ path }) => path);

  return ok({
    transition: buildTransition(
      published,
      state,
      node,
      { kind: "step", value: pending, call: String(state.position?.since) },
      { overwrites: listOverwritten(state, paths) },
    ),
    pending,
    label: joinLabels([editLabel(editing, paths), createSourceLabel("trusted", "public", `user:${person.id}`), given.value.label]),
  });
};

const replaced = (editing: Editing, change: Edited): Result<Replaced, Refusal> => {
  const { published, state, gateState } = editing;
  const editable = editableAt(published, state, gateState);
  if (editable === "arguments" && "arguments" in change) return editedCall(editing, change.arguments);
  if (editable !== "updates" || !("updates" in change)) return err(refuse("edit_unsupported"));

  return gateState.gate.reason === "requested" ? editedStep(editing, change.updates) : editedWrites(editing, change.updates);
};

/**
 * Returns why the person may not edit.
 * @param atMs ms since 1970
 */
export const editObjection = (
  root: PublishedGraph,
  { published, state, gateState, person, seats }: Omit<Editing, "pending"> & { readonly seats?: readonly Seat[] | undefined },
  atMs: number,
): RefusalCode | null => {
  const code = sayObjection(state, gateState, { ...person, ...(seats ? { seats } : {}) }, atMs);
  if (code) return code;
  if (editableAt(published, state, gateState) === null) return "edit_unsupported";
  if (listEdits(state, gateState).length > MOST_EDITORS) return "edit_limit";
  const { lines } = buildApprovalView(root, state, gateState, getClearance(person));

  // Hidden values can be neither replaced nor probed.
  return lines.some(({ op, before, after }) => op !== "show" && [before, after].some((side) => side?.hidden)) ? "role_missing" : null;
};

export const decideEdit = ({ root, published, state, proposal, body }: DecideContext<"edit">): Verdict => {
  const { principal } = proposal;
  const gateState = ownEntry(state.gates, body.approval_id);
  if (!gateState) return reject(refuse("approval_unknown"));
  const { gate } = gateState;
  const no = (code: RefusalCode, ids: readonly string[] = [gate.node]) => reject(refuse(code, ids), gate.node);
  if (principal.type !== "user") return no("principal_not_allowed");
  const code = editObjection(root, { published, state, gateState, person: principal, seats: proposal.seats }, proposal.at);
  if (code) return no(code);
  if (body.nonce !== gate.nonce) return no("nonce_mismatch");
  if (body.transition_digest !== gate.transition_digest) return no("transition_mismatch");
  if (isStale(state, gate.transition)) return no("approval_stale");
  const pending = findAside(state, `$pending.${gate.id}`).at(-1);
  const edit = pending
    ? replaced({ published, state, gateState, person: principal, pending }, body.change)
    : err(refuse("edit_unsupported"));
  if (!edit.ok) return reject(edit.error, gate.node);
  const { transition, label } = edit.value;
  if (transition.proposal_digest === gate.transition.proposal_digest) return no("edit_unchanged");
  const [id, nonce] = proposal.fresh;
  const opened: Gate = {
    ...gate,
    id,
    nonce,
    transition,
    transition_digest: computeTransitionDigest(transition),
    opened_at: proposal.at,
    supersedes: gate.id,
    editors: [...new Set([...(gate.editors ?? []), principal.id])],
  };
  const reason: Write[] =
    body.reason === undefined
      ? []
      : [{ path: "$reason", value: body.reason.toWellFormed(), label: createSourceLabel("trusted", "internal", `user:${principal.id}`) }];

  return accept({
    events: [
      { type: "gate_resolved", approval_id: gate.id, outcome: "superseded", receipt: null },
      { type: "gate_opened", gate: opened },
    ],
    writes: [{ path: `$pending.${id}`, value: edit.value.pending, label }, ...reason],
    node: gate.node,
  });
};
