/** One runner handles all sign-ins, to count guesses. */
import { signInRequestSchema, signInPlace, SIGN_IN_WORKSPACE, type SignInAnswer, type SignInRequest } from "@/lib/people/sign-in";
import { log } from "@/server/log";
import { enterWorkspace } from "@/server/runner/sign-in/enter";
import { signInWithIdentity } from "@/server/runner/sign-in/identity";
import { signOutByProvider } from "@/server/runner/sign-in/logout";
import { toRefused, type SignInDeps } from "@/server/runner/sign-in/outcome";
import { proveSessionOf, signInAsDemo, signInWithPassword } from "@/server/runner/sign-in/password";
import { answerSignIn, forgetSignIns, openSignInTurn, listPendingSignIns, type PendingSignIn } from "@/server/store/people/sign-ins";
import { workInTurn } from "@/server/turn-loop";

const MOST_AT_ONCE = 8;

const open = ({ vault }: SignInDeps, { id, body }: PendingSignIn): SignInRequest | null => {
  try {
    return signInRequestSchema.safeParse(vault.openCommand(SIGN_IN_WORKSPACE, signInPlace(id), body)).data ?? null;
  } catch {
    return null;
  }
};

const decide = (deps: SignInDeps, id: string, request: SignInRequest): Promise<SignInAnswer> => {
  switch (request.type) {
    case "password":
      return signInWithPassword(deps, request);
    case "demo":
      return signInAsDemo(deps, request);
    case "identity":
      return signInWithIdentity(deps, request);
    case "logout":
      return signOutByProvider(deps, id, request);
    case "proof":
      return proveSessionOf(deps, id, request);
    case "enter":
      return enterWorkspace(deps, id, request);
    default:
      return request satisfies never;
  }
};

const answer = async (deps: SignInDeps, pending: PendingSignIn): Promise<void> => {
  const request = open(deps, pending);
  await answerSignIn(pending.id, request ? await decide(deps, pending.id, request) : toRefused("malformed"));
  deps.notify(pending.id);
};

type Running = Map<string, Promise<void>>;

/** Failures stay pending until retried or too old. */
const look = async (deps: SignInDeps, running: Running, ring: () => void): Promise<void> => {
  for (const pending of await listPendingSignIns()) {
    if (running.has(pending.id) || running.size >= MOST_AT_ONCE) continue;
    const done = answer(deps, pending)
      .catch((error: unknown) => log().error({ err: error }, "a sign-in was not answered"))
      .finally(() => {
        running.delete(pending.id);
        ring();
      });
    running.set(pending.id, done);
  }
  await forgetSignIns();
};

export const workSignIns = (deps: SignInDeps, signal: AbortSignal): Promise<void> => {
  const running: Running = new Map();
  const settle = () => Promise.all(running.values());

  return workInTurn(
    { open: openSignInTurn, look: (ring) => look(deps, running, ring), settle, complaint: "sign-ins are not read for a moment" },
    signal,
  );
};
