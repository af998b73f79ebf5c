import type { Needs, Rule, When } from "@/lib/approval-rules/rule";
import { buildApprovalView, computeViewDigest } from "@/lib/engine/approvals/approval-view";
import { decide } from "@/lib/engine/decide";
import type { RunEvent } from "@/lib/engine/event";
import type { LedgerRecord } from "@/lib/engine/ledger/record";
import { publishWith } from "@/lib/engine/testing/graph";
import { chainOf, exportOf, getKeys, type TestKey } from "@/lib/engine/testing/ledger";
import {
  call,
  decision,
  engine,
  getCode,
  intent,
  newRun,
  result,
  SECOND,
  startBody,
  STARTER,
  update,
  user,
  uuid,
  type TestRun,
} from "@/lib/engine/testing/run";
import { newestEffect } from "@/lib/engine/testing/tool-input";
import { answer, reserve } from "@/lib/engine/testing/work";
import { verifyLedger } from "@/lib/engine/verify/verify";
import type { PublishedGraph } from "@/lib/graph/document";
import type { JsonObject } from "@/lib/json";
import type { Seat } from "@/lib/people/approvers";

export const FIRST_RULE = uuid(90);
export const FINANCE: Seat = { for: [], groups: ["Finance"] };
const NO_GROUP: Seat = { for: [], groups: [] };

export const rule = (needs: Partial<Needs>, when: Partial<When> = {}, id = FIRST_RULE): Rule => ({
  id,
  when: { effect: "write", ...when },
  needs: { groups: [], people: [], count: 1, ...needs },
});

export const CREDIT = { server: "crm", tool: "update", amount: { argument: "credit", from: 1_000 } } satisfies Partial<When>;

export const startedUnder = (
  rules: readonly Rule[],
  published: PublishedGraph = publishWith(),
  rulesOf: typeof decide = decide,
  environment?: string,
): TestRun => {
  const run = newRun(published, rulesOf);
  const env = environment === undefined ? {} : { env: { id: environment, variables: {} } };
  run.propose(user(STARTER, "builder"), { ...startBody(published), ...env, rules });
  run.propose(engine, { kind: "begin" });

  return run;
};

/** At the agent that may call crm.update. */
export const atAgent = (...parts: Parameters<typeof startedUnder>): TestRun => {
  const run = startedUnder(...parts);
  call(run, "docs", "read", { topic: "plans" }, { text: "hello" });
  run.work(result(update("mail", { text: "hello" })));

  return run;
};

const toInput = (args: JsonObject): JsonObject => ({ plan: "team", ...args });

export const say = (run: TestRun, ...calls: readonly (readonly [id: string, args: JsonObject])[]): void => {
  answer(run, reserve(run), "", { text: "", tool_calls: calls.map(([id, args]) => ({ id, name: "crm__update", input: toInput(args) })) });
};

export const propose = (run: TestRun, args: JsonObject = {}, id = "1"): string =>
  getCode(run.work(intent("crm", "update", toInput(args), `0//${id}`)));

export const ask = (run: TestRun, args: JsonObject = {}, id = "1"): string => {
  say(run, [id, args]);

  return propose(run, args, id);
};

export const asking = (rules: readonly Rule[], args: JsonObject = {}): TestRun => {
  const run = atAgent(rules);
  ask(run, args);

  return run;
};

export const approve = (run: TestRun, id: string, ...seats: readonly Seat[]): string => {
  const by = user(id);

  return getCode(run.propose(by, decision(run, by), { seats: seats.length === 0 ? [NO_GROUP] : seats }));
};

export const decideGate = (run: TestRun, index: number, choice: "approve" | "reject" = "approve"): string => {
  const found = Object.values(run.state().gates)[index];
  if (!found) throw new Error(`there is no gate ${index}`);
  const { id, transition_digest, nonce } = found.gate;
  const view_digest = computeViewDigest(buildApprovalView(run.published, run.state(), found, "pii"));
  const reason = choice === "reject" ? { reason: "no" } : {};
  const body = { kind: "decision", approval_id: id, transition_digest, nonce, view_digest, decision: choice, ...reason } as const;

  return getCode(run.propose(user(SECOND), body, { seats: [FINANCE] }));
};

export const recover = (run: TestRun, effect_id = newestEffect(run).effect_id): string =>
  getCode(run.propose({ type: "engine", epoch: 2 }, { kind: "recover", effect_id }, { epoch: 2 }));

export const isOpen = (run: TestRun) => Object.values(run.state().gates).some(({ status }) => status === "open");

type Change<T> = (of: T) => T;

/** As changed by a holder of the runner's key. */
export const verifyRecords = async (
  run: TestRun,
  key: TestKey,
  change: Change<LedgerRecord> = (record) => record,
  isHidden = false,
): Promise<string> => {
  const document = exportOf(
    run,
    await chainOf(
      run.records().map(({ record }) => change(record)),
      key,
    ),
  );
  const cells = isHidden ? document.cells.map((cell) => ({ ...cell, opened: null })) : document.cells;
  const verified = await verifyLedger({ ...document, cells }, getKeys(key));

  return verified.ok ? "valid" : verified.reason;
};

export const verifyChanged = (run: TestRun, key: TestKey, change: Change<RunEvent> = (event) => event, isHidden = false): Promise<string> =>
  verifyRecords(run, key, (record) => ({ ...record, control: record.control.map(change) }), isHidden);
