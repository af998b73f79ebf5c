"use client";

import { useState } from "react";
import { registerPasskey } from "@/components/passkeys/register-passkey";
import { useWhyNoPasskeys } from "@/components/passkeys/why-no-passkeys";
import { useTRPCClient } from "@/components/trpc/trpc";
import { Button } from "@/components/ui/button";
import { Callout } from "@/components/ui/callout";

const LABEL = "First passkey";

const goOn = (): void => window.location.assign("/");

/** First passkey of a new user, optional. */
export const FirstPasskey = () => {
  const client = useTRPCClient();
  const why = useWhyNoPasskeys();
  const [isPending, setIsPending] = useState(false);
  const [failure, setFailure] = useState<string | null>(null);
  const create = async () => {
    setIsPending(true);
    setFailure(null);
    const registered = await registerPasskey(client, LABEL, null);
    setIsPending(false);
    if (registered.ok) goOn();
    else setFailure(registered.why);
  };

  return (
    <div className="flex flex-col gap-4">
      {failure ? <Callout kind="refused" alert title={failure} /> : null}
      {why ? <Callout kind="reviewed" title={why} /> : null}
      <Button
        variant="primary"
        size="lg"
        disabledReason={why}
        pending={isPending ? "Your browser is asking…" : null}
        onClick={() => void create()}
      >
        Create your passkey
      </Button>
      <Button size="lg" onClick={goOn}>
        Skip for now
      </Button>
    </div>
  );
};
