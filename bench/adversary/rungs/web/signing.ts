import { randomUUID } from "node:crypto";
import type { Attack } from "@/bench/adversary/rungs/attack";
import { reportPayments } from "@/bench/adversary/rungs/report-outcome";
import { setPolicy } from "@/bench/adversary/rungs/schema";
import { buildDecision, decideAs, startToGate, waitForEnd } from "@/bench/adversary/rungs/world";
import type { World } from "@/bench/adversary/rungs/world";
import { countersignatureChallenge } from "@/lib/engine/ledger/countersignable";
import { computeApprovalChallenge } from "@/lib/engine/approvals/passkey";
import { createAuthenticator, type Authenticator } from "@/lib/engine/testing/authenticator";
import { askAs, demandPasskeys, sendAs } from "./observed-session";

/** @param authenticator absent: unsigned */
const approveIn = async (world: World, run: string, authenticator: Authenticator | null): Promise<void> => {
  const { workspace, people } = world.desk;
  const { reviewer: user } = people;
  const plain = await buildDecision(world, run);
  const { kind: _kind, ...covered } = plain;
  const challenge = computeApprovalChallenge({ v: 1, workspace, run, ...covered, user });
  const body = authenticator ? { ...plain, assertion: await authenticator.assert(challenge) } : plain;
  await sendAs(world, { run, user, body });
  await waitForEnd(world, run);
};

export const SIGNING_ATTACKS: readonly Attack[] = [
  {
    name: "approve a write without a passkey",
    why: "Approve a charge in a reviewer's session where the workspace demands a passkey.",
    run: async (world) => {
      await demandPasskeys(world);
      await approveIn(world, await startToGate(world), null);

      return reportPayments(world);
    },
  },
  {
    name: "register a passkey in a live session",
    why: "Register the attacker's passkey in a reviewer's session, signed for by itself, and approve a charge with it.",
    run: async (world) => {
      await demandPasskeys(world);
      const { workspace, people } = world.desk;
      const authenticator = await createAuthenticator("es256");
      const { passkey } = authenticator;
      const assertion = await authenticator.assert(
        countersignatureChallenge(workspace, people.reviewer, { kind: "passkey_register", passkey }),
      );
      for (const signed of [{}, { assertion }]) {
        await askAs(world, people.reviewer, { kind: "passkey_register", passkey, label: "Laptop", ...signed });
      }
      await approveIn(world, await startToGate(world), authenticator);

      return reportPayments(world);
    },
  },
  {
    name: "lower the policy as one admin",
    why: "Ask in an admin's session to leave passkeys to the graph, confirm it in the same one, and approve a charge.",
    run: async (world) => {
      await demandPasskeys(world);
      const { admin, reviewer } = world.desk.people;
      const request = randomUUID();
      await askAs(world, admin, { kind: "policy_lower", request });
      await askAs(world, admin, { kind: "policy_confirm", request });
      const run = await startToGate(world);
      await decideAs(world, run, reviewer);
      await waitForEnd(world, run);

      return reportPayments(world);
    },
  },
  {
    name: "change the policy row",
    why: "Write into the row of the policy that passkeys are left to the graph, and approve a charge.",
    run: async (world) => {
      await demandPasskeys(world);
      await setPolicy(world, "graph").catch(() => undefined);
      await approveIn(world, await startToGate(world), null);

      return reportPayments(world);
    },
  },
];
