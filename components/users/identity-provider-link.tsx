"use client";

import { LogIn } from "lucide-react";
import { useState } from "react";
import { Button } from "@/components/ui/button";
import { Callout } from "@/components/ui/callout";
import { signInElsewhere } from "@/components/account/sign-in-with";

type Props = {
  readonly name: string;
  /** Public reason; the log has details. */
  readonly denial: "link_first" | "other" | null;
  /** Default: the requested page. */
  readonly to?: string;
};

export const Elsewhere = ({ name, denial, to }: Props) => {
  const [isLeaving, setLeaving] = useState(false);
  const leave = () => {
    setLeaving(true);
    signInElsewhere(to === undefined ? {} : { to }).catch(() => setLeaving(false));
  };

  return (
    <div className="mb-6 flex flex-col gap-4">
      {denial === "link_first" ? (
        <Callout kind="refused" alert title="The account with this address uses a password.">
          Sign in with the password below, then link {name} under Settings.
        </Callout>
      ) : null}
      {denial === "other" ? (
        <Callout kind="refused" alert title="Sign-in failed.">
          Your {name} account has no access here. You need an invite to its e-mail address.
        </Callout>
      ) : null}
      <Button variant="primary" size="lg" pending={isLeaving ? `Going to ${name}…` : null} onClick={leave}>
        <LogIn aria-hidden className="size-4" />
        Continue with {name}
      </Button>
      <div className="flex items-center gap-3 text-xs text-muted">
        <span aria-hidden className="h-px flex-1 bg-line" />
        or with a password
        <span aria-hidden className="h-px flex-1 bg-line" />
      </div>
    </div>
  );
};
