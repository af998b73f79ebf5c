import { beforeAll, describe, expect, it } from "vitest";
import type { Assertion } from "@/lib/engine/approvals/assertion";
import { computeApprovalChallenge, verifyAssertion, type ApprovalPayload } from "@/lib/engine/approvals/passkey";
import type { BodyOf } from "@/lib/engine/proposal";
import { createAuthenticator, type Authenticator } from "@/lib/engine/testing/authenticator";
import { nodesWith, publishWith } from "@/lib/engine/testing/graph";
import { child, END, using, version } from "@/lib/engine/testing/kinds";
import {
  atGate,
  atParse,
  getCode,
  decision,
  intent,
  openGate,
  result,
  REVIEWER,
  SECOND,
  started,
  update,
  user,
  type TestRun,
} from "@/lib/engine/testing/run";
import type { GraphInput } from "@/lib/graph/document";

const reviewer = user(REVIEWER);
const ASK = { prompt: "Write it?", review_keys: ["request"], for_node: "write", rejection_node: "decline" };
const asking = (more: Record<string, unknown> = {}, graph: Partial<GraphInput> = {}) =>
  publishWith({ ...graph, nodes: nodesWith("ask", { config: { ...ASK, ...more } }) });

let authenticator: Authenticator;
beforeAll(async () => {
  authenticator = await createAuthenticator("es256");
});

const payloadOf = (run: TestRun, { approval_id, transition_digest, view_digest, decision: chosen, nonce }: BodyOf<"decision">) =>
  ({
    v: 1,
    workspace: run.state().workspace,
    run: run.state().run,
    approval_id,
    transition_digest,
    view_digest,
    decision: chosen,
    nonce,
    user: REVIEWER,
  }) satisfies ApprovalPayload;

const signed = async (run: TestRun, choice: "approve" | "reject" = "approve", other: Partial<ApprovalPayload> = {}) => {
  const body = decision(run, reviewer, choice);
  const assertion = await authenticator.assert(computeApprovalChallenge({ ...payloadOf(run, body), ...other }));

  return { ...body, assertion, passkey: authenticator.passkey };
};

const madeIn = (run: TestRun) =>
  run
    .records()
    .flatMap(({ record }) => record.control)
    .flatMap((event) => (event.type === "decision_made" ? [event] : []));

describe("an approval node that demands a passkey", () => {
  it("says so in its gate, unlike others", () => {
    expect(openGate(atGate(asking({ passkey: true }))).gate.signature).toBe("passkey");
    expect(openGate(atGate(asking())).gate).not.toHaveProperty("signature");
  });

  it("is not approved without a signature, and stays open", () => {
    const run = atGate(asking({ passkey: true }));
    expect(getCode(run.propose(reviewer, decision(run, reviewer)))).toBe("passkey_required");
    expect(openGate(run).decisions).toEqual([]);
    expect(madeIn(run)).toEqual([]);
  });

  it("is approved with the reviewer's signature, recorded with all data to verify it", async () => {
    const run = atGate(asking({ passkey: true }));
    const body = await signed(run);
    expect(getCode(run.propose(reviewer, body))).toBe("accepted");
    const [made] = madeIn(run);
    expect(made?.passkey).toEqual({ ...body.assertion, ...authenticator.passkey });
    expect(verifyAssertion(authenticator.passkey, body.assertion, computeApprovalChallenge(payloadOf(run, body)))).toBe(true);
    expect(Object.values(run.state().gates)[0]?.status).toBe("approved");
  });

  it("is not demanded by another approval's setting", () => {
    const later = { id: "later", kind: "approval" as const, config: { prompt: "Sure?", passkey: true as const } };
    const run = atGate(publishWith({ nodes: [...nodesWith("ask", { config: { prompt: "Write it?", for_node: "write" } }), later] }));
    expect(openGate(run).gate.transition.effect).not.toBeNull();
    expect(openGate(run).gate).not.toHaveProperty("signature");
  });

  it("demands it again when its call is asked about again", async () => {
    const run = atGate(asking({ passkey: true }));
    expect(getCode(run.propose(reviewer, await signed(run)))).toBe("accepted");
    run.underPolicy("0".repeat(64));
    run.work(intent("crm", "update", { plan: "team" }));
    expect(openGate(run).gate).toMatchObject({ reason: "effect", signature: "passkey" });
  });

  it("keeps its quorum when its call is asked about again", () => {
    const run = atGate(asking({ quorum: 2 }));
    for (const by of [reviewer, user(SECOND)]) expect(getCode(run.propose(by, decision(run, by)))).toBe("accepted");
    run.underPolicy("0".repeat(64));
    run.work(intent("crm", "update", { plan: "team" }));
    expect(openGate(run).gate).toMatchObject({ reason: "effect", quorum: 2 });
  });

  it("is rejected without one", () => {
    const run = atGate(asking({ passkey: true }));
    expect(getCode(run.propose(reviewer, decision(run, reviewer, "reject")))).toBe("accepted");
    expect(Object.values(run.state().gates)[0]?.status).toBe("rejected");
  });

  it("rejects signatures about other content, by other people or with unknown passkeys", async () => {
    const run = atGate(asking({ passkey: true }));
    const others: Partial<ApprovalPayload>[] = [
      { decision: "reject" },
      { user: SECOND },
      { transition_digest: "0".repeat(64) },
      { view_digest: "0".repeat(64) },
      { run: SECOND },
      { workspace: SECOND },
      { nonce: SECOND },
      { approval_id: SECOND },
    ];
    for (const other of others) expect(getCode(run.propose(reviewer, await signed(run, "approve", other)))).toBe("passkey_invalid");
    const { passkey: _unknown, ...unknown } = await signed(run);
    expect(getCode(run.propose(reviewer, unknown))).toBe("passkey_invalid");
    const stranger = await createAuthenticator("es256");
    expect(getCode(run.propose(reviewer, { ...(await signed(run)), passkey: stranger.passkey }))).toBe("passkey_invalid");
    expect(openGate(run).decisions).toEqual([]);
  });

  it("needs a signature by each approver, and counts each once", async () => {
    const run = atGate(asking({ passkey: true, quorum: 2 }));
    const body = await signed(run);
    expect(getCode(run.propose(reviewer, body))).toBe("accepted");
    const copied = { ...decision(run, user(SECOND)), assertion: body.assertion, passkey: authenticator.passkey };
    expect(getCode(run.propose(user(SECOND), copied))).toBe("passkey_invalid");
    expect(getCode(run.propose(user(SECOND), decision(run, user(SECOND))))).toBe("passkey_required");
    expect(openGate(run).decisions).toHaveLength(1);
  });
});

