"use client";

import { useQuery, useQueryClient } from "@tanstack/react-query";
import { useRouter } from "next/navigation";
import { useEffect, useState, useSyncExternalStore } from "react";
import { Button } from "@/components/ui/button";
import { Dialog } from "@/components/ui/dialog";
import { WORKSPACE_QUERY } from "@/lib/people/tab-workspace";
import type { SignedIn } from "@/server/auth/signed-in";
import { EntryProblem } from "@/components/account/entry-problem";
import { tab } from "@/components/trpc/tab";
import { useEntering } from "@/components/account/use-entering";

export const StaleTab = ({ workspace: current }: Pick<SignedIn, "workspace">) => {
  const [workspace] = useState(current);
  const isStale = useSyncExternalStore(tab.subscribe, tab.isStale, () => false);
  // A navigation after a switch renders the other workspace's page.
  const { data: rendered = workspace.id } = useQuery<string>({ queryKey: WORKSPACE_QUERY, enabled: false });
  const isOther = current.id !== workspace.id || rendered !== workspace.id;
  const router = useRouter();
  const queries = useQueryClient();
  useEffect(() => (isOther ? tab.markStale() : tab.show(workspace.id)), [isOther, workspace.id]);
  const { enter, isEntering, problem } = useEntering(() => {
    queries.setQueryData(WORKSPACE_QUERY, workspace.id);
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
      {problem ? <EntryProblem problem={problem} /> : null}
    </Dialog>
  );
};
