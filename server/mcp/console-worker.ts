/** Console calls run beside registry commands, which wait for no tool. */
import { randomBytes } from "node:crypto";
import type { SignedRecord } from "@/lib/engine/ledger/record";
import type { Json } from "@/lib/json";
import { answerPlace, askPlace, consoleAskSchema, type ConsoleAnswer } from "@/lib/mcp/console";
import { log } from "@/server/log";
import type { Vault } from "@/server/security/vault";
import { getWorkspaceLedgerId } from "@/lib/engine/ledger/workspace-ledger";
import {
  beginConsoleCall,
  endConsoleCall,
  forgetConsoleCalls,
  openConsoleTurn,
  listUnfinishedConsoleCalls,
  type ConsoleCall,
} from "@/server/store/mcp/console-calls";
import type { PendingCommand } from "@/server/store/runs/commands";
import { workInTurn } from "@/server/turn-loop";
import type { Asked, TryOut } from "./console";
import type { ReadAsked } from "./registry-worker";

const MOST_AT_ONCE = 4;
const SALT_BYTES = 32;

export type ConsoleDeps = {
  readonly tryOut: TryOut;
  readonly vault: Vault;
  readonly readAsked: (command: PendingCommand, place: string) => ReturnType<ReadAsked>;
  /** Spends a call for good; false: already spent. */
  readonly spend: (workspaceId: string, callId: string) => Promise<boolean>;
  readonly record: (workspaceId: string, step: Parameters<Asked["record"]>[0]) => Promise<SignedRecord>;
};

const askOf = (body: Json, { serverId, tool }: ConsoleCall) => {
  const ask = consoleAskSchema.parse(body);
  if (ask.id !== serverId || ask.tool !== tool) throw new Error("a console call is about another tool than its row says");

  return ask;
};

const commandOf = ({ workspaceId, id, userId, body }: ConsoleCall): PendingCommand => ({
  workspaceId,
  id,
  runId: getWorkspaceLedgerId(workspaceId),
  author: { userId },
  kind: "console",
  body,
});

const answerTo = async (deps: ConsoleDeps, call: ConsoleCall, signal: AbortSignal): Promise<ConsoleAnswer> => {
  const read = await deps.readAsked(commandOf(call), askPlace(call.id));
  if (typeof read === "string") return { status: "refused", code: "forbidden" };
  if (!(await deps.spend(call.workspaceId, call.id))) return { status: "refused", code: "expired" };
  const asked: Asked = {
    workspaceId: call.workspaceId,
    callId: call.id,
    by: read.by,
    salt: randomBytes(SALT_BYTES).toString("hex"),
    record: (step) => deps.record(call.workspaceId, step),
  };

  return deps.tryOut(askOf(read.body, call), asked, signal);
};

const end = (vault: Vault, { workspaceId, id }: ConsoleCall, answer: ConsoleAnswer): Promise<void> =>
  endConsoleCall(id, vault.sealCommand(workspaceId, answerPlace(id), answer));

const work = async (deps: ConsoleDeps, call: ConsoleCall, signal: AbortSignal): Promise<void> => {
  if (!(await beginConsoleCall(call.id))) return;
  const answer = await answerTo(deps, call, signal).catch((error: unknown): ConsoleAnswer => {
    if (!signal.aborted) log().error({ call: call.id, err: error }, "a call that was tried out failed");

    return { status: "refused", code: "interrupted" };
  });
  await end(deps.vault, call, answer);
};

/** No call is begun twice, even by another runner. */
const look = async (deps: ConsoleDeps, running: Map<string, Promise<void>>, ring: () => void, signal: AbortSignal): Promise<void> => {
  for (const call of await listUnfinishedConsoleCalls()) {
    if (running.has(call.id) || running.size >= MOST_AT_ONCE) continue;
    if (call.status === "waiting" && call.isOld) {
      await end(deps.vault, call, { status: "refused", code: "expired" });
      continue;
    }
    if (call.status === "working") {
      await end(deps.vault, call, { status: "refused", code: "interrupted" });
      continue;
    }
    const done = work(deps, call, signal)
      .catch((error: unknown) => log().error({ call: call.id, err: error }, "a call that was tried out has no answer"))
      .finally(() => {
        running.delete(call.id);
        ring();
      });
    running.set(call.id, done);
  }
  await forgetConsoleCalls();
};

/** Works until `signal` aborts. */
export const workConsoleCalls = (deps: ConsoleDeps, signal: AbortSignal): Promise<void> => {
  const running = new Map<string, Promise<void>>();
  const settle = () => Promise.all(running.values());
  const complaint = "calls to be tried out are not read for a moment";

  return workInTurn({ open: openConsoleTurn, look: (ring) => look(deps, running, ring, signal), settle, complaint }, signal);
};
