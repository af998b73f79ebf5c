import { describe, expect, it } from "vitest";
import { getKnownValue } from "@/lib/engine/state";
import { commentAs } from "@/lib/engine/testing/gates";
import { NO_SESSION, type Principal } from "@/lib/engine/principal";
import { AUTHOR, atGate, getCode, decideAs, openGate, REVIEWER, SECOND, STARTER, user, uuid, type TestRun } from "@/lib/engine/testing/run";

const reviewer = user(REVIEWER);
const PROGRAM: Principal = {
  type: "agent",
  token: uuid(700),
  session: NO_SESSION,
  owner: uuid(701),
  integrity: "untrusted",
  scopes: ["approvals:comment"],
};

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

  it("names the people it mentions once each, never its author", () => {
    const run = atGate();
    const { gate } = openGate(run);
    const mentions = [SECOND, REVIEWER, SECOND];
    expect(getCode(run.propose(reviewer, { kind: "comment", approval_id: gate.id, text: "@Second?", mentions }))).toBe("accepted");
    expect(run.records().at(-1)?.record.control).toEqual([{ type: "commented", approval_id: gate.id, user: REVIEWER, mentions: [SECOND] }]);
    const many = Array.from({ length: 11 }, (_, at) => uuid(at));
    expect(getCode(run.propose(reviewer, { kind: "comment", approval_id: gate.id, text: "All!", mentions: many }))).toBe("malformed");
  });
});

describe("a comment on a run", () => {
  const ended = () => {
    const run = atGate();
    run.propose(user(STARTER, "builder"), { kind: "cancel" });
    expect(run.state().status).toBe("cancelled");

    return run;
  };
  const say = (run: TestRun, by: Principal, more = {}) => getCode(run.propose(by, { kind: "comment", text: "Why?", ...more }));

  it("is stored beside the run, which it changes in nothing else, before and after its end", () => {
    for (const run of [atGate(), ended()]) {
      const before = run.state();
      expect(say(run, reviewer)).toBe("accepted");
      expect(run.records().at(-1)?.record.control).toEqual([{ type: "commented", user: REVIEWER }]);
      const { aside, version: _version, head: _head, proposals: _proposals, ...after } = run.state();
      const { aside: earlier, version: _older, head: _parent, proposals: _fewer, ...then } = before;
      expect(after).toEqual(then);
      expect(aside.slice(earlier.length)).toMatchObject([{ path: "$comment", label: { provenance: [`user:${REVIEWER}`] } }]);
    }
  });

  it("is refused for viewers and programs, and past one hundred", () => {
    const run = ended();
    expect(say(run, user(REVIEWER, "viewer"))).toBe("role_missing");
    expect(say(run, PROGRAM)).toBe("principal_not_allowed");
    for (let count = 0; count < 100; count += 1) say(run, reviewer);
    expect(say(run, reviewer)).toBe("comment_limit");
  });

  it("opens no way to comment on a request after the end", () => {
    const run = atGate();
    const { gate } = openGate(run);
    run.propose(user(STARTER, "builder"), { kind: "cancel" });
    expect(say(run, reviewer, { approval_id: gate.id })).toBe("run_finished");
  });

  it("lets no program mention a person", () => {
    const run = atGate();
    const about = { approval_id: openGate(run).gate.id };
    expect(say(run, PROGRAM, about)).toBe("accepted");
    expect(say(run, PROGRAM, { ...about, mentions: [REVIEWER] })).toBe("principal_not_allowed");
  });
});
