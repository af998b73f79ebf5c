import { describe, expect, test } from "vitest";
import { getCode, result, STARTER, update } from "@/lib/engine/testing/run";
import { atExtract, fillIn, FORM } from "@/lib/engine/testing/zones";

describe("an isolated extract", () => {
  test("writes exactly its form to its place, or nothing", () => {
    const run = atExtract();
    for (const [form, ids] of [
      [{ ...FORM, canary_7: 1 }, []],
      [{ plan: "team" }, ["seats"]],
      [{ plan: "gold", seats: 1.5 }, ["plan", "seats"]],
      ["team", []],
    ] as const) {
      const verdict = run.work(result(update("form", form)));
      expect(verdict).toMatchObject({ ok: false, refusal: { code: "value_invalid", ids } });
    }
    expect(getCode(run.work(result(update("good", FORM))))).toBe("action_not_granted");
    expect(getCode(run.work(result(update("form", FORM), update("form", FORM))))).toBe("action_not_granted");
    expect(getCode(run.work({ kind: "action", action: update("form", FORM) }))).toBe("action_not_granted");
    expect(getCode(fillIn(run))).toBe("accepted");
  });

  test("has no tools, and only the label of its reads", () => {
    const run = atExtract();
    expect(
      getCode(run.work({ kind: "effect_intent", call_id: "0//x", server: "docs", tool: "read", arguments: {}, availability: "ok" })),
    ).toBe("tool_not_granted");
    fillIn(run);
    const label = run.state().cells.find((cell) => cell.path === "form")?.label;
    expect(label).toEqual({
      integrity: "untrusted",
      confidentiality: "internal",
      provenance: ["agent:clerk", "mcp:docs/read", "model:a:alpha-1", `user:${STARTER}`],
    });
  });
});
