/** The only way to call a tool. Rereads conditions: a suspension stops live runs. */
import { getLimits, type CallLimits } from "@/lib/mcp/call-limits";
import { hasDrift } from "@/lib/mcp/drift";
import { computeReachedDigest } from "@/lib/mcp/identity";
import { IDEMPOTENCY_KEY, RECEIPT } from "@/lib/mcp/meta";
import type { Clock } from "@/server/clock";
import { observeToolCall, startStopwatch } from "@/server/metrics";
import type { EgressPolicy } from "@/server/security/egress-url";
import type { AuthorityReader } from "@/server/store/trust/authority";
import { driftMcpServer } from "@/server/store/mcp/servers";
import type { McpServerRow, McpToolRow } from "@/server/store/mcp/row";
import { describeServer, runInSpan, type Note } from "@/server/trace";
import type { Admission } from "./admission";
import { answerOf } from "./answer";
import { matchesArguments } from "./arguments";
import { readUsableServer } from "./confirmed-server";
import type { Connection } from "./connection";
import type { Mcp, McpAnswer, McpCall, McpTarget } from "./contract";
import type { CallFault, Health } from "./health";
import { findDriftFrom, noteLive, reach } from "./inspect";
import type { Manager } from "./manager";
import type { ProgressKeeper } from "./progress";
import { recordStepBy, type RecordMcpStep } from "./steps";

const noteAddress = ({ transport }: McpServerRow, note: Note): void => {
  const url = transport?.type === "http" ? URL.parse(transport.url) : null;
  if (url) note(describeServer(url));
};

export type CallDeps = {
  readonly manager: Manager;
  readonly egress: EgressPolicy;
  readonly clock: Clock;
  readonly admission: Admission;
  readonly health: Health;
  readonly progress: ProgressKeeper;
  /** Null: rows count unverified. */
  readonly authority: AuthorityReader | null;
  readonly record: RecordMcpStep | null;
  readonly limits: CallLimits;
};

type Denial = "unavailable" | "drifted" | "not_allowed";
export type Found = { readonly server: McpServerRow; readonly tool: McpToolRow; readonly limits: CallLimits };
export type Ready = Found & { readonly connection: Connection };
type Done = { readonly answer: McpAnswer; readonly fault: CallFault | null | undefined };

const denied = (status: Denial): McpAnswer => ({ status, result: null });

const NOT_CALLED = {
  arguments_invalid: "The arguments do not match the pinned schema.",
  tool_busy: "Too many calls of this tool are waiting already; nothing was called.",
  tool_cooling: "The tool failed several times in a row and is left alone for a while; nothing was called.",
} as const;

const notCalled = (code: keyof typeof NOT_CALLED): McpAnswer => ({
  status: "tool_error",
  result: { error: { code, message: NOT_CALLED[code] } },
});

const judge = (server: McpServerRow, target: McpTarget, ours: CallLimits): Denial | Found => {
  if (!server.transport || server.status !== "active" || server.limits === "unreadable") return "unavailable";
  if (!server.allowedAgents.includes(target.caller)) return "not_allowed";
  const tool = server.tools.find(({ name }) => name === target.tool);
  if (!tool?.pinned || tool.pinnedDigest !== target.definitionDigest) return "drifted";
  if (tool.blockedAt !== null) return "unavailable";

  return tool.limits === "unreadable" ? "unavailable" : { server, tool, limits: getLimits(tool.limits, server.limits, ours) };
};

const look = async (deps: CallDeps, target: McpTarget): Promise<Denial | Found> => {
  const server = await readUsableServer(deps, target.workspace, target.server);

  return server ? judge(server, target, deps.limits) : "unavailable";
};

const ELSEWHERE = "The server is reached in another way than the reviewed one.";

/** Even a connection could leak secrets. */
const isElsewhere = ({ transport, access, pinnedIdentity }: McpServerRow): boolean =>
  transport !== null && pinnedIdentity !== null && pinnedIdentity.reached !== computeReachedDigest(transport, access);

/** Compares a server with its pins. @param fresh relist */
export const prepare = async <F extends Pick<Found, "server">>(
  deps: CallDeps,
  target: Pick<McpTarget, "workspace" | "run" | "environment" | "server">,
  found: F,
  fresh: boolean,
): Promise<"unreachable" | "drifted" | (F & Pick<Ready, "connection">)> => {
  const { server } = found;
  if (isElsewhere(server)) {
    await driftMcpServer(
      target.workspace,
      server.id,
      ELSEWHERE,
      deps.record && recordStepBy(deps.record, target.workspace, server.id, "drifted"),
    );
    await deps.manager.evict(target.workspace, target.server);

    return "drifted";
  }
  const reached = await reach(deps, target, server, fresh).catch(() => null);
  if (!reached) return "unreachable";
  const { connection, catalog } = reached;
  const { protocol, identity } = connection;
  if (!hasDrift(findDriftFrom(server, { catalog, identity }))) return { ...found, connection };
  await noteLive(target.workspace, server, { catalog, protocol, identity, unusable: connection.unusable() }, deps.record);
  await deps.manager.evict(target.workspace, target.server);

  return "drifted";
};

