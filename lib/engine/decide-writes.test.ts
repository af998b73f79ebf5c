import { describe, expect, it } from "vitest";
import { nodesWith, publishWith } from "@/lib/engine/testing/graph";
import { atParse, getCode, decideAs, newRun, openGate, result, REVIEWER, startBody, STARTER, update, user } from "@/lib/engine/testing/run";

const SMALL = publishWith();
const reviewer = user(REVIEWER);

describe("writes", () => {
  it("are all refused when one is refused", () => {
    const run = atParse();
    run.work(result(update("note", "kept out"), update("request", { plan: 7 })));
    expect(run.state().cells.map((cell) => cell.path)).toEqual(["topic", "mail"]);
  });

  it("cannot write beside their path: an index beyond the end, a member of a text, a member of a list", () => {
    const run = atParse(publishWith({ nodes: nodesWith("parse", { write_keys: ["note"] }) }));
    run.work({ kind: "action", action: update("note", [1, 2]) });
    expect(getCode(run.work({ kind: "action", action: update("note.5", 6) }))).toBe("value_invalid");
    expect(getCode(run.work({ kind: "action", action: update("note.name", 6) }))).toBe("value_invalid");
    expect(getCode(run.work({ kind: "action", action: update("note.2", 3) }))).toBe("accepted");
    run.work({ kind: "action", action: update("note", "text") });
    expect(getCode(run.work({ kind: "action", action: update("note.name", 6) }))).toBe("value_invalid");
  });

  it.each(["__proto__", "note.__proto__", "note.constructor", "_status", "$goal", "note..a", ""])("to %j are refused", (path) => {
    expect(atParse().work(result(update(path, 1))).ok).toBe(false);
  });

  it("of a node that always needs approval wait for it, during work too", () => {
    const run = atParse(publishWith({ nodes: nodesWith("parse", { approval: "always" }) }));
    expect(getCode(run.work({ kind: "action", action: update("note", "x") }))).toBe("key_protected");
    run.work(result(update("note", "x")));
    expect(run.state().status).toBe("waiting");
    expect(run.state().cells.some((cell) => cell.path === "note")).toBe(false);
  });

  it("to a protected key happen after approval, with exactly the pending values", () => {
    const run = atParse();
    run.work(result(update("is_admin", true), update("note", { why: "asked" })));
    expect(openGate(run).gate.reason).toBe("protected_key");
    expect(run.state().cells.some((cell) => cell.path === "is_admin" || cell.path === "note")).toBe(false);
    decideAs(run, reviewer);
    const cells = run.state().cells.filter((cell) => cell.path === "is_admin" || cell.path === "note");
    expect(cells.map((cell) => cell.content)).toEqual([
      { known: true, value: true },
      { known: true, value: { why: "asked" } },
    ]);
    expect(cells[0]?.label.provenance).toContain(`approver:${REVIEWER}`);
    expect(cells[0]?.label.integrity).toBe("untrusted");
    expect(run.state().currentNode).toBe("triage");
  });

  it("to a protected key never happen after a rejection, nor at the start", () => {
    const run = atParse();
    run.work(result(update("is_admin", true)));
    decideAs(run, reviewer, "reject");
    expect(run.state().status).toBe("failed");
    expect(run.state().cells.some((cell) => cell.path === "is_admin")).toBe(false);
    expect(getCode(newRun(SMALL).propose(user(STARTER, "builder"), startBody(SMALL, { topic: "x", is_admin: true })))).toBe(
      "key_protected",
    );
  });

  it("are counted and named in a question of bounded length", () => {
    const grants = Array.from({ length: 100 }, (_none, index) => `note.${"x".repeat(60)}${index}`);
    const run = atParse(
      publishWith({
        nodes: nodesWith("parse", { write_keys: grants, approval: "always" }),
        memory: [
          { key: "note", schema: {} },
          { key: "topic", schema: {} },
          { key: "mail", schema: {} },
        ],
      }),
    );
    run.work(result({ type: "update_memory", updates: grants.map((path) => ({ path, value: 1 })) }));
    expect(openGate(run).gate.prompt.length).toBeLessThanOrEqual(2_000);
  });
});
