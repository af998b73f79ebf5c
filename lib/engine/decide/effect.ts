/** Tool calls: granted, pinned, valid, authorized; then intent, and later outcome. */
import type { EffectClass, GraphNode, PinnedTool, PublishedGraph } from "@/lib/graph/document";
import { matchesSchema } from "@/lib/graph/json-schema";
import { CLEAN, joinLabels, source, type Label } from "@/lib/graph/label";
import { parsePath } from "@/lib/graph/path";
import { toolId } from "@/lib/graph/tool-ref";
import { isJsonObject, plainJson, type Json, type JsonObject } from "@/lib/json";
import { refuse, type RefusalCode } from "@/lib/refusal";
import type { DecideContext } from "@/lib/engine/decide/context";
import { openGate } from "@/lib/engine/decide/gate";
import { accept, readsOf, reject, type Verdict } from "@/lib/engine/decide/verdict";
import { needsReceipt } from "@/lib/engine/policy";
import { ownEntry } from "@/lib/engine/state";
import { toolArguments } from "@/lib/engine/tool-arguments";
import { argumentsDigest, effectTransition, receiptFor, transitionDigest } from "@/lib/engine/transition";
import { agentOf, contextLabel, effectiveGrants, expandGrants, viewOf } from "@/lib/engine/view";

const ARGUMENT_LIMITS = { maxBytes: 262_144, maxDepth: 32 };
const RESULT_LIMITS = { maxBytes: 16 * 1_048_576, maxDepth: 64 };
const CLASSES: readonly EffectClass[] = ["pure", "read", "write", "irreversible"];

/** The stricter of what the graph and the admin's pin say. */
const effectClassOf = (node: GraphNode, tool: PinnedTool): EffectClass =>
  CLASSES[Math.max(CLASSES.indexOf(node.effect), CLASSES.indexOf(tool.effect))] ?? "irreversible";

/** The tools that a node may call at all, as the graph version pinned them. */
export const grantedTools = (published: PublishedGraph, node: GraphNode): readonly PinnedTool[] => {
  const named = node.kind === "tool" ? [node.config] : (agentOf(published, node)?.tools ?? []);

  return published.tools.filter((pin) => named.some((ref) => ref.server === pin.server && ref.tool === pin.tool));
};

/** Whether an approval node stands for this node's effect: then its label alone never lets it pass. */
const hasGateNode = (published: PublishedGraph, node: GraphNode) =>
  published.graph.nodes.some((other) => other.kind === "approval" && other.config.for_node === node.id);

const AVAILABILITY = {
  unavailable: "tool_unavailable",
  not_allowed: "tool_not_granted",
  drifted: "tool_drifted",
} as const satisfies Record<string, RefusalCode>;

const checkArguments = (tool: PinnedTool, value: unknown): JsonObject | null => {
  const plain = plainJson(value, ARGUMENT_LIMITS);

  return plain.ok && isJsonObject(plain.value) && matchesSchema(tool.input_schema, plain.value, false) ? plain.value : null;
};

export const decideIntent = ({ published, state, proposal, body }: DecideContext<"effect_intent">, node: GraphNode): Verdict => {
  const granted = grantedTools(published, node);
  const legal = granted.map((pin) => `call:${toolId(pin.server, pin.tool)}`);
  const tool = granted.find((pin) => pin.server === body.server && pin.tool === body.tool);
  const declared = published.tools.some((pin) => pin.server === body.server && pin.tool === body.tool);
  if (!tool) return reject(refuse("tool_not_granted", declared ? [toolId(body.server, body.tool)] : [], legal), node.id);
  const id = toolId(tool.server, tool.tool);
  // One effect per call, however often it is asked for: the answer to the first is in the ledger.
  const twin = Object.values(state.effects).some((effect) => effect.activation === body.activation && effect.call_id === body.call_id);
  if (twin) return reject(refuse("version_conflict", [id], legal), node.id);
  if (body.availability !== "ok") return reject(refuse(AVAILABILITY[body.availability], [id], legal), node.id);
  const args = checkArguments(tool, body.arguments);
  const view = viewOf(published.graph, state, effectiveGrants(published, node).read);
  // A tool node's arguments are the graph's to say, not its executor's.
  const mapped = node.kind !== "tool" || (args && argumentsDigest(args) === argumentsDigest(toolArguments(node, view.value)));
  if (!args || !mapped) return reject(refuse("arguments_invalid", [id], legal), node.id);

  const effectClass = effectClassOf(node, tool);
  const label = contextLabel(published, state, node);
  const transition = effectTransition(
    published,
    state,
    node,
    tool,
    args,
    node.kind === "tool" ? "call" : `${body.activation}:${body.call_id}`,
  );
  const always = node.approval === "always" || hasGateNode(published, node);
  const receipt = receiptFor(state, transitionDigest(transition), proposal.at);
  const reads = readsOf(view.cells);
  if (!receipt && needsReceipt(effectClass, label, always)) {
    const gate = openGate(proposal, {
      node,
      reason: always ? "effect" : "tainted_effect",
      prompt: `${node.title || node.id} asks to call ${tool.tool}`,
      transition,
      pending: { server: tool.server, tool: tool.tool, arguments: args },
      label,
    });

    return accept({ ...gate, reads, node: node.id });
  }

  return accept({
    events: [
      {
        type: "effect_intended",
        effect_id: proposal.fresh[0],
        node: node.id,
        activation: body.activation,
        call_id: body.call_id,
        effect: {
          server: tool.server,
          tool: tool.tool,
          definition_digest: tool.definition_digest,
          arguments_digest: transition.effect?.arguments_digest ?? "",
        },
        effect_class: effectClass,
        idempotent: tool.idempotent || effectClass === "pure" || effectClass === "read",
        approval_id: receipt?.gate.id ?? null,
        epoch: proposal.epoch,
      },
    ],
    writes: [{ path: `$arguments.${proposal.fresh[0]}`, value: args, label }],
    reads,
    node: node.id,
  });
};

