/** Opens an approval node's gate and freezes its effect, or the cells it shows and raises. */
import type { NodeOf, PublishedGraph } from "@/lib/graph/document";
import { joinLabels, type Label } from "@/lib/graph/label";
import { parsePath, valueAt } from "@/lib/graph/path";
import { refuse, type Refusal } from "@/lib/refusal";
import { ok, type Result } from "@/lib/result";
import { nodeById } from "@/lib/engine/decide/context";
import { openGate } from "@/lib/engine/decide/gate";
import { accept, readsOf, reject, type Verdict, type Write } from "@/lib/engine/decide/verdict";
import { checkWrites } from "@/lib/engine/decide/writes";
import type { Proposal } from "@/lib/engine/proposal";
import { cellsAt, controlLabel, memoryOf, type RunState } from "@/lib/engine/state";
import { toolArguments } from "@/lib/engine/tool-arguments";
import { basisOf, effectTransition, overwrittenBy, transitionOf } from "@/lib/engine/ledger/transition";
import { contextLabel, effectiveGrants, viewOf } from "@/lib/engine/view";

type Asking = {
  readonly published: PublishedGraph;
  readonly state: RunState;
  readonly proposal: Proposal;
  readonly node: NodeOf<"approval">;
};

/** Raises integrity to reviewed; confidentiality and provenance stay. */
const reviewed = (state: RunState, path: string): Label => ({
  ...joinLabels([controlLabel(state), ...cellsAt(state.cells, path).map((cell) => cell.label)]),
  integrity: "reviewed",
});

export const promotions = (published: PublishedGraph, state: RunState, node: NodeOf<"approval">): Result<readonly Write[], Refusal> => {
  const memory = memoryOf(state.cells);
  const writes: Write[] = [];
  for (const { from, to } of node.config.promote) {
    const value = valueAt(memory, parsePath(from) ?? []);
    if (value === undefined) continue;
    const checked = checkWrites(published, state, effectiveGrants(published, node).write, [{ path: to, value }], reviewed(state, from));
    if (!checked.ok) return checked;
    writes.push(...checked.value.writes);
  }

  return ok(writes);
};

const forEffect = (asking: Asking, target: NodeOf<"tool">): Verdict => {
  const { published, state, proposal, node } = asking;
  const pin = published.tools.find((tool) => tool.server === target.config.server && tool.tool === target.config.tool);
  if (!pin) return reject(refuse("tool_not_granted", [node.id]), node.id);
  const args = toolArguments(target, viewOf(published.graph, state, effectiveGrants(published, target).read));
  const shown = node.config.review_keys.flatMap((path) => cellsAt(state.cells, path));
  const gate = openGate(proposal, {
    node,
    reason: "approval_node",
    prompt: node.config.prompt,
    reviewKeys: node.config.review_keys,
    transition: effectTransition(published, state, target, pin, args, "call"),
    pending: { server: pin.server, tool: pin.tool, arguments: args, call: "call", task: "" },
    label: contextLabel(published, { ...state, activation: null }, target),
  });

  return accept({ ...gate, reads: readsOf(shown), node: node.id });
};

/** The approval covers both the cells shown and where they are written as reviewed. */
const forCells = (asking: Asking, writes: readonly Write[]): Verdict => {
  const { published, state, proposal, node } = asking;
  const promoted = node.config.promote.map(({ from }) => from);
  const paths = [...new Set([...node.config.review_keys, ...promoted])];
  const cells = [...new Set(paths.flatMap((path) => cellsAt(state.cells, path)))];
  const targets = node.config.promote.map(({ from, to }) => ({ from, to }));
  const gate = openGate(proposal, {
    node,
    reason: "approval_node",
    prompt: node.config.prompt,
    reviewKeys: paths,
    transition: transitionOf(
      published,
      state,
      node,
      {
        kind: "pass",
        value: targets.length === 0 ? [...node.config.review_keys] : { shown: paths, promoted: targets },
        call: String(state.activation),
      },
      {
        reads: basisOf(cells),
        overwrites: overwrittenBy(
          state,
          writes.map((write) => write.path),
        ),
      },
    ),
    pending: { pass: true },
    label: joinLabels([controlLabel(state), ...cells.map((cell) => cell.label)]),
  });

  return accept({ ...gate, reads: readsOf(cells), node: node.id });
};

export const askPerson = (asking: Asking): Verdict => {
  const { published, state, node } = asking;
  const target = node.config.for_node === undefined ? undefined : nodeById(published, node.config.for_node);
  if (target?.kind === "tool" && node.config.promote.length === 0) return forEffect(asking, target);
  const raised = promotions(published, state, node);

  return raised.ok ? forCells(asking, raised.value) : reject(raised.error, node.id);
};
