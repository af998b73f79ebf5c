import type { JsonObject } from "@/lib/json";
import { toRefused, stateOf, succeeded, type Standing } from "@/server/outside/answer";
import { sessionArguments } from "@/server/outside/arguments";
import { describeNext, listSessionHistory, describeVerification } from "@/server/outside/reports";
import { allows, deny, runOf, toSession } from "@/server/outside/place";
import { buildArgumentsSchema, READS, type Answer, type Call, type OutsideTool } from "@/server/outside/tool";
import { malformed, unknownSession } from "./refusals";

/** Resolves a reading call, or refuses it. */
export const openReading = async (
  { caller }: Call,
  handle: string | null | undefined,
): Promise<{ readonly standing: Standing } | { readonly refused: Answer }> => {
  const session = await toSession(caller, handle);
  if (session === undefined) return { refused: unknownSession(caller) };
  if (!allows(caller, "run.read")) {
    await deny(caller, session, "run");

    return { refused: toRefused({ caller, session, opened: null }, { error: "scope_missing", requested: null }) };
  }

  return { standing: { caller, session, opened: await runOf(caller, session) } };
};

/** Builds a tool that reports what its caller may read. */
export const reading = (
  name: string,
  title: string,
  description: string,
  report: (standing: Standing) => Promise<JsonObject> | JsonObject,
): OutsideTool => ({
  name,
  title,
  description,
  annotations: READS,
  scope: "run.read",
  inputSchema: () => buildArgumentsSchema(sessionArguments),
  run: async (call, args) => {
    const parsed = sessionArguments.safeParse(args);
    if (!parsed.success) return malformed(call.caller);
    const at = await openReading(call, parsed.data.session);
    if ("refused" in at) return at.refused;

    return succeeded(at.standing, name, await report(at.standing));
  },
});

export const STATE = reading("state", "The state", "The run's memory that you may read, and the legal actions.", (standing) => ({
  state: stateOf(standing),
}));

export const HISTORY = reading(
  "history",
  "The history",
  "Every action that was taken or refused in this session, in order, with what followed. Its sequence ids are what fork_at takes.",
  async (standing) => ({ history: await listSessionHistory(standing) }),
);

export const NEXT = reading("next", "Legal actions", "Which actions are legal now, and why each of the others is not.", (standing) => ({
  actions: describeNext(standing),
}));

export const VERIFY = reading(
  "verify",
  "Check the ledger",
  "Recomputes the run's ledger from its first record with public keys alone, and says whether it is whole.",
  describeVerification,
);
