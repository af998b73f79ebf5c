import { findNodeById } from "@/lib/engine/decide/context";
import { getPublishedHere } from "@/lib/engine/frame";
import type { BodyOf } from "@/lib/engine/proposal";
import { findAside, heldBy, isSimulated, getKnownValue, ownEntry, type GateState } from "@/lib/engine/state";
import { findTask } from "@/lib/engine/task";
import { ownMember } from "@/lib/json";
import type { McpTarget } from "@/server/mcp/contract";
import type { RunnerDeps } from "@/server/runner/deps";
import { getAvailability } from "@/server/runner/effects";
import type { Session } from "@/server/runner/session";

const targetOf = (session: Session, { gate }: GateState): McpTarget | null => {
  const state = session.state();
  const { effect, node: asking } = gate.transition;
  if (!effect) return null;
  const published = getPublishedHere(session.root, state);
  const node = findNodeById(published, asking);
  const task = ownMember(getKnownValue(findAside(state, `$pending.${gate.id}`).at(-1)), "task");
  const agent = node && findTask(published, state, node, typeof task === "string" ? task : "")?.agent;

  return {
    workspace: state.workspace,
    server: effect.server,
    tool: effect.tool,
    caller: agent?.id ?? "node",
    definitionDigest: effect.definition_digest,
  };
};

/** Asks the server for the gate's tool; null: no call. */
export const checkAvailability = async (
  deps: RunnerDeps,
  session: Session,
  approvalId: string,
): Promise<BodyOf<"effect_intent">["availability"] | null> => {
  const found = ownEntry(session.state().gates, approvalId);
  const target = found ? targetOf(session, found) : null;
  if (!target) return null;
  const { server, tool, caller, definitionDigest: definition_digest } = target;

  return getAvailability(deps, session.state(), { server, tool, definition_digest }, caller);
};

/** A briefly unreachable server does not count. */
const findUnavailability = async (deps: RunnerDeps, session: Session, gate: GateState): Promise<"unavailable" | "drifted" | null> => {
  const target = targetOf(session, gate);
  if (!target || isSimulated(session.state())) return null;
  const standing = await deps.mcp.standing(target);

  return standing === "unavailable" || standing === "drifted" ? standing : null;
};

/** Voids gates of unavailable tools; resumes runs whose tool is back. */
export const reconcileGates = async (deps: RunnerDeps, session: Session): Promise<boolean> => {
  const principal = { type: "engine", epoch: session.epoch } as const;
  for (const gate of Object.values(session.state().gates)) {
    if (gate.status !== "open" || gate.gate.reason === "tool_input") continue;
    const shut = await findUnavailability(deps, session, gate);
    if (!shut) continue;
    const { verdict } = await session.submit({ principal, body: { kind: "void", approval_id: gate.gate.id, availability: shut } });

    return verdict.ok;
  }
  const held = heldBy(session.state());
  if (!held || (await findUnavailability(deps, session, held))) return false;
  const { verdict } = await session.submit({ principal, body: { kind: "ask_again", approval_id: held.gate.id } });

  return verdict.ok;
};
