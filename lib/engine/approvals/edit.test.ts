import { describe, expect, it } from "vitest";
import { getChangedArguments } from "@/lib/engine/approvals/edited";
import { MOST_EDITORS } from "@/lib/engine/event";
import { editObjection } from "@/lib/engine/decide/edit";
import { plan } from "@/lib/engine/plan";
import { findAside, getKnownValue } from "@/lib/engine/state";
import { edit, editAs } from "@/lib/engine/testing/gates";
import { nodesWith, publishWith } from "@/lib/engine/testing/graph";
import {
  atGate,
  atParse,
  AUTHOR,
  getCode,
  decideAs,
  decision,
  engine,
  intent,
  openGate,
  result,
  REVIEWER,
  SECOND,
  settle,
  STARTER,
  update,
  user,
  uuid,
  type TestRun,
} from "@/lib/engine/testing/run";
import { computeArgumentsDigest } from "@/lib/engine/ledger/transition";
import { reserve, answer } from "@/lib/engine/testing/work";
import { collectThreads } from "@/lib/engine/thread-of";

const reviewer = user(REVIEWER);
const second = user(SECOND);
const CALL = { id: "1", name: "crm__update", input: { plan: "team" } };

const asking = (change: Record<string, unknown> = {}): TestRun => {
  const run = atParse(publishWith({ nodes: nodesWith("parse", change) }));
  answer(run, reserve(run), "", { text: "", tool_calls: [CALL] });
  run.work(intent("crm", "update", CALL.input, "0//1"));

  return run;
};
const again = (run: TestRun) => run.work(intent("crm", "update", CALL.input, "0//1"));
const called = (run: TestRun) => Object.values(run.state().effects).filter(({ effect }) => effect.tool === "update");
const argumentsOf = (run: TestRun) => getKnownValue(findAside(run.state(), `$arguments.${called(run)[0]?.effect_id}`).at(-1));

