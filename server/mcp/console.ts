/** Tries a pinned tool, on record and without a receipt. */
import type { Principal } from "@/lib/engine/principal";
import type { CallProof } from "@/lib/engine/outside/call-proof";
import type { SignedRecord } from "@/lib/engine/ledger/record";
import { computeCommitment, type HexDigest } from "@/lib/hash";
import type { Json } from "@/lib/json";
import { getLimits } from "@/lib/mcp/call-limits";
import { mustBeTyped, type ConsoleAnswer, type ConsoleAsk, type ConsoleRefusal } from "@/lib/mcp/console";
import { IDEMPOTENCY_KEY } from "@/lib/mcp/meta";
import { isAllowed } from "@/lib/roles";
import type { AdminStep } from "@/server/admin-step";
import type { McpServerRow } from "@/server/store/mcp/row";
import { matchesArguments } from "./arguments";
import { prepare, type CallDeps, type Found, type Ready } from "./call";
import { readUsableServer } from "./confirmed-server";

/** The star excludes agents. */
const SANDBOX = "*sandbox";

type ConsoleStep = Omit<AdminStep, "area" | "step"> & { readonly step: "console_called" | "console_answered" };

export type Asked = {
  readonly workspaceId: string;
  readonly callId: string;
  readonly by: Extract<Principal, { type: "user" }>;
  /** Without these 32 bytes, deleted later, commitments reveal nothing. */
  readonly salt: string;
  readonly record: (step: ConsoleStep) => Promise<SignedRecord>;
};

const refused = (code: ConsoleRefusal): ConsoleAnswer => ({ status: "refused", code });

const judge = (deps: CallDeps, server: McpServerRow, ask: ConsoleAsk): ConsoleRefusal | Found => {
  if (server.status === "revoked") return "revoked";
  if (!server.transport || server.status !== "active") return "not_active";
  const tool = server.tools.find(({ name }) => name === ask.tool);
  if (!tool || server.limits === "unreadable" || tool.limits === "unreadable") return "not_found";
  if (!tool.pinned || tool.pinnedDigest !== ask.definition_digest) return "changed";
  if (tool.blockedAt !== null) return "blocked";
  if (mustBeTyped(tool.effect) && ask.typed !== tool.name) return "not_typed";

  return { server, tool, limits: getLimits(tool.limits, server.limits, deps.limits) };
};

const look = async (deps: CallDeps, { workspaceId }: Asked, ask: ConsoleAsk): Promise<ConsoleRefusal | Found> => {
  const server = await readUsableServer(deps, workspaceId, ask.id);

  return server ? judge(deps, server, ask) : "not_found";
};

const connected = async (deps: CallDeps, { workspaceId }: Asked, found: Found, ask: ConsoleAsk): Promise<ConsoleRefusal | Ready> => {
  const ready = await prepare(deps, { workspace: workspaceId, server: ask.id }, found, true);
  if (ready === "unreachable") return ready;
  if (ready === "drifted" || !ready.tool.pinned) return "changed";

  return matchesArguments(ready.tool.pinned.input_schema, ask.arguments) ? ready : "arguments_invalid";
};

const saidIn = (salt: string, ask: ConsoleAsk): HexDigest =>
  computeCommitment(salt, { tool: ask.tool, definition_digest: ask.definition_digest, arguments: ask.arguments });

const refuseOnRecord = async ({ by, salt, record }: Asked, ask: ConsoleAsk, code: ConsoleRefusal): Promise<ConsoleAnswer> => {
  await record({ by, subject: ask.id, step: "console_called", before: null, after: saidIn(salt, ask), refused: "step_refused" });

  return refused(code);
};

const callOnRecord = async (
  deps: CallDeps,
  asked: Asked,
  ask: ConsoleAsk,
  call: (proof: CallProof) => Promise<{ readonly status: string; readonly result: Json }>,
): Promise<ConsoleAnswer> => {
  const step = { by: asked.by, subject: ask.id };
  const said = saidIn(asked.salt, ask);
  // No call may lack a record.
  const called = await asked.record({ ...step, step: "console_called", before: null, after: said });
  const from = deps.clock.now();
  const { status, result } = await call({ kind: "console", record: called, salt: asked.salt });
  const ms = Math.max(0, Math.round(deps.clock.now() - from));
  const { record } = await asked.record({
    ...step,
    step: "console_answered",
    before: said,
    after: computeCommitment(asked.salt, { status, result }),
  });
  if (status !== "ok" && status !== "tool_error") return refused("asks");

  return { status, result, ms, record: record.seq };
};

export type TryOut = (ask: ConsoleAsk, asked: Asked, signal: AbortSignal) => Promise<ConsoleAnswer>;

/** Makes one call or refuses. @throws the signal's reason */
export const createTryOut =
  (deps: CallDeps): TryOut =>
  async (ask, asked, signal) => {
    if (!isAllowed(asked.by.role, "mcp.manage")) return refuseOnRecord(asked, ask, "forbidden");
    const first = await look(deps, asked, ask);
    if (typeof first === "string") return refuseOnRecord(asked, ask, first);
    const entry = await deps.admission.enter(`${asked.workspaceId}/${ask.id}/${ask.tool}`, first.limits, signal);
    if (typeof entry === "string") return refuseOnRecord(asked, ask, "busy");
    try {
      const found = entry.waited ? await look(deps, asked, ask) : first;
      if (typeof found === "string") return await refuseOnRecord(asked, ask, found);
      const ready = await connected(deps, asked, found, ask);
      if (typeof ready === "string") return await refuseOnRecord(asked, ask, ready);
      // An admin's changes meanwhile count.
      const again = await look(deps, asked, ask);
      if (typeof again === "string") return await refuseOnRecord(asked, ask, again);
      if (again.server.revision !== found.server.revision) return await refuseOnRecord(asked, ask, "changed");
      const meta = { [IDEMPOTENCY_KEY]: asked.callId, "countersign/caller": SANDBOX };

      return await callOnRecord(deps, asked, ask, (proof) =>
        ready.connection.call({ tool: ask.tool, arguments: ask.arguments, meta, proof, limits: ready.limits }, signal),
      );
    } finally {
      entry.leave(null);
    }
  };
