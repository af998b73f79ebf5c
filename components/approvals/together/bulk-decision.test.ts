import { describe, expect, test } from "vitest";
import { isSame, explainNotThis } from "./bulk-decision";

type Looked = Parameters<typeof explainNotThis>[0];

const LINE = {
  path: "customers.update_plan.customer_id",
  op: "call",
  before: null,
  after: { hidden: false, value: "c-1" },
  changed: true,
  integrity: "trusted",
  confidentiality: "internal",
  provenance: [],
} as const satisfies Looked["details"]["view"]["lines"][number];

const looked = (change: Partial<Looked["details"]> = {}, isBound = true): Looked => ({
  details: {
    approval: { reason: "approval_node" },
    authority: { risk: "low" },
    canDecide: { ok: true },
    passkey: { required: false },
    view: { lines: [LINE] },
    ...change,
  },
  sealed: { isBound },
});

describe("deciding together", () => {
  test("allows low and medium risk", () => {
    expect(explainNotThis(looked())).toBeNull();
    expect(explainNotThis(looked({ authority: { risk: "medium" } }))).toBeNull();
  });

  test.each<[string, Looked, RegExp]>([
    ["that the viewer can't decide", looked({ canDecide: { ok: false, code: "own_run", reason: "You started this run." } }), /You started/],
    ["whose bytes are not what its digest says", looked({}, false), /bytes/],
    ["that asks for a verdict", looked({ approval: { reason: "review" } }), /Verdicts are given/],
    ["that asks for an answer", looked({ approval: { reason: "tool_input" } }), /Answers are given one at a time/],
    ["of high risk", looked({ authority: { risk: "high" } }), /High-risk/],
    ["that needs a passkey", looked({ passkey: { required: true } }), /passkey/],
    ["that untrusted data steers", looked({ view: { lines: [{ ...LINE, integrity: "untrusted" }] } }), /Untrusted data steers/],
  ])("rejects a request %s", (_what, one, reason) => {
    expect(explainNotThis(one)).toMatch(reason);
  });

  test("isSame is false when any view differs or is missing", () => {
    const armed = new Map([
      ["a", "1"],
      ["b", "2"],
    ]);
    expect(isSame(armed, new Map([...armed].toReversed()))).toBe(true);
    expect(isSame(armed, new Map([...armed, ["b", "3"]]))).toBe(false);
    expect(isSame(armed, new Map([["a", "1"]]))).toBe(false);
    expect(isSame(armed, new Map([...armed, ["c", "3"]]))).toBe(false);
  });
});
