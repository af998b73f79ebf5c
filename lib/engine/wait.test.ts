import { describe, expect, it } from "vitest";
import type { GraphInput, PublishedGraph } from "@/lib/graph/document";
import type { Integrity } from "@/lib/graph/label";
import { decide } from "@/lib/engine/decide";
import { computeWaitTokenHash } from "@/lib/engine/decide/wait";
import { plan } from "@/lib/engine/plan";
import { applyRecords } from "@/lib/engine/reduce";
import { createRunState, findOpenWait, toMemory } from "@/lib/engine/state";
import { POLICY_HASH } from "@/lib/engine/approvals/policy";
import { NO_SESSION, type Principal, type ServiceScope } from "@/lib/engine/principal";
import { forkOf } from "@/lib/engine/testing/fork";
import { child, END, inARow, step, using, version } from "@/lib/engine/testing/kinds";
import { decideAs, engine, getCode, hashOf, result, REVIEWER, started, user, uuid, type TestRun } from "@/lib/engine/testing/run";

type NodeInput = GraphInput["nodes"][number];

const HOUR_MS = 3_600_000;
const DAY_MS = 24 * HOUR_MS;
const TOKEN = "cwt_right";
const EVENT = { type: "event", timeout_ms: HOUR_MS } as const;

const waiting = (until: object, more: object = {}): NodeInput =>
  ({ id: "wait", kind: "wait", write_keys: ["out"], config: { until }, ...more }) as NodeInput;
const MEMORY: GraphInput["memory"] = [
  { key: "topic", schema: {} },
  { key: "mail", schema: {} },
  { key: "out", schema: { type: "string" } },
  { key: "is_admin", schema: { type: "boolean" }, protected: true },
];
const graphOf = (node: NodeInput, more: Partial<GraphInput> = {}): PublishedGraph => version([node, END], { memory: MEMORY, ...more });

const account = (scopes: readonly ServiceScope[] = ["runs:control", "runs:answer"], integrity: Integrity = "untrusted"): Principal => ({
  type: "agent",
  token: uuid(70),
  session: NO_SESSION,
  owner: uuid(71),
  integrity,
  scopes: [...scopes],
});

const open = (published: PublishedGraph, until: number | null = null): TestRun => {
  const run = started(published);
  expect(getCode(run.work(result({ type: "wait", until })))).toBe("accepted");

  return run;
};
const take = (run: TestRun, by = account(), token = TOKEN) =>
  run.propose(by, { kind: "take_wait_token", token_hash: computeWaitTokenHash(token) });
const answer = (run: TestRun, value: unknown = "yes", token = TOKEN, by = account()) =>
  run.propose(by, { kind: "answer_wait", token, value: value as string });
const next = (run: TestRun) => plan(run.published, run.state(), run.now(), 1);
const endDue = (run: TestRun) => {
  const work = next(run);
  expect(work).toMatchObject({ type: "propose", body: { kind: "end_wait" } });
  if (work.type === "propose") run.propose(engine, work.body);

  return run.state();
};

