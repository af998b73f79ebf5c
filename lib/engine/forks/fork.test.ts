import { describe, expect, test } from "vitest";
import { toCanonicalJson } from "@/lib/json";
import { buildApprovalView } from "@/lib/engine/approvals/approval-view";
import { compareRuns } from "@/lib/engine/forks/compare";
import { toMemory } from "@/lib/engine/state";
import { plan } from "@/lib/engine/plan";
import { parseEntries } from "@/lib/engine/testing/entries";
import { forkOf, FORKER, type ForkedRun } from "@/lib/engine/testing/fork";
import { nodesWith, publishWith } from "@/lib/engine/testing/graph";
import {
  atGate,
  atParse,
  atTriage,
  call,
  getCode,
  decideAs,
  executor,
  intent,
  openGate,
  result,
  REVIEWER,
  STARTER,
  started,
  update,
  user,
  uuid,
  type TestRun,
} from "@/lib/engine/testing/run";
import { stateAt } from "@/lib/engine/timeline";

const NONE = { type: "none" } as const;
const memory = (run: TestRun) => toMemory(run.state().cells);
const end = (run: TestRun) => run.state().version;
const replayed = (fork: ForkedRun) => toCanonicalJson(stateAt(fork.entries(), fork.entries().length - 1));

const approved = (): TestRun => {
  const run = atGate();
  decideAs(run, user(REVIEWER));

  return run;
};

describe("a fork", () => {
  test("starts in its parent's state at that record, as a separate run", () => {
    const parent = atTriage();
    const fork = forkOf(parent, end(parent), NONE);

    expect(getCode(fork.verdict)).toBe("accepted");
    expect(memory(fork)).toEqual(memory(parent));
    expect(fork.state()).toMatchObject({ run: uuid(30), currentNode: "triage", version: end(parent) + 1, start: { initiator: FORKER } });
    expect(fork.records()[0]?.record).toMatchObject({
      seq: end(parent),
      parent: parent.state().head,
      run: uuid(30),
      proposal_kind: "fork",
    });
  });

  test("replays to its live state byte for byte from the parent's records and its own", () => {
    const parent = approved();
    for (let seq = 1; seq <= end(parent); seq += 1) {
      const fork = forkOf(parent, seq, NONE);
      expect(replayed(fork)).toBe(toCanonicalJson(fork.state()));
    }
  });

  test("counts none of its parent's usage, and its limits start at zero", () => {
    const parent = atParse();
    parent.work({ kind: "model_intent", tokens: 10, cost_micro_usd: 10 });
    const fork = forkOf(parent, end(parent), NONE);

    expect(Object.keys(parent.state().reservations)).toHaveLength(1);
    expect(fork.state()).toMatchObject({
      totalTokens: 0,
      costMicroUsd: 0,
      reservations: {},
      spent: {},
      thresholds: [],
      startedAt: fork.now(),
      waitedMs: 0,
    });
  });

  test("equals its parent when nothing is changed", () => {
    const parent = atGate();
    const fork = forkOf(parent, 5, NONE);
    fork.work(result(update("request", { plan: "team" })));
    fork.work(result());
    fork.work(result({ type: "request_human_input", prompt: "" }));

    expect(compareRuns(parseEntries(parent), fork.entries())).toMatchObject({ divergence: null, common: end(parent), memory: [] });
  });
});

describe("no approval is inherited", () => {
  test("an open gate is void in the fork, whose node asks again", () => {
    const fork = forkOf(atGate(), end(atGate()), NONE, { effects: "live" });

    expect(fork.state().status).toBe("running");
    expect(Object.values(fork.state().gates).map(({ status }) => status)).toEqual(["void"]);
    fork.work(result({ type: "request_human_input", prompt: "" }));
    expect(openGate(fork).gate.transition.run).toBe(uuid(30));
  });

  test("a given approval leaves no receipt, and the effect asks again", () => {
    const parent = approved();
    expect(Object.values(parent.state().gates)[0]).toMatchObject({ status: "approved", usedBy: null });
    for (const effects of ["live", "simulate"] as const) {
      const fork = forkOf(parent, end(parent), NONE, { effects });
      expect(Object.values(fork.state().gates)).toMatchObject([{ status: "void", receipt: null }]);
      fork.work(intent("crm", "update", { plan: "team" }));
      expect(openGate(fork).gate.reason).toBe("effect");
      expect(fork.state().effects).toEqual(parent.state().effects);
    }
  });

  test("initiators of ancestor runs may not approve in it", () => {
    const fork = forkOf(atGate(), end(atGate()), NONE, { effects: "live" });
    fork.work(result({ type: "request_human_input", prompt: "" }));

    expect(getCode(decideAs(fork, user(STARTER)))).toBe("own_run");
    expect(getCode(decideAs(fork, user(FORKER)))).toBe("own_run");
    expect(getCode(decideAs(fork, user(REVIEWER)))).toBe("accepted");
  });

  const written = (): TestRun => {
    const undo = { server: "crm", tool: "update", arguments: { plan: { value: "old" } } };
    const parent = atGate(publishWith({ nodes: nodesWith("write", { compensation: undo }) }));
    decideAs(parent, user(REVIEWER));
    call(parent, "crm", "update", { plan: "team" }, "done");

    return parent;
  };

  test("the fork does not undo its parent's effects", () => {
    const parent = written();
    expect(parent.state().compensation).toHaveLength(1);

    expect(forkOf(parent, end(parent), NONE, { effects: "live" }).state().compensation).toEqual([]);
  });

  test("a run that is undoing cannot be forked", () => {
    const parent = written();
    parent.work({ kind: "node_failure", code: "broken", retryable: false, detail: "", jitter: 0, retry_after_ms: null });
    expect(parent.state().unwinding).not.toBeNull();

    expect(getCode(forkOf(parent, end(parent), NONE).verdict)).toBe("run_finished");
  });
});

