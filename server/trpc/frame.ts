import "server-only";
import { headers } from "next/headers";
import { isAllowed } from "@/lib/roles";
import type { SignedIn } from "@/server/auth/signed-in";
import { log } from "@/server/log";
import { getApi, requireSession } from "./rsc";

export type Frame = {
  readonly nonce: string | undefined;
  readonly site: string | undefined;
  readonly session: SignedIn | null;
  readonly waiting: Waiting;
  readonly elsewhere?: { readonly wanted: { readonly id: string; readonly name: string } | null };
};

type Waiting = { readonly open: number; readonly publishing: number };

const NOTHING: Waiting = { open: 0, publishing: 0 };

const isOpenToAll = (path: string | null): boolean => path === "/sign-in" || path === "/setup" || path === "/join" || path === "/reply";

const countWaiting = async (session: SignedIn): Promise<Waiting> => {
  if (!isAllowed(session.role, "approval.read")) return NOTHING;
  try {
    return await (await getApi()).approvals.count();
  } catch (error) {
    // A failed count must not fail the page; the browser retries.
    log().warn({ err: error }, "the waiting approvals could not be counted");

    return NOTHING;
  }
};

/** Reads the request, making the page dynamic, as the nonce requires. */
export const readFrame = async (): Promise<Frame> => {
  const request = await headers();
  const nonce = request.get("x-nonce") ?? undefined;
  const site = request.get("sec-fetch-site") ?? undefined;
  if (isOpenToAll(request.get("x-path"))) return { nonce, site, session: null, waiting: NOTHING };
  const session = await requireSession();
  const wanted = request.get("x-workspace");
  if (wanted !== null && wanted !== "" && wanted !== session.workspace.id) {
    const { workspaces } = await (await getApi()).session.workspaces();
    const found = workspaces.find(({ id }) => id === wanted);

    return { nonce, site, session, waiting: NOTHING, elsewhere: { wanted: found ? { id: found.id, name: found.name } : null } };
  }

  return { nonce, site, session, waiting: await countWaiting(session) };
};
