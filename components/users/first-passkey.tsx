"use client";

import { registerPasskey } from "@/components/passkeys/register-passkey";
import { useWhyNoPasskeys } from "@/components/passkeys/why-no-passkeys";
import { useTRPCClient } from "@/components/trpc/trpc";
import { Button } from "@/components/ui/button";
import { Callout } from "@/components/ui/callout";
import { Failure } from "@/components/ui/failure";
import { useAttempt } from "@/components/ui/use-attempt";

const LABEL = "First passkey";

const goOn = (): void => window.location.assign("/");

export const FirstPasskey = () => {
  const client = useTRPCClient();
  const why = useWhyNoPasskeys();
  const { attempt, isPending, error } = useAttempt();
  const create = async () => {
    if (await attempt(() => registerPasskey(client, LABEL, null))) goOn();
  };

  return (
    <div className="flex flex-col gap-4">
      <Failure error={error} />
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
