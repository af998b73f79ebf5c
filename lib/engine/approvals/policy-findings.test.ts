import { describe, expect, it } from "vitest";
import { buildApprovalView } from "@/lib/engine/approvals/approval-view";
import { listPolicyFindings } from "@/lib/engine/approvals/policy-findings";
import { editAs } from "@/lib/engine/testing/gates";
import { nodesWith, publishWith } from "@/lib/engine/testing/graph";
import { atGate, atParse, intent, openGate, result, REVIEWER, update, user, type TestRun } from "@/lib/engine/testing/run";
import type { Classification } from "@/lib/graph/label";

const found = (run: TestRun, clearance: Classification = "pii") => {
  const open = openGate(run);

  return listPolicyFindings(run.published, run.state(), open, buildApprovalView(run.published, run.state(), open, clearance));
};
const codes = (run: TestRun) => found(run).map(({ code }) => code);

describe("policy findings", () => {
  it("name the cause, the tool's effect, and who may answer", () => {
    expect(codes(atGate())).toEqual([
      "asked_approval_node",
      "effect_write",
      "outward",
      "untrusted_authority",
      "quorum",
      "excluded_starter",
      "excluded_author",
    ]);
    const several = atGate(publishWith({ nodes: nodesWith("ask", { config: { prompt: "?", for_node: "write", quorum: 2 } }) }));
    expect(codes(several).slice(-3)).toEqual(["quorum", "excluded_starter", "limited_author"]);
  });

  it("cover tainted calls, protected writes and edits", () => {
    const call = atParse();
    call.work(intent("crm", "update", { plan: "team" }, "0//1"));
    expect(codes(call).slice(0, 2)).toEqual(["asked_tainted_effect", "effect_write"]);
    editAs(call, user(REVIEWER), { arguments: { plan: "free" } });
    expect(codes(call)).toEqual(expect.arrayContaining(["edited", "excluded_editor"]));
    const write = atParse();
    write.work(result(update("is_admin", true)));
    expect(codes(write)[0]).toBe("asked_protected_key");
  });

  it("name what an untrusted value controls, without the value", () => {
    const call = atParse();
    call.work(intent("crm", "update", { plan: "team", email: "canary@evil.test" }, "0//1"));
    expect(codes(call)).toContain("untrusted_recipient");
    expect(JSON.stringify(found(call))).not.toContain("canary");
  });
});