/**
 * Whatever a tool says is untrusted and comes from that tool, on top of everything that shaped the question, and is at
 * least as confidential as the admin says its answers are.
 */
const resultLabel = (published: PublishedGraph, asked: Label, server: string, tool: string): Label => {
  const output = published.tools.find((pin) => pin.server === server && pin.tool === tool)?.output ?? "secret";

  return joinLabels([asked, source("untrusted", output, `mcp:${server}/${tool}`)]);
};

/** What a tool node's result is written to says how confidential it is from the moment it arrives, not only in memory. */
const destinationLabel = (published: PublishedGraph, nodeId: string): Label => {
  const node = published.graph.nodes.find((candidate) => candidate.id === nodeId);
  const keys = node?.kind === "tool" ? expandGrants(published.graph, node.write_keys).map((path) => parsePath(path)?.[0]) : [];

  return joinLabels(
    published.graph.memory
      .filter(({ key }) => keys.includes(key))
      .map(({ classification }) => ({ ...CLEAN, confidentiality: classification })),
  );
};

/** It has happened, so it is recorded whatever came back; what is no JSON could be neither hashed nor kept. */
const settledResult = (value: unknown): Json => {
  const plain = plainJson(value, RESULT_LIMITS);

  return plain.ok ? plain.value : { unrepresentable: plain.error };
};

export const decideOutcome = ({ published, state, proposal, body }: DecideContext<"effect_outcome">): Verdict => {
  const effect = ownEntry(state.effects, body.effect_id);
  if (!effect || effect.outcome !== null) return reject(refuse("effect_unknown"));
  if (proposal.principal.type !== "executor" || proposal.principal.node !== effect.node) {
    return reject(refuse("principal_not_allowed", [effect.node]), effect.node);
  }
  const asked = state.aside.find((cell) => cell.path === `$arguments.${body.effect_id}`)?.label ?? joinLabels([]);

  return accept({
    events: [{ type: "effect_settled", effect_id: body.effect_id, outcome: body.outcome }],
    writes: [
      {
        path: `$result.${body.effect_id}`,
        value: settledResult(body.result),
        label: joinLabels([
          resultLabel(published, asked, effect.effect.server, effect.effect.tool),
          destinationLabel(published, effect.node),
        ]),
      },
    ],
    node: effect.node,
  });
};

/** An intent without outcome after a crash: sent again if that is safe, else a person decides. */
export const decideRecover = ({ published, state, proposal, body }: DecideContext<"recover">): Verdict => {
  const effect = ownEntry(state.effects, body.effect_id);
  const node = effect && published.graph.nodes.find((candidate) => candidate.id === effect.node);
  if (!effect || !node || effect.outcome !== null || effect.epoch >= proposal.epoch) return reject(refuse("effect_unknown"));
  if (state.status === "waiting") return reject(refuse("version_conflict"), node.id);
  // Nobody waits for it any more: sending it again could only do harm, and its node is not the one a person could judge.
  if (effect.activation !== state.activation) {
    return accept({ events: [{ type: "effect_settled", effect_id: body.effect_id, outcome: "abandoned" }], node: node.id });
  }
  const { seq: _seq, outcome: _outcome, ...intended } = effect;
  if (effect.idempotent) return accept({ events: [{ ...intended, epoch: proposal.epoch }], node: node.id });

  const asked = state.aside.find((cell) => cell.path === `$arguments.${body.effect_id}`);
  const args = asked?.content.known ? asked.content.value : null;
  const pin = published.tools.find((tool) => tool.server === effect.effect.server && tool.tool === effect.effect.tool);
  if (!pin || !asked || !isJsonObject(args ?? undefined)) return reject(refuse("effect_unknown"));
  const gate = openGate(proposal, {
    node,
    reason: "unclear_effect",
    prompt: `${effect.effect.tool} was asked for, and it is not known whether it happened. Approve to send it again.`,
    transition: effectTransition(published, state, node, pin, args as JsonObject, `again:${body.effect_id}`),
    pending: { server: pin.server, tool: pin.tool, arguments: args, effect_id: body.effect_id },
    label: asked.label,
  });

  return accept({ ...gate, node: node.id });
};