describe("an edit of a call", () => {
  it("replaces the gate with new id, digest and nonce, names its editor, and supersedes the old one", () => {
    const run = asking();
    const old = openGate(run).gate;
    expect(getCode(editAs(run, reviewer, { arguments: { plan: "free" } }))).toBe("accepted");
    const { gate } = openGate(run);
    expect(run.state().gates[old.id]).toMatchObject({ status: "superseded", receipt: null });
    expect(gate).toMatchObject({ supersedes: old.id, editors: [REVIEWER], expires_at: old.expires_at, quorum: old.quorum, role: old.role });
    expect(new Set([gate.id, gate.nonce, gate.transition_digest, old.id, old.nonce, old.transition_digest]).size).toBe(6);
    expect(gate.transition.effect?.arguments_digest).toBe(computeArgumentsDigest({ plan: "free" }));
    const pending = findAside(run.state(), `$pending.${gate.id}`).at(-1);
    expect(pending?.label.provenance).toContain(`user:${REVIEWER}`);
    expect(pending?.label.integrity).toBe("untrusted");
    expect(run.state().status).toBe("waiting");
  });

  it("allows exactly the edited call, once, after another person's approval", () => {
    const run = asking();
    editAs(run, reviewer, { arguments: { plan: "free" } });
    expect(getCode(decideAs(run, second))).toBe("accepted");
    expect(getCode(again(run))).toBe("accepted");
    const { gate } = Object.values(run.state().gates).at(-1) ?? {};
    expect(called(run)).toMatchObject([{ approval_id: gate?.id, effect: { arguments_digest: computeArgumentsDigest({ plan: "free" }) } }]);
    expect(argumentsOf(run)).toEqual({ plan: "free" });
    expect(getCode(again(run))).toBe("version_conflict");
    settle(run, { ok: true });
    run.work(intent("crm", "update", CALL.input, "0//2"));
    expect(called(run)).toHaveLength(1);
    expect(run.state().status).toBe("waiting");
  });

  it("changes arguments only: naming another tool is malformed", () => {
    const run = asking();
    const { gate } = openGate(run);
    const change = { arguments: { plan: "free" }, server: "crm", tool: "write" };
    expect(getCode(editAs(run, reviewer, change))).toBe("malformed");
    expect(openGate(run).gate).toBe(gate);
    editAs(run, reviewer, { arguments: { plan: "free", tool: "write" } });
    expect(openGate(run).gate.transition.effect).toMatchObject({ server: "crm", tool: "update" });
  });

  it("is reported to the model with the answer", () => {
    const run = asking();
    editAs(run, reviewer, { arguments: { plan: "free" } });
    decideAs(run, second);
    again(run);
    settle(run, { ok: true });
    const changed = getKnownValue(findAside(run.state(), `$arguments.${called(run)[0]?.effect_id}`).at(-1)) ?? null;
    const thread = collectThreads(run.state(), (_task, _effect, value) => ({ result: value, by_person: { changed_arguments: changed } }));
    expect(thread[""]?.at(-1)).toMatchObject({ role: "tool", status: "ok", by_person: { changed_arguments: { plan: "free" } } });
  });

  it("is no approval, and its editor cannot be the only approver", () => {
    const run = asking();
    const asked = decision(run, second);
    editAs(run, reviewer, { arguments: { plan: "free" } });
    again(run);
    expect(called(run)).toEqual([]);
    expect(getCode(decideAs(run, reviewer))).toBe("own_edit");
    expect(getCode(run.propose(second, asked))).toBe("approval_closed");
    expect(getCode(decideAs(run, second))).toBe("accepted");
  });

  it("counts its editor as one of several approvers", () => {
    const run = atGate(
      publishWith({ nodes: nodesWith("ask", { config: { prompt: "?", for_node: "write", quorum: 2, review_keys: [] } }) }),
    );
    editAs(run, reviewer, { arguments: { plan: "free" } });
    expect(getCode(decideAs(run, reviewer))).toBe("accepted");
    expect(openGate(run).decisions).toHaveLength(1);
    expect(getCode(decideAs(run, second))).toBe("accepted");
    run.work(intent("crm", "update", { plan: "team" }));
    expect(argumentsOf(run)).toEqual({ plan: "free" });
  });

  it("at an approval node is what the tool node then calls, whatever memory says", () => {
    const run = atGate();
    editAs(run, reviewer, { arguments: { plan: "free", credit: 1 } });
    decideAs(run, second);
    expect(run.state().currentNode).toBe("write");
    expect(getCode(run.work(intent("crm", "update", { plan: "other" })))).toBe("arguments_invalid");
    expect(getCode(run.work(intent("crm", "update", { plan: "team" })))).toBe("accepted");
    expect(argumentsOf(run)).toEqual({ plan: "free", credit: 1 });
  });

  it.each([["approved as it was"], ["approved with another edit"]])("supersedes an earlier unused approval: the same call, %s", (how) => {
    const edges = [...publishWith().graph.edges, { id: "again", source: "write", target: "ask", kind: "error" as const }];
    const run = atGate(publishWith({ edges }));
    const { transition_digest: digest } = openGate(run).gate;
    if (how === "approved with another edit") editAs(run, reviewer, { arguments: { plan: "first" } });
    decideAs(run, second);
    run.work({ kind: "node_failure", code: "broken", retryable: false, detail: "", jitter: 0, retry_after_ms: null });
    run.work(result({ type: "request_human_input", prompt: "" }));
    expect(openGate(run).gate.transition_digest).toBe(digest);
    editAs(run, reviewer, { arguments: { plan: "free" } });
    decideAs(run, second);
    expect(getCode(run.work(intent("crm", "update", { plan: "team" })))).toBe("accepted");
    expect(argumentsOf(run)).toEqual({ plan: "free" });
  });

  it("can be edited again by anyone, up to a limit, and keeps all editors", () => {
    const run = asking();
    editAs(run, reviewer, { arguments: { plan: "a" } });
    editAs(run, second, { arguments: { plan: "b" } });
    expect(openGate(run).gate.editors).toEqual([REVIEWER, SECOND]);
    for (let count = 2; count < MOST_EDITORS; count += 1)
      expect(getCode(editAs(run, second, { arguments: { plan: `c${count}` } }))).toBe("accepted");
    expect(getCode(editAs(run, second, { arguments: { plan: "d" } }))).toBe("edit_limit");
    expect(getCode(decideAs(run, second))).toBe("own_edit");
    const third = user(uuid(99));
    expect(getCode(decideAs(run, third))).toBe("accepted");
    again(run);
    expect(argumentsOf(run)).toEqual({ plan: `c${MOST_EDITORS - 1}` });
  });

  it("with unknown outcome is not repeated on its editor's word alone, and stays a person's change", () => {
    const run = asking();
    editAs(run, reviewer, { arguments: { plan: "free" } });
    decideAs(run, second);
    again(run);
    const epoch = 2;
    run.propose({ type: "engine", epoch }, { kind: "recover", effect_id: called(run)[0]?.effect_id ?? "" }, { epoch });
    expect(openGate(run).gate).toMatchObject({ reason: "unclear_effect", editors: [REVIEWER] });
    expect(getCode(run.propose(reviewer, decision(run, reviewer), { epoch }))).toBe("own_edit");
    expect(getCode(run.propose(second, decision(run, second), { epoch }))).toBe("accepted");
    const [effect] = called(run);
    expect(effect && getChangedArguments(run.state(), effect)).toEqual({ plan: "free" });
  });

  it("expires with the original deadline, and nothing is called", () => {
    const run = asking();
    const until = openGate(run).gate.expires_at;
    run.pass(1_000);
    editAs(run, reviewer, { arguments: { plan: "free" } });
    run.pass(until - run.now());
    const { gate } = openGate(run);
    expect(plan(run.published, run.state(), run.now(), 1)).toEqual({ type: "propose", body: { kind: "expire", approval_id: gate.id } });
    run.propose(engine, { kind: "expire", approval_id: gate.id });
    expect([run.state().status, called(run)]).toEqual(["failed", []]);
  });

  it.each([
    ["arguments that the pinned schema does not allow", { arguments: { plan: 7 } }, "arguments_invalid"],
    ["the arguments already proposed", { arguments: { plan: "team" } }, "edit_unchanged"],
    ["writes where a call waits", { updates: [{ path: "note", value: 1 }] }, "edit_unsupported"],
  ])("with %s is refused, and the gate is unchanged", (_what, change, code) => {
    const run = asking();
    const { gate } = openGate(run);
    expect(getCode(editAs(run, reviewer, change))).toBe(code);
    expect(openGate(run).gate).toBe(gate);
  });

  it("needs a person who may decide, about exactly the pending call", () => {
    const run = asking();
    const body = edit(run, { arguments: { plan: "free" } });
    expect(getCode(run.propose(user(STARTER), body))).toBe("own_run");
    expect(getCode(run.propose(user(AUTHOR), body))).toBe("own_version");
    expect(getCode(run.propose(user(REVIEWER, "admin"), body))).toBe("role_missing");
    expect(getCode(run.propose(reviewer, { ...body, nonce: openGate(run).gate.id }))).toBe("nonce_mismatch");
    expect(getCode(run.propose(reviewer, { ...body, transition_digest: "0".repeat(64) }))).toBe("transition_mismatch");
    run.underPolicy("0".repeat(64));
    expect(getCode(run.propose(reviewer, body))).toBe("approval_stale");
  });

  it("lapses with its basis: the node asks again about its own proposal", () => {
    const run = asking();
    editAs(run, reviewer, { arguments: { plan: "free" } });
    decideAs(run, second);
    run.underPolicy("0".repeat(64));
    again(run);
    expect(called(run)).toEqual([]);
    expect(openGate(run).gate.transition.effect?.arguments_digest).toBe(computeArgumentsDigest({ plan: "team" }));
  });
});

