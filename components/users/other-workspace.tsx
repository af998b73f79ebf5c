"use client";

import { Button } from "@/components/ui/button";
import { Entrance } from "./entrance";
import { EntryProblem } from "@/components/account/entry-problem";
import { useEntering } from "@/components/account/use-entering";

type Props = {
  /** Null: not a member, who learns no name. */
  readonly wanted: { readonly id: string; readonly name: string } | null;
  readonly shown: string;
};

export const OtherWorkspace = ({ wanted, shown }: Props) => {
  const { enter, isEntering, problem } = useEntering(() => window.location.reload());
  const goHome = () => window.location.assign("/");

  return wanted ? (
    <Entrance
      title={`This link opens in ${wanted.name}`}
      intro={`You are in ${shown}. Opening the link switches this browser to ${wanted.name}.`}
    >
      <div className="flex flex-col gap-3">
        <EntryProblem problem={problem} />
        <Button
          variant="primary"
          size="lg"
          pending={isEntering ? "Switching…" : null}
          onClick={() => void enter({ by: "membership", workspace: wanted.id })}
        >
          Open in {wanted.name}
        </Button>
        <Button size="lg" onClick={goHome}>
          Stay in {shown}
        </Button>
      </div>
    </Entrance>
  ) : (
    <Entrance
      title="This link opens in another workspace"
      intro="You are not a member of it. Ask the person who sent you the link for an invite, or sign in with another account."
    >
      <Button variant="primary" size="lg" onClick={goHome}>
        Go to {shown}
      </Button>
    </Entrance>
  );
};