describe("a simulated fork", () => {
  const asked = () => {
    const fork = forkOf(approved(), end(approved()), NONE);
    fork.work(intent("crm", "update", { plan: "team" }));

    return fork;
  };

  test("signs no receipt for an approval, and continues", () => {
    const fork = asked();
    expect(buildApprovalView(fork.published, fork.state(), openGate(fork), "pii").effect).toBe(
      "Simulated: no tool is called, whatever you decide.",
    );
    decideAs(fork, user(REVIEWER));
    expect(Object.values(fork.state().gates).at(-1)).toMatchObject({ status: "approved", receipt: null });
    fork.work(intent("crm", "update", { plan: "team" }, "again"));

    expect(Object.values(fork.state().effects).at(-1)).toMatchObject({ effect: { server: "crm" }, outcome: null });
  });

  test("takes no live answers, and a live run takes no recorded ones", () => {
    const fork = asked();
    decideAs(fork, user(REVIEWER));
    fork.work(intent("crm", "update", { plan: "team" }, "again"));
    const id = Object.keys(fork.state().effects).at(-1) ?? "";
    const outcome = { kind: "effect_outcome", effect_id: id, outcome: "ok", result: "done" } as const;

    expect(getCode(fork.propose(executor("write"), outcome))).toBe("simulation_mismatch");
    expect(getCode(fork.propose(executor("write"), { ...outcome, simulated: true }))).toBe("accepted");
    expect(fork.records().at(-1)?.record.control[0]).toMatchObject({ type: "effect_settled", simulated: true });
    const real = started(publishWith());
    real.work(intent("docs", "read", { topic: "plans" }));
    const [mine = ""] = Object.keys(real.state().effects);
    expect(getCode(real.propose(executor("fetch"), { ...outcome, effect_id: mine, simulated: true }))).toBe("simulation_mismatch");
  });

  test("cannot continue as a live fork: its approvals authorize nothing", () => {
    const fork = asked();
    const onwards = (effects: "live" | "simulate") => forkOf(fork, end(fork), NONE, { effects, id: uuid(31) });

    expect(getCode(onwards("live").verdict)).toBe("simulation_mismatch");
    expect(getCode(onwards("simulate").verdict)).toBe("accepted");
  });

  test("continues as if decided otherwise, without a receipt", () => {
    const parent = atGate();
    const approval = openGate(parent).gate.id;
    const yes = forkOf(parent, end(parent), { type: "decision", approval_id: approval, decision: "approve" });
    const no = forkOf(parent, end(parent), { type: "decision", approval_id: approval, decision: "reject" });

    expect([yes.state().currentNode, no.state().currentNode]).toEqual(["write", "decline"]);
    expect(Object.values(yes.state().gates)).toMatchObject([{ status: "approved", receipt: null }]);
    yes.work(intent("crm", "update", { plan: "team" }));
    expect(Object.values(yes.state().effects).at(-1)).toMatchObject({ outcome: null, approval_id: approval });
    expect(Object.values(yes.state().gates)[0]?.gate.transition_digest).not.toBe(openGate(parent).gate.transition_digest);
  });

  test("is the only kind of fork that can change a decision", () => {
    const parent = atGate();
    const change = { type: "decision", approval_id: openGate(parent).gate.id, decision: "approve" } as const;

    expect(getCode(forkOf(parent, end(parent), change, { effects: "live" }).verdict)).toBe("simulation_mismatch");
  });
});

describe("a call in flight", () => {
  test("does not belong to the fork: its node asks again", () => {
    const parent = started(publishWith());
    parent.work(intent("docs", "read", { topic: "plans" }));
    const fork = forkOf(parent, end(parent), NONE);

    expect(fork.state().effects).toEqual({});
    expect(plan(fork.published, fork.state(), fork.now(), 1)).toMatchObject({ type: "execute", node: "fetch" });
    expect(getCode(fork.work(intent("docs", "read", { topic: "plans" })))).toBe("accepted");
  });
});
