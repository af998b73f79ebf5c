/** Sign-in requests, deleted after a minute. */
import { signInAnswerSchema, type SignInAnswer } from "@/lib/people/sign-in";
import { systemClock } from "@/server/clock";
import { getDatabase, getPool } from "@/server/db/client";
import { notify } from "@/server/store/notify";
import { execute } from "@/server/store/sql/rows";
import { openLeaderLock, type Turn } from "@/server/store/leader-lock";

const CHANNEL = "countersign_sign_in";

/** Reached only without a runner or in a flood. */
const MOST_WAITING = 200;

/** @param body sealed by the vault @returns false when full */
export const insertSignIn = async (id: string, body: Uint8Array): Promise<boolean> => {
  // Prisma would insert defaults of columns that only the runner may write.
  const inserted = await execute(getPool(), {
    text: `insert into sign_in_request (id, body) select $1, $2
     where (select count(*) from sign_in_request where status = 'pending') < ${MOST_WAITING}`,
    values: [id, Buffer.from(body)],
  });
  await notify(CHANNEL, "");

  return inserted === 1;
};

export const signInAnswer = async (id: string): Promise<SignInAnswer | null> => {
  const row = await getDatabase().signInRequest.findFirst({ where: { id, status: "done" }, select: { answer: true } });

  return row && signInAnswerSchema.parse(row.answer);
};

export type PendingSignIn = { readonly id: string; readonly body: Uint8Array };

/** By then the requester gave up. */
const OLD_MS = 60_000;

const oldest = (): Date => new Date(systemClock.now() - OLD_MS);

/** Oldest first. */
export const listPendingSignIns = (): Promise<readonly PendingSignIn[]> =>
  getDatabase().signInRequest.findMany({
    where: { status: "pending", createdAt: { gte: oldest() } },
    orderBy: [{ createdAt: "asc" }, { id: "asc" }],
    take: 50,
    select: { id: true, body: true },
  });

export const answerSignIn = async (id: string, answer: SignInAnswer): Promise<void> => {
  await getDatabase().signInRequest.updateMany({
    where: { id, status: "pending" },
    data: { status: "done", answer, body: new Uint8Array() },
  });
};

export const forgetSignIns = async (): Promise<void> => {
  await getDatabase().signInRequest.deleteMany({ where: { createdAt: { lt: oldest() } } });
};

export const openSignInTurn = (onWake: () => void, onLost: () => void): Promise<Turn> =>
  openLeaderLock({ channel: CHANNEL, lock: "countersign.sign_in" }, onWake, onLost);
