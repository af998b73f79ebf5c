import { beforeAll, describe, expect, it } from "vitest";
import { buildStartedEvent } from "@/lib/engine/decide/people";
import { withDemands } from "@/lib/engine/decide/signature";
import type { RunEvent } from "@/lib/engine/event";
import { computeApprovalChallenge } from "@/lib/engine/approvals/passkey";
import { createAuthenticator, type Authenticator } from "@/lib/engine/testing/authenticator";
import { forkOf } from "@/lib/engine/testing/fork";
import { publishWith } from "@/lib/engine/testing/graph";
import { child, END, using, version } from "@/lib/engine/testing/kinds";
import { chainOf, exportOf, getKeys, newKey, type TestKey } from "@/lib/engine/testing/ledger";
import {
  atGate,
  atParse,
  getCode,
  decision,
  intent,
  newRun,
  openGate,
  result,
  REVIEWER,
  settle,
  startBody,
  started,
  update,
  user,
  type TestRun,
} from "@/lib/engine/testing/run";
import { verifyLedger } from "@/lib/engine/verify/verify";

const reviewer = user(REVIEWER);
let authenticator: Authenticator;
let key: TestKey;
beforeAll(async () => {
  [authenticator, key] = [await createAuthenticator("es256"), await newKey("k1")];
});

const atWrite = (approvals?: "write"): TestRun => atGate(undefined, undefined, undefined, approvals);

const signed = async (run: TestRun) => {
  const body = decision(run, reviewer);
  const { workspace, run: id } = run.state();
  const { kind: _kind, ...covered } = body;
  const challenge = computeApprovalChallenge({ v: 1, workspace, run: id, ...covered, user: REVIEWER });

  return { ...body, assertion: await authenticator.assert(challenge), passkey: authenticator.passkey };
};

describe("a run's approval policy", () => {
  it("is in its start record, only if it demands something", () => {
    const startOf = (run: TestRun) => run.records()[0]?.record.control.find(({ type }) => type === "run_started");
    expect(startOf(started(publishWith(), undefined, "write"))).toMatchObject({ approvals: "write" });
    expect(startOf(started(publishWith()))).not.toHaveProperty("approvals");
  });

  it("demands a passkey for a write although the graph does not", async () => {
    const run = atWrite("write");
    expect(openGate(run).gate.signature).toBe("passkey");
    expect(getCode(run.propose(reviewer, decision(run, reviewer)))).toBe("passkey_required");
    expect(getCode(run.propose(reviewer, await signed(run)))).toBe("accepted");
    expect(openGate(atWrite()).gate).not.toHaveProperty("signature");
  });

  it("demands one for irreversible effects and protected memory", () => {
    const erasing = atParse(publishWith({ agentTools: [{ server: "crm", tool: "erase" }] }), undefined, "write");
    erasing.work(intent("crm", "erase", {}));
    expect(openGate(erasing).gate.signature).toBe("passkey");
    const protecting = atParse(undefined, undefined, "write");
    protecting.work(result(update("is_admin", true)));
    expect(openGate(protecting).gate.signature).toBe("passkey");
  });

  it("applies from the start record on, to gates opened in it too", () => {
    const gate = atWrite()
      .records()
      .flatMap(({ record }) => record.control)
      .filter(({ type }) => type === "gate_opened");
    const start = buildStartedEvent(publishWith(), {
      initiator: REVIEWER,
      author: REVIEWER,
      model: "m",
      limits: undefined,
      approvals: "write",
    });
    const demanded = (events: readonly RunEvent[]) =>
      withDemands(publishWith(), publishWith(), newRun(publishWith()).state(), { events, writes: [] });
    expect(demanded([start, ...gate])).toMatchObject([{}, { gate: { signature: "passkey" } }]);
    expect(demanded(gate)).toEqual(gate);
  });

  it("applies in subgraphs", () => {
    const handy = version([{ id: "h", kind: "agent", write_keys: ["out"], config: { agent_id: "handy" } }, END]);
    const inside = (approvals?: "write") => {
      const run = started(version([using("s", "c"), END], {}, { subgraphs: [child("c", handy)] }), undefined, approvals);
      run.work(result());
      run.work(intent("crm", "erase", {}));

      return openGate(run).gate.signature;
    };
    expect([inside(), inside("write")]).toEqual([undefined, "passkey"]);
  });

  it.each(["live", "simulate"] as const)("applies in a %s fork, at its start and later, together with a stricter one", (effects) => {
    const parent = atWrite("write");
    const startOf = (seq: number, of: TestRun, body = {}) => {
      const fork = forkOf(of, seq, { type: "none" }, { effects, body });

      return [getCode(fork.verdict), fork.state().start?.approvals];
    };
    expect(startOf(2, parent)).toEqual(["accepted", "write"]);
    expect(startOf(2, atWrite(), { approvals: "write" })).toEqual(["accepted", "write"]);
    expect(startOf(2, atWrite())).toEqual(["accepted", undefined]);
    const { kind: _kind, graph_hash: _hash, author: _author, ...start } = startBody(parent.published);
    expect(startOf(0, parent, { start: { ...start, approvals: "write" } })).toEqual(["accepted", "write"]);
  });
});

describe("its records", () => {
  const written = async () => {
    const run = atWrite("write");
    run.propose(reviewer, await signed(run));
    run.work(intent("crm", "update", { plan: "team" }));
    settle(run, "done");

    return run;
  };
  const verify = async (run: TestRun, change: (event: RunEvent) => RunEvent) => {
    const records = run.records().map(({ record }) => ({ ...record, control: record.control.map(change) }));

    return verifyLedger(exportOf(run, await chainOf(records, key)), getKeys(key));
  };

  it("verify, unless a write rests on an unsigned approval", async () => {
    const run = await written();
    expect(run.state().effects).not.toEqual({});
    expect(await verify(run, (event) => event)).toMatchObject({ ok: true });
    const unsigned = (event: RunEvent): RunEvent => {
      if (event.type === "gate_opened") {
        const { signature: _none, ...gate } = event.gate;

        return { ...event, gate };
      }
      if (event.type !== "decision_made") return event;
      const { passkey: _gone, ...made } = event;

      return made;
    };
    expect(await verify(run, unsigned)).toMatchObject({ ok: false, reason: "passkey" });
    const lax = (event: RunEvent): RunEvent => {
      if (event.type !== "run_started") return unsigned(event);
      const { approvals: _none, ...start } = event;

      return start;
    };
    expect(await verify(run, lax)).toMatchObject({ ok: true });
  });
});