describe("a wait for a time", () => {
  it("rests until then, whatever executions or restarts come between, and continues once", () => {
    const run = open(graphOf(waiting({ type: "duration", ms: DAY_MS })));
    expect(next(run)).toEqual({ type: "wait", until: run.now() + DAY_MS });
    const id = findOpenWait(run.state())?.wait_id ?? "";
    run.pass(DAY_MS - 1);
    expect(getCode(run.propose(engine, { kind: "end_wait", wait_id: id }))).toBe("version_conflict");
    run.pass(1);
    expect(getCode(run.propose(engine, { kind: "end_wait", wait_id: uuid(55) }))).toBe("wait_closed");
    expect(endDue(run).status).not.toBe("waiting");
    expect(run.state().currentNode).toBe("end");
    expect(getCode(run.propose(engine, { kind: "end_wait", wait_id: id }))).toBe("wait_closed");
  });

  it("is the same after replay of the records, and no time of the run's limit", () => {
    const published = graphOf(waiting({ type: "duration", ms: 30 * DAY_MS }), { max_execution_time_ms: HOUR_MS });
    const run = open(published);
    const replayed = applyRecords(
      createRunState(run.state().workspace, run.state().run, hashOf(published), POLICY_HASH),
      run.records().map((signed, index) => ({ signed, values: run.values()[index] ?? [] })),
    );
    expect(replayed).toEqual(run.state());
    run.pass(30 * DAY_MS);
    expect(endDue(run).currentNode).toBe("end");
  });

  it("ends once when the clock jumps ahead, and later when it jumps back", () => {
    const run = open(graphOf(waiting({ type: "duration", ms: HOUR_MS })));
    run.pass(-DAY_MS);
    expect(next(run)).toMatchObject({ type: "wait" });
    run.pass(400 * DAY_MS);
    endDue(run);
    run.pass(-400 * DAY_MS);
    expect(next(run)).toMatchObject({ type: "execute", node: "end" });
  });

  it("takes an instant from its executor, which is at most a year ahead, and does not wait for a past one", () => {
    const published = graphOf(waiting({ type: "instant", at: "1" }));
    const run = started(published);
    expect(getCode(run.work(result({ type: "wait", until: null })))).toBe("action_not_granted");
    expect(getCode(run.work(result({ type: "wait", until: run.now() + 367 * DAY_MS })))).toBe("accepted");
    expect(run.state()).toMatchObject({ status: "failed", endReason: "wait_too_long" });
    expect(open(published, 0).state()).toMatchObject({ currentNode: "end", wait: null });
  });

  it("takes no time from an executor where the graph names one, and no answer", () => {
    const run = started(graphOf(waiting({ type: "duration", ms: HOUR_MS })));
    expect(getCode(run.work(result({ type: "wait", until: 5 })))).toBe("action_not_granted");
    run.work(result({ type: "wait", until: null }));
    expect(getCode(take(run))).toBe("wait_closed");
    expect(getCode(answer(run))).toBe("wait_closed");
  });

  it("is no action of another node", () => {
    const run = started(version([step("first"), END]));
    expect(getCode(run.work(result({ type: "wait", until: null })))).toBe("action_not_granted");
  });
});

