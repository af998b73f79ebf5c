"use client";

import { useQueryClient } from "@tanstack/react-query";
import { useRouter } from "next/navigation";
import { useEffect, useState, useSyncExternalStore } from "react";
import { Button } from "@/components/ui/button";
import { Dialog } from "@/components/ui/dialog";
import type { SignedIn } from "@/server/auth/signed-in";
import { ProblemCallout } from "./problem-callout";
import { tab } from "./tab";
import { useEntering } from "./use-entering";

/** Keeps the input, while nothing can be sent. */
export const StaleTab = ({ workspace: current }: Pick<SignedIn, "workspace">) => {
  const [workspace] = useState(current);
  const isStale = useSyncExternalStore(tab.subscribe, tab.isStale, () => false);
  const router = useRouter();
  const queries = useQueryClient();
  useEffect(() => (current.id === workspace.id ? tab.show(workspace.id) : tab.markStale()), [current.id, workspace.id]);
  const { enter, isEntering, problem } = useEntering(() => {
    tab.show(workspace.id);
    void queries.invalidateQueries();
    router.refresh();
  });

  return (
    <Dialog
      open={isStale}
      title="You switched workspaces in another tab"
      description={`This tab shows ${workspace.name}. Your input is kept, and nothing was sent.`}
      footer={
        <>
          <Button onClick={() => window.location.assign("/")}>Open the other workspace</Button>
          <Button
            variant="primary"
            pending={isEntering ? "Switching…" : null}
            onClick={() => void enter({ by: "membership", workspace: workspace.id })}
          >
            Continue in {workspace.name}
          </Button>
        </>
      }
    >
      {problem ? <ProblemCallout problem={problem} /> : null}
    </Dialog>
  );
};