describe("an edit of protected writes", () => {
  const writing = (): TestRun => {
    const run = atParse();
    run.work(result(update("is_admin", true), update("note", "hello")));

    return run;
  };
  const valueOf = (run: TestRun, path: string) => getKnownValue(run.state().cells.find((cell) => cell.path === path));

  it("writes exactly the edited values, with editor and approvers as sources", () => {
    const run = writing();
    expect(getCode(editAs(run, reviewer, { updates: [{ path: "is_admin", value: false }] }))).toBe("accepted");
    expect(valueOf(run, "is_admin")).toBeUndefined();
    expect(getCode(decideAs(run, second))).toBe("accepted");
    expect([valueOf(run, "is_admin"), valueOf(run, "note")]).toEqual([false, undefined]);
    const cell = run.state().cells.find(({ path }) => path === "is_admin");
    expect(cell?.label.provenance).toEqual(expect.arrayContaining([`user:${REVIEWER}`, `approver:${SECOND}`]));
  });

  it("is refused for people who cannot see the pending values, which trying would reveal", () => {
    const run = atParse(publishWith({ nodes: nodesWith("parse", { read_keys: ["mail", "salary"] }) }), { topic: "plans", salary: 7 });
    run.work(result(update("is_admin", true)));
    const change = { updates: [{ path: "is_admin", value: true }] };
    expect(getCode(editAs(run, reviewer, change))).toBe("role_missing");
    expect(getCode(editAs(run, user(REVIEWER, "reviewer", true), change))).toBe("edit_unchanged");
  });

  it.each([
    ["a key that the node may not write", "salary", 1, "write_not_granted"],
    ["an undeclared key", "nowhere", 1, "key_undeclared"],
    ["a value that its schema does not allow", "is_admin", "yes", "value_invalid"],
    ["a key that demands more trust", "verdict", "ok", "integrity_too_low"],
  ])("of %s is refused", (_what, path, value, code) => {
    expect(getCode(editAs(writing(), reviewer, { updates: [{ path, value }] }))).toBe(code);
  });
});

describe("an uneditable gate is refused", () => {
  it("a gate about a route", () => {
    const run = atGate(publishWith({ nodes: nodesWith("ask", { config: { prompt: "Go on?", review_keys: ["request"] } }) }));
    expect(getCode(editAs(run, reviewer, { arguments: {} }))).toBe("edit_unsupported");
    expect(getCode(editAs(run, reviewer, { updates: [{ path: "note", value: 1 }] }))).toBe("edit_unsupported");
    const person = { type: "user", id: REVIEWER, role: "reviewer", auditor: false } as const;
    const at = { published: run.published, state: run.state(), gateState: openGate(run), person };
    expect(editObjection(run.published, at, run.now()), "pages offer no form").toBe("edit_unsupported");
  });
});