const ask = async (deps: CallDeps, call: McpCall, { connection, limits }: Ready, signal: AbortSignal): Promise<Done> => {
  const meta = { [IDEMPOTENCY_KEY]: call.idempotencyKey, ...(call.receipt ? { [RECEIPT]: call.receipt } : {}) };
  try {
    const outcome = await connection.call(
      {
        tool: call.tool,
        arguments: call.arguments,
        meta,
        ...(call.proof ? { proof: call.proof } : {}),
        input: call.input,
        limits,
        onProgress: (progress) => deps.progress.note(call, progress),
      },
      signal,
    );

    return answerOf(outcome);
  } finally {
    deps.progress.end(call);
  }
};

const proceed = async (deps: CallDeps, call: McpCall, found: Found, signal: AbortSignal): Promise<Done> => {
  // Swaps need no announcement, and even reads send arguments.
  const ready = await prepare(deps, call, found, true);
  if (ready === "unreachable") return { answer: denied("unavailable"), fault: ready };
  if (ready === "drifted") return { answer: denied(ready), fault: undefined };
  // An admin's changes meanwhile count.
  const again = await look(deps, call);
  if (typeof again === "string") return { answer: denied(again), fault: undefined };
  if (again.server.revision !== found.server.revision) return { answer: denied("unavailable"), fault: undefined };
  if (!ready.tool.pinned || !matchesArguments(ready.tool.pinned.input_schema, call.arguments)) {
    return { answer: notCalled("arguments_invalid"), fault: undefined };
  }

  return ask(deps, call, ready, signal);
};

export const noteOf = (deps: CallDeps, target: Pick<McpTarget, "workspace" | "server">, from: number, fault: Done["fault"]): void => {
  const at = deps.clock.now();
  if (fault !== undefined) deps.health.note(target.workspace, target.server, { at, ms: at - from, fault });
};

type MakeCall = (call: McpCall, signal: AbortSignal, note: Note) => Promise<McpAnswer>;

const calling =
  (deps: CallDeps): MakeCall =>
  async (call, signal, note) => {
    signal.throwIfAborted();
    const first = await look(deps, call);
    if (typeof first === "string") return denied(first);
    noteAddress(first.server, note);
    const entry = await deps.admission.enter(`${call.workspace}/${call.server}/${call.tool}`, first.limits, signal);
    if (entry === "busy" || entry === "cooling") return notCalled(`tool_${entry}`);
    let fault: Done["fault"];
    try {
      const found = entry.waited ? await look(deps, call) : first;
      if (typeof found === "string") return denied(found);
      const from = deps.clock.now();
      const done = await proceed(deps, call, found, signal);
      fault = done.fault;
      noteOf(deps, call, from, fault);

      return done.answer;
    } finally {
      entry.leave(fault === undefined ? null : fault !== null);
    }
  };

const measured =
  (makeCall: MakeCall): Mcp["call"] =>
  (call, signal) => {
    const asked = {
      "gen_ai.operation.name": "execute_tool",
      "gen_ai.tool.name": call.tool,
      "gen_ai.tool.type": "extension",
      "gen_ai.tool.call.id": call.effectId,
      "countersign.server": call.server,
    };

    return runInSpan(`execute_tool ${call.tool}`, asked, async (note) => {
      const elapsed = startStopwatch();
      let outcome: McpAnswer["status"] | "failed" = "failed";
      try {
        const answer = await makeCall(call, signal, note);
        outcome = answer.status;

        return answer;
      } finally {
        observeToolCall({ outcome, seconds: elapsed() });
        note(outcome === "ok" || outcome === "input_required" ? { "countersign.outcome": outcome } : { "error.type": outcome });
      }
    });
  };

export const createCall = (deps: CallDeps): Mcp["call"] => measured(calling(deps));

export const createCheck =
  (deps: CallDeps): Mcp["check"] =>
  async (target) => {
    const found = await look(deps, target);
    if (typeof found === "string") return found;
    const from = deps.clock.now();
    const ready = await prepare(deps, target, found, false);
    if (ready === "drifted") return ready;
    if (ready !== "unreachable") return "ok";
    noteOf(deps, target, from, ready);

    return "unavailable";
  };

export const createStanding =
  (deps: CallDeps): Mcp["standing"] =>
  async (target) => {
    const found = await look(deps, target);

    return typeof found === "string" ? found : "ok";
  };
