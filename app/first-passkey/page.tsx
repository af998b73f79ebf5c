import type { Metadata } from "next";
import { redirect } from "next/navigation";
import { FirstPasskey } from "@/components/users/first-passkey";
import { getPasskeyHost } from "@/lib/passkey-host";
import { ownOrigin } from "@/server/own-origin";
import { getApi, requireSession } from "@/server/trpc/rsc";

export const metadata: Metadata = { title: "Create your passkey" };

const WITHOUT = {
  write:
    "Without one, you can't approve writes or irreversible actions here. You can still read, start runs and reject, as your role allows.",
  graph: "Without one, you can't approve where a graph demands a passkey. Everything else works.",
} as const;

/** Second step of the first sign-in. */
const FirstPasskeyPage = async () => {
  await requireSession();
  const { passkeys, policy } = await getApi();
  const [{ passkeys: own, allowedUntil }, { approvals }] = await Promise.all([passkeys.list(), policy.get()]);
  if (own.length > 0 || allowedUntil === null || !getPasskeyHost(ownOrigin()).ok) redirect("/");

  return (
    <div className="mx-auto flex w-full max-w-lg flex-col gap-3 px-6 py-12">
      <p className="text-sm text-muted">Step 2 of 2</p>
      <h1 className="text-xl font-semibold">Create your passkey</h1>
      <p className="text-sm">
        A passkey lets you sign approvals with your device, fingerprint or security key. Anyone can later verify that it was you.
      </p>
      <p className="mb-3 text-sm">
        {WITHOUT[approvals]} You can create it here or in Settings for one hour. After that, an admin must allow it.
      </p>
      <FirstPasskey />
    </div>
  );
};

export default FirstPasskeyPage;
