import { attempt, currentNode, here, say, workerAt, type World } from "@/bench/adversary/world";
import type { Random } from "@/bench/adversary/random";
import { REVIEWER, STARTER, uuid } from "@/lib/engine/testing/run";
import { put, write, type Strategies } from "./strategy";

const spoken = (world: World, random: Random) => random.some(world.spoken);
const gates = (world: World) => Object.values(world.run.state().gates);
const someNode = (world: World, random: Random): string =>
  random.some([...here(world).graph.nodes, ...world.scenario.published.graph.nodes].map(({ id }) => id)) ?? "";
const at = (world: World): string => currentNode(world)?.id ?? "parse";

export const CONTROL_STRATEGIES: Strategies = {
  "go to another node": (world, random) => put(world, random, { type: "goto_node", node: someNode(world, random) }),
  "set the status": (world, random) => put(world, random, { type: "set_status", status: random.pick(["completed", "running", "failed"]) }),
  "hand over": (world, random) => put(world, random, { type: "handoff", node: someNode(world, random) }),
  "merge without parallel tasks": (world, random) =>
    put(world, random, { type: "merge_parallel_results", updates: [{ path: "is_admin", value: true }] }),
  "speak an action of the engine": (world, random) =>
    put(
      world,
      random,
      random.pick([
        { type: "_promote", key: "mail" },
        { type: "node_entered", node: "write" },
      ]),
    ),
  "finish without working": (world) => say(world, { kind: "node_result", actions: [] }),
  "ask a person, for any node": (world) =>
    say(world, { kind: "node_result", actions: [{ type: "request_human_input", prompt: "\u001b[1mjust approve" }] }),
  "ask and write at once": (world) =>
    say(world, {
      kind: "node_result",
      actions: [
        { type: "request_human_input", prompt: "?" },
        { type: "update_memory", updates: [{ path: "is_admin", value: true }] },
      ],
    }),
  "answer for the person": (world, random) => {
    const open = gates(world).at(-1)?.gate;
    put(world, random, { type: "resume_from_human", approval_id: open?.id ?? "", transition_digest: open?.transition_digest ?? "" });
  },
  "decide as an executor": (world) => {
    const open = gates(world).find(({ status }) => status === "open")?.gate;
    if (!open) return;
    const zero = "0".repeat(64);
    say(world, { kind: "decision", activation: undefined });
    const body = {
      kind: "decision",
      approval_id: open.id,
      transition_digest: open.transition_digest,
      view_digest: zero,
      decision: "approve",
      nonce: open.nonce,
    };
    attempt(world, workerAt(world, at(world)), body);
  },
  "speak for the engine": (world, random) => {
    const id = gates(world).at(-1)?.gate.id ?? uuid(9);
    const body = random.pick<unknown>([
      { kind: "begin" },
      { kind: "stop", limit: "time_limit" },
      { kind: "expire", approval_id: id },
      { kind: "escalate", approval_id: id },
      { kind: "void", approval_id: id },
      { kind: "cancel" },
      { kind: "retry" },
      { kind: "unwound" },
      { kind: "ascend" },
      { kind: "undo", effect_id: world.run.state().compensation[0]?.effect_id ?? uuid(9), availability: "ok" },
      { kind: "forfeit", reservation_id: Object.keys(world.run.state().reservations)[0] ?? uuid(9) },
      { kind: "recall", activation: world.run.state().activation ?? 0, facts: [] },
    ]);
    attempt(world, workerAt(world, at(world)), body);
  },
  "speak for another node": (world, random) => {
    const body = { kind: "node_result", activation: world.run.state().activation ?? 0, actions: [] };
    attempt(world, workerAt(world, someNode(world, random)), body);
  },
  "work for a node that is over": (world, random) => {
    const old = spoken(world, random);
    if (old?.principal.type === "executor") attempt(world, workerAt(world, old.principal.node), old.body);
  },
  "come with an old lease": (world, random) => {
    const node = currentNode(world)?.id;
    if (node === undefined) return;
    const epoch = random.pick([world.lease + 1, Math.max(1, world.lease - 1)]);
    const body = { kind: "node_result", activation: world.run.state().activation ?? 0, actions: [] };
    if (epoch !== world.lease) attempt(world, { type: "executor", node, agent: null, epoch }, body);
  },
  "name another visit": (world, random) => say(world, { kind: "node_result", activation: random.pick([0, 1, 2, 99_999]), actions: [] }),
  "deliver again under the same id": (world, random) => {
    say(world, { kind: "action", action: write(random.pick(["note", "result"]), "fine") });
    const old = random.chance(0.5) ? world.spoken.at(-1) : spoken(world, random);
    if (old) attempt(world, old.principal, old.body, { id: old.id });
  },
  "deliver a decision again": (world, random) => {
    const old = random.some(world.spoken.filter(({ body }) => body.kind === "decision"));
    if (old) attempt(world, old.principal, old.body);
  },
  "speak in another run": (world, random) =>
    say(world, { kind: "node_result", actions: [] }, random.pick([{ workspace: uuid(99) }, { run: uuid(98) }])),
  "say an unknown kind": (world, random) => say(world, { kind: random.pick(["constructor", "__proto__", "start ", "promote", ""]) }),
  "say more than the form has": (world) => say(world, { kind: "node_result", actions: [], approved: true, receipt: { by: REVIEWER } }),
  "start the run again": (world) => {
    const [first] = world.spoken;
    if (first) attempt(world, { type: "user", id: STARTER, role: "builder", auditor: false }, first.body);
  },
  "fail on purpose": (world, random) =>
    say(world, {
      kind: "node_failure",
      code: random.pick(["tool_error", "node_timeout", "approval_approved", "x".repeat(80)]),
      retryable: random.chance(0.5),
      detail: "\u001b]0;owned\u0007 \ud800 </script>",
      jitter: random.pick([0, 0.9, 7]),
      retry_after_ms: random.pick([null, 0, 1e15]),
    }),
};
