/** Includes occasional mistakes and attacks. */
import { buildApprovalView, computeViewDigest } from "@/lib/engine/approvals/approval-view";
import type { Verdict } from "@/lib/engine/decide/verdict";
import { getClearance } from "@/lib/engine/approvals/policy";
import type { Principal } from "@/lib/engine/principal";
import type { ProposalBody } from "@/lib/engine/proposal";
import type { RunState } from "@/lib/engine/state";
import { playStep, type Played } from "@/lib/engine/testing/play";
import type { Json } from "@/lib/json";
import { CUSTOMERS } from "./desk";

export type Writing = Omit<Played<Promise<Verdict>>, "propose"> & {
  readonly reviewer: string;
  readonly epoch: number;
  round: number;
  pass(ms: number): void;
  propose(principal: Principal, body: ProposalBody): Promise<Verdict>;
};

const AGENTS: Readonly<Record<string, string>> = { parse: "parser", note: "clerk" };

/** Rounds between unusual events. */
const EVERY = { large: 3, attack: 5, rejection: 6, failure: 11, secondLook: 4 } as const;

const isEvery = (round: number, every: keyof typeof EVERY): boolean => round % EVERY[every] === 0;

const asExecutor = (run: Writing, body: ProposalBody): Promise<Verdict> => {
  const node = run.state().currentNode ?? "";

  return run.propose({ type: "executor", node, agent: AGENTS[node] ?? null, epoch: run.epoch }, body);
};

const here = (run: Writing): { readonly activation: number } => ({ activation: run.state().activation ?? 0 });

const update = (...updates: readonly { readonly path: string; readonly value: Json }[]) => ({ type: "update_memory", updates });

const result = (run: Writing, ...actions: readonly unknown[]): Promise<Verdict> =>
  asExecutor(run, { kind: "node_result", ...here(run), actions: [...actions] });

const ask = async (
  run: Writing,
  step: number,
  text: string,
  calls: readonly { readonly id: string; readonly name: string; readonly input: Json }[],
) => {
  const { round } = run;
  const reserved = await asExecutor(run, { kind: "model_intent", ...here(run), tokens: 4_000, cost_micro_usd: 60_000 });
  const found = reserved.ok ? reserved.events.find((event) => event.type === "budget_reserved") : undefined;
  run.pass(900 + ((round * 37) % 700));

  return asExecutor(run, {
    kind: "model_call",
    ...here(run),
    reservation_id: found?.reservation_id ?? "",
    step,
    fresh: [],
    text,
    tool_calls: [...calls],
    usage: {
      model: "scripted:honest",
      input_tokens: 700 + ((round * 31) % 900),
      output_tokens: 80 + ((round * 13) % 240),
      cost_micro_usd: 4_000 + ((round * 271) % 9_000),
      price_source: "list",
    },
  });
};

type Call = {
  readonly server: string;
  readonly tool: string;
  readonly args: Json;
  readonly answer: Json;
  readonly id: string;
  readonly fails?: boolean;
};

const call = async (run: Writing, { server, tool, args, answer, id, fails = false }: Call): Promise<boolean> => {
  const { retryCount } = run.state();
  const asked = await asExecutor(run, {
    kind: "effect_intent",
    ...here(run),
    call_id: `${retryCount}..${id}`,
    server,
    tool,
    arguments: args,
    availability: "ok",
  });
  const intended = asked.ok ? asked.events.find((event) => event.type === "effect_intended") : undefined;
  if (!intended) return false;
  run.pass(240);
  const outcome = fails ? ("tool_error" as const) : ("ok" as const);
  await asExecutor(run, {
    kind: "effect_outcome",
    effect_id: intended.effect_id,
    outcome,
    result: fails ? { error: "the server is busy" } : answer,
  });

  return true;
};

const customerOf = (round: number): string => `c${round % CUSTOMERS}`;

const fetch = async (run: Writing): Promise<void> => {
  if (run.state().retryCount === 0) run.round += 1;
  const { round } = run;
  const mail = {
    from: `${customerOf(round)}@example.com`,
    text: `Please change my plan. Case ${round}. ${"As we said on the phone. ".repeat(4)}`,
  };
  const fails = isEvery(round, "failure") && run.state().retryCount === 0;
  await call(run, { server: "inbox", tool: "read", args: { topic: "plans" }, answer: mail, id: "read", fails });
  await (fails
    ? asExecutor(run, {
        kind: "node_failure",
        ...here(run),
        code: "tool_error",
        retryable: true,
        detail: "busy",
        jitter: 0,
        retry_after_ms: null,
      })
    : result(run, update({ path: "mail", value: mail })));
};

