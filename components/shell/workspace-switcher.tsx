"use client";

import { useQuery } from "@tanstack/react-query";
import { Check, ChevronsUpDown } from "lucide-react";
import { useEffect } from "react";
import { useTRPC } from "@/components/trpc/trpc";
import { CountBadge } from "@/components/ui/count-badge";
import { Menu, MenuItem } from "@/components/ui/menu";
import { notify } from "@/components/ui/toast";
import type { SignedIn } from "@/server/auth/signed-in";
import { useEntering } from "@/components/account/use-entering";

export const WorkspaceSwitcher = ({ workspace }: Pick<SignedIn, "workspace">) => {
  const { data, refetch } = useQuery(useTRPC().session.workspaces.queryOptions());
  const { enter, isEntering, problem } = useEntering(() => window.location.assign("/"));
  useEffect(() => {
    if (problem) notify({ tone: "error", title: problem.title, description: problem.advice });
  }, [problem]);
  const workspaces = data?.workspaces ?? [];
  if (workspaces.length < 2) {
    return (
      <p className="mt-1 truncate px-2 text-xs text-muted" title={workspace.name}>
        {workspace.name}
      </p>
    );
  }

  return (
    <Menu
      trigger={
        <button
          type="button"
          disabled={isEntering}
          aria-label={`${workspace.name}, switch workspace`}
          title={workspace.name}
          onClick={() => void refetch()}
          className="mt-1 max-md:mt-3 flex min-h-8 w-full items-center gap-2 rounded-md px-2 text-left text-xs text-muted transition-colors hover:bg-hover max-md:min-h-11"
        >
          <span className="min-w-0 flex-1 truncate">{isEntering ? "Switching…" : workspace.name}</span>
          <ChevronsUpDown aria-hidden className="size-3.5 shrink-0 text-faint" />
        </button>
      }
    >
      <div className="max-h-[60vh] w-72 max-w-[calc(100vw-32px)] overflow-y-auto">
        {workspaces.map(({ id, name, role, waiting }) => {
          const isShown = id === workspace.id;

          return (
            <MenuItem
              key={id}
              title={name}
              aria-current={isShown ? "true" : undefined}
              onClick={() => (isShown ? undefined : void enter({ by: "membership", workspace: id }))}
            >
              {isShown ? <Check aria-hidden /> : <span aria-hidden className="size-4 shrink-0" />}
              <span className="min-w-0 flex-1 truncate">{name}</span>
              <CountBadge count={waiting} label="waiting" />
              <span className="shrink-0 text-xs text-muted">{role}</span>
            </MenuItem>
          );
        })}
      </div>
    </Menu>
  );
};
