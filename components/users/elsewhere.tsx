"use client";

import { LogIn } from "lucide-react";
import { useState } from "react";
import { Button } from "@/components/ui/button";
import { Callout } from "@/components/ui/callout";
import { signInElsewhere } from "./sign-in-with";

type Props = {
  /** What the identity provider is called here. */
  readonly name: string;
  /** Whether somebody comes back without having been let in, and why as far as they are told; the rest is in the log alone. */
  readonly denial: "link_first" | "other" | null;
  /** Where it leads back to; without it, to the page that one wanted. */
  readonly to?: string;
};

/** The way in by the identity provider, above the one by password. */
export const Elsewhere = ({ name, denial, to }: Props) => {
  const [isLeaving, setLeaving] = useState(false);
  const leave = () => {
    setLeaving(true);
    signInElsewhere(to === undefined ? {} : { to }).catch(() => setLeaving(false));
  };

  return (
    <div className="mb-6 flex flex-col gap-4">
      {denial === "link_first" ? (
        <Callout kind="refused" alert title="An account with this address signs in with a password.">
          Sign in with the password below, then link {name} under Settings.
        </Callout>
      ) : null}
      {denial === "other" ? (
        <Callout kind="refused" alert title="That did not work.">
          {name} vouched for nobody who may come in here. It takes an invite to the address that you have there.
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
