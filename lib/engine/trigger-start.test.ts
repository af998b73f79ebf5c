import { describe, expect, it } from "vitest";
import type { Principal } from "@/lib/engine/principal";
import type { BodyOf } from "@/lib/engine/proposal";
import { publishWith } from "@/lib/engine/testing/graph";
import { AUTHOR, newRun, REVIEWER, startBody, STARTER, user } from "@/lib/engine/testing/run";
import { triggerSchema } from "@/lib/graph/triggers/trigger";

const hook = triggerSchema.parse({ id: "hook", kind: "webhook", scheme: "github", secret: "hook", inputs: { topic: "event.topic" } });
const nightly = triggerSchema.parse({ id: "nightly", kind: "schedule", cron: "0 3 * * *", inputs: { topic: "'plans'" } });
const GRAPH = publishWith({ triggers: [hook, nightly] });

const by = (change: Partial<Extract<Principal, { type: "trigger" }>> = {}): Principal => ({
  type: "trigger",
  trigger: "hook",
  event: "evt_1",
  publisher: AUTHOR,
  integrity: "untrusted",
  ...change,
});

const start = (principal: Principal, change: Partial<BodyOf<"start">> = {}, published = GRAPH) => {
  const run = newRun(published);
  const verdict = run.propose(principal, { ...startBody(published), event: { topic: "plans" }, ...change });

  return { run, code: verdict.ok ? null : verdict.refusal.code };
};

describe("a trigger of the version", () => {
  it("starts a run whose initiator is the version's author, with the event as a cell", () => {
    const { run, code } = start(by());
    expect(code).toBeNull();
    expect(run.state().start).toMatchObject({ initiator: AUTHOR, author: AUTHOR, trigger: "hook" });
    expect(run.state().aside.map(({ path, label }) => [path, label.integrity, label.provenance])).toContainEqual([
      "$event",
      "untrusted",
      ["trigger:hook/evt_1"],
    ]);
    expect(run.state().cells[0]?.label).toMatchObject({ integrity: "untrusted", provenance: ["trigger:hook/evt_1"] });
  });

  it("makes no start of a person carry its name", () => {
    const { run } = start(user(STARTER, "builder"));
    expect(run.state().start).not.toHaveProperty("trigger");
  });

  it.each<[string, Principal]>([
    ["is not in the version", by({ trigger: "other" })],
    ["names another publisher", by({ publisher: REVIEWER })],
    ["vouches for its sender", by({ integrity: "trusted" })],
    ["distrusts its own schedule", by({ trigger: "nightly" })],
  ])("starts nothing when it %s", (_what, principal) => {
    expect(start(principal).code).toBe("principal_not_allowed");
  });

  it("starts nothing in a graph that outside agents drive, or without triggers", () => {
    expect(start(by(), {}, publishWith({ triggers: [hook], external: {} })).code).toBe("principal_not_allowed");
    expect(start(by(), {}, publishWith()).code).toBe("principal_not_allowed");
    expect(start(by({ trigger: "nightly", integrity: "trusted" })).code).toBeNull();
  });

  it("does nothing else: it comments on, opens and retries nothing", () => {
    const { run } = start(by());
    for (const body of [
      { kind: "comment", approval_id: AUTHOR, text: "yes" },
      { kind: "open_cell", seq: 0, index: 0, purpose: "audit" },
      { kind: "retry_now" },
    ] as const)
      expect(run.propose(by(), body)).toMatchObject({ ok: false, refusal: { code: "principal_not_allowed" } });
  });

  it("cancels a run of its own, and no other", () => {
    const own = start(by()).run;
    expect(own.propose(by({ trigger: "nightly", integrity: "trusted" }), { kind: "cancel" })).toMatchObject({ ok: false });
    expect(own.propose(by({ event: "evt_2" }), { kind: "cancel" })).toMatchObject({ ok: true });
    const other = start(user(STARTER, "builder")).run;
    expect(other.propose(by(), { kind: "cancel" })).toMatchObject({ ok: false, refusal: { code: "principal_not_allowed" } });
  });
});
