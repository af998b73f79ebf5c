import type { NodeOf, PublishedGraph } from "@/lib/graph/document";
import { callsTool } from "@/lib/graph/kind-of";
import { joinLabels, type Label } from "@/lib/graph/label";
import { parsePath, getValueAt } from "@/lib/graph/path";
import { refuse, type Refusal } from "@/lib/refusal";
import { ok, type Result } from "@/lib/result";
import { findNodeById } from "@/lib/engine/decide/context";
import { openGate } from "@/lib/engine/decide/gate";
import { accept, listReads, reject, type Verdict, type Write } from "@/lib/engine/decide/verdict";
import { checkWrites } from "@/lib/engine/decide/writes";
import type { Proposal } from "@/lib/engine/proposal";
import { findCellsAt, getControlLabel, toMemory, type RunState } from "@/lib/engine/state";
import { buildToolArguments } from "@/lib/engine/tool-arguments";
import { toBasis, buildEffectTransition, listOverwritten, buildTransition } from "@/lib/engine/ledger/transition";
import { getContextLabel, getEffectiveGrants, buildView } from "@/lib/engine/view";

type Asking = {
  readonly published: PublishedGraph;
  readonly state: RunState;
  readonly proposal: Proposal;
  readonly node: NodeOf<"approval">;
};

const reviewed = (state: RunState, path: string): Label => ({
  ...joinLabels([getControlLabel(state), ...findCellsAt(state.cells, path).map((cell) => cell.label)]),
  integrity: "reviewed",
});

export const listPromotions = (published: PublishedGraph, state: RunState, node: NodeOf<"approval">): Result<readonly Write[], Refusal> => {
  const memory = toMemory(state.cells);
  const writes: Write[] = [];
  for (const { from, to } of node.config.promote) {
    const value = getValueAt(memory, parsePath(from) ?? []);
    if (value === undefined) continue;
    const checked = checkWrites(published, state, getEffectiveGrants(published, node).write, [{ path: to, value }], reviewed(state, from));
    if (!checked.ok) return checked;
    writes.push(...checked.value.writes);
  }

  return ok(writes);
};

const forEffect = (asking: Asking, target: NodeOf<"tool">): Verdict => {
  const { published, state, proposal, node } = asking;
  const pin = published.tools.find((tool) => tool.server === target.config.server && tool.tool === target.config.tool);
  if (!pin) return reject(refuse("tool_not_granted", [node.id]), node.id);
  const args = buildToolArguments(target, buildView(published.graph, state, getEffectiveGrants(published, target).read));
  const shown = node.config.review_keys.flatMap((path) => findCellsAt(state.cells, path));
  const gate = openGate(proposal, {
    node,
    reason: "approval_node",
    prompt: node.config.prompt,
    reviewKeys: node.config.review_keys,
    transition: buildEffectTransition(published, state, target, pin, args, "call"),
    pending: { server: pin.server, tool: pin.tool, arguments: args, call: "call", task: "" },
    label: getContextLabel(published, { ...state, activation: null }, target),
  });

  return accept({ ...gate, reads: listReads(shown), node: node.id });
};

const forCells = (asking: Asking, writes: readonly Write[]): Verdict => {
  const { published, state, proposal, node } = asking;
  const promoted = node.config.promote.map(({ from }) => from);
  const paths = [...new Set([...node.config.review_keys, ...promoted])];
  const cells = [...new Set(paths.flatMap((path) => findCellsAt(state.cells, path)))];
  const targets = node.config.promote.map(({ from, to }) => ({ from, to }));
  const gate = openGate(proposal, {
    node,
    reason: "approval_node",
    prompt: node.config.prompt,
    reviewKeys: paths,
    transition: buildTransition(
      published,
      state,
      node,
      {
        kind: "pass",
        value: targets.length === 0 ? [...node.config.review_keys] : { shown: paths, promoted: targets },
        call: String(state.activation),
      },
      {
        reads: toBasis(cells),
        overwrites: listOverwritten(
          state,
          writes.map((write) => write.path),
        ),
      },
    ),
    pending: { pass: true },
    label: joinLabels([getControlLabel(state), ...cells.map((cell) => cell.label)]),
  });

  return accept({ ...gate, reads: listReads(cells), node: node.id });
};

export const askPerson = (asking: Asking): Verdict => {
  const { published, state, node } = asking;
  const target = node.config.for_node === undefined ? undefined : findNodeById(published, node.config.for_node);
  if (callsTool(target) && node.config.promote.length === 0) return forEffect(asking, target);
  const raised = listPromotions(published, state, node);

  return raised.ok ? forCells(asking, raised.value) : reject(raised.error, node.id);
};