/** All are refused. */
const attack = async (run: Writing): Promise<void> => {
  await result(run, update({ path: "is_admin", value: true }));
  await call(run, { server: "crm", tool: "write", args: { plan: "everything" }, answer: null, id: "forbidden" });
};

const parse = async (run: Writing): Promise<void> => {
  const { round } = run;
  const customer = customerOf(round);
  await ask(run, 0, "", [{ id: "find", name: "crm__find", input: { customer } }]);
  const found = { id: customer, name: `Customer ${customer}`, credit_cents: (round * 7) % 10_000 };
  await call(run, { server: "crm", tool: "find", args: { customer }, answer: found, id: "find" });
  if (isEvery(round, "attack")) await attack(run);
  if (isEvery(round, "secondLook")) await ask(run, 1, "Let me look again.", []);
  await ask(run, isEvery(round, "secondLook") ? 2 : 1, "They want another plan.", []);
  const request = { customer, plan: round % 2 === 0 ? "team" : "solo", large: isEvery(round, "large") };
  await result(run, update({ path: "request", value: request }, { path: "customer", value: found }));
};

const write = async (run: Writing): Promise<void> => {
  const { round } = run;
  const wanted = round % 2 === 0 ? "team" : "solo";
  const answer = { ok: true, change: round };
  if (await call(run, { server: "crm", tool: "write", args: { plan: wanted }, answer, id: "write" })) {
    await result(run, update({ path: "result", value: answer }));
  }
};

const note = async (run: Writing): Promise<void> => {
  const { round } = run;
  await ask(run, 0, `Case ${round} is closed.`, []);
  await result(run, update({ path: `cases.${customerOf(round)}`, value: { round, text: `Case ${round} is closed.` } }));
};

const PLAYS: Readonly<Record<string, (run: Writing) => Promise<unknown>>> = {
  fetch,
  parse,
  triage: (run) => result(run),
  ask: (run) => result(run, { type: "request_human_input", prompt: "" }),
  write,
  note,
  more: (run) => result(run),
  done: (run) => result(run, update({ path: "result", value: { text: "done" } })),
};

const openGate = (state: RunState) => Object.values(state.gates).find(({ status }) => status === "open");

const decide = (run: Writing): Promise<Verdict> => {
  const open = openGate(run.state());
  if (!open) throw new Error("nothing is asked");
  const principal = { type: "user", id: run.reviewer, role: "reviewer", auditor: false } as const;
  const isRejected = isEvery(run.round, "rejection");

  return run.propose(principal, {
    kind: "decision",
    approval_id: open.gate.id,
    transition_digest: open.gate.transition_digest,
    view_digest: computeViewDigest(buildApprovalView(run.published, run.state(), open, getClearance(principal))),
    decision: isRejected ? "reject" : "approve",
    ...(isRejected ? { reason: "Not what they asked for." } : {}),
    nonce: open.gate.nonce,
  });
};

const wait = async (run: Writing, until: number): Promise<unknown> => {
  const isAsked = openGate(run.state()) !== undefined;
  run.pass(isAsked ? 21_000 : Math.max(1, until - run.now()));

  return isAsked ? decide(run) : null;
};

/** A run of refusals only is not worth measuring. */
const MOST_REFUSALS = 5;

/** @returns false when the run has ended @throws Error without progress */
export const continueRun = async (run: Writing): Promise<boolean> => {
  const before = run.state();
  const played = playStep<unknown>(run, { work: ({ node }) => PLAYS[node]?.(run), wait: (until) => wait(run, until) }, run.epoch);
  await played;
  const { refusals, version } = run.state();
  if (refusals - before.refusals > MOST_REFUSALS || (refusals - before.refusals === version - before.version && version > before.version)) {
    throw new Error(`the run gets nowhere at ${run.state().currentNode ?? "its end"}`);
  }

  return played !== undefined;
};
