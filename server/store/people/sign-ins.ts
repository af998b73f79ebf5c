/** Sign-in requests, deleted after a minute. */
import { z } from "zod";
import { signInAnswerSchema, type SignInAnswer } from "@/lib/people/sign-in";
import { getPool } from "@/server/db/client";
import { openLeaderLock, type Turn } from "@/server/store/leader-lock";

const CHANNEL = "countersign_sign_in";

/** Reached only without a runner or in a flood. */
const MOST_WAITING = 200;

/** @param body sealed by the vault @returns false when full */
export const insertSignIn = async (id: string, body: Uint8Array): Promise<boolean> => {
  const { rowCount } = await getPool().query(
    `insert into sign_in_request (id, body) select $1, $2
     where (select count(*) from sign_in_request where status = 'pending') < ${MOST_WAITING}`,
    [id, Buffer.from(body)],
  );
  await getPool().query(`select pg_notify('${CHANNEL}', '')`);

  return rowCount === 1;
};

/** Returns the runner's answer, or null. */
export const signInAnswer = async (id: string): Promise<SignInAnswer | null> => {
  const { rows } = await getPool().query<{ answer: unknown }>("select answer from sign_in_request where id = $1 and status = 'done'", [id]);

  return rows[0] === undefined ? null : signInAnswerSchema.parse(rows[0].answer);
};

const pendingSchema = z.array(z.object({ id: z.string(), body: z.instanceof(Uint8Array) }));
export type PendingSignIn = z.infer<typeof pendingSchema>[number];

/** By then the requester gave up. */
const OLD = "created_at < now() - interval '1 minute'";

/** Oldest first. */
export const listPendingSignIns = async (): Promise<readonly PendingSignIn[]> => {
  const { rows } = await getPool().query(
    `select id, body from sign_in_request where status = 'pending' and not (${OLD}) order by created_at, id limit 50`,
  );

  return pendingSchema.parse(rows);
};

/** Answers a request, deleting its content. */
export const answerSignIn = async (id: string, answer: SignInAnswer): Promise<void> => {
  await getPool().query("update sign_in_request set status = 'done', answer = $2::jsonb, body = '' where id = $1 and status = 'pending'", [
    id,
    JSON.stringify(answer),
  ]);
};

export const forgetSignIns = async (): Promise<void> => {
  await getPool().query(`delete from sign_in_request where ${OLD}`);
};

export const openSignInTurn = (onWake: () => void, onLost: () => void): Promise<Turn> =>
  openLeaderLock({ channel: CHANNEL, lock: "countersign.sign_in" }, onWake, onLost);
