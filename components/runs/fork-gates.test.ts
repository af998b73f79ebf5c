import { expect, test } from "vitest";
import { decideAs, atGate, openGate, REVIEWER, user } from "@/lib/engine/testing/run";
import { listForkedGates } from "./fork-gates";

test("voids open gates in a fork, unless the fork changes their decision", () => {
  const run = atGate();
  const { gate } = openGate(run);

  expect(listForkedGates(run.state(), null)).toEqual([
    { id: gate.id, prompt: gate.prompt, node: gate.node, becomes: expect.stringContaining("opens a new approval request") as string },
  ]);
  const changed = listForkedGates(run.state(), { type: "decision", approval_id: gate.id, decision: "approve" });
  expect(changed[0]?.becomes).toContain("as declared");
  decideAs(run, user(REVIEWER), "reject");
  expect(listForkedGates(run.state(), null)[0]?.becomes).toContain("is resolved");
});
