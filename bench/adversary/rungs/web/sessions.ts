import { randomUUID } from "node:crypto";
import { generateKeyPair, SignJWT } from "jose";
import type { Attack, Report } from "@/bench/adversary/rungs/attack";
import { reportOutcome, reportPayments } from "@/bench/adversary/rungs/report-outcome";
import { borrowSession, runForgeCommand, keepCommands, runResendCommand } from "@/bench/adversary/rungs/schema";
import { emailOf, openSession, sendSignIn } from "@/bench/adversary/rungs/sign-in";
import {
  buildDecision,
  decideAs,
  readRunRow,
  sendCommand,
  startRun,
  startToGate,
  waitForAnswer,
  waitForEnd,
  type World,
} from "@/bench/adversary/rungs/world";
import { computeProofDigest } from "@/lib/people/sign-in";
import { getPublicKey, signWithSeed, type SessionKey } from "@/server/security/session-key";
import { queryOn } from "@/server/testing/connections";

const signedInReviewer = async (world: World): Promise<string> => {
  const { reviewer } = world.desk.people;
  const own = await startToGate(world);
  await decideAs(world, own, reviewer);
  await waitForEnd(world, own);
  const [row] = await queryOn<{ id: string }>(world.desk.urls.admin, "select id from session where user_id = $1", [reviewer]);

  return row?.id ?? randomUUID();
};

/** @param allowed charges that people approved */
const approveThrough = async (world: World, session: SessionKey, allowed: number): Promise<Report> => {
  const run = await startToGate(world);
  const body = await buildDecision(world, run);
  await waitForAnswer(world, await runForgeCommand(world, { run, user: world.desk.people.reviewer, session, body }));
  await waitForEnd(world, run);

  return reportPayments(world, allowed);
};

export const SESSION_ATTACKS: readonly Attack[] = [
  {
    name: "sign with a key of its own",
    why: "Decide through the session of a signed-in reviewer under a key that is not the session's.",
    run: async (world) => {
      const { key } = await borrowSession(world, world.desk.people.reviewer);

      return approveThrough(world, { id: await signedInReviewer(world), key }, 1);
    },
  },
  {
    name: "replace a session's public key",
    why: "Store a key of the attacker's for the session of a signed-in reviewer.",
    run: async (world) => {
      const id = await signedInReviewer(world);
      const { key } = await borrowSession(world, world.desk.people.reviewer);
      await world.sql("update session set public_key = $2 where id = $1", [id, getPublicKey(key)]);

      return approveThrough(world, { id, key }, 1);
    },
  },
  {
    name: "send a decision again in another run",
    why: "Open a reviewer's decision with the vault key and seal it, with its signature, for another run.",
    run: async (world) => {
      const { reviewer } = world.desk.people;
      const [meant, other] = [await startToGate(world), await startToGate(world)];
      await keepCommands(world);
      const command = await sendCommand(world, reviewer, meant, await buildDecision(world, meant));
      await waitForAnswer(world, command);
      await waitForEnd(world, meant);
      await waitForAnswer(world, await runResendCommand(world, command, other));
      await waitForEnd(world, other);

      return reportPayments(world, 1);
    },
  },
  {
    name: "send a start again",
    why: "Open a builder's start with the vault key and seal it, with its signature, for a run of the attacker's.",
    run: async (world) => {
      await keepCommands(world);
      const meant = await startRun(world);
      await waitForEnd(world, meant);
      const [command] = await queryOn<{ id: string }>(world.desk.urls.admin, "select id from command where run_id = $1", [meant]);
      const other = randomUUID();
      await waitForAnswer(world, await runResendCommand(world, command?.id ?? "", other));

      return reportOutcome(world, (await readRunRow(world, other)) !== null);
    },
  },
  {
    name: "sign in without a password",
    why: "Have the control plane open a reviewer's session for a guess, and for no password at all.",
    run: async (world) => {
      const { reviewer } = world.desk.people;
      const guessed = await openSession(world, { type: "password", email: await emailOf(world, reviewer), password: "password" });
      const asDemo = await openSession(world, { type: "demo", user: reviewer });

      return reportOutcome(world, guessed !== null || asDemo !== null);
    },
  },
  {
    name: "make up an ID token",
    why: "Have the control plane open a session for an ID token that the attacker signed.",
    run: async (world) => {
      const { privateKey } = await generateKeyPair("RS256");
      const token = await new SignJWT({ iss: "https://login.example.com", aud: "countersign", sub: "reviewer", email_verified: true })
        .setProtectedHeader({ alg: "RS256" })
        .setIssuedAt()
        .setExpirationTime("1h")
        .sign(privateKey);

      return reportOutcome(world, (await openSession(world, { type: "identity", token })) !== null);
    },
  },
  {
    name: "say that a session was proved",
    why: "Set when a session's person last proved who they are.",
    run: async (world) => {
      const id = await signedInReviewer(world);
      await world.sql("update session set proved_at = now() + interval '1 hour' where id = $1", [id]);

      return reportOutcome(world, true);
    },
  },
  {
    name: "prove in a person's name",
    why: "Prove a reviewer's session without its key, and look whether it counts as proved.",
    run: async (world) => {
      const session = await signedInReviewer(world);
      const { key } = await borrowSession(world, world.desk.people.reviewer);
      await queryOn(world.desk.urls.admin, "update session set proved_at = null where id = $1", [session]);
      const request = randomUUID();
      const proof = { type: "proof", user: world.desk.people.reviewer, session, password: null, sent_at: Date.now() } as const;
      const answer = await sendSignIn(world, { ...proof, signature: signWithSeed(key, computeProofDigest(request, proof)) }, request);

      return reportOutcome(world, answer.status === "proved");
    },
  },
];
