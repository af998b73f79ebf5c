/** Model calls as proposals; a dropped call would be missing from the ledger. */
import { sharesDestination } from "@/lib/engine/effect-class";
import { ACTION_TYPES } from "@/lib/engine/outside/action";
import type { ThreadMessage, ToolCall } from "@/lib/engine/thread";
import type { PinnedTool } from "@/lib/graph/document";
import { getToolId } from "@/lib/graph/tool-ref";
import { isJsonObject, ownMember } from "@/lib/json";
import { HAND_OFF, SAVE_TO_MEMORY } from "@/server/executors/agent-tools";
import type { Gateways, Refused, ToolAnswer, ToolRequest } from "@/server/executors/contract";

type ToolMessage = Extract<ThreadMessage, { role: "tool" }>;
type Caller = { readonly task: string; readonly tools: readonly PinnedTool[] };

/** Server ids may contain the separator, so granted names come first. */
const toolOf = (tools: readonly PinnedTool[], name: string): Pick<ToolRequest, "server" | "tool"> => {
  const granted = tools.find((tool) => getToolId(tool.server, tool.tool) === name);
  if (granted) return { server: granted.server, tool: granted.tool };
  const at = name.indexOf("__");

  return at < 0 ? { server: "", tool: name } : { server: name.slice(0, at), tool: name.slice(at + 2) };
};

const isAction = ({ task }: Caller, name: string): boolean =>
  task === "" && [...ACTION_TYPES, SAVE_TO_MEMORY, HAND_OFF].some((known) => known === name);

/** The type comes last, so that no input can override it. */
const actionOf = (call: ToolCall): unknown => {
  const fields = isJsonObject(call.input) ? call.input : { input: call.input };
  if (call.name === HAND_OFF) return { ...fields, type: "handoff" };
  if (call.name !== SAVE_TO_MEMORY) return { ...fields, type: call.name };

  return { type: "update_memory", updates: Object.entries(fields).map(([path, value]) => ({ path, value })) };
};

/** Returns the calls directly after `next` with its destination class, which may wait beside it. */
export const listBeside = (caller: Caller, next: ToolCall, after: readonly ToolCall[]): readonly ToolCall[] => {
  const pinOf = ({ name }: ToolCall) => caller.tools.find(({ server, tool }) => getToolId(server, tool) === name);
  const own = pinOf(next);
  const isOther = (call: ToolCall): boolean => {
    const pin = pinOf(call);

    return !own || !pin || isAction(caller, call.name) || !sharesDestination(pin, own);
  };
  const other = after.findIndex(isOther);

  return isAction(caller, next.name) ? [] : after.slice(0, other === -1 ? undefined : other);
};

const answerTo = (caller: Caller, gateways: Gateways, call: ToolCall): Promise<ToolAnswer | Refused | { readonly status: "ok" }> =>
  isAction(caller, call.name)
    ? gateways.actions.propose(actionOf(call))
    : gateways.tools.call({ task: caller.task, call_id: call.id, ...toolOf(caller.tools, call.name), arguments: call.input });

const messageOf = (call: ToolCall, answer: Awaited<ReturnType<typeof answerTo>>): ToolMessage => {
  const byPerson = "by_person" in answer ? answer.by_person : undefined;
  const base = { role: "tool", call_id: call.id, name: call.name, ...(byPerson === undefined ? {} : { by_person: byPerson }) } as const;
  if (answer.status === "refused") {
    return {
      ...base,
      status: answer.code === "call_rejected" ? "rejected" : "refused",
      result: { code: answer.code, message: answer.message, legal: [...answer.legal] },
    };
  }

  return { ...base, status: answer.status, result: "result" in answer ? answer.result : "saved" };
};

/** Proposes one call and returns its answer. @throws Suspended */
export const performCall = async (caller: Caller, gateways: Gateways, call: ToolCall): Promise<ToolMessage> =>
  messageOf(call, await answerTo(caller, gateways, call));

/** Returns whether the run goes to a peer now. A resumed loop asks again and learns of the hand-off. */
export const handsOff = ({ task }: Caller, message: ThreadMessage): boolean => {
  if (task !== "" || message.role !== "tool" || message.name !== HAND_OFF) return false;

  return message.status === "ok" || (message.status === "refused" && ownMember(message.result, "code") === "version_conflict");
};