describe("a voluntary signature", () => {
  it("is recorded when valid, with approvals and rejections", async () => {
    for (const choice of ["approve", "reject"] as const) {
      const run = atGate(asking());
      const body = await signed(run, choice);
      expect(getCode(run.propose(reviewer, body))).toBe("accepted");
      expect(madeIn(run)[0]?.passkey?.signature).toBe(body.assertion.signature);
    }
  });

  it("is refused when invalid", async () => {
    const run = atGate(asking());
    const body = await signed(run);
    const assertion: Assertion = { ...body.assertion, signature: authenticator.passkey.public_key };
    expect(getCode(run.propose(reviewer, { ...body, assertion }))).toBe("passkey_invalid");
    expect(getCode(run.propose(reviewer, { ...(await signed(run, "reject")), assertion }))).toBe("passkey_invalid");
  });
});

describe("a graph that demands passkeys", () => {
  const erasing = (passkey_for?: "irreversible" | "high_risk") => {
    const run = atParse(publishWith({ agentTools: [{ server: "crm", tool: "erase" }], ...(passkey_for ? { passkey_for } : {}) }));
    run.work(intent("crm", "erase", {}));

    return openGate(run).gate.signature;
  };
  const protecting = (passkey_for?: "irreversible" | "high_risk") => {
    const run = atParse(publishWith(passkey_for ? { passkey_for } : {}));
    run.work(result(update("is_admin", true)));

    return openGate(run).gate.signature;
  };
  const writing = (passkey_for: "irreversible" | "high_risk") => openGate(atGate(asking({}, { passkey_for }))).gate.signature;

  it("demands them for irreversible effects, and at high risk for protected memory too", () => {
    expect([erasing(), erasing("irreversible"), erasing("high_risk")]).toEqual([undefined, "passkey", "passkey"]);
    expect([protecting(), protecting("irreversible"), protecting("high_risk")]).toEqual([undefined, undefined, "passkey"]);
    expect([writing("irreversible"), writing("high_risk")]).toEqual([undefined, undefined]);
  });

  it("demands them in its subgraphs too", () => {
    const handy = version([{ id: "h", kind: "agent", write_keys: ["out"], config: { agent_id: "handy" } }, END]);
    const inside = (passkey_for?: "irreversible") => {
      const run = started(version([using("s", "c"), END], passkey_for ? { passkey_for } : {}, { subgraphs: [child("c", handy)] }));
      run.work(result());
      run.work(intent("crm", "erase", {}));

      return openGate(run).gate.signature;
    };
    expect([inside(), inside("irreversible")]).toEqual([undefined, "passkey"]);
  });

  it("demands them in subgraphs at any depth, even if the outermost graph demands none", () => {
    const handy = version([{ id: "h", kind: "agent", write_keys: ["out"], config: { agent_id: "handy" } }, END]);
    const middle = version([using("m", "c"), END], { passkey_for: "irreversible" });
    const run = started(version([using("s", "d"), END], {}, { subgraphs: [child("d", middle), child("c", handy)] }));
    run.work(result());
    run.work(result());
    run.work(intent("crm", "erase", {}));
    expect(openGate(run).gate.signature).toBe("passkey");
  });
});
