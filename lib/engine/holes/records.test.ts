import { expect, test } from "vitest";
import { atGate, atTriage, getCode, decideAs, engine, executor, result, REVIEWER, STARTER, update, user } from "@/lib/engine/testing/run";

test("Theodosia: every entry names its principal, refusals included", () => {
  const run = atGate();
  run.propose(user(STARTER, "builder"), { kind: "expire", approval_id: "no id" } as never);
  decideAs(run, user(REVIEWER));
  const who = run.records().map(({ record }) => record.principal);
  expect(who[0]).toEqual(user(STARTER, "builder"));
  expect(who).toContainEqual(engine);
  expect(who).toContainEqual(executor("fetch"));
  expect(run.records().at(-2)?.record).toMatchObject({ kind: "refusal", principal: user(STARTER, "builder") });
  expect(who.at(-1)).toEqual(user(REVIEWER));
});

test("Theodosia: a record names what its node read", () => {
  const run = atTriage();
  const parsed = run.records().findLast(({ record }) => record.writes.some(({ path }) => path === "request"));
  const mail = run.state().cells.find(({ path }) => path === "mail");
  expect(parsed?.record.reads).toContainEqual({ key: "mail", seq: mail?.seq });
});

test.each(["not_found", "malformed"])("Theodosia: every refusal is recorded: %s", (code) => {
  const run = atGate();
  const before = run.records().length;
  const bodies = { not_found: { kind: "begin" as const }, malformed: { kind: "reset", to: 3 } as never };
  const verdict = run.propose(
    engine,
    code === "malformed" ? bodies.malformed : bodies.not_found,
    code === "malformed" ? {} : { workspace: STARTER },
  );
  expect(getCode(verdict)).toBe(code);
  expect(run.records()).toHaveLength(before + 1);
});

test("Carpenter: a node's answer cannot be given in another's name", () => {
  const run = atTriage();
  const { activation, cells } = run.state();
  const verdict = run.propose(executor("parse"), {
    kind: "node_result",
    activation: activation ?? 0,
    actions: [update("request", { plan: "free" })] as never,
  });
  expect(getCode(verdict)).toBe("node_not_active");
  expect(run.state().cells).toEqual(cells);
  expect(run.work(result()).ok).toBe(true);
});
