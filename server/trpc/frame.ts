/** What surrounds every page: who is signed in and what waits, or the way to the sign-in page. */
import "server-only";
import { headers } from "next/headers";
import { may } from "@/lib/roles";
import type { SignedIn } from "@/server/auth/signed-in";
import { log } from "@/server/log";
import { api, requireSession } from "./rsc";

export type Frame = {
  readonly nonce: string | undefined;
  /** `Sec-Fetch-Site` of the request: who made the browser ask for the page. */
  readonly site: string | undefined;
  readonly session: SignedIn | null;
  readonly waiting: number;
};

const isOpenToAll = (path: string | null): boolean => path === "/sign-in" || path === "/setup" || path === "/join";

const countWaiting = async (session: SignedIn): Promise<number> => {
  if (!may(session.role, "approval.read")) return 0;
  try {
    return (await (await api()).approvals.count()).open;
  } catch (error) {
    // A number beside a name is not worth a page; the browser asks again.
    log().warn({ err: error }, "the waiting approvals could not be counted");

    return 0;
  }
};

/** Reads the request, which makes every page dynamic: the nonce needs that. */
export const readFrame = async (): Promise<Frame> => {
  const request = await headers();
  const nonce = request.get("x-nonce") ?? undefined;
  const site = request.get("sec-fetch-site") ?? undefined;
  if (isOpenToAll(request.get("x-path"))) return { nonce, site, session: null, waiting: 0 };
  const session = await requireSession();

  return { nonce, site, session, waiting: await countWaiting(session) };
};