describe("a wait for an answer", () => {
  const listening = () => {
    const run = open(graphOf(waiting(EVENT)));
    expect(getCode(take(run))).toBe("accepted");

    return run;
  };

  it("writes the answer with its sender as untrusted provenance, and continues", () => {
    const run = listening();
    expect(getCode(answer(run))).toBe("accepted");
    expect(run.state()).toMatchObject({ currentNode: "end", status: "running", wait: null });
    expect(toMemory(run.state().cells)).toMatchObject({ out: "yes" });
    const label = run.state().cells.find(({ path }) => path === "out")?.label;
    expect(label).toMatchObject({ integrity: "untrusted" });
    expect(label?.provenance).toContain(`external:${uuid(70)}`);
  });

  it("takes an untrusted answer from the token's holder, from this wait, and nothing else of them", () => {
    const run = listening();
    const holder: Principal = { type: "wait", token: uuid(73) };
    const id = findOpenWait(run.state())?.wait_id ?? "";
    expect(refused(run, () => answer(run, "yes", "cwt_wrong", holder))).toBe("wait_token_wrong");
    expect(refused(run, () => run.propose(holder, { kind: "answer_wait", wait_id: id, value: "yes" }))).toBe("wait_token_wrong");
    expect(refused(run, () => answer(run, 5, TOKEN, holder))).toBe("value_invalid");
    expect(refused(run, () => take(run, holder))).toBe("principal_not_allowed");
    expect(refused(run, () => run.propose(holder, { kind: "cancel" }))).toBe("principal_not_allowed");
    expect(getCode(answer(run, "yes", TOKEN, holder))).toBe("accepted");
    const label = run.state().cells.find(({ path }) => path === "out")?.label;
    expect(label).toMatchObject({ integrity: "untrusted" });
    expect(label?.provenance).toContain(`wait:wait/${id}`);
    expect(refused(run, () => answer(run, "yes", TOKEN, holder))).toBe("wait_closed");
  });

  it("is as trusted as its sender, and no more", () => {
    const run = listening();
    answer(run, "yes", TOKEN, account(["runs:answer"], "reviewed"));
    expect(run.state().cells.find(({ path }) => path === "out")?.label.integrity).toBe("reviewed");
  });

  it("keeps only the hash of the token", () => {
    const run = listening();
    answer(run);
    expect(JSON.stringify([run.records(), run.values(), run.state()])).not.toContain(TOKEN);
  });

  const refused = (run: TestRun, propose: () => ReturnType<typeof answer>) => {
    const before = run.state();
    const code = getCode(propose());
    const after = run.state();
    expect(after).toEqual({
      ...before,
      version: before.version + 1,
      refusals: before.refusals + 1,
      head: after.head,
      proposals: after.proposals,
    });

    return code;
  };

  it("refuses a wrong, used, late, oversized or wrongly typed answer once, and nothing moves", () => {
    const run = listening();
    expect(refused(run, () => answer(run, "yes", "cwt_wrong"))).toBe("wait_token_wrong");
    expect(refused(run, () => answer(run, "x".repeat(70_000)))).toBe("value_too_large");
    expect(refused(run, () => answer(run, 5))).toBe("value_invalid");
    expect(refused(run, () => answer(run, "yes", TOKEN, account(["runs:control"])))).toBe("scope_missing");
    expect(refused(run, () => answer(run, "yes", TOKEN, user(REVIEWER, "viewer")))).toBe("principal_not_allowed");
    expect(getCode(answer(run))).toBe("accepted");
    expect(refused(run, () => answer(run))).toBe("wait_closed");
    const late = listening();
    late.pass(HOUR_MS);
    expect(refused(late, () => answer(late))).toBe("wait_closed");
  });

  it("takes a person's answer without a token, as trusted as their other inputs", () => {
    const run = open(graphOf(waiting(EVENT)));
    const wait_id = findOpenWait(run.state())?.wait_id ?? "";
    const by = (role: "builder" | "viewer") => user(REVIEWER, role);
    const write = (principal: Principal, body: object) => run.propose(principal, { kind: "answer_wait", value: "yes", ...body });
    expect(refused(run, () => write(by("viewer"), { wait_id }))).toBe("principal_not_allowed");
    expect(
      refused(run, () => write(by("builder"), { wait_id: uuid(55) })),
      "another wait was on screen",
    ).toBe("wait_token_wrong");
    expect(refused(run, () => write(by("builder"), {}))).toBe("wait_token_wrong");
    expect(
      refused(run, () => write(account(), { wait_id })),
      "a program has its token only",
    ).toBe("wait_token_wrong");
    expect(refused(run, () => write(by("builder"), { wait_id, value: 5 }))).toBe("value_invalid");
    expect(getCode(write(by("builder"), { wait_id }))).toBe("accepted");
    const label = run.state().cells.find(({ path }) => path === "out")?.label;
    expect(label).toMatchObject({ integrity: "trusted" });
    expect(label?.provenance).toContain(`user:${REVIEWER}`);
    expect(refused(run, () => write(by("builder"), { wait_id }))).toBe("wait_closed");
  });

  it("takes no answer before a token was handed out, and hands one out once, to whom it may", () => {
    const run = open(graphOf(waiting(EVENT)));
    expect(refused(run, () => answer(run, "yes", ""))).toBe("wait_token_wrong");
    expect(refused(run, () => take(run, account(["runs:answer"])))).toBe("scope_missing");
    expect(refused(run, () => take(run, user(REVIEWER, "viewer")))).toBe("principal_not_allowed");
    expect(getCode(take(run, user(REVIEWER, "builder")))).toBe("accepted");
    expect(refused(run, () => take(run, account(), "cwt_mine"))).toBe("wait_token_taken");
    expect(refused(run, () => answer(run, "yes", "cwt_mine"))).toBe("wait_token_wrong");
  });

  it("takes the timeout edge without an answer, else the error edge, else fails", () => {
    const to = (kind: "timeout" | "error", target: string) => ({ id: kind, source: "wait", target, kind });
    const nodes = [waiting(EVENT), step("late"), step("broken"), END];
    const edges = [...inARow("wait", "end"), ...inARow("late", "end"), ...inARow("broken", "end")];
    const late = (more: ReturnType<typeof to>[]) => {
      const run = open(version(nodes, { edges: [...edges, ...more] }));
      run.pass(HOUR_MS);

      return endDue(run);
    };
    expect(late([to("timeout", "late"), to("error", "broken")])).toMatchObject({
      currentNode: "late",
      lastError: { code: "wait_timeout" },
    });
    expect(late([to("error", "broken")]).currentNode).toBe("broken");
    expect(late([])).toMatchObject({ status: "failed", endReason: "wait_timeout" });
  });

  it("waits again at the next visit, for which the earlier token is wrong", () => {
    const back: GraphInput["edges"] = [
      { id: "again", source: "wait", target: "wait", condition: 'memory.out == "again"' },
      { id: "on", source: "wait", target: "end", kind: "default" },
    ];
    const run = open(version([waiting(EVENT, { read_keys: ["out"] }), END], { edges: back }));
    take(run);
    answer(run, "again");
    run.work(result({ type: "wait", until: null }));
    expect(refused(run, () => answer(run))).toBe("wait_token_wrong");
    expect(getCode(take(run, account(), "cwt_second"))).toBe("accepted");
    expect(getCode(answer(run, "on", "cwt_second"))).toBe("accepted");
    expect(run.state().currentNode).toBe("end");
  });

  it("is over when the run is cancelled", () => {
    const run = listening();
    run.propose(user(REVIEWER, "admin"), { kind: "cancel" });
    expect(findOpenWait(run.state())).toBeNull();
    expect(getCode(answer(run))).toBe("run_finished");
  });

  it("asks a person before an answer changes a protected key, and a rejection changes nothing", () => {
    const run = open(graphOf(waiting(EVENT, { write_keys: ["is_admin"] })));
    take(run);
    expect(getCode(answer(run, true))).toBe("accepted");
    expect(run.state()).toMatchObject({ status: "waiting", wait: null });
    expect(toMemory(run.state().cells)).not.toHaveProperty("is_admin");
    decideAs(run, user(REVIEWER), "reject");
    expect(toMemory(run.state().cells)).not.toHaveProperty("is_admin");
  });

  it("takes only null as a mere signal where it writes no key", () => {
    const run = open(graphOf(waiting(EVENT, { write_keys: [] })));
    take(run);
    expect(refused(run, () => answer(run, "yes"))).toBe("key_undeclared");
    expect(getCode(answer(run, null))).toBe("accepted");
    expect(run.state().currentNode).toBe("end");
  });

  it("works inside a subgraph", () => {
    const inner = version([waiting(EVENT), END]);
    const run = started(
      version([using("sub", "c", { outputs: { out: "out" } }, { write_keys: ["out"] }), END], {}, { subgraphs: [child("c", inner)] }),
    );
    run.work(result());
    run.work(result({ type: "wait", until: null }));
    expect(next(run)).toMatchObject({ type: "wait" });
    take(run);
    expect(getCode(answer(run))).toBe("accepted");
    expect(run.state().currentNode).toBe("end");
  });

  it("waits again in a fork, which the parent's token does not answer", () => {
    const parent = listening();
    const fork = forkOf(parent, parent.state().version, { type: "none" });
    expect(fork.state()).toMatchObject({ status: "running", wait: null, currentNode: "wait" });
    expect(getCode(answer(fork))).toBe("wait_closed");
    fork.work(result({ type: "wait", until: null }));
    expect(getCode(answer(fork))).toBe("wait_token_wrong");
  });

  it("is decided by these rules alone", () => {
    const run = listening();
    const proposal = {
      id: uuid(99),
      workspace: run.state().workspace,
      run: run.state().run,
      at: run.now(),
      epoch: 1,
      fresh: [uuid(97), uuid(98)] as [string, string],
    };
    const body = { kind: "answer_wait", token: TOKEN, value: "yes" } as const;
    for (const principal of [engine, { type: "executor", node: "wait", agent: null, epoch: 1 } as const])
      expect(getCode(decide(run.published, run.state(), { ...proposal, principal, body }))).toBe("principal_not_allowed");
  });
});
