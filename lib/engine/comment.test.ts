import { describe, expect, it } from "vitest";
import { getKnownValue } from "@/lib/engine/state";
import { commentAs } from "@/lib/engine/testing/gates";
import { AUTHOR, atGate, getCode, decideAs, openGate, REVIEWER, STARTER, user, uuid } from "@/lib/engine/testing/run";

const reviewer = user(REVIEWER);

describe("a comment", () => {
  it("is stored with its author and changes nothing else", () => {
    const run = atGate();
    const before = run.state();
    const { gate } = openGate(run);
    expect(getCode(commentAs(run, user(STARTER, "builder")))).toBe("accepted");
    expect(run.records().at(-1)?.record.control).toEqual([{ type: "commented", approval_id: gate.id, user: STARTER }]);
    const { aside, version: _version, head: _head, proposals: _proposals, ...after } = run.state();
    const { aside: earlier, version: _older, head: _parent, proposals: _fewer, ...then } = before;
    expect(after).toEqual(then);
    const [cell] = aside.slice(earlier.length);
    expect(cell).toMatchObject({
      path: `$comment.${gate.id}`,
      label: { integrity: "trusted", confidentiality: "internal", provenance: [`user:${STARTER}`] },
    });
    expect(getKnownValue(cell)).toBe("Why so much?");
  });

  it.each(["reviewer", "builder", "admin"] as const)("may be made by a %s", (role) => {
    expect(getCode(commentAs(atGate(), user(AUTHOR, role)))).toBe("accepted");
  });

  it("is refused for viewers, and for closed, expired or unknown gates", () => {
    const run = atGate();
    const { gate } = openGate(run);
    expect(getCode(commentAs(run, user(REVIEWER, "viewer")))).toBe("role_missing");
    expect(getCode(run.propose(reviewer, { kind: "comment", approval_id: uuid(999), text: "?" }))).toBe("approval_unknown");
    expect(getCode(run.propose(reviewer, { kind: "comment", approval_id: gate.id, text: "" }))).toBe("malformed");
    decideAs(run, reviewer);
    expect(getCode(run.propose(reviewer, { kind: "comment", approval_id: gate.id, text: "late" }))).toBe("approval_closed");
    const late = atGate();
    late.pass(openGate(late).gate.expires_at - late.now());
    expect(getCode(commentAs(late, reviewer))).toBe("approval_expired");
  });

  it("is limited to one hundred per gate", () => {
    const run = atGate();
    for (let count = 0; count < 100; count += 1) commentAs(run, reviewer);
    expect(getCode(commentAs(run, reviewer))).toBe("comment_limit");
  });
});
